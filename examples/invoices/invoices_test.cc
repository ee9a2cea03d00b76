#include "invoices.h"

#include <gtest/gtest.h>

#include "squall/testing/tester.h"

namespace invoices {
namespace {

using squall::json::Value;
using squall::server::Exposition;
using squall::testing::Call;
using squall::testing::Tester;
using squall::testing::TesterOptions;

class Invoices : public testing::TestWithParam<Exposition> {
 protected:
  static squall::server::Registry registry(Store& store) {
    squall::server::Registry out({.name = "invoices", .version = "1.0.0"});
    declare(out, store);
    return out;
  }
  static TesterOptions options() {
    TesterOptions out;
    out.compile.exposition = GetParam();
    return out;
  }
  Store store_ = sample_store();
  Tester tester_{registry(store_), options()};
};

TEST_P(Invoices, AreFoundByTheirNumber) {
  const Call call = tester_.call("billing", "get", Value::object({{"id", "INV-1"}}));
  EXPECT_EQ(call.data.find_string("customer"), "Ada");
}

TEST_P(Invoices, ThatDoNotExistAreToldWithWhatToDo) {
  const Call call = tester_.call("billing", "get", Value::object({{"id", "INV-99"}}));
  EXPECT_EQ(call.code, "NOT_FOUND");
  EXPECT_NE(call.text().find("<action>list</action>"), std::string_view::npos);
}

TEST_P(Invoices, ArePaidOnce) {
  const Value payment = Value::object({{"id", "INV-1"}, {"cents", 125'000}});
  EXPECT_EQ(tester_.call("billing", "pay", payment).data.find_string("status"), "paid");
  EXPECT_EQ(tester_.call("billing", "pay", payment).code, "CONFLICT");
}

TEST_P(Invoices, AreListedUpToALimit) {
  const Call call = tester_.call("billing", "list", Value::object({{"limit", 2}}));
  EXPECT_EQ(call.data.find("invoices")->size(), 2U);
  EXPECT_EQ(*call.data.find("more"), Value(1));
  EXPECT_EQ(tester_.call("billing", "list", Value::object({{"limit", 0}})).code,
            "VALIDATION_ERROR");
}

INSTANTIATE_TEST_SUITE_P(Exposed, Invoices, testing::Values(Exposition::grouped, Exposition::flat));

TEST(InvoicesOfAnotherTenant, AreNotSeen) {
  Store store = sample_store();
  squall::server::Registry registry({.name = "invoices", .version = "1.0.0"});
  declare(registry, store);
  TesterOptions options;
  options.headers = {{"X-Tenant", "other"}};
  Tester tester(registry, options);
  EXPECT_EQ(tester.call("billing", "get", Value::object({{"id", "INV-1"}})).code, "NOT_FOUND");
}

}  // namespace
}  // namespace invoices
