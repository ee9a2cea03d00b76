#include "pipeline.h"

#include <charconv>

#include "squall/base/text.h"

namespace squall::server {

namespace {
constexpr std::string_view kCursorPrefix = "page:";
}  // namespace

const ResourceEntry* Pipeline::match_template(std::string_view uri,
                                              mcp::UriTemplate::Variables& variables) const {
  for (const ResourceEntry& entry : templates) {
    if (auto found = entry.uri_template->match(uri)) {
      variables = std::move(*found);
      return &entry;
    }
  }
  return nullptr;
}

const ResourceEntry* Pipeline::find_template(std::string_view text) const {
  for (const ResourceEntry& entry : templates) {
    if (entry.uri == text) return &entry;
  }
  return nullptr;
}

std::string make_cursor(std::size_t page) {
  return base::base64url_encode(std::string(kCursorPrefix) + std::to_string(page));
}

std::optional<std::size_t> read_cursor(std::string_view text) {
  const std::optional<std::string> plain = base::base64url_decode(text);
  if (!plain || !plain->starts_with(kCursorPrefix)) return std::nullopt;
  std::size_t page = 0;
  const char* begin = plain->data() + kCursorPrefix.size();
  const char* end = plain->data() + plain->size();
  const auto [stop, error] = std::from_chars(begin, end, page);
  if (error != std::errc() || stop != end) return std::nullopt;
  return page;
}

}  // namespace squall::server
