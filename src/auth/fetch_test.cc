#include "squall/auth/fetch.h"

#include <gtest/gtest.h>

namespace squall::auth {
namespace {

TEST(FindHeader, CountsThoseOfOneNameInAnyCase) {
  const Headers headers{{"WWW-Authenticate", "a"}, {"X", "y"}, {"www-authenticate", "b"}};
  EXPECT_EQ(*find_header(headers, "Www-Authenticate"), "a");
  EXPECT_EQ(*find_header(headers, "Www-Authenticate", 1), "b");
  EXPECT_EQ(find_header(headers, "Www-Authenticate", 2), nullptr);
  EXPECT_EQ(find_header(headers, "Z"), nullptr);
}

}  // namespace
}  // namespace squall::auth
