#include "squall/base/text.h"
#include "squall/fault/decide.h"

namespace squall::fault {

namespace {

struct Step {
  bool matches;
  std::size_t length;  // of the part of the glob that was used
};

/// `[...]` at the front of `glob`; a '[' that nothing closes stands for itself.
Step match_class(std::string_view glob, char32_t character) {
  const std::size_t close = glob.find(']', glob.starts_with("[!") ? 3 : 2);
  if (close == std::string_view::npos) return {character == U'[', 1};
  const bool negated = glob.starts_with("[!");
  const std::string_view inside = glob.substr(negated ? 2 : 1, close - (negated ? 2 : 1));
  bool found = false;
  for (std::size_t at = 0; at < inside.size();) {
    const char32_t low = base::next_code_point(inside, at);
    char32_t high = low;
    if (at + 1 < inside.size() && inside[at] == '-') {
      ++at;
      high = base::next_code_point(inside, at);
    }
    found = found || (low <= character && character <= high);
  }
  return {found != negated, close + 1};
}

Step match_one(std::string_view glob, char32_t character) {
  if (glob.front() == '?') return {true, 1};
  if (glob.front() == '[') return match_class(glob, character);
  std::size_t length = 0;
  const char32_t expected = base::next_code_point(glob, length);
  return {expected == character, length};
}

}  // namespace

bool matches_glob(std::string_view glob, std::string_view text) {
  std::size_t g = 0;
  std::size_t t = 0;
  // Where to go on after a mismatch: behind the last star, one character later than before.
  std::size_t star = std::string_view::npos;
  std::size_t retry = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = ++g;
      retry = t;
      continue;
    }
    std::size_t next = t;
    const char32_t character = base::next_code_point(text, next);
    if (g < glob.size()) {
      if (const Step step = match_one(glob.substr(g), character); step.matches) {
        g += step.length;
        t = next;
        continue;
      }
    }
    if (star == std::string_view::npos) return false;
    static_cast<void>(base::next_code_point(text, retry));
    t = retry;
    g = star;
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

}  // namespace squall::fault
