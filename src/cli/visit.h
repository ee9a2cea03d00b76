#pragma once

#include <string_view>
#include <vector>

#include "squall/client/client.h"
#include "squall/runtime/task.h"

#include "remote.h"
#include "remote_console.h"

namespace squall::cli {

/// One command on one connection: does it, and prints what came of it.
class Visit {
 public:
  /// All outlive it.
  Visit(runtime::Loop& loop, const RemoteCommand& command, client::Client& client,
        RemoteConsole& console)
      : loop_(loop), command_(command), client_(client), console_(console) {}

  Task<> run();
  /// A person wants it to end. Called when `run` has been destroyed where it waited.
  void interrupted();
  [[nodiscard]] Exit exit() const { return exit_; }

 private:
  Task<> inspect();
  Task<> call();
  Task<> read();
  Task<> prompt();
  Task<> listen();

  [[nodiscard]] Result<json::Value> arguments_for(const std::vector<json::Value>& tools) const;
  void answered(client::OutcomeKind kind, const json::Value& result);
  void refuse(const Error& error);
  void report(const client::Failure& failure, std::string_view doing);
  void show(const client::Progress& progress);

  runtime::Loop& loop_;
  const RemoteCommand& command_;
  client::Client& client_;
  RemoteConsole& console_;
  bool connected_ = false;
  Exit exit_ = Exit::lost;
};

}  // namespace squall::cli
