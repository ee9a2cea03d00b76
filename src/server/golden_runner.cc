#include "golden_runner.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>

#include "squall/base/text.h"
#include "squall/json/parse.h"
#include "squall/mcp/names.h"

#include "golden_bench.h"
#include "golden_judge.h"
#include "golden_lane.h"
#include "golden_script.h"

namespace squall::server::golden {

namespace {

/// The texts that stand for others: the script's own, and those seen on the way.
class Names {
 public:
  explicit Names(const Script::Pairs& lets) {
    for (const auto& [name, text] : lets) lets_[name] = text;
  }

  [[nodiscard]] std::string expand(std::string_view text) const {
    std::string out;
    while (!text.empty()) {
      const std::size_t begin = std::min(text.find("${"), text.size());
      out += text.substr(0, begin);
      text.remove_prefix(begin);
      if (text.empty()) break;
      const std::size_t end = text.find('}');
      if (end == std::string_view::npos) return out + std::string(text);
      out += value_of(text.substr(2, end - 2));
      text.remove_prefix(end + 1);
    }
    return out;
  }

  /// Names what can't be the same twice, and puts names for what has one.
  [[nodiscard]] std::string fold(std::string line) {
    see(line, "mcp-session-id: ", " ", "session");
    see(line, "\"requestState\":\"", "\"", "state");
    see(line, "\"elicitationId\":\"", "\"", "elicitation");
    see(line, "\"taskId\":\"", "\"", "task");
    std::vector<std::pair<std::string, std::string>> longest(values_.begin(), values_.end());
    for (const auto& [name, text] : lets_) longest.emplace_back(name, expand(text));
    std::stable_sort(longest.begin(), longest.end(), [](const auto& a, const auto& b) {
      return a.second.size() > b.second.size();
    });
    for (const auto& [name, value] : longest) replace_all(line, value, "${" + name + "}");
    return line;
  }

 private:
  [[nodiscard]] std::string value_of(std::string_view name) const {
    if (name.starts_with("pad ")) {
      std::size_t size = 0;
      std::from_chars(name.data() + 4, name.data() + name.size(), size);
      return std::string(size, 'x');
    }
    const bool broken = name.starts_with("broken ");
    if (const auto let = lets_.find(name); let != lets_.end()) return expand(let->second);
    const auto it = values_.find(broken ? name.substr(7) : name);
    if (it == values_.end()) return "${" + std::string(name) + "}";
    std::string value = it->second;
    if (broken) value[value.size() / 2] = value[value.size() / 2] == 'A' ? 'B' : 'A';
    return value;
  }

  void see(const std::string& line, std::string_view before, std::string_view after,
           const std::string& kind) {
    const std::size_t at = line.find(before);
    if (at == std::string::npos) return;
    const std::size_t begin = at + before.size();
    const std::string value = line.substr(begin, line.find(after, begin) - begin);
    const bool known = std::any_of(values_.begin(), values_.end(),
                                   [&](const auto& one) { return one.second == value; });
    if (!known) values_[kind + std::to_string(++seen_[kind])] = value;
  }

  std::map<std::string, std::string, std::less<>> lets_;
  std::map<std::string, std::string, std::less<>> values_;
  std::map<std::string, int> seen_;
};

struct Header {
  std::string name;
  std::string value;
};

/// A head `POST /mcp | Name: value | ...`; `Name: -` leaves a default header out.
struct RequestHead {
  std::string line;
  std::vector<Header> headers;

  explicit RequestHead(std::string_view text) {
    std::string_view rest = text;
    bool first = true;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(" | "), rest.size());
      const std::string_view part = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 3, rest.size()));
      if (std::exchange(first, false)) {
        line = part;
        continue;
      }
      const std::size_t colon = part.find(':');
      headers.push_back({std::string(part.substr(0, colon)), std::string(part.substr(colon + 1))});
    }
    add_default("Host", "localhost");
    if (line.starts_with("POST ")) add_default("Content-Type", "application/json");
    if (line.starts_with("POST ")) add_default("Accept", "application/json, text/event-stream");
    if (line.starts_with("GET ")) add_default("Accept", "text/event-stream");
  }

  [[nodiscard]] std::string header(std::string_view name) const {
    for (const Header& one : headers) {
      if (base::equals_ignoring_case(one.name, name)) return std::string(base::trim(one.value));
    }
    return {};
  }

  [[nodiscard]] std::string bytes(const std::string& body) const {
    std::string out = line + " HTTP/1.1\r\n";
    for (const Header& one : headers) {
      if (base::trim(one.value) != "-") out += one.name + ": " + one.value + "\r\n";
    }
    if (!line.starts_with("GET ")) out += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    return out + "\r\n" + body;
  }

 private:
  void add_default(std::string_view name, std::string_view value) {
    if (header(name).empty()) headers.push_back({std::string(name), std::string(value)});
  }
};

