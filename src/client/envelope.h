#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "squall/client/options.h"
#include "squall/json/value.h"
#include "squall/mcp/revision.h"

namespace squall::client {

/// Writes our messages in the shape of one revision.
class Envelope {
 public:
  Envelope(const Options& options, mcp::Revision revision);

  [[nodiscard]] mcp::Revision revision() const noexcept { return revision_; }
  [[nodiscard]] bool is_modern() const noexcept { return modern_; }

  /// What goes into `params._meta` besides the envelope.
  struct Meta {
    const json::Value* members = nullptr;  ///< the caller's; they win
    bool progress = false;                 ///< the id is the token
    std::optional<mcp::LogLevel> log_level{};
  };
  /// `members` are the members of `params` as JSON text without braces, without `_meta`.
  [[nodiscard]] std::string request(std::int64_t id, std::string_view method,
                                    std::string_view members, const Meta& meta) const;
  [[nodiscard]] std::string notification(std::string_view method, std::string_view members) const;

 private:
  void append_params(std::string& out, std::string_view members, const Meta& meta,
                     std::optional<std::int64_t> token) const;

  mcp::Revision revision_;
  bool modern_;
  json::Value own_;       // the members that a modern request needs
  std::string own_text_;  // the same as JSON text, without braces
};

/// The `capabilities` object that declares what `options` say.
[[nodiscard]] json::Value capabilities_of(const Options& options, mcp::Revision revision);
/// `"name":"text"`, behind a comma if `out` isn't empty.
void append_member(std::string& out, std::string_view name, std::string_view text);
void append_value(std::string& out, std::string_view name, const json::Value& value);
/// The members of an object but for `_meta`, without braces.
[[nodiscard]] std::string members_of(const json::Value& params);

}  // namespace squall::client
