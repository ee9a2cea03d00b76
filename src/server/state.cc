#include "squall/server/state.h"

#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <unistd.h>

#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::server {

namespace {

class FileStore final : public StateStore {
 public:
  FileStore(std::filesystem::path file, std::size_t bytes_max)
      : file_(std::move(file)), bytes_max_(bytes_max) {}

  Result<std::optional<std::string>> load() override {
    std::error_code failed;
    const auto size = std::filesystem::file_size(file_, failed);
    if (failed == std::errc::no_such_file_or_directory) return std::optional<std::string>();
    if (failed) return fail(ErrorKind::unavailable, "cannot read " + file_.string());
    if (size > bytes_max_) return fail(ErrorKind::limit, file_.string() + " is too large");
    std::ifstream in(file_, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(in), {});
    if (!in) return fail(ErrorKind::unavailable, "cannot read " + file_.string());
    return std::optional(std::move(text));
  }

  Result<void> save(std::string_view text) override {
    const std::string part = file_.string() + ".part";
    if (!write_whole(part, text)) {
      ::unlink(part.c_str());
      return fail(ErrorKind::unavailable, "cannot write " + part);
    }
    std::error_code failed;
    std::filesystem::rename(part, file_, failed);
    if (failed) return fail(ErrorKind::unavailable, "cannot write " + file_.string());
    return {};
  }

 private:
  /// On the disk when it returns true, so that the renamed file is never an empty one.
  static bool write_whole(const std::string& file, std::string_view text) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor < 0) return false;
    bool good = true;
    while (good && !text.empty()) {
      const ssize_t count = ::write(descriptor, text.data(), text.size());
      good = count > 0;
      if (good) text.remove_prefix(static_cast<std::size_t>(count));
    }
    good = good && ::fsync(descriptor) == 0;
    return ::close(descriptor) == 0 && good;
  }

  const std::filesystem::path file_;
  const std::size_t bytes_max_;
};

std::size_t bytes_of(std::string_view name, const json::Value& value) {
  return name.size() + json::to_string(value).size();
}

}  // namespace

std::unique_ptr<StateStore> make_file_store(std::filesystem::path file, std::size_t bytes_max) {
  return std::make_unique<FileStore>(std::move(file), bytes_max);
}

Result<std::shared_ptr<ServerState>> ServerState::open(std::unique_ptr<StateStore> store,
                                                       std::size_t bytes_max) {
  std::shared_ptr<ServerState> state(new ServerState(std::move(store), bytes_max));
  SQUALL_TRY(const std::optional<std::string> text, state->store_->load());
  if (!text) return state;
  const auto document = json::parse(*text);
  const json::Value* version = document ? document->find("version") : nullptr;
  const json::Value* values = document ? document->find("state") : nullptr;
  if (version == nullptr || !version->is_integer() || values == nullptr || !values->is_object()) {
    return fail(ErrorKind::invalid, "what the store holds is no state of a server");
  }
  if (*version != json::Value(kVersion)) {
    return fail(ErrorKind::invalid,
                "the state is of version " + std::string(version->number_text().substr(0, 20)) +
                    ", and this server knows version " + std::to_string(kVersion));
  }
  for (const json::Member& member : values->members()) {
    SQUALL_CHECK(state->set(member.name(), member.value));
  }
  return state;
}

json::Value ServerState::get(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const json::Value* value = values_.find(name);
  return value != nullptr ? *value : json::Value();
}

Result<void> ServerState::set(std::string_view name, json::Value value) {
  const std::lock_guard lock(mutex_);
  const json::Value* before = values_.find(name);
  const std::size_t without = before != nullptr ? bytes_ - bytes_of(name, *before) : bytes_;
  if (value.is_null()) {
    values_.erase(name);
    bytes_ = without;
    return {};
  }
  const std::size_t with = without + bytes_of(name, value);
  if (with > bytes_max_) return fail(ErrorKind::limit, "the server's state is full");
  values_.set(name, std::move(value));
  bytes_ = with;
  return {};
}

Result<void> ServerState::save() {
  const std::lock_guard in_turn(saving_);
  std::string text;
  {
    const std::lock_guard lock(mutex_);
    json::Writer writer(text);
    writer.begin_object().key("version").number(kVersion).key("state").value(values_).end_object();
  }
  return store_->save(text);
}

}  // namespace squall::server
