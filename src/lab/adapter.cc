#include "squall/lab/adapter.h"

#include <utility>

#include "squall/json/strict.h"
#include "squall/lab/builtin.h"

#include "adapters.h"

namespace squall::lab {

Result<std::shared_ptr<const recording::Redactor>> Target::redactor(
    const Environment& /*environment*/) const {
  return std::make_shared<const recording::Redactor>();
}

AdapterRegistry::AdapterRegistry() {
  adapters_.emplace("mcp", read_mcp_target);
  adapters_.emplace("builtin", read_builtin_target);
}

Result<void> AdapterRegistry::add(std::string name, Adapter adapter) {
  const auto [place, added] = adapters_.try_emplace(std::move(name), std::move(adapter));
  if (added) return {};
  return fail(ErrorKind::invalid, "target-client adapter is already registered: " + place->first);
}

Result<std::unique_ptr<Target>> AdapterRegistry::read(const std::string& file,
                                                      const std::string& text) const {
  SQUALL_TRY(auto strict, json::StrictFile::parse(file, text, json::Quoting::never));
  const json::Value* const name = strict.root().value().find("adapter");
  if (name == nullptr || !name->is_string()) return adapters_.at("mcp")(file, text);
  const auto found = adapters_.find(name->string());
  if (found == adapters_.end()) {
    std::string known;
    for (const auto& [each, adapter] : adapters_) known += (known.empty() ? "" : ", ") + each;
    // Not quoted: whoever has mixed up two lines may have put a secret there.
    return fail(ErrorKind::not_found, file + ": unknown target-client adapter; there is " + known);
  }
  return found->second(file, text);
}

}  // namespace squall::lab
