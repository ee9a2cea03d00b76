#include "squall/json/yaml.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <yaml.h>

#include "squall/base/text.h"
#include "squall/json/value.h"

#include "duplicates.h"
#include "yaml_scalar.h"

namespace squall::json {

namespace {

using Reason = ParseError::Reason;

constexpr std::size_t kYamlDepthMax = 64;
constexpr std::size_t kYamlBytesMax = std::size_t{1} << 20;
// libyaml compares every %TAG directive with all before it, so many of them would be quadratic.
constexpr std::size_t kDirectivesMax = 16;
constexpr std::string_view kCoreTagPrefix = "tag:yaml.org,2002:";

std::string_view view(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

/// libyaml counts characters; errors count bytes.
std::size_t to_offset(std::string_view text, std::size_t characters) {
  std::size_t offset = 0;
  for (; offset < text.size(); ++offset) {
    const bool starts = (static_cast<unsigned char>(text[offset]) & 0xC0U) != 0x80U;
    if (starts && characters-- == 0) break;
  }
  return offset;
}

std::size_t count_percent_lines(std::string_view text) {
  std::size_t count = text.starts_with('%') ? 1 : 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    count += text[i] == '%' && (text[i - 1] == '\n' || text[i - 1] == '\r') ? 1 : 0;
  }
  return count;
}

/// One event, freed with its scope.
struct Event {
  Event() : raw() {}
  ~Event() { yaml_event_delete(&raw); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  yaml_event_t raw;
};

/// A sequence or mapping that has not ended.
struct Open {
  bool object;
  bool has_key = false;
  std::string key;
  std::vector<Value> items = {};
  std::vector<Member> members = {};
  std::vector<std::size_t> marks = {};  // where each member's key stands, in characters
};

/// Builds one document's value from the events of libyaml.
class YamlReader {
 public:
  YamlReader(std::string_view text, const ParseOptions& options)
      : text_(text),
        bytes_max_(std::min(options.limits.bytes, kYamlBytesMax)),
        depth_max_(std::min(options.limits.depth, kYamlDepthMax)),
        values_max_(options.limits.values) {}
  ~YamlReader() {
    if (started_) yaml_parser_delete(&parser_);
  }
  YamlReader(const YamlReader&) = delete;
  YamlReader& operator=(const YamlReader&) = delete;

  std::expected<Value, ParseError> read() {
    if (!check_text() || !start()) return std::unexpected(error());
    while (!ended_) {
      Event event;
      if (yaml_parser_parse(&parser_, &event.raw) == 0) {
        fail_in_libyaml();
        return std::unexpected(error());
      }
      if (!on(event.raw)) return std::unexpected(error());
    }
    return std::move(root_);
  }

 private:
  bool check_text() {
    if (text_.size() > bytes_max_) {
      return fail_at(bytes_max_, Reason::limit,
                     "more than " + std::to_string(bytes_max_) + " bytes");
    }
    if (text_.starts_with("\xEF\xBB\xBF")) {
      return fail_at(0, Reason::encoding, "a byte order mark");
    }
    if (const auto bad = base::find_invalid_utf8(text_); bad != std::string_view::npos) {
      return fail_at(bad, Reason::encoding,
                     "not UTF-8, byte 0x" + base::hex_encode(text_.substr(bad, 1)));
    }
    if (count_percent_lines(text_) > kDirectivesMax) {
      return fail_at(0, Reason::limit,
                     "more than " + std::to_string(kDirectivesMax) + " lines start with '%'");
    }
    return true;
  }

  bool start() {
    started_ = yaml_parser_initialize(&parser_) != 0;
    if (!started_) return fail_at(0, Reason::limit, "no memory for the YAML parser");
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    const char* bytes = text_.empty() ? "" : text_.data();  // libyaml insists on an address
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(bytes),
                                 text_.size());
    return true;
  }

  bool on(const yaml_event_t& event) {
    const std::size_t mark = event.start_mark.index;
    switch (event.type) {
      case YAML_DOCUMENT_START_EVENT:
        if (documents_++ != 0) return fail(mark, Reason::syntax, "a second document");
        return true;
      case YAML_STREAM_END_EVENT:
        ended_ = true;
        if (documents_ == 0) return fail(mark, Reason::syntax, "expected a value, found the end");
        return true;
      case YAML_ALIAS_EVENT:
        return fail(mark, Reason::syntax, "aliases are refused");
      case YAML_SCALAR_EVENT:
        return on_scalar(event.data.scalar, mark);
      case YAML_SEQUENCE_START_EVENT:
        return begin(event.data.sequence_start.anchor, event.data.sequence_start.tag, false, mark);
      case YAML_MAPPING_START_EVENT:
        return begin(event.data.mapping_start.anchor, event.data.mapping_start.tag, true, mark);
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        return end();
      case YAML_NO_EVENT:
      case YAML_STREAM_START_EVENT:
      case YAML_DOCUMENT_END_EVENT:
        return true;
    }
    return true;
  }

