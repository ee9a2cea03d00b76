#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "squall/base/result.h"
#include "squall/recording/event.h"
#include "squall/recording/header.h"
#include "squall/recording/recorder.h"
#include "squall/recording/redactor.h"

namespace squall::recording {

struct CaseLimits {
  std::uint64_t events_max = 1'000'000;
  std::uint64_t event_bytes_max = std::uint64_t{64} << 20;  ///< of events.jsonl
  std::uint64_t blob_bytes_max = std::uint64_t{256} << 20;  ///< of all blobs together
  std::size_t cases_max = 10'000;                           ///< in the folder that holds them
};

/// Writes a case as it happens: one write an event, so that a crash leaves what came before it.
///
///     SQUALL_TRY(const auto writer, CaseWriter::create("cases", header, redactor));
///     writer->add(loop.now() - start, Message{...});
///     SQUALL_CHECK(writer->finish(loop.now() - start));
///
/// Belongs to one thread. Recording never stops the run: where the disk or a limit says no, later
/// events are dropped and counted, but for verdicts, and `finish` tells.
class CaseWriter final : public Recorder {
 public:
  /// Makes the folder `cases/ID.case` (mode 0700), or `ID-2.case` and so on where that exists:
  /// nothing is ever written over. Sets `header.run` by it.
  [[nodiscard]] static Result<std::unique_ptr<CaseWriter>> create(
      const std::filesystem::path& cases, Header header, std::shared_ptr<const Redactor> redactor,
      CaseLimits limits = {});
  ~CaseWriter() override;

  void add(std::chrono::nanoseconds at, EventBody body) override;
  /// Notes what is known only once the server has answered. Replaces case.json in one step.
  [[nodiscard]] Result<void> learn(json::Value server, std::string tools_sha256);
  /// Ends the case with the run's `Exit`. Fails when something kept events out.
  [[nodiscard]] Result<void> finish(std::chrono::nanoseconds at, std::string why = {});

  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }
  [[nodiscard]] const std::string& id() const noexcept { return id_; }  ///< the run's, "ID-2"
  [[nodiscard]] const Header& header() const noexcept { return header_; }
  /// The SHA-256 over the events so far but for what differs from run to run; see case.md.
  [[nodiscard]] const std::string& run_hash() const noexcept { return run_hash_; }

 private:
  CaseWriter(std::filesystem::path folder, int directory, Header header, std::string id,
             std::shared_ptr<const Redactor> redactor, CaseLimits limits);
  [[nodiscard]] Result<void> open_files();
  /// Puts a large payload into its file; false when there is no room.
  [[nodiscard]] bool store(Payload& payload);
  [[nodiscard]] bool store(EventBody& body);
  [[nodiscard]] bool has_room(const EventBody& body, std::size_t bytes) const;
  void drop(std::string trouble);

  std::filesystem::path folder_;
  int directory_;
  int events_ = -1;
  Header header_;
  std::string id_;
  std::shared_ptr<const Redactor> redactor_;  // one for all cases of a program
  CaseLimits limits_;
  std::string run_hash_;
  std::uint64_t count_ = 0;
  std::uint64_t event_bytes_ = 0;
  std::uint64_t blob_bytes_ = 0;
  std::uint64_t dropped_ = 0;
  std::string trouble_;
};

}  // namespace squall::recording
