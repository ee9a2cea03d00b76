#include "plain_pattern.h"

#include <limits>

namespace squall::schema {

namespace {

constexpr std::size_t kPatternBytesMax = 256;
constexpr std::uint32_t kRepeatMax = 65'535;  // as PCRE2 has it
constexpr std::uint32_t kWithoutEnd = std::numeric_limits<std::uint32_t>::max();
constexpr std::string_view kSyntax = "^$\\.*+?()[]{}|";

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

}  // namespace

void PlainPattern::Class::add(unsigned char first, unsigned char last) noexcept {
  for (unsigned c = first; c <= last; ++c) bits[c >> 6U] |= std::uint64_t{1} << (c & 63U);
}

void PlainPattern::Class::add(const Class& other) noexcept {
  bits[0] |= other.bits[0];
  bits[1] |= other.bits[1];
}

bool PlainPattern::Class::meets(const Class& other) const noexcept {
  return ((bits[0] & other.bits[0]) | (bits[1] & other.bits[1])) != 0;
}

/// Reads what stands between `^` and `$`, or gives up: then it is another kind of pattern, or
/// wrong.
class PlainPattern::Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  [[nodiscard]] bool done() const noexcept { return at_ == text_.size(); }

  bool item(Item& out) {
    const char c = text_[at_];
    if (c == '[') {
      ++at_;
      if (!members(out.characters)) return false;
    } else if (!atom(out.characters, kSyntax)) {
      return false;
    }
    return repeat(out);
  }

 private:
  /// One character or escape. `reserved` has a meaning of its own here unless escaped.
  bool atom(Class& out, std::string_view reserved) {
    const char c = text_[at_++];
    if (c == '\\') {
      if (done()) return false;
      const char escaped = text_[at_++];
      const auto code = static_cast<unsigned char>(escaped);
      if (escaped == 'd' || escaped == 'w') {
        out.add('0', '9');
        if (escaped == 'w') {
          out.add('A', 'Z');
          out.add('a', 'z');
          out.add('_', '_');
        }
        return true;
      }
      if (escaped != '/' && kSyntax.find(escaped) == std::string_view::npos) return false;
      out.add(code, code);
      return true;
    }
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x80 || reserved.find(c) != std::string_view::npos) return false;
    out.add(code, code);
    return true;
  }

  /// Behind `[`, up to behind `]`.
  bool members(Class& out) {
    const std::size_t first = at_;
    while (!done() && text_[at_] != ']') {
      const char c = text_[at_];
      if ((c == '^' && at_ == first) || c == '[') return false;
      if (c == '-') {
        // By itself only where it can't be a range.
        const bool last = at_ + 1 < text_.size() && text_[at_ + 1] == ']';
        if (at_ != first && !last) return false;
        out.add('-', '-');
        ++at_;
        continue;
      }
      const bool range = at_ + 2 < text_.size() && text_[at_ + 1] == '-' && text_[at_ + 2] != ']';
      if (!range) {
        if (!atom(out, "[]")) return false;
        continue;
      }
      const auto from = static_cast<unsigned char>(c);
      const auto to = static_cast<unsigned char>(text_[at_ + 2]);
      if (c == '\\' || to == '\\' || to == '[' || from >= 0x80 || to >= 0x80 || from > to) {
        return false;
      }
      out.add(from, to);
      at_ += 3;
    }
    if (done() || at_ == first) return false;
    ++at_;
    return true;
  }

  bool repeat(Item& item) {
    if (done()) return true;
    switch (text_[at_]) {
      case '?':
        item.min = 0;
        break;
      case '*':
        item.min = 0;
        item.max = kWithoutEnd;
        break;
      case '+':
        item.max = kWithoutEnd;
        break;
      case '{':
        if (!bounds(item)) return false;
        break;
      default:
        return true;
    }
    ++at_;
    return done() || text_[at_] != '?';  // a lazy one is left to others
  }

  /// At `{`; leaves at `}`.
  bool bounds(Item& item) {
    ++at_;
    if (!number(item.min)) return false;
    item.max = item.min;
    if (!done() && text_[at_] == ',') {
      ++at_;
      item.max = kWithoutEnd;
      if (!done() && text_[at_] != '}' && !number(item.max)) return false;
    }
    return !done() && text_[at_] == '}' && item.min <= item.max;
  }

  bool number(std::uint32_t& out) {
    if (done() || !is_digit(text_[at_])) return false;
    out = 0;
    while (!done() && is_digit(text_[at_])) {
      out = out * 10 + static_cast<std::uint32_t>(text_[at_++] - '0');
      if (out > kRepeatMax) return false;
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::optional<PlainPattern> PlainPattern::read(std::string_view pattern) {
  if (pattern.size() < 2 || pattern.size() > kPatternBytesMax) return std::nullopt;
  if (pattern.front() != '^' || pattern.back() != '$') return std::nullopt;
  PlainPattern out;
  // An escaped `$` at the end leaves a lone backslash, which is refused.
  Reader reader(pattern.substr(1, pattern.size() - 2));
  while (!reader.done()) {
    if (!reader.item(out.items_.emplace_back())) return std::nullopt;
  }
  if (!out.is_decided()) return std::nullopt;
  out.items_.shrink_to_fit();
  return out;
}

/// Whether the next character alone always tells if a repeat goes on or what follows it begins:
/// then taking as many as there are is the only way there is.
bool PlainPattern::is_decided() const noexcept {
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (items_[i].min == items_[i].max) continue;
    for (std::size_t next = i + 1; next < items_.size(); ++next) {
      if (items_[i].characters.meets(items_[next].characters)) return false;
      if (items_[next].min > 0) break;
    }
  }
  return true;
}

bool PlainPattern::matches(std::string_view text) const noexcept {
  const char* p = text.data();
  const char* const end = p + text.size();
  for (const Item& item : items_) {
    const char* const begin = p;
    const char* const limit = static_cast<std::size_t>(end - p) > item.max ? p + item.max : end;
    while (p != limit && item.characters.contains(static_cast<unsigned char>(*p))) ++p;
    if (static_cast<std::size_t>(p - begin) < item.min) return false;
  }
  return p == end;
}

}  // namespace squall::schema
