#include "scalar_texts.h"

#include <yaml.h>

namespace squall::json {

namespace {

/// Follows where keys are due: those scalars are no values.
class ScalarCollector {
 public:
  std::vector<std::string> collect(std::string_view text) {
    yaml_parser_t parser;
    if (yaml_parser_initialize(&parser) == 0) return {};
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    const char* bytes = text.empty() ? "" : text.data();
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(bytes),
                                 text.size());
    bool more = true;
    while (more) {
      yaml_event_t event;
      if (yaml_parser_parse(&parser, &event) == 0) break;
      more = take(event);
      yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return std::move(texts_);
  }

 private:
  struct Level {
    bool mapping;
    bool at_value = false;
  };

  bool take(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_SCALAR_EVENT:
        if (value_begins()) {
          texts_.emplace_back(reinterpret_cast<const char*>(event.data.scalar.value),
                              event.data.scalar.length);
        }
        return true;
      case YAML_SEQUENCE_START_EVENT:
      case YAML_MAPPING_START_EVENT:
        static_cast<void>(value_begins());
        levels_.push_back({event.type == YAML_MAPPING_START_EVENT});
        return true;
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        levels_.pop_back();
        return true;
      default:
        return event.type != YAML_DOCUMENT_END_EVENT && event.type != YAML_STREAM_END_EVENT;
    }
  }

  /// Whether what begins now is a value; else it is a key.
  bool value_begins() {
    if (levels_.empty() || !levels_.back().mapping) return true;
    Level& level = levels_.back();
    level.at_value = !level.at_value;
    return !level.at_value;
  }

  std::vector<Level> levels_;
  std::vector<std::string> texts_;
};

}  // namespace

std::vector<std::string> scalar_texts(std::string_view text) {
  return ScalarCollector().collect(text);
}

}  // namespace squall::json
