#include "squall/server/registry.h"

#include "compiler.h"

namespace squall::server {

Router Router::router(std::string_view name, std::source_location where) const {
  auto spec = std::make_shared<RouterSpec>();
  spec->prefix = spec_->prefix + "." + std::string(name);
  spec->parent = spec_;
  spec->where = where;
  return {*registry_, std::move(spec)};
}

Router& Router::title(std::string text) {
  spec_->title = std::move(text);
  return *this;
}

Router& Router::describe(std::string text) {
  spec_->description = std::move(text);
  return *this;
}

Router& Router::icons(json::Value icons) {
  spec_->icons = std::move(icons);
  return *this;
}

Router& Router::tags(std::vector<std::string> names) {
  for (std::string& name : names) spec_->tags.push_back(std::move(name));
  return *this;
}

Router& Router::presents(std::shared_ptr<const Presenter> presenter) {
  spec_->presenter = std::move(presenter);
  return *this;
}

Router& Router::guard(std::shared_ptr<Stage> guard) {
  spec_->guards.push_back(std::move(guard));
  return *this;
}

Router& Router::add(Middleware middleware) {
  spec_->middleware.push_back(std::move(middleware));
  return *this;
}

ActionSpec& Router::declare(std::string_view name, Nature nature,
                            std::source_location where) const {
  ActionSpec& spec = registry_->declare(spec_->prefix + "." + std::string(name), nature, where);
  spec.router = spec_;
  if (name.find('.') != std::string_view::npos) {
    spec.mistakes.emplace_back("a router's action has no dot in its name; nest routers");
  }
  return spec;
}

Router Registry::router(std::string_view name, std::source_location where) {
  auto spec = std::make_shared<RouterSpec>();
  spec->prefix = name;
  spec->where = where;
  return {*this, std::move(spec)};
}

ActionSpec& Registry::declare(std::string_view name, Nature nature, std::source_location where) {
  ActionSpec& spec = actions_.emplace_back();
  spec.name = name;
  spec.nature = nature;
  spec.where = where;
  return spec;
}

Result<void> Registry::merge(const Registry& other) {
  Registry both = *this;
  // What `other` has for all its tools goes with them, and with nobody else's.
  const auto inherit = [&](std::vector<Middleware>& inherited) {
    inherited.insert(inherited.begin(), other.middleware_.begin(), other.middleware_.end());
  };
  for (const Tool& tool : other.tools_) inherit(both.tools_.emplace_back(tool).inherited_);
  for (const ActionSpec& spec : other.actions_) {
    inherit(both.actions_.emplace_back(spec).inherited);
  }
  both.resources_.insert(both.resources_.end(), other.resources_.begin(), other.resources_.end());
  both.prompts_.insert(both.prompts_.end(), other.prompts_.begin(), other.prompts_.end());
  if (both.instructions_.empty()) both.instructions_ = other.instructions_;
  if (!both.own_context_) {
    both.own_context_ = other.own_context_;
    both.make_own_context_ = other.make_own_context_;
  } else if (other.own_context_ && *other.own_context_ != *both.own_context_) {
    return fail(ErrorKind::invalid, "the two registries make contexts of different types");
  }
  CompileOptions options;
  if (auto compiled = Compiler(both, options, false).run(); !compiled) {
    return std::unexpected(std::move(compiled).error());
  }
  // Appended rather than replaced, so that what handles point at stays where it is.
  while (tools_.size() < both.tools_.size()) tools_.push_back(both.tools_[tools_.size()]);
  while (actions_.size() < both.actions_.size()) {
    actions_.push_back(both.actions_[actions_.size()]);
  }
  while (resources_.size() < both.resources_.size()) {
    resources_.push_back(both.resources_[resources_.size()]);
  }
  while (prompts_.size() < both.prompts_.size()) prompts_.push_back(both.prompts_[prompts_.size()]);
  instructions_ = std::move(both.instructions_);
  own_context_ = both.own_context_;
  make_own_context_ = std::move(both.make_own_context_);
  return {};
}

Result<std::shared_ptr<const Pipeline>> Registry::compile(CompileOptions options) const {
  return Compiler(*this, options).run();
}

}  // namespace squall::server