class Player {
 public:
  Player(const Script& script, BenchOptions options)
      : script_(script), names_(script.lets), bench_(std::move(options)) {}

  Outcome run() {
    for (const std::string& line : script_.head) say(line);
    for (const Step& step : script_.steps) {
      for (const std::string& line : step.lines) say(line);
      facts_.clear();
      play_step(step);
      listen();
    }
    return std::move(outcome_);
  }

 private:
  void say(const std::string& line) { outcome_.transcript += line + "\n"; }
  void fault(const std::string& what) { outcome_.faults.push_back(what); }

  void play_step(const Step& step) {
    switch (step.kind) {
      case Step::Kind::note:
        return;
      case Step::Kind::command:
        if (!bench_.run(names_.expand(step.text), facts_)) fault("no command: " + step.text);
        return;
      case Step::Kind::message: {
        const std::string text = names_.expand(step.text);
        judge_.said(step.lane, text);
        bench_.line_lane(step.lane).send(text + "\n");
        return bench_.settle();
      }
      case Step::Kind::request:
        return request(step);
    }
  }

  void request(const Step& step) {
    const RequestHead head(names_.expand(step.text));
    const std::string body = names_.expand(step.body);
    HttpLane& lane = bench_.http_lane(step.lane);
    if (lane.busy()) return fault("still waits for a response: " + step.lines.front());
    judge_.set_revision(step.lane, spoken(head));
    judge_.said(step.lane, body);
    lane.expect();
    lane.send(head.bytes(body));
    bench_.settle();
  }

  /// What a claimless request speaks: its session's revision, its header's, or the default.
  mcp::Revision spoken(const RequestHead& head) {
    const auto session = sessions_.find(head.header("Mcp-Session-Id"));
    if (session != sessions_.end()) return session->second;
    return mcp::revision_from(head.header("MCP-Protocol-Version"))
        .value_or(mcp::Revision::r2025_03_26);
  }

  void listen() {
    for (const auto& lane : bench_.lanes()) {
      for (const Heard& heard : lane->take()) {
        const std::string line = names_.fold(heard.line);
        say(lane->name + "<<< " + line);
        if (heard.message.empty()) continue;
        for (const std::string& what : judge_.heard(lane->name, heard.message)) {
          fault(what + "\n    in " + lane->name + "<<< " + line);
        }
      }
      if (const auto* http = dynamic_cast<const HttpLane*>(lane.get());
          http != nullptr && !http->session_id().empty()) {
        sessions_.try_emplace(http->session_id(),
                              judge_.revision(lane->name).value_or(mcp::kLatestLegacy));
      }
    }
    for (const std::string& fact : facts_) say("=== " + fact);
  }

  const Script& script_;
  Names names_;
  Bench bench_;
  Judge judge_;
  std::map<std::string, mcp::Revision> sessions_;
  std::vector<std::string> facts_;
  Outcome outcome_;
};

}  // namespace

Result<Outcome> play(std::string_view text) {
  SQUALL_TRY(const Script script, read_script(text));
  SQUALL_TRY(BenchOptions options, read_options(script.options));
  return Player(script, std::move(options)).run();
}

std::string difference(std::string_view expected, std::string_view actual) {
  if (expected == actual) return {};
  const std::vector<std::string> was = split_lines(expected);
  const std::vector<std::string> is = split_lines(actual);
  // The longest common lines, from the back; scripts have some hundred lines.
  std::vector<std::vector<std::size_t>> common(was.size() + 1,
                                               std::vector<std::size_t>(is.size() + 1));
  for (std::size_t i = was.size(); i-- > 0;) {
    for (std::size_t j = is.size(); j-- > 0;) {
      common[i][j] =
          was[i] == is[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  std::string out;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < was.size() || j < is.size()) {
    if (i < was.size() && j < is.size() && was[i] == is[j]) {
      ++i;
      ++j;
    } else if (j == is.size() || (i < was.size() && common[i + 1][j] >= common[i][j + 1])) {
      out += std::to_string(i + 1) + "  - " + was[i] + "\n";
      ++i;
    } else {
      out += std::to_string(i + 1) + "  + " + is[j] + "\n";
      ++j;
    }
  }
  return out.empty() ? "they differ in line ends alone\n" : out;
}

}  // namespace squall::server::golden
