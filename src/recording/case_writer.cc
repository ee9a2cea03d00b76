#include "squall/recording/case_writer.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "squall/base/crypto.h"
#include "squall/base/text.h"
#include "squall/recording/run_hash.h"

#include "case_files.h"
#include "redact_event.h"

namespace squall::recording {
namespace {

// Verdicts and exits still find room where a case is full: they say what came of it.
constexpr std::uint64_t kReservedEvents = 10'000;
constexpr std::uint64_t kReservedBytes = std::uint64_t{4} << 20;

Result<std::size_t> count_cases(const std::filesystem::path& cases) {
  std::size_t count = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(cases, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == kCaseSuffix) ++count;
  }
  if (error) {
    return fail(ErrorKind::unavailable, cases.string() + ": cannot read: " + error.message());
  }
  return count;
}

Result<void> make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder.parent_path(), error);  // mkdir tells what is wrong
  if (::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return fail_by_errno("create the folder", folder.string());
}

std::string hex_sha256(std::string_view bytes) {
  const base::Sha256 digest = base::sha256(bytes);
  return base::hex_encode({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

/// Writes a whole file, under another name until it is complete.
Result<void> write_file_in(int folder, const std::string& name, std::string_view bytes) {
  const std::string unfinished = name + ".part";
  SQUALL_TRY(const Descriptor file, create_file_in(folder, unfinished.c_str()));
  if (auto written = write_all(file.get(), bytes); !written) {
    ::unlinkat(folder, unfinished.c_str(), 0);
    return written;
  }
  if (::renameat(folder, unfinished.c_str(), folder, name.c_str()) != 0) {
    return fail_by_errno("create", name);
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<CaseWriter>> CaseWriter::create(const std::filesystem::path& cases,
                                                       Header header,
                                                       std::shared_ptr<const Redactor> redactor,
                                                       CaseLimits limits) {
  SQUALL_CHECK(make_folder(cases));
  SQUALL_TRY(const std::size_t count, count_cases(cases));
  if (count >= limits.cases_max) {
    return fail(ErrorKind::limit, cases.string() + ": holds " + std::to_string(count) +
                                      " cases already; 'squall case prune' removes old ones");
  }
  redact(header, *redactor);
  for (header.run = 1; header.run <= limits.cases_max + 1; ++header.run) {
    SQUALL_TRY(std::string id, recording::run_id(header));
    std::filesystem::path folder = cases / (id + std::string(kCaseSuffix));
    if (::mkdir(folder.c_str(), 0700) != 0) {
      if (errno == EEXIST) continue;
      return fail_by_errno("create the folder", folder.string());
    }
    SQUALL_TRY(Descriptor directory, open_folder(folder));
    std::unique_ptr<CaseWriter> writer(new CaseWriter(std::move(folder), directory.release(),
                                                      std::move(header), std::move(id),
                                                      std::move(redactor), limits));
    SQUALL_CHECK(writer->open_files());
    return writer;
  }
  return fail(ErrorKind::limit, cases.string() + ": holds too many runs of these inputs");
}

CaseWriter::CaseWriter(std::filesystem::path folder, int directory, Header header, std::string id,
                       std::shared_ptr<const Redactor> redactor, CaseLimits limits)
    : folder_(std::move(folder)),
      directory_(directory),
      header_(std::move(header)),
      id_(std::move(id)),
      redactor_(std::move(redactor)),
      limits_(limits) {}

CaseWriter::~CaseWriter() {
  if (events_ >= 0) ::close(events_);
  ::close(directory_);
}

Result<void> CaseWriter::open_files() {
  SQUALL_TRY(const std::string text, to_text(header_));
  SQUALL_CHECK(write_file_in(directory_, kHeaderFile, text));
  SQUALL_TRY(Descriptor events, create_file_in(directory_, kEventsFile));
  events_ = events.release();
  return {};
}

Result<void> CaseWriter::learn(json::Value server, std::string tools_sha256) {
  redactor_->redact(server);
  header_.server = std::move(server);
  header_.tools_sha256 = std::move(tools_sha256);
  SQUALL_TRY(const std::string text, to_text(header_));
  return write_file_in(directory_, kHeaderFile, text);
}

void CaseWriter::drop(std::string trouble) {
  ++dropped_;
  if (trouble_.empty()) trouble_ = std::move(trouble);
}

bool CaseWriter::store(Payload& payload) {
  if (payload.bytes.size() <= kInlineBytesMax) return true;
  if (::mkdirat(directory_, kBlobsFolder, 0700) != 0 && errno != EEXIST) {
    drop(fail_by_errno("create", kBlobsFolder).error().message);
    return false;
  }
  const std::string sha256 = hex_sha256(payload.bytes);
  const std::string name = std::string(kBlobsFolder) + "/" + sha256;
  struct stat about{};
  if (::fstatat(directory_, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0) {
    if (blob_bytes_ + payload.bytes.size() > limits_.blob_bytes_max) {
      drop("the case is full");
      return false;
    }
    if (const auto written = write_file_in(directory_, name, payload.bytes); !written) {
      drop(written.error().message);
      return false;
    }
    blob_bytes_ += payload.bytes.size();
  }
  payload.blob = sha256;
  payload.size = payload.bytes.size();
  payload.bytes.clear();
  return true;
}

bool CaseWriter::store(EventBody& body) {
  for (Payload* const payload : payloads_of(body)) {
    if (!store(*payload)) return false;
  }
  return true;
}

bool CaseWriter::has_room(const EventBody& body, std::size_t bytes) const {
  const bool closing = std::holds_alternative<Verdict>(body) || std::holds_alternative<Exit>(body);
  return count_ < limits_.events_max + (closing ? kReservedEvents : 0) &&
         event_bytes_ + bytes <= limits_.event_bytes_max + (closing ? kReservedBytes : 0);
}

void CaseWriter::add(std::chrono::nanoseconds at, EventBody body) {
  redact(body, *redactor_);
  if (!store(body)) return;
  const Event event{.seq = count_ + 1, .at = at, .body = std::move(body)};
  const std::string line = to_line(event) + "\n";
  if (!has_room(event.body, line.size())) return drop("the case is full");
  if (events_ < 0) return drop("the case has ended");
  if (const auto written = write_all(events_, line); !written) {
    drop(written.error().message);
    // What may be half a line must be the last one, or nobody could read what follows.
    ::close(std::exchange(events_, -1));
    return;
  }
  ++count_;
  event_bytes_ += line.size();
  extend_run_hash(run_hash_, event);
}

Result<void> CaseWriter::finish(std::chrono::nanoseconds at, std::string why) {
  if (why.empty()) why = trouble_;
  Exit exit;
  exit.why = std::move(why);
  exit.dropped = dropped_;
  add(at, std::move(exit));
  if (events_ >= 0) ::close(std::exchange(events_, -1));
  if (dropped_ == 0) return {};
  return fail(ErrorKind::limit, folder_.string() + ": " + std::to_string(dropped_) +
                                    " events were not recorded: " + trouble_);
}

}  // namespace squall::recording
