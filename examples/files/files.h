#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "squall/base/result.h"
#include "squall/server/registry.h"

namespace files {

/// Text files directly in one folder. A name is letters, digits, '_', '-' and '.', and no dot
/// first, so no name leads anywhere else; links are not followed.
class Folder {
 public:
  /// A new folder that goes with the object.
  [[nodiscard]] static squall::Result<std::unique_ptr<Folder>> make_temporary();
  explicit Folder(std::filesystem::path path) : path_(std::move(path)) {}
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] squall::Result<std::string> read(const std::string& name) const;
  [[nodiscard]] squall::Result<void> write(const std::string& name, const std::string& text);
  [[nodiscard]] squall::Result<void> remove(const std::string& name);
  /// In order.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  [[nodiscard]] squall::Result<std::filesystem::path> path_of(const std::string& name) const;
  std::filesystem::path path_;
};

/// Declares the resource template and the actions; `folder` outlives what is compiled.
void declare(squall::server::Registry& registry, Folder& folder);

}  // namespace files
