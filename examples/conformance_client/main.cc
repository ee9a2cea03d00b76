// The client that the official conformance suite drives: conformance-client URL. What it should do
// stands in the environment (MCP_CONFORMANCE_SCENARIO, _CONTEXT and _PROTOCOL_VERSION).
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "squall/client/client.h"
#include "squall/client/oauth.h"
#include "squall/json/parse.h"

#include "access.h"
#include "play.h"

using namespace squall;

namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The suite checks each message against one revision's schema, so that one is spoken.
client::Options options_for(const std::string& version, client::Handlers& handlers) {
  client::Options options;
  options.info.name = "squall-conformance-client";
  options.capabilities.roots = true;
  options.capabilities.sampling = true;
  options.capabilities.elicitation_form = true;
  options.handlers = &handlers;
  const mcp::Revision revision = mcp::revision_from(version).value_or(mcp::kLatestLegacy);
  const bool legacy = mcp::supports(revision, mcp::Feature::handshake);
  options.negotiation = legacy ? client::Negotiation::legacy : client::Negotiation::modern;
  if (legacy) options.legacy_offer = revision;
  return options;
}

Task<void> run(runtime::Loop& loop, client::Client& client, const json::Value& context,
               int& status) {
  const auto done = co_await conformance::play(client, context);
  if (!done) std::fprintf(stderr, "%s\n", done.error().message.c_str());
  status = done ? 0 : 1;
  loop.stop();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: conformance-client URL\n");
    return 2;
  }
  const std::string url = argv[argc - 1];
  const auto given = json::parse(environment("MCP_CONFORMANCE_CONTEXT"));
  const json::Value context = given ? *given : json::Value();
  const auto loop = runtime::SystemLoop::make();
  conformance::Access access(*loop, environment("MCP_CONFORMANCE_SCENARIO"), context, url);
  client::OAuthAuthorizer authorizer(access.authorization());
  client::HttpLinkOptions http;
  http.authorizer = &authorizer;
  auto link = client::over_http(*loop, url, http);
  if (!link) {
    std::fprintf(stderr, "%s\n", link.error().message.c_str());
    return 2;
  }
  conformance::Obliging handlers;
  client::Client client(*loop, *std::move(link),
                        options_for(environment("MCP_CONFORMANCE_PROTOCOL_VERSION"), handlers));
  int status = 1;
  const Task<void> task = run(*loop, client, context, status);
  task.start();
  loop->run();
  return status;
}
