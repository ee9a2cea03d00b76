#include "squall/server/declare.h"

#include <algorithm>
#include <array>

#include "squall/base/text.h"
#include "squall/base/units.h"
#include "squall/json/yaml.h"

namespace squall::server {

namespace {

constexpr std::array<std::string_view, 22> kMembers{
    "name",       "nature",      "title",        "describe",      "tags",   "input",
    "output",     "handler",     "open",         "icons",         "meta",   "read_only",
    "idempotent", "destructive", "annotations",  "presents",      "egress", "timeout",
    "rate",       "concurrency", "serialize_by", "argument_bytes"};

}  // namespace

/// One file on its way into a registry.
class Declarations {
 public:
  Declarations(const Handlers& handlers, std::string_view file)
      : handlers_(handlers), file_(file) {}

  void add(Registry& registry, const json::Value& entry, std::size_t number) {
    place_ = std::string(file_) + ": tool " + std::to_string(number);
    if (!entry.is_object()) return refuse("is no object");
    for (const json::Member& member : entry.members()) check_name(member.name());
    const std::string name = text(entry, "name");
    if (name.empty()) return refuse("needs a name");
    place_ += " (" + base::show_name(name) + ")";
    const std::string nature = text(entry, "nature");
    if (nature != "" && nature != "query" && nature != "mutation" && nature != "action") {
      refuse("nature is query, mutation or action");
    }
    Action<void> action = nature == "query"      ? registry.query(name)
                          : nature == "mutation" ? registry.mutation(name)
                                                 : registry.action(name);
    action.title(text(entry, "title")).describe(text(entry, "describe")).tags(tags(entry));
    if (const json::Value* input = object(entry, "input")) action.input(*input);
    if (const json::Value* output = object(entry, "output")) action.output(*output);
    if (const json::Value* hints = object(entry, "annotations")) action.annotations(*hints);
    if (const json::Value* meta = object(entry, "meta")) action.meta(*meta);
    if (const json::Value* icons = entry.find("icons")) action.icons(*icons);
    if (const auto on = flag(entry, "open"); on && *on) action.open();
    if (const auto on = flag(entry, "read_only")) action.read_only(*on);
    if (const auto on = flag(entry, "destructive")) action.destructive(*on);
    if (const auto on = flag(entry, "idempotent")) action.idempotent(*on);
    limit(action, entry);
    bind(action, entry.contains("handler") ? text(entry, "handler") : name);
    if (entry.contains("presents")) present(action, text(entry, "presents"));
  }

  void refuse(const std::string& what) {
    if (!mistakes_.empty()) mistakes_ += '\n';
    mistakes_ += place_ + ": " + what;
  }
  [[nodiscard]] const std::string& mistakes() const noexcept { return mistakes_; }

 private:
  void check_name(std::string_view name) {
    if (std::ranges::find(kMembers, name) != kMembers.end()) return;
    std::string what = "has no member \"" + base::show_name(name) + "\"";
    if (const auto near = base::nearest(name.substr(0, 100), kMembers)) {
      what += "; did you mean \"" + std::string(*near) + "\"?";
    }
    refuse(what);
  }

  std::string text(const json::Value& entry, std::string_view name) {
    const json::Value* value = entry.find(name);
    if (value == nullptr) return {};
    if (!value->is_string()) refuse(std::string(name) + " is text");
    return std::string(value->string());
  }

  const json::Value* object(const json::Value& entry, std::string_view name) {
    const json::Value* value = entry.find(name);
    if (value == nullptr || value->is_object()) return value;
    refuse(std::string(name) + " is an object");
    return nullptr;
  }

  std::optional<bool> flag(const json::Value& entry, std::string_view name) {
    const json::Value* value = entry.find(name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_bool()) refuse(std::string(name) + " is true or false");
    return value->boolean();
  }

  std::vector<std::string> tags(const json::Value& entry) {
    std::vector<std::string> out;
    const json::Value* value = entry.find("tags");
    if (value == nullptr) return out;
    if (!value->is_array()) refuse("tags are a list");
    for (const json::Value& tag : value->items()) {
      if (!tag.is_string()) refuse("a tag is text");
      out.emplace_back(tag.string());
    }
    return out;
  }

