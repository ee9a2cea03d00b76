#include "squall/json/write.h"

#include <array>
#include <charconv>
#include <cmath>

#include "squall/base/text.h"

#include "inline_stack.h"
#include "scan.h"

namespace squall::json {

namespace {

constexpr std::size_t kNumberBytesMax = 32;

void write_escape(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\b':
      out += "\\b";
      break;
    case '\f':
      out += "\\f";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      out += "\\u00";
      out += base::hex_encode({&c, 1});
  }
}

/// Bytes without a special one among them; those that are not UTF-8 are replaced.
void write_span(std::string& out, std::string_view span, bool non_ascii) {
  std::size_t bad = non_ascii ? base::find_invalid_utf8(span) : std::string_view::npos;
  while (bad != std::string_view::npos) {
    out.append(span.substr(0, bad));
    base::append_utf8(out, U'\uFFFD');
    span.remove_prefix(bad + 1);
    bad = base::find_invalid_utf8(span);
  }
  out.append(span);
}

void write_scalar(std::string& out, const Value& value) {
  switch (value.kind()) {
    case Kind::boolean:
      out += value.boolean() ? "true" : "false";
      break;
    case Kind::number:
      out += value.number_text();
      break;
    case Kind::string:
      write_string(out, value.string());
      break;
    case Kind::null:
    case Kind::array:
    case Kind::object:
      out += "null";
      break;
  }
}

/// Line breaks and indentation, or nothing.
class Layout {
 public:
  Layout(std::string& out, bool pretty) : out_(out), pretty_(pretty) {}
  void line(std::size_t depth) {
    if (!pretty_) return;
    out_ += '\n';
    out_.append(2 * depth, ' ');
  }
  void colon() { out_ += pretty_ ? ": " : ":"; }

 private:
  std::string& out_;
  bool pretty_;
};

void write_laid_out(std::string& out, const Value& root, bool pretty) {
  struct Frame {
    const Value* container;
    std::size_t next;
  };
  InlineStack<Frame> frames;
  Layout layout(out, pretty);
  const auto begin = [&](const Value& value) {
    if (!value.is_array() && !value.is_object()) {
      write_scalar(out, value);
    } else if (value.size() == 0) {
      out += value.is_array() ? "[]" : "{}";
    } else {
      out += value.is_array() ? '[' : '{';
      frames.push({&value, 0});
    }
  };
  begin(root);
  while (!frames.empty()) {
    Frame& frame = frames.top();
    const Value& container = *frame.container;
    if (frame.next == container.size()) {
      frames.pop();
      layout.line(frames.size());
      out += container.is_array() ? ']' : '}';
      continue;
    }
    const std::size_t index = frame.next++;
    if (index != 0) out += ',';
    layout.line(frames.size());
    if (container.is_array()) {
      begin(container.items()[index]);
    } else {
      const Member& member = container.members()[index];
      write_string(out, member.name());
      layout.colon();
      begin(member.value);
    }
  }
}

}  // namespace

void write_string(std::string& out, std::string_view text) {
  const char* p = text.data();
  const char* end = p + text.size();
  bool non_ascii = false;
  const char* special = find_string_special(p, end, non_ascii);
  if (special == end && !non_ascii) {
    const std::size_t before = out.size();
    const std::size_t after = before + text.size() + 2;
    // libstdc++ 12 hands the callback the capacity, not the size asked for.
    out.resize_and_overwrite(after, [&](char* to, std::size_t) {
      to[before] = '"';
      text.copy(to + before + 1, text.size());
      to[after - 1] = '"';
      return after;
    });
    return;
  }
  out += '"';
  while (true) {
    write_span(out, {p, static_cast<std::size_t>(special - p)}, non_ascii);
    if (special == end) break;
    write_escape(out, *special);
    p = special + 1;
    non_ascii = false;
    special = find_string_special(p, end, non_ascii);
  }
  out += '"';
}

void write(std::string& out, const Value& value) { write_laid_out(out, value, false); }

std::string to_string(const Value& value) {
  std::string out;
  write(out, value);
  return out;
}

std::string to_pretty_string(const Value& value) {
  std::string out;
  write_laid_out(out, value, true);
  return out;
}

void Writer::separate() {
  if (comma_) out_ += ',';
  comma_ = true;
}

Writer& Writer::open(char bracket) {
  separate();
  out_ += bracket;
  comma_ = false;
  return *this;
}

Writer& Writer::close(char bracket) {
  out_ += bracket;
  comma_ = true;
  return *this;
}

Writer& Writer::key(std::string_view name) {
  separate();
  write_string(out_, name);
  out_ += ':';
  comma_ = false;
  return *this;
}

Writer& Writer::string(std::string_view text) {
  separate();
  write_string(out_, text);
  return *this;
}

Writer& Writer::number(std::int64_t value) {
  std::array<char, kNumberBytesMax> text;
  const char* end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return raw({text.data(), end});
}

Writer& Writer::number(std::uint64_t value) {
  std::array<char, kNumberBytesMax> text;
  const char* end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return raw({text.data(), end});
}

Writer& Writer::number(double value) {
  if (!std::isfinite(value)) return null();
  std::array<char, kNumberBytesMax> text;
  const char* end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return raw({text.data(), end});
}

Writer& Writer::value(const Value& value) {
  separate();
  write(out_, value);
  return *this;
}

Writer& Writer::raw(std::string_view json) {
  separate();
  out_.append(json);
  return *this;
}

}  // namespace squall::json
