#include "lists.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "squall/json/write.h"
#include "squall/mcp/names.h"

namespace squall::client {

namespace {

using json::Value;

constexpr std::chrono::hours kKeepMax{24};
constexpr std::size_t kCursorBytesMax = 64 << 10;

struct Shape {
  std::string_view method;
  std::string_view member;  ///< of the result
  std::string_view key;     ///< of an entry: what tells it from the others
};

Shape shape_of(ListKind kind) {
  switch (kind) {
    case ListKind::tools:
      return {mcp::method::kToolsList, "tools", "name"};
    case ListKind::prompts:
      return {mcp::method::kPromptsList, "prompts", "name"};
    case ListKind::resources:
      return {mcp::method::kResourcesList, "resources", "uri"};
    case ListKind::templates:
      return {mcp::method::kResourceTemplatesList, "resourceTemplates", "uriTemplate"};
  }
  return {};
}

std::chrono::milliseconds keep_for(const Value& result) {
  const Value* const ttl = result.find("ttlMs");
  const auto ms = ttl != nullptr ? ttl->as_int64() : std::nullopt;
  if (!ms || *ms <= 0) return std::chrono::milliseconds(0);
  return std::min<std::chrono::milliseconds>(std::chrono::milliseconds(*ms), kKeepMax);
}

}  // namespace

/// One walk through the pages of a list.
struct Lists::Walk {
  explicit Walk(ListKind kind) : shape(shape_of(kind)) {}
  const Shape shape;
  Listing listing;
  std::size_t pages = 0;
  std::size_t bytes = 0;
  std::optional<std::string> cursor;
  std::unordered_set<std::string> cursors;
  std::unordered_set<std::string> seen;
  std::chrono::milliseconds keep = kKeepMax;
};

Task<Outcome<Listing>> Lists::list(ListKind kind, CallOptions options) {
  runtime::Loop& loop = caller_.core().loop();
  const auto kept = listings_.find(kind);
  if (kept != listings_.end()) {
    const bool fresh = loop.now() < kept->second.until;
    if (fresh && options.settings().cached) co_return kept->second.listing;
    drop(kind);
  }
  co_return co_await walk(kind, std::move(options));
}

Task<Outcome<Listing>> Lists::walk(ListKind kind, CallOptions options) {
  Core& core = caller_.core();
  const std::uint64_t changes = changes_;
  Walk walk(kind);
  do {
    std::string members;
    if (walk.cursor) append_member(members, "cursor", *walk.cursor);
    Request request(walk.shape.method, std::move(members), options);
    Outcome<Answer> page = co_await caller_.perform(request);
    if (!page) co_return std::unexpected(std::move(page).error());
    std::optional<Failure> bad = take_page(walk, *page);
    if (bad) co_return std::unexpected(*std::move(bad));
  } while (walk.cursor);
  if (kind == ListKind::tools) tools_.learn(walk.listing);
  const bool keep = walk.keep.count() > 0 && changes == changes_ && walk.listing.complete;
  if (keep) {
    drop(kind);
    if (make_room(walk.bytes)) {
      kept_bytes_ += walk.bytes;
      KeptListing kept{walk.listing, core.loop().now() + walk.keep, walk.bytes};
      listings_.insert_or_assign(kind, std::move(kept));
    }
  }
  co_return std::move(walk.listing);
}

std::optional<Failure> Lists::take_page(Walk& walk, const Answer& answer) {
  const Value& page = answer.json();
  const Value* const entries = page.find(walk.shape.member);
  if (entries == nullptr || !entries->is_array()) {
    return invalid("the result of " + std::string(walk.shape.method) + " has no array \"" +
                   std::string(walk.shape.member) + "\"");
  }
  ++walk.pages;
  walk.bytes += answer.size();
  walk.keep = std::min(walk.keep, keep_for(page));
  next_cursor(walk, page);
  for (const Value& entry : entries->items()) {
    if (walk.listing.entries.size() >= caller_.core().options().limits.entries) {
      caller_.core().report(Report::Kind::bad_cursor, "the list is too long: the rest is left out");
      walk.listing.complete = false;
      walk.cursor.reset();
      break;
    }
    take_entry(walk, entry);
  }
  return std::nullopt;
}

void Lists::take_entry(Walk& walk, const Value& entry) {
  const auto key = entry.find_string(walk.shape.key);
  // Tools are judged by those who call them.
  const bool unique = key && walk.seen.emplace(*key).second;
  if (unique) {
    walk.listing.entries.push_back(entry);
    return;
  }
  ++walk.listing.dropped;
  const std::string why = key ? "stands twice: " + std::string(*key) : "has no name";
  caller_.core().report(Report::Kind::dropped_entry,
                        "an entry of " + std::string(walk.shape.method) + " " + why);
}

/// Where to go on, if anywhere: a cursor is followed once.
void Lists::next_cursor(Walk& walk, const Value& page) {
  walk.cursor.reset();
  const Value* const next = page.find("nextCursor");
  if (next == nullptr || next->is_null()) return;
  const Limits& limits = caller_.core().options().limits;
  std::string why;
  if (!next->is_string() || next->size() > kCursorBytesMax) {
    why = "is no cursor";
  } else if (!walk.cursors.emplace(next->string()).second) {
    why = "was there before";
  } else if (walk.pages >= limits.pages) {
    why = "leads beyond " + std::to_string(limits.pages) + " pages";
  } else if (walk.bytes > limits.list_bytes) {
    why = "leads beyond " + std::to_string(limits.list_bytes) + " bytes";
  }
  if (why.empty()) {
    walk.cursor = std::string(next->string());
    return;
  }
  walk.listing.complete = false;
  caller_.core().report(Report::Kind::bad_cursor, "nextCursor of " +
                                                      std::string(walk.shape.method) + " " + why +
                                                      ": " + json::to_string(*next).substr(0, 100));
}

Task<Outcome<Answer>> Lists::read(std::string uri, CallOptions options) {
  runtime::Loop& loop = caller_.core().loop();
  const auto kept = resources_.find(uri);
  if (kept != resources_.end()) {
    const bool fresh = loop.now() < kept->second.until;
    if (fresh && options.settings().cached) co_return kept->second.answer;
    drop(uri);
  }
  const std::uint64_t changes = changes_;
  std::string members;
  append_member(members, "uri", uri);
  Request request(mcp::method::kResourcesRead, std::move(members), std::move(options));
  request.name = uri;
  Outcome<Answer> answer = co_await rounds_.perform(std::move(request));
  if (answer && changes == changes_) keep_resource(uri, *answer);
  co_return answer;
}

void Lists::keep_resource(const std::string& uri, const Answer& answer) {
  const auto keep = keep_for(answer.json());
  if (keep.count() <= 0) return;
  const std::size_t bytes = answer.size() + uri.size();
  drop(uri);
  if (!make_room(bytes)) return;
  kept_bytes_ += bytes;
  KeptResource kept{answer, caller_.core().loop().now() + keep, bytes};
  resources_.insert_or_assign(uri, std::move(kept));
}

bool Lists::make_room(std::size_t bytes) {
  const std::size_t most = caller_.core().options().limits.cached_bytes;
  if (bytes > most) return false;
  while (kept_bytes_ + bytes > most && !resources_.empty()) {
    kept_bytes_ -= resources_.begin()->second.bytes;
    resources_.erase(resources_.begin());
  }
  return kept_bytes_ + bytes <= most;
}

void Lists::forget(ListKind kind) {
  ++changes_;
  drop(kind);
  if (kind == ListKind::resources) drop(ListKind::templates);
}

void Lists::drop(ListKind kind) {
  const auto kept = listings_.find(kind);
  if (kept == listings_.end()) return;
  kept_bytes_ -= kept->second.bytes;
  listings_.erase(kept);
}

void Lists::forget_resource(std::string_view uri) {
  ++changes_;
  drop(uri);
}

void Lists::drop(std::string_view uri) {
  const auto kept = resources_.find(uri);
  if (kept == resources_.end()) return;
  kept_bytes_ -= kept->second.bytes;
  resources_.erase(kept);
}

void Lists::forget_all() {
  ++changes_;
  listings_.clear();
  resources_.clear();
  kept_bytes_ = 0;
}

}  // namespace squall::client
