#include "sealed.h"

#include <algorithm>
#include <set>
#include <utility>

#include "squall/json/canonical.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"

#include "client_subject.h"
#include "elsewhere.h"

namespace squall::lab {

namespace {

using recording::Party;
using std::chrono::nanoseconds;

constexpr std::int64_t kUnrecorded = -32603;  // internal error: the server that isn't there
constexpr std::size_t kLookBackMax = 1000;    // messages, for the request that a word belongs to
constexpr std::size_t kFirstBytesMax = 200;   // of an unrecorded request, for people

/// What a message asks for, whatever its id and envelope.
std::string key_of(std::string_view text) {
  const auto body = json::parse(text);
  const auto method = body ? body->find_string("method") : std::nullopt;
  if (!body) return "raw " + std::string(text);
  if (!method) return "response";
  json::Value params = json::Value::object();
  if (const json::Value* given = body->find("params")) params = *given;
  for (const std::string_view name : {"_meta", "inputResponses", "requestState"}) {
    params.erase(name);
  }
  return std::string(*method) + " " + json::canonical(params).value_or("?");
}

std::string id_of(std::string_view text) {
  const auto body = json::parse(text);
  const json::Value* id = body ? body->find("id") : nullptr;
  return id == nullptr ? "" : json::to_string(*id);
}

/// The text with another id, where that is another.
std::string with_id(const std::string& text, const std::string& recorded, const std::string& id) {
  if (recorded == id) return text;
  auto body = json::parse(text);
  const auto own = json::parse(id);
  if (!body || !own) return text;
  body->set("id", *own);
  return json::to_string(*body);
}

}  // namespace

/// Puts the answers of a case together.
class SealedReading {
 public:
  explicit SealedReading(const recording::Case& from) : case_(from) {}

  Result<std::shared_ptr<SealedAnswers>> run() {
    for (const recording::Event& event : case_.events) {
      if (const auto* connect = std::get_if<recording::Connect>(&event.body)) take(*connect);
      if (const auto* message = std::get_if<recording::Message>(&event.body)) {
        SQUALL_CHECK(take(event, *message));
      }
      if (const auto* upstream = std::get_if<recording::Upstream>(&event.body)) take(*upstream);
      if (const auto* delivered = std::get_if<recording::Delivered>(&event.body)) {
        SQUALL_CHECK(take(event, *delivered));
      }
      if (const auto* verdict = std::get_if<recording::Verdict>(&event.body)) {
        take(event, *verdict);
      }
    }
    for (Asked& asked : all_) {
      if (asked.executed == recording::Executed::no) continue;  // it never came so far
      out_->answers_[asked.key].push_back(std::move(asked.answer));
    }
    return std::move(out_);
  }

 private:
  struct Asked {
    std::string key;
    std::uint32_t connection = 0;
    std::uint64_t in = 0;
    nanoseconds at{};  // when it reached the server
    bool request = false;
    bool answered = false;
    recording::Executed executed = recording::Executed::unknown;
    SealedAnswers::Answer answer;
  };

  void take(const recording::Connect& connect) {
    if (!out_->transport_.empty()) return;
    out_->transport_ = connect.transport;
    out_->peer_ = connect.peer;
    out_->over_http_ = connect.transport == "http";
  }

  Result<void> take(const recording::Event& event, const recording::Message& message) {
    SQUALL_TRY(std::string text, recording::bytes_of(case_, message.payload));
    if (message.from == Party::client) {
      // A probe that got no answer was refused: what came next says so.
      if (!all_.empty()) lose_probe(all_.back(), message.connection, event.at);
      Asked& asked = all_.emplace_back();
      asked.key = key_of(text);
      asked.connection = message.connection;
      asked.in = message.in;
      asked.at = event.at;
      asked.answer.id = id_of(text);
      asked.request = asked.key != "response" && !asked.answer.id.empty();
      by_in_[message.in] = all_.size() - 1;
      if (asked.request) by_id_[{asked.connection, asked.answer.id}] = all_.size() - 1;
      return {};
    }
    SealedAnswers::Reply reply;
    const auto body = json::parse(text);
    reply.response = body && !body->contains("method");
    reply.text = std::move(text);
    if (const json::Value* status = message.http.find("status")) {
      reply.status = static_cast<int>(status->as_int64().value_or(200));
    }
    Asked* const asked = reply.response ? asked_by(message.connection, id_of(reply.text))
                                        : latest(message.connection);
    if (asked == nullptr) {
      if (reply.response) homeless_[message.in] = {std::move(reply), event.at};
      return {};
    }
    give(*asked, std::move(reply), event.at);
    return {};
  }

  void take(const recording::Upstream& upstream) {
    Asked* const asked = of(upstream.in);
    if (asked == nullptr) return;
    asked->executed = upstream.executed;
    const auto homeless = homeless_.find(upstream.answer_in);
    if (homeless == homeless_.end()) return;
    give(*asked, std::move(homeless->second.first), homeless->second.second);
    homeless_.erase(homeless);
  }

