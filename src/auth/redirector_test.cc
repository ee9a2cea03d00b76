#include "squall/auth/redirector.h"

#include <gtest/gtest.h>

#include "script_fetch.h"

namespace squall::auth {
namespace {

using test::finish;

const Secret kState("st4te");
constexpr const char* kAuthorize = "https://as.example/authorize";
constexpr const char* kBack = "http://127.0.0.1:3334/callback";

test::ScriptFetch::Handler redirect_to(std::string location, int status = 302) {
  return [location = std::move(location), status](const FetchRequest&) -> Result<FetchResponse> {
    return FetchResponse{status, {{"Location", location}}, ""};
  };
}

TEST(HeadlessRedirector, ReadsTheAnswerFromTheRedirect) {
  const auto loop = runtime::SimulatedLoop::make();
  test::ScriptFetch fetch;
  HeadlessRedirector redirector(fetch, kBack);
  EXPECT_EQ(redirector.open("http://127.0.0.1:1/callback"), kBack);
  const std::string answer = std::string(kBack) + "?code=c&state=st4te";
  fetch.on("GET", kAuthorize, redirect_to("/login"));
  fetch.on("GET", "https://as.example/login", redirect_to(answer, 303));
  EXPECT_EQ(finish(*loop, redirector.visit(kAuthorize, kState)), answer);
}

TEST(HeadlessRedirector, RefusesOtherAnswers) {
  const auto loop = runtime::SimulatedLoop::make();
  test::ScriptFetch fetch;
  HeadlessRedirector redirector(fetch, kBack);
  const auto visit = [&] { return finish(*loop, redirector.visit(kAuthorize, kState)); };
  EXPECT_FALSE(visit().has_value());  // 404
  fetch.on("GET", kAuthorize, redirect_to(""));
  EXPECT_FALSE(visit().has_value());
  fetch.on("GET", kAuthorize, redirect_to(std::string(kBack) + "?code=c&state=other"));
  EXPECT_FALSE(visit().has_value());
  fetch.on("GET", kAuthorize, redirect_to(std::string(kBack) + "?code=c"));
  EXPECT_FALSE(visit().has_value());
  fetch.on("GET", kAuthorize, redirect_to("http://10.0.0.1/"));
  EXPECT_FALSE(visit().has_value());
  EXPECT_EQ(fetch.count("GET", "http://10.0.0.1/"), 0U);
  fetch.on("GET", kAuthorize, redirect_to(kAuthorize));
  EXPECT_EQ(visit().error().kind, ErrorKind::limit);
}

TEST(Answers, ComparesTheStateOnly) {
  EXPECT_TRUE(answers("http://h/callback?error=x&state=st4te", kState));
  EXPECT_FALSE(answers("http://h/callback?state=st4te&state=st4te", kState));
  EXPECT_FALSE(answers("http://h/callback", kState));
}

}  // namespace
}  // namespace squall::auth
