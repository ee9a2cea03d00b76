#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "squall/base/result.h"
#include "squall/server/observe/observe.h"

/// @file Observers that ship with Squall.

namespace squall::server {

/// A call as one JSON object in one line:
/// `{"ts":"...","event":"call","tool":"...","ending":"ok","took_us":120,...}`
[[nodiscard]] std::string to_json_line(const CallFacts& facts);
/// Gives each call to `write` as such a line, with its line break, one at a time.
[[nodiscard]] std::shared_ptr<TelemetrySink> make_json_lines(
    std::function<void(std::string_view line)> write);

/// Counts calls, and shows the counts as Prometheus text: calls by tool, action, ending and code;
/// how long they took and waited, as histograms by tool; calls shed. Names beyond `series_max` are
/// counted together as "other".
class Metrics final : public TelemetrySink {
 public:
  explicit Metrics(std::size_t series_max = 1'000) : series_max_(series_max) {}
  void on_execute(const CallFacts& facts) override;
  /// The text exposition format, version 0.0.4.
  [[nodiscard]] std::string text() const;

 private:
  static constexpr std::array<double, 10> kBucketsSeconds{0.0005, 0.001, 0.005, 0.01, 0.05,
                                                          0.1,    0.5,   1,     5,    30};
  struct Histogram {
    std::array<std::uint64_t, kBucketsSeconds.size() + 1> counts{};
    double sum = 0;
    void add(double seconds);
  };
  struct PerTool {
    Histogram took, waited;
    std::uint64_t shed = 0;
  };
  using Labels = std::array<std::string, 4>;  // tool, action, ending, code
  static void write(std::string& out, std::string_view name, std::string_view tool,
                    const Histogram& histogram);
  const std::size_t series_max_;
  mutable std::mutex mutex_;
  std::map<Labels, std::uint64_t> calls_;
  std::map<std::string, PerTool> tools_;
};

/// Spans as the body of an OTLP/HTTP export in JSON (`/v1/traces`), as they come and bounded: those
/// that find no room are lost, and counted.
class OtlpTracer final : public Tracer {
 public:
  explicit OtlpTracer(std::string service_name, std::size_t spans_max = 2'048)
      : service_name_(std::move(service_name)), spans_max_(spans_max) {}
  void on_span(const Span& span) override;
  /// What has come since the last time as one body, or "" when nothing has.
  [[nodiscard]] std::string take_body();
  [[nodiscard]] std::uint64_t lost() const noexcept { return lost_; }

 private:
  const std::string service_name_;
  const std::size_t spans_max_;
  std::mutex mutex_;
  std::vector<std::string> spans_;  // each as JSON
  std::atomic<std::uint64_t> lost_ = 0;
};

/// Posts a tracer's spans to a collector from time to time, until it is destroyed. A body that the
/// collector doesn't take is lost.
class OtlpExporter {
 public:
  struct Options {
    std::string url = "http://127.0.0.1:4318/v1/traces";
    runtime::Duration every = std::chrono::seconds(5);
  };
  [[nodiscard]] static Result<std::unique_ptr<OtlpExporter>> make(
      runtime::Loop& loop, std::shared_ptr<OtlpTracer> tracer, const Options& options);
  virtual ~OtlpExporter() = default;
  /// Posts now what there is.
  virtual void flush() = 0;
  [[nodiscard]] virtual std::uint64_t failures() const = 0;
};

/// Tells several sinks, in their order.
[[nodiscard]] std::shared_ptr<TelemetrySink> tee(std::vector<std::shared_ptr<TelemetrySink>> sinks);

}  // namespace squall::server
