#include "regex_translate.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "squall/base/text.h"

#include "regex_property.h"

namespace squall::schema {
namespace {

constexpr std::size_t kPatternBytesMax = std::size_t{64} << 10;

// ECMA-262 WhiteSpace and LineTerminator; PCRE2's \s knows other ones.
constexpr std::string_view kSpaces =
    R"(\x{9}-\x{d}\x{20}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f})"
    R"(\x{3000}\x{feff})";
constexpr std::string_view kNoSpaces =
    R"(\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027})"
    R"(\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff})";
constexpr std::string_view kAnyButLineEnd = R"([^\x{a}\x{d}\x{2028}\x{2029}])";
constexpr std::string_view kNever = "(?!)";
constexpr std::string_view kSyntaxCharacters = "^$\\.*+?()[]{}|/";
constexpr char32_t kSurrogateFirst = 0xd800;
constexpr char32_t kSurrogateLast = 0xdfff;

bool is_surrogate(char32_t c) noexcept { return c >= kSurrogateFirst && c <= kSurrogateLast; }
bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

void append_code_point(std::string& out, char32_t c) {
  std::array<char, 8> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(),
                                 static_cast<std::uint32_t>(c), 16);
  out.append("\\x{").append(digits.data(), end.ptr).append("}");
}

class Translator {
 public:
  explicit Translator(std::string_view pattern) : in_(pattern) {}

  Result<std::string> run() {
    if (in_.size() > kPatternBytesMax) return fail(ErrorKind::limit, "pattern too long");
    if (!count_groups()) return refuse("bad group name");
    while (at_ < in_.size()) {
      if (const char* problem = term()) return refuse(problem);
    }
    if (!groups_.empty()) return refuse("missing )");
    return std::move(out_);
  }

 private:
  // One member of a class: a character, or a set such as \d.
  struct Atom {
    bool is_set = false;
    char32_t character = 0;
    std::string set;
  };
  struct Group {
    bool repeatable;
  };

  static std::unexpected<Error> refuse(const char* problem) {
    return fail(ErrorKind::invalid, problem);
  }
  [[nodiscard]] char peek(std::size_t ahead = 0) const noexcept {
    return at_ + ahead < in_.size() ? in_[at_ + ahead] : '\0';
  }
  bool take(std::string_view text) noexcept {
    if (!in_.substr(at_).starts_with(text)) return false;
    at_ += text.size();
    return true;
  }

  // Counts the capturing groups and their names beforehand: references may come first.
  bool count_groups() {
    bool in_class = false;
    for (std::size_t i = 0; i < in_.size(); ++i) {
      if (in_[i] == '\\') {
        ++i;
      } else if (in_[i] == '[') {
        in_class = true;
      } else if (in_[i] == ']') {
        in_class = false;
      } else if (in_[i] == '(' && !in_class) {
        const std::string_view rest = in_.substr(i + 1);
        const bool named =
            rest.starts_with("?<") && !rest.starts_with("?<=") && !rest.starts_with("?<!");
        if (!named && rest.starts_with("?")) continue;
        ++group_count_;
        if (!named) continue;
        const std::size_t end = rest.find('>');
        if (end == std::string_view::npos) return false;
        const std::string_view name = rest.substr(2, end - 2);
        if (!is_name(name) || !names_.emplace(name, group_count_).second) return false;
      }
    }
    return true;
  }

  static bool is_name(std::string_view name) noexcept {
    if (name.empty() || is_digit(name.front())) return false;
    return std::ranges::all_of(name, [](char c) {
      return is_letter(c) || is_digit(c) || c == '_' || c == '$' ||
             (static_cast<unsigned char>(c) & 0x80U) != 0;
    });
  }

  // Each gives null, or what is wrong.
  const char* term() {
    switch (peek()) {
      case '^':
      case '$':
      case '|':
        return pass(false);
      case '(':
        return open_group();
      case ')':
        return close_group();
      case '.':
        ++at_;
        return emit(kAnyButLineEnd);
      case '[':
        return character_class();
      case '\\':
        return escape();
      case '*':
      case '+':
      case '?':
      case '{':
        return quantifier();
      case ']':
      case '}':
        return "lone bracket";
      default: {
        append_code_point(out_, base::next_code_point(in_, at_));
        repeatable_ = true;
        return nullptr;
      }
    }
  }

  const char* pass(bool repeatable) {
    out_ += in_[at_++];
    repeatable_ = repeatable;
    return nullptr;
  }
  const char* emit(std::string_view text, bool repeatable = true) {
    out_ += text;
    repeatable_ = repeatable;
    return nullptr;
  }

