#include <cstddef>
#include <cstdint>
#include <string_view>

#include "squall/base/assert.h"
#include "squall/recording/case_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace squall::recording;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // The two files of a case, with an empty line between them.
  const std::size_t gap = text.find("\n\n");
  const std::string_view header = text.substr(0, gap);
  const std::string_view events = gap == text.npos ? "" : text.substr(gap + 2);
  // Whatever is read can be written, and reads as the same again.
  if (const auto read = parse_header(header)) {
    SQUALL_ASSERT(parse_header(to_text(*read).value()).value() == *read);
  }
  if (const auto event = parse_event(events)) {
    SQUALL_ASSERT(parse_event(to_line(*event)).value() == *event);
  }
  if (const auto read = parse_case(header, events)) {
    SQUALL_ASSERT(read->run_hash.empty() == read->events.empty());
  }
  return 0;
}
