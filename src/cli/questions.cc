#include "questions.h"

#include "form.h"
#include "remote_text.h"

namespace squall::cli {

using client::ElicitAnswer;

Task<ElicitAnswer> Questions::elicit(const client::Elicitation& question) {
  const runtime::Turnstile::Pass pass = co_await turnstile_.enter();
  Person* const somebody = person();
  if (somebody == nullptr) {
    console_.err("squall: declined what the server asks, for there is no terminal to ask on: " +
                 printable(question.message) + "\n");
    ElicitAnswer declined;
    declined.action = ElicitAnswer::Action::decline;
    co_return declined;
  }
  if (!question.is_url) co_return co_await ask_form(*somebody, question);
  ElicitAnswer answer = co_await ask_visit(*somebody, question);
  if (answer.action == ElicitAnswer::Action::accept) {
    const Result<void> shown = show_(question.url);
    if (!shown) console_.err("squall: " + shown.error().message + "\n");
  }
  co_return answer;
}

Person* Questions::person() {
  if (person_ == nullptr) {
    const int keyboard = console_.open_keyboard();
    if (keyboard >= 0) person_ = std::make_unique<Typist>(loop_, keyboard, console_);
  }
  return person_.get();
}

}  // namespace squall::cli
