#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "squall/json/value.h"
#include "squall/server/content.h"
#include "squall/server/presenter/data_presenter.h"

/// @file The blocks of a presented result. Each is one text; none can be forged by data, which is
/// escaped wherever it is put in.

namespace squall::server {

/// JSON in which `<`, `>` and `&` stand as escapes: the same value, but no tag.
[[nodiscard]] std::string inert_json(const json::Value& value);

[[nodiscard]] Content data_block(const json::Value& value);
/// `<notice kind="limit">...</notice>`: something about the result itself.
[[nodiscard]] Content notice_block(std::string_view kind, std::string_view text);
[[nodiscard]] Content ui_block(const UiBlock& block);
[[nodiscard]] Content rules_block(const std::vector<std::string>& rules);
[[nodiscard]] Content suggestions_block(const std::vector<Suggestion>& suggestions);

}  // namespace squall::server
