#include "squall/server/presenter/data_presenter.h"

#include <algorithm>
#include <optional>

#include "squall/json/parse.h"
#include "squall/json/pointer.h"
#include "squall/server/engine.h"
#include "squall/server/tool_error.h"

#include "blocks.h"
#include "output_schema.h"
#include "presentation_spec.h"

namespace squall::server {

namespace {

constexpr std::size_t kRulesMax = 64;
constexpr std::size_t kSuggestionsMax = 32;
constexpr std::size_t kBlocksMax = 32;
/// Presenters within presenters; deeper data is refused rather than shown as it is.
constexpr std::size_t kEmbedDepthMax = 16;

/// What the steps of one call have in common, and what they gather.
struct Presenting {
  Context& context;
  std::vector<std::string> rules{};
  std::vector<Suggestion> suggestions{};
  std::vector<UiBlock> blocks{};
  std::string problem{};
};

using Spec = PresentationSpec;
using Step = void (*)(const Spec& spec, json::Value& item, Presenting& now);

/// Calls `visit` for what stands at `path` within `value`, `*` being any one member or element.
template <typename F>
void for_each_place(json::Value& value, std::span<const std::string> path, const F& visit) {
  if (path.empty()) return visit(value);
  const std::string& token = path.front();
  const auto rest = path.subspan(1);
  for (json::Member& member : value.members()) {
    if (token == "*" || token == member.name()) for_each_place(member.value, rest, visit);
  }
  std::size_t index = 0;
  for (json::Value& item : value.items()) {
    if (token == "*" || token == std::to_string(index)) for_each_place(item, rest, visit);
    ++index;
  }
}

/// Runs `step` on the items of `data`, and then on what is embedded in them.
void for_each_item(const Spec& spec, json::Value& data, Presenting& now, Step step,
                   std::size_t depth) {
  if (depth > kEmbedDepthMax) {
    now.problem = "presenters are embedded too deep";
    return;
  }
  const auto run = [&](json::Value& item) {
    step(spec, item, now);
    for (const Spec::Embedded& embedded : spec.children) {
      for_each_place(item, embedded.path, [&](json::Value& place) {
        for_each_item(*embedded.child, place, now, step, depth + 1);
      });
    }
  };
  // An embedded place may hold one or many, whatever its presenter is by itself.
  if (data.is_array() && (spec.many || depth != 0)) {
    for (json::Value& item : data.items()) run(item);
  } else if (!data.is_null() || depth == 0) {
    run(data);
  }
}

void strip(const Spec& spec, json::Value& item, Presenting&) {
  if (spec.shape) spec.shape->strip(item);
}

[[gnu::cold]] void note_violations(const Spec& spec, const json::Value& item, Presenting& now) {
  std::vector<schema::Violation> violations;
  static_cast<void>(spec.compiled->validate(item, violations));
  now.problem = "the data of presenter " + spec.name + " breaks its schema";
  // Values may be secrets: only where and which keyword.
  for (const schema::Violation& one : violations) {
    now.problem += "; " + one.instance + ": " + one.keyword;
  }
}

void validate(const Spec& spec, json::Value& item, Presenting& now) {
  if (!spec.compiled || !now.problem.empty()) return;
  if (spec.compiled->validate(item) != schema::Verdict::valid) note_violations(spec, item, now);
}

void redact(const Spec& spec, json::Value& item, Presenting&) {
  if (!spec.redaction.empty()) spec.redaction.apply(item);
}

template <typename T, typename Same>
void gather(std::vector<T>& out, std::vector<T> more, std::size_t max, const Same& same) {
  for (T& one : more) {
    if (out.size() >= max) return;
    if (std::none_of(out.begin(), out.end(), [&](const T& known) { return same(known, one); })) {
      out.push_back(std::move(one));
    }
  }
}

const auto equal = [](const std::string& a, const std::string& b) { return a == b; };

void add_fixed_rules(const Spec& spec, Presenting& now) {
  gather(now.rules, spec.fixed_rules, kRulesMax, equal);
}

void advise(const Spec& spec, json::Value& item, Presenting& now) {
  const auto same = [](const Suggestion& a, const Suggestion& b) {
    return a.action == b.action && a.reason == b.reason;
  };
  add_fixed_rules(spec, now);
  for (const auto& rules : spec.rules) {
    gather(now.rules, rules(item, now.context), kRulesMax, equal);
  }
  for (const auto& suggest : spec.suggestions) {
    gather(now.suggestions, suggest(item, now.context), kSuggestionsMax, same);
  }
}

void draw(const Spec& spec, const json::Value& data, Presenting& now) {
  const auto never = [](const UiBlock&, const UiBlock&) { return false; };
  for (const auto& show : spec.blocks) {
    gather(now.blocks, show(data, now.context), kBlocksMax, never);
  }
}

void draw_embedded(const Spec& spec, json::Value& item, Presenting& now) { draw(spec, item, now); }

/// The blocks of the whole data, and of what is embedded in it.
void draw_all(const Spec& spec, json::Value& data, Presenting& now) {
  draw(spec, data, now);
  for (const Spec::Embedded& embedded : spec.children) {
    const auto draw_place = [&](json::Value& item) {
      for_each_place(item, embedded.path, [&](json::Value& place) {
        for_each_item(*embedded.child, place, now, &draw_embedded, 1);
      });
    };
    if (!spec.many) {
      draw_place(data);
    } else {
      for (json::Value& item : data.items()) draw_place(item);
    }
  }
}

/// Leaves the members that the caller chose; unknown names choose nothing.
void select(const Spec& spec, json::Value& data, const Context& context) {
  const json::Value* chosen = context.arguments().find("_select");
  if (!spec.selectable || chosen == nullptr || !chosen->is_array() || chosen->size() == 0) return;
  const auto pick = [&](json::Value& item) {
    std::vector<json::Member> kept;
    for (json::Member& member : item.members()) {
      const bool wanted = std::any_of(chosen->items().begin(), chosen->items().end(),
                                      [&](const json::Value& name) { return name == member.key; });
      if (wanted) kept.push_back(std::move(member));
    }
    if (item.is_object()) item = json::Value::from_members(std::move(kept));
  };
  if (spec.many) {
    for (json::Value& item : data.items()) pick(item);
  } else {
    pick(data);
  }
}

/// Cuts a list to its limit; how many items there were, or 0 when all are shown.
std::size_t cut(const Spec& spec, json::Value& data) {
  if (!spec.many || spec.limit == 0 || data.size() <= spec.limit) return 0;
  const std::size_t all = data.size();
  std::vector<json::Value> kept;
  for (json::Value& item : data.items().first(spec.limit)) kept.push_back(std::move(item));
  data = json::Value::from_items(std::move(kept));
  return all;
}

/// Works out what `build` knows already about each presenting.
void settle(Spec& spec) {
  spec.redacts = !spec.redaction.empty();
  spec.advises = !spec.rules.empty() || !spec.suggestions.empty();
  spec.draws = !spec.blocks.empty();
  for (const Spec::Embedded& embedded : spec.children) {
    const Spec& child = *embedded.child;
    spec.redacts |= child.redacts;
    spec.advises |= child.advises || !child.fixed_rules.empty();
    spec.draws |= child.draws;
  }
  if (spec.advises || spec.fixed_rules.empty()) return;
  std::vector<std::string> rules;
  gather(rules, spec.fixed_rules, kRulesMax, equal);
  spec.rules_block = rules_block(rules).prepare();
}

ToolResult to_result(const Spec& spec, json::Value data, std::size_t all, Presenting& now) {
  ToolResult out;
  out.content.reserve(4 + now.blocks.size());
  out.add(data_block(data));
  if (all != 0) {
    const std::string shown = std::to_string(data.size());
    out.add(notice_block("limit", "Shown are items 1 to " + shown + " of " + std::to_string(all) +
                                      ". " + spec.how_to_page));
  }
  for (const UiBlock& block : now.blocks) out.add(ui_block(block));
  if (!now.rules.empty()) {
    out.add(rules_block(now.rules));
  } else if (spec.rules_block) {
    out.add(*spec.rules_block);
  }
  if (!now.suggestions.empty()) out.add(suggestions_block(now.suggestions));
  out.structured = std::move(data);
  return out;
}

}  // namespace

Result<ToolResult> DataPresenter::present_data(Context& context, json::Value data) const {
  const Spec& spec = *spec_;
  if (spec.many != data.is_array() && (spec.many || spec.compiled)) {
    return fail(ErrorKind::internal,
                "presenter " + spec.name + " was given " + std::string(json::name_of(data.kind())));
  }
  Presenting now{context};
  const std::size_t all = cut(spec, data);
  for_each_item(spec, data, now, &strip, 0);
  for_each_item(spec, data, now, &validate, 0);
  if (!now.problem.empty()) return fail(ErrorKind::internal, now.problem);
  // A selection may remove what is embedded, but never what a redaction would have found.
  select(spec, data, context);
  if (spec.redacts) for_each_item(spec, data, now, &redact, 0);
  if (spec.draws) draw_all(spec, data, now);
  if (spec.advises) {
    add_fixed_rules(spec, now);
    for_each_item(spec, data, now, &advise, 0);
  }
  if (!now.problem.empty()) return fail(ErrorKind::internal, now.problem);
  return to_result(spec, std::move(data), all, now);
}

ToolResult DataPresenter::present(Context& context, ToolResult result) const {
  Result<ToolResult> presented =
      result.structured
          ? present_data(context, *std::move(result.structured))
          : Result<ToolResult>(fail(ErrorKind::internal,
                                    "presenter " + spec_->name + " was given no structured data"));
  if (presented) {
    presented->meta = std::move(result.meta);
    return *std::move(presented);
  }
  if (const auto& log = context.engine().options().log) {
    const std::string& why = presented.error().message;
    log->write(Severity::error, "not_presented", {{"why", std::string_view(why)}});
  }
  return internal_error().result();
}

json::Value DataPresenter::output_schema() const { return promised_schema(*spec_); }

DataPresenter::Promise DataPresenter::promise() const {
  // What is redacted, chosen or embedded makes the promised schema another one than was checked.
  return {.fits_schema = !spec_->redacts && !spec_->selectable && spec_->children.empty(),
          .json_first = true};
}

Presentation::Presentation(std::string name) : spec_(std::make_shared<PresentationSpec>()) {
  spec_->name = std::move(name);
}

Presentation& Presentation::schema(json::Value schema) {
  spec_->schema = std::move(schema);
  return *this;
}

Presentation& Presentation::schema(std::string_view text) {
  auto parsed = json::parse(text);
  if (parsed) return schema(*std::move(parsed));
  spec_->mistakes.push_back("the schema is not JSON: " + parsed.error().text());
  return *this;
}

Presentation& Presentation::many() {
  spec_->many = true;
  return *this;
}

Presentation& Presentation::limit(std::size_t count, std::string how_to_page) {
  spec_->limit = count;
  spec_->how_to_page = std::move(how_to_page);
  return *this;
}

Presentation& Presentation::selectable() {
  spec_->selectable = true;
  return *this;
}

Presentation& Presentation::redact(std::vector<std::string> patterns, Censor censor) {
  const auto compiled = Redaction::compile(patterns, std::move(censor));
  if (!compiled) {
    spec_->mistakes.push_back(compiled.error().message);
    return *this;
  }
  spec_->redaction.add(*compiled);
  for (std::string& pattern : patterns) spec_->redacted.push_back(std::move(pattern));
  return *this;
}

Presentation& Presentation::rule(std::string text) {
  spec_->fixed_rules.push_back(std::move(text));
  return *this;
}

Presentation& Presentation::rules(PerItem<std::string> rules) {
  spec_->rules.push_back(std::move(rules));
  return *this;
}

Presentation& Presentation::suggest(PerItem<Suggestion> suggestions) {
  spec_->suggestions.push_back(std::move(suggestions));
  return *this;
}

Presentation& Presentation::show(PerItem<UiBlock> blocks) {
  spec_->blocks.push_back(std::move(blocks));
  return *this;
}

Presentation& Presentation::embed(std::string path, std::shared_ptr<const DataPresenter> child) {
  const auto pointer = json::Pointer::parse(path);
  const bool usable = pointer && !pointer->tokens().empty() &&
                      std::ranges::find(pointer->tokens(), "**") == pointer->tokens().end();
  if (!usable) {
    spec_->mistakes.push_back("\"" + path + "\" is no pointer to something in an item");
  } else if (!child) {
    spec_->mistakes.push_back("the presenter for \"" + path + "\" is missing");
  } else {
    spec_->children.push_back({pointer->tokens(), child->spec_});
  }
  return *this;
}

Result<std::shared_ptr<const DataPresenter>> Presentation::build() const {
  auto spec = std::make_shared<PresentationSpec>(*spec_);
  if (!spec->schema.is_null()) {
    auto compiled = schema::Schema::compile(spec->schema);
    auto shape = Shape::compile(spec->schema);
    if (!compiled) spec->mistakes.push_back("schema: " + compiled.error().message);
    if (!shape) spec->mistakes.push_back("schema: " + shape.error().message);
    if (compiled && shape) {
      spec->compiled = *std::move(compiled);
      spec->shape = *std::move(shape);
    }
  }
  settle(*spec);
  if (spec->limit != 0 && !spec->many) spec->mistakes.emplace_back("limits what is no list");
  std::string mistakes;
  for (const std::string& one : spec->mistakes) {
    if (!mistakes.empty()) mistakes += '\n';
    mistakes += "presenter \"" + spec->name + "\": " + one;
  }
  if (!mistakes.empty()) return fail(ErrorKind::invalid, mistakes);
  return std::shared_ptr<const DataPresenter>(new DataPresenter(std::move(spec)));
}

}  // namespace squall::server
