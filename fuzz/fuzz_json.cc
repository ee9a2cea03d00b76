#include <cstddef>
#include <cstdint>
#include <string_view>

#include "squall/base/assert.h"
#include "squall/json/canonical.h"
#include "squall/json/number.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace {

using namespace squall::json;

void check_error(const ParseError& error, std::string_view text) {
  SQUALL_ASSERT(error.offset <= text.size());
  SQUALL_ASSERT(error.line >= 1);
  SQUALL_ASSERT(error.message.size() < 400);  // 40 bytes, each at most escaped to six, and words
}

/// Canonical text is stable, and equal to the value it came from.
void check_canonical(const Value& value) {
  const auto once = canonical(value);
  if (!once) return;
  const auto again = parse(*once);
  SQUALL_ASSERT(again.has_value());
  SQUALL_ASSERT(*again == value);
  SQUALL_ASSERT(canonical(*again).value() == *once);
}

void check_value(const Value& value, const ParseOptions& options) {
  const std::string written = to_string(value);
  const auto again = parse(written, options);
  SQUALL_ASSERT(again.has_value());
  SQUALL_ASSERT(*again == value);
  SQUALL_ASSERT(to_string(*again) == written);
  SQUALL_ASSERT(parse(to_pretty_string(value), options).has_value());
}

void check_numbers(const Value& value) {
  if (!value.is_array()) return;
  const auto items = value.items();
  for (std::size_t i = 1; i < items.size(); ++i) {
    const Value& a = items[i - 1];
    const Value& b = items[i];
    if (!a.is_number() || !b.is_number()) continue;
    const auto order = compare_numbers(a.number_text(), b.number_text());
    SQUALL_ASSERT(compare_numbers(b.number_text(), a.number_text()) == 0 <=> order);
    SQUALL_ASSERT((order == 0) == (a == b));
    if (order == 0) SQUALL_ASSERT(is_multiple_of(a.number_text(), b.number_text()) != false);
    if (const auto whole = a.as_int64()) SQUALL_ASSERT(Value(*whole) == a);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Document document;  // warm, so that what one text leaves behind meets the next
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const Duplicates duplicates : {Duplicates::refuse, Duplicates::keep}) {
    const ParseOptions options = {.duplicates = duplicates};
    const auto parsed = document.parse_borrowed(text, options);
    const auto owned = parse(text, options);
    SQUALL_ASSERT(parsed.has_value() == owned.has_value());
    if (!parsed) {
      check_error(parsed.error(), text);
      continue;
    }
    SQUALL_ASSERT(*owned == document.root());
    check_value(document.root(), options);
    check_canonical(*owned);
    check_numbers(*owned);
  }
  return 0;
}
