#pragma once

#include <functional>
#include <memory>
#include <string>

#include "squall/base/result.h"
#include "squall/client/client.h"
#include "squall/lab/adapter.h"

namespace squall::lab {

/// What a client's connection is made of.
struct ClientSubjectOptions {
  std::function<Result<std::unique_ptr<client::Link>>()> make_link{};  ///< called by `setup`
  client::Options client{};
  std::string transport{};
  std::string peer{};
  /// Whether calls look at the tool's declaration first: headers for arguments, output schemas.
  bool learns_tools = true;
};

/// A connection of our own client. `loop` and `wire` outlive it.
[[nodiscard]] std::unique_ptr<Subject> make_client_subject(runtime::Loop& loop, Wire& wire,
                                                           ClientSubjectOptions options);

/// How a scenario's word for a revision is negotiated.
[[nodiscard]] client::Negotiation negotiation_of(Protocol protocol) noexcept;

}  // namespace squall::lab
