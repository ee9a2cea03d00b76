#include "event_blocks.h"

namespace squall::proxy {

bool EventBlocks::feed(std::string_view bytes,
                       const std::function<void(std::string_view)>& on_block) {
  const auto hand_on = [&] {
    if (!block_.empty()) on_block(block_);
    block_.clear();
    line_at_ = 0;
    has_field_ = false;
  };
  for (const char c : bytes) {
    if (after_cr_) {
      after_cr_ = false;
      if (c == '\n') {
        // The line has ended with its CR, and perhaps the block has left.
        block_ += c;
        if (block_.size() == 1) {
          hand_on();
        } else {
          line_at_ = block_.size();
        }
        continue;
      }
    }
    block_ += c;
    if (block_.size() > block_bytes_max_) return false;
    if (c != '\n' && c != '\r') continue;
    after_cr_ = c == '\r';
    const std::string_view line =
        std::string_view(block_).substr(line_at_, block_.size() - 1 - line_at_);
    if (line.empty() || (line.starts_with(':') && !has_field_)) {
      hand_on();
      continue;
    }
    has_field_ = has_field_ || !line.starts_with(':');
    line_at_ = block_.size();
  }
  return true;
}

}  // namespace squall::proxy
