#include "squall/auth/secret.h"

#include <utility>

#include <openssl/crypto.h>

namespace squall::auth {

Secret::Secret(Secret&& other) noexcept : text_(std::move(other.text_)) { other.wipe(); }

Secret& Secret::operator=(const Secret& other) {
  if (this != &other) {
    wipe();
    text_ = other.text_;
  }
  return *this;
}

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this != &other) {
    wipe();
    text_ = std::move(other.text_);
    other.wipe();
  }
  return *this;
}

bool Secret::equals(std::string_view text) const {
  return text_.size() == text.size() && CRYPTO_memcmp(text_.data(), text.data(), text.size()) == 0;
}

void Secret::wipe() noexcept {
  // A short text stays in the string's own buffer when it is moved from: all of it is overwritten.
  text_.resize(text_.capacity());
  OPENSSL_cleanse(text_.data(), text_.size());
  text_.clear();
}

}  // namespace squall::auth
