#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "squall/base/result.h"
#include "squall/client/link.h"
#include "squall/json/value.h"
#include "squall/lab/ending.h"
#include "squall/lab/scenario.h"
#include "squall/recording/event.h"
#include "squall/recording/redactor.h"
#include "squall/runtime/loop.h"
#include "squall/runtime/task.h"

/// @file What the runner needs of whatever a scenario is run against.
///
/// An `Adapter` reads what a target file says and makes a `Target`. For each run the target gives a
/// `Path`, and a path makes a `Subject` for every connection. The runner knows nothing more.

namespace squall::lab {

/// One thing to ask of a target.
struct Job {
  std::uint64_t number = 0;  ///< unique in a connection, from 1
  Step::Kind kind = Step::Kind::call;
  json::Value params{};  ///< as in `Step`, filled in

  Job() = default;
  Job(std::uint64_t its_number, Step::Kind its_kind, json::Value its_params)
      : number(its_number), kind(its_kind), params(std::move(its_params)) {}
};

/// Sees the messages of one connection as its client does.
class Wire {
 public:
  virtual void on_message(recording::Party from, std::string_view text) = 0;
  /// An HTTP exchange began to be answered; its message, if any, comes next.
  virtual void on_status(int status) { static_cast<void>(status); }
  /// Something that the target noted about itself: "protocol_ping_liveness: ping timeout".
  virtual void on_note(std::string_view what, std::string_view text) {
    static_cast<void>(what);
    static_cast<void>(text);
  }

 protected:
  ~Wire() = default;
};

/// What is known of a connection once it stands.
struct Introduction {
  std::string protocol{};   ///< the revision
  std::string transport{};  ///< "stdio", "http", "in_process"
  std::string peer{};       ///< host or command, without secrets
  json::Value server{};     ///< the serverInfo, or null
};

/// One connection to a target. Each operation is a Task: destroying it gives it up. How long one
/// may take is not the subject's business.
class Subject {
 public:
  virtual ~Subject() = default;
  Subject() = default;
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  virtual Task<Attempt> setup() = 0;
  virtual Task<Attempt> execute(Job job) = 0;
  /// Asks that job to stop; it then ends as `cancelled`.
  virtual Task<Attempt> cancel(std::uint64_t job, std::string reason) = 0;
  /// Ends the connection politely. Called once, also after a setup that failed.
  virtual Task<Attempt> cleanup() = 0;
  [[nodiscard]] virtual Introduction introduction() const = 0;
};

/// The way to one target during one run.
class Path {
 public:
  virtual ~Path() = default;
  Path() = default;
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;

  /// A connection that isn't set up yet. `wire` outlives it.
  virtual std::unique_ptr<Subject> connect(Wire& wire) = 0;
  /// Where the target's own notes go, which outlives the path.
  virtual void tell(Wire& notes) { static_cast<void>(notes); }
};

/// Gives a variable of our environment, or nothing.
using Environment = std::function<std::optional<std::string>(std::string_view name)>;

/// Puts something between a connection's client and its target: where faults of a scenario belong.
using PathWrap = std::function<std::unique_ptr<client::Link>(std::unique_ptr<client::Link>)>;

/// What a run takes place in.
struct Place {
  runtime::Loop* loop = nullptr;           ///< of the run
  runtime::SystemLoop* machine = nullptr;  ///< the same, where there are sockets and children
  Environment environment{};
  Protocol protocol = Protocol::automatic;
  PathWrap wrap{};  ///< null: nothing lies between
};

/// Something to run against. Belongs to one thread.
class Target {
 public:
  virtual ~Target() = default;
  Target() = default;
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  /// The adapter's name: "mcp".
  [[nodiscard]] virtual std::string_view adapter() const = 0;
  /// Whether it lies outside of this process, so that time is the machine's.
  [[nodiscard]] virtual bool external() const = 0;
  /// As a person reads it, without secrets: "http http://127.0.0.1:3001/mcp".
  [[nodiscard]] virtual std::string describe() const = 0;
  /// For a case's header, without secrets; null: the built-in server.
  [[nodiscard]] virtual json::Value to_json() const { return {}; }
  /// What the target says of the revision.
  [[nodiscard]] virtual std::optional<Protocol> protocol() const { return std::nullopt; }
  /// Replaces the target's secrets; never null. Fails when a variable that it needs isn't there.
  [[nodiscard]] virtual Result<std::shared_ptr<const recording::Redactor>> redactor(
      const Environment& environment) const;
  /// Fails when what the target needs isn't there.
  [[nodiscard]] virtual Result<std::unique_ptr<Path>> open(const Place& place) = 0;
};

/// Makes targets of files. A plain function: it may be called from any thread.
using Adapter = std::function<Result<std::unique_ptr<Target>>(const std::string& file,
                                                              const std::string& text)>;

/// The adapters by name.
class AdapterRegistry {
 public:
  /// Knows "mcp": target files over stdio and HTTP, in both revisions; and "builtin": the server in
  /// this process, with a choice of its tools.
  AdapterRegistry();
  /// Fails when the name is taken.
  [[nodiscard]] Result<void> add(std::string name, Adapter adapter);
  /// Reads a target file; without `adapter` in it, it is mcp's. Nothing of the file is quoted.
  [[nodiscard]] Result<std::unique_ptr<Target>> read(const std::string& file,
                                                     const std::string& text) const;

 private:
  std::map<std::string, Adapter, std::less<>> adapters_;
};

}  // namespace squall::lab
