#include <string>

#include <gtest/gtest.h>
#include <openssl/sha.h>

#include "squall/base/crypto.h"

namespace squall::base {
namespace {

Sha256 by_openssl(std::string_view bytes) {
  Sha256 out;
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), out.data());
  return out;
}

TEST(Sha256, AgreesWithOpensslAtEveryLengthAroundTheBlocks) {
  std::string bytes;
  for (std::size_t size = 0; size < 400; ++size) {
    ASSERT_EQ(sha256(bytes), by_openssl(bytes)) << size;
    ASSERT_EQ(sha256_portably(bytes), by_openssl(bytes)) << size;
    bytes += static_cast<char>((size * 167 + 13) & 0xFF);
  }
}

TEST(Sha256, AgreesWithOpensslOnALongText) {
  std::string bytes(1'000'003, 'q');
  for (std::size_t i = 0; i < bytes.size(); i += 7) bytes[i] = static_cast<char>(i);
  EXPECT_EQ(sha256(bytes), by_openssl(bytes));
  EXPECT_EQ(sha256_portably(bytes), by_openssl(bytes));
}

}  // namespace
}  // namespace squall::base