  [[nodiscard]] bool key_is_due() const {
    return !open_.empty() && open_.back().object && !open_.back().has_key;
  }

  bool on_scalar(const decltype(yaml_event_t::data.scalar)& scalar, std::size_t mark) {
    if (scalar.anchor != nullptr) return fail(mark, Reason::syntax, "anchors are refused");
    const std::string_view text(reinterpret_cast<const char*>(scalar.value), scalar.length);
    const bool key = key_is_due();
    const bool plain = scalar.style == YAML_PLAIN_SCALAR_STYLE && scalar.tag == nullptr;
    if (key && plain && text == "<<") return fail(mark, Reason::syntax, "merge keys are refused");
    auto value = resolve(scalar.tag, text, plain);
    if (!value) return fail(mark, Reason::syntax, value.error());
    if (!key) return add(*std::move(value), mark);
    if (!value->is_string()) {
      return fail(mark, Reason::syntax,
                  "expected a string as key, found a " + std::string(name_of(value->kind())));
    }
    Open& object = open_.back();
    object.key = value->string();
    object.has_key = true;
    object.marks.push_back(mark);
    return true;
  }

  static std::expected<Value, std::string> resolve(const yaml_char_t* tag, std::string_view text,
                                                   bool plain) {
    const std::string_view name = view(tag);
    if (plain) return resolve_plain(text);
    if (name.empty() || name == "!") return Value(text);
    if (name.starts_with(kCoreTagPrefix)) {
      return resolve_tagged(name.substr(kCoreTagPrefix.size()), text);
    }
    return std::unexpected<std::string>("tags other than those of the core schema are refused");
  }

  bool begin(const yaml_char_t* anchor, const yaml_char_t* tag, bool object, std::size_t mark) {
    if (anchor != nullptr) return fail(mark, Reason::syntax, "anchors are refused");
    if (key_is_due()) return fail(mark, Reason::syntax, "expected a string as key");
    const std::string_view name = view(tag);
    if (!name.empty() && name != "!" &&
        (!name.starts_with(kCoreTagPrefix) ||
         name.substr(kCoreTagPrefix.size()) != (object ? "map" : "seq"))) {
      return fail(mark, Reason::syntax, "tags other than those of the core schema are refused");
    }
    if (open_.size() == depth_max_) {
      return fail(mark, Reason::limit, "nested deeper than " + std::to_string(depth_max_));
    }
    open_.push_back({.object = object, .key = {}});
    return count(mark);
  }

  bool end() {
    Open ended = std::move(open_.back());
    open_.pop_back();
    if (!ended.object) {
      place(Value::from_items(std::move(ended.items)));
      return true;
    }
    if (const auto again = find_duplicate(ended.members, names_)) {
      return fail(ended.marks[*again], Reason::duplicate_key,
                  describe_duplicate(ended.members[*again].name()));
    }
    place(Value::from_members(std::move(ended.members)));
    return true;
  }

  bool add(Value value, std::size_t mark) {
    if (!count(mark)) return false;
    place(std::move(value));
    return true;
  }

  bool count(std::size_t mark) {
    if (values_++ < values_max_) return true;
    return fail(mark, Reason::limit, "more than " + std::to_string(values_max_) + " values");
  }

  void place(Value value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (Open& parent = open_.back(); parent.object) {
      parent.members.emplace_back(parent.key, std::move(value));
      parent.has_key = false;
    } else {
      parent.items.push_back(std::move(value));
    }
  }

  void fail_in_libyaml() {
    const std::string problem = parser_.problem != nullptr ? parser_.problem : "out of memory";
    if (parser_.error == YAML_READER_ERROR) {
      fail_at(parser_.problem_offset, Reason::encoding, "not YAML: " + problem);
    } else {
      const bool memory = parser_.error == YAML_MEMORY_ERROR;
      fail(parser_.problem_mark.index, memory ? Reason::limit : Reason::syntax,
           "not YAML: " + problem);
    }
  }

  bool fail(std::size_t characters, Reason reason, std::string message) {
    return fail_at(to_offset(text_, characters), reason, std::move(message));
  }
  bool fail_at(std::size_t offset, Reason reason, std::string message) {
    error_.reason = reason;
    error_.offset = offset;
    error_.message = std::move(message);
    return false;
  }
  ParseError error() {
    error_.locate(text_);
    return std::move(error_);
  }

  std::string_view text_;
  std::size_t bytes_max_;
  std::size_t depth_max_;
  std::size_t values_max_;
  yaml_parser_t parser_ = {};
  bool started_ = false;
  bool ended_ = false;
  std::size_t documents_ = 0;
  std::size_t values_ = 0;
  std::vector<Open> open_;
  std::vector<NameEntry> names_;
  Value root_;
  ParseError error_;
};

}  // namespace

std::expected<Value, ParseError> parse_yaml(std::string_view text, const ParseOptions& options) {
  return YamlReader(text, options).read();
}

}  // namespace squall::json
