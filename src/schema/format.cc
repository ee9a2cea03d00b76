#include "format.h"

#include <algorithm>
#include <array>
#include <vector>

#include "squall/base/text.h"
#include "squall/schema/schema.h"

#include "formats.h"

namespace squall::schema {
namespace {

struct Format {
  std::string_view name;
  bool (*accepts)(std::string_view text);
};

constexpr std::array kFormats = {
    Format{"date", formats::is_date},
    Format{"date-time", formats::is_date_time},
    Format{"duration", formats::is_duration},
    Format{"email", formats::is_email},
    Format{"hostname", formats::is_hostname},
    Format{"ipv4", formats::is_ipv4},
    Format{"ipv6", formats::is_ipv6},
    Format{"iri", formats::is_iri},
    Format{"iri-reference", formats::is_iri_reference},
    Format{"json-pointer", formats::is_json_pointer},
    Format{"regex", formats::is_regex},
    Format{"relative-json-pointer", formats::is_relative_json_pointer},
    Format{"time", formats::is_time},
    Format{"uri", formats::is_uri},
    Format{"uri-reference", formats::is_uri_reference},
    Format{"uri-template", formats::is_uri_template},
    Format{"uuid", formats::is_uuid},
};

}  // namespace

std::optional<std::uint32_t> find_format(std::string_view name) noexcept {
  const auto* found = std::ranges::find(kFormats, name, &Format::name);
  if (found == kFormats.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - kFormats.begin());
}

std::string_view format_name(std::uint32_t format) noexcept { return kFormats[format].name; }

bool has_format(std::uint32_t format, std::string_view text) {
  return kFormats[format].accepts(text);
}

const std::vector<std::string_view>& known_formats() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> list;
    for (const Format& format : kFormats) list.push_back(format.name);
    return list;
  }();
  return names;
}

std::optional<bool> matches_format(std::string_view format, std::string_view text) {
  const auto number = find_format(format);
  if (!number) return std::nullopt;
  if (base::find_invalid_utf8(text) != std::string_view::npos) return false;
  return has_format(*number, text);
}

}  // namespace squall::schema
