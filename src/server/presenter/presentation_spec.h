#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "squall/json/value.h"
#include "squall/schema/schema.h"
#include "squall/server/presenter/data_presenter.h"
#include "squall/server/presenter/redaction.h"

#include "shape.h"

namespace squall::server {

/// All that has been said about one presenter; what is compiled comes with `build`.
struct PresentationSpec {
  struct Embedded {
    std::vector<std::string> path;
    std::shared_ptr<const PresentationSpec> child;  // shared with the presenter that it is of
  };
  std::string name;
  json::Value schema;
  bool many = false;
  bool selectable = false;
  std::size_t limit = 0;  ///< 0: all
  std::string how_to_page;
  std::vector<std::string> redacted;  ///< the patterns as they were written
  Redaction redaction;
  std::vector<std::string> fixed_rules;
  std::vector<Presentation::PerItem<std::string>> rules;
  std::vector<Presentation::PerItem<Suggestion>> suggestions;
  std::vector<Presentation::PerItem<UiBlock>> blocks;
  std::vector<Embedded> children;
  std::vector<std::string> mistakes;
  std::optional<schema::Schema> compiled;
  std::optional<Shape> shape;
  // Of these or of what is embedded in them:
  bool redacts = false;
  bool advises = false;  ///< beyond `fixed_rules`
  bool draws = false;
  std::optional<Content> rules_block;  ///< of `fixed_rules`, when there are some and no others
};

}  // namespace squall::server
