#include "squall/auth/form.h"

#include <algorithm>
#include <optional>

namespace squall::auth {

namespace {

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> percent_decode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

// RFC 6749 appendix A.4: visible ASCII but the quote and the backslash.
bool is_scope_char(char c) { return c > 0x20 && c < 0x7F && c != '"' && c != '\\'; }

}  // namespace

std::string percent_encode(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (is_unreserved(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
  return out;
}

Form& Form::add(std::string_view name, std::string_view value) {
  std::string text = text_.reveal();
  if (!text.empty()) text += '&';
  text += percent_encode(name);
  text += '=';
  text += percent_encode(value);
  text_ = Secret(std::move(text));
  return *this;
}

Form& Form::add_unless_empty(std::string_view name, std::string_view value) {
  return value.empty() ? *this : add(name, value);
}

Form& Form::add_secret(std::string_view name, const Secret& value) {
  secrets_.push_back(value);
  return add(name, value.reveal());
}

bool Form::leaks_into(std::string_view text) const {
  return std::any_of(secrets_.begin(), secrets_.end(), [text](const Secret& secret) {
    return !secret.empty() && text.find(secret.reveal()) != std::string_view::npos;
  });
}

Result<Parameters> parse_query(std::string_view query) {
  if (query.size() > kQueryBytesMax) return fail(ErrorKind::limit, "the query is too long");
  Parameters parameters;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view part = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (part.empty()) continue;
    const std::size_t equals = std::min(part.find('='), part.size());
    auto name = percent_decode(part.substr(0, equals));
    auto value = percent_decode(part.substr(std::min(equals + 1, part.size())));
    if (!name || !value) return fail(ErrorKind::invalid, "the query has a malformed escape");
    if (find(parameters, *name) != nullptr) {
      return fail(ErrorKind::invalid, "the query has a parameter twice");
    }
    if (parameters.size() == kQueryParametersMax) {
      return fail(ErrorKind::limit, "the query has too many parameters");
    }
    parameters.emplace_back(*std::move(name), *std::move(value));
  }
  return parameters;
}

const std::string* find(const Parameters& parameters, std::string_view name) {
  for (const auto& [key, value] : parameters) {
    if (key == name) return &value;
  }
  return nullptr;
}

Scopes parse_scopes(std::string_view text) {
  Scopes scopes;
  while (!text.empty() && scopes.size() < kScopesMax) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool sound = !word.empty() && std::all_of(word.begin(), word.end(), is_scope_char);
    if (sound && !contains(scopes, word)) scopes.emplace_back(word);
  }
  return scopes;
}

std::string join_scopes(const Scopes& scopes) {
  std::string text;
  for (const std::string& scope : scopes) {
    if (!text.empty()) text += ' ';
    text += scope;
  }
  return text;
}

bool contains(const Scopes& scopes, std::string_view scope) {
  return std::find(scopes.begin(), scopes.end(), scope) != scopes.end();
}

Scopes merge_scopes(Scopes first, const Scopes& second) {
  for (const std::string& scope : second) {
    if (first.size() < kScopesMax && !contains(first, scope)) first.push_back(scope);
  }
  return first;
}

}  // namespace squall::auth
