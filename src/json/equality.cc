#include <algorithm>
#include <cstdint>
#include <vector>

#include "squall/json/number.h"
#include "squall/json/value.h"

#include "inline_stack.h"

namespace squall::json {

namespace {

struct Pair {
  const Value* a;
  const Value* b;
};
using Pairs = InlineStack<Pair>;

constexpr std::size_t kScanMax = 16;  // members that are matched by looking at all of them

/// Settles scalars at once; containers wait in `pending` and count as equal until they are due.
bool settle(const Value& a, const Value& b, Pairs& pending) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::null:
      return true;
    case Kind::boolean:
      return a.boolean() == b.boolean();
    case Kind::number:
      return compare_numbers(a.number_text(), b.number_text()) == 0;
    case Kind::string:
      return a.string() == b.string();
    case Kind::array:
    case Kind::object:
      if (a.size() != b.size()) return false;
      if (a.size() != 0) pending.push({&a, &b});
      return true;
  }
  return false;
}

bool match_items(std::span<const Value> a, std::span<const Value> b, Pairs& pending) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!settle(a[i], b[i], pending)) return false;
  }
  return true;
}

bool match_few(std::span<const Member> a, std::span<const Member> b, Pairs& pending) {
  std::uint32_t taken = 0;  // a name that stands twice meets its namesakes in order
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t j = 0;
    while (j < b.size() && ((taken >> j & 1U) != 0 || a[i].name() != b[j].name())) ++j;
    if (j == b.size() || !settle(a[i].value, b[j].value, pending)) return false;
    taken |= 1U << j;
  }
  return true;
}

std::vector<const Member*> by_name(std::span<const Member> members) {
  std::vector<const Member*> sorted;
  sorted.reserve(members.size());
  for (const Member& member : members) sorted.push_back(&member);
  std::sort(sorted.begin(), sorted.end(), [](const Member* x, const Member* y) {
    const int order = x->name().compare(y->name());
    return order != 0 ? order < 0 : x < y;
  });
  return sorted;
}

bool match_members(std::span<const Member> a, std::span<const Member> b, Pairs& pending) {
  if (a.size() <= kScanMax) return match_few(a, b, pending);
  const bool same_order =
      std::ranges::equal(a, b, {}, &Member::name, &Member::name);  // as a copy has it
  if (same_order) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!settle(a[i].value, b[i].value, pending)) return false;
    }
    return true;
  }
  const auto left = by_name(a);
  const auto right = by_name(b);
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i]->name() != right[i]->name()) return false;
    if (!settle(left[i]->value, right[i]->value, pending)) return false;
  }
  return true;
}

}  // namespace

bool operator==(const Value& a, const Value& b) noexcept {
  Pairs pending;
  if (!settle(a, b, pending)) return false;
  while (!pending.empty()) {
    const Pair pair = pending.top();
    pending.pop();
    const bool equal = pair.a->is_array()
                           ? match_items(pair.a->items(), pair.b->items(), pending)
                           : match_members(pair.a->members(), pair.b->members(), pending);
    if (!equal) return false;
  }
  return true;
}

}  // namespace squall::json