  void limit(Action<void>& action, const json::Value& entry) {
    if (const std::string key = text(entry, "serialize_by"); !key.empty()) action.serialize_by(key);
    if (const auto bytes = size(entry, "egress")) action.egress(*bytes);
    if (const auto bytes = size(entry, "argument_bytes")) action.argument_bytes(*bytes);
    if (const auto time = duration(entry, "timeout")) action.timeout(*time);
    if (const json::Value* rate = object(entry, "rate")) {
      action.rate(count(*rate, "rate", "calls", 1),
                  duration(*rate, "per").value_or(std::chrono::minutes(1)));
    }
    if (const json::Value* concurrency = object(entry, "concurrency")) {
      action.concurrency(count(*concurrency, "concurrency", "active", 1),
                         count(*concurrency, "concurrency", "queue", 0));
    }
  }

  std::optional<std::size_t> size(const json::Value& entry, std::string_view name) {
    if (!entry.contains(name)) return std::nullopt;
    const auto read = base::parse_size(text(entry, name));
    if (read) return *read;
    refuse(std::string(name) + ": " + read.error().message);
    return std::nullopt;
  }

  std::optional<runtime::Duration> duration(const json::Value& entry, std::string_view name) {
    if (!entry.contains(name)) return std::nullopt;
    const auto read = base::parse_duration(text(entry, name));
    if (read) return *read;
    refuse(std::string(name) + ": " + read.error().message);
    return std::nullopt;
  }

  /// A whole number of at least `least`, which it is when it is left out.
  std::size_t count(const json::Value& entry, std::string_view of, std::string_view name,
                    std::uint64_t least) {
    const json::Value* value = entry.find(name);
    if (value == nullptr) return least;
    const auto read = value->as_uint64();
    if (read && *read >= least) return *read;
    refuse(std::string(of) + ": " + std::string(name) + " is a whole number of at least " +
           std::to_string(least));
    return least;
  }

  void bind(Action<void>& action, const std::string& name) {
    const auto binder = handlers_.binders_.find(name);
    if (binder != handlers_.binders_.end()) return binder->second(action);
    refuse_unknown("handler", name, handlers_.binders_);
  }

  void present(Action<void>& action, const std::string& name) {
    const auto presenter = handlers_.presenters_.find(name);
    if (presenter == handlers_.presenters_.end()) {
      return refuse_unknown("presenter", name, handlers_.presenters_);
    }
    action.presents(presenter->second);
  }

  template <typename Table>
  void refuse_unknown(std::string_view kind, const std::string& name, const Table& table) {
    std::string what =
        "nobody has added the " + std::string(kind) + " \"" + base::show_name(name) + "\"";
    std::vector<std::string_view> known;
    for (const auto& [added, unused] : table) known.push_back(added);
    if (const auto near = base::nearest(std::string_view(name).substr(0, 100), known)) {
      what += "; did you mean \"" + std::string(*near) + "\"?";
    }
    refuse(what);
  }

  const Handlers& handlers_;
  std::string_view file_;
  std::string place_;
  std::string mistakes_;
};

Result<void> declare_actions(Registry& registry, std::string_view text, const Handlers& handlers,
                             std::string_view file) {
  const auto document = json::parse_yaml(text);
  if (!document) {
    return fail(ErrorKind::invalid, std::string(file) + ": " + document.error().text());
  }
  const json::Value* tools = document->find("tools");
  if (document->size() != 1 || tools == nullptr || !tools->is_array()) {
    return fail(ErrorKind::invalid, std::string(file) + ": a list \"tools\" and nothing else");
  }
  Registry fresh{mcp::Implementation()};
  Declarations declarations(handlers, file);
  std::size_t number = 0;
  for (const json::Value& entry : tools->items()) declarations.add(fresh, entry, ++number);
  if (!declarations.mistakes().empty()) return fail(ErrorKind::invalid, declarations.mistakes());
  return registry.merge(fresh);
}

}  // namespace squall::server
