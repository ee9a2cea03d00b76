#include "squall/base/text.h"

#include "calls.h"
#include "drive.h"

namespace squall::server {

namespace {

void write_contents(const ResourceContents& one, std::string_view asked, const ResourceEntry& entry,
                    json::Writer& writer) {
  writer.begin_object();
  writer.key("uri").string(one.uri.empty() ? asked : std::string_view(one.uri));
  const std::string& mime_type = one.mime_type.empty() ? entry.mime_type : one.mime_type;
  if (!mime_type.empty()) writer.key("mimeType").string(mime_type);
  if (one.blob) {
    writer.key("blob").string(base::base64_encode(*one.blob));
  } else {
    writer.key("text").string(one.text);
  }
  if (one.meta.is_object()) writer.key("_meta").value(one.meta);
  writer.end_object();
}

void write(ServedRequest& request, const void* entry, ResourceResult& result) {
  std::string response = request.begin_response();
  json::Writer writer(response);
  writer.key("contents").begin_array();
  for (const ResourceContents& one : result.contents) {
    write_contents(one, request.uri, *static_cast<const ResourceEntry*>(entry), writer);
  }
  writer.end_array();
  if (request.supports(mcp::Feature::cache_hints)) {
    writer.raw(request.pipeline().cache_members);
  }
  write_result_end(request, {}, response);
  request.respond(std::move(response));
}

}  // namespace

void read_resource(const std::shared_ptr<ServedRequest>& request) {
  const std::optional<std::string_view> uri = request->params().find_string("uri");
  if (!uri) return request->respond_error(jsonrpc::code::kInvalidParams, "uri must be a string");
  request->uri = *uri;
  const Pipeline& pipeline = request->pipeline();
  const ResourceEntry* entry = pipeline.find_resource(*uri);
  if (entry == nullptr) entry = pipeline.match_template(*uri, request->variables);
  if (entry == nullptr) {
    const json::Value data = json::Value::object({{"uri", *uri}});
    return request->respond_error(jsonrpc::code::kInvalidParams,
                                  "resource not found: " + base::show_name(*uri), &data);
  }
  if (const auto refusal = make_own_context(*request)) {
    const json::Value data = refusal->structured();
    return request->respond_error(jsonrpc::code::kInternalError, refusal->message(), &data);
  }
  const Job<ResourceResult> job{
      &entry->handler, entry,   *uri,    &write, &protocol_refusal<ResourceResult>,
      nullptr,         nullptr, nullptr, nullptr};
  start(request, job);
}

}  // namespace squall::server
