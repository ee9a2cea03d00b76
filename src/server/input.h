#pragma once

#include <string>
#include <string_view>

#include "squall/base/result.h"

#include "form_schemas.h"
#include "request.h"

/// @file Input from the client: `input_required` results and their sealed state since 2026-07-28,
/// requests of ours before.

namespace squall::server {

/// The rounds of questions one call may take.
inline constexpr std::size_t kRoundsMax = 8;

[[nodiscard]] std::string_view method_of(const InputRequest& question) noexcept;

/// Whether `answer`, a bare result, answers `question`: the right shape, and for an accepted form
/// content that its schema accepts.
[[nodiscard]] bool is_usable_answer(const InputRequest& question, const json::Value& answer,
                                    FormSchemas& forms);

/// The capability that `question` needs and the client lacks, as a ClientCapabilities object; null
/// when it lacks none.
[[nodiscard]] json::Value missing_capability(const InputRequest& question,
                                             const mcp::ClientCapabilities& client);

/// Takes `inputResponses` and `requestState` from the params of a retry. Fails on a state that is
/// not ours, has expired, or was made for another request.
[[nodiscard]] Result<void> take_input(ServedRequest& request, std::string_view target);

/// Answers with the noted questions: an `input_required` result, or an error when the client can't
/// be asked. `target` is what the request is about: the tool's or prompt's name, the URI.
void respond_input_required(ServedRequest& request, std::string_view target);

/// Sends the noted questions to a legacy client as requests of ours, or makes them its task's.
/// Gives what is wrong when they can't be asked. Await `ServedRequest::Answers` next.
[[nodiscard]] Result<void> send_questions(ServedRequest& request);

}  // namespace squall::server
