#include "squall/recording/case_reader.h"

#include <utility>

#include "squall/base/crypto.h"
#include "squall/base/text.h"
#include "squall/json/parse.h"
#include "squall/recording/migrate.h"
#include "squall/recording/run_hash.h"

#include "case_files.h"
#include "event_value.h"

namespace squall::recording {
namespace {

constexpr std::uint64_t kHeaderBytesMax = std::uint64_t{16} << 20;

/// The version that case.json names; its reader has checked it.
std::uint32_t version_of(std::string_view header) {
  const auto value = json::parse(header);
  const json::Value* const version = value ? value->find("squall_case") : nullptr;
  return version == nullptr ? 0 : static_cast<std::uint32_t>(version->as_uint64().value_or(0));
}

Result<Event> read_event(std::string_view line, std::uint32_t version) {
  SQUALL_TRY(json::Value value, json::parse(line));
  SQUALL_TRY(value, migrate(std::move(value), Part::event, version));
  return event_from(value);
}

std::string why_incomplete(const std::vector<Event>& events, bool cut_off) {
  if (cut_off) return "its last line was cut off";
  const Exit* const exit = events.empty() ? nullptr : std::get_if<Exit>(&events.back().body);
  if (exit == nullptr || exit->process != 0)
    return "the program that wrote it ended before the run";
  return {};
}

}  // namespace

Result<Case> parse_case(std::string_view header, std::string_view events, ReadLimits limits) {
  Case out;
  auto read = parse_header(header);
  if (!read) return fail(read.error().kind, "case.json: " + read.error().message);
  out.header = *std::move(read);
  SQUALL_TRY(out.id, case_id(out.header));
  SQUALL_TRY(out.run_id, run_id(out.header));

  if (events.size() > limits.bytes_max) {
    return fail(ErrorKind::limit, "events.jsonl: larger than " + std::to_string(limits.bytes_max));
  }
  const std::uint32_t version = version_of(header);
  bool cut_off = false;
  while (!events.empty()) {
    const std::size_t end = events.find('\n');
    if (end == std::string_view::npos) {
      cut_off = true;
      break;
    }
    const std::string place = "events.jsonl:" + std::to_string(out.events.size() + 1) + ": ";
    if (out.events.size() >= limits.events_max) {
      return fail(ErrorKind::limit, place + "more events than are read");
    }
    auto event = read_event(events.substr(0, end), version);
    if (!event) return fail(event.error().kind, place + event.error().message);
    if (event->seq != out.events.size() + 1) {
      return fail(ErrorKind::invalid,
                  place + "/seq: expected " + std::to_string(out.events.size() + 1));
    }
    extend_run_hash(out.run_hash, *event);
    out.events.push_back(*std::move(event));
    events.remove_prefix(end + 1);
  }
  out.ended_early = why_incomplete(out.events, cut_off);
  return out;
}

Result<Case> read_case(const std::filesystem::path& folder, ReadLimits limits) {
  const auto at_folder = [&folder](const Error& error) {
    return fail(error.kind, folder.string() + ": " + error.message);
  };
  SQUALL_TRY(const Descriptor directory, open_folder(folder));
  const auto header = read_file_in(directory.get(), kHeaderFile, kHeaderBytesMax);
  if (!header) return at_folder(header.error());
  auto events = read_file_in(directory.get(), kEventsFile, limits.bytes_max);
  if (!events && events.error().kind == ErrorKind::not_found) events = std::string();
  if (!events) return at_folder(events.error());
  auto out = parse_case(*header, *events, limits);
  if (!out) return at_folder(out.error());
  out->folder = folder;
  return out;
}

Result<std::string> bytes_of(const Case& from, const Payload& payload, ReadLimits limits) {
  if (payload.blob.empty()) return payload.bytes;
  SQUALL_TRY(const Descriptor directory, open_folder(from.folder / kBlobsFolder));
  SQUALL_TRY(std::string bytes,
             read_file_in(directory.get(), payload.blob.c_str(), limits.blob_bytes_max));
  const base::Sha256 digest = base::sha256(bytes);
  const std::string_view view(reinterpret_cast<const char*>(digest.data()), digest.size());
  if (bytes.size() != payload.size || base::hex_encode(view) != payload.blob) {
    return fail(ErrorKind::invalid, "blob " + payload.blob + " isn't what was recorded");
  }
  return bytes;
}

}  // namespace squall::recording
