#pragma once

#include <memory>
#include <optional>
#include <string>

namespace squall::client {

/// Remembers which origins are modern, for clients that share it. From any thread; bounded.
class EraCache {
 public:
  EraCache();
  ~EraCache();
  EraCache(const EraCache&) = delete;
  EraCache& operator=(const EraCache&) = delete;

  [[nodiscard]] std::optional<bool> is_modern(const std::string& origin) const;
  void remember(const std::string& origin, bool modern);
  void forget(const std::string& origin);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace squall::client
