#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "squall/json/value.h"
#include "squall/schema/schema.h"

namespace squall::server {

/// The schemas of the forms that handlers have clients fill in, each compiled once, however many
/// calls ask with it. For all loops; bounded, so that forms made up call by call don't pile up.
class FormSchemas {
 public:
  /// Null when `schema` is none.
  [[nodiscard]] std::shared_ptr<const schema::Schema> of(const json::Value& schema);

 private:
  static constexpr std::size_t kKeptMax = 256;
  static constexpr std::size_t kKeptBytesMax = 16 << 10;  ///< of one schema's text
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const schema::Schema>> by_text_;
};

}  // namespace squall::server
