#include "recorded_client.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "squall/json/parse.h"
#include "squall/json/write.h"
#include "squall/mcp/names.h"
#include "squall/mcp/param_header.h"
#include "squall/mcp/revision.h"

#include "fault_line.h"
#include "wire_log.h"

namespace squall::lab {

namespace {

using recording::Party;
using std::chrono::nanoseconds;

/// How long a message waits for an answer that came before it in the case.
constexpr std::chrono::seconds kPatience{2};

/// One message of the recorded client.
struct Said {
  std::uint32_t connection = 1;
  nanoseconds at{};
  std::string text;
  std::string method;  ///< "" of a response
  std::string id;      ///< as JSON text; "" without one
  std::string name;    ///< of what it is about: a tool, a prompt, a resource
  std::string revision;
  std::size_t answers = 0;  ///< how many answers had come before it
  [[nodiscard]] bool request() const { return !method.empty() && !id.empty(); }
};

/// A request, by its connection and id.
using Asked = std::pair<std::uint32_t, std::string>;

struct Script {
  std::vector<Said> said;
  std::vector<Asked> answered;  ///< in the order in which their answers reached the client
  std::map<std::uint32_t, recording::Connect> connections;
  nanoseconds ends{};
};

Said said_of(std::string text) {
  Said out;
  out.text = std::move(text);
  const auto body = json::parse(out.text);
  if (!body) return out;
  out.method = body->find_string("method").value_or("");
  if (const json::Value* id = body->find("id")) out.id = json::to_string(*id);
  const json::Value* params = body->find("params");
  if (params == nullptr) return out;
  out.name = params->find_string("name").value_or(params->find_string("uri").value_or(""));
  if (const json::Value* meta = params->find("_meta")) {
    out.revision = meta->find_string(mcp::meta::kProtocolVersion).value_or("");
  }
  return out;
}

/// The arrivals that no client ever heard of.
std::set<std::uint64_t> lost_in(const recording::Case& from) {
  std::set<std::uint64_t> out;
  for (const recording::Event& event : from.events) {
    const auto* delivered = std::get_if<recording::Delivered>(&event.body);
    if (delivered != nullptr && delivered->delivery == recording::Delivery::lost) {
      out.insert(delivered->in);
    }
  }
  return out;
}

Result<Script> script_of(const recording::Case& from) {
  Script out;
  const std::set<std::uint64_t> lost = lost_in(from);
  std::map<std::uint64_t, Asked> by_in;
  for (const recording::Event& event : from.events) {
    out.ends = event.at;
    if (const auto* connect = std::get_if<recording::Connect>(&event.body)) {
      out.connections.emplace(connect->connection, *connect);
    }
    if (const auto* upstream = std::get_if<recording::Upstream>(&event.body)) {
      const auto at = by_in.find(upstream->in);
      const bool heard = upstream->answer_in != 0 && !lost.contains(upstream->answer_in);
      if (at != by_in.end() && heard) out.answered.push_back(at->second);
    }
    const auto* message = std::get_if<recording::Message>(&event.body);
    if (message == nullptr) continue;
    SQUALL_TRY(std::string text, recording::bytes_of(from, message->payload));
    Said said = said_of(std::move(text));
    said.connection = message->connection;
    said.at = event.at;
    said.answers = out.answered.size();
    const Asked asked{message->connection, said.id};
    if (message->from == Party::client) {
      if (said.request()) by_in[message->in] = asked;
      out.said.push_back(std::move(said));
    } else if (said.method.empty() && !lost.contains(message->in)) {
      out.answered.push_back(asked);  // once more by `Upstream`, where ids were rewritten
    }
  }
  return out;
}

class Player {
 public:
  Player(Script script, const MakeLink& make_link, runtime::Loop& loop,
         recording::Recorder& recorder)
      : script_(std::move(script)),
        make_link_(make_link),
        loop_(loop),
        clock_(loop),
        wire_(scenario_, clock_, &recorder) {}
  ~Player() { lines_.clear(); }
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  Result<void> run(const FaultSetup* faults) {
    if (faults != nullptr) {
      SQUALL_TRY(faults_, FaultLine::make(*faults, loop_, wire_));
    }
    loop_.post([this] { go_on(); });
    loop_.run();
    if (!trouble_.empty()) return fail(ErrorKind::unavailable, trouble_);
    return {};
  }

 private:
  /// One connection, as the link sees its client.
  class Line final : public client::Link::Receiver {
   public:
    Line(Player& player, std::uint32_t recorded, std::uint32_t number,
         std::unique_ptr<client::Link> way)
        : link(std::move(way)), player_(player), recorded_(recorded), wire_(player.wire_, number) {
      link->start(*this, options_);
    }
    void send(const Said& said) {
      if (player_.faults_ == nullptr) wire_.on_message(Party::client, said.text);
      if (!said.revision.empty()) use(said.revision);
      client::Outgoing out;
      if (said.request()) {
        out.key = ++keys_;
        ids_[out.key] = said.id;
      }
      out.text = said.text;
      out.method = said.method;
      out.handshake = said.method == mcp::method::kInitialize;
      if (link->is_http() && !said.revision.empty() && !said.method.empty()) {
        out.headers.emplace_back(mcp::header::kMethod, said.method);
        if (!said.name.empty()) {
          out.headers.emplace_back(mcp::header::kName, mcp::encode_header_value(said.name));
        }
      }
      const bool opens = said.method == mcp::notification::kInitialized;
      link->send(std::move(out));
      if (opens) link->open_stream();
    }

