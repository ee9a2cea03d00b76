#include "squall/client/observer.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace squall::client {
namespace {

TEST(Report, EveryKindHasANameOfItsOwn) {
  std::set<std::string_view> names;
  const int last = static_cast<int>(Report::Kind::retrying);
  for (int kind = 0; kind <= last; ++kind) {
    const std::string_view name = to_text(static_cast<Report::Kind>(kind));
    EXPECT_FALSE(name.empty()) << kind;
    names.insert(name);
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(last) + 1);
}

}  // namespace
}  // namespace squall::client
