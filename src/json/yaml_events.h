#pragma once

#include <string_view>

#include <yaml.h>

namespace squall::json {

/// Hands libyaml's events of `text` to `take` one by one, until it gives false or the text is over
/// or no YAML any more. An event is valid during its call.
template <typename Take>
void for_each_yaml_event(std::string_view text, Take take) {
  yaml_parser_t parser;
  if (yaml_parser_initialize(&parser) == 0) return;
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
}

}  // namespace squall::json
