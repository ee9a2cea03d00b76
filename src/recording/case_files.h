#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "squall/base/result.h"

/// @file Files of a case, by the descriptor of its folder: no link is followed, none is
/// overwritten.

namespace squall::recording {

inline constexpr const char* kHeaderFile = "case.json";
inline constexpr const char* kEventsFile = "events.jsonl";
inline constexpr const char* kBlobsFolder = "blobs";
inline constexpr std::string_view kCaseSuffix = ".case";

/// An open file or folder, closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();
  [[nodiscard]] int get() const noexcept { return number_; }
  [[nodiscard]] int release() noexcept { return std::exchange(number_, -1); }
  [[nodiscard]] explicit operator bool() const noexcept { return number_ >= 0; }

 private:
  int number_;
};

[[nodiscard]] Result<Descriptor> open_folder(const std::filesystem::path& folder);
/// All of a regular file in `folder`, if it has at most `bytes_max`.
[[nodiscard]] Result<std::string> read_file_in(int folder, const char* name,
                                               std::uint64_t bytes_max);
/// Creates a file (mode 0600) that doesn't exist yet.
[[nodiscard]] Result<Descriptor> create_file_in(int folder, const char* name);
/// All of it, however many writes that takes.
[[nodiscard]] Result<void> write_all(int file, std::string_view bytes);
/// "FILE: cannot WHAT: No such file or directory", of errno.
[[nodiscard]] std::unexpected<Error> fail_by_errno(std::string_view what, std::string_view file);

}  // namespace squall::recording
