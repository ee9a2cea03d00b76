#include "squall/base/crypto.h"

#include <gtest/gtest.h>

#include "squall/base/text.h"

namespace squall::base {
namespace {

TEST(Sha256, MatchesThePublishedVector) {
  const Sha256 digest = sha256("abc");
  EXPECT_EQ(hex_encode(std::string_view(reinterpret_cast<const char*>(digest.data()), 32)),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(RandomUuid, HasTheShapeOfVersionFourAndDiffers) {
  const std::string a = random_uuid();
  EXPECT_EQ(a.size(), 36U);
  EXPECT_EQ(a[14], '4');
  EXPECT_NE(std::string("89ab").find(a[19]), std::string::npos);
  EXPECT_NE(a, random_uuid());
}

TEST(Sealer, OpensWhatItSealedUnderTheSameContextOnly) {
  const Sealer sealer;
  const std::string sealed = sealer.seal("state", "tools/call");
  EXPECT_EQ(sealer.open(sealed, "tools/call"), "state");
  EXPECT_EQ(sealer.open(sealed, "prompts/get"), std::nullopt);
  EXPECT_EQ(Sealer().open(sealed, "tools/call"), std::nullopt);
}

TEST(Sealer, RefusesEveryChangedOrCutText) {
  const Sealer sealer;
  const std::string sealed = sealer.seal("x", "");
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    std::string changed = sealed;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_EQ(sealer.open(changed, ""), std::nullopt) << i;
    EXPECT_EQ(sealer.open(sealed.substr(0, i), ""), std::nullopt) << i;
  }
}

}  // namespace
}  // namespace squall::base
