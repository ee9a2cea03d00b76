#include "squall/auth/challenge.h"

#include <algorithm>

#include "squall/base/text.h"

namespace squall::auth {

namespace {

bool is_alnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
bool is_token_char(char c) {
  return is_alnum(c) || (c != '\0' && std::string_view("!#$%&'*+-.^_`|~").contains(c));
}
bool is_token68_char(char c) {
  return is_alnum(c) || (c != '\0' && std::string_view("-._~+/").contains(c));
}
bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_bare_char(char c) { return c > 0x20 && c < 0x7F && c != '"' && c != ','; }

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  Result<std::vector<Challenge>> parse() {
    for (;;) {
      take_while([](char c) { return is_blank(c) || c == ','; });
      if (rest_.empty()) break;
      const std::string_view word = take_while(is_token_char);
      if (word.empty()) return fail(ErrorKind::invalid, "a challenge begins with a name");
      if (at_parameter_value()) {
        SQUALL_CHECK(add_parameter(word));
      } else {
        SQUALL_CHECK(add_challenge(word));
      }
    }
    return std::move(challenges_);
  }

 private:
  template <typename Predicate>
  std::string_view take_while(Predicate predicate) {
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), predicate);
    const std::string_view taken(rest_.begin(), end);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  bool at_parameter_value() const {
    const std::size_t first = rest_.find_first_not_of(" \t");
    return first != std::string_view::npos && rest_[first] == '=';
  }
  bool at_element_end() const {
    const std::size_t first = rest_.find_first_not_of(" \t");
    return first == std::string_view::npos || rest_[first] == ',';
  }

  Result<void> add_challenge(std::string_view scheme) {
    if (challenges_.size() == kChallengesMax) {
      return fail(ErrorKind::limit, "there are too many challenges");
    }
    challenges_.push_back({.scheme = base::to_lower(scheme), .token68 = {}, .parameters = {}});
    if (at_element_end()) return {};
    if (!is_blank(rest_.front())) return fail(ErrorKind::invalid, "a scheme ends with a blank");
    take_while(is_blank);
    const std::string_view before = rest_;
    const std::string_view letters = take_while(is_token68_char);
    take_while([](char c) { return c == '='; });
    if (!letters.empty() && at_element_end()) {
      challenges_.back().token68 = before.substr(0, before.size() - rest_.size());
      return {};
    }
    rest_ = before;
    const std::string_view name = take_while(is_token_char);
    if (name.empty() || !at_parameter_value()) {
      return fail(ErrorKind::invalid, "a scheme is followed by parameters");
    }
    return add_parameter(name);
  }

  Result<void> add_parameter(std::string_view name) {
    if (challenges_.empty()) return fail(ErrorKind::invalid, "a parameter stands before a scheme");
    Challenge& challenge = challenges_.back();
    if (!challenge.token68.empty()) {
      return fail(ErrorKind::invalid, "a parameter stands behind a token");
    }
    std::string key = base::to_lower(name);
    if (challenge.find(key) != nullptr) {
      return fail(ErrorKind::invalid, "a challenge has a parameter twice");
    }
    if (challenge.parameters.size() == kChallengeParametersMax) {
      return fail(ErrorKind::limit, "a challenge has too many parameters");
    }
    take_while(is_blank);
    rest_.remove_prefix(1);  // the '='
    take_while(is_blank);
    SQUALL_TRY(std::string value, take_value());
    if (!at_element_end()) return fail(ErrorKind::invalid, "parameters have commas between them");
    challenge.parameters.emplace_back(std::move(key), std::move(value));
    return {};
  }

  Result<std::string> take_value() {
    if (!rest_.starts_with('"')) return std::string(take_while(is_bare_char));
    std::string value;
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == '"') {
        rest_.remove_prefix(i + 1);
        return value;
      }
      if (rest_[i] == '\\' && ++i == rest_.size()) break;
      value += rest_[i];
    }
    return fail(ErrorKind::invalid, "a quoted value does not end");
  }

  std::string_view rest_;
  std::vector<Challenge> challenges_;
};

}  // namespace

const std::string* Challenge::find(std::string_view name) const {
  for (const auto& [key, value] : parameters) {
    if (key == name) return &value;
  }
  return nullptr;
}

Result<std::vector<Challenge>> parse_challenges(std::string_view header) {
  if (header.size() > kChallengeBytesMax) {
    return fail(ErrorKind::limit, "the challenge is too long");
  }
  return Parser(header).parse();
}

}  // namespace squall::auth
