#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "squall/lab/seeds.h"
#include "squall/server/engine.h"
#include "squall/server/log.h"
#include "squall/server/serve.h"

#include "remote.h"

/// @file What the words of a command line come to.

namespace squall::cli {

/// `squall serve`
struct ServeCommand {
  bool http = false;  ///< else over stdin and stdout
  server::HttpOptions http_options;
  server::EngineOptions engine;
  int ready_fd = -1;      ///< told once the server is ready, then closed; -1: none
  std::string port_file;  ///< gets the port once it is open; "": none
  server::LogFormat log_format = server::LogFormat::text;
  server::Severity log_level = server::Severity::info;
  bool fault_tools = true;  ///< the tools that misbehave when asked to
  bool examples = false;    ///< three that answer by their arguments alone
  // Faults in front of all tools.
  std::string profile;      ///< a built-in name or a file; ""
  std::string seed;         ///< "": the profile's, or a random one
  std::string force;        ///< a kind that strikes before all others; ""
  std::string probability;  ///< of `force`; "": always
  std::string record;       ///< a folder for the case; "": none is written
  bool quiet = false;
  std::vector<std::string> plain{};  ///< the words of the same server without faults
};

/// `squall proxy`
struct ProxyCommand {
  std::vector<std::string> command;  ///< the server's, and its arguments; or else:
  std::string url;                   ///< of a server on HTTP
  bool http = false;                 ///< how clients come; else over stdin and stdout
  std::string host = "127.0.0.1";
  std::uint16_t port = 3000;
  std::string path = "/mcp";
  std::vector<std::string> allow_hosts;
  std::vector<std::string> allow_origins;
  std::vector<std::string> headers;    ///< "Name: value", sent to the URL
  std::string authorization = "pass";  ///< or "refuse"
  std::string port_file;               ///< gets the port once it is open; "": none
  std::string profile;                 ///< a built-in name or a file; ""
  std::string seed;                    ///< "": the profile's, or a random one
  std::string force;                   ///< a kind that strikes before all others; ""
  std::string probability;             ///< of `force`; "": always
  std::string record;                  ///< a folder for the case; "": none is written
  std::string prefix;                  ///< in front of the names of tools
  bool hide_output_schema = false;
  int ready_fd = -1;  ///< told once the server is started, then closed; -1: none
  bool verbose = false;
  bool quiet = false;
};

/// `squall demo`
struct DemoCommand {
  bool json = false;
};

/// `squall run SCENARIO...`
struct RunCommand {
  std::vector<std::string> scenarios;   ///< files, folders, patterns
  std::string target;                   ///< a target file; "": the scenario's, or built in
  std::string protocol;                 ///< a revision or auto; "": the scenario's
  std::string profile;                  ///< in place of the scenarios' own; "": those
  std::string seed;                     ///< of faults; "": the scenario's
  std::optional<lab::SeedRange> seeds;  ///< run under each of these
  lab::Shard shard;
  std::string filter;
  std::vector<std::string> tags;
  std::size_t repeat = 1;
  std::size_t jobs = 1;
  bool fail_fast = false;
  bool list = false;
  bool only_failed = false;
  bool real_time = false;
  std::string record;                ///< a folder for the cases of all runs; "": of failures
  std::vector<std::string> reports;  ///< "html=FILE", "console" ...
  bool open = false;                 ///< show the page among them
  bool quiet = false;                ///< no first line, no progress
};

/// `squall faults [KIND]`
struct FaultsCommand {
  std::string kind;  ///< "": all of them
  bool json = false;
};

/// `squall profile ACTION [PROFILE]`
struct ProfileCommand {
  std::string action;   ///< list, show, check, fmt or import
  std::string profile;  ///< a built-in name or a file
  bool json = false;
};

/// `squall plan`
struct PlanCommand {
  std::string profile;  ///< a built-in name or a file
  std::string seed;     ///< "": the profile's
  std::string sites;    ///< a file with a call a line, as JSON, or a case
  bool json = false;
};

/// `squall report`
struct ReportCommand {
  std::vector<std::string> paths;    ///< cases, or folders that hold some
  std::vector<std::string> reports;  ///< "html=FILE", "console" ...
  bool open = false;                 ///< show the page among them
};

enum class CaseAction { list, show, prune };

/// `squall case`
struct CaseCommand {
  CaseAction action = CaseAction::list;
  std::string path;
  std::size_t keep = 100;  ///< how many of the newest `prune` leaves
};

/// `squall verify CASE`
struct VerifyCommand {
  std::string path;
  bool json = false;
};

/// `squall explain CASE [SITE|SEQ]`
struct ExplainCommand {
  std::string path;
  std::string where;  ///< "": what struck, a line each
  bool json = false;
};

/// `squall pin CASE`
struct PinCommand {
  std::string path;
  bool json = false;
};

/// `squall replay CASE`
struct ReplayCommand {
  std::string path;
  std::string mode = "decide";       ///< or pinned, sealed
  std::string target;                ///< a target file; "": the case's
  std::string unrecorded = "error";  ///< or pass
  bool strict = false;
  bool json = false;
};

/// `squall shrink CASE -- COMMAND`
struct ShrinkCommand {
  std::string path;
  std::vector<std::string> command;  ///< none: the case's own scenario
  std::string target;                ///< of the scenario: a target file; "": the case's
  std::uint32_t repeat = 1;
  std::uint64_t runs_max = 1000;
  std::chrono::nanoseconds timeout = std::chrono::minutes(10);
  bool json = false;
};

/// `squall diff A B`
struct DiffCommand {
  std::string left;  ///< a case, a profile or a schedule
  std::string right;
  std::string sites;  ///< calls at which profiles are decided: a file or a case; ""
  std::string seed;   ///< of the profiles; "": their own
  bool json = false;
};

/// `squall schema NAME`
struct SchemaCommand {
  std::string name;  ///< profile
};

enum class Shell { bash, zsh, fish };

/// `squall completion SHELL`
struct CompletionCommand {
  Shell shell = Shell::bash;
};

/// `--help` or `squall help`: of the command that `path` leads to.
struct HelpCommand {
  std::vector<std::string> path;
};

/// `squall --version`
struct VersionCommand {};

using Command =
    std::variant<HelpCommand, VersionCommand, DemoCommand, ServeCommand, ProxyCommand, RunCommand,
                 FaultsCommand, ProfileCommand, PlanCommand, ReportCommand, CaseCommand,
                 VerifyCommand, ExplainCommand, PinCommand, DiffCommand, ReplayCommand,
                 ShrinkCommand, SchemaCommand, RemoteCommand, CompletionCommand>;

}  // namespace squall::cli