  Result<void> take(const recording::Event& event, const recording::Delivered& delivered) {
    Asked* const asked = delivered.to == Party::server ? of(delivered.in) : nullptr;
    if (asked == nullptr) return {};
    asked->at = event.at + delivered.drawn;
    if (delivered.payload && delivered.delivery == recording::Delivery::changed) {
      SQUALL_TRY(const std::string text, recording::bytes_of(case_, *delivered.payload));
      asked->key = key_of(text);
    }
    return {};
  }

  void take(const recording::Event& event, const recording::Verdict& verdict) {
    if (verdict.outcome != to_text(Ending::transport_loss) || verdict.first_in == 0) return;
    for (auto at = by_in_.lower_bound(verdict.first_in);
         at != by_in_.end() && at->first <= verdict.last_in; ++at) {
      Asked& asked = all_[at->second];
      if (!asked.request || asked.answered) continue;
      asked.answer.lost.emplace(event.at - asked.at, verdict.why);
    }
  }

  static void lose_probe(Asked& asked, std::uint32_t connection, nanoseconds at) {
    if (asked.connection != connection || asked.answered || !asked.request) return;
    if (!asked.key.starts_with("server/discover ")) return;
    asked.answer.lost.emplace(at - asked.at, "the server refused it");
  }

  static void give(Asked& asked, SealedAnswers::Reply reply, nanoseconds at) {
    reply.after = std::max(nanoseconds{}, at - asked.at);
    asked.answered |= reply.response;
    if (reply.response) asked.answer.lost.reset();
    asked.answer.replies.push_back(std::move(reply));
  }

  /// The latest request with that id.
  Asked* asked_by(std::uint32_t connection, const std::string& id) {
    const auto at = by_id_.find({connection, id});
    return at == by_id_.end() ? nullptr : &all_[at->second];
  }
  Asked* of(std::uint64_t in) {
    const auto at = by_in_.find(in);
    return at == by_in_.end() ? nullptr : &all_[at->second];
  }
  /// What a message of the server's own comes behind: the latest request under way, or else the
  /// latest message.
  Asked* latest(std::uint32_t connection) {
    Asked* any = nullptr;
    std::size_t looked = 0;
    for (auto at = all_.rbegin(); at != all_.rend() && looked < kLookBackMax; ++at, ++looked) {
      if (at->connection != connection) continue;
      if (at->request && !at->answered) return &*at;
      if (any == nullptr) any = &*at;
    }
    return any != nullptr || all_.empty() ? any : &all_.back();
  }

  const recording::Case& case_;
  std::shared_ptr<SealedAnswers> out_ = std::make_shared<SealedAnswers>();
  std::deque<Asked> all_;
  std::map<std::uint64_t, std::size_t> by_in_;
  std::map<std::pair<std::uint32_t, std::string>, std::size_t> by_id_;  // the latest of that id
  std::map<std::uint64_t, std::pair<SealedAnswers::Reply, nanoseconds>> homeless_;  // by arrival
};

Result<std::shared_ptr<SealedAnswers>> SealedAnswers::of(const recording::Case& from) {
  return SealedReading(from).run();
}

const SealedAnswers::Answer* SealedAnswers::take(std::string_view text) {
  const auto at = answers_.find(key_of(text));
  if (at == answers_.end() || at->second.empty()) return nullptr;
  given_.push_back(std::move(at->second.front()));
  at->second.pop_front();
  return &given_.back();
}

void SealedAnswers::note_unrecorded(std::string_view text) {
  if (unrecorded_++ == 0) first_ = key_of(text).substr(0, kFirstBytesMax);
}

namespace {

class SealedLink final : public client::Link {
 public:
  SealedLink(runtime::Loop& loop, SealedAnswers& answers, AskElsewhere elsewhere)
      : loop_(loop), answers_(answers), elsewhere_(std::move(elsewhere)) {}

  void start(Receiver& receiver, const client::Options& /*options*/) override {
    receiver_ = &receiver;
  }

  void send(client::Outgoing message) override {
    if (message.ticket != 0) {
      later({}, [this, ticket = message.ticket] { receiver_->on_taken(ticket, std::nullopt); });
    }
    const std::string id = id_of(message.text);
    const bool request = message.key != 0;
    // A copy that a fault made of a request: what came of it stands with the request.
    if (!request && !id.empty() && !message.method.empty()) return;
    const SealedAnswers::Answer* const answer = answers_.take(message.text);
    if (answer == nullptr) {
      if (request) refuse(message, id);
      return;
    }
    for (std::size_t i = 0; i < answer->replies.size(); ++i) {
      const SealedAnswers::Reply& reply = answer->replies[i];
      const bool last = reply.response && i + 1 == answer->replies.size();
      later(reply.after, [this, &reply, recorded = answer->id, id, key = message.key, last] {
        if (over_http() && gone_.contains(key)) return;
        if (reply.status) receiver_->on_http("POST", *reply.status);
        std::string text = reply.response ? with_id(reply.text, recorded, id) : reply.text;
        receiver_->on_message(std::move(text), over_http() ? key : 0, over_http() && last);
      });
    }
    if (!answer->lost || !request) return;
    later(answer->lost->first, [this, key = message.key, why = answer->lost->second] {
      client::Loss loss;
      loss.cause = over_http() && why == "the server refused it" ? client::Loss::Cause::http_status
                                                                 : client::Loss::Cause::ended;
      if (loss.cause == client::Loss::Cause::http_status) loss.status = 400;
      loss.detail = why;
      loss.may_have_run = true;
      receiver_->on_lost(key, std::move(loss));
    });
  }

