#include <optional>
#include <utility>

#include "squall/auth/redirector.h"
#include "squall/runtime/one_shot.h"
#include "squall/runtime/process.h"
#include "squall/transport/http.h"
#include "squall/transport/http_client.h"

namespace squall::auth {

namespace {

constexpr std::string_view kPath = "/callback";
constexpr std::size_t kConnectionsMax = 16;

// Nothing of the request is in it, so there is nothing to escape.
constexpr std::string_view kPage =
    "<!doctype html><html lang=en><meta charset=utf-8><title>Squall</title>"
    "<style>body{font:1.1rem/1.6 system-ui,sans-serif;max-width:34rem;margin:20vh auto;"
    "padding:0 1rem;color:#222}</style>"
    "<h1>All done here</h1><p>Squall has its answer. You can close this window and go back to your "
    "terminal.</p></html>\n";

transport::HttpReply plain_reply(int status, std::string_view text) {
  transport::HttpReply reply;
  reply.status = status;
  reply.content_type = "text/plain; charset=utf-8";
  reply.body = std::string(text) + "\n";
  reply.close = true;
  return reply;
}

transport::HttpReply done_reply() {
  transport::HttpReply reply;
  reply.content_type = "text/html; charset=utf-8";
  reply.headers = {{"Cache-Control", "no-store"},
                   {"Content-Security-Policy",
                    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"},
                   {"Referrer-Policy", "no-referrer"}};
  reply.body = kPage;
  reply.close = true;
  return reply;
}

}  // namespace

/// The server behind one redirect URI, until the right request has come.
class LoopbackRedirector::Receiver final : public transport::HttpHandler {
 public:
  explicit Receiver(runtime::Loop& loop)
      : loop_(loop), answer_(loop), server_(loop, *this, limits()) {}

  /// Listens where `earlier` was, or anywhere.
  Result<void> listen(const std::string& earlier) {
    runtime::ListenOptions where;
    if (const auto url = transport::Url::parse(earlier)) where.port = url->port;
    if (server_.listen(where)) return {};
    where.port = 0;
    return server_.listen(where);
  }
  [[nodiscard]] std::string uri() const {
    return "http://127.0.0.1:" + std::to_string(server_.port()) + std::string(kPath);
  }

  Task<Result<std::string>> wait(const Secret& state, std::chrono::seconds patience) {
    state_ = state;
    timer_ = loop_.call_after(patience, [this] {
      timer_ = runtime::TimerId::none;
      answer_.set(fail(ErrorKind::timeout, "nobody finished the authorization in the browser"));
    });
    Result<std::string> answer = co_await answer_;
    co_return answer;
  }

  ~Receiver() {
    if (timer_ != runtime::TimerId::none) loop_.cancel(timer_);
  }

  std::optional<transport::HttpReply> on_head(const transport::HttpRequest& head) override {
    if (head.path != kPath) return plain_reply(404, "There is nothing here.");
    if (head.method != "GET") return plain_reply(405, "Only GET is answered here.");
    if (!state_ || !answers(head.target, *state_)) {
      return plain_reply(400, "This is not the answer that was waited for.");
    }
    return std::nullopt;
  }

  void on_request(transport::HttpRequest request,
                  std::shared_ptr<transport::HttpExchange> exchange) override {
    exchange->reply(done_reply());
    // Only now, so that the page has left before the server goes.
    answer_.set(uri() + std::string(request.target.substr(kPath.size())));
  }

  transport::HttpReply on_refused(int status, std::string_view) override {
    return plain_reply(status, "This is no request that can be answered.");
  }

 private:
  static transport::HttpServerOptions limits() {
    transport::HttpServerOptions options;
    options.connections_max = kConnectionsMax;
    options.body_bytes_max = 0;
    return options;
  }

  runtime::Loop& loop_;
  std::optional<Secret> state_;
  runtime::OneShot<Result<std::string>> answer_;
  runtime::TimerId timer_ = runtime::TimerId::none;
  transport::HttpServer server_;
};

LoopbackRedirector::LoopbackRedirector(runtime::Loop& loop, ShowAddress show,
                                       std::chrono::seconds patience)
    : loop_(loop), show_(std::move(show)), patience_(patience) {}

LoopbackRedirector::~LoopbackRedirector() = default;

Result<std::string> LoopbackRedirector::open(const std::string& earlier) {
  receiver_ = std::make_unique<Receiver>(loop_);
  SQUALL_CHECK(receiver_->listen(earlier));
  return receiver_->uri();
}

Task<Result<std::string>> LoopbackRedirector::visit(const std::string& url, const Secret& state) {
  if (receiver_ == nullptr) co_return fail(ErrorKind::internal, "nothing listens for the answer");
  // Held here, so that a cancelled visit stops to listen.
  const std::unique_ptr<Receiver> receiver = std::move(receiver_);
  const Result<void> shown = show_(url);
  if (!shown) co_return std::unexpected(shown.error());
  Result<std::string> answer = co_await receiver->wait(state, patience_);
  co_return answer;
}

ShowAddress open_browser(runtime::SystemLoop& loop, std::string browser) {
  if (browser.empty()) browser = "xdg-open";
  return [&loop, browser](const std::string& url) -> Result<void> {
    runtime::ProcessOptions options;
    // In a session of its own: a browser that this starts has to outlive us.
    options.command = {"setsid", "--fork", browser, url};
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR",
                             "XDG_CURRENT_DESKTOP", "DBUS_SESSION_BUS_ADDRESS", "BROWSER"}) {
      options.inherit.emplace_back(name);
    }
    SQUALL_TRY(std::unique_ptr<runtime::Process> process, runtime::spawn(loop, options));
    // Shared with its own handler, which lets go of it when it has ended.
    const std::shared_ptr<runtime::Process> held = std::move(process);
    held->on_exit([&loop, held](runtime::ExitStatus) { loop.post([held] {}); });
    return {};
  };
}

}  // namespace squall::auth
