#include "proxy_options.h"

#include <algorithm>
#include <limits>

#include "options.h"

namespace squall::cli {
namespace {

constexpr std::size_t kPrefixMax = 64;

std::string check_prefix(const std::string& text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  };
  if (!text.empty() && text.size() <= kPrefixMax && std::all_of(text.begin(), text.end(), fits)) {
    return {};
  }
  return "must be 1 to 64 letters, digits, '_', '-' or '.', as names of tools are";
}

}  // namespace

void add_proxy_options(CLI::App& command, ProxyCommand& proxy) {
  command
      .add_option("--profile", proxy.profile,
                  "The faults: a built-in profile's name, a profile or a schedule")
      ->type_name("FILE")
      ->default_str("off");
  command.add_option("--seed", proxy.seed, "The seed, decimal or 0x; wins over the profile's")
      ->type_name("N");
  command.add_option("--record", proxy.record, "Write a case of the run into this folder")
      ->type_name("DIR");
  obey(command.add_option("--prefix", proxy.prefix, "Put this in front of the names of tools")
           ->type_name("TEXT"),
       check_prefix);
  command.add_flag("--hide-output-schema", proxy.hide_output_schema,
                   "Leave the output schemas out of the lists of tools");
  add_number<int>(command, "--ready-fd", proxy.ready_fd, 3, std::numeric_limits<int>::max(),
                  "Write a line to this descriptor once ready, and close it");
  command.add_flag("-v,--verbose", proxy.verbose, "Tell each strike on stderr");
  command.add_flag("--quiet", proxy.quiet, "Tell errors alone");
}

Result<void> finish_proxy_options(const ProxyCommand& proxy) {
  if (proxy.command.empty()) {
    return fail(ErrorKind::invalid, "proxy needs a server: '-- COMMAND' at the end");
  }
  if (proxy.quiet && proxy.verbose) {
    return fail(ErrorKind::invalid, "--quiet and --verbose exclude each other");
  }
  return {};
}

}  // namespace squall::cli
