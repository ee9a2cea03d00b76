#pragma once

#include <string>
#include <string_view>

namespace squall::auth {

/// A text that must not be seen: a token, a client secret, a verifier. It has no way into a stream
/// or a message but `reveal`, and overwrites its memory when it goes away.
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string text) : text_(std::move(text)) {}
  explicit Secret(std::string_view text) : text_(text) {}
  explicit Secret(const char* text) : text_(text) {}
  Secret(const Secret& other) = default;
  Secret(Secret&& other) noexcept;
  Secret& operator=(const Secret& other);
  Secret& operator=(Secret&& other) noexcept;
  ~Secret() { wipe(); }

  /// The text itself: for the wire and the store, never for a log or an error.
  [[nodiscard]] const std::string& reveal() const { return text_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  /// In time that depends on the lengths alone.
  friend bool operator==(const Secret& a, const Secret& b) { return a.equals(b.text_); }
  [[nodiscard]] bool equals(std::string_view text) const;

 private:
  void wipe() noexcept;
  std::string text_;
};

}  // namespace squall::auth
