#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "squall/base/assert.h"
#include "squall/transport/http.h"
#include "squall/transport/http_client.h"

// The first byte chooses between reading requests and reading a response, and where the bytes are
// cut in two. Whatever they are, cutting them must make no difference.
namespace {

using namespace squall;
using namespace squall::transport;

struct Handler final : HttpHandler {
  std::optional<HttpReply> on_head(const HttpRequest& head) override {
    SQUALL_ASSERT(head.count("host") <= 1);
    if (head.method != "DELETE") return std::nullopt;
    return HttpReply{.status = 405};
  }
  void on_request(HttpRequest request, std::shared_ptr<HttpExchange> exchange) override {
    std::string seen = std::string(request.method) + " " + std::string(request.path) + "?" +
                       std::string(request.query) + "\n";
    for (const auto& [name, value] : request.headers) {
      SQUALL_ASSERT(request.header(name).has_value());
      seen += std::string(name) + "=" + std::string(value) + "\n";
    }
    exchange->reply_json(200, seen + request.body);
  }
  HttpReply on_refused(int status, std::string_view) override {
    return HttpReply{.status = status};
  }
};

struct Peer final : runtime::ByteStream::Receiver {
  void on_bytes(std::string_view bytes) override { heard += bytes; }
  void on_end(runtime::End) override { heard += "<end>"; }
  std::string heard;
};

std::string serve(std::string_view first, std::string_view second) {
  const auto loop = runtime::SimulatedLoop::make();
  Handler handler;
  HttpServer server(*loop, handler,
                    {.header_bytes_max = 512, .headers_max = 8, .body_bytes_max = 256});
  auto [near, far] = runtime::make_stream_pair(*loop);
  Peer peer;
  server.accept(std::move(near));
  far->start(peer);
  for (const std::string_view piece : {first, second}) {
    far->send(piece);
    loop->run_ready();
  }
  // Whether a body is invited depends, rightly, on whether it is there already.
  constexpr std::string_view kInvitation = "HTTP/1.1 100 Continue\r\n\r\n";
  for (std::size_t at = peer.heard.find(kInvitation); at != std::string::npos;
       at = peer.heard.find(kInvitation)) {
    peer.heard.erase(at, kInvitation.size());
  }
  return peer.heard;
}

struct Caller final : HttpClientHandler {
  void on_response(const HttpClientResponse& response) override {
    for (const auto& [name, value] : response.headers) seen += name + "=" + value + "\n";
  }
  void on_body(std::string_view bytes) override { seen += bytes; }
  void on_done() override { outcome = "done\n" + seen; }
  void on_failed(const Error& error, bool) override { outcome = error.message; }
  std::string seen;
  std::string outcome;
};

std::string ask(std::string_view first, std::string_view second) {
  const auto loop = runtime::SimulatedLoop::make();
  std::unique_ptr<runtime::ByteStream> far;
  Peer peer;
  const auto listener = loop->listen({}, [&](std::unique_ptr<runtime::ByteStream> stream) {
    far = std::move(stream);
    far->start(peer);
  });
  HttpClientConnection client(
      *loop, {.scheme = "http", .host = "h", .port = (*listener)->port(), .target = "/"},
      {.header_bytes_max = 512, .body_bytes_max = 256});
  Caller caller;
  client.request({}, caller);
  loop->run_ready();
  for (const std::string_view piece : {first, second}) {
    far->send(piece);
    loop->run_ready();
  }
  far->finish();
  loop->run_ready();
  SQUALL_ASSERT(!client.busy());
  return caller.outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t cut = text.size() * (data[0] >> 1) / 128;
  const auto play = (data[0] & 1) == 0 ? serve : ask;
  SQUALL_ASSERT(play(text, "") == play(text.substr(0, cut), text.substr(cut)));
  return 0;
}
