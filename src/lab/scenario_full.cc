#include <array>
#include <limits>

#include "squall/base/text.h"
#include "squall/base/units.h"
#include "squall/json/write.h"

#include "scenario_forms.h"

/// @file The full form: steps of many kinds, and what must hold on the wire.

namespace squall::lab {

namespace {

using json::StrictNode;
using json::StrictObject;
using Kind = Step::Kind;

constexpr int kNestingMax = 8;
constexpr std::size_t kStepsMax = 1'000;
constexpr std::int64_t kTimesMax = 10'000;
constexpr std::int64_t kRetriesMax = 100;
constexpr std::size_t kNameBytesMax = 64;

struct Verb {
  std::string_view key;
  Kind kind;
};
constexpr std::array kVerbs = {Verb{"call", Kind::call},
                               Verb{"observe", Kind::observe},
                               Verb{"list", Kind::list},
                               Verb{"read", Kind::read},
                               Verb{"prompt", Kind::prompt},
                               Verb{"complete", Kind::complete},
                               Verb{"request", Kind::request},
                               Verb{"notify", Kind::notify},
                               Verb{"raw", Kind::raw},
                               Verb{"listen", Kind::listen},
                               Verb{"cancel", Kind::cancel},
                               Verb{"wait", Kind::wait},
                               Verb{"reconnect", Kind::reconnect},
                               Verb{"parallel", Kind::parallel},
                               Verb{"repeat", Kind::repeat}};

std::chrono::nanoseconds read_time(const StrictNode& node) {
  return std::chrono::nanoseconds(static_cast<std::int64_t>(read_milliseconds(node) * 1e6));
}

std::chrono::nanoseconds read_budget(const StrictNode& node) {
  const std::chrono::nanoseconds time = read_time(node);
  if (time.count() == 0) node.expected("a time above zero");
  return time;
}

json::Value read_object(const StrictNode& node) {
  if (!node.value().is_object()) node.expected("an object");
  return node.value();
}

class StepReader {
 public:
  std::vector<Step> read_steps(const StrictNode& node, int nesting) {
    std::vector<Step> out;
    for (const StrictNode& element : node.elements()) {
      if (++count_ > kStepsMax) {
        element.complain("a scenario has at most " + std::to_string(kStepsMax) + " steps");
        return out;
      }
      out.push_back(read_step(element, nesting));
    }
    return out;
  }

 private:
  Step read_step(const StrictNode& node, int nesting) {
    StrictObject object(node);
    Step step;
    const Verb* verb = nullptr;
    for (const Verb& candidate : kVerbs) {
      if (!object.has(candidate.key)) continue;
      if (verb != nullptr) {
        node.complain("a step does one thing, not " + std::string(verb->key) + " and " +
                      std::string(candidate.key));
      }
      verb = &candidate;
    }
    if (verb == nullptr) {
      if (node.value().is_object()) node.complain(unknown_step(node.value()));
      return step;
    }
    step.kind = verb->kind;
    step.label = verb->key;
    const StrictNode what = *object.find(verb->key);
    read_what(what, step, nesting);
    step.templated = json::to_string(step.params).find("{{") != std::string::npos;
    if (const auto timeout = object.find("timeout")) step.timeout = read_budget(*timeout);
    if (const auto retries = object.find("retries")) read_retries(*retries, step);
    if (const auto expect = object.find("expect")) step.expect = read_expectation(*expect);
    object.finish();
    return step;
  }

  static void read_retries(const StrictNode& node, Step& step) {
    step.retries = node.integer(0, kRetriesMax);
    // A call in the background is named by its one request.
    if (step.kind != Kind::call || step.background) {
      node.complain("only a call that isn't in the background can be asked again");
    }
  }

  static std::string unknown_step(const json::Value& value) {
    std::string message =
        "expected a step: call, observe, list, read, prompt, complete, request, "
        "notify, raw, listen, cancel, wait, reconnect, parallel or repeat";
    std::vector<std::string_view> keys;
    for (const Verb& verb : kVerbs) keys.push_back(verb.key);
    for (const json::Member& member : value.members()) {
      if (const auto meant = base::nearest(member.name(), keys)) {
        return message + "; did you mean " + std::string(*meant) + "?";
      }
    }
    return message;
  }

