#include "squall/recording/redactor.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "squall/base/text.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"

namespace squall::recording {
namespace {

constexpr std::size_t kPatternMin = 2;

bool is_plain_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Who mixes up a name and a value has named the secret by itself, or by a part of it.
bool gives_away(std::string_view name, std::string_view value) {
  constexpr std::size_t kTelling = Redactor::kAnywhereMin;
  return (value.size() >= kTelling && name.find(value) != std::string_view::npos) ||
         (name.size() >= kTelling && value.find(name) != std::string_view::npos);
}

std::string mark_of(std::string_view name, const std::vector<Secret>& secrets) {
  const auto told = [name](const Secret& secret) { return gives_away(name, secret.value); };
  if (std::ranges::any_of(secrets, told)) name = "secret";
  std::string out = "[redacted:";
  for (const char c : name.substr(0, 100)) {
    out += is_plain_letter(c) || c == '_' || c == '-' || c == '.' ? c : '_';
  }
  return out + "]";
}

std::string json_escaped(std::string_view text) {
  std::string out;
  json::write_string(out, text);
  return out.substr(1, out.size() - 2);
}

std::string percent_encoded(std::string_view text, std::string_view digits) {
  std::string out;
  for (const char c : text) {
    if (is_plain_letter(c) || c == '-' || c == '.' || c == '_' || c == '~') {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out.append({'%', digits[byte >> 4], digits[byte & 15]});
  }
  return out;
}

/// The characters of `before` unknown bytes and `secret` in base64 that depend on the secret alone.
std::string base64_core(std::string_view secret, std::size_t before) {
  std::string plain(before, '\0');
  plain += secret;
  const std::size_t first = (before * 8 + 5) / 6;
  const std::size_t last = plain.size() * 8 / 6;
  return base::base64_encode(plain).substr(first, last - first);
}

bool is_base64_character(char c) {
  return is_plain_letter(c) || c == '+' || c == '/' || c == '-' || c == '_' || c == '=';
}

std::uint16_t start_of(std::string_view text) {
  return static_cast<std::uint16_t>(static_cast<unsigned char>(text[0]) << 8 |
                                    static_cast<unsigned char>(text[1]));
}

}  // namespace

Redactor::Redactor(const std::vector<Secret>& secrets) {
  for (const Secret& secret : secrets) {
    const std::string mark = mark_of(secret.name, secrets);
    const std::string& value = secret.value;
    if (value.empty()) continue;
    if (value.size() < kAnywhereMin) {
      short_.push_back({mark, value});
      add("\"" + json_escaped(value) + "\"", mark, Form::quoted);
      continue;
    }
    add(value, mark, Form::plain);
    add(json_escaped(value), mark, Form::plain);
    add(percent_encoded(value, "0123456789ABCDEF"), mark, Form::plain);
    add(percent_encoded(value, "0123456789abcdef"), mark, Form::plain);
    for (std::size_t before = 0; before < 3; ++before) {
      std::string core = base64_core(value, before);
      add(core, mark, Form::base64);
      std::ranges::replace(core, '+', '-');
      std::ranges::replace(core, '/', '_');
      add(std::move(core), mark, Form::base64);
    }
  }
  // Where a secret is the beginning of another, the longer one goes.
  std::ranges::stable_sort(patterns_, std::greater<>(),
                           [](const Pattern& pattern) { return pattern.text.size(); });
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    starts_.set(start_of(patterns_[i].text));
    by_start_[start_of(patterns_[i].text)].push_back(i);
  }
}

void Redactor::add(std::string text, const std::string& mark, Form form) {
  const auto same = [&](const Pattern& pattern) { return pattern.text == text; };
  if (text.size() < kPatternMin || std::ranges::any_of(patterns_, same)) return;
  patterns_.push_back({std::move(text), mark, form});
}

const Redactor::Pattern* Redactor::match(std::string_view text) const {
  if (text.size() < kPatternMin || !starts_.test(start_of(text))) return nullptr;
  for (const std::size_t index : by_start_.at(start_of(text))) {
    if (text.starts_with(patterns_[index].text)) return &patterns_[index];
  }
  return nullptr;
}

bool Redactor::redact_flat(std::string& text) const {
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = 0; at + kPatternMin <= text.size();) {
    const Pattern* const found = match(std::string_view(text).substr(at));
    if (found == nullptr) {
      ++at;
      continue;
    }
    std::size_t from = at;
    std::size_t to = at + found->text.size();
    if (found->form == Form::base64) {
      // The characters beside the match hold the rest of the secret's first and last bits.
      if (from > copied && is_base64_character(text[from - 1])) --from;
      if (to < text.size() && is_base64_character(text[to])) ++to;
    }
    out.append(text, copied, from - copied);
    out += found->form == Form::quoted ? "\"" + found->mark + "\"" : found->mark;
    copied = at = to;
  }
  if (copied == 0) return false;
  text = out.append(text, copied);
  return true;
}

bool Redactor::redact(std::string& text) const {
  if (empty()) return false;
  for (const Secret& secret : short_) {
    if (text != secret.value) continue;
    text = secret.name;
    return true;
  }
  bool changed = redact_flat(text);
  // A JSON text can spell any character as an escape, so what it means is looked at, too.
  if (text.find('\\') != std::string::npos) {
    auto value = json::parse(text, {.duplicates = json::Duplicates::keep, .limits = {}});
    if (value && redact(*value)) {
      text = json::to_string(*value);
      changed = true;
    }
  }
  return changed;
}

bool Redactor::redact_string(json::Value& value) const {
  std::string text(value.string());
  for (const Secret& secret : short_) {
    if (text == secret.value) {
      value = json::Value(secret.name);
      return true;
    }
  }
  if (!redact_flat(text)) return false;
  value = json::Value(text);
  return true;
}

bool Redactor::redact(json::Value& value) const {
  if (empty()) return false;
  bool changed = false;
  std::vector<json::Value*> open = {&value};
  while (!open.empty()) {
    json::Value& next = *open.back();
    open.pop_back();
    if (next.is_string() && redact_string(next)) changed = true;
    for (json::Value& item : next.items()) open.push_back(&item);
    for (json::Member& member : next.members()) {
      if (redact_string(member.key)) changed = true;
      open.push_back(&member.value);
    }
  }
  return changed;
}

}  // namespace squall::recording
