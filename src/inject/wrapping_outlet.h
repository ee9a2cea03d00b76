#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "squall/server/outlet.h"

namespace squall::inject {

/// An outlet around another one that passes everything on; faults override what they break.
class WrappingOutlet : public server::Outlet {
 public:
  explicit WrappingOutlet(std::unique_ptr<server::Outlet> inner) : inner_(std::move(inner)) {}
  void send(std::string_view message, bool droppable) override { inner_->send(message, droppable); }
  void wait() override { inner_->wait(); }
  void finish(int status, std::string_view response) override { inner_->finish(status, response); }
  void abandon() override { inner_->abandon(); }
  void cut(server::Cut how, std::string_view last) override { inner_->cut(how, last); }
  [[nodiscard]] bool carries_requests() const override { return inner_->carries_requests(); }
  [[nodiscard]] bool choked(std::size_t share) const override { return inner_->choked(share); }
  void release() override { inner_->release(); }

 protected:
  [[nodiscard]] server::Outlet& inner() noexcept { return *inner_; }

 private:
  std::unique_ptr<server::Outlet> inner_;
};

/// Breaks the connection instead of sending the response.
class CuttingOutlet final : public WrappingOutlet {
 public:
  struct Plan {
    server::Cut how = server::Cut::close;
    std::size_t after_bytes = 0;    ///< of the response, sent before
    std::function<void()> before;   ///< called right before the cut; may be null
    std::function<void()> behind;   ///< called right behind it; may be null
  };
  CuttingOutlet(std::unique_ptr<server::Outlet> inner, Plan plan)
      : WrappingOutlet(std::move(inner)), plan_(std::move(plan)) {}
  void finish(int status, std::string_view response) override;

 private:
  Plan plan_;
};

}  // namespace squall::inject
