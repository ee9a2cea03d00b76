#include "resolver.h"

#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace squall::runtime {
namespace {

/// Names looked up at the same time; more wait their turn.
constexpr int kThreadsMax = 4;
/// More lookups than this may not wait.
constexpr std::size_t kWaitingMax = 1024;

}  // namespace

struct Resolver::Shared {
  struct Job {
    std::string host;
    std::uint16_t port;
    ResolveHandler handler;
  };
  std::mutex mutex;
  Loop* loop = nullptr;  // null once abandoned
  std::deque<Job> jobs;
  int threads = 0;
};

Resolver::Resolver(Loop& loop) : shared_(std::make_shared<Shared>()) { shared_->loop = &loop; }

Resolver::~Resolver() {
  std::deque<Shared::Job> abandoned;
  const std::scoped_lock lock(shared_->mutex);
  shared_->loop = nullptr;
  abandoned.swap(shared_->jobs);
}

void Resolver::resolve(const std::string& host, std::uint16_t port, ResolveHandler on_resolved) {
  std::unique_lock lock(shared_->mutex);
  std::string refusal;
  if (shared_->jobs.size() >= kWaitingMax) refusal = "too many names are being resolved";
  if (refusal.empty() && shared_->threads < kThreadsMax) {
    try {
      std::thread(work, shared_).detach();
      ++shared_->threads;
    } catch (const std::system_error& error) {
      if (shared_->threads == 0) refusal = error.what();
    }
  }
  if (refusal.empty()) {
    shared_->jobs.push_back({host, port, std::move(on_resolved)});
    return;
  }
  lock.unlock();
  shared_->loop->post([handler = std::move(on_resolved), refusal]() mutable {
    handler(fail(ErrorKind::limit, refusal));
  });
}

void Resolver::work(const std::shared_ptr<Shared>& shared) {
  std::unique_lock lock(shared->mutex);
  while (shared->loop != nullptr && !shared->jobs.empty()) {
    Shared::Job job = std::move(shared->jobs.front());
    shared->jobs.pop_front();
    lock.unlock();
    auto addresses = resolve_blocking(job.host, job.port);
    lock.lock();
    if (shared->loop == nullptr) break;
    shared->loop->post(
        [handler = std::move(job.handler), addresses = std::move(addresses)]() mutable {
          handler(std::move(addresses));
        });
  }
  --shared->threads;
}

}  // namespace squall::runtime
