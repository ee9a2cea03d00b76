#include "squall/auth/secret.h"

#include <concepts>
#include <ostream>
#include <utility>

#include <gtest/gtest.h>

namespace squall::auth {
namespace {

template <typename T>
concept Printable = requires(std::ostream& out, const T& value) { out << value; };

TEST(Secret, HasNoWayIntoAStreamOrAString) {
  static_assert(!Printable<Secret>);
  static_assert(!std::convertible_to<Secret, std::string>);
  static_assert(!std::convertible_to<Secret, std::string_view>);
  EXPECT_EQ(Secret("s3cret").reveal(), "s3cret");
}

TEST(Secret, ComparesByItsWholeText) {
  EXPECT_EQ(Secret("abc"), Secret("abc"));
  EXPECT_FALSE(Secret("abc") == Secret("abd"));
  EXPECT_FALSE(Secret("abc").equals("abcd"));
  EXPECT_TRUE(Secret().equals(""));
}

TEST(Secret, LeavesNothingWhereItWasMovedFrom) {
  for (const std::string& text : {std::string("short"), std::string(100, 'x')}) {
    Secret from(text);
    const char* const bytes = from.reveal().data();
    const bool in_place = text.size() < sizeof(std::string);
    const Secret to(std::move(from));
    EXPECT_EQ(to.reveal(), text);
    EXPECT_TRUE(from.empty());
    if (!in_place) continue;  // the memory has moved along, nothing stays behind
    EXPECT_EQ(std::string(bytes, text.size()), std::string(text.size(), '\0'));
  }
}

TEST(Secret, KeepsItsTextWhenItIsAssignedToItself) {
  Secret secret("kept");
  Secret& same = secret;
  secret = same;
  secret = std::move(same);
  EXPECT_EQ(secret.reveal(), "kept");
}

}  // namespace
}  // namespace squall::auth
