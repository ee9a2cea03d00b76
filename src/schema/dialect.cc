#include "dialect.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "metaschemas.h"

namespace squall::schema {
namespace {

constexpr std::string_view kVocabularyPrefix = "https://json-schema.org/draft/2020-12/vocab/";
constexpr std::array<std::pair<std::string_view, Vocabulary>, 8> kVocabularies = {{
    {"core", Vocabulary::core},
    {"applicator", Vocabulary::applicator},
    {"unevaluated", Vocabulary::unevaluated},
    {"validation", Vocabulary::validation},
    {"format-assertion", Vocabulary::format_assertion},
    {"format-annotation", Vocabulary::annotation},
    {"meta-data", Vocabulary::annotation},
    {"content", Vocabulary::annotation},
}};

struct Holder {
  std::string_view keyword;
  Shape in_07;
  Shape in_2020;
};

constexpr std::array kHolders = {
    Holder{"$defs", Shape::none, Shape::map},
    Holder{"additionalItems", Shape::schema, Shape::none},
    Holder{"additionalProperties", Shape::schema, Shape::schema},
    Holder{"allOf", Shape::list, Shape::list},
    Holder{"anyOf", Shape::list, Shape::list},
    Holder{"contains", Shape::schema, Shape::schema},
    Holder{"contentSchema", Shape::none, Shape::schema},
    Holder{"definitions", Shape::map, Shape::map},
    Holder{"dependencies", Shape::map_of_schemas_or_lists, Shape::none},
    Holder{"dependentSchemas", Shape::none, Shape::map},
    Holder{"else", Shape::schema, Shape::schema},
    Holder{"if", Shape::schema, Shape::schema},
    Holder{"items", Shape::schema_or_list, Shape::schema},
    Holder{"not", Shape::schema, Shape::schema},
    Holder{"oneOf", Shape::list, Shape::list},
    Holder{"patternProperties", Shape::map, Shape::map},
    Holder{"prefixItems", Shape::none, Shape::list},
    Holder{"properties", Shape::map, Shape::map},
    Holder{"propertyNames", Shape::schema, Shape::schema},
    Holder{"then", Shape::schema, Shape::schema},
    Holder{"unevaluatedItems", Shape::none, Shape::schema},
    Holder{"unevaluatedProperties", Shape::none, Shape::schema},
};

std::optional<Vocabulary> find_vocabulary(std::string_view uri) noexcept {
  if (!uri.starts_with(kVocabularyPrefix)) return std::nullopt;
  uri.remove_prefix(kVocabularyPrefix.size());
  for (const auto& [name, vocabulary] : kVocabularies) {
    if (name == uri) return vocabulary;
  }
  return std::nullopt;
}

}  // namespace

Dialect standard_dialect(Draft draft) noexcept {
  Dialect dialect{draft, 0};
  for (const Vocabulary vocabulary :
       {Vocabulary::core, Vocabulary::applicator, Vocabulary::unevaluated, Vocabulary::validation,
        Vocabulary::annotation}) {
    dialect.vocabularies |= static_cast<std::uint8_t>(vocabulary);
  }
  return dialect;
}

std::optional<Dialect> find_standard_dialect(std::string_view uri) noexcept {
  if (uri.ends_with('#')) uri.remove_suffix(1);
  if (uri == kMetaschema2020) return standard_dialect(Draft::draft_2020_12);
  if (uri == kMetaschema07) return standard_dialect(Draft::draft_07);
  return std::nullopt;
}

Result<Dialect> read_dialect(const json::Value& metaschema) {
  // Only a standard metaschema may describe a custom one: no chain, no circle.
  const std::optional<std::string_view> own = metaschema.find_string("$schema");
  const std::optional<Dialect> base = find_standard_dialect(own.value_or(kMetaschema2020));
  if (!base) return fail(ErrorKind::invalid, "the metaschema itself has an unknown $schema");
  const json::Value* vocabularies = metaschema.find("$vocabulary");
  if (vocabularies == nullptr || base->draft == Draft::draft_07) return *base;
  Dialect dialect{base->draft, static_cast<std::uint8_t>(Vocabulary::core)};
  for (const json::Member& member : vocabularies->members()) {
    // What we know applies whether required or not (2020-12 core, section 8.1.2).
    if (const auto known = find_vocabulary(member.name())) {
      dialect.vocabularies |= static_cast<std::uint8_t>(*known);
    } else if (member.value.boolean()) {
      return fail(ErrorKind::invalid, "the metaschema requires an unknown vocabulary");
    }
  }
  return dialect;
}

Shape shape_of(std::string_view keyword, Draft draft) noexcept {
  const auto* found = std::ranges::lower_bound(kHolders, keyword, {}, &Holder::keyword);
  if (found == kHolders.end() || found->keyword != keyword) return Shape::none;
  return draft == Draft::draft_07 ? found->in_07 : found->in_2020;
}

}  // namespace squall::schema
