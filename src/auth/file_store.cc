#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "squall/auth/store.h"
#include "squall/base/crypto.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::auth {

namespace {

constexpr int kVersion = 1;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] bool valid() const { return fd_ >= 0; }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

std::unexpected<Error> failed(const std::filesystem::path& file, std::string_view what) {
  const std::string reason = std::strerror(errno);
  return fail(ErrorKind::unavailable, file.string() + ": " + std::string(what) + ": " + reason);
}

Result<void> check_owner(int fd, const std::filesystem::path& file) {
  struct stat status = {};
  if (::fstat(fd, &status) != 0) return failed(file, "cannot be looked at");
  if (!S_ISREG(status.st_mode)) return fail(ErrorKind::invalid, file.string() + " is no file");
  if (status.st_uid != ::geteuid()) {
    return fail(ErrorKind::invalid, file.string() + " belongs to somebody else");
  }
  if ((status.st_mode & 077) != 0) {
    return fail(ErrorKind::invalid,
                file.string() + " holds secrets, and others may read it: chmod 600 it");
  }
  return {};
}

Result<Secret> read_all(int fd, const std::filesystem::path& file) {
  Secret text;
  std::array<char, 16 << 10> buffer;
  for (;;) {
    const ssize_t size = ::read(fd, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return failed(file, "cannot be read");
    if (size == 0) return text;
    const std::string_view piece(buffer.data(), static_cast<std::size_t>(size));
    if (text.reveal().size() + piece.size() > FileStore::kBytesMax) {
      return fail(ErrorKind::limit, file.string() + " is too large");
    }
    text = Secret(text.reveal() + std::string(piece));
  }
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = ::write(fd, text.data(), text.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

/// Written beside it under a name of its own, synced, and put in its place.
Result<void> replace_file(const std::filesystem::path& file, std::string_view text) {
  const std::string unfinished = file.string() + "." + base::random_uuid();
  const Descriptor fd(
      ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd.valid()) return failed(file, "cannot be written");
  bool ok = write_all(fd.get(), text) && ::fsync(fd.get()) == 0;
  ok = ok && ::rename(unfinished.c_str(), file.c_str()) == 0;
  if (ok) return {};
  const auto error = failed(file, "cannot be written");
  ::unlink(unfinished.c_str());
  return error;
}

Result<void> make_folder(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  if (folder.empty()) return {};
  std::error_code error;
  if (std::filesystem::exists(folder, error)) return {};
  std::filesystem::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return failed(folder, "cannot be made");
  }
  return {};
}

json::Value empty_store() {
  return json::Value::object({{"version", kVersion},
                              {"clients", json::Value::object()},
                              {"tokens", json::Value::object()}});
}

const json::Value* find_entry(const json::Value& store, std::string_view kind,
                              const std::string& name) {
  const json::Value* entries = store.find(kind);
  return entries == nullptr ? nullptr : entries->find(name);
}

}  // namespace

Result<json::Value> FileStore::read() const {
  const Descriptor fd(::open(file_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!fd.valid() && errno == ENOENT) return empty_store();
  if (!fd.valid()) return failed(file_, "cannot be opened");
  SQUALL_CHECK(check_owner(fd.get(), file_));
  SQUALL_TRY(const Secret text, read_all(fd.get(), file_));
  auto store = json::parse(text.reveal());
  // The parser's message quotes the text, which is secret.
  if (!store) return fail(ErrorKind::invalid, file_.string() + " is no JSON: remove it");
  const json::Value* version = store->find("version");
  if (version == nullptr || *version != json::Value(kVersion)) {
    return fail(ErrorKind::invalid, file_.string() + " has a version that is not ours");
  }
  return *std::move(store);
}

Result<void> FileStore::keep(std::string_view kind, const std::string& name,
                             std::optional<json::Value> entry) {
  SQUALL_CHECK(make_folder(file_));
  SQUALL_TRY(json::Value store, read());
  if (entry) {
    store[kind].set(name, *std::move(entry));
  } else {
    store[kind].erase(name);
  }
  const Secret text(json::to_pretty_string(store) + "\n");
  if (text.reveal().size() > kBytesMax) {
    return fail(ErrorKind::limit, file_.string() + " would be too large");
  }
  return replace_file(file_, text.reveal());
}

Result<std::optional<StoredClient>> FileStore::client(const std::string& issuer) {
  SQUALL_TRY(const json::Value store, read());
  const json::Value* entry = find_entry(store, "clients", issuer);
  if (entry == nullptr) return std::optional<StoredClient>();
  return client_from_json(*entry);
}

Result<std::optional<StoredToken>> FileStore::token(const std::string& server) {
  SQUALL_TRY(const json::Value store, read());
  const json::Value* entry = find_entry(store, "tokens", server);
  if (entry == nullptr) return std::optional<StoredToken>();
  return token_from_json(*entry);
}

Result<void> FileStore::keep_client(const std::string& issuer,
                                    const std::optional<StoredClient>& client) {
  if (!client) return keep("clients", issuer, std::nullopt);
  return keep("clients", issuer, to_json(*client));
}

Result<void> FileStore::keep_token(const std::string& server,
                                   const std::optional<StoredToken>& token) {
  if (!token) return keep("tokens", server, std::nullopt);
  return keep("tokens", server, to_json(*token));
}

}  // namespace squall::auth
