#include "elsewhere.h"

#include <utility>

#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::lab {

class Elsewhere::Deaf final : public Wire {
 public:
  void on_message(recording::Party /*from*/, std::string_view /*text*/) override {}
};

namespace {

/// The response that says what `attempt` gave; nothing where there was none.
std::optional<std::string> response_of(const json::Value& request, const Attempt& attempt) {
  json::Value response = json::Value::object({{"jsonrpc", "2.0"}});
  const json::Value* id = request.find("id");
  response.set("id", id != nullptr ? *id : json::Value());
  if (attempt.value) {
    response.set("result", *attempt.value);
  } else if (attempt.code) {
    json::Value error = json::Value::object({{"code", *attempt.code}});
    error.set("message", attempt.message);
    if (!attempt.data.is_null()) error.set("data", attempt.data);
    response.set("error", std::move(error));
  } else {
    return std::nullopt;
  }
  return json::to_string(response);
}

}  // namespace

Elsewhere::Elsewhere(Target& target, Place place)
    : target_(target),
      place_(std::move(place)),
      wire_(std::make_unique<Deaf>()),
      tasks_(*place_.loop) {
  place_.wrap = {};  // the faults lie in front of both
}

Elsewhere::~Elsewhere() { tasks_.clear(); }

void Elsewhere::ask(std::string request, Done done) {
  tasks_.start(answer(std::move(request), std::move(done)));
}

Task<bool> Elsewhere::open() {
  if (asked_) co_return ready_;
  asked_ = true;
  auto path = target_.open(place_);
  if (!path) co_return false;
  path_ = *std::move(path);
  subject_ = path_->connect(*wire_);
  Task<Attempt> setup = subject_->setup();
  const Attempt up = co_await std::move(setup);
  ready_ = up.ending == Ending::success;
  co_return ready_;
}

Task<void> Elsewhere::answer(std::string request, Done done) {
  Task<bool> opening = open();
  const bool ready = co_await std::move(opening);
  const auto body = json::parse(request);
  if (!ready || !body) {
    done(std::nullopt);
    co_return;
  }
  json::Value params = json::Value::object();
  params.set("method", body->find_string("method").value_or(""));
  if (const json::Value* own = body->find("params")) {
    json::Value bare = *own;
    bare.erase("_meta");  // the envelope is that of the connection
    params.set("params", std::move(bare));
  }
  Job job(++jobs_, Step::Kind::request, std::move(params));
  Task<Attempt> executing = subject_->execute(std::move(job));
  const Attempt attempt = co_await std::move(executing);
  done(response_of(*body, attempt));
}

}  // namespace squall::lab
