#include "sites.h"

#include <algorithm>

#include "squall/json/parse.h"

namespace squall::cases {

std::optional<json::Value> read_site(std::string_view text) {
  auto value = json::parse(text);
  if (!value || value->items().empty() || !value->items().front().is_string()) return std::nullopt;
  return *std::move(value);
}

std::string word_of(const json::Value& site) {
  return site.items().empty() ? "" : std::string(site.items().front().string());
}

json::Value site_of(const recording::Decision& decision) {
  for (const recording::Considered& rule : decision.rules) {
    if (rule.site.empty()) continue;
    if (auto site = read_site(rule.site)) return *std::move(site);
  }
  return {};
}

bool is_noop(const recording::Decision& decision) {
  return std::ranges::any_of(decision.rules, [](const recording::Considered& rule) {
    return rule.standing == recording::Standing::noop;
  });
}

}  // namespace squall::cases
