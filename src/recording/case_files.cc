#include "case_files.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace squall::recording {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    if (number_ >= 0) ::close(number_);
    number_ = other.release();
  }
  return *this;
}

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

std::unexpected<Error> fail_by_errno(std::string_view what, std::string_view file) {
  const int number = errno;
  return fail(number == ENOENT ? ErrorKind::not_found : ErrorKind::unavailable,
              std::string(file) + ": cannot " + std::string(what) + ": " + std::strerror(number));
}

Result<Descriptor> open_folder(const std::filesystem::path& folder) {
  Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened) return fail_by_errno("open the folder", folder.string());
  return opened;
}

Result<std::string> read_file_in(int folder, const char* name, std::uint64_t bytes_max) {
  // Not blocking, so that a named pipe in its place can't hold us up.
  const Descriptor file(
      ::openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file) return fail_by_errno("read", name);
  struct stat about{};
  if (::fstat(file.get(), &about) != 0) return fail_by_errno("read", name);
  if (!S_ISREG(about.st_mode)) return fail(ErrorKind::invalid, std::string(name) + ": is no file");
  if (static_cast<std::uint64_t>(about.st_size) > bytes_max) {
    return fail(ErrorKind::limit, std::string(name) + ": has " + std::to_string(about.st_size) +
                                      " bytes, more than " + std::to_string(bytes_max));
  }
  std::string out(static_cast<std::size_t>(about.st_size), '\0');
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got = ::read(file.get(), out.data() + done, out.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail_by_errno("read", name);
    if (got == 0) break;  // it is shorter by now
    done += static_cast<std::size_t>(got);
  }
  out.resize(done);
  return out;
}

Result<Descriptor> create_file_in(int folder, const char* name) {
  Descriptor file(::openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600));
  if (!file) return fail_by_errno("create", name);
  return file;
}

Result<void> write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(file, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return fail_by_errno("write", "the case");
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return {};
}

}  // namespace squall::recording
