#include "squall/json/canonical.h"

#include <algorithm>
#include <vector>

#include "squall/base/text.h"
#include "squall/json/number.h"
#include "squall/json/write.h"

#include "inline_stack.h"

namespace squall::json {

namespace {

constexpr std::size_t kDepthOfCanonicalMax = 256;
constexpr std::int64_t kPlainCharactersMax = 40;

void append_digits(std::string& out, const Decimal& d) {
  out.append(d.digits_before);
  out.append(d.digits_after);
}

/// Without an exponent, when that is short enough; nothing is built before its length is known.
bool append_plain(std::string& out, const Decimal& d) {
  const auto digits = static_cast<std::int64_t>(d.digit_count());
  const std::int64_t sign = d.negative ? 1 : 0;
  if (d.exponent >= 0) {
    if (d.exponent > kPlainCharactersMax || sign + digits + d.exponent > kPlainCharactersMax) {
      return false;
    }
    if (d.negative) out += '-';
    append_digits(out, d);
    out.append(static_cast<std::size_t>(d.exponent), '0');
    return true;
  }
  if (d.exponent < -kPlainCharactersMax) return false;
  const std::int64_t places = -d.exponent;
  const std::int64_t before = std::max<std::int64_t>(digits - places, 1);
  if (sign + before + 1 + places > kPlainCharactersMax) return false;
  if (d.negative) out += '-';
  std::string all;
  append_digits(all, d);
  if (digits <= places) all.insert(0, static_cast<std::size_t>(places - digits + 1), '0');
  out.append(all, 0, all.size() - static_cast<std::size_t>(places));
  out += '.';
  out.append(all, all.size() - static_cast<std::size_t>(places));
  return true;
}

Result<void> append_number(std::string& out, std::string_view text) {
  const Decimal d = Decimal::parse(text);
  if (d.is_zero()) {
    out += '0';
    return {};
  }
  if (d.exponent_overflow) {
    return fail(ErrorKind::limit, "a number's exponent has more than 18 digits");
  }
  if (append_plain(out, d)) return {};
  if (d.negative) out += '-';
  append_digits(out, d);
  out += 'e';
  out += std::to_string(d.exponent);
  return {};
}

/// Ranks the lead bytes so that comparing bytes compares UTF-16 code units: surrogates, which the
/// four-byte sequences become, come before U+E000 to U+FFFF (lead bytes EE and EF).
unsigned rank(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0xF0 ? byte - 2U : (byte >= 0xEE ? byte + 0x10U : byte);
}

int compare_as_utf16(std::string_view a, std::string_view b) noexcept {
  const auto [x, y] = std::ranges::mismatch(a, b);
  if (x == a.end() || y == b.end()) return (x == a.end() ? 0 : 1) - (y == b.end() ? 0 : 1);
  return rank(*x) < rank(*y) ? -1 : 1;
}

using Members = std::vector<const Member*>;

struct Frame {
  const Value* container;
  std::size_t next;
};

/// Walks a value iteratively; the sorted members of all open objects share one vector.
class CanonicalWriter {
 public:
  explicit CanonicalWriter(std::string& out) : out_(out) {}

  Result<void> write(const Value& root) {
    SQUALL_CHECK(begin(root));
    while (!frames_.empty()) {
      Frame& frame = frames_.top();
      const Value& container = *frame.container;
      if (frame.next == container.size()) {
        end(container);
        continue;
      }
      const std::size_t index = frame.next++;
      if (index != 0) out_ += ',';
      if (container.is_array()) {
        SQUALL_CHECK(begin(container.items()[index]));
      } else {
        const Member& member = *sorted_[sorted_.size() - container.size() + index];
        write_string(out_, member.name());
        out_ += ':';
        SQUALL_CHECK(begin(member.value));
      }
    }
    return {};
  }

 private:
  Result<void> begin(const Value& value) {
    if (value.is_number()) return append_number(out_, value.number_text());
    if (!value.is_array() && !value.is_object()) {
      json::write(out_, value);
      return {};
    }
    if (frames_.size() == kDepthOfCanonicalMax) {
      return fail(ErrorKind::limit, "a value is nested deeper than 256");
    }
    out_ += value.is_array() ? '[' : '{';
    if (value.is_object()) SQUALL_CHECK(sort(value.members()));
    frames_.push({&value, 0});
    return {};
  }

  void end(const Value& container) {
    if (container.is_object()) sorted_.resize(sorted_.size() - container.size());
    out_ += container.is_array() ? ']' : '}';
    frames_.pop();
  }

  Result<void> sort(std::span<const Member> members) {
    const auto first = static_cast<std::ptrdiff_t>(sorted_.size());
    for (const Member& member : members) sorted_.push_back(&member);
    const auto begin = sorted_.begin() + first;
    std::sort(begin, sorted_.end(), [](const Member* a, const Member* b) {
      return compare_as_utf16(a->name(), b->name()) < 0;
    });
    const auto same = [](const Member* a, const Member* b) { return a->name() == b->name(); };
    if (std::adjacent_find(begin, sorted_.end(), same) != sorted_.end()) {
      return fail(ErrorKind::invalid, "an object has one name twice");
    }
    return {};
  }

  std::string& out_;
  InlineStack<Frame> frames_;
  Members sorted_;
};

}  // namespace

Result<std::string> canonical(const Value& value) {
  std::string out;
  CanonicalWriter writer(out);
  SQUALL_CHECK(writer.write(value));
  return out;
}

Result<std::string> canonical_number(std::string_view text) {
  if (!is_number_text(text)) return fail(ErrorKind::invalid, "not a JSON number");
  std::string out;
  SQUALL_CHECK(append_number(out, text));
  return out;
}

}  // namespace squall::json