  void abandon(std::uint64_t key, bool close) override {
    if (close) gone_.insert(key);
  }
  void set_revision(mcp::Revision /*revision*/) override {}
  void close(std::move_only_function<void()> done) override {
    later({}, [done = std::move(done)]() mutable { done(); });
  }
  [[nodiscard]] bool is_http() const override { return over_http(); }

 private:
  [[nodiscard]] bool over_http() const { return answers_.over_http(); }

  void refuse(const client::Outgoing& message, const std::string& id) {
    answers_.note_unrecorded(message.text);
    const std::uint64_t key = message.key;
    if (!elsewhere_) {
      json::Value error = json::Value::object(
          {{"code", kUnrecorded}, {"message", "the case has no answer to this request"}});
      json::Value response = json::Value::object({{"jsonrpc", "2.0"}});
      response.set("id", json::parse(id).value_or(json::Value()));
      response.set("error", std::move(error));
      return later({}, [this, key, text = json::to_string(response)]() mutable {
        receiver_->on_message(std::move(text), over_http() ? key : 0, over_http());
      });
    }
    elsewhere_(message.text, [this, key, alive = std::weak_ptr<char>(alive_)](
                                 std::optional<std::string> text) {
      if (alive.expired()) return;
      if (text) return receiver_->on_message(*std::move(text), over_http() ? key : 0, over_http());
      client::Loss loss;
      loss.detail = "the target gave no answer to an unrecorded request";
      loss.may_have_run = true;
      receiver_->on_lost(key, std::move(loss));
    });
  }

  template <typename Work>
  void later(nanoseconds after, Work work) {
    loop_.call_after(after,
                     [alive = std::weak_ptr<char>(alive_), work = std::move(work)]() mutable {
                       if (!alive.expired()) work();
                     });
  }

  runtime::Loop& loop_;
  SealedAnswers& answers_;
  AskElsewhere elsewhere_;
  Receiver* receiver_ = nullptr;
  std::set<std::uint64_t> gone_;                            // requests nobody waits for
  std::shared_ptr<char> alive_ = std::make_shared<char>();  // what timers look at
};

class SealedPath final : public Path {
 public:
  SealedPath(Place place, std::shared_ptr<SealedAnswers> answers, bool learns_tools, Target* live)
      : place_(std::move(place)), answers_(std::move(answers)), learns_tools_(learns_tools) {
    if (live != nullptr) elsewhere_ = std::make_unique<Elsewhere>(*live, place_);
  }

  std::unique_ptr<Subject> connect(Wire& wire) override {
    ClientSubjectOptions options;
    options.transport = answers_->transport();
    options.peer = answers_->peer();
    options.client.negotiation = negotiation_of(place_.protocol);
    options.learns_tools = learns_tools_;
    options.make_link = [this]() -> Result<std::unique_ptr<client::Link>> {
      AskElsewhere ask;
      if (elsewhere_ != nullptr) {
        ask = [this](std::string request, Elsewhere::Done done) {
          elsewhere_->ask(std::move(request), std::move(done));
        };
      }
      auto link = make_sealed_link(*place_.loop, *answers_, std::move(ask));
      if (place_.wrap) return place_.wrap(std::move(link));
      return link;
    };
    return make_client_subject(*place_.loop, wire, std::move(options));
  }

 private:
  Place place_;
  std::shared_ptr<SealedAnswers> answers_;
  bool learns_tools_;
  std::unique_ptr<Elsewhere> elsewhere_;
};

class SealedTarget final : public Target {
 public:
  SealedTarget(std::shared_ptr<SealedAnswers> answers, bool learns_tools, Target* live)
      : answers_(std::move(answers)), learns_tools_(learns_tools), live_(live) {}
  [[nodiscard]] std::string_view adapter() const override { return "sealed"; }
  [[nodiscard]] bool external() const override { return live_ != nullptr && live_->external(); }
  [[nodiscard]] std::string describe() const override { return "what the case recorded"; }
  Result<std::unique_ptr<Path>> open(const Place& place) override {
    return std::make_unique<SealedPath>(place, answers_, learns_tools_, live_);
  }

 private:
  std::shared_ptr<SealedAnswers> answers_;
  bool learns_tools_;
  Target* live_;
};

}  // namespace

std::unique_ptr<client::Link> make_sealed_link(runtime::Loop& loop, SealedAnswers& answers,
                                               AskElsewhere elsewhere) {
  return std::make_unique<SealedLink>(loop, answers, std::move(elsewhere));
}

std::unique_ptr<Target> make_sealed_target(std::shared_ptr<SealedAnswers> answers,
                                           bool learns_tools, Target* live) {
  return std::make_unique<SealedTarget>(std::move(answers), learns_tools, live);
}

}  // namespace squall::lab
