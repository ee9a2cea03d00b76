#include "person.h"

#include <utility>

namespace squall::cli {
namespace {

/// Of a line, and of what is typed ahead of the next question.
constexpr std::size_t kTypedBytesMax = 64 << 10;

}  // namespace

/// Notes who waits, and that nobody does when the coroutine is destroyed.
class Typist::Wait {
 public:
  explicit Wait(Typist& typist) : arrived(typist.loop_), typist_(typist) {
    typist_.waiting_ = &arrived;
    typist_.stream_->resume();
  }
  ~Wait() {
    typist_.waiting_ = nullptr;
    typist_.stream_->pause();  // what is typed now is meant for whoever comes after us
  }
  Wait(const Wait&) = delete;
  Wait& operator=(const Wait&) = delete;

  runtime::OneShot<> arrived;

 private:
  Typist& typist_;
};

Typist::Typist(runtime::SystemLoop& loop, int keyboard, Console& console)
    : loop_(loop), console_(console), stream_(loop.adopt(keyboard, -1, "keyboard")) {
  stream_->start(*this);
  stream_->pause();
}

Typist::~Typist() = default;

Task<std::optional<std::string>> Typist::ask(std::string prompt) {
  console_.err(prompt);
  for (;;) {
    std::optional<std::string> line = take_line();
    if (line || ended_) co_return line;
    Wait wait(*this);
    co_await wait.arrived;
  }
}

std::optional<std::string> Typist::take_line() {
  const std::size_t end = typed_.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = typed_.substr(0, end);
  typed_.erase(0, end + 1);
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

void Typist::on_bytes(std::string_view bytes) {
  typed_ += bytes;
  if (typed_.size() > kTypedBytesMax) ended_ = true;
  if (waiting_ != nullptr) waiting_->set();
}

void Typist::on_end(runtime::End /*end*/) {
  ended_ = true;
  if (waiting_ != nullptr) waiting_->set();
}

}  // namespace squall::cli
