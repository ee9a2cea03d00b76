// What nothing strikes passes byte for byte: messages of any shape, both ways, rules armed or not.
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "squall/fault/profile.h"
#include "squall/proxy/relay.h"

namespace squall::proxy {
namespace {

/// Makes messages that no writer of ours would write.
class Maker {
 public:
  explicit Maker(std::uint64_t seed) : state_(seed * 2 + 1) {}

  std::string message() {
    switch (next(8)) {
      case 0:
        return "[" + object({"\"id\":" + id(), "\"method\":\"ping\""}) + "]";
      case 1:
        return object({"\"id\":" + id(), "\"result\":" + value(3)});
      case 2:
        return object({"\"method\":\"notifications/progress\"",
                       "\"params\":" + object({"\"progressToken\":" + id(), member(2)})});
      case 3:
        return object({"\"method\":\"notifications/cancelled\"",
                       "\"params\":" + object({"\"requestId\":" + id()})});
      case 4:
        return text();  // no message at all
      default:
        return object({"\"id\":" + id(), "\"method\":" + method(),
                       "\"params\":" + object({"\"name\":" + text(), "\"arguments\":" + value(3),
                                               "\"_meta\":" + value(2), member(2)}),
                       member(1)});
    }
  }

 private:
  std::uint64_t next(std::uint64_t below) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return (state_ >> 33U) % below;
  }
  std::string blank() { return std::string(next(4) == 0 ? next(3) : 0, next(2) == 0 ? ' ' : '\t'); }
  std::string id() {
    constexpr const char* kIds[] = {"1",    "\"1\"", "1.0",         "-0",
                                    "1e3",  "0",     "\"\\u0031\"", "9007199254740993",
                                    "null", "\"\"",  "{}"};
    return kIds[next(std::size(kIds))];
  }
  std::string method() {
    constexpr const char* kMethods[] = {"\"tools/call\"",
                                        "\"tools/list\"",
                                        "\"initialize\"",
                                        "\"ping\"",
                                        "\"\\u0070ing\"",
                                        "\"x/y\"",
                                        "7"};
    return kMethods[next(std::size(kMethods))];
  }
  std::string text() {
    constexpr const char* kTexts[] = {"\"\"",
                                      "\"a\"",
                                      "\"\\/\\u00e9\"",
                                      "\"h\xc3\xa9\"",
                                      "\"\\ud83d\\ude00\"",
                                      "\"\xe2\x80\xa8\"",
                                      "\"\\ud800\"",
                                      "\"\xff\"",
                                      "\"id\""};
    return kTexts[next(std::size(kTexts))];
  }
  std::string member(unsigned depth) { return text() + blank() + ":" + blank() + value(depth); }
  std::string object(const std::vector<std::string>& members) {
    std::string out = "{" + blank();
    const std::size_t turn = next(members.size());  // their order is anybody's
    for (std::size_t i = 0; i < members.size(); ++i) {
      out += (i == 0 ? "" : "," + blank()) + members[(i + turn) % members.size()] + blank();
    }
    return out + "}";
  }
  std::string value(unsigned depth) {
    switch (depth == 0 ? next(4) : next(7)) {
      case 0:
        return text();
      case 1:
        return id();
      case 2:
        return next(2) == 0 ? "true" : "null";
      case 3:
        return std::to_string(next(1000)) + "." + std::to_string(next(100)) + "00E+1";
      case 4:
        return "[" + value(depth - 1) + blank() + "," + value(depth - 1) + "]";
      default:
        return object({member(depth - 1), member(depth - 1)});
    }
  }
  std::uint64_t state_;
};

class Fidelity : public testing::TestWithParam<const char*> {};

TEST_P(Fidelity, EveryByteStays) {
  auto profile = fault::read_profile(
      "test.yaml", "squall: 1\nname: t\nseed: 1\nrules:" + std::string(GetParam()));
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  const auto injector = inject::Injector::make(*std::move(profile), fault::Seed{1});
  ASSERT_TRUE(injector.has_value());
  RelayOptions options;
  options.pending_max = 500;
  Relay relay(**injector, options);
  const auto line = std::make_shared<Line>();
  line->connection = 1;
  for (std::uint64_t seed = 0; seed < 5'000; ++seed) {
    const std::string bytes = Maker(seed).message();
    const bool up = seed % 2 == 0;
    FromClient of_client;
    of_client.bytes = bytes;
    FromServer of_server;
    of_server.bytes = bytes;
    const Actions actions = up ? relay.from_client(line, std::move(of_client))
                               : relay.from_server(line, std::move(of_server));
    ASSERT_EQ(actions.commands.size(), 1U) << bytes;
    const auto* send = std::get_if<inject::Send>(&actions.commands[0]);
    ASSERT_NE(send, nullptr);
    EXPECT_EQ(send->to, up ? inject::Send::To::upstream : inject::Send::To::client);
    ASSERT_EQ(*send->bytes, bytes);
    ASSERT_LE(relay.pending(), options.pending_max);
  }
}

// Rules that watch everything and never strike: then all is looked at, and nothing may change.
INSTANTIATE_TEST_SUITE_P(
    Profiles, Fidelity,
    testing::Values(" []\n",
                    "\n  - {id: a, fault: corrupt, of: any, probability: 0}\n"
                    "  - {id: b, fault: latency, delay: 1s, probability: 0, when: {method: '*'}}\n"
                    "  - {id: c, fault: rug-pull, what: schema, probability: 0}\n"
                    "  - {id: d, fault: notifications, variant: drop, probability: 0}\n"
                    "  - {id: e, fault: stale, probability: 0}\n"));

}  // namespace
}  // namespace squall::proxy
