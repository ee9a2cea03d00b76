// Prints what each call of the experiment gives in process, a JSON object a line: what a client
// over any transport must see too.
#include <cstdio>

#include "squall/fault/builtin.h"
#include "squall/inject/example_tools.h"
#include "squall/inject/harness.h"
#include "squall/json/write.h"

#include "calls.h"

using namespace squall;

int main() {
  const auto profile =
      fault::read_profile("chaos.yaml", std::string(fault::find_builtin_profile("chaos")->text));
  if (!profile) return 1;
  const auto harness = inject::Harness::make(inject::call_example_tool, *profile, {1337});
  if (!harness) return 1;
  for (int n = 0; n < 3000; ++n) {
    const article::Call call = article::call_number(n);
    const inject::Invocation given = (*harness)->invoke(call.tool, call.arguments);
    json::Value line = json::Value::object({{"tool", call.tool}, {"arguments", call.arguments}});
    line.set("outcome", inject::name_of(given.outcome));
    line.set("result", given.result).set("error", given.error);
    std::printf("%s\n", json::to_string(line).c_str());
  }
  return 0;
}
