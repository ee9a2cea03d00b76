#include <cstdio>
#include <string>

#include "squall/json/yaml.h"
#include "squall/schema/schema.h"
#include "squall/server/registry.h"

struct Greet {
  std::string name;
};
SQUALL_DESCRIBE(Greet, name)

/// Whether a typed action compiles, with nothing installed but what the package asks for.
static bool typed_action_compiles() {
  squall::server::Registry registry({.name = "consumer", .version = "1"});
  registry.query<Greet>("people.greet")
      .constrain(&Greet::name, squall::schema::pattern("^[A-Z]"))
      .handle([](const Greet& in) { return "Hello, " + in.name; });
  return registry.compile().has_value();
}

// Touches every foreign library that Squall links: YAML for the text, PCRE2 for the pattern, and
// (by what lies below both) OpenSSL. Prints what the test looks for.
int main() {
  const auto schema_text = squall::json::parse_yaml("properties: {name: {pattern: '^sq'}}\n");
  const auto good = squall::json::parse_yaml("name: squall\n");
  const auto bad = squall::json::parse_yaml("name: calm\n");
  if (!schema_text || !good || !bad) return 1;
  const auto schema = squall::schema::Schema::compile(*schema_text);
  if (!schema) return 2;
  const bool right = schema->validate(*good) == squall::schema::Verdict::valid &&
                     schema->validate(*bad) == squall::schema::Verdict::invalid;
  if (!typed_action_compiles()) return 4;
  std::puts(right ? "consumer: verdicts are right" : "consumer: verdicts are wrong");
  return right ? 0 : 3;
}
