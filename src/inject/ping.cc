#include "squall/base/time_text.h"

#include "tools.h"

namespace squall::inject {

void add_ping(server::Registry& registry) {
  registry.tool("ping").describe("Answers at once, with the time.").handle(
      [](server::Context& context) {
        return json_text(json::Value::object(
            {{"status", "ok"}, {"timestamp", base::utc_text(context.loop().wall_time())}}));
      });
}

}  // namespace squall::inject
