#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "squall/jsonrpc/message.h"
#include "squall/server/outlet.h"

namespace squall::server {

inline constexpr std::size_t kBatchMessagesMax = 100;

/// Gathers the responses to one batch (2025-03-26) into one array.
class Batch {
 public:
  /// `carrier` takes what belongs to the batch's requests before their responses; `done` takes the
  /// array, or "" when no response has come of it. One of the two is last to let go of the batch.
  Batch(std::unique_ptr<Outlet> carrier, std::function<void(Outlet&, std::string)> done)
      : carrier_(std::move(carrier)), done_(std::move(done)) {}
  ~Batch();
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  [[nodiscard]] Outlet& carrier() noexcept { return *carrier_; }
  void add(std::string_view response);
  /// An item as a message; nothing when it may not stand in a batch, which has been answered.
  [[nodiscard]] std::optional<jsonrpc::Message> read(const json::Value& item);
  void refuse(const jsonrpc::Id& id, std::string_view why);

 private:
  std::unique_ptr<Outlet> carrier_;
  std::function<void(Outlet&, std::string)> done_;
  std::string responses_;
};

/// One request's way back within a batch.
class BatchOutlet final : public Outlet {
 public:
  BatchOutlet(std::shared_ptr<Batch> batch, std::function<void()> ended)
      : batch_(std::move(batch)), ended_(std::move(ended)) {}
  void send(std::string_view message, bool droppable) override {
    if (batch_) batch_->carrier().send(message, droppable);
  }
  void finish(int status, std::string_view response) override;
  void abandon() override;
  void cut(Cut how, std::string_view last) override;
  [[nodiscard]] bool carries_requests() const override {
    return batch_ != nullptr && batch_->carrier().carries_requests();
  }

 private:
  std::shared_ptr<Batch> batch_;
  std::function<void()> ended_;
};

}  // namespace squall::server