  const char* open_group() {
    bool repeatable = true;
    ++at_;
    if (take("?:")) {
      out_ += "(?:";
    } else if (take("?=") || take("?!") || take("?<=") || take("?<!")) {
      const std::size_t mark = in_.rfind('?', at_);
      out_.append("(").append(in_.substr(mark, at_ - mark));
      repeatable = false;
    } else if (take("?<")) {
      at_ = in_.find('>', at_) + 1;  // count_groups has seen that it is there
      out_ += '(';
    } else if (peek() == '?') {
      return "unknown kind of group";
    } else {
      out_ += '(';
    }
    groups_.push_back({repeatable});
    repeatable_ = false;
    return nullptr;
  }

  const char* close_group() {
    if (groups_.empty()) return "lone )";
    repeatable_ = groups_.back().repeatable;
    groups_.pop_back();
    ++at_;
    out_ += ')';
    return nullptr;
  }

  const char* quantifier() {
    if (!repeatable_) return "nothing to repeat";
    if (peek() == '{') {
      const std::size_t end = in_.find('}', at_);
      if (end == std::string_view::npos || !is_repeat(in_.substr(at_ + 1, end - at_ - 1))) {
        return "bad repeat";
      }
      out_ += in_.substr(at_, end + 1 - at_);
      at_ = end + 1;
    } else {
      out_ += in_[at_++];
    }
    if (peek() == '?') out_ += in_[at_++];
    repeatable_ = false;
    return nullptr;
  }

  // "3", "3," or "3,5"
  static bool is_repeat(std::string_view text) noexcept {
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto digits = [](std::string_view part) { return std::ranges::all_of(part, is_digit); };
    const std::string_view low = text.substr(0, comma);
    if (low.empty() || !digits(low)) return false;
    return comma == text.size() || digits(text.substr(comma + 1));
  }

  const char* escape() {
    const char kind = peek(1);
    if (kind == 'b' || kind == 'B') {
      at_ += 2;
      return emit(kind == 'b' ? "\\b" : "\\B", false);
    }
    if (kind == 'k') return named_reference();
    if (kind >= '1' && kind <= '9') return numbered_reference();
    Atom atom;
    if (const char* problem = read_escape(atom, false)) return problem;
    if (atom.is_set) return emit("[" + atom.set + "]");
    if (is_surrogate(atom.character)) return emit(kNever);
    append_code_point(out_, atom.character);
    repeatable_ = true;
    return nullptr;
  }

  const char* named_reference() {
    at_ += 2;
    const std::size_t end = in_.find('>', at_);
    if (peek() != '<' || end == std::string_view::npos) return "bad reference";
    const auto found = names_.find(in_.substr(at_ + 1, end - at_ - 1));
    if (found == names_.end()) return "reference to no group";
    at_ = end + 1;
    return emit("\\g{" + std::to_string(found->second) + "}");
  }

  const char* numbered_reference() {
    ++at_;
    std::uint32_t number = 0;
    const auto read = std::from_chars(in_.data() + at_, in_.data() + in_.size(), number);
    if (read.ec != std::errc() || number > group_count_) return "reference to no group";
    at_ = static_cast<std::size_t>(read.ptr - in_.data());
    return emit("\\g{" + std::to_string(number) + "}");
  }

  const char* read_escape(Atom& atom, bool in_class) {
    const char kind = peek(1);
    at_ = std::min(at_ + 2, in_.size());
    switch (kind) {
      case 'd':
        return set_atom(atom, "0-9");
      case 'D':
        return set_atom(atom, "\\D");
      case 'w':
        return set_atom(atom, "0-9A-Z_a-z");
      case 'W':
        return set_atom(atom, "\\W");
      case 's':
        return set_atom(atom, kSpaces);
      case 'S':
        return set_atom(atom, kNoSpaces);
      case 'p':
      case 'P':
        return property(atom, kind == 'P');
      case 't':
        return character_atom(atom, '\t');
      case 'n':
        return character_atom(atom, '\n');
      case 'v':
        return character_atom(atom, '\v');
      case 'f':
        return character_atom(atom, '\f');
      case 'r':
        return character_atom(atom, '\r');
      case 'b':
        return in_class ? character_atom(atom, '\b') : "unknown escape";
      case '-':
        return in_class ? character_atom(atom, '-') : "unknown escape";
      case '0':
        return is_digit(peek()) ? "octal escape" : character_atom(atom, 0);
      case 'c':
        return control(atom);
      case 'x':
        return hex(atom, 2);
      case 'u':
        return unicode(atom);
      default:
        if (kind == '\0' || !kSyntaxCharacters.contains(kind)) return "unknown escape";
        return character_atom(atom, static_cast<unsigned char>(kind));
    }
  }

