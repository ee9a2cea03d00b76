#include "squall/server/presenter/redaction.h"

#include "squall/json/pointer.h"

namespace squall::server {

namespace {

constexpr std::string_view kRedacted = "[REDACTED]";
constexpr std::string_view kAnyOne = "*";
constexpr std::string_view kAnyLevels = "**";
/// Looking deeper would recurse too far.
constexpr std::size_t kDepthMax = 256;

}  // namespace

Result<Redaction> Redaction::compile(const std::vector<std::string>& patterns, Censor censor) {
  Redaction out;
  for (const std::string& text : patterns) {
    auto pointer = json::Pointer::parse(text);
    if (!pointer) {
      return fail(ErrorKind::invalid,
                  "redaction \"" + text + "\" is no JSON pointer: " + pointer.error().message);
    }
    if (pointer->tokens().empty()) {
      return fail(ErrorKind::invalid, "redaction \"\" would leave nothing");
    }
    out.paths_.push_back({pointer->tokens(), censor});
  }
  return out;
}

void Redaction::add(const Redaction& other) {
  paths_.insert(paths_.end(), other.paths_.begin(), other.paths_.end());
}

json::Value Redaction::applied(const json::Value& value) const {
  json::Value out = value;
  apply(out);
  return out;
}

void Redaction::apply(json::Value& value) const {
  if (paths_.empty()) return;
  States states;
  for (std::uint32_t path = 0; path < paths_.size(); ++path) states.push_back({path, 0});
  close_over(states);
  walk(value, states, 0);
}

/// `**` may stand for no level at all.
void Redaction::close_over(States& states) const {
  for (std::size_t i = 0; i < states.size(); ++i) {
    const State state = states[i];
    const auto& tokens = paths_[state.path].tokens;
    if (state.at < tokens.size() && tokens[state.at] == kAnyLevels) {
      states.push_back({state.path, state.at + 1});
    }
  }
}

Redaction::States Redaction::step(const States& states, std::string_view token) const {
  States out;
  for (const State& state : states) {
    const std::string& wanted = paths_[state.path].tokens[state.at];
    if (wanted == kAnyLevels) {
      out.push_back(state);
    } else if (wanted == kAnyOne || wanted == token) {
      out.push_back({state.path, state.at + 1});
    }
  }
  close_over(out);
  return out;
}

void Redaction::censor(json::Value& value, const Path& path) const {
  json::Value shown = kRedacted;
  if (path.censor) {
    try {
      shown = path.censor(value);
    } catch (...) {  // the user's code
    }
  }
  value = std::move(shown);
}

void Redaction::walk(json::Value& value, const States& states, std::size_t depth) const {
  for (const State& state : states) {
    if (state.at == paths_[state.path].tokens.size() || depth > kDepthMax) {
      return censor(value, paths_[state.path]);
    }
  }
  for (json::Member& member : value.members()) {
    const States inner = step(states, member.name());
    if (!inner.empty()) walk(member.value, inner, depth + 1);
  }
  std::size_t index = 0;
  for (json::Value& item : value.items()) {
    const States inner = step(states, std::to_string(index++));
    if (!inner.empty()) walk(item, inner, depth + 1);
  }
}

}  // namespace squall::server
