#include "documents.h"

#include <algorithm>
#include <utility>

#include "squall/json/pointer.h"

#include "compile.h"
#include "metaschemas.h"
#include "quote.h"
#include "uri.h"

namespace squall::schema {
namespace {

// Relative $ids repeat their base, so long ones would multiply.
constexpr std::size_t kUriBytesMax = 8'192;
// Each is checked by itself, against a copy without the others.
constexpr std::size_t kForeignResourcesMax = 64;

std::string child_path(std::string_view keyword) {
  std::string path;
  json::append_pointer_token(path, keyword);
  return path;
}

std::string_view without_fragment(std::string_view uri) { return uri.substr(0, uri.find('#')); }

// A `$ref` in draft-07 hides everything beside it, `$id` included.
bool is_only_reference(const json::Value& schema, Draft draft) {
  return draft == Draft::draft_07 && schema.find_string("$ref").has_value();
}

// As json::Pointer::find, for a value that is to be changed.
json::Value* walk(json::Value& from, const json::Pointer& pointer) {
  json::Value* at = &from;
  for (const std::string& token : pointer.tokens()) {
    if (at->is_object()) {
      at = at->find(token);
    } else {
      json::Pointer step;
      const json::Value* array = at;
      auto parsed = json::Pointer::parse(child_path(token));
      const json::Value* item = parsed ? parsed->find(*array) : nullptr;
      at = item == nullptr ? nullptr
                           : &at->items()[static_cast<std::size_t>(item - array->items().data())];
    }
    if (at == nullptr) return nullptr;
  }
  return at;
}

}  // namespace

Result<Place> Documents::add_root(const json::Value& root, Check check) {
  check_ = check;
  Entry entry{std::string(without_fragment(options_.base_uri)), standard_dialect(options_.draft),
              check, ""};
  SQUALL_TRY(const std::uint32_t resource, add_document(root, std::move(entry)));
  return Place{resource, resources_[resource].origin};
}

Result<std::uint32_t> Documents::add_document(const json::Value& root, Entry entry) {
  if (!root.is_object() && !root.is_bool()) {
    return fail(ErrorKind::invalid, "a schema is an object or a boolean");
  }
  const auto origin = static_cast<std::uint32_t>(origins_.size());
  origins_.push_back({kNone, std::move(entry.origin)});
  Resource resource;
  resource.uri = entry.uri;
  resource.root = &root;
  resource.origin = origin;
  const auto id = root.find_string("$id");
  if (id && !without_fragment(*id).empty()) {
    resource.uri = resolve_uri(entry.uri, without_fragment(*id));
  }
  SQUALL_TRY(const std::uint32_t number, add_resource(std::move(resource), entry.dialect));
  // A document fetched from elsewhere than its $id answers to both (but resolves by its $id).
  uris_.try_emplace(entry.uri, number);
  foreign_.clear();
  SQUALL_CHECK(index(Visit{&root, number, kNone, ""}));
  if (entry.check == Check::yes) SQUALL_CHECK(check_document(root));
  return number;
}

Result<std::uint32_t> Documents::add_resource(Resource resource, const Dialect& inherited) {
  if (resource.uri.size() > kUriBytesMax) return fail(ErrorKind::limit, "an $id is too long");
  SQUALL_CHECK(choose_dialect(resource, inherited));
  const auto number = static_cast<std::uint32_t>(resources_.size());
  if (!uris_.try_emplace(resource.uri, number).second) {
    return fail(ErrorKind::invalid, "two schemas have the $id " + quote(resource.uri));
  }
  resources_.push_back(std::move(resource));
  return number;
}

Result<void> Documents::choose_dialect(Resource& resource, const Dialect& inherited) {
  resource.dialect = inherited;
  const auto uri = resource.root->find_string("$schema");
  if (!uri) return {};
  if (const auto standard = find_standard_dialect(*uri)) {
    resource.dialect = *standard;
    return {};
  }
  const json::Value* metaschema = find_metaschema(without_fragment(*uri));
  if (metaschema == nullptr && options_.resolve) {
    metaschema = options_.resolve(without_fragment(*uri));
  }
  if (metaschema == nullptr) {
    return fail(ErrorKind::invalid, "unknown $schema " + quote(*uri));
  }
  SQUALL_TRY(resource.dialect, read_dialect(*metaschema));
  resource.custom_metaschema = metaschema;
  return {};
}

Result<void> Documents::spend(std::size_t steps) {
  steps_ += steps;
  if (steps_ <= options_.limits.steps) return {};
  return fail(ErrorKind::limit, "the schema takes too many steps to compile");
}

std::optional<Place> Documents::find_place(const json::Value& schema) const {
  const auto found = places_.find(&schema);
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

Result<void> Documents::index(Visit first) {
  std::vector<Visit> open;
  open.push_back(std::move(first));
  while (!open.empty()) {
    Visit at = std::move(open.back());
    open.pop_back();
    SQUALL_CHECK(visit(at, open));
  }
  return {};
}

Result<void> Documents::visit(Visit& at, std::vector<Visit>& open) {
  if (!at.schema->is_object() && !at.schema->is_bool()) return {};
  if (places_.contains(at.schema)) return {};
  if (places_.size() >= options_.limits.subschemas) {
    return fail(ErrorKind::limit,
                "more than " + std::to_string(options_.limits.subschemas) + " subschemas");
  }
  auto origin = static_cast<std::uint32_t>(origins_.size());
  if (at.parent == kNone) {
    origin = resources_[at.resource].origin;
  } else {
    origins_.push_back({at.parent, std::move(at.path)});
  }
  SQUALL_CHECK(identify(at, origin));
  places_.emplace(at.schema, Place{at.resource, origin});
  const Draft draft = resources_[at.resource].dialect.draft;
  if (is_only_reference(*at.schema, draft)) return {};
  for (const json::Member& member : at.schema->members()) {
    const Shape shape = shape_of(member.name(), draft);
    if (shape == Shape::none) continue;
    const std::string path = child_path(member.name());
    const auto add = [&](const json::Value& schema, std::string below) {
      open.push_back({&schema, at.resource, origin, std::move(below)});
    };
    const bool list = shape == Shape::list || shape == Shape::schema_or_list;
    if (list && member.value.is_array()) {
      std::size_t number = 0;
      for (const json::Value& item : member.value.items()) {
        add(item, path + "/" + std::to_string(number++));
      }
    } else if (shape == Shape::map || shape == Shape::map_of_schemas_or_lists) {
      for (const json::Member& entry : member.value.members()) {
        std::string below = path;
        json::append_pointer_token(below, entry.name());
        add(entry.value, std::move(below));
      }
    } else if (shape != Shape::list) {
      add(member.value, path);
    }
  }
  return {};
}

// Opens the resource that an $id begins, and notes the anchors.
Result<void> Documents::identify(Visit& at, std::uint32_t origin) {
  const json::Value& schema = *at.schema;
  const Dialect outer = resources_[at.resource].dialect;
  const auto id = schema.find_string("$id");
  if (id && !is_only_reference(schema, outer.draft)) {
    const std::string_view uri = without_fragment(*id);
    if (!uri.empty() && resources_[at.resource].root != at.schema) {
      Resource inner;
      inner.uri = resolve_uri(resources_[at.resource].uri, uri);
      inner.root = at.schema;
      inner.origin = origin;
      SQUALL_TRY(at.resource, add_resource(std::move(inner), outer));
      const Resource& added = resources_[at.resource];
      if (added.dialect != outer) foreign_.push_back(at.resource);
    }
    const std::size_t hash = id->find('#');
    if (hash != std::string_view::npos && hash + 1 < id->size()) {
      SQUALL_CHECK(add_anchor(at.resource, id->substr(hash + 1), at.schema, false));
    }
  }
  if (resources_[at.resource].dialect.draft == Draft::draft_07) return {};
  if (const auto name = schema.find_string("$dynamicAnchor")) {
    SQUALL_CHECK(add_anchor(at.resource, *name, at.schema, true));
  }
  if (const auto name = schema.find_string("$anchor")) {
    SQUALL_CHECK(add_anchor(at.resource, *name, at.schema, false));
  }
  return {};
}

Result<void> Documents::add_anchor(std::uint32_t resource, std::string_view name,
                                   const json::Value* schema, bool dynamic) {
  Resource& owner = resources_[resource];
  const auto [at, added] = owner.anchors.try_emplace(std::string(name), schema);
  if (!added && at->second != schema) {
    return fail(ErrorKind::invalid, "two schemas have the anchor " + quote(name));
  }
  if (dynamic) owner.dynamic_anchors.emplace(name, schema);
  return {};
}

Result<Target> Documents::resolve(Place from, std::string_view reference) {
  const std::string absolute = resolve_uri(resources_[from.resource].uri, reference);
  SQUALL_TRY(const std::uint32_t resource,
             find_resource(without_fragment(absolute), from.resource));
  const std::size_t hash = absolute.find('#');
  const auto fragment =
      percent_decode(hash == std::string::npos ? "" : std::string_view(absolute).substr(hash + 1));
  if (!fragment) return fail(ErrorKind::invalid, "bad escape in reference " + quote(reference));
  if (fragment->empty()) {
    const json::Value* root = resources_[resource].root;
    return Target{root, place_of(root), {}};
  }
  if (fragment->front() == '/') return find_pointer(resource, *fragment);
  const Resource& owner = resources_[resource];
  const auto found = owner.anchors.find(*fragment);
  if (found == owner.anchors.end()) {
    return fail(ErrorKind::invalid, "no anchor for the reference " + quote(reference));
  }
  const auto dynamic = owner.dynamic_anchors.find(*fragment);
  const bool is_dynamic = dynamic != owner.dynamic_anchors.end();
  return Target{found->second, place_of(found->second),
                is_dynamic ? std::string_view(dynamic->first) : std::string_view()};
}

Result<std::uint32_t> Documents::find_resource(std::string_view uri, std::uint32_t from) {
  const auto known = uris_.find(std::string(uri));
  if (known != uris_.end()) return known->second;
  Check check = Check::no;
  const json::Value* document = find_metaschema(uri);
  if (document == nullptr && options_.resolve) {
    document = options_.resolve(uri);
    check = check_;
  }
  if (document == nullptr) {
    return fail(ErrorKind::invalid, "unresolved reference to " + quote(uri));
  }
  if (const auto place = places_.find(document); place != places_.end()) {
    uris_.emplace(uri, place->second.resource);
    return place->second.resource;
  }
  // Documents without $schema are read as the one that refers to them.
  const Resource& referrer = resources_[from];
  const Dialect inherited = standard_dialect(referrer.dialect.draft);
  return add_document(*document, {std::string(uri), inherited, check, std::string(uri) + "#"});
}

// Follows the pointer, noting the last known subschema it passes: the target belongs to that one.
Result<Target> Documents::find_pointer(std::uint32_t resource, std::string_view pointer) {
  SQUALL_TRY(const json::Pointer parsed, json::Pointer::parse(pointer));
  const json::Value* at = resources_[resource].root;
  Place place = place_of(at);
  std::string below;
  for (const std::string& token : parsed.tokens()) {
    const std::string step = child_path(token);
    SQUALL_CHECK(spend(1 + at->members().size() / 16));
    SQUALL_TRY(const json::Pointer one, json::Pointer::parse(step));
    at = one.find(*at);
    if (at == nullptr) {
      return fail(ErrorKind::invalid, "nothing at the reference " + quote(pointer));
    }
    below += step;
    if (const auto known = places_.find(at); known != places_.end()) {
      place = known->second;
      below.clear();
    }
  }
  if (!at->is_object() && !at->is_bool()) {
    return fail(ErrorKind::invalid, "no schema at the reference " + quote(pointer));
  }
  if (!places_.contains(at)) {
    SQUALL_CHECK(index(Visit{at, place.resource, place.origin, std::move(below)}));
  }
  return Target{at, place_of(at), {}};
}

// Every part against its own metaschema: embedded resources of other dialects are cut out of the
// whole and checked by themselves.
Result<void> Documents::check_document(const json::Value& root) {
  if (foreign_.size() > kForeignResourcesMax) {
    return fail(ErrorKind::limit, "too many embedded schemas of another dialect");
  }
  SQUALL_CHECK(check_resource(resources_[place_of(&root).resource]));
  for (const std::uint32_t resource : foreign_) SQUALL_CHECK(check_resource(resources_[resource]));
  return {};
}

Result<void> Documents::check_resource(const Resource& resource) {
  if (foreign_.empty()) return check_against_metaschema(*resource.root, resource, options_);
  json::Value copy = *resource.root;
  const std::string own = pointer_to(origins_, resource.origin);
  for (const std::uint32_t number : foreign_) {
    const std::string inner = pointer_to(origins_, resources_[number].origin);
    if (inner == own || !inner.starts_with(own)) continue;
    SQUALL_TRY(const json::Pointer below, json::Pointer::parse(inner.substr(own.size())));
    if (json::Value* part = walk(copy, below)) *part = true;
  }
  return check_against_metaschema(copy, resource, options_);
}

}  // namespace squall::schema
