#include "squall/json/write.h"

#include "everything.h"
#include "media.h"

namespace everything {

using squall::json::Value;
using squall::server::CompletionResult;
using squall::server::Context;
using squall::server::Registry;
using squall::server::ResourceContents;
using squall::server::ResourceResult;

namespace {

CompletionResult suggest_ids(std::string_view value, const Value&) {
  CompletionResult result;
  for (const std::string_view id : {"123", "124", "200"}) {
    if (id.starts_with(value)) result.values.emplace_back(id);
  }
  result.total = static_cast<std::int64_t>(result.values.size());
  result.has_more = false;
  return result;
}

}  // namespace

void add_resources(Registry& registry) {
  registry.resource("test://static-text", "static-text")
      .title("A text")
      .describe("A text that never changes.")
      .mime_type("text/plain")
      .handle([](Context&) {
        return ResourceResult(ResourceContents::of_text(
            "text/plain", "This is the content of the static text resource."));
      });

  registry.resource("test://static-binary", "static-binary")
      .title("A picture")
      .describe("A picture that never changes.")
      .mime_type("image/png")
      .handle([](Context&) {
        return ResourceResult(ResourceContents::of_bytes("image/png", red_pixel_png()));
      });

  registry.resource("test://watched-resource", "watched-resource")
      .title("A text to watch")
      .describe("Subscribe to it; the tool test_trigger_resource_update announces an update.")
      .mime_type("text/plain")
      .handle([](Context&) {
        return ResourceResult(ResourceContents::of_text("text/plain", "Watched resource content."));
      });

  registry.resource_template("test://template/{id}/data", "template-data")
      .title("Data by id")
      .describe("What is stored under an id.")
      .mime_type("application/json")
      .complete("id", suggest_ids)
      .handle([](Context& context) {
        const std::string id(context.variable("id"));
        const Value data =
            Value::object({{"id", id}, {"templateTest", true}, {"data", "Data for ID: " + id}});
        return ResourceResult(
            ResourceContents::of_text("application/json", squall::json::to_string(data)));
      });
}

}  // namespace everything
