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
constexpr std::ptrdiff_t kComparedMax = 24;  // names of one object, each with each
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

/// The first byte from `p` on that is no white space, or `end`.
inline const char* behind_space(const char* p, const char* end) noexcept {
  while (p != end && static_cast<unsigned char>(*p) <= ' ' &&
         (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')) {
    ++p;
  }
  return p;
}

template <typename T>
void drop_if_large(std::vector<T>& vector) noexcept {
  vector.clear();
  if (vector.capacity() * sizeof(T) > kRetainedBytesMax) std::vector<T>().swap(vector);
}

}  // namespace

void PendingValues::grow() {
  const std::size_t size = this->size();
  const std::size_t capacity = std::max(kPendingMin, 2 * size);
  auto storage = std::make_unique_for_overwrite<char[]>(capacity * sizeof(Value));
  if (size != 0) std::memcpy(storage.get(), storage_.get(), size * sizeof(Value));
  storage_ = std::move(storage);
  end_ = slots() + size;
  limit_ = slots() + capacity;
}

void PendingValues::reset(std::size_t retained_bytes_max) noexcept {
  end_ = slots();
  if (bytes() <= retained_bytes_max) return;
  storage_.reset();
  end_ = limit_ = nullptr;
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
    : end_(text.data() + text.size()),
      memory_(memory),
      values_left_(options.limits.values),
      text_(text),
      options_(options),
      depth_max_(std::min(options.limits.depth, kDepthMax)) {}

bool Parser::run(Value& root) {
  const char* at = text_.data();
  if (const std::size_t max = std::min(options_.limits.bytes, kTextBytesMax); text_.size() > max) {
    return fail(Reason::limit, at + max, "more than " + std::to_string(max) + " bytes");
  }
  if (text_.starts_with(kByteOrderMark)) return fail(Reason::encoding, at, "a byte order mark");
  at = behind_space(at, end_);
  if (!value_at(at)) return false;
  at = behind_space(at, end_);
  if (at != end_) return expected("the end", at);
  root.take(*memory_.pending.from(0));
  return true;
}

/// Reads a value with all that is in it, and puts it behind those that wait.
bool Parser::value_at(const char*& at) {
  ParserMemory::Frame frame;  // of the innermost container; those around it are `open`
  std::size_t depth = 0;
  const char* p = at;
  for (;;) {
    // A value is due at `p`, in an object behind its name.
    if (frame.object && !name_at(p, frame)) return false;
    if (p == end_) return expected("a value", p);
    if (values_left_-- == 0) {
      return fail(Reason::limit, p,
                  "more than " + std::to_string(options_.limits.values) + " values");
    }
    bool read = true;
    switch (*p) {
      case '"':
        read = string_at(p, memory_.pending.push());
        break;
      case '{':
      case '[': {
        if (depth == depth_max_) {
          return fail(Reason::limit, p, "nested deeper than " + std::to_string(depth_max_));
        }
        if (depth++ != 0) memory_.open.push_back(frame);
        frame = {.first = static_cast<std::uint32_t>(memory_.pending.size()), .object = *p == '{'};
        p = behind_space(p + 1, end_);
        if (p != end_ && *p == frame.closing()) break;  // empty: ended below
        continue;
      }
      case 't':
        read = literal_at(p, "true", Kind::boolean, true);
        break;
      case 'f':
        read = literal_at(p, "false", Kind::boolean, false);
        break;
      case 'n':
        read = literal_at(p, "null", Kind::null, false);
        break;
      default:
        read = number_at(p);
    }
    if (!read) return false;
    // A value was read: on to the next one, ending containers on the way.
    for (;;) {
      if (depth == 0) {
        at = p;
        return true;
      }
      p = behind_space(p, end_);
      if (p != end_ && *p == ',') {
        p = behind_space(p + 1, end_);
        break;
      }
      if (p == end_ || *p != frame.closing()) {
        return expected(frame.object ? "',' or '}'" : "',' or ']'", p);
      }
      ++p;
      if (!close_container(frame)) return false;
      if (--depth != 0) {
        frame = memory_.open.back();
        memory_.open.pop_back();
      }
    }
  }
}

bool Parser::literal_at(const char*& at, std::string_view word, Kind kind, bool boolean) {
  if (static_cast<std::size_t>(end_ - at) < word.size() ||
      std::memcmp(at, word.data(), word.size()) != 0) {
    return expected("a value", at);
  }
  at += word.size();
  Value& out = memory_.pending.push();
  out.kind_ = kind;
  if (kind == Kind::boolean) out.data_.boolean = boolean;
  return true;
}

inline bool Parser::number_at(const char*& at) {
  const NumberScan scan = scan_number(at, end_);
  if (scan.expected != nullptr) {
    const bool begun = *at == '-' || is_digit(*at);
    return begun ? expected(scan.expected, scan.end) : expected("a value", at);
  }
  Value& out = memory_.pending.push();
  out.kind_ = Kind::number;
  out.size_ = static_cast<std::uint32_t>(scan.end - at);
  out.data_.text = at;
  at = scan.end;
  return true;
}

/// Whether one of the names that wait from `first` on is `name`, the last of them.
bool Parser::stands_before(const Value* first, const Value& name) noexcept {
  for (const Value* other = first; other != &name; other += 2) {
    if (other->size_ == name.size_ && same_bytes(other->data_.text, name.data_.text, name.size_)) {
      return true;
    }
  }
  return false;
}

/// Reads a member's name and what stands before its value.
inline bool Parser::name_at(const char*& at, ParserMemory::Frame& frame) {
  if (at == end_ || *at != '"') return expected("a name in quotes", at);
  Value& name = memory_.pending.push();
  const char* p = at;
  if (!string_at(p, name)) return false;
  const std::uint64_t bin = bin_of({name.data_.text, name.size_});
  if ((frame.bins & bin) != 0 && !frame.names_alike) [[unlikely]] {
    const Value* first = memory_.pending.from(frame.first);
    frame.names_alike = &name - first > 2 * kComparedMax || stands_before(first, name);
  }
  frame.bins |= bin;
  p = behind_space(p, end_);
  if (p == end_ || *p != ':') return expected("':'", p);
  at = behind_space(p + 1, end_);
  return true;
}

/// Takes what waits from the container's first value on into a block of its own.
inline bool Parser::close_container(const ParserMemory::Frame& frame) {
  const std::size_t count = memory_.pending.size() - frame.first;
  char* block = nullptr;
  if (count != 0) {
    block = memory_.arena.allocate(count * sizeof(Value));
    std::memcpy(block, static_cast<const void*>(memory_.pending.from(frame.first)),
                count * sizeof(Value));
  }
  memory_.pending.shrink_to(frame.first);
  Value& out = memory_.pending.push();
  if (!frame.object) {
    out.kind_ = Kind::array;
    out.size_ = static_cast<std::uint32_t>(count);
    out.data_.items = reinterpret_cast<Value*>(block);
    return true;
  }
  out.kind_ = Kind::object;
  out.size_ = static_cast<std::uint32_t>(count / 2);
  out.data_.members = reinterpret_cast<Member*>(block);
  return !frame.names_alike || options_.duplicates == Duplicates::keep ||
         check_names(out.members());
}

bool Parser::check_names(std::span<const Member> members) {
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
inline bool Parser::string_at(const char*& at, Value& out) {
  const char* first = at + 1;
  bool non_ascii = false;
  const char* special = find_string_special(first, end_, non_ascii);
  if (special == end_ || *special != '"' || non_ascii) [[unlikely]] {
    return escaped_string(at, special, non_ascii, out);
  }
  out.kind_ = Kind::string;
  out.size_ = static_cast<std::uint32_t>(special - first);
  out.data_.text = first;
  at = special + 1;
  return true;
}

/// The rest of `string_at` when there is more to it than letters up to the closing quote: at
/// `special` stands the first byte of [at + 1, end) that a string cannot hold as it is.
bool Parser::escaped_string(const char*& at, const char* special, bool non_ascii, Value& out) {
  const char* const first = at + 1;
  const bool escapes = special != end_ && *special == '\\';
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
  if (!escapes) {
    out.kind_ = Kind::string;
    out.size_ = static_cast<std::uint32_t>(special - first);
    out.data_.text = first;
    at = special + 1;
    return true;
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
  at = special + 1;
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

bool Parser::expected(const char* what, const char* where) {
  const bool bad_byte =
      where != end_ &&
      base::find_invalid_utf8(
          {where, std::min<std::size_t>(4, static_cast<std::size_t>(end_ - where))}) == 0;
  return fail(bad_byte ? Reason::encoding : Reason::syntax, where,
              std::string("expected ") + what + ", found " + found(where, end_));
}

ParseError Parser::error() const {
  ParseError error = error_;
  error.locate(text_);
  return error;
}

}  // namespace squall::json
