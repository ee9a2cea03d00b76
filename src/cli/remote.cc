#include "remote.h"

#include <csignal>
#include <memory>
#include <optional>
#include <utility>

#include "squall/client/client.h"
#include "squall/json/write.h"
#include "squall/runtime/task_set.h"

#include "access.h"
#include "fail.h"
#include "listen.h"
#include "questions.h"
#include "remote_console.h"
#include "remote_text.h"
#include "version.h"
#include "visit.h"

namespace squall::cli {
namespace {

/// Shows the wire for `--raw`, and what is odd for `-v`.
class Wire final : public client::Observer {
 public:
  Wire(Console& console, bool raw) : console_(console), raw_(raw) {}
  void on_sent(std::string_view message) override { show("> ", message); }
  void on_received(std::string_view message) override { show("< ", message); }
  void on_report(const client::Report& report) override {
    console_.err("! " + printable(report.text) + "\n");
  }

 private:
  void show(std::string_view mark, std::string_view text) {
    if (raw_) console_.err(std::string(mark) + printable(text) + "\n");
  }
  Console& console_;
  bool raw_;
};

/// Answers what the server asks, and prints what it says by itself.
class Host final : public Questions {
 public:
  Host(runtime::SystemLoop& loop, Console& console, auth::ShowAddress show,
       const RemoteCommand& command)
      : Questions(loop, console, std::move(show)), console_(console), command_(command) {}

  void on_notification(std::string_view method, const json::Value& params) override {
    if (command_.what != RemoteCommand::What::listen) {
      if (command_.verbose) console_.err(notification_text(method, params) + "\n");
    } else if (command_.json) {
      console_.out(json::to_string(notification_json(method, params)) + "\n");
    } else {
      console_.out(notification_text(method, params) + "\n");
    }
  }

 private:
  Console& console_;
  const RemoteCommand& command_;
};

client::Options options_of(const RemoteCommand& command, const ChosenTarget& target) {
  client::Options options;
  options.info.version = std::string(kVersion);
  options.capabilities.elicitation_form = true;
  options.capabilities.elicitation_url = true;
  options.negotiation = target.negotiation;
  options.timeout = command.target.timeout;
  return options;
}

/// Carries a command out, until it is done or a signal ends it.
class Journey {
 public:
  Journey(runtime::SystemLoop& loop, const RemoteCommand& command, client::Client& client,
          RemoteConsole& console)
      : loop_(loop), client_(client), visit_(loop, command, client, console), tasks_(loop) {}

  Result<Exit> run() {
    for (const int signal : {SIGINT, SIGTERM}) {
      SQUALL_CHECK(loop_.on_signal(signal, [this] { on_signal(); }));
    }
    visiting_ = tasks_.start(visit());
    loop_.run();
    return visit_.exit();
  }

 private:
  Task<> visit() {
    co_await visit_.run();
    visiting_ = 0;
    co_await leave();
  }
  Task<> leave() {
    co_await client_.close();
    loop_.stop();
  }
  /// The first signal ends the command and the connection politely, the second at once.
  void on_signal() {
    if (visiting_ == 0) return loop_.stop();
    tasks_.cancel(std::exchange(visiting_, 0));
    visit_.interrupted();
    tasks_.start(leave());
  }

  runtime::SystemLoop& loop_;
  client::Client& client_;
  Visit visit_;
  runtime::TaskSet tasks_;
  runtime::TaskSet::Id visiting_ = 0;  // 0: it is over
};

Result<Exit> travel(const RemoteCommand& command, const Variables& variables,
                    RemoteConsole& console) {
  SQUALL_TRY(const ChosenTarget target, find_target(command.target, variables));
  console.hide(target.secrets);
  const auto loop = runtime::SystemLoop::make();
  const auto show = show_address(*loop, console, variables, command.no_browser);
  std::unique_ptr<Access> access;
  client::HttpLinkOptions http = target.http;
  if (target.is_http() && !target.has_authorization()) {
    SQUALL_TRY(const std::string url, client::url_of(target.server, look_up(variables)));
    access = std::make_unique<Access>(*loop, url, target.http, variables, command.client_id, show);
    http.authorizer = &access->authorizer();
  }
  SQUALL_TRY(client::OpenTarget open, client::open_target(*loop, target.server, look_up(variables),
                                                          target.child, std::move(http)));
  console.hide(open.secrets);
  Wire wire(console, command.raw);
  Host host(*loop, console, show, command);
  client::Options options = options_of(command, target);
  options.handlers = &host;
  if (command.raw || command.verbose) options.observer = &wire;
  client::Client client(*loop, std::move(open.link), std::move(options));
  return Journey(*loop, command, client, console).run();
}

}  // namespace

Exit visit_server(const RemoteCommand& command, Console& console) {
  RemoteConsole remote(console);
  const Variables variables = console.environment();
  const auto exit = travel(command, variables, remote);
  return exit ? *exit : complain(remote, exit.error());
}

}  // namespace squall::cli
