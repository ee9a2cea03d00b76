#include "squall/cases/arrivals.h"

#include <gmock/gmock.h>

#include "test_run.h"

namespace squall::cases {
namespace {

using testing::HasSubstr;
using What = fault::Arrival::What;

fault::Profile profile_with(const std::string& rule) {
  return fault::read_profile("p.yaml", "squall: 1\nname: p\nseed: 1\nrules: [" + rule + "]\n")
      .value();
}

TEST(Arrivals, AreMessagesThatAskOrTell) {
  TestRun run(kManyRules);
  run.call("search", json::Value::object({{"q", 1}}));
  run.request("tools/list", json::Value::object());
  const recording::Case record = run.read();
  const Arrivals arrivals(record, run.inputs().profile);
  const Arrived call = arrivals.message(1);
  EXPECT_EQ(call.what, What::call);
  EXPECT_EQ(call.tool, "search");
  EXPECT_EQ(call.view().arguments->find("q")->as_int64(), 1);
  EXPECT_EQ(call.transport, fault::Transport::stdio);
  EXPECT_EQ(arrivals.message(3).method, "tools/list");
  EXPECT_THAT(arrivals.message(2).unknown, HasSubstr("no request"));
  EXPECT_THAT(arrivals.message(99).unknown, HasSubstr("isn't recorded"));
}

TEST(Arrivals, SayWhatARuleAsksForAndNobodyRecorded) {
  TestRun run(kManyRules);
  run.call("search", json::Value::object());
  recording::Connect connect;
  connect.transport = "http";
  run.events.front() = connect;
  run.header.protocol = "2025-11-25";
  const recording::Case record = run.read();
  EXPECT_EQ(Arrivals(record, profile_with("{fault: error}")).message(1).unknown, "");
  EXPECT_THAT(Arrivals(record, profile_with("{fault: error, scope: session}")).message(1).unknown,
              HasSubstr("session"));
  run.header.protocol = "";
  const recording::Case other = run.read();
  const auto revision = profile_with("{fault: error, when: {revision: '2026*'}}");
  EXPECT_THAT(Arrivals(other, revision).message(1).unknown, HasSubstr("revision"));
}

TEST(Arrivals, OfDecisionsAboutWhatOpensAreToldByTheirSites) {
  const TestRun run(kManyRules);
  const recording::Case record = run.read();
  Arrivals arrivals(record, run.inputs().profile);
  recording::Decision decision;
  decision.connection = 1;
  decision.rules.resize(1);
  for (const auto& [site, what] :
       {std::pair(R"(["connection",1])", What::connection),
        std::pair(R"(["session",4])", What::session), std::pair(R"(["stream",2])", What::stream)}) {
    decision.rules[0].site = site;
    EXPECT_EQ(arrivals.of(decision).what, what) << site;
  }
  decision.rules[0].site = "nonsense";
  EXPECT_THAT(arrivals.of(decision).unknown, HasSubstr("what was opened"));
  decision.process = 2;
  EXPECT_EQ(arrivals.of(decision).what, What::spawn);
}

TEST(Labels, CountAttemptsAndGiveARoundTheNumberOfItsCall) {
  Arrived arrived;
  arrived.tool = "search";
  Labels labels;
  EXPECT_EQ(labels.next(arrived), R"(["args","search",{},1])");
  EXPECT_EQ(labels.next(arrived), R"(["args","search",{},2])");
  arrived.goes_on = true;
  EXPECT_EQ(labels.next(arrived), R"(["args","search",{},2])");
  arrived.what = What::message;
  arrived.goes_on = false;
  arrived.method = "resources/read";
  arrived.arguments = json::Value::object({{"uri", "a:b"}, {"_meta", 1}});
  arrived.has_arguments = true;
  EXPECT_EQ(labels.next(arrived), R"(["params","resources/read",{"uri":"a:b"},1])");
}

}  // namespace
}  // namespace squall::cases
