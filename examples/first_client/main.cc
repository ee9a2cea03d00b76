// The client of docs/guides/client.md: lists a server's tools and calls one of them.
//
//   first_client URL TOOL NAME

#include <cstdio>
#include <string>
#include <utility>

#include "squall/client/client.h"

using squall::Task;
using squall::client::CallOptions;
using squall::client::Client;
using squall::client::OutcomeKind;

namespace {

Task<int> greet(Client& client, std::string tool, std::string name) {
  const auto server = co_await client.connect();
  if (!server) {
    std::fprintf(stderr, "no connection: %s\n", server.error().message.c_str());
    co_return 1;
  }

  squall::json::Value arguments = squall::json::Value::object();
  arguments.set("name", name);
  CallOptions options;
  options.timeout(std::chrono::seconds(5));
  const auto answer = co_await client.call_tool(tool, std::move(arguments), std::move(options));

  switch (squall::client::kind_of(answer)) {
    case OutcomeKind::success:
      std::printf("%s\n", answer->text().c_str());
      co_return 0;
    case OutcomeKind::tool_error:  // the tool ran, and failed
      std::fprintf(stderr, "the tool says: %s\n", answer->text().c_str());
      co_return 1;
    default:  // protocol_error, timeout, cancelled, lost, invalid
      std::fprintf(stderr, "%s (%s)\n", answer.error().message.c_str(),
                   answer.error().may_have_run() ? "it may have run" : "it did not run");
      co_return 1;
  }
}

Task<void> run(squall::runtime::Loop& loop, Client& client, std::string tool, std::string name,
               int& status) {
  status = co_await greet(client, std::move(tool), std::move(name));
  co_await client.close();
  loop.stop();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: first_client URL TOOL NAME\n", stderr);
    return 2;
  }
  const auto loop = squall::runtime::SystemLoop::make();
  auto link = squall::client::over_http(*loop, argv[1]);
  if (!link) {
    std::fprintf(stderr, "%s\n", link.error().message.c_str());
    return 2;
  }
  Client client(*loop, *std::move(link));
  int status = 1;
  const Task<void> task = run(*loop, client, argv[2], argv[3], status);
  task.start();
  loop->run();
  return status;
}
