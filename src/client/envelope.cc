#include "envelope.h"

#include "squall/json/write.h"
#include "squall/mcp/names.h"

namespace squall::client {

namespace {

using json::Value;

Value elicitation_of(const mcp::ClientCapabilities& can, mcp::Revision revision) {
  Value modes = Value::object();
  if (!mcp::supports(revision, mcp::Feature::url_elicitation)) return modes;
  if (can.elicitation_form) modes.set("form", Value::object());
  if (can.elicitation_url) modes.set("url", Value::object());
  return modes;
}

}  // namespace

json::Value capabilities_of(const Options& options, mcp::Revision revision) {
  const mcp::ClientCapabilities& can = options.capabilities;
  Value out = Value::object();
  if (can.roots) out.set("roots", Value::object());
  if (can.sampling) {
    Value sampling = Value::object();
    if (can.sampling_tools) sampling.set("tools", Value::object());
    out.set("sampling", std::move(sampling));
  }
  if (can.elicitation_form || can.elicitation_url) {
    out.set("elicitation", elicitation_of(can, revision));
  }
  if (!mcp::supports(revision, mcp::Feature::result_type)) return out;
  Value extensions = options.extensions.is_object() ? options.extensions : Value::object();
  if (can.tasks && !extensions.contains(mcp::extension::kTasks)) {
    extensions.set(mcp::extension::kTasks, Value::object());
  }
  if (extensions.size() > 0) out.set("extensions", std::move(extensions));
  return out;
}

void append_member(std::string& out, std::string_view name, std::string_view text) {
  if (!out.empty()) out += ',';
  json::write_string(out, name);
  out += ':';
  json::write_string(out, text);
}

void append_value(std::string& out, std::string_view name, const json::Value& value) {
  if (!out.empty()) out += ',';
  json::write_string(out, name);
  out += ':';
  json::write(out, value);
}

std::string members_of(const json::Value& params) {
  std::string out;
  for (const json::Member& member : params.members()) {
    if (member.name() != "_meta") append_value(out, member.name(), member.value);
  }
  return out;
}

Envelope::Envelope(const Options& options, mcp::Revision revision)
    : revision_(revision), modern_(mcp::supports(revision, mcp::Feature::per_request_envelope)) {
  if (!modern_) return;
  own_ = Value::object();
  own_.set(mcp::meta::kProtocolVersion, mcp::to_text(revision));
  own_.set(mcp::meta::kClientInfo, options.info.to_json());
  own_.set(mcp::meta::kClientCapabilities, capabilities_of(options, revision));
  own_text_ = members_of(own_);
}

std::string Envelope::request(std::int64_t id, std::string_view method, std::string_view members,
                              const Meta& meta) const {
  std::string out;
  out.reserve(96 + method.size() + members.size() + own_text_.size());
  out += R"({"jsonrpc":"2.0","id":)";
  out += std::to_string(id);
  out += R"(,"method":)";
  json::write_string(out, method);
  append_params(out, members, meta, meta.progress ? std::optional(id) : std::nullopt);
  out += '}';
  return out;
}

std::string Envelope::notification(std::string_view method, std::string_view members) const {
  std::string out = R"({"jsonrpc":"2.0","method":)";
  json::write_string(out, method);
  append_params(out, members, {}, std::nullopt);
  out += '}';
  return out;
}

void Envelope::append_params(std::string& out, std::string_view members, const Meta& meta,
                             std::optional<std::int64_t> token) const {
  std::string text;
  if (meta.members != nullptr && meta.members->size() > 0) {
    text = members_of(*meta.members);
    // The caller's members win, so that anything can be said; ours fill up what is missing.
    for (const json::Member& member : own_.members()) {
      if (!meta.members->contains(member.name())) append_value(text, member.name(), member.value);
    }
  } else {
    text = own_text_;
  }
  if (token && (meta.members == nullptr || !meta.members->contains(mcp::meta::kProgressToken))) {
    append_value(text, mcp::meta::kProgressToken, json::Value(*token));
  }
  if (modern_ && meta.log_level) {
    append_member(text, mcp::meta::kLogLevel, mcp::to_text(*meta.log_level));
  }
  if (members.empty() && text.empty()) return;
  out += R"(,"params":{)";
  out += members;
  if (!text.empty()) {
    if (!members.empty()) out += ',';
    out += R"("_meta":{)";
    out += text;
    out += '}';
  }
  out += '}';
}

}  // namespace squall::client
