#include "form.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "squall/base/text.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"
#include "squall/schema/schema.h"
#include "squall/transport/url.h"

#include "remote_text.h"
#include "text.h"

namespace squall::cli {
namespace {

using client::ElicitAnswer;
using json::Value;
using Action = ElicitAnswer::Action;

/// Foreign text in lines of its own, so that it can't pass for a question of ours.
std::string quoted_lines(std::string_view text) {
  std::string out = "  | ";
  for (const char byte : printable(text)) {
    out += byte;
    if (byte == '\n') out += "  | ";
  }
  return out + "\n";
}

std::string shown(const Value& value) {
  return value.is_string() ? printable(value.string()) : json::to_string(value);
}

/// From "enum" with "enumNames", or from "oneOf"/"anyOf" with "const" and "title".
std::vector<Choice> choices_of(const Value& schema) {
  std::vector<Choice> out;
  if (const Value* const values = schema.find("enum")) {
    const Value* const names = schema.find("enumNames");
    for (const Value& value : values->items()) {
      const std::size_t place = out.size();
      const bool named = names != nullptr && place < names->items().size();
      const std::string_view title = named ? names->items()[place].string() : "";
      out.push_back({value, std::string(title)});
    }
    return out;
  }
  for (const std::string_view list : {"oneOf", "anyOf"}) {
    const Value* const options = schema.find(list);
    if (options == nullptr) continue;
    for (const Value& option : options->items()) {
      const Value* const value = option.find("const");
      if (value == nullptr) continue;
      out.push_back({*value, std::string(option.find_string("title").value_or(""))});
    }
  }
  return out;
}

std::string_view type_of(const Value& property) {
  return property.find_string("type").value_or("string");
}

void append_bounds(std::string& out, const Value& property, std::string_view least,
                   std::string_view most, std::string_view unit) {
  const Value* const from = property.find(least);
  const Value* const to = property.find(most);
  if (from != nullptr) out += (to != nullptr ? " from " : " of at least ") + shown(*from);
  if (to != nullptr) out += (from != nullptr ? " to " : " of at most ") + shown(*to);
  if (from != nullptr || to != nullptr) out += unit;
}

std::string kind_of(const Value& property, bool several, bool chosen) {
  if (several) return "any of these, with commas between them";
  if (chosen) return "one of these";
  const std::string_view type = type_of(property);
  if (type == "boolean") return "yes or no";
  std::string out = type == "string" ? "text" : printable(type);
  if (const auto format = property.find_string("format")) out = printable(*format);
  append_bounds(out, property, "minimum", "maximum", "");
  append_bounds(out, property, "minLength", "maxLength", " characters");
  return out;
}

std::optional<std::size_t> number_of(std::string_view text, std::size_t most) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool good = error == std::errc() && end == text.data() + text.size();
  return good && number >= 1 && number <= most ? std::optional(number) : std::nullopt;
}

Result<Value> yes_or_no(std::string_view typed) {
  const std::string word = base::to_lower(typed);
  if (word == "y" || word == "yes" || word == "true") return Value(true);
  if (word == "n" || word == "no" || word == "false") return Value(false);
  return fail(ErrorKind::invalid, "yes or no?");
}

Result<void> check(const Value& property, const Value& value) {
  schema::CompileOptions options;
  options.assert_formats = true;
  const auto compiled = schema::Schema::compile(property, options);
  if (!compiled) return {};  // the server's business; it will judge for itself
  std::vector<schema::Violation> violations;
  if (compiled->validate(value, violations) != schema::Verdict::invalid) return {};
  std::string message;
  for (const schema::Violation& violation : violations) {
    message += (message.empty() ? "" : "; ") + violation.message;
  }
  return fail(ErrorKind::invalid, printable(message));
}

bool requires_field(const Value& schema, std::string_view name) {
  const Value* const required = schema.find("required");
  if (required == nullptr) return false;
  const auto names = required->items();
  return std::any_of(names.begin(), names.end(),
                     [&](const Value& item) { return item.string() == name; });
}

ElicitAnswer answer(Action action) {
  ElicitAnswer out;
  out.action = action;
  return out;
}

Task<Action> ask_consent(Person& person, std::string accept) {
  const std::string prompt = "(a)ccept" + accept + ", (d)ecline or (c)ancel? ";
  for (;;) {
    const std::optional<std::string> line = co_await person.ask(prompt);
    if (!line) co_return Action::cancel;
    const std::string word = base::to_lower(base::trim(*line));
    if (word == "a" || word == "accept") co_return Action::accept;
    if (word == "d" || word == "decline") co_return Action::decline;
    if (word == "c" || word == "cancel") co_return Action::cancel;
  }
}

/// The field's value, or nothing when it is left out; false when there is no more input.
Task<bool> ask_field(Person& person, const Field& field, Value& content) {
  person.tell(field.describe());
  const std::string prompt = "  " + printable(field.name()) + "> ";
  for (;;) {
    const std::optional<std::string> line = co_await person.ask(prompt);
    if (!line) co_return false;
    Result<std::optional<Value>> value = field.read(*line);
    if (!value) {
      person.tell("    " + value.error().message + "\n");
      continue;
    }
    if (*value) content.set(field.name(), **std::move(value));
    co_return true;
  }
}

}  // namespace