  void read_what(const StrictNode& what, Step& step, int nesting) {
    switch (step.kind) {
      case Kind::call:
      case Kind::observe:
        return read_call(what, step);
      case Kind::list:
        return read_list(what, step);
      case Kind::read:
        return read_read(what, step);
      case Kind::prompt:
        return read_prompt(what, step);
      case Kind::complete:
      case Kind::request:
      case Kind::notify:
        return read_request(what, step);
      case Kind::raw:
        step.params = json::Value(what.text());
        return;
      case Kind::listen:
        return read_listen(what, step);
      case Kind::cancel:
        step.of = read_reference(what);
        step.label += " " + step.of;
        return;
      case Kind::wait:
        return read_wait(what, step);
      case Kind::reconnect:
        if (!what.boolean()) what.expected("true");
        return;
      case Kind::parallel:
        if (within(what, nesting)) step.steps = read_steps(what, nesting + 1);
        return;
      case Kind::repeat:
        return read_repeat(what, step, nesting);
    }
  }

  static bool within(const StrictNode& node, int nesting) {
    if (nesting < kNestingMax) return true;
    node.complain("steps are nested more than " + std::to_string(kNestingMax) + " deep");
    return false;
  }

  std::string read_name(const StrictNode& node) {
    std::string name = node.text();
    constexpr std::string_view kFirst =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    if (!name.empty() &&
        (name.size() > kNameBytesMax || name.find_first_not_of(kFirst) != std::string::npos)) {
      node.expected("a name: 1 to 64 of A-Z a-z 0-9 _ -");
    }
    names_.push_back(name);
    return name;
  }

  std::string read_reference(const StrictNode& node) {
    std::string name = node.text();
    for (const std::string& known : names_) {
      if (known == name) return name;
    }
    std::string message = "no step before is called so";
    if (const auto meant = base::nearest(name, names_)) {
      message += "; did you mean " + std::string(*meant) + "?";
    }
    node.complain(message);
    return name;
  }

  void read_shared(StrictObject& object, Step& step) {
    if (const auto name = object.find("as")) step.name = read_name(*name);
    if (const auto background = object.find("background")) {
      step.background = background->boolean();
      if (step.background && step.name.empty()) {
        background->complain("a call in the background needs a name: as");
      }
    }
  }

  void read_call(const StrictNode& what, Step& step) {
    StrictObject call(what);
    const std::string tool = call.text("tool");
    step.label += " " + tool;
    step.params = json::Value::object({{"name", tool}});
    const auto args = call.find("args");
    step.params.set("arguments", args ? read_object(*args) : json::Value::object());
    if (const auto meta = call.find("meta")) step.params.set("_meta", read_object(*meta));
    if (const auto connection = call.find("connection")) {
      step.separate = connection->choice({"same", "separate"}) == 1;
    }
    read_shared(call, step);
    call.finish();
  }

  void read_list(const StrictNode& what, Step& step) {
    std::size_t which = 0;
    if (what.value().is_string()) {
      which = read_list_kind(what);
    } else {
      StrictObject list(what);
      if (const auto of = list.need("of")) which = read_list_kind(*of);
      read_shared(list, step);
      list.finish();
    }
    constexpr std::array kMethods = {"tools", "prompts", "resources", "resourceTemplates"};
    step.params = json::Value(kMethods[which]);
    step.label += std::string(" ") + kMethods[which];
  }

  static std::size_t read_list_kind(const StrictNode& node) {
    return node.choice({"tools", "prompts", "resources", "resourceTemplates"});
  }

  void read_read(const StrictNode& what, Step& step) {
    std::string uri;
    if (what.value().is_string()) {
      uri = what.text();
    } else {
      StrictObject read(what);
      uri = read.text("uri");
      read_shared(read, step);
      read.finish();
    }
    step.label += " " + uri;
    step.params = json::Value::object({{"uri", uri}});
  }

  void read_prompt(const StrictNode& what, Step& step) {
    StrictObject prompt(what);
    const std::string name = prompt.text("name");
    step.label += " " + name;
    step.params = json::Value::object({{"name", name}});
    if (const auto args = prompt.find("args")) step.params.set("arguments", read_object(*args));
    read_shared(prompt, step);
    prompt.finish();
  }

  void read_request(const StrictNode& what, Step& step) {
    if (step.kind == Kind::complete) {
      step.params =
          json::Value::object({{"method", "completion/complete"}, {"params", read_object(what)}});
      return;
    }
    StrictObject request(what);
    const std::string method = request.text("method");
    step.label += " " + method;
    step.params = json::Value::object({{"method", method}});
    if (const auto params = request.find("params")) {
      step.params.set("params", read_object(*params));
    }
    read_shared(request, step);
    request.finish();
  }

  static void read_listen(const StrictNode& what, Step& step) {
    StrictObject listen(what);
    step.params = json::Value::object();
    for (const char* list : {"tools", "prompts", "resources"}) {
      if (const auto flag = listen.find(list)) step.params.set(list, flag->boolean());
    }
    if (const auto uris = listen.find("uris")) {
      json::Value texts = json::Value::array();
      for (const StrictNode& uri : uris->elements()) texts.push_back(json::Value(uri.text()));
      step.params.set("uris", std::move(texts));
    }
    listen.finish();
  }

