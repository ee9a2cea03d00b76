#include "squall/json/strict.h"

#include <algorithm>
#include <array>
#include <map>

#include "squall/base/text.h"
#include "squall/json/parse.h"
#include "squall/json/pointer.h"
#include "squall/json/write.h"
#include "squall/json/yaml.h"

#include "positions.h"
#include "scalar_texts.h"

namespace squall::json {

namespace {

constexpr std::size_t kFileBytesMax = std::size_t{1} << 20;
constexpr std::size_t kQuotedCharactersMax = 40;
constexpr std::size_t kMistakesMax = 100;

/// `text` up to 40 characters.
std::string shorten(std::string_view text) {
  std::size_t at = 0;
  for (std::size_t count = 0; count < kQuotedCharactersMax && at < text.size(); ++count) {
    static_cast<void>(base::next_code_point(text, at));
  }
  return std::string(text.substr(0, at)) + (at < text.size() ? "..." : "");
}

std::string describe(const Value& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  return shorten(to_string(value));
}

bool is_json(std::string_view name, std::string_view text) {
  if (name.ends_with(".yaml") || name.ends_with(".yml")) return false;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

std::string_view reason_text(ParseError::Reason reason) {
  switch (reason) {
    case ParseError::Reason::encoding:
      return "the text is not UTF-8";
    case ParseError::Reason::duplicate_key:
      return "a key stands here twice";
    case ParseError::Reason::limit:
      return "the file is too large or too deep";
    case ParseError::Reason::syntax:
      break;
  }
  return "this is no well-formed JSON or YAML";
}

/// The scalars of `root` by address, each with its text: both are in the order of the file.
std::map<const Value*, std::string> pair_scalars(const Value& root, std::string_view text) {
  std::vector<std::string> texts = scalar_texts(text);
  std::map<const Value*, std::string> out;
  std::vector<const Value*> pending = {&root};
  std::size_t next = 0;
  while (!pending.empty() && next < texts.size()) {
    const Value& value = *pending.back();
    pending.pop_back();
    if (value.is_array()) {
      for (std::size_t i = value.size(); i-- > 0;) pending.push_back(&value.items()[i]);
    } else if (value.is_object()) {
      for (std::size_t i = value.size(); i-- > 0;) pending.push_back(&value.members()[i].value);
    } else {
      out.emplace(&value, std::move(texts[next++]));
    }
  }
  return out;
}

bool any_secret_token(std::string_view pointer) {
  const auto parsed = Pointer::parse(pointer);
  if (!parsed) return true;
  const auto& tokens = parsed->tokens();
  return std::any_of(tokens.begin(), tokens.end(),
                     [](const std::string& token) { return is_secret_key(token); });
}

}  // namespace

bool is_secret_key(std::string_view key) noexcept {
  static constexpr std::array kWords = {"secret", "token",   "password", "passwd", "authorization",
                                        "apikey", "api-key", "api_key",  "cookie", "credential"};
  const std::string lower = base::to_lower(key);
  if (lower == "headers" || lower == "env" || lower == "key") return true;
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

struct StrictFile::State {
  struct Mistake {
    Place place;
    std::string shown;  // the pointer that is told
    std::string message;
  };
  std::string name;
  std::string text;
  Quoting quoting = Quoting::allowed;
  Value root;
  std::vector<Mistake> mistakes;
  bool yaml = false;
  std::map<const Value*, std::string> scalars{};  ///< of a YAML text, once one is asked for
};

StrictFile::StrictFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
StrictFile::StrictFile(StrictFile&&) noexcept = default;
StrictFile& StrictFile::operator=(StrictFile&&) noexcept = default;
StrictFile::~StrictFile() = default;

Result<StrictFile> StrictFile::parse(std::string name, std::string text, Quoting quoting) {
  ParseOptions options;
  options.limits.bytes = kFileBytesMax;
  auto value = is_json(name, text) ? json::parse(text, options) : parse_yaml(text, options);
  if (!value) {
    const ParseError& error = value.error();
    std::string message =
        name + ":" + std::to_string(error.line) + ":" + std::to_string(error.column) + ": ";
    message += quoting == Quoting::never ? std::string(reason_text(error.reason)) : error.message;
    return fail(ErrorKind::invalid, std::move(message));
  }
  auto state = std::make_unique<State>();
  state->name = std::move(name);
  state->text = std::move(text);
  state->quoting = quoting;
  state->root = std::move(*value);
  state->yaml = !is_json(state->name, state->text);
  return StrictFile(std::move(state));
}

StrictNode StrictFile::root() { return {*this, state_->root, ""}; }
const std::string& StrictFile::name() const noexcept { return state_->name; }

void StrictFile::mistake(std::string_view pointer, std::string message) {
  if (state_->mistakes.size() >= kMistakesMax) return;
  state_->mistakes.push_back(
      {{std::string(pointer), false}, std::string(pointer), std::move(message)});
}

void StrictFile::unknown_key(std::string_view pointer, std::string_view key,
                             std::string_view meant) {
  if (state_->mistakes.size() >= kMistakesMax) return;
  std::string place(pointer);
  append_pointer_token(place, key);
  // A key that nobody knows may be a secret that lost its quotes.
  const bool hide = state_->quoting == Quoting::never;
  std::string message = "unknown key";
  if (!meant.empty()) message += "; did you mean \"" + std::string(meant) + "\"?";
  std::string shown = hide ? std::string(pointer) : shorten(place);
  state_->mistakes.push_back({{std::move(place), true}, std::move(shown), std::move(message)});
}

std::string StrictFile::found(std::string_view pointer, const Value& value) const {
  if (state_->quoting == Quoting::never || any_secret_token(pointer)) return {};
  return ", found " + describe(value);
}

std::optional<std::string> StrictFile::source_text(const Value& scalar) const {
  if (scalar.is_array() || scalar.is_object()) return std::nullopt;
  if (scalar.is_string()) return std::string(scalar.string());
  if (!state_->yaml) return to_string(scalar);
  if (state_->scalars.empty()) state_->scalars = pair_scalars(state_->root, state_->text);
  const auto at = state_->scalars.find(&scalar);
  if (at == state_->scalars.end()) return std::nullopt;
  return at->second;
}

Result<void> StrictFile::verdict() const {
  if (state_->mistakes.empty()) return {};
  std::vector<Place> places;
  for (const State::Mistake& mistake : state_->mistakes) places.push_back(mistake.place);
  const auto positions = find_positions(state_->text, places);
  struct Line {
    Position at;
    std::string text;
  };
  std::vector<Line> lines;
  for (std::size_t i = 0; i < state_->mistakes.size(); ++i) {
    const State::Mistake& mistake = state_->mistakes[i];
    Line line;
    line.text = state_->name;
    if (positions[i]) {
      line.at = *positions[i];
      line.text += ":" + std::to_string(line.at.line) + ":" + std::to_string(line.at.column);
    }
    line.text += ": ";
    if (!mistake.shown.empty()) line.text += mistake.shown + ": ";
    line.text += mistake.message;
    lines.push_back(std::move(line));
  }
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    return std::pair(a.at.line, a.at.column) < std::pair(b.at.line, b.at.column);
  });
  std::string all;
  for (const Line& line : lines) all += (all.empty() ? "" : "\n") + line.text;
  return fail(ErrorKind::invalid, std::move(all));
}

// --- Nodes

void StrictNode::expected(std::string_view what) const {
  file_->mistake(pointer_, "expected " + std::string(what) + file_->found(pointer_, *value_));
}

void StrictNode::complain(std::string_view what) const {
  file_->mistake(pointer_, std::string(what));
}

std::string StrictNode::text(std::size_t bytes_min) const {
  if (value_->is_string() && value_->string().size() >= bytes_min) {
    return std::string(value_->string());
  }
  expected(bytes_min == 0 ? "a text" : "a text that isn't empty");
  return {};
}

bool StrictNode::boolean() const {
  if (!value_->is_bool()) expected("true or false");
  return value_->is_bool() && value_->boolean();
}

std::int64_t StrictNode::integer(std::int64_t least, std::int64_t most) const {
  const auto number = value_->is_number() ? value_->as_int64() : std::nullopt;
  if (number && *number >= least && *number <= most) return *number;
  std::string what = "a whole number from " + std::to_string(least);
  if (most != std::numeric_limits<std::int64_t>::max()) what += " to " + std::to_string(most);
  expected(what);
  return least;
}

std::size_t StrictNode::choice(std::initializer_list<std::string_view> words) const {
  std::string what;
  const auto* const chosen = std::find(words.begin(), words.end(), value_->string());
  if (value_->is_string() && chosen != words.end()) {
    return static_cast<std::size_t>(chosen - words.begin());
  }
  for (const std::string_view word : words) {
    what += (what.empty() ? "" : " or ") + std::string(word);
  }
  const auto meant = value_->is_string() ? base::nearest(value_->string(), words) : std::nullopt;
  std::string hint;
  if (meant) hint = "; did you mean " + std::string(*meant) + "?";
  file_->mistake(pointer_, "expected " + what + file_->found(pointer_, *value_) + hint);
  return 0;
}

std::optional<std::string> StrictNode::source_text() const { return file_->source_text(*value_); }

std::vector<StrictNode> StrictNode::elements() const {
  std::vector<StrictNode> out;
  if (!value_->is_array()) {
    expected("a list");
    return out;
  }
  std::size_t index = 0;
  for (const Value& item : value_->items()) {
    out.emplace_back(*file_, item, pointer_ + "/" + std::to_string(index++));
  }
  return out;
}

// --- Objects

StrictObject::StrictObject(StrictNode node) : node_(std::move(node)) {
  if (node_.value().is_object()) {
    object_ = &node_.value();
  } else {
    node_.expected("an object");
  }
}

bool StrictObject::has(std::string_view name) const {
  return object_ != nullptr && object_->contains(name);
}

std::optional<StrictNode> StrictObject::find(std::string_view name) {
  asked_.emplace_back(name);
  const Value* member = object_ != nullptr ? object_->find(name) : nullptr;
  if (member == nullptr) return std::nullopt;
  std::string pointer = node_.pointer();
  append_pointer_token(pointer, name);
  return StrictNode(node_.file(), *member, std::move(pointer));
}

std::optional<StrictNode> StrictObject::need(std::string_view name) {
  auto member = find(name);
  if (!member && object_ != nullptr) {
    node_.complain("the key \"" + std::string(name) + "\" is missing");
  }
  return member;
}

std::string StrictObject::text(std::string_view name) {
  const auto member = need(name);
  return member ? member->text() : std::string();
}

void StrictObject::finish() {
  if (object_ == nullptr) return;
  for (const Member& member : object_->members()) {
    const std::string name(member.name());
    if (std::find(asked_.begin(), asked_.end(), name) != asked_.end()) continue;
    node_.file().unknown_key(node_.pointer(), name, base::nearest(name, asked_).value_or(""));
  }
}

}  // namespace squall::json
