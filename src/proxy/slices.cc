#include "slices.h"

#include <algorithm>
#include <utility>

#include "squall/json/parse.h"

namespace squall::proxy {

namespace {

/// Looks at a text that is most probably JSON. What is malformed ends the search, wherever.
class Search {
 public:
  /// A member found: from its name to the end of its value, and the comma in front of it.
  struct Member {
    std::size_t name = 0;
    Slice value;
    std::size_t comma_before = std::string_view::npos;
    bool first_of_its_object = true;  ///< among those found
  };

  Search(std::string_view text, Path path) : text_(text), path_(path.begin(), path.end()) {}

  [[nodiscard]] std::vector<Member> run() {
    walk(0, {});
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool at(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool take(char c) {
    if (!at(c)) return false;
    ++at_;
    return true;
  }
  void skip_blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").contains(text_[at_])) ++at_;
  }
  /// The string at hand with its quotes; nothing when there is none.
  std::string_view take_string() {
    const std::size_t begin = at_;
    if (!take('"')) return {};
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size()) return {};
    ++at_;
    return text_.substr(begin, at_ - begin);
  }
  bool skip_value() {
    if (at('"')) return !take_string().empty();
    if (!at('{') && !at('[')) {
      const std::size_t begin = at_;
      at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
      return at_ > begin;
    }
    std::size_t depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        if (take_string().empty()) return false;
        continue;
      }
      ++at_;
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && --depth == 0) return true;
    }
    return false;
  }
  [[nodiscard]] static bool is_name(std::string_view quoted, std::string_view name) {
    const std::string_view inside = quoted.substr(1, quoted.size() - 2);
    if (!inside.contains('\\')) return inside == name;
    const auto value = json::parse(quoted);
    return value && value->is_string() && value->string() == name;
  }

  /// Goes on behind the value at hand; false when the text is no JSON. As deep as the path is long.
  bool walk(std::size_t step, Member member) {
    skip_blanks();
    if (step == path_.size()) {
      member.value.begin = at_;
      if (!skip_value()) return false;
      member.value.end = at_;
      found_.push_back(member);
      return true;
    }
    const bool every = path_[step] == "*";
    if (!at(every ? '[' : '{')) return skip_value();
    ++at_;
    skip_blanks();
    if (take(every ? ']' : '}')) return true;
    member = {};
    while (true) {
      skip_blanks();
      if (!(every ? walk(step + 1, member) : walk_member(step, member))) return false;
      skip_blanks();
      if (take(every ? ']' : '}')) return true;
      member.comma_before = at_;
      if (!take(',')) return false;
    }
  }
  bool walk_member(std::size_t step, Member& member) {
    member.name = at_;
    const std::string_view name = take_string();
    skip_blanks();
    if (name.empty() || !take(':')) return false;
    skip_blanks();
    if (!is_name(name, path_[step])) return skip_value();
    const Member one = member;
    member.first_of_its_object = false;
    return walk(step + 1, one);
  }

  std::string_view text_;
  std::vector<std::string_view> path_;
  std::size_t at_ = 0;
  std::vector<Member> found_;
};

}  // namespace

std::vector<Slice> slices_at(std::string_view text, Path path) {
  std::vector<Slice> out;
  for (const auto& member : Search(text, path).run()) out.push_back(member.value);
  return out;
}

std::string replaced(std::string_view text, const std::vector<Slice>& slices,
                     std::string_view value) {
  std::string out;
  out.reserve(text.size() + slices.size() * value.size());
  std::size_t from = 0;
  for (const Slice& slice : slices) {
    out += text.substr(from, slice.begin - from);
    out += value;
    from = slice.end;
  }
  out += text.substr(from);
  return out;
}

std::string with_value(std::string text, Path path, std::string_view value) {
  const auto slices = slices_at(text, path);
  return slices.empty() ? std::move(text) : replaced(text, slices, value);
}

std::string without_members(std::string text, Path path) {
  while (true) {
    std::vector<Slice> gone;
    for (const auto& member : Search(text, path).run()) {
      // Of a name that stands twice, one a round: their commas are each other's.
      if (!member.first_of_its_object) continue;
      std::size_t end = member.value.end;
      const std::size_t next = std::min(text.find_first_not_of(" \t\r\n", end), text.size());
      const bool comma_behind = next < text.size() && text[next] == ',';
      std::size_t begin = member.name;
      if (comma_behind) {
        end = std::min(text.find_first_not_of(" \t\r\n", next + 1), text.size());
      } else if (member.comma_before != std::string_view::npos) {
        begin = member.comma_before;
      }
      gone.push_back({begin, end});
    }
    if (gone.empty()) return text;
    text = replaced(text, gone, "");
  }
}

}  // namespace squall::proxy
