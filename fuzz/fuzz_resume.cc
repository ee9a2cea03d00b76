#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "squall/base/assert.h"
#include "squall/transport/sse.h"

#include "session_streams.h"

// A Last-Event-ID against a session with two streams of three events each: whatever it is, what is
// replayed belongs to one stream alone.
namespace {

using namespace squall;

struct Exchange final : transport::HttpExchange {
  explicit Exchange(runtime::Loop& its_loop) : on(its_loop) {}
  void add_header(std::string_view, std::string_view) override {}
  void reply(transport::HttpReply) override {}
  void reply_json(int, std::string_view) override {}
  void open(const transport::HttpReply&, std::string_view first) override { heard += first; }
  void write(std::string_view bytes) override { heard += bytes; }
  void finish() override {}
  void drop(bool) override {}
  [[nodiscard]] bool open_for_writing() const override { return true; }
  [[nodiscard]] std::size_t pending() const override { return 0; }
  void on_gone(std::move_only_function<void()>) override {}
  void on_drained(std::move_only_function<void()>) override {}
  [[nodiscard]] runtime::Loop& loop() override { return on; }
  [[nodiscard]] std::string peer() const override { return "peer"; }
  runtime::Loop& on;
  std::string heard;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view last(reinterpret_cast<const char*>(data), size);
  const auto loop = runtime::SimulatedLoop::make();
  server::ResumeOptions options;
  options.enabled = true;
  server::SessionStreams streams(options, mcp::Revision::r2025_11_25);
  for (const char* message : {"\"one\"", "\"two\""}) {
    const auto exchange = std::make_shared<Exchange>(*loop);
    const std::uint64_t stream = streams.open(exchange, {});
    for (int i = 0; i < 3; ++i) streams.publish(stream, message, loop.get(), false);
    loop->run_ready();
  }
  const auto again = std::make_shared<Exchange>(*loop);
  const bool found = streams.resume(last, again, {});
  loop->run_ready();
  SQUALL_ASSERT(found || again->heard.empty());
  const bool one = again->heard.find("\"one\"") != std::string::npos;
  const bool two = again->heard.find("\"two\"") != std::string::npos;
  SQUALL_ASSERT(!(one && two));
  return 0;
}
