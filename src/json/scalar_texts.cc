#include "scalar_texts.h"

#include "yaml_events.h"

namespace squall::json {

namespace {

/// Follows where keys are due: those scalars are no values.
class ScalarCollector {
 public:
  std::vector<std::string> collect(std::string_view text) {
    for_each_yaml_event(text, [this](const yaml_event_t& event) { return take(event); });
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
