#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "squall/base/result.h"
#include "squall/json/value.h"
#include "squall/schema/schema.h"

#include "dialect.h"
#include "program.h"

namespace squall::schema {

/// A schema with a URI of its own: the root of a document, or a subschema with `$id`.
struct Resource {
  std::string uri;
  const json::Value* root = nullptr;
  Dialect dialect;
  const json::Value* custom_metaschema = nullptr;
  std::uint32_t origin = 0;
  std::map<std::string, const json::Value*, std::less<>> anchors;  ///< dynamic ones too
  std::map<std::string, const json::Value*, std::less<>> dynamic_anchors;
};

/// Where a known subschema belongs.
struct Place {
  std::uint32_t resource = 0;
  std::uint32_t origin = 0;
};

/// What a reference leads to.
struct Target {
  const json::Value* schema = nullptr;
  Place place;
  std::string_view dynamic_anchor;  ///< its fragment, when that names a `$dynamicAnchor`
};

/// The documents a compilation has seen: finds their identifiers, fetches more, resolves
/// references. Holds pointers into the documents, which outlive it.
class Documents {
 public:
  explicit Documents(const CompileOptions& options) : options_(options) {}

  enum class Check { yes, no };
  /// Finds the subschemas of `root`; checks it, and every document fetched for it, against its
  /// metaschema if wanted.
  [[nodiscard]] Result<Place> add_root(const json::Value& root, Check check);
  /// Resolves a `$ref` or `$dynamicRef` that stands in `from`.
  [[nodiscard]] Result<Target> resolve(Place from, std::string_view reference);

  /// Takes steps of compilation; fails when more than the limit of evaluation are taken in all.
  [[nodiscard]] Result<void> spend(std::size_t steps);

  [[nodiscard]] const Resource& resource(std::uint32_t id) const { return resources_[id]; }
  [[nodiscard]] std::size_t resource_count() const noexcept { return resources_.size(); }
  /// The place of a subschema, or nothing when `schema` is not known as one.
  [[nodiscard]] std::optional<Place> find_place(const json::Value& schema) const;
  [[nodiscard]] std::vector<Origin> take_origins() { return std::move(origins_); }

 private:
  struct Visit {
    const json::Value* schema;
    std::uint32_t resource;
    std::uint32_t parent;
    std::string path;
  };
  struct Entry {  // how a document enters
    std::string uri;
    Dialect dialect;
    Check check;
    std::string origin;
  };

  Result<std::uint32_t> add_document(const json::Value& root, Entry entry);
  Result<void> index(Visit first);
  Result<void> visit(Visit& at, std::vector<Visit>& open);
  Result<void> identify(Visit& at, std::uint32_t origin);
  Result<void> add_anchor(std::uint32_t resource, std::string_view name, const json::Value* schema,
                          bool dynamic);
  Result<std::uint32_t> add_resource(Resource resource, const Dialect& inherited);
  Result<std::uint32_t> find_resource(std::string_view uri, std::uint32_t from);
  [[nodiscard]] Place place_of(const json::Value* known) const { return places_.at(known); }
  Result<Target> find_pointer(std::uint32_t resource, std::string_view pointer);
  Result<void> choose_dialect(Resource& resource, const Dialect& inherited);
  Result<void> check_document(const json::Value& root);
  Result<void> check_resource(const Resource& resource);

  const CompileOptions& options_;
  Check check_ = Check::yes;
  std::size_t steps_ = 0;
  std::vector<Resource> resources_;
  std::vector<Origin> origins_;
  std::unordered_map<std::string, std::uint32_t> uris_;
  std::unordered_map<const json::Value*, Place> places_;
  std::vector<std::uint32_t> foreign_;  // of the last document: resources in another dialect
};

}  // namespace squall::schema
