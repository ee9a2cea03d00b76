#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/client/link.h"
#include "squall/lab/adapter.h"
#include "squall/recording/case_reader.h"

/// @file A server made of what a case recorded: the clean answers, at the times they took.

namespace squall::lab {

/// The answers of a case, given out in its order. For one replay, on one loop.
class SealedAnswers {
 public:
  struct Reply {
    std::string text;
    std::chrono::nanoseconds after{};  ///< since the request reached the server
    bool response = false;
    std::optional<int> status{};  ///< of HTTP, where it was recorded
  };
  struct Answer {
    std::string id;  ///< the request's, as JSON text
    std::vector<Reply> replies;
    /// Why no response came, where the case says that the connection was lost.
    std::optional<std::pair<std::chrono::nanoseconds, std::string>> lost{};
  };

  /// Fails when a payload can't be read.
  [[nodiscard]] static Result<std::shared_ptr<SealedAnswers>> of(const recording::Case& from);

  /// What comes of the next message with this text's method and arguments; null: the case has no
  /// such message any more.
  [[nodiscard]] const Answer* take(std::string_view text);
  /// A request that the case doesn't have.
  void note_unrecorded(std::string_view text);
  [[nodiscard]] std::uint64_t unrecorded() const noexcept { return unrecorded_; }
  [[nodiscard]] const std::string& first_unrecorded() const noexcept { return first_; }
  [[nodiscard]] bool over_http() const noexcept { return over_http_; }
  [[nodiscard]] const std::string& transport() const noexcept { return transport_; }
  [[nodiscard]] const std::string& peer() const noexcept { return peer_; }

 private:
  friend class SealedReading;
  std::map<std::string, std::deque<Answer>> answers_;  // by what is asked for
  std::deque<Answer> given_;                           // where those taken live on
  std::uint64_t unrecorded_ = 0;
  std::string first_;
  bool over_http_ = false;
  std::string transport_;
  std::string peer_;
};

/// Answers a request that the case doesn't have, where there is a server to ask; the text of the
/// response goes to `done`, or nothing when none came.
using AskElsewhere = std::function<void(
    std::string request, std::move_only_function<void(std::optional<std::string>)> done)>;

/// A link to that server. An unrecorded request goes to `elsewhere`; without that, it is answered
/// by an error that says so. `loop` and `answers` outlive it.
[[nodiscard]] std::unique_ptr<client::Link> make_sealed_link(runtime::Loop& loop,
                                                             SealedAnswers& answers,
                                                             AskElsewhere elsewhere = {});

/// That server as a target, in this process. `learns_tools`: as the recorded client did. What isn't
/// recorded goes to `live`, which outlives it; null: it gets an error.
[[nodiscard]] std::unique_ptr<Target> make_sealed_target(std::shared_ptr<SealedAnswers> answers,
                                                         bool learns_tools, Target* live = nullptr);

}  // namespace squall::lab