  static const char* set_atom(Atom& atom, std::string_view set) {
    atom.is_set = true;
    atom.set = set;
    return nullptr;
  }
  static const char* character_atom(Atom& atom, char32_t character) {
    atom.character = character;
    return nullptr;
  }

  const char* control(Atom& atom) {
    if (!is_letter(peek())) return "bad control escape";
    return character_atom(atom, static_cast<unsigned char>(in_[at_++]) & 0x1fU);
  }

  std::optional<std::uint32_t> read_hex(std::size_t digits) {
    if (in_.size() - at_ < digits || digits == 0) return std::nullopt;
    std::uint32_t value = 0;
    const char* begin = in_.data() + at_;
    const auto read = std::from_chars(begin, begin + digits, value, 16);
    if (read.ec != std::errc() || read.ptr != begin + digits) return std::nullopt;
    at_ += digits;
    return value;
  }

  const char* hex(Atom& atom, std::size_t digits) {
    const auto value = read_hex(digits);
    return value ? character_atom(atom, *value) : "bad hex escape";
  }

  const char* unicode(Atom& atom) {
    if (peek() == '{') {
      const std::size_t end = in_.find('}', ++at_);
      const auto value = end == std::string_view::npos ? std::nullopt : read_hex(end - at_);
      if (!value || *value > 0x10ffff) return "bad Unicode escape";
      ++at_;
      return character_atom(atom, *value);
    }
    const auto first = read_hex(4);
    if (!first) return "bad Unicode escape";
    if (*first >= 0xd800 && *first < 0xdc00 && peek() == '\\' && peek(1) == 'u') {
      const std::size_t before = at_;
      at_ += 2;
      const auto second = read_hex(4);
      if (second && *second >= 0xdc00 && *second <= 0xdfff) {
        return character_atom(atom, 0x10000 + ((*first - 0xd800) << 10) + (*second - 0xdc00));
      }
      at_ = before;
    }
    return character_atom(atom, *first);
  }

  const char* property(Atom& atom, bool negated) {
    const std::size_t end = in_.find('}', at_);
    if (peek() != '{' || end == std::string_view::npos) return "bad property";
    const auto name = translate_property(in_.substr(at_ + 1, end - at_ - 1));
    if (!name) return "unknown property";
    at_ = end + 1;
    return set_atom(atom, (negated ? "\\P{" : "\\p{") + *name + "}");
  }

  const char* character_class() {
    ++at_;
    const bool negated = take("^");
    std::string members;
    while (peek() != ']' || at_ >= in_.size()) {
      if (at_ >= in_.size()) return "missing ]";
      Atom low;
      if (const char* problem = class_atom(low)) return problem;
      if (peek() == '-' && peek(1) != ']' && at_ + 1 < in_.size()) {
        ++at_;
        Atom high;
        if (const char* problem = class_atom(high)) return problem;
        if (low.is_set || high.is_set || low.character > high.character) return "bad range";
        append_range(members, low.character, high.character);
      } else if (low.is_set) {
        members += low.set;
      } else {
        append_range(members, low.character, low.character);
      }
    }
    ++at_;
    if (members.empty()) return emit(negated ? "(?s:.)" : kNever);
    return emit((negated ? "[^" : "[") + members + "]");
  }

  const char* class_atom(Atom& atom) {
    if (peek() == '\\') return read_escape(atom, true);
    return character_atom(atom, base::next_code_point(in_, at_));
  }

  // Strings hold no surrogates, and PCRE2 refuses to hear of them.
  static void append_range(std::string& out, char32_t low, char32_t high) {
    if (is_surrogate(low)) low = kSurrogateLast + 1;
    if (is_surrogate(high)) high = kSurrogateFirst - 1;
    if (low > high) return;
    append_code_point(out, low);
    if (low == high) return;
    out += '-';
    append_code_point(out, high);
  }

  std::string_view in_;
  std::size_t at_ = 0;
  std::string out_;
  std::vector<Group> groups_;
  std::uint32_t group_count_ = 0;
  std::map<std::string_view, std::uint32_t> names_;
  bool repeatable_ = false;
};

}  // namespace

Result<std::string> translate_ecma_regex(std::string_view pattern) {
  if (base::find_invalid_utf8(pattern) != std::string_view::npos) {
    return fail(ErrorKind::invalid, "not UTF-8");
  }
  return Translator(pattern).run();
}

}  // namespace squall::schema
