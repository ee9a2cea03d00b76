#include "squall/client/era_cache.h"

#include <map>
#include <mutex>

namespace squall::client {

namespace {

constexpr std::size_t kOriginsMax = 1'024;

}  // namespace

struct EraCache::State {
  std::mutex mutex;
  std::map<std::string, bool> modern;
};

EraCache::EraCache() : state_(std::make_unique<State>()) {}
EraCache::~EraCache() = default;

std::optional<bool> EraCache::is_modern(const std::string& origin) const {
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->modern.find(origin);
  if (found == state_->modern.end()) return std::nullopt;
  return found->second;
}

void EraCache::remember(const std::string& origin, bool modern) {
  const std::lock_guard lock(state_->mutex);
  // Forgetting costs a question more, so any way of making room will do.
  if (state_->modern.size() >= kOriginsMax) state_->modern.clear();
  state_->modern[origin] = modern;
}

void EraCache::forget(const std::string& origin) {
  const std::lock_guard lock(state_->mutex);
  state_->modern.erase(origin);
}

}  // namespace squall::client
