#include "memory_stream.h"

#include <algorithm>
#include <utility>

namespace squall::runtime {
namespace {

/// As a socket's buffers: so many bytes may be under way before `pending` counts them.
constexpr std::size_t kUnderWayBytes = 64 << 10;
/// The most that one call of `on_bytes` gets.
constexpr std::size_t kDeliveryBytes = 64 << 10;

int other(int side) { return 1 - side; }

std::string take(ChunkQueue& queue, std::size_t limit) {
  std::string bytes;
  while (!queue.empty() && bytes.size() < limit) {
    const std::string_view piece = queue.front().substr(0, limit - bytes.size());
    bytes.append(piece);
    queue.consume(piece.size());
  }
  return bytes;
}

}  // namespace

void MemoryLink::start(int side, ByteStream::Receiver& receiver) {
  ports_[side].receiver = &receiver;
  schedule(side);
}

void MemoryLink::resume(int side) {
  if (std::exchange(ports_[side].paused, false)) schedule(side);
}

void MemoryLink::send(int side, std::string_view bytes) {
  Direction& ours = directions_[side];
  Direction& theirs = directions_[other(side)];
  if (!ports_[side].open || ours.finished || theirs.reset || bytes.empty()) return;
  if (!ports_[other(side)].open) {
    // As a socket's peer that is gone answers with a reset.
    theirs.reset = true;
    return schedule(side);
  }
  std::size_t room = 0;
  if (ours.waiting.empty()) room = kUnderWayBytes - ours.under_way.size();
  ours.under_way.append(bytes.substr(0, room));
  if (bytes.size() > room) ours.waiting.append(bytes.substr(room));
  schedule(other(side));
}

void MemoryLink::finish(int side) {
  directions_[side].finished = true;
  schedule(other(side));
}

void MemoryLink::close(int side, bool reset) {
  Port& port = ports_[side];
  if (!std::exchange(port.open, false)) return;
  port.receiver = nullptr;
  Direction& ours = directions_[side];
  Direction& theirs = directions_[other(side)];
  // Closing over bytes that nobody read is a reset, as it is with TCP.
  const bool unread = !theirs.under_way.empty() || !theirs.waiting.empty();
  if (!theirs.waiting.empty()) schedule_drained(other(side));
  theirs.under_way.clear();
  theirs.waiting.clear();
  ours.waiting.clear();
  ours.finished = true;
  ours.reset = ours.reset || reset || unread;
  schedule(other(side));
}

void MemoryLink::schedule(int side) {
  Port& port = ports_[side];
  if (port.scheduled || !port.open || port.ended || port.receiver == nullptr) return;
  port.scheduled = true;
  loop_.post([link = shared_from_this(), side] { link->deliver(side); });
}

void MemoryLink::schedule_drained(int side) {
  loop_.post([link = shared_from_this(), side] { link->report_drained(side); });
}

void MemoryLink::deliver(int side) {
  Port& port = ports_[side];
  Direction& incoming = directions_[other(side)];
  port.scheduled = false;
  if (!port.open || port.ended) return;
  if (port.paused) {
    if (incoming.reset) return end(side, End::reset);
    if (incoming.finished && !std::exchange(port.peer_finished, true)) {
      port.receiver->on_peer_finished();
    }
    return;
  }
  if (!incoming.under_way.empty()) {
    const std::string bytes = take(incoming.under_way, kDeliveryBytes);
    refill(other(side));
    const bool more = !incoming.under_way.empty() || incoming.finished || incoming.reset;
    if (more) schedule(side);
    return port.receiver->on_bytes(bytes);
  }
  if (incoming.reset) return end(side, End::reset);
  if (incoming.finished) end(side, End::finished);
}

void MemoryLink::refill(int side) {
  Direction& ours = directions_[side];
  if (ours.waiting.empty()) return;
  ours.under_way.append(take(ours.waiting, kUnderWayBytes - ours.under_way.size()));
  if (ours.waiting.empty()) schedule_drained(side);
}

void MemoryLink::report_drained(int side) {
  Port& port = ports_[side];
  const bool end_is_due = directions_[other(side)].reset && !port.ended;
  if (!port.open || port.receiver == nullptr || end_is_due) return;
  if (directions_[side].waiting.empty()) port.receiver->on_drained();
}

void MemoryLink::end(int side, End how) {
  Port& port = ports_[side];
  port.ended = true;
  ByteStream::Receiver* const receiver = port.receiver;
  if (how == End::reset) close(side, false);
  receiver->on_end(how);
}

StreamPair make_named_pair(Loop& loop, std::string first, std::string second) {
  auto link = std::make_shared<MemoryLink>(loop);
  StreamPair pair;
  pair.first = std::make_unique<MemoryStream>(link, 0, std::move(second));
  pair.second = std::make_unique<MemoryStream>(std::move(link), 1, std::move(first));
  return pair;
}

StreamPair make_stream_pair(Loop& loop) { return make_named_pair(loop, "memory", "memory"); }

}  // namespace squall::runtime
