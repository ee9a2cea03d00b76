#include "files.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "squall/base/crypto.h"
#include "squall/server/engine.h"

namespace files {

using namespace squall;
using namespace squall::server;

namespace {

constexpr std::uintmax_t kFileBytesMax = 1 << 20;
constexpr std::string_view kUriPrefix = "note:///";

struct Named {
  std::string name;
};
SQUALL_DESCRIBE(Named, name)

struct Note {
  std::string name;
  std::string text;
};
SQUALL_DESCRIBE(Note, name, text)

std::string uri_of(const std::string& name) { return std::string(kUriPrefix) + name; }

Outcome<ResourceResult> read_note(const Folder& folder, Context& context) {
  const Result<std::string> text = folder.read(std::string(context.variable("name")));
  if (!text) return ProtocolError(-32602, text.error().message);
  return ResourceResult(ResourceContents::of_text("text/plain", *text));
}

CompletionResult complete_name(const Folder& folder, std::string_view begun) {
  CompletionResult out;
  for (const std::string& name : folder.names()) {
    if (name.starts_with(begun)) out.values.push_back(name);
  }
  return out;
}

}  // namespace

Result<std::unique_ptr<Folder>> Folder::make_temporary() {
  std::error_code failed;
  const std::filesystem::path base = std::filesystem::temp_directory_path(failed);
  const std::filesystem::path path = base / ("squall-files-" + base::random_uuid());
  if (failed || !std::filesystem::create_directory(path, failed)) {
    return fail(ErrorKind::unavailable, "cannot make a folder in " + base.string());
  }
  return std::make_unique<Folder>(path);
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Result<std::filesystem::path> Folder::path_of(const std::string& name) const {
  const bool plain = std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  });
  if (!plain || name.empty() || name.size() > 100 || name.front() == '.') {
    return fail(ErrorKind::invalid, "a file's name is letters, digits, '_', '-' and '.'");
  }
  std::error_code failed;
  const std::filesystem::path path = path_ / name;
  if (std::filesystem::is_symlink(path, failed)) {
    return fail(ErrorKind::invalid, name + " is a link");
  }
  return path;
}

Result<std::string> Folder::read(const std::string& name) const {
  SQUALL_TRY(const std::filesystem::path path, path_of(name));
  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(path, failed);
  if (failed) return fail(ErrorKind::not_found, "there is no file " + name);
  if (size > kFileBytesMax) return fail(ErrorKind::limit, name + " is too large");
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

Result<void> Folder::write(const std::string& name, const std::string& text) {
  SQUALL_TRY(const std::filesystem::path path, path_of(name));
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) return fail(ErrorKind::unavailable, "cannot write " + name);
  return {};
}

Result<void> Folder::remove(const std::string& name) {
  SQUALL_TRY(const std::filesystem::path path, path_of(name));
  std::error_code failed;
  if (std::filesystem::remove(path, failed)) return {};
  return fail(ErrorKind::not_found, "there is no file " + name);
}

std::vector<std::string> Folder::names() const {
  std::vector<std::string> out;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(path_, failed)) {
    if (entry.is_regular_file(failed)) out.push_back(entry.path().filename().string());
  }
  std::ranges::sort(out);
  return out;
}

void declare(Registry& registry, Folder& folder) {
  registry.resource_template("note:///{name}", "note")
      .describe("A text file of the folder")
      .mime_type("text/plain")
      .complete("name", [&folder](std::string_view begun,
                                  const json::Value&) { return complete_name(folder, begun); })
      .handle([&folder](Context& context) { return read_note(folder, context); });

  registry.query("notes.list").describe("List the files").handle([&folder](Context&) {
    return folder.names();
  });
  registry.mutation<Note>("notes.write")
      .describe("Write a file")
      .constrain(&Note::text, schema::max_length(100'000))
      .handle([&folder](Context& context, const Note& in) -> Result<void> {
        SQUALL_CHECK(folder.write(in.name, in.text));
        context.engine().resource_updated(uri_of(in.name));
        return {};
      });
  registry.mutation<Named>("notes.remove")
      .describe("Remove a file")
      .handle([&folder](Context& context, const Named& in) -> Result<void> {
        SQUALL_CHECK(folder.remove(in.name));
        context.engine().resource_updated(uri_of(in.name));
        return {};
      });
}

}  // namespace files
