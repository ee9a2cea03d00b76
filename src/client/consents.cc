#include "consents.h"

#include "squall/mcp/names.h"
#include "squall/runtime/one_shot.h"

namespace squall::client {

using json::Value;

/// What one request still waits for, on the stack of the coroutine that does.
struct Consents::Wait {
  explicit Wait(Consents& its_owner) : done(its_owner.core_.loop()), owner(its_owner) {
    owner.waiting_.push_back(this);
  }
  ~Wait() {
    std::erase(owner.waiting_, this);
    if (timer != runtime::TimerId::none) owner.core_.loop().cancel(timer);
  }
  Wait(const Wait&) = delete;
  Wait& operator=(const Wait&) = delete;

  void be_patient(std::chrono::milliseconds patience) {
    timer = owner.core_.loop().call_after(patience, [this] {
      timer = runtime::TimerId::none;
      done.set();
    });
  }

  std::set<std::string, std::less<>> ids;
  runtime::OneShot<> done;
  runtime::TimerId timer = runtime::TimerId::none;
  Consents& owner;
};

bool Consents::can_mend(const Failure& failure) const {
  if (failure.kind != OutcomeKind::protocol_error || core_.envelope().is_modern() ||
      failure.code != mcp::code::kUrlElicitationRequired) {
    return false;
  }
  const Value* const asked = failure.data.find("elicitations");
  const std::size_t count = asked != nullptr ? asked->items().size() : 0;
  return count > 0 && count <= core_.options().limits.inputs &&
         core_.options().capabilities.elicitation_url && core_.options().handlers != nullptr;
}

Task<bool> Consents::gain(const Value& data, std::chrono::milliseconds patience) {
  Wait wait(*this);
  const Value* const asked = data.find("elicitations");
  for (const Value& question : asked->items()) {
    const auto id = question.find_string("elicitationId");
    if (id && !id->empty()) wait.ids.emplace(*id);
  }
  for (const Value& question : asked->items()) {
    // Nothing else may hide behind this error.
    if (question.find_string("mode") != "url") co_return false;
    const HandlerResult answer = co_await inputs_.answer(mcp::method::kElicit, question);
    if (!answer || answer->find_string("action") != "accept") co_return false;
  }
  if (wait.ids.empty()) co_return true;
  wait.be_patient(patience);
  co_await wait.done;
  co_return true;
}

void Consents::completed(const Value& params) {
  const auto id = params.find_string("elicitationId");
  if (!id) return;
  for (Wait* const wait : waiting_) {
    const auto found = wait->ids.find(*id);
    if (found == wait->ids.end()) continue;
    wait->ids.erase(found);
    if (wait->ids.empty()) wait->done.set();
  }
}

}  // namespace squall::client