    void on_message(std::string text, std::uint64_t /*key*/, bool /*last*/) override {
      if (player_.faults_ == nullptr) wire_.on_message(Party::server, text);
      const Said said = said_of(text);
      if (!said.method.empty()) return;
      const auto body = json::parse(text);
      const json::Value* result = body ? body->find("result") : nullptr;
      if (result != nullptr) {
        if (const auto revision = result->find_string("protocolVersion")) use(*revision);
      }
      player_.on_answer({recorded_, said.id});
    }
    void on_lost(std::uint64_t key, client::Loss /*loss*/) override {
      player_.on_answer({recorded_, ids_[key]});
    }
    void on_admission(std::uint64_t /*key*/, bool /*waiting*/) override {}
    void on_taken(std::uint64_t /*ticket*/, std::optional<client::Loss> /*loss*/) override {}
    void on_over(client::Loss /*loss*/) override {
      for (const auto& [key, id] : ids_) player_.on_answer({recorded_, id});
    }
    void on_gap() override {}
    void on_report(client::Report /*report*/) override {}
    void on_http(std::string_view /*method*/, int status) override {
      if (player_.faults_ == nullptr) wire_.on_status(status);
    }

    std::unique_ptr<client::Link> link;

   private:
    void use(std::string_view text) {
      if (const auto revision = mcp::revision_from(text)) link->set_revision(*revision);
    }

    Player& player_;
    const std::uint32_t recorded_;
    ConnectionWire wire_;
    const client::Options options_{};
    std::uint64_t keys_ = 0;
    std::map<std::uint64_t, std::string> ids_;
  };

  void on_answer(const Asked& asked) {
    answered_.insert(asked);
    // Never from inside a link: what comes next may be sent on it.
    loop_.post([this] { go_on(); });
  }

  /// Whether every answer that came before `said` in the case has come.
  [[nodiscard]] bool may_follow(const Said& said) {
    const std::vector<Asked>& answers = script_.answered;
    while (seen_ < answers.size() && answered_.contains(answers[seen_])) ++seen_;
    return seen_ >= said.answers;
  }

  void wake_in(nanoseconds after) {
    if (timer_ != runtime::TimerId::none) loop_.cancel(timer_);
    timer_ = loop_.call_after(after, [this] {
      timer_ = runtime::TimerId::none;
      go_on();
    });
  }

  void go_on() {
    while (!over_ && next_ < script_.said.size()) {
      const Said& next = script_.said[next_];
      const nanoseconds now = clock_.elapsed();
      if (now < next.at) return wake_in(next.at - now);
      if (!may_follow(next) && now < next.at + kPatience) return wake_in(next.at + kPatience - now);
      seen_ = std::max(seen_, next.answers);  // what hasn't come by now is waited for no more
      ++next_;
      if (!send(next)) return finish();
    }
    if (over_) return;
    const nanoseconds now = clock_.elapsed();
    if (now < script_.ends) return wake_in(script_.ends - now);
    const bool all = std::ranges::all_of(
        script_.answered, [this](const Asked& one) { return answered_.contains(one); });
    if (!all && now < script_.ends + kPatience) return wake_in(script_.ends + kPatience - now);
    finish();
  }

  bool send(const Said& said) {
    auto line = lines_.find(said.connection);
    if (line == lines_.end()) {
      auto link = make_link_();
      if (!link) {
        trouble_ = link.error().message;
        return false;
      }
      const auto number = static_cast<std::uint32_t>(lines_.size() + 1);
      recording::Connect connect = script_.connections[said.connection];
      connect.connection = number;
      wire_.record(std::move(connect));
      auto way = faults_ != nullptr ? faults_->in_front_of(*std::move(link)) : *std::move(link);
      line = lines_
                 .emplace(said.connection,
                          std::make_unique<Line>(*this, said.connection, number, std::move(way)))
                 .first;
    }
    line->second->send(said);
    return true;
  }

  void finish() {
    if (std::exchange(over_, true)) return;
    closing_ = lines_.size();
    if (closing_ == 0) return loop_.stop();
    for (const auto& [connection, line] : lines_) {
      line->link->close([this] {
        if (--closing_ == 0) loop_.stop();
      });
    }
  }

  Script script_;
  const MakeLink& make_link_;
  runtime::Loop& loop_;
  const Scenario scenario_{};
  OperationLog clock_;
  WireLog wire_;
  std::unique_ptr<FaultLine> faults_;
  std::map<std::uint32_t, std::unique_ptr<Line>> lines_;  // by the case's number
  std::set<Asked> answered_;
  std::size_t next_ = 0;  // message to be sent
  std::size_t seen_ = 0;  // of the case's answers, in their order
  runtime::TimerId timer_ = runtime::TimerId::none;
  std::size_t closing_ = 0;
  bool over_ = false;
  std::string trouble_;
};

}  // namespace

Result<void> play_recorded_client(const recording::Case& from, const MakeLink& make_link,
                                  runtime::Loop& loop, recording::Recorder& recorder,
                                  const FaultSetup* faults) {
  SQUALL_TRY(Script script, script_of(from));
  if (script.said.empty()) {
    return fail(ErrorKind::invalid, "the case has neither a scenario nor a client's message");
  }
  return Player(std::move(script), make_link, loop, recorder).run(faults);
}

}  // namespace squall::lab
