#include "blocks.h"

#include <algorithm>

#include "squall/json/write.h"
#include "squall/server/tool_error.h"

namespace squall::server {

namespace {

void append_element(std::string& out, std::string_view name, std::string_view text) {
  out.append("<").append(name).append(">");
  append_escaped(out, text);
  out.append("</").append(name).append(">");
}

void append_attribute(std::string& out, std::string_view name, std::string_view value) {
  out.append(" ").append(name).append("=\"");
  append_escaped(out, value, Escape::attribute);
  out += '"';
}

Content guidance(std::string text) { return Content::text(std::move(text)).as_guidance(); }

}  // namespace

std::string inert_json(const json::Value& value) {
  std::string plain = json::to_string(value);
  if (std::ranges::none_of(plain, [](char c) { return c == '<' || c == '>' || c == '&'; })) {
    return plain;
  }
  std::string out;
  out.reserve(plain.size());
  // Outside of strings JSON has none of these.
  for (const char c : plain) {
    if (c == '<') {
      out += "\\u003c";
    } else if (c == '>') {
      out += "\\u003e";
    } else if (c == '&') {
      out += "\\u0026";
    } else {
      out += c;
    }
  }
  return out;
}

Content data_block(const json::Value& value) { return Content::written_json(inert_json(value)); }

Content notice_block(std::string_view kind, std::string_view text) {
  std::string out = "<notice";
  append_attribute(out, "kind", kind);
  out += '>';
  append_escaped(out, text);
  out += "</notice>";
  return guidance(std::move(out));
}

Content ui_block(const UiBlock& block) {
  std::string out = "<ui";
  append_attribute(out, "type", block.type);
  if (!block.title.empty()) append_attribute(out, "title", block.title);
  out += '>';
  append_escaped(out, block.content);
  out += "</ui>";
  return Content::text(std::move(out));
}

Content rules_block(const std::vector<std::string>& rules) {
  std::string out = "<rules>";
  for (const std::string& rule : rules) append_element(out, "rule", rule);
  return guidance(out + "</rules>");
}

Content suggestions_block(const std::vector<Suggestion>& suggestions) {
  std::string out = "<suggestions>";
  for (const Suggestion& one : suggestions) {
    out += "<suggestion";
    append_attribute(out, "action", one.action);
    out += '>';
    append_escaped(out, one.reason);
    out += "</suggestion>";
  }
  return guidance(out + "</suggestions>");
}

}  // namespace squall::server
