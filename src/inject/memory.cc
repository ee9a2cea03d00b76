#include "memory.h"

namespace squall::inject {

namespace {
constexpr std::size_t kToolsMax = 2000;  // whose schemas are kept
}

void Memory::remember(std::string_view tool, std::string_view arguments, const json::Value& result,
                      std::size_t bytes) {
  const json::Value* failed = result.find("isError");
  if (failed != nullptr && failed->boolean()) return;
  if (bytes > bytes_max_ || results_max_ == 0) return;
  results_.push_back({std::string(tool), std::string(arguments), result, bytes});
  bytes_ += bytes;
  while (results_.size() > results_max_ || bytes_ > bytes_max_) {
    bytes_ -= results_.front().bytes;
    results_.pop_front();
  }
}

const json::Value* Memory::find(std::string_view tool, std::optional<std::string_view> arguments,
                                std::uint64_t age) const {
  for (auto at = results_.rbegin(); at != results_.rend(); ++at) {
    if (at->tool != tool || (arguments && at->arguments != *arguments)) continue;
    if (age-- <= 1) return &at->result;
  }
  return nullptr;
}

void Memory::learn_tools(const json::Value& list) {
  const json::Value* tools = list.find("tools");
  if (tools == nullptr) return;
  for (const json::Value& tool : tools->items()) {
    const auto name = tool.find_string("name");
    const json::Value* promised = tool.find("outputSchema");
    if (!name || promised == nullptr) continue;
    const auto known = promises_.find(*name);
    if (known != promises_.end() && known->second.text == *promised) continue;
    if (known == promises_.end() && promises_.size() >= kToolsMax) continue;
    auto compiled = schema::Schema::compile(*promised);
    Promise promise{*promised, std::nullopt};
    if (compiled) promise.compiled = *std::move(compiled);
    promises_.insert_or_assign(std::string(*name), std::move(promise));
  }
}

const json::Value* Memory::output_schema(std::string_view tool) const {
  const auto at = promises_.find(tool);
  return at == promises_.end() ? nullptr : &at->second.text;
}

bool Memory::keeps_schema(std::string_view tool, const json::Value& result) const {
  const auto at = promises_.find(tool);
  const json::Value* structured = result.find("structuredContent");
  if (at == promises_.end() || !at->second.compiled || structured == nullptr) return true;
  return at->second.compiled->validate(*structured) == schema::Verdict::valid;
}

void Memory::clear() {
  results_.clear();
  promises_.clear();
  bytes_ = 0;
}

}  // namespace squall::inject
