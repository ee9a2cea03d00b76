#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "squall/runtime/sleep.h"

#include "http_test_support.h"

/// @file Time that a person needs to log in is not the server's.

namespace squall::client::test {
namespace {

using namespace std::chrono_literals;

/// Lets requests in once a person has logged in, which takes a while.
class SlowLogin final : public Authorizer {
 public:
  explicit SlowLogin(runtime::Duration span) : span_(span) {}
  Task<Result<HttpHeaders>> authorize(std::string, std::string) override {
    HttpHeaders headers;
    if (logged_in_) headers.emplace_back("Authorization", "Bearer t-1");
    co_return headers;
  }
  Task<Result<bool>> challenged(AuthChallenge) override {
    co_await runtime::sleep(*loop, span_);
    logged_in_ = true;
    co_return true;
  }
  runtime::Loop* loop = nullptr;  // the bench's, which is made later

 private:
  runtime::Duration span_;
  bool logged_in_ = false;
};

class AdmissionTest : public testing::TestWithParam<bool> {
 protected:
  /// A bench whose server refuses whoever has no token; with one, calls meet `script`.
  HttpBench& bench(HttpBench::Script script) {
    HttpLinkOptions http;
    http.authorizer = &login;
    const bool modern = GetParam();
    auto guarded = [modern, script = std::move(script)](const Seen& request,
                                                        const Exchange& exchange) {
      if (request.header("authorization").empty()) {
        reply(exchange, 401);
      } else if (!shake_hands(request, exchange, modern)) {
        script(request, exchange);
      }
    };
    bench_ = std::make_unique<HttpBench>(modern, std::move(guarded), Options(), http);
    bench_->override_handshake = true;
    login.loop = bench_->loop.get();
    return *bench_;
  }
  SlowLogin login{4min};

 private:
  std::unique_ptr<HttpBench> bench_;
};
INSTANTIATE_TEST_SUITE_P(Era, AdmissionTest, testing::Bool(),
                         [](const auto& era) { return era.param ? "Modern" : "Legacy"; });

void answer(const Seen& request, const Exchange& exchange) {
  reply(exchange, 200, result_text(request.body, ""));
}

TEST_P(AdmissionTest, ConnectingWaitsForALoginThatTakesLongerThanItsTimeouts) {
  bench(answer).connect();
}

TEST_P(AdmissionTest, TheServersTimeBeginsAfterTheLogin) {
  std::vector<Exchange> silent;
  HttpBench& here =
      bench([&silent](const Seen&, const Exchange& exchange) { silent.push_back(exchange); });
  here.connect();
  const runtime::TimePoint before = here.loop->now();
  const auto outcome = finish(*here.loop, here.client->request("squall/silence", json::Value()));
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().kind, OutcomeKind::timeout);
  EXPECT_EQ(here.loop->now() - before, Options().timeout);
}

TEST_P(AdmissionTest, TheBoundOnAllTimeHoldsDuringALogin) {
  HttpBench& here = bench(answer);
  here.connect();
  login = SlowLogin(4min);
  login.loop = here.loop.get();
  const runtime::TimePoint before = here.loop->now();
  const CallOptions options = CallOptions().total(30s);
  const auto outcome =
      finish(*here.loop, here.client->request("squall/any", json::Value(), options));
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().kind, OutcomeKind::timeout);
  EXPECT_EQ(here.loop->now() - before, 30s);
}

}  // namespace
}  // namespace squall::client::test
