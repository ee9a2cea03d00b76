#include "remote_text.h"

#include <algorithm>
#include <string_view>

#include "squall/base/text.h"
#include "squall/json/write.h"

namespace squall::cli {
namespace {

using json::Value;

/// Of one line of description.
constexpr std::size_t kLineBytesMax = 100;

std::string text_of(const Value& value, std::string_view member) {
  return printable(value.find_string(member).value_or(""));
}

/// The first line, cut short.
std::string first_line(std::string text) {
  text = text.substr(0, text.find('\n'));
  if (text.size() <= kLineBytesMax) return text;
  std::size_t end = kLineBytesMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

/// "integer", "string or null", "one of a, b".
std::string type_of(const Value& schema) {
  std::string out;
  if (const Value* const choices = schema.find("enum")) {
    for (const Value& choice : choices->items()) {
      out += out.empty() ? "one of " : ", ";
      out += choice.is_string() ? printable(choice.string()) : json::to_string(choice);
    }
    return out;
  }
  const Value* const type = schema.find("type");
  if (type == nullptr) return "any";
  for (const Value& one : type->items()) {
    out += (out.empty() ? "" : " or ") + printable(one.string());
  }
  return type->is_array() ? out : printable(type->string());
}

bool requires_member(const Value& schema, std::string_view name) {
  const Value* const required = schema.find("required");
  if (required == nullptr) return false;
  const auto items = required->items();
  return std::any_of(items.begin(), items.end(),
                     [&](const Value& item) { return item.string() == name; });
}

void append_argument(std::string& out, const json::Member& property, bool required) {
  out += "      " + printable(property.name()) + (required ? "" : "?") + "  " +
         type_of(property.value);
  if (const Value* const preset = property.value.find("default")) {
    out += " [" + printable(json::to_string(*preset)) + "]";
  }
  const std::string about = first_line(text_of(property.value, "description"));
  out += (about.empty() ? "" : "  " + about) + "\n";
}

void append_entry(std::string& out, std::string_view name, const std::string& about) {
  out += "  " + printable(name) + (about.empty() ? "" : "  " + first_line(about)) + "\n";
}

void append_heading(std::string& out, std::string_view what, std::size_t count) {
  out += "\n" + std::string(what) + " (" + std::to_string(count) + ")\n";
}

void append_tools(std::string& out, const std::vector<Value>& tools) {
  append_heading(out, "Tools", tools.size());
  for (const Value& tool : tools) {
    append_entry(out, tool.find_string("name").value_or(""), text_of(tool, "description"));
    const Value* const schema = tool.find("inputSchema");
    const Value* const properties = schema == nullptr ? nullptr : schema->find("properties");
    if (properties == nullptr) continue;
    for (const json::Member& property : properties->members()) {
      append_argument(out, property, requires_member(*schema, property.name()));
    }
  }
}

void append_list(std::string& out, std::string_view what, const std::vector<Value>& entries,
                 std::string_view key) {
  if (entries.empty()) return;
  append_heading(out, what, entries.size());
  for (const Value& entry : entries) {
    std::string about = text_of(entry, "description");
    if (about.empty() && key != "name") about = text_of(entry, "name");
    append_entry(out, entry.find_string(key).value_or(""), about);
  }
}

void append_block(std::string& out, const Value& block) {
  if (const auto text = block.find_string("text")) {
    out += printable(*text);
  } else if (const Value* const inner = block.find("resource")) {
    return append_block(out, *inner);
  } else if (const auto data =
                 block.find_string("data").value_or(block.find_string("blob").value_or(""));
             !data.empty()) {
    out +=
        "[" + text_of(block, "mimeType") + ", " + std::to_string(data.size() / 4 * 3) + " bytes]";
  } else if (const auto uri = block.find_string("uri")) {
    out += printable(*uri);
  } else {
    out += printable(json::to_string(block));
  }
  if (!out.ends_with('\n')) out += '\n';
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  std::size_t offset = 0;
  while (offset < text.size()) {
    const char32_t point = base::next_code_point(text, offset);
    const bool control = point < 0x20 || (point >= 0x7F && point < 0xA0);
    if (control && point != '\n' && point != '\t') {
      constexpr std::string_view kDigits = "0123456789abcdef";
      out += "\\u{";
      out += kDigits[point >> 4];
      out += kDigits[point & 0xF];
      out += "}";
    } else {
      base::append_utf8(out, point);
    }
  }
  return out;
}

std::string to_text(const Survey& survey) {
  const client::Server& server = survey.server;
  std::string out = text_of(server.info, "name");
  if (out.empty()) out = "(a server without a name)";
  const std::string version = text_of(server.info, "version");
  if (!version.empty()) out += " " + version;
  out += "\n  protocol      " + std::string(mcp::to_text(server.revision)) + "\n";
  std::string can;
  for (const json::Member& capability : server.capabilities.members()) {
    can += (can.empty() ? "" : ", ") + printable(capability.name());
  }
  out += "  capabilities  " + (can.empty() ? "none" : can) + "\n";
  if (!server.instructions.empty()) {
    out += "  instructions  " + first_line(printable(server.instructions)) + "\n";
  }
  append_tools(out, survey.tools);
  append_list(out, "Resources", survey.resources, "uri");
  append_list(out, "Resource templates", survey.templates, "uriTemplate");
  append_list(out, "Prompts", survey.prompts, "name");
  return out;
}

Value to_json(const Survey& survey) {
  const client::Server& server = survey.server;
  return Value::object({{"protocolVersion", mcp::to_text(server.revision)},
                        {"serverInfo", server.info},
                        {"capabilities", server.capabilities},
                        {"instructions", server.instructions},
                        {"tools", Value::from_items(survey.tools)},
                        {"resources", Value::from_items(survey.resources)},
                        {"resourceTemplates", Value::from_items(survey.templates)},
                        {"prompts", Value::from_items(survey.prompts)}});
}

std::string content_text(const Value& result) {
  std::string out;
  for (const std::string_view list : {"content", "contents"}) {
    if (const Value* const blocks = result.find(list)) {
      for (const Value& block : blocks->items()) append_block(out, block);
    }
  }
  if (const Value* const messages = result.find("messages")) {
    for (const Value& message : messages->items()) {
      out += text_of(message, "role") + ": ";
      if (const Value* const content = message.find("content")) append_block(out, *content);
    }
  }
  const Value* const structured = result.find("structuredContent");
  if (out.empty() && structured != nullptr) out = json::to_pretty_string(*structured) + "\n";
  return out;
}

}  // namespace squall::cli
