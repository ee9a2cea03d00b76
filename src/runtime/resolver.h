#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "squall/runtime/loop.h"

#include "address.h"

namespace squall::runtime {

using ResolveHandler = std::move_only_function<void(Result<std::vector<Address>>)>;

/// Looks names up on threads of its own, for the system's resolver blocks and cannot be cancelled.
///
/// Destroying it abandons lookups under way: their threads end when the system lets them, and touch
/// neither handlers nor the loop any more.
class Resolver {
 public:
  explicit Resolver(Loop& loop);
  ~Resolver();
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;

  /// Calls `on_resolved` on the loop.
  void resolve(const std::string& host, std::uint16_t port, ResolveHandler on_resolved);

 private:
  struct Shared;
  static void work(const std::shared_ptr<Shared>& shared);

  std::shared_ptr<Shared> shared_;  // with the threads, which may outlive us
};

}  // namespace squall::runtime
