#include "squall/fault/mutate.h"

#include <algorithm>
#include <optional>

#include "squall/json/pointer.h"
#include "squall/json/write.h"

#include "operators.h"
#include "result_view.h"

namespace squall::fault {

namespace {

constexpr std::uint64_t kLanes = 8;
constexpr std::size_t kTargetsMax = 10'000;  // of one result; what lies behind stays as it is

/// A value that can be made wrong.
struct Target {
  std::string pointer;
  std::string key;  // the member name it stands under
  std::vector<Option> operators;
};

std::vector<Option> operators_for(const json::Value& value, std::string_view key,
                                  const std::vector<std::string>& of) {
  std::vector<Option> out;
  for (const std::string_view name : kOperators) {
    const bool wanted = of.empty() || std::ranges::find(of, name) != of.end() ||
                        std::ranges::find(of, "any") != of.end();
    if (wanted && applies(name, value, key)) out.push_back({std::string(name), 1});
  }
  return out;
}

/// The scalars of `root` that some operator takes, in its order.
void collect(const json::Value& root, const std::vector<std::string>& of,
             std::vector<Target>& targets) {
  struct Pending {
    const json::Value* value;
    std::string pointer;
    std::string key;
  };
  std::vector<Pending> pending = {{&root, "", ""}};
  while (!pending.empty() && targets.size() < kTargetsMax) {
    const Pending at = std::move(pending.back());
    pending.pop_back();
    if (pending.size() > kTargetsMax) break;
    const auto items = at.value->items();
    const auto members = at.value->members();
    for (std::size_t i = items.size(); i-- > 0;) {
      pending.push_back({&items[i], at.pointer + "/" + std::to_string(i), at.key});
    }
    for (std::size_t i = members.size(); i-- > 0;) {
      std::string pointer = at.pointer;
      json::append_pointer_token(pointer, members[i].name());
      pending.push_back({&members[i].value, std::move(pointer), std::string(members[i].name())});
    }
    auto operators = operators_for(*at.value, at.key, of);
    if (!operators.empty()) targets.push_back({at.pointer, at.key, std::move(operators)});
  }
}

/// Takes one of `targets` by weighted rendezvous.
Target take_target(std::vector<Target>& targets, const Draws& draws, std::uint64_t lane) {
  std::vector<Option> options;
  for (const Target& target : targets) options.push_back({target.pointer, 1});
  const std::size_t index = draws.pick("target", options, lane);
  Target out = std::move(targets[index]);
  targets.erase(targets.begin() + static_cast<std::ptrdiff_t>(index));
  return out;
}

const json::Value* value_at(const ResultView& view, const std::string& pointer) {
  if (view.told() == nullptr) return nullptr;
  return json::Pointer::parse(pointer)->find(*view.told());
}

/// Changes what stands at the target until it differs and is accepted.
std::optional<Change> corrupt_target(ResultView& view, const Target& target, const Draws& draws,
                                     const Accept& accept) {
  const std::string name =
      target.operators[draws.pick("operator:" + target.pointer, target.operators)].name;
  const json::Value before = *value_at(view, target.pointer);
  for (std::uint64_t lane = 0; lane < kLanes; ++lane) {
    const json::Value after = mutate(name, before, draws.bits("mutate:" + target.pointer, lane));
    if (after == before) continue;
    ResultView tried = view;
    tried.replace(*json::Pointer::parse(target.pointer), after);
    if (accept && !accept(tried.result())) continue;
    view = std::move(tried);
    return Change{target.pointer, name, json::to_string(before), json::to_string(after)};
  }
  return std::nullopt;
}

/// The same for texts that are no JSON, with `/content/i` as pointers.
std::optional<Change> corrupt_prose(ResultView& view, const Target& target, const Draws& draws,
                                    const Accept& accept) {
  const std::size_t block =
      std::stoull(target.pointer.substr(std::string_view("/content/").size()));
  const std::string before(*view.text(block));
  const std::string name =
      target.operators[draws.pick("operator:" + target.pointer, target.operators)].name;
  for (std::uint64_t lane = 0; lane < kLanes; ++lane) {
    const json::Value after =
        mutate(name, json::Value(before), draws.bits("mutate:" + target.pointer, lane));
    if (after.string() == before) continue;
    ResultView tried = view;
    tried.set_text(block, std::string(after.string()));
    if (accept && !accept(tried.result())) continue;
    view = std::move(tried);
    return Change{target.pointer, name, json::to_string(before), json::to_string(after)};
  }
  return std::nullopt;
}

void collect_prose(const ResultView& view, const std::vector<std::string>& of,
                   std::vector<Target>& targets) {
  for (std::size_t i = 0; i < view.block_count(); ++i) {
    const auto text = view.text(i);
    if (!text) continue;
    auto operators = operators_for(json::Value(*text), "", of);
    if (operators.empty()) continue;
    targets.push_back({"/content/" + std::to_string(i), "", std::move(operators)});
  }
}

}  // namespace

Mutation corrupt(const json::Value& result, const Draws& draws, const CorruptOptions& options) {
  ResultView view(result);
  Mutation out;
  std::vector<Target> targets;
  const bool prose = view.is_prose();
  if (prose) {
    collect_prose(view, options.of, targets);
  } else {
    collect(*view.told(), options.of, targets);
  }
  for (std::uint64_t n = 0; n < options.count && !targets.empty(); ++n) {
    const Target target = take_target(targets, draws, n);
    auto change = prose ? corrupt_prose(view, target, draws, options.accept)
                        : corrupt_target(view, target, draws, options.accept);
    if (change) out.changes.push_back(*std::move(change));
  }
  out.result = view.take();
  return out;
}

}  // namespace squall::fault
