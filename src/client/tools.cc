#include "tools.h"

#include <utility>

#include "squall/base/text.h"
#include "squall/json/write.h"

namespace squall::client {

namespace {

bool is_true(const json::Value* annotations, std::string_view name) {
  const json::Value* const flag = annotations ? annotations->find(name) : nullptr;
  return flag != nullptr && flag->boolean();
}

/// An argument as a header says it; nothing when it has a type that no header can carry.
std::optional<std::string> header_text(const json::Value& argument) {
  if (argument.is_string()) return std::string(argument.string());
  if (argument.is_bool()) return argument.boolean() ? "true" : "false";
  if (const auto number = argument.as_int64()) return std::to_string(*number);
  if (argument.is_number()) return std::string(argument.number_text());
  return std::nullopt;
}

}  // namespace

void Tools::learn(Listing& listing) {
  tools_.clear();
  known_ = true;
  std::vector<json::Value> kept;
  kept.reserve(listing.entries.size());
  for (json::Value& entry : listing.entries) {
    Result<Tool> tool = read(entry);
    const std::string name(entry.find_string("name").value_or(""));
    if (!tool) {
      core_.report(Report::Kind::dropped_entry,
                   "tool " + base::show_name(name) + " can't be used: " + tool.error().message);
      ++listing.dropped;
      continue;
    }
    tools_.insert_or_assign(name, *std::move(tool));
    kept.push_back(std::move(entry));
  }
  listing.entries = std::move(kept);
}

Result<Tool> Tools::read(const json::Value& entry) const {
  const auto name = entry.find_string("name");
  if (!name) return fail(ErrorKind::invalid, "it has no name");
  Tool tool;
  const json::Value* const input = entry.find("inputSchema");
  // Only HTTP has headers; elsewhere a bad annotation harms nobody.
  if (input != nullptr && core_.link().is_http() && core_.envelope().is_modern()) {
    SQUALL_TRY(tool.headers, mcp::param_headers(*input));
  }
  const json::Value* const annotations = entry.find("annotations");
  tool.repeatable = is_true(annotations, "readOnlyHint") || is_true(annotations, "idempotentHint");
  const json::Value* const output = entry.find("outputSchema");
  if (output != nullptr && core_.options().validate_output) {
    Result<schema::Schema> compiled = schema::Schema::compile(*output);
    if (compiled) {
      tool.output = *std::move(compiled);
    } else {
      core_.report(Report::Kind::bad_schema, "outputSchema of tool " + base::show_name(*name) +
                                                 ": " + compiled.error().message);
    }
  }
  return tool;
}

const Tool* Tools::find(const std::string& name) const {
  const auto found = tools_.find(name);
  return found == tools_.end() ? nullptr : &found->second;
}

HttpHeaders Tools::headers(const Tool& tool, const json::Value& arguments) const {
  HttpHeaders out;
  for (const mcp::ParamHeader& parameter : tool.headers) {
    const json::Value* const argument = mcp::argument_of(arguments, parameter);
    const auto text = argument != nullptr ? header_text(*argument) : std::nullopt;
    if (text) out.emplace_back(parameter.header, mcp::encode_header_value(*text));
  }
  return out;
}

std::optional<Failure> Tools::check(const Tool& tool, const std::string& name,
                                    const ToolResult& result) const {
  if (!tool.output || result.is_error()) return std::nullopt;
  const json::Value* const structured = result.structured();
  const std::string whose = "the result of tool " + base::show_name(name);
  if (structured == nullptr) {
    return invalid(whose + " has no structuredContent, although the tool has an outputSchema");
  }
  std::vector<schema::Violation> violations;
  if (tool.output->validate(*structured, violations) == schema::Verdict::valid) {
    return std::nullopt;
  }
  std::string why = whose + " breaks the tool's outputSchema";
  for (std::size_t i = 0; i < violations.size() && i < 3; ++i) {
    why += (i == 0 ? ": " : "; ") + violations[i].instance + ": " + violations[i].message;
  }
  return invalid(std::move(why));
}

}  // namespace squall::client
