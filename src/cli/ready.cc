#include "ready.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "text.h"

namespace squall::cli {
namespace {

std::unexpected<Error> fail_with_errno(const std::string& what) {
  return fail(ErrorKind::unavailable, what + ": " + std::strerror(errno));
}

Result<void> write_all(int descriptor, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t taken = ::write(descriptor, bytes.data(), bytes.size());
    if (taken < 0 && errno == EINTR) continue;
    if (taken < 0) return fail_with_errno("cannot write to " + name);
    bytes.remove_prefix(static_cast<std::size_t>(taken));
  }
  return {};
}

}  // namespace

Result<void> check_descriptor(int descriptor) {
  if (::fcntl(descriptor, F_GETFD) != -1) return {};
  return fail(ErrorKind::invalid, "descriptor " + std::to_string(descriptor) + " is not open");
}

Result<void> announce_on(int descriptor, std::string_view address) {
  const std::string line = "ready " + std::string(address) + "\n";
  const auto written = write_all(descriptor, line, "descriptor " + std::to_string(descriptor));
  ::close(descriptor);
  return written;
}

Result<void> write_port_file(const std::string& file, std::uint16_t port) {
  // Our process id keeps two servers from sharing the unfinished file.
  const std::string unfinished = file + "." + std::to_string(::getpid()) + ".part";
  const int descriptor = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) return fail_with_errno("cannot write the port file " + quote(file));
  auto written = write_all(descriptor, std::to_string(port) + "\n", "the port file " + quote(file));
  ::close(descriptor);
  if (written && std::rename(unfinished.c_str(), file.c_str()) != 0) {
    written = fail_with_errno("cannot write the port file " + quote(file));
  }
  if (!written) ::unlink(unfinished.c_str());
  return written;
}

}  // namespace squall::cli
