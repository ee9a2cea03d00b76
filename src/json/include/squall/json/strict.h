#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "squall/base/result.h"
#include "squall/json/value.h"

/// @file Files that people write, read strictly: every mistake is found, and told with its place.
///
///     SQUALL_TRY(auto file, StrictFile::parse("flaky.yaml", text));
///     StrictObject profile(file.root());
///     const std::string name = profile.text("name");
///     profile.finish();
///     SQUALL_CHECK(file.verdict());

namespace squall::json {

class StrictFile;

/// A value of a file and where it stands. Cheap to copy; lives as long as its file.
class StrictNode {
 public:
  StrictNode(StrictFile& file, const Value& value, std::string pointer)
      : file_(&file), value_(&value), pointer_(std::move(pointer)) {}
  [[nodiscard]] const Value& value() const noexcept { return *value_; }
  [[nodiscard]] const std::string& pointer() const noexcept { return pointer_; }
  [[nodiscard]] StrictFile& file() const noexcept { return *file_; }
  /// Notes a mistake here: "a whole number from 1 to 10".
  void expected(std::string_view what) const;
  /// Notes one that isn't about what stands here: "is needed by ...". Nothing is quoted.
  void complain(std::string_view what) const;

  /// Each of these notes a mistake and gives a default when the value is something else.
  [[nodiscard]] std::string text(std::size_t bytes_min = 1) const;
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] std::int64_t integer(
      std::int64_t least, std::int64_t most = std::numeric_limits<std::int64_t>::max()) const;
  [[nodiscard]] std::size_t choice(std::initializer_list<std::string_view> words) const;
  /// The elements of an array.
  [[nodiscard]] std::vector<StrictNode> elements() const;
  /// A scalar as it stands in the file, without quotes and escapes, before a plain `.5`, `0x10` or
  /// `1e3` became a number. Nothing for what is no scalar; notes no mistake.
  [[nodiscard]] std::optional<std::string> source_text() const;

 private:
  StrictFile* file_;
  const Value* value_;
  std::string pointer_;
};

/// An object being read, member by member; those that nobody asked for are mistakes.
class StrictObject {
 public:
  /// Notes a mistake when the node is no object; everything is absent then.
  explicit StrictObject(StrictNode node);
  [[nodiscard]] const StrictNode& node() const noexcept { return node_; }
  [[nodiscard]] bool has(std::string_view name) const;
  /// The member, or nothing.
  [[nodiscard]] std::optional<StrictNode> find(std::string_view name);
  /// The member; its absence is a mistake, and gives nothing.
  [[nodiscard]] std::optional<StrictNode> need(std::string_view name);
  /// As StrictNode's, of a member that must be there.
  [[nodiscard]] std::string text(std::string_view name);
  /// Notes every member that was not asked for, with the name that may have been meant.
  void finish();

 private:
  StrictNode node_;
  const Value* object_ = nullptr;
  std::vector<std::string> asked_;
};

/// Whether what stands in a file may be quoted in messages.
enum class Quoting : std::uint8_t {
  allowed,  ///< up to 40 characters, but nothing under a secret key (headers, env, tokens ...)
  never,
};

/// One file's value, JSON or YAML, and the mistakes found in it.
class StrictFile {
 public:
  /// `name` is told in messages. A name in .yaml or .yml is YAML, and so is text that doesn't begin
  /// with '{' or '['; other is JSON. Fails on text that is neither.
  [[nodiscard]] static Result<StrictFile> parse(std::string name, std::string text,
                                                Quoting quoting = Quoting::allowed);
  StrictFile(StrictFile&&) noexcept;
  StrictFile& operator=(StrictFile&&) noexcept;
  ~StrictFile();

  [[nodiscard]] StrictNode root();
  [[nodiscard]] const std::string& name() const noexcept;
  void mistake(std::string_view pointer, std::string message);
  /// A member of the object at `pointer` that nobody asked for; `meant` is a likely name or "".
  void unknown_key(std::string_view pointer, std::string_view key, std::string_view meant);
  /// Fails with all mistakes, a line each, in the order of the file:
  /// `flaky.yaml:4:16: /rules/0/probability: expected a probability, found "0,5"`.
  [[nodiscard]] Result<void> verdict() const;
  [[nodiscard]] std::optional<std::string> source_text(const Value& scalar) const;
  /// " found ..." for a value, as far as it may be quoted; or "".
  [[nodiscard]] std::string found(std::string_view pointer, const Value& value) const;

 private:
  struct State;
  explicit StrictFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Whether values under this key are secret: authorization, tokens, passwords, keys, headers, env.
[[nodiscard]] bool is_secret_key(std::string_view key) noexcept;

}  // namespace squall::json
