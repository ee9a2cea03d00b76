#include "squall/auth/network_fetch.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "squall/auth/metadata.h"
#include "squall/transport/http.h"

#include "script_fetch.h"

namespace squall::auth {
namespace {

using namespace std::chrono_literals;

/// Answers by the path of the request.
class Server final : public transport::HttpHandler {
 public:
  explicit Server(runtime::Loop& loop) : server_(loop, *this) {
    EXPECT_TRUE(server_.listen({}).has_value());
  }
  std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(server_.port()) + path;
  }
  std::optional<transport::HttpReply> on_head(const transport::HttpRequest&) override {
    return std::nullopt;
  }
  void on_request(transport::HttpRequest request,
                  std::shared_ptr<transport::HttpExchange> exchange) override {
    transport::HttpReply reply;
    if (request.path == "/echo") {
      reply.status = 418;
      reply.headers.emplace_back("X-Method", request.method);
      reply.body = request.body + "|" + std::string(request.header("X-Sent").value_or(""));
    } else if (request.path == "/moved") {
      reply.status = 302;
      reply.headers.emplace_back("Location", "/echo");
    } else if (request.path == "/stream") {
      reply.content_type = "text/event-stream";
      exchange->open(reply, std::string(kDocumentBytesMax, 'x'));
      exchange->write("more");
      held = std::move(exchange);
      return;
    } else if (request.path == "/large") {
      reply.body.assign(kDocumentBytesMax + 1, 'x');
    } else {
      held = std::move(exchange);
      return;
    }
    exchange->reply(std::move(reply));
  }
  transport::HttpReply on_refused(int status, std::string_view) override {
    transport::HttpReply reply;
    reply.status = status;
    return reply;
  }
  std::shared_ptr<transport::HttpExchange> held;

 private:
  transport::HttpServer server_;
};

class NetworkFetchTest : public testing::Test {
 protected:
  Result<FetchResponse> get(const std::string& url) {
    return test::finish(*loop, fetch.fetch(FetchRequest("GET", url)));
  }
  std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  Server server{*loop};
  transport::HttpClient client{*loop};
  NetworkFetch fetch{client, 5s};
};

TEST_F(NetworkFetchTest, SendsAndReceives) {
  FetchRequest request("POST", server.url("/echo?x=1"));
  request.headers.emplace_back("X-Sent", "yes");
  request.body = "body";
  const auto response = test::finish(*loop, fetch.fetch(std::move(request)));
  ASSERT_TRUE(response.has_value()) << response.error().message;
  EXPECT_EQ(response->status, 418);
  EXPECT_EQ(response->body, "body|yes");
  EXPECT_EQ(*find_header(response->headers, "x-method"), "POST");
}

TEST_F(NetworkFetchTest, FollowsNoRedirect) {
  const auto response = get(server.url("/moved"));
  ASSERT_TRUE(response.has_value());
  EXPECT_EQ(response->status, 302);
  EXPECT_EQ(*find_header(response->headers, "Location"), "/echo");
}

TEST_F(NetworkFetchTest, BoundsWhatItReads) {
  EXPECT_EQ(get(server.url("/large")).error().kind, ErrorKind::limit);
  EXPECT_EQ(get(server.url("/stream")).error().kind, ErrorKind::limit);
}

TEST_F(NetworkFetchTest, BoundsHowLongItWaits) {
  Task<Result<FetchResponse>> task = fetch.fetch(FetchRequest("GET", server.url("/silent")));
  task.start();
  loop->advance(4s);
  EXPECT_FALSE(task.done());
  loop->advance(2s);
  ASSERT_TRUE(task.done());
  EXPECT_EQ(task.take().error().kind, ErrorKind::timeout);
}

TEST_F(NetworkFetchTest, ReportsWhomItCannotReachWithoutTheQuery) {
  const auto response = get("http://127.0.0.1:1/callback?code=c0de");
  ASSERT_FALSE(response.has_value());
  EXPECT_TRUE(response.error().message.contains("127.0.0.1:1"));
  EXPECT_FALSE(response.error().message.contains("c0de"));
  EXPECT_EQ(get("nonsense").error().kind, ErrorKind::invalid);
}

TEST_F(NetworkFetchTest, CanBeCancelled) {
  Task<Result<FetchResponse>> task = fetch.fetch(FetchRequest("GET", server.url("/silent")));
  task.start();
  loop->run_ready();
  task = Task<Result<FetchResponse>>();
  loop->run_ready();
  EXPECT_NE(server.held, nullptr);
  EXPECT_FALSE(server.held->open_for_writing());
}

}  // namespace
}  // namespace squall::auth
