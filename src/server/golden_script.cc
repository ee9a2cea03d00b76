#include "golden_script.h"

#include <algorithm>
#include <array>
#include <optional>

#include "squall/base/text.h"

namespace squall::server::golden {

namespace {

constexpr std::array<std::string_view, 5> kMethods{"POST ", "GET ", "DELETE ", "OPTIONS ", "PUT "};

/// Whether a line begins a request, itself or by the abbreviation it begins with.
bool is_request_head(std::string_view text, const Script::Pairs& lets) {
  for (const auto& [name, value] : lets) {
    if (text.starts_with("${" + name + "}")) text = value;
  }
  return std::any_of(kMethods.begin(), kMethods.end(),
                     [&](std::string_view method) { return text.starts_with(method); });
}

struct Arrow {
  std::string lane;
  std::string text;
};

/// A line `lane>>> text`.
std::optional<Arrow> read_arrow(std::string_view line, std::string_view arrow) {
  const std::size_t at = line.find(arrow);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view lane = line.substr(0, at);
  if (lane.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  std::string_view text = line.substr(at + arrow.size());
  if (text.starts_with(' ')) text.remove_prefix(1);
  return Arrow{std::string(lane), std::string(text)};
}

std::pair<std::string, std::string> split_pair(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return {std::string(base::trim(text)), ""};
  return {std::string(base::trim(text.substr(0, equals))),
          std::string(base::trim(text.substr(equals + 1)))};
}

bool take_head(Script& script, const std::string& line) {
  constexpr std::string_view kOption = "option:";
  constexpr std::string_view kLet = "let ";
  if (line.starts_with(kOption)) {
    script.options.push_back(split_pair(std::string_view(line).substr(kOption.size())));
  } else if (line.starts_with(kLet)) {
    script.lets.push_back(split_pair(std::string_view(line).substr(kLet.size())));
  } else if (!line.starts_with('#') && !line.empty()) {
    return false;
  }
  script.head.push_back(line);
  return true;
}

}  // namespace

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

Result<Script> read_script(std::string_view text) {
  Script script;
  bool in_head = true;
  for (const std::string& line : split_lines(text)) {
    if (in_head && take_head(script, line)) continue;
    in_head = false;
    if (line.starts_with("===") || read_arrow(line, "<<<")) continue;
    if (line.empty() || line.starts_with('#')) {
      script.steps.push_back({Step::Kind::note, "", {line}, "", ""});
    } else if (line.starts_with("--- ")) {
      script.steps.push_back({Step::Kind::command, "", {line}, line.substr(4), ""});
    } else if (auto arrow = read_arrow(line, ">>>")) {
      Step* last = script.steps.empty() ? nullptr : &script.steps.back();
      const bool is_head = is_request_head(arrow->text, script.lets);
      if (!is_head && last != nullptr && last->kind == Step::Kind::request &&
          last->lane == arrow->lane && last->lines.size() == 1) {
        last->lines.push_back(line);
        last->body = arrow->text;
      } else {
        const auto kind = is_head ? Step::Kind::request : Step::Kind::message;
        script.steps.push_back({kind, arrow->lane, {line}, arrow->text, ""});
      }
    } else {
      return fail(ErrorKind::invalid, "not a line of a conversation: " + line);
    }
  }
  if (script.head.empty() || !script.head.front().starts_with("# ")) {
    return fail(ErrorKind::invalid, "a conversation begins with a line of prose");
  }
  return script;
}

}  // namespace squall::server::golden
