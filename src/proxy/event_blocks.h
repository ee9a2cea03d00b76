#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace squall::proxy {

/// Cuts an event stream into its events without changing a byte: each block ends with the blank
/// line that ends its event, and all blocks together are the stream. Comments between events come
/// as soon as their line is whole, so that nothing that keeps a connection alive waits.
class EventBlocks {
 public:
  explicit EventBlocks(std::size_t block_bytes_max) : block_bytes_max_(block_bytes_max) {}
  /// False when an event grew beyond the limit. `on_block` must not destroy this.
  [[nodiscard]] bool feed(std::string_view bytes,
                          const std::function<void(std::string_view)>& on_block);
  /// What has no end yet.
  [[nodiscard]] const std::string& rest() const noexcept { return block_; }

 private:
  std::size_t block_bytes_max_;
  std::string block_;
  std::size_t line_at_ = 0;  // where in the block its last line begins
  bool has_field_ = false;
  bool after_cr_ = false;  // a line feed belongs to the line that has ended
};

}  // namespace squall::proxy
