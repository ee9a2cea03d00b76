// Rows of a result: an array that the structured content, or the JSON of a text, holds.
#include <algorithm>
#include <optional>

#include "squall/fault/mutate.h"
#include "squall/json/pointer.h"
#include "squall/json/write.h"

#include "result_view.h"

namespace squall::fault {

namespace {

constexpr std::size_t kArraysMax = 1000;

/// The arrays with at least `rows` elements, outermost first.
std::vector<Option> find_arrays(const json::Value& root, std::size_t rows) {
  struct Pending {
    const json::Value* value;
    std::string pointer;
  };
  std::vector<Option> out;
  std::vector<Pending> pending = {{&root, ""}};
  for (std::size_t i = 0; i < pending.size() && i < kArraysMax; ++i) {
    const Pending at = pending[i];
    if (at.value->is_array() && at.value->size() >= rows) out.push_back({at.pointer, 1});
    for (std::size_t n = 0; n < at.value->items().size() && pending.size() < kArraysMax; ++n) {
      pending.push_back({&at.value->items()[n], at.pointer + "/" + std::to_string(n)});
    }
    for (const json::Member& member : at.value->members()) {
      if (pending.size() >= kArraysMax) break;
      std::string pointer = at.pointer;
      json::append_pointer_token(pointer, member.name());
      pending.push_back({&member.value, std::move(pointer)});
    }
  }
  return out;
}

using Rows = std::vector<json::Value>;

std::size_t row_in(const Draws& draws, const std::string& purpose, std::size_t count,
                   std::uint64_t lane) {
  return static_cast<std::size_t>(
      draws.integer(purpose, 0, static_cast<std::int64_t>(count) - 1, lane));
}

Rows reorder(const Rows& rows, const Draws& draws, const std::string& purpose) {
  Rows out;
  for (const std::size_t i : draws.order(purpose, rows.size())) out.push_back(rows[i]);
  return out;
}

/// Two neighbouring rows exchange the value of one member that differs.
Rows swap_values(Rows rows, const Draws& draws, const std::string& purpose, std::uint64_t lane) {
  const std::size_t first = row_in(draws, purpose, rows.size() - 1, lane);
  json::Value& a = rows[first];
  json::Value& b = rows[first + 1];
  std::vector<Option> names;
  for (const json::Member& member : a.members()) {
    const json::Value* other = b.find(member.name());
    if (other != nullptr && *other != member.value)
      names.push_back({std::string(member.name()), 1});
  }
  if (names.empty()) return rows;
  const std::string name = names[draws.pick("member:" + purpose, names, lane)].name;
  std::swap(*a.find(name), *b.find(name));
  return rows;
}

Rows change_once(Rows rows, std::string_view change, const Draws& draws, const std::string& purpose,
                 std::uint64_t lane) {
  if (rows.empty()) return rows;
  if (change == "reordered") return reorder(rows, draws, purpose);
  if (change == "swapped") {
    return rows.size() < 2 ? rows : swap_values(std::move(rows), draws, purpose, lane);
  }
  const auto at = static_cast<std::ptrdiff_t>(row_in(draws, purpose, rows.size(), lane));
  if (change == "dropped") {
    rows.erase(rows.begin() + at);
  } else {
    const json::Value row = rows[static_cast<std::size_t>(at)];
    rows.insert(rows.begin() + at, row);
  }
  return rows;
}

}  // namespace

Mutation change_rows(const json::Value& result, const Draws& draws, std::string_view change,
                     std::size_t count) {
  ResultView view(result);
  Mutation out;
  const bool alone_suffices = change == "dropped" || change == "duplicated";
  const std::vector<Option> arrays = view.told() == nullptr
                                         ? std::vector<Option>()
                                         : find_arrays(*view.told(), alone_suffices ? 1 : 2);
  if (!arrays.empty()) {
    const std::string pointer = arrays[draws.pick("target", arrays)].name;
    const json::Value* array = json::Pointer::parse(pointer)->find(*view.told());
    const Rows before(array->items().begin(), array->items().end());
    Rows rows = before;
    const std::size_t times = change == "reordered" ? 1 : std::max<std::size_t>(count, 1);
    for (std::uint64_t lane = 0; lane < times && lane < before.size(); ++lane) {
      rows = change_once(std::move(rows), change, draws, "mutate:" + pointer, lane);
    }
    if (rows != before) {
      const json::Value was = *array;
      json::Value now = json::Value::from_items(std::move(rows));
      json::Value whole = *view.told();
      *find_in(whole, *json::Pointer::parse(pointer)) = now;
      view.replace_all(std::move(whole));
      out.changes.push_back(
          {pointer, std::string(change), json::to_string(was), json::to_string(now)});
    }
  }
  out.result = view.take();
  return out;
}

}  // namespace squall::fault
