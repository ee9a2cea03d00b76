#include <mutex>

#include "squall/base/time_text.h"
#include "squall/json/write.h"
#include "squall/server/observe/adapters.h"

namespace squall::server {

namespace {

std::int64_t microseconds(runtime::Duration duration) {
  return std::chrono::duration_cast<std::chrono::microseconds>(duration).count();
}

class JsonLines final : public TelemetrySink {
 public:
  explicit JsonLines(std::function<void(std::string_view)> write) : write_(std::move(write)) {}
  void on_execute(const CallFacts& facts) override {
    const std::string line = to_json_line(facts) + '\n';
    const std::lock_guard lock(mutex_);
    write_(line);
  }

 private:
  std::mutex mutex_;
  std::function<void(std::string_view)> write_;
};

class Tee final : public TelemetrySink {
 public:
  explicit Tee(std::vector<std::shared_ptr<TelemetrySink>> sinks) : sinks_(std::move(sinks)) {}
  void on_execute(const CallFacts& facts) override {
    for (const auto& sink : sinks_) sink->on_execute(facts);
  }

 private:
  std::vector<std::shared_ptr<TelemetrySink>> sinks_;  // whoever configured them may keep them too
};

}  // namespace

std::string to_json_line(const CallFacts& facts) {
  std::string out;
  json::Writer writer(out);
  writer.begin_object().key("ts").string(base::utc_text(facts.began));
  writer.key("event").string("call").key("tool").string(facts.tool);
  if (!facts.action.empty()) writer.key("action").string(facts.action);
  writer.key("ending").string(to_text(facts.ending));
  if (!facts.code.empty()) writer.key("code").string(facts.code);
  writer.key("valid").boolean(facts.valid).key("shed").boolean(facts.shed);
  writer.key("waited_us").number(microseconds(facts.waited));
  writer.key("took_us").number(microseconds(facts.took));
  writer.key("bytes").number(static_cast<std::uint64_t>(facts.response_bytes));
  if (!facts.session.empty()) writer.key("session").string(facts.session);
  if (!facts.trace.trace_id.empty()) writer.key("trace").string(facts.trace.trace_id);
  if (!facts.arguments.is_null()) writer.key("arguments").value(facts.arguments);
  writer.end_object();
  return out;
}

std::shared_ptr<TelemetrySink> make_json_lines(std::function<void(std::string_view line)> write) {
  return std::make_shared<JsonLines>(std::move(write));
}

std::shared_ptr<TelemetrySink> tee(std::vector<std::shared_ptr<TelemetrySink>> sinks) {
  return std::make_shared<Tee>(std::move(sinks));
}

}  // namespace squall::server
