#include "squall/auth/token.h"

#include <gtest/gtest.h>

namespace squall::auth {
namespace {

TEST(ClientAuth, HasTheNamesOfTheWire) {
  for (const ClientAuth method : {ClientAuth::none, ClientAuth::client_secret_basic,
                                  ClientAuth::client_secret_post, ClientAuth::private_key_jwt}) {
    EXPECT_EQ(client_auth_from(name_of(method)), method);
  }
  EXPECT_EQ(name_of(ClientAuth::private_key_jwt), "private_key_jwt");
  EXPECT_EQ(client_auth_from("client_secret_jwt"), std::nullopt);
}

}  // namespace
}  // namespace squall::auth
