#pragma once

#include <cstddef>
#include <memory>

#include "squall/json/parse.h"

namespace squall::server {

/// Documents for one message after another: the one of the message before is used again, memory and
/// all, unless somebody still holds it. For one loop.
class DocumentSlot {
 public:
  /// A document to parse a text of `bytes` into. Large ones are left alone, so that what an idle
  /// peer costs stays small.
  [[nodiscard]] std::shared_ptr<json::Document> take(std::size_t bytes) {
    constexpr std::size_t kReusedBytesMax = 64 << 10;
    if (bytes > kReusedBytesMax) return std::make_shared<json::Document>();
    if (spare_.use_count() != 1) spare_ = std::make_shared<json::Document>();
    return spare_;
  }

 private:
  std::shared_ptr<json::Document> spare_;  // shared with the message that it was taken for
};

}  // namespace squall::server
