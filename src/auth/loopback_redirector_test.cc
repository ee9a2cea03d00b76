#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "squall/auth/redirector.h"
#include "squall/transport/http_client.h"

namespace squall::auth {
namespace {

using namespace std::chrono_literals;

const Secret kState("st4te");

/// One request to the redirect URI, and its answer.
class Visit final : public transport::HttpClientHandler {
 public:
  Visit(runtime::Loop& loop, const std::string& url, std::string method = "GET")
      : connection_(loop, transport::Url::parse(url).value()) {
    transport::HttpClientRequest request;
    request.method = std::move(method);
    request.target = transport::Url::parse(url).value().target;
    connection_.request(std::move(request), *this);
  }
  void on_response(const transport::HttpClientResponse& response) override {
    status = response.status;
    if (const std::string* policy = response.header("Referrer-Policy")) referrer_policy = *policy;
  }
  void on_body(std::string_view bytes) override { body += bytes; }
  void on_done() override {}
  void on_failed(const Error&, bool) override { status = -1; }

  int status = 0;
  std::string body;
  std::string referrer_policy;

 private:
  transport::HttpClientConnection connection_;
};

class LoopbackRedirectorTest : public testing::Test {
 protected:
  /// Opens, and begins a visit that waits.
  void begin() {
    uri = redirector.open("").value();
    task.emplace(redirector.visit(url, kState));
    task->start();
  }
  int get(const std::string& rest, const std::string& method = "GET") {
    const std::string where = uri.substr(0, uri.rfind('/')) + rest;
    visits.push_back(std::make_unique<Visit>(*loop, where, method));
    while (visits.back()->status == 0 && loop->run_ready()) continue;
    while (loop->run_ready()) continue;
    return visits.back()->status;
  }

  std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  std::vector<std::string> shown;
  LoopbackRedirector redirector{*loop, [this](const std::string& address) -> Result<void> {
                                  shown.push_back(address);
                                  return {};
                                }};
  std::string url = "https://as.example/authorize?x=1";
  std::string uri;
  std::optional<Task<Result<std::string>>> task;
  std::vector<std::unique_ptr<Visit>> visits;
};

TEST_F(LoopbackRedirectorTest, GivesTheAnswerAndAPage) {
  begin();
  EXPECT_EQ(shown, std::vector<std::string>{url});
  EXPECT_TRUE(uri.starts_with("http://127.0.0.1:"));
  EXPECT_FALSE(task->done());
  EXPECT_EQ(get("/callback?code=c0de&state=st4te"), 200);
  EXPECT_TRUE(visits.back()->body.contains("close this window"));
  EXPECT_FALSE(visits.back()->body.contains("c0de"));
  EXPECT_EQ(visits.back()->referrer_policy, "no-referrer");
  ASSERT_TRUE(task->done());
  EXPECT_EQ(task->take(), uri + "?code=c0de&state=st4te");
}

TEST_F(LoopbackRedirectorTest, WaitsOnAfterWhatIsNotTheAnswer) {
  begin();
  EXPECT_EQ(get("/favicon.ico"), 404);
  EXPECT_EQ(get("/callback"), 400);
  EXPECT_EQ(get("/callback?code=evil&state=guessed"), 400);
  EXPECT_EQ(get("/callback?code=c&state=st4te", "POST"), 405);
  EXPECT_FALSE(task->done());
  EXPECT_EQ(get("/callback?code=c&state=st4te"), 200);
  EXPECT_TRUE(task->done());
  EXPECT_EQ(get("/callback?code=c&state=st4te"), -1);  // nobody listens any more
}

TEST_F(LoopbackRedirectorTest, TakesItsEarlierPortAgainWhenItIsFree) {
  const std::string first = redirector.open("").value();
  LoopbackRedirector another(*loop, [](const std::string&) -> Result<void> { return {}; });
  EXPECT_NE(another.open(first).value(), first);
  EXPECT_EQ(redirector.open("nonsense").has_value(), true);
  EXPECT_EQ(another.open(first).value(), first);
}

TEST_F(LoopbackRedirectorTest, GivesUpInTime) {
  begin();
  loop->advance(299s);
  EXPECT_FALSE(task->done());
  loop->advance(2s);
  ASSERT_TRUE(task->done());
  EXPECT_EQ(task->take().error().kind, ErrorKind::timeout);
}

TEST_F(LoopbackRedirectorTest, StopsListeningWhenTheVisitIsCancelled) {
  begin();
  task.reset();
  EXPECT_EQ(get("/callback?code=c&state=st4te"), -1);
}

TEST_F(LoopbackRedirectorTest, SaysWhenTheAddressCannotBeShown) {
  LoopbackRedirector dumb(*loop, [](const std::string&) -> Result<void> {
    return fail(ErrorKind::unavailable, "no browser");
  });
  ASSERT_TRUE(dumb.open("").has_value());
  Task<Result<std::string>> visit = dumb.visit(url, kState);
  visit.start();
  ASSERT_TRUE(visit.done());
  EXPECT_EQ(visit.take().error().message, "no browser");
}

}  // namespace
}  // namespace squall::auth
