#include "options.h"

#include <charconv>
#include <string_view>

namespace everything {

using squall::ErrorKind;
using squall::fail;
using squall::Result;
using squall::server::Legacy;

namespace {

template <typename T>
Result<T> read_number(std::string_view text) {
  T number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    return fail(ErrorKind::invalid, "'" + std::string(text) + "' is no number that fits");
  }
  return number;
}

Result<Legacy> read_legacy(std::string_view text) {
  if (text == "both") return Legacy::both;
  if (text == "sessions") return Legacy::sessions;
  if (text == "stateless") return Legacy::stateless;
  return fail(ErrorKind::invalid, "--legacy is both, sessions or stateless");
}

Result<void> read_value(Options& options, std::string_view name, std::string_view value) {
  if (name == "--transport") {
    if (value != "stdio" && value != "http") {
      return fail(ErrorKind::invalid, "--transport is stdio or http");
    }
    options.http = value == "http";
  } else if (name == "--host") {
    options.http_options.host = value;
  } else if (name == "--port") {
    SQUALL_TRY(options.http_options.port, read_number<std::uint16_t>(value));
  } else if (name == "--path") {
    options.http_options.path = value;
  } else if (name == "--threads") {
    SQUALL_TRY(options.http_options.threads, read_number<unsigned>(value));
  } else if (name == "--port-file") {
    options.port_file = value;
  } else if (name == "--tls-cert") {
    options.http_options.tls_certificate = value;
  } else if (name == "--tls-key") {
    options.http_options.tls_key = value;
  } else if (name == "--legacy") {
    SQUALL_TRY(options.engine.legacy, read_legacy(value));
  } else {
    return fail(ErrorKind::invalid, "unknown option " + std::string(name));
  }
  return {};
}

}  // namespace

Result<Options> read_options(std::span<const char* const> words) {
  Options options;
  options.http_options.port = 3000;
  options.engine.resume.enabled = true;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view name = words[i];
    if (name == "--help" || name == "-h") {
      options.help = true;
      return options;
    }
    if (name == "--resume" || name == "--no-resume") {
      options.engine.resume.enabled = name == "--resume";
    } else if (i + 1 == words.size()) {
      return fail(ErrorKind::invalid, std::string(name) + " needs a value");
    } else {
      SQUALL_CHECK(read_value(options, name, words[++i]));
    }
  }
  if (options.http_options.tls_certificate.empty() != options.http_options.tls_key.empty()) {
    return fail(ErrorKind::invalid, "--tls-cert and --tls-key need each other");
  }
  return options;
}

}  // namespace everything
