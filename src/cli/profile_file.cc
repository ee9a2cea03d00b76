#include "profile_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "squall/base/text.h"
#include "squall/fault/builtin.h"
#include "squall/fault/schedule.h"
#include "squall/json/strict.h"

#include "text.h"

namespace squall::cli {

Result<std::string> read_text_file(const std::string& path, std::size_t mebibytes_max) {
  std::ifstream file(path, std::ios::binary);
  const std::size_t bytes_max = mebibytes_max << 20;
  std::string text(bytes_max + 1, '\0');
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad()) {
    return fail(ErrorKind::not_found, "cannot read " + quote(path) + ": " + std::strerror(errno));
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > bytes_max) {
    return fail(ErrorKind::limit,
                quote(path) + " has more than " + std::to_string(mebibytes_max) + " MiB");
  }
  return text;
}

Result<std::string> profile_text(const std::string& name) {
  if (name.find_first_of("/.") != std::string::npos) return read_text_file(name);
  if (const auto* builtin = fault::find_builtin_profile(name)) return std::string(builtin->text);
  std::vector<std::string> names;
  for (const auto& builtin : fault::builtin_profiles()) names.emplace_back(builtin.name);
  std::string message = "no built-in profile is called " + quote(name);
  if (const auto meant = base::nearest(name, names)) {
    message += "; did you mean " + std::string(*meant) + "?";
  }
  return fail(ErrorKind::not_found, message + " (a file's name has a '/' or a '.' in it)");
}

Result<LoadedProfile> load_profile_or_schedule(const std::string& name) {
  LoadedProfile out;
  SQUALL_TRY(std::string text, profile_text(name));
  SQUALL_TRY(auto file, json::StrictFile::parse(name, text));
  if (file.root().value().contains("strikes")) {
    out.schedule = file.root().value();
    SQUALL_TRY(out.profile, fault::read_schedule(name, std::move(text)));
  } else {
    SQUALL_TRY(out.profile, fault::read_profile(name, std::move(text)));
  }
  return out;
}

Result<fault::Profile> load_profile(const std::string& name) {
  SQUALL_TRY(LoadedProfile loaded, load_profile_or_schedule(name));
  return std::move(loaded.profile);
}

}  // namespace squall::cli
