#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "squall/client/client.h"
#include "squall/runtime/task_set.h"

/// @file What `run.py` drives to see what our client costs over HTTP: calls of the tool "echo", a
/// number of them at once, each answer checked.
///
///     client_load PORT CALLS_AT_ONCE SECONDS

namespace {

using namespace squall;

class Load {
 public:
  Load(runtime::SystemLoop& loop, client::Client& client, std::chrono::milliseconds span)
      : loop_(loop), client_(client), tasks_(loop), span_(span) {}

  void run(int width) {
    tasks_.start(lead(width));
    loop_.run();
  }
  void print() const {
    const double seconds = std::chrono::duration<double>(loop_.now() - begun_).count();
    std::printf("rps=%.0f n=%ld err=%ld\n", static_cast<double>(done_) / seconds, done_, wrong_);
  }

 private:
  Task<> lead(int width) {
    const auto server = co_await client_.connect();
    if (!server) {
      std::fprintf(stderr, "%s\n", server.error().message.c_str());
      std::exit(1);
    }
    begun_ = loop_.now();
    working_ = width;
    for (int i = 0; i < width; ++i) tasks_.start(work());
  }

  Task<> work() {
    const json::Value arguments = json::Value::object({{"text", "hello"}});
    while (loop_.now() - begun_ < span_) {
      const auto answer = co_await client_.call_tool("echo", arguments);
      if (answer && answer->text() == "hello") {
        ++done_;
      } else {
        ++wrong_;
      }
    }
    if (--working_ == 0) loop_.stop();
  }

  runtime::SystemLoop& loop_;
  client::Client& client_;
  runtime::TaskSet tasks_;
  const std::chrono::milliseconds span_;
  runtime::TimePoint begun_{};
  long done_ = 0;
  long wrong_ = 0;
  int working_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const auto loop = runtime::SystemLoop::make();
  auto link = client::over_http(*loop, "http://127.0.0.1:" + std::string(argv[1]) + "/mcp");
  if (!link) return 2;
  client::Options options;
  options.negotiation = client::Negotiation::modern;
  client::Client client(*loop, *std::move(link), options);
  Load load(*loop, client, std::chrono::milliseconds(std::atoi(argv[3]) * 1'000));
  load.run(std::atoi(argv[2]));
  load.print();
  return 0;
}
