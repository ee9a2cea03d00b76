#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "squall/client/client.h"

#include "caller.h"
#include "rounds.h"
#include "tools.h"

namespace squall::client {

enum class ListKind : std::uint8_t { tools, prompts, resources, templates };

/// Walks lists, reads resources, and keeps both for as long as the server allows.
///
/// What is kept belongs to one client, and so to one user: `private` and `public` are the same.
class Lists {
 public:
  Lists(Caller& caller, Rounds& rounds, Tools& tools)
      : caller_(caller), rounds_(rounds), tools_(tools) {}

  Task<Outcome<Listing>> list(ListKind kind, CallOptions options);
  Task<Outcome<Answer>> read(std::string uri, CallOptions options);

  void forget(ListKind kind);
  void forget_resource(std::string_view uri);
  void forget_all();

 private:
  struct Walk;
  struct KeptListing {
    Listing listing;
    runtime::TimePoint until;
    std::size_t bytes;
  };
  struct KeptResource {
    Answer answer;
    runtime::TimePoint until;
    std::size_t bytes;
  };

  void drop(ListKind kind);
  /// Forgets resources until so many bytes more may be kept; whether that is enough.
  [[nodiscard]] bool make_room(std::size_t bytes);
  Task<Outcome<Listing>> walk(ListKind kind, CallOptions options);
  [[nodiscard]] std::optional<Failure> take_page(Walk& walk, const Answer& answer);
  void take_entry(Walk& walk, const json::Value& entry);
  void next_cursor(Walk& walk, const json::Value& page);
  void drop(std::string_view uri);
  void keep_resource(const std::string& uri, const Answer& answer);

  Caller& caller_;
  Rounds& rounds_;
  Tools& tools_;
  std::map<ListKind, KeptListing> listings_;
  std::map<std::string, KeptResource, std::less<>> resources_;
  std::size_t kept_bytes_ = 0;
  std::uint64_t changes_ = 0;  // counts what made us forget, so that nothing older is kept after it
};

}  // namespace squall::client
