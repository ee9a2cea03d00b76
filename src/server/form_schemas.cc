#include "form_schemas.h"

#include "squall/json/write.h"

namespace squall::server {

std::shared_ptr<const schema::Schema> FormSchemas::of(const json::Value& schema) {
  std::string text = json::to_string(schema);
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = by_text_.find(text); known != by_text_.end()) return known->second;
  }
  auto compiled = schema::Schema::compile(schema);
  if (!compiled) return nullptr;
  auto shared = std::make_shared<const schema::Schema>(*std::move(compiled));
  if (text.size() > kKeptBytesMax) return shared;
  const std::lock_guard lock(mutex_);
  if (by_text_.size() >= kKeptMax) by_text_.clear();
  by_text_.emplace(std::move(text), shared);
  return shared;
}

}  // namespace squall::server
