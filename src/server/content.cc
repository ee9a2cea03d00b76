#include "squall/server/content.h"

#include <algorithm>

#include "squall/base/assert.h"
#include "squall/base/text.h"

namespace squall::server {

namespace {

constexpr std::size_t kShortJson = 4096;

/// `json`, which is JSON as our writer writes it, as a JSON string.
void write_json_text(std::string& out, std::string_view json) {
  // A short one isn't counted through first: twice its size is room for whatever it holds.
  const std::size_t escapes = json.size() <= kShortJson
                                  ? json.size()
                                  : static_cast<std::size_t>(std::ranges::count_if(
                                        json, [](char c) { return c == '"' || c == '\\'; }));
  const std::size_t before = out.size();
  out.resize_and_overwrite(before + json.size() + escapes + 2, [&](char* text, std::size_t) {
    char* to = text + before;
    *to++ = '"';
    for (const char c : json) {
      if (c == '"' || c == '\\') *to++ = '\\';
      *to++ = c;
    }
    *to++ = '"';
    return static_cast<std::size_t>(to - text);
  });
}

}  // namespace

Content::Content(Kind kind, std::string&& text, Rest rest)
    : kind_(kind), text_(std::move(text)), rest_(std::make_shared<const Rest>(std::move(rest))) {}

Content Content::text(std::string_view text) { return Content(Kind::text, std::string(text)); }
Content Content::text(std::string&& text) { return Content(Kind::text, std::move(text)); }

Content Content::json_text(const json::Value& value) {
  return written_json(json::to_string(value));
}

Content Content::written_json(std::string json) {
  Content out(Kind::text, std::move(json));
  out.is_json_ = true;
  return out;
}

Content Content::image(std::string_view bytes, std::string_view mime_type) {
  return Content(Kind::image, base::base64_encode(bytes),
                 Rest{.mime_type = std::string(mime_type)});
}

Content Content::audio(std::string_view bytes, std::string_view mime_type) {
  return Content(Kind::audio, base::base64_encode(bytes),
                 Rest{.mime_type = std::string(mime_type)});
}

Content Content::text_resource(std::string_view uri, std::string_view mime_type,
                               std::string_view text) {
  return Content(Kind::text_resource, std::string(text),
                 Rest{.mime_type = std::string(mime_type), .uri = std::string(uri)});
}

Content Content::blob_resource(std::string_view uri, std::string_view mime_type,
                               std::string_view bytes) {
  return Content(Kind::blob_resource, base::base64_encode(bytes),
                 Rest{.mime_type = std::string(mime_type), .uri = std::string(uri)});
}

Content Content::resource_link(std::string_view uri, std::string_view name, json::Value more) {
  return Content(Kind::link, std::string(name),
                 Rest{.uri = std::string(uri), .more = std::move(more)});
}

void Content::change_rest(json::Value Rest::* member, json::Value value) {
  Rest changed = rest_ ? *rest_ : Rest();
  changed.*member = std::move(value);
  rest_ = std::make_shared<const Rest>(std::move(changed));
  text_ = body();
  prepared_.reset();
}

Content& Content::annotate(json::Value annotations) {
  change_rest(&Rest::annotations, std::move(annotations));
  return *this;
}

Content& Content::meta(json::Value meta) {
  change_rest(&Rest::meta, std::move(meta));
  return *this;
}

Content& Content::prepare() {
  SQUALL_ASSERT(is_text());
  Prepared prepared{std::string(body()), {}};
  write(prepared.written, mcp::kLatestModern);  // every revision knows texts
  prepared_ = std::make_shared<const Prepared>(std::move(prepared));
  text_ = {};
  return *this;
}

void Content::write(std::string& out, mcp::Revision revision) const {
  if (prepared_) {
    out += prepared_->written;
  } else if (kind_ != Kind::text || rest_) {
    write_other(out, revision);
  } else {
    out += R"({"type":"text","text":)";
    if (is_json_) {
      write_json_text(out, text_);
    } else {
      json::write_string(out, text_);
    }
    out += '}';
  }
}

void Content::write_other(std::string& out, mcp::Revision revision) const {
  const Rest& rest = *rest_;
  if (kind_ == Kind::audio && !mcp::supports(revision, mcp::Feature::audio_content)) {
    return text("[" + rest.mime_type + " audio]").write(out, revision);
  }
  if (kind_ == Kind::link && !mcp::supports(revision, mcp::Feature::resource_links)) {
    return text(text_ + ": " + rest.uri).write(out, revision);
  }
  json::Writer writer(out);
  const auto media = [&](std::string_view type) {
    writer.key("type").string(type).key("data").string(text_);
    writer.key("mimeType").string(rest.mime_type);
  };
  const auto resource = [&](std::string_view member) {
    writer.key("type").string("resource").key("resource").begin_object();
    writer.key("uri").string(rest.uri);
    if (!rest.mime_type.empty()) writer.key("mimeType").string(rest.mime_type);
    writer.key(member).string(text_).end_object();
  };
  writer.begin_object();
  switch (kind_) {
    case Kind::text:
      writer.key("type").string("text").key("text").string(text_);
      break;
    case Kind::image:
      media("image");
      break;
    case Kind::audio:
      media("audio");
      break;
    case Kind::text_resource:
      resource("text");
      break;
    case Kind::blob_resource:
      resource("blob");
      break;
    case Kind::link:
      writer.key("type").string("resource_link").key("uri").string(rest.uri);
      writer.key("name").string(text_);
      for (const json::Member& member : rest.more.members()) {
        writer.key(member.name()).value(member.value);
      }
      break;
  }
  if (rest.annotations.is_object()) writer.key("annotations").value(rest.annotations);
  if (rest.meta.is_object()) writer.key("_meta").value(rest.meta);
  writer.end_object();
}

ToolResult ToolResult::text(std::string_view text) { return ToolResult(Content::text(text)); }

ToolResult ToolResult::error(std::string_view text) {
  ToolResult out(Content::text(text));
  out.is_error = true;
  return out;
}

ToolResult ToolResult::of(json::Value structured) {
  ToolResult out;
  out.structured = std::move(structured);
  return out;
}

ToolResult& ToolResult::add(Content block) {
  content.push_back(std::move(block));
  return *this;
}

PromptResult& PromptResult::user(Content content) {
  messages.push_back({PromptMessage::Role::user, std::move(content)});
  return *this;
}

PromptResult& PromptResult::assistant(Content content) {
  messages.push_back({PromptMessage::Role::assistant, std::move(content)});
  return *this;
}

ResourceContents ResourceContents::of_text(std::string_view mime_type, std::string_view text) {
  ResourceContents out;
  out.mime_type = mime_type;
  out.text = text;
  return out;
}

ResourceContents ResourceContents::of_bytes(std::string_view mime_type, std::string_view bytes) {
  ResourceContents out;
  out.mime_type = mime_type;
  out.blob = std::string(bytes);
  return out;
}

}  // namespace squall::server
