#include "settings.h"

#include "squall/base/units.h"

namespace squall::inject {

using std::chrono::nanoseconds;

std::string_view Settings::text(std::string_view name, std::string_view otherwise) const {
  return with_.find_string(name).value_or(otherwise);
}

bool Settings::flag(std::string_view name, bool otherwise) const {
  const json::Value* value = with_.find(name);
  return value == nullptr ? otherwise : value->as_bool().value_or(otherwise);
}

std::uint64_t Settings::count(std::string_view name, std::uint64_t otherwise) const {
  const json::Value* value = with_.find(name);
  return value == nullptr ? otherwise : value->as_uint64().value_or(otherwise);
}

std::int64_t Settings::integer(std::string_view name, std::int64_t otherwise) const {
  const json::Value* value = with_.find(name);
  return value == nullptr ? otherwise : value->as_int64().value_or(otherwise);
}

std::uint64_t Settings::size(std::string_view name, std::uint64_t otherwise) const {
  return base::parse_size(text(name)).value_or(otherwise);
}

nanoseconds Settings::time(std::string_view name, nanoseconds otherwise) const {
  return base::parse_duration(text(name)).value_or(otherwise);
}

bool Settings::is_time(std::string_view name) const {
  return base::parse_duration(text(name)).has_value();
}

nanoseconds Settings::delay(std::string_view name, std::size_t bytes) const {
  const json::Value* value = with_.find(name);
  if (value == nullptr || !value->is_object()) return time(name);
  const auto per_kib = base::parse_duration(value->find_string("per_kib").value_or(""));
  constexpr std::int64_t kLongest = std::int64_t{1} << 52;  // nanoseconds, 52 days: no overflow
  if (!per_kib || per_kib->count() <= 0) return {};
  const auto kib = static_cast<std::int64_t>((bytes + 1023) / 1024);
  return nanoseconds(kib > kLongest / per_kib->count() ? kLongest : kib * per_kib->count());
}

}  // namespace squall::inject
