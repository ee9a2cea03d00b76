#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "squall/base/result.h"
#include "squall/runtime/process.h"
#include "squall/transport/channel.h"

namespace squall::proxy {

/// A server that is our child and speaks on its standard streams.
class Child final : private transport::MessageChannel::Receiver {
 public:
  /// What happens; never from inside a call to the child, which any of these may destroy.
  class Owner {
   public:
    virtual void on_child_message(std::string text) = 0;
    /// A line beyond the limit was skipped.
    virtual void on_child_oversize(std::size_t bytes_seen) = 0;
    virtual void on_child_stderr(std::string_view bytes) = 0;
    /// All that waited for its stdin has gone there.
    virtual void on_child_drained() = 0;
    /// Nothing more comes. Without a status it lives on, and has closed its output.
    virtual void on_child_over(std::optional<runtime::ExitStatus> status) = 0;

   protected:
    ~Owner() = default;
  };

  /// `owner` outlives it. Destroyed, it is killed with its whole group.
  [[nodiscard]] static Result<std::unique_ptr<Child>> start(runtime::SystemLoop& loop,
                                                            const runtime::ProcessOptions& options,
                                                            std::size_t line_bytes_max,
                                                            Owner& owner);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void begin();                       ///< to listen to it
  void send(std::string_view bytes);  ///< a message: ends with a line feed
  void send_raw(std::string_view bytes);
  [[nodiscard]] std::size_t pending() const { return process_->stdio().pending(); }
  void pause() { process_->stdio().pause(); }
  void resume() { process_->stdio().resume(); }
  void signal(int number);
  [[nodiscard]] int pid() const { return process_->pid(); }
  /// Closes its stdin; if it lives on after `step`, SIGTERM; after another, the end.
  void stop(std::chrono::milliseconds step);
  [[nodiscard]] bool over() const noexcept { return over_; }
  /// What it wrote last to its stderr, at most 20 lines.
  [[nodiscard]] std::vector<std::string> last_lines() const;

 private:
  struct Errors;
  Child(runtime::SystemLoop& loop, std::unique_ptr<runtime::Process> process,
        std::size_t line_bytes_max, Owner& owner);
  void on_message(std::string text) override { owner_.on_child_message(std::move(text)); }
  void on_oversize(std::size_t bytes_seen) override { owner_.on_child_oversize(bytes_seen); }
  void on_end(runtime::End end) override;
  void on_drained() override { owner_.on_child_drained(); }
  void on_exit(runtime::ExitStatus status);
  void wait_a_moment();
  void tell();
  void step();

  runtime::SystemLoop& loop_;
  Owner& owner_;
  std::unique_ptr<runtime::Process> process_;
  std::unique_ptr<Errors> errors_;
  std::unique_ptr<transport::MessageChannel> channel_;
  std::optional<runtime::ExitStatus> exit_;
  std::chrono::milliseconds step_{};
  int next_signal_ = 0;
  bool output_ended_ = false;
  bool over_ = false;
  runtime::TimerId moment_ = runtime::TimerId::none;
  runtime::TimerId stopping_ = runtime::TimerId::none;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // expires with us
};

}  // namespace squall::proxy
