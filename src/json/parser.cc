#include "parser.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <limits>

#include "squall/base/text.h"

#include "scan.h"

namespace squall::json {

namespace {

constexpr std::size_t kRetainedBytesMax = std::size_t{64} << 10;
constexpr std::size_t kPendingMin = 64;
constexpr std::size_t kTextBytesMax = std::numeric_limits<std::uint32_t>::max() - 1;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

using Reason = ParseError::Reason;

/// What stands at `where`, for a message.
std::string found(const char* where, const char* end) {
  if (where == end) return "the end";
  const auto byte = static_cast<unsigned char>(*where);
  if (byte > 0x20 && byte < 0x7F) return {'\'', *where, '\''};
  return "byte 0x" + base::hex_encode({where, 1});
}

int hex_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// The four hex digits at `p`, or -1.
int hex4(const char* p, const char* end) noexcept {
  if (end - p < 4) return -1;
  int value = 0;
  for (int i = 0; i < 4; ++i) {
    const int digit = hex_value(p[i]);
    if (digit < 0) return -1;
    value = value << 4 | digit;
  }
  return value;
}

char* put_utf8(char* out, std::uint32_t c) noexcept {
  if (c < 0x80) {
    *out++ = static_cast<char>(c);
  } else if (c < 0x800) {
    *out++ = static_cast<char>(0xC0 | c >> 6);
    *out++ = static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    *out++ = static_cast<char>(0xE0 | c >> 12);
    *out++ = static_cast<char>(0x80 | (c >> 6 & 0x3F));
    *out++ = static_cast<char>(0x80 | (c & 0x3F));
  } else {
    *out++ = static_cast<char>(0xF0 | c >> 18);
    *out++ = static_cast<char>(0x80 | (c >> 12 & 0x3F));
    *out++ = static_cast<char>(0x80 | (c >> 6 & 0x3F));
    *out++ = static_cast<char>(0x80 | (c & 0x3F));
  }
  return out;
}

char short_escape(char c) noexcept {
  switch (c) {
    case '"':
    case '\\':
    case '/':
      return c;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return 0;
  }
}

template <typename T>
void drop_if_large(std::vector<T>& vector) noexcept {
  vector.clear();
  if (vector.capacity() * sizeof(T) > kRetainedBytesMax) std::vector<T>().swap(vector);
}

}  // namespace

void PendingValues::grow() {
  const std::size_t capacity = std::max(kPendingMin, 2 * capacity_);
  auto storage = std::make_unique_for_overwrite<char[]>(capacity * sizeof(Value));
  if (size_ != 0) std::memcpy(storage.get(), storage_.get(), size_ * sizeof(Value));
  storage_ = std::move(storage);
  capacity_ = capacity;
}

void PendingValues::reset(std::size_t retained_bytes_max) noexcept {
  size_ = 0;
  if (capacity_ * sizeof(Value) <= retained_bytes_max) return;
  storage_.reset();
  capacity_ = 0;
}

void ParserMemory::reset() noexcept {
  arena.reset(kRetainedBytesMax);
  drop_scratch();
}

void ParserMemory::drop_scratch() noexcept {
  pending.reset(kRetainedBytesMax);
  drop_if_large(open);
  drop_if_large(names);
}

std::size_t ParserMemory::bytes() const noexcept {
  return arena.bytes() + pending.bytes() + open.capacity() * sizeof(Frame) +
         names.capacity() * sizeof(NameEntry);
}

Parser::Parser(std::string_view text, const ParseOptions& options, ParserMemory& memory) noexcept
    : p_(text.data()),
      end_(text.data() + text.size()),
      memory_(memory),
      values_left_(options.limits.values),
      text_(text),
      options_(options),
      depth_max_(std::min(options.limits.depth, kDepthMax)) {}

bool Parser::run(Value& root) {
  if (const std::size_t max = std::min(options_.limits.bytes, kTextBytesMax); text_.size() > max) {
    return fail(Reason::limit, p_ + max, "more than " + std::to_string(max) + " bytes");
  }
  if (text_.starts_with(kByteOrderMark)) {
    return fail(Reason::encoding, p_, "a byte order mark");
  }
  skip_space();
  Step step = value();
  while (step == Step::value_due || (step == Step::value_done && !memory_.open.empty())) {
    step = step == Step::value_due ? value() : after_value();
  }
  if (step == Step::failed) return false;
  skip_space();
  if (p_ != end_) return expected("the end") != Step::failed;
  root.take(*memory_.pending.from(0));
  return true;
}

inline void Parser::skip_space() noexcept {
  const char* p = p_;
  while (p != end_ && static_cast<unsigned char>(*p) <= ' ' &&
         (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')) {
    ++p;
  }
  p_ = p;
}

inline Value& Parser::push_text(Kind kind, const char* from, const char* end) {
  Value& out = memory_.pending.push();
  out.kind_ = kind;
  out.size_ = static_cast<std::uint32_t>(end - from);
  out.data_.text = from;
  return out;
}

Parser::Step Parser::value() {
  if (p_ == end_) return expected("a value");
  if (values_left_-- == 0) {
    fail(Reason::limit, p_, "more than " + std::to_string(options_.limits.values) + " values");
    return Step::failed;
  }
  switch (*p_) {
    case '{':
      return open_container(true);
    case '[':
      return open_container(false);
    case '"':
      return string(memory_.pending.push()) ? Step::value_done : Step::failed;
    case 't':
      return literal("true", Kind::boolean, true);
    case 'f':
      return literal("false", Kind::boolean, false);
    case 'n':
      return literal("null", Kind::null, false);
    default:
      if (*p_ != '-' && !is_digit(*p_)) return expected("a value");
      return number();
  }
}

Parser::Step Parser::literal(std::string_view word, Kind kind, bool boolean) {
  if (static_cast<std::size_t>(end_ - p_) < word.size() ||
      std::memcmp(p_, word.data(), word.size()) != 0) {
    return expected("a value");
  }
  p_ += word.size();
  Value& out = memory_.pending.push();
  out.kind_ = kind;
  if (kind == Kind::boolean) out.data_.boolean = boolean;
  return Step::value_done;
}

Parser::Step Parser::number() {
  const NumberScan scan = scan_number(p_, end_);
  if (scan.expected != nullptr) {
    p_ = scan.end;
    return expected(scan.expected);
  }
  push_text(Kind::number, p_, scan.end);
  p_ = scan.end;
  return Step::value_done;
}

Parser::Step Parser::open_container(bool object) {
  if (memory_.open.size() == depth_max_) {
    fail(Reason::limit, p_, "nested deeper than " + std::to_string(depth_max_));
    return Step::failed;
  }
  memory_.open.push_back({static_cast<std::uint32_t>(memory_.pending.size()), object});
  ++p_;
  skip_space();
  if (p_ != end_ && *p_ == (object ? '}' : ']')) return close_container();
  return object ? member_name() : Step::value_due;
}

Parser::Step Parser::member_name() {
  if (p_ == end_ || *p_ != '"') return expected("a name in quotes");
  if (!string(memory_.pending.push())) return Step::failed;
  skip_space();
  if (p_ == end_ || *p_ != ':') return expected("':'");
  ++p_;
  skip_space();
  return Step::value_due;
}

Parser::Step Parser::after_value() {
  const bool object = memory_.open.back().object;
  skip_space();
  if (p_ != end_ && *p_ == ',') {
    ++p_;
    skip_space();
    return object ? member_name() : Step::value_due;
  }
  if (p_ != end_ && *p_ == (object ? '}' : ']')) return close_container();
  return expected(object ? "',' or '}'" : "',' or ']'");
}

Parser::Step Parser::close_container() {
  const auto [first, object] = memory_.open.back();
  const std::size_t count = memory_.pending.size() - first;
  char* block = nullptr;
  if (count != 0) {
    block = memory_.arena.allocate(count * sizeof(Value));
    std::memcpy(block, static_cast<const void*>(memory_.pending.from(first)),
                count * sizeof(Value));
  }
  memory_.pending.shrink_to(first);
  memory_.open.pop_back();
  Value& out = memory_.pending.push();
  if (object) {
    out.kind_ = Kind::object;
    out.size_ = static_cast<std::uint32_t>(count / 2);
    out.data_.members = reinterpret_cast<Member*>(block);
    if (options_.duplicates == Duplicates::refuse && !check_names(out.members())) {
      return Step::failed;
    }
  } else {
    out.kind_ = Kind::array;
    out.size_ = static_cast<std::uint32_t>(count);
    out.data_.items = reinterpret_cast<Value*>(block);
  }
  ++p_;
  return Step::value_done;
}

bool Parser::check_names(std::span<const Member> members) {
  if (members.size() < 2) return true;
  const auto again = find_duplicate(members, memory_.names);
  if (!again) return true;
  const Member& member = members[*again];
  return fail(Reason::duplicate_key, text_.data() + offset_of_name(member),
              describe_duplicate(member.name()));
}

/// Of the opening quote. A name with escapes was decoded into the arena, behind its offset.
std::size_t Parser::offset_of_name(const Member& member) const noexcept {
  const char* name = member.key.data_.text;
  const std::less_equal<const char*> before;  // a total order, also over unrelated pointers
  if (before(text_.data(), name) && before(name, end_)) {
    return static_cast<std::size_t>(name - text_.data()) - 1;
  }
  std::uint32_t offset = 0;
  std::memcpy(&offset, name - sizeof offset, sizeof offset);
  return offset;
}

/// At the opening quote; leaves behind the closing one.
bool Parser::string(Value& out) {
  const char* first = p_ + 1;
  bool non_ascii = false;
  const char* special = find_string_special(first, end_, non_ascii);
  if (special == end_ || *special != '"') [[unlikely]] {
    return escaped_string(first, special, non_ascii, out);
  }
  if (non_ascii && !check_utf8(first, special)) return false;
  out.kind_ = Kind::string;
  out.size_ = static_cast<std::uint32_t>(special - first);
  out.data_.text = first;
  p_ = special + 1;
  return true;
}

/// The rest of `string` when the first special byte is not its closing quote.
bool Parser::escaped_string(const char* first, const char* special, bool non_ascii, Value& out) {
  while (special != end_ && *special == '\\') {
    if (end_ - special < 2) {
      special = end_;
    } else {
      special = find_string_special(special + 2, end_, non_ascii);
    }
  }
  if (non_ascii && !check_utf8(first, special)) return false;
  if (special == end_) return fail(Reason::syntax, end_, "the string does not end");
  if (*special != '"') {
    return fail(Reason::syntax, special,
                "a raw control character in a string, " + found(special, end_));
  }
  const auto offset = static_cast<std::uint32_t>(first - 1 - text_.data());
  const auto raw_size = static_cast<std::size_t>(special - first);
  char* piece = memory_.arena.allocate(sizeof offset + raw_size);
  std::memcpy(piece, &offset, sizeof offset);
  char* text = piece + sizeof offset;
  char* text_end = text;
  if (!decode(first, special, text_end)) return false;
  out.kind_ = Kind::string;
  out.size_ = static_cast<std::uint32_t>(text_end - text);
  out.data_.text = text;
  memory_.arena.shrink_last(piece, static_cast<std::size_t>(text_end - piece));
  p_ = special + 1;
  return true;
}

/// Copies with escapes resolved: never longer than they were written.
bool Parser::decode(const char* from, const char* end, char*& out) {
  while (from != end) {
    const auto left = static_cast<std::size_t>(end - from);
    const auto* escape = static_cast<const char*>(std::memchr(from, '\\', left));
    const auto plain = escape != nullptr ? static_cast<std::size_t>(escape - from) : left;
    std::memcpy(out, from, plain);
    out += plain;
    if (escape == nullptr) return true;
    from = escape + 1;
    if (*from == 'u') {
      if (!decode_unicode(from, end, out)) return false;
      continue;
    }
    const char c = short_escape(*from);
    if (c == 0) {
      return fail(Reason::syntax, escape, "no such escape in JSON: '\\' and " + found(from, end));
    }
    *out++ = c;
    ++from;
  }
  return true;
}

/// At the `u` of an escape; leaves behind it, or behind the pair.
bool Parser::decode_unicode(const char*& from, const char* end, char*& out) {
  const char* escape = from - 1;
  const int unit = hex4(from + 1, end);
  if (unit < 0) return fail(Reason::syntax, escape, "expected four hex digits after \\u");
  from += 5;
  auto c = static_cast<std::uint32_t>(unit);
  if (c >= 0xD800 && c <= 0xDFFF) {
    const bool pair = c < 0xDC00 && end - from >= 6 && from[0] == '\\' && from[1] == 'u';
    const int low = pair ? hex4(from + 2, end) : -1;
    if (low < 0xDC00 || low > 0xDFFF) {
      return fail(Reason::encoding, escape, "a lone surrogate");
    }
    c = 0x10000 + ((c - 0xD800) << 10) + (static_cast<std::uint32_t>(low) - 0xDC00);
    from += 6;
  }
  out = put_utf8(out, c);
  return true;
}

bool Parser::check_utf8(const char* from, const char* end) {
  const auto size = static_cast<std::size_t>(end - from);
  const std::size_t bad = base::find_invalid_utf8({from, size});
  if (bad == std::string_view::npos) return true;
  return fail(Reason::encoding, from + bad, "not UTF-8, " + found(from + bad, end_));
}

bool Parser::fail(Reason reason, const char* where, std::string message) {
  error_.reason = reason;
  error_.offset = static_cast<std::size_t>(where - text_.data());
  error_.message = std::move(message);
  return false;
}

Parser::Step Parser::expected(const char* what) {
  const bool bad_byte =
      p_ != end_ && base::find_invalid_utf8(
                        {p_, std::min<std::size_t>(4, static_cast<std::size_t>(end_ - p_))}) == 0;
  fail(bad_byte ? Reason::encoding : Reason::syntax, p_,
       std::string("expected ") + what + ", found " + found(p_, end_));
  return Step::failed;
}

ParseError Parser::error() const {
  ParseError error = error_;
  error.locate(text_);
  return error;
}

}  // namespace squall::json
