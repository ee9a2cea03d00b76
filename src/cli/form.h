#pragma once

#include <optional>
#include <string>
#include <vector>

#include "squall/base/result.h"
#include "squall/client/handlers.h"
#include "squall/json/value.h"
#include "squall/runtime/task.h"

#include "person.h"

/// @file A server's question, put to a person on a terminal.

namespace squall::cli {

/// A value that a field allows, and how it is called.
struct Choice {
  json::Value value;
  std::string title;  ///< "": its value says it all
};

/// One property of an asked form. Values are typed as text: numbers and words as they are, yes or
/// no, choices by number or value, several with commas between them; nothing for the default.
class Field {
 public:
  /// `property` outlives it.
  Field(std::string name, const json::Value& property, bool required);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// "  age*  integer from 18 to 99\n      How old you are.\n", and the choices.
  [[nodiscard]] std::string describe() const;
  /// What was typed, as a value of the form; nothing when the field is left out. The error is the
  /// schema's, in words.
  [[nodiscard]] Result<std::optional<json::Value>> read(const std::string& typed) const;

 private:
  [[nodiscard]] Result<json::Value> value_of(const std::string& typed) const;
  [[nodiscard]] Result<json::Value> choice_of(const std::string& typed) const;

  std::string name_;
  const json::Value& property_;
  bool required_;
  bool several_;
  std::vector<Choice> choices_;
};

/// Asks whether to answer at all, then field by field; the end of input cancels.
Task<client::ElicitAnswer> ask_form(Person& person, const client::Elicitation& question);

/// Asks whether to go to the address that the server names; accepted means that the person agreed.
Task<client::ElicitAnswer> ask_visit(Person& person, const client::Elicitation& question);

}  // namespace squall::cli
