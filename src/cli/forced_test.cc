#include "forced.h"

#include <gmock/gmock.h>

#include "squall/fault/catalogue.h"

namespace squall::cli {
namespace {

using testing::HasSubstr;

fault::Profile profile_of(const std::string& rules) {
  auto read = fault::read_profile("p.yaml", "squall: 1\nname: p\nrules:\n" + rules);
  EXPECT_TRUE(read.has_value()) << read.error().message;
  return read ? *std::move(read) : fault::Profile();
}

TEST(Force, PutsARuleInFrontOfAllOthers) {
  const fault::Profile own = profile_of("  - { id: own, fault: error, message: no, rank: 5 }\n");
  const auto out = force(own, "empty", "1/4");
  ASSERT_TRUE(out.has_value()) << out.error().message;
  ASSERT_EQ(out->rules.size(), 2U);
  const fault::Rule* const forced = out->find("forced");
  ASSERT_NE(forced, nullptr);
  EXPECT_EQ(forced->kind->name, "empty");
  EXPECT_EQ(forced->probability.text(), "1/4");
  EXPECT_EQ(forced->rank, 1000);
  const fault::Rule* const kept = out->find("own");
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(kept->rank, 5);
}

TEST(Force, TakesEveryKindWithoutSettings) {
  for (const fault::Kind& kind : fault::kinds()) {
    const auto out =
        force(profile_of("  - { fault: error, message: no }\n"), std::string(kind.name), "");
    EXPECT_TRUE(out.has_value()) << kind.name << ": " << (out ? "" : out.error().message);
  }
}

TEST(Force, RefusesWhatIsNoKindAndNoProbability) {
  const fault::Profile own = profile_of("  - { fault: error, message: no }\n");
  EXPECT_THAT(force(own, "eror", "").error().message, HasSubstr("did you mean error?"));
  EXPECT_FALSE(force(own, "error", ".5"));
  EXPECT_FALSE(force(own, "error", "2"));
}

}  // namespace
}  // namespace squall::cli
