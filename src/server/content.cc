#include "squall/server/content.h"

#include "squall/base/text.h"

namespace squall::server {

Content Content::text(std::string_view text) { return Content(Kind::text, std::string(text)); }

Content Content::image(std::string_view bytes, std::string_view mime_type) {
  Content out(Kind::image, base::base64_encode(bytes));
  out.mime_type_ = mime_type;
  return out;
}

Content Content::audio(std::string_view bytes, std::string_view mime_type) {
  Content out(Kind::audio, base::base64_encode(bytes));
  out.mime_type_ = mime_type;
  return out;
}

Content Content::text_resource(std::string_view uri, std::string_view mime_type,
                               std::string_view text) {
  Content out(Kind::text_resource, std::string(text));
  out.mime_type_ = mime_type;
  out.uri_ = uri;
  return out;
}

Content Content::blob_resource(std::string_view uri, std::string_view mime_type,
                               std::string_view bytes) {
  Content out(Kind::blob_resource, base::base64_encode(bytes));
  out.mime_type_ = mime_type;
  out.uri_ = uri;
  return out;
}

Content Content::resource_link(std::string_view uri, std::string_view name, json::Value more) {
  Content out(Kind::link, std::string(name));
  out.uri_ = uri;
  out.more_ = std::move(more);
  return out;
}

Content& Content::annotate(json::Value annotations) {
  annotations_ = std::move(annotations);
  return *this;
}

Content& Content::meta(json::Value meta) {
  meta_ = std::move(meta);
  return *this;
}

void Content::write(json::Writer& writer, mcp::Revision revision) const {
  if (kind_ == Kind::audio && !mcp::supports(revision, mcp::Feature::audio_content)) {
    return text("[" + mime_type_ + " audio]").write(writer, revision);
  }
  if (kind_ == Kind::link && !mcp::supports(revision, mcp::Feature::resource_links)) {
    return text(text_ + ": " + uri_).write(writer, revision);
  }
  const auto media = [&](std::string_view type) {
    writer.key("type").string(type).key("data").string(text_).key("mimeType").string(mime_type_);
  };
  const auto resource = [&](std::string_view member) {
    writer.key("type").string("resource").key("resource").begin_object();
    writer.key("uri").string(uri_);
    if (!mime_type_.empty()) writer.key("mimeType").string(mime_type_);
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
      writer.key("type").string("resource_link").key("uri").string(uri_);
      writer.key("name").string(text_);
      for (const json::Member& member : more_.members()) {
        writer.key(member.name()).value(member.value);
      }
      break;
  }
  if (annotations_.is_object()) writer.key("annotations").value(annotations_);
  if (meta_.is_object()) writer.key("_meta").value(meta_);
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
