#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "squall/base/assert.h"
#include "squall/transport/channel.h"

// The first byte says where the bytes are cut in two, which must make no difference to the
// messages.
namespace {

using namespace squall;
using namespace squall::transport;

struct Listener final : MessageChannel::Receiver {
  void on_message(std::string text) override {
    SQUALL_ASSERT(text.size() <= 64);
    seen += text + "\n";
  }
  void on_oversize(std::size_t bytes_seen) override {
    SQUALL_ASSERT(bytes_seen > 64);
    seen += "oversize " + std::to_string(bytes_seen) + "\n";
  }
  void on_end(runtime::End) override { seen += "<end>"; }
  std::string seen;
};

std::string read(std::string_view first, std::string_view second) {
  const auto loop = runtime::SimulatedLoop::make();
  auto [near, far] = runtime::make_stream_pair(*loop);
  const auto channel = make_line_channel(std::move(near), {.line_bytes_max = 64});
  Listener listener;
  channel->start(listener);
  for (const std::string_view piece : {first, second}) {
    far->send(piece);
    loop->run_ready();
  }
  far->finish();
  loop->run_ready();
  return listener.seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t cut = text.size() * data[0] / 256;
  SQUALL_ASSERT(read(text, "") == read(text.substr(0, cut), text.substr(cut)));
  return 0;
}