  void read_wait(const StrictNode& what, Step& step) {
    const bool time = what.value().is_string() && !what.value().string().empty() &&
                      what.value().string()[0] >= '0' && what.value().string()[0] <= '9';
    if (time) {
      step.time = read_time(what);
    } else {
      step.of = read_reference(what);
    }
    step.label += " " + std::string(what.value().string());
  }

  void read_repeat(const StrictNode& what, Step& step, int nesting) {
    StrictObject repeat(what);
    if (const auto times = repeat.need("times")) {
      step.times = times->integer(1, kTimesMax);
      step.label += " " + std::to_string(step.times) + " times";
    }
    if (const auto steps = repeat.need("steps"); steps && within(what, nesting)) {
      step.steps = read_steps(*steps, nesting + 1);
    }
    repeat.finish();
  }

  std::size_t count_ = 0;
  std::vector<std::string> names_;
};

WireRule read_wire_rule(const StrictNode& node, bool counted) {
  WireRule rule;
  StrictObject object(node);
  if (const auto from = object.need("from")) {
    rule.from_client = from->choice({"client", "server"}) == 0;
  }
  if (const auto method = object.find("method")) rule.method = method->text();
  if (const auto count = counted ? object.find("count") : std::nullopt) {
    rule.count = read_count(*count);
  }
  object.finish();
  return rule;
}

FaultPlan read_faults(const StrictNode& node) {
  FaultPlan out;
  StrictObject object(node);
  if (const auto rules = object.find("rules")) {
    static_cast<void>(rules->elements());
    out.rules = rules->value();
    if (object.has("profile")) rules->complain("give rules or a profile, not both");
  } else {
    out.profile = object.text("profile");
  }
  if (const auto seed = object.find("seed")) out.seed = seed->source_text().value_or("");
  object.finish();
  return out;
}

void read_run_expectations(const StrictNode& node, Scenario& out) {
  StrictObject rules(node);
  if (const auto wire = rules.find("wire")) {
    for (const StrictNode& rule : wire->elements()) out.wire.push_back(read_wire_rule(rule, true));
  }
  if (const auto order = rules.find("wire_order")) {
    for (const StrictNode& rule : order->elements()) {
      out.wire_order.push_back(read_wire_rule(rule, false));
    }
  }
  if (const auto faults = rules.find("faults")) {
    StrictObject about(*faults);
    if (const auto fired = about.need("fired")) {
      for (const StrictNode& rule : fired->elements()) out.fired.push_back(rule.text());
    }
    about.finish();
    if (!out.faults) faults->complain("the scenario has no faults that could fire");
  }
  rules.finish();
}

Budgets read_budgets(const StrictNode& node) {
  Budgets out;
  StrictObject object(node);
  if (const auto setup = object.find("setup")) out.setup = read_budget(*setup);
  if (const auto call = object.find("call")) out.call = read_budget(*call);
  if (const auto cancel = object.find("cancel")) out.cancel = read_budget(*cancel);
  if (const auto cleanup = object.find("cleanup")) out.cleanup = read_budget(*cleanup);
  if (const auto run = object.find("run")) out.run = read_budget(*run);
  object.finish();
  return out;
}

}  // namespace

Scenario read_full_scenario(json::StrictFile& file) {
  Scenario out;
  StrictObject object(file.root());
  if (const auto version = object.need("squall"); version && version->integer(1) != 1) {
    version->complain("this squall reads version 1");
  }
  out.name = object.text("name");
  if (const auto protocol = object.find("protocol")) {
    out.protocol_given = true;
    constexpr std::array kProtocols = {Protocol::legacy, Protocol::modern, Protocol::automatic};
    out.protocol = kProtocols[protocol->choice({"2025-11-25", "2026-07-28", "auto"})];
  }
  if (const auto target = object.find("target")) out.target = target->text();
  if (const auto tags = object.find("tags")) {
    for (const StrictNode& tag : tags->elements()) out.tags.push_back(tag.text());
  }
  if (const auto budgets = object.find("budgets")) out.budgets = read_budgets(*budgets);
  if (const auto steps = object.need("steps")) {
    out.steps = StepReader().read_steps(*steps, 0);
    if (steps->value().is_array() && steps->value().size() == 0) {
      steps->expected("at least one step");
    }
  }
  if (const auto faults = object.find("faults")) out.faults = read_faults(*faults);
  if (const auto expect = object.find("expect")) read_run_expectations(*expect, out);
  object.finish();
  return out;
}

}  // namespace squall::lab