Field::Field(std::string name, const Value& property, bool required)
    : name_(std::move(name)),
      property_(property),
      required_(required),
      several_(type_of(property) == "array") {
  const Value* const items = property.find("items");
  choices_ = choices_of(several_ && items != nullptr ? *items : property);
}

std::string Field::describe() const {
  std::string out = "  " + printable(name_) + (required_ ? "*" : "") + "  " +
                    kind_of(property_, several_, !choices_.empty());
  if (const Value* const preset = property_.find("default")) {
    out += " [" + printable(shown(*preset)) + "]";
  }
  out += "\n";
  for (const std::string_view about : {"title", "description"}) {
    const auto text = property_.find_string(about);
    if (text && !text->empty()) out += "    " + quoted_lines(*text);
  }
  std::size_t number = 0;
  for (const Choice& choice : choices_) {
    out += "      " + std::to_string(++number) + "  " + shown(choice.value);
    if (!choice.title.empty()) out += "  (" + printable(choice.title) + ")";
    out += "\n";
  }
  return out;
}

Result<std::optional<Value>> Field::read(const std::string& typed) const {
  const std::string text(base::trim(typed));
  if (text.empty()) {
    if (!required_ || property_.contains("default")) return std::optional<Value>();
    return fail(ErrorKind::invalid, "this one is needed");
  }
  SQUALL_TRY(Value value, value_of(text));
  SQUALL_CHECK(check(property_, value));
  return std::optional(std::move(value));
}

Result<Value> Field::value_of(const std::string& typed) const {
  if (several_) {
    Value out = Value::array();
    std::size_t begin = 0;
    while (begin <= typed.size()) {
      const std::size_t end = std::min(typed.find(',', begin), typed.size());
      SQUALL_TRY(
          Value one,
          choice_of(std::string(base::trim(std::string_view(typed).substr(begin, end - begin)))));
      out.push_back(std::move(one));
      begin = end + 1;
    }
    return out;
  }
  if (!choices_.empty()) return choice_of(typed);
  const std::string_view type = type_of(property_);
  if (type == "boolean") return yes_or_no(typed);
  if (type == "string") return Value(typed);
  auto parsed = json::parse(typed);
  if (!parsed) return fail(ErrorKind::invalid, "must be " + printable(type));
  return *std::move(parsed);
}

Result<Value> Field::choice_of(const std::string& typed) const {
  if (choices_.empty()) return Value(typed);
  for (const Choice& choice : choices_) {
    if (shown(choice.value) == typed || (!choice.title.empty() && choice.title == typed)) {
      return choice.value;
    }
  }
  if (const auto number = number_of(typed, choices_.size())) return choices_[*number - 1].value;
  return fail(ErrorKind::invalid, quote(typed) + " is none of them");
}

Task<ElicitAnswer> ask_form(Person& person, const client::Elicitation& question) {
  person.tell("The server asks:\n" + quoted_lines(question.message));
  const Action action = co_await ask_consent(person, "");
  if (action != Action::accept) co_return answer(action);
  ElicitAnswer out = answer(action);
  out.content = Value::object();
  const Value* const properties = question.schema.find("properties");
  if (properties == nullptr) co_return out;
  for (const json::Member& property : properties->members()) {
    const Field field(std::string(property.name()), property.value,
                      requires_field(question.schema, property.name()));
    const bool more = co_await ask_field(person, field, out.content);
    if (!more) co_return answer(Action::cancel);
  }
  co_return out;
}

Task<ElicitAnswer> ask_visit(Person& person, const client::Elicitation& question) {
  const auto url = transport::Url::parse(question.url.substr(0, question.url.find('#')));
  if (!url) {
    person.tell("Declined: the server wants you to go to what is no http(s) address:\n" +
                quoted_lines(question.message) + quoted_lines(question.url));
    co_return answer(Action::decline);
  }
  person.tell("The server asks you to go to an address on " + printable(url->host) + ":\n" +
              quoted_lines(question.message) + "  " + printable(question.url) + "\n");
  const Action action = co_await ask_consent(person, " and go there");
  co_return answer(action);
}

}  // namespace squall::cli
