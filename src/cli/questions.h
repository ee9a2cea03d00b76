#pragma once

#include <memory>
#include <string_view>

#include "squall/auth/redirector.h"
#include "squall/client/handlers.h"
#include "squall/runtime/loop.h"
#include "squall/runtime/turnstile.h"

#include "person.h"

namespace squall::cli {

/// Puts what a server asks to the person at the terminal, one question at a time; declines where
/// there is none.
class Questions : public client::Handlers {
 public:
  /// All outlive it. `show` leads to an address that the person agreed to go to.
  Questions(runtime::SystemLoop& loop, Console& console, auth::ShowAddress show)
      : loop_(loop), console_(console), show_(std::move(show)), turnstile_(loop) {}
  Task<client::ElicitAnswer> elicit(const client::Elicitation& question) override;

 private:
  /// Null: nobody can be asked.
  Person* person();

  runtime::SystemLoop& loop_;
  Console& console_;
  auth::ShowAddress show_;
  runtime::Turnstile turnstile_;
  std::unique_ptr<Person> person_;
};

}  // namespace squall::cli
