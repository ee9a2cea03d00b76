#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "squall/runtime/loop.h"
#include "squall/server/serve.h"

#include "golden_lane.h"
#include "golden_script.h"

namespace squall::server::golden {

/// How a conversation wants its server.
struct BenchOptions {
  EngineOptions engine;
  CompileOptions compile;
  HttpOptions http;
  transport::LineLimits lines;
  bool all_headers = false;
  bool tasks = false;  ///< with the tools whose calls become tasks
  bool bare = false;   ///< a server with one tool and nothing else
};
[[nodiscard]] Result<BenchOptions> read_options(const Script::Pairs& options);

/// A server of the fixture registry and its peers, on one simulated loop.
class Bench {
 public:
  explicit Bench(BenchOptions options);
  ~Bench();
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  /// The peer of that name, on a new connection when it has none. Channel names and HTTP names
  /// don't mix.
  [[nodiscard]] LineLane& line_lane(const std::string& name);
  [[nodiscard]] HttpLane& http_lane(const std::string& name);
  [[nodiscard]] Lane* find(const std::string& name);
  [[nodiscard]] const std::vector<std::unique_ptr<Lane>>& lanes() const { return lanes_; }
  /// Runs a `---` command; false when there is no such.
  [[nodiscard]] bool run(std::string_view command, std::vector<std::string>& facts);
  void settle();

 private:
  bool change(std::string_view what);

  BenchOptions options_;
  std::unique_ptr<runtime::SimulatedLoop> loop_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<HttpEndpoint> endpoint_;
  std::unique_ptr<transport::HttpServer> server_;
  std::map<std::string, std::unique_ptr<ChannelEndpoint>> channels_;
  std::vector<std::unique_ptr<Lane>> lanes_;  // in the order of their first word
  std::vector<std::string> facts_;
};

}  // namespace squall::server::golden
