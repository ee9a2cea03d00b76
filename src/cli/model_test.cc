#include "model.h"

#include <gmock/gmock.h>

namespace squall::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SplitChoices, NeedsABarToSeeChoices) {
  EXPECT_THAT(split_choices("stdio|http"), ElementsAre("stdio", "http"));
  EXPECT_THAT(split_choices("FILE"), IsEmpty());
  EXPECT_THAT(split_choices(""), IsEmpty());
  EXPECT_THAT(split_choices("a||b"), ElementsAre("a", "", "b"));
}

TEST(CommandModel, FindsItsCommandsByName) {
  CommandModel model;
  model.commands.resize(2);
  model.commands[1].name = "serve";
  EXPECT_EQ(model.find("serve"), &model.commands[1]);
  EXPECT_EQ(model.find("Serve"), nullptr);
}

}  // namespace
}  // namespace squall::cli
