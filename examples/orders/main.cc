// Orders that can be placed twice: what docs/guides/find-a-double-write.md looks for.
//
// `create_order` writes each time that it is called, unless its caller names the order with a key:
// then the second call gets what the first one made.
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "squall/server/registry.h"

#include "../serve_example.h"

using namespace squall;
using namespace squall::server;

namespace {

class Orders {
 public:
  json::Value create(std::string sku, const std::string& key) {
    const std::lock_guard lock(mutex_);
    if (const auto known = by_key_.find(key); !key.empty() && known != by_key_.end()) {
      return shown(known->second);
    }
    orders_.push_back(std::move(sku));
    if (!key.empty()) by_key_.emplace(key, orders_.size());
    return shown(orders_.size());
  }
  [[nodiscard]] json::Value list() const {
    const std::lock_guard lock(mutex_);
    json::Value all = json::Value::array();
    for (std::size_t number = 1; number <= orders_.size(); ++number) all.push_back(shown(number));
    return json::Value::object({{"orders", std::move(all)}});
  }

 private:
  [[nodiscard]] json::Value shown(std::size_t number) const {
    return json::Value::object({{"order", number}, {"sku", orders_[number - 1]}});
  }

  mutable std::mutex mutex_;
  std::vector<std::string> orders_;
  std::map<std::string, std::size_t> by_key_;
};

}  // namespace

int main(int argc, char** argv) {
  const examples::Arguments arguments = examples::read_arguments(argc, argv);
  Orders orders;
  Registry registry({.name = "orders", .version = "1.0.0"});
  registry.tool("create_order")
      .describe(
          "Orders one piece. With a key, the same order is placed once however often it is "
          "asked for.")
      .input(R"({"type": "object",
                 "properties": {"sku": {"type": "string", "minLength": 1},
                                "key": {"type": "string", "minLength": 1}},
                 "required": ["sku"]})")
      .handle([&orders](Context& context) {
        return ToolResult::of(
            orders.create(std::string(context.text("sku")), std::string(context.text("key"))));
      });
  registry.tool("list_orders").describe("Lists all orders.").handle([&orders](Context&) {
    return ToolResult::of(orders.list());
  });
  const auto pipeline = registry.compile();
  if (!pipeline) {
    std::fprintf(stderr, "%s\n", pipeline.error().message.c_str());
    return 1;
  }
  Engine engine(*pipeline);
  return examples::serve(engine, arguments);
}
