#include "positions.h"

#include "squall/json/pointer.h"

#include "yaml_events.h"

namespace squall::json {

namespace {

/// The places that a path leads to so far, by their numbers.
using Matching = std::vector<std::size_t>;

/// A sequence or mapping that has not ended.
struct Level {
  Matching matching;
  bool mapping;
  std::size_t next = 0;  // element
  bool at_value = false;
  std::string key{};
};

/// YAML contains JSON, so one reader knows the places in both.
class Walker {
 public:
  explicit Walker(const std::vector<Place>& places) : places_(places), found_(places.size()) {
    for (const Place& place : places) {
      const auto pointer = Pointer::parse(place.pointer);
      tokens_.push_back(pointer ? pointer->tokens() : std::vector<std::string>());
    }
  }

  std::vector<std::optional<Position>> walk(std::string_view text) {
    for_each_yaml_event(text, [this](const yaml_event_t& event) { return take(event); });
    return std::move(found_);
  }

 private:
  bool take(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_SCALAR_EVENT:
        scalar(event);
        return true;
      case YAML_SEQUENCE_START_EVENT:
      case YAML_MAPPING_START_EVENT:
        levels_.push_back({begin_value(event), event.type == YAML_MAPPING_START_EVENT});
        return true;
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        levels_.pop_back();
        return true;
      default:
        return event.type != YAML_DOCUMENT_END_EVENT && event.type != YAML_STREAM_END_EVENT;
    }
  }

  void scalar(const yaml_event_t& event) {
    if (!levels_.empty() && levels_.back().mapping && !levels_.back().at_value) {
      Level& level = levels_.back();
      level.key.assign(reinterpret_cast<const char*>(event.data.scalar.value),
                       event.data.scalar.length);
      level.at_value = true;
      note(narrow(level.matching, level.key), event, true);
      return;
    }
    begin_value(event);
  }

  /// The places at or within the value that begins with `event`.
  Matching begin_value(const yaml_event_t& event) {
    Matching matching;
    if (levels_.empty()) {
      for (std::size_t i = 0; i < places_.size(); ++i) matching.push_back(i);
    } else {
      Level& level = levels_.back();
      const std::string token = level.mapping ? level.key : std::to_string(level.next++);
      matching = narrow(level.matching, token);
      level.at_value = false;
    }
    note(matching, event, false);
    return matching;
  }

  Matching narrow(const Matching& matching, const std::string& token) const {
    Matching out;
    const std::size_t depth = levels_.size() - 1;
    for (const std::size_t i : matching) {
      if (depth < tokens_[i].size() && tokens_[i][depth] == token) out.push_back(i);
    }
    return out;
  }

  void note(const Matching& matching, const yaml_event_t& event, bool key) {
    for (const std::size_t i : matching) {
      if (tokens_[i].size() != levels_.size() || places_[i].of_key != key || found_[i]) continue;
      found_[i] = Position{event.start_mark.line + 1, event.start_mark.column + 1};
    }
  }

  const std::vector<Place>& places_;
  std::vector<std::vector<std::string>> tokens_;
  std::vector<std::optional<Position>> found_;
  std::vector<Level> levels_;
};

}  // namespace

std::vector<std::optional<Position>> find_positions(std::string_view text,
                                                    const std::vector<Place>& places) {
  return Walker(places).walk(text);
}

}  // namespace squall::json
