#include "squall/recording/header.h"

#include <algorithm>

#include "squall/base/crypto.h"
#include "squall/json/canonical.h"
#include "squall/json/parse.h"
#include "squall/recording/migrate.h"

#include "fields.h"

namespace squall::recording {
namespace {

constexpr std::size_t kIdCharacters = 12;

/// RFC 4648 base32 of the first 60 bits, in lower case.
std::string base32_of_first_60(const base::Sha256& digest) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < 8; ++i) bits = bits << 8 | digest[i];
  std::string out;
  for (std::size_t i = 0; i < kIdCharacters; ++i) {
    out += "abcdefghijklmnopqrstuvwxyz234567"[(bits >> (59 - 5 * i)) & 31];
  }
  return out;
}

std::string hex_of(const base::Sha256& digest) {
  return base::hex_encode({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

std::string decimal(std::optional<std::uint64_t> seed) { return seed ? std::to_string(*seed) : ""; }

std::string hexadecimal(std::optional<std::uint64_t> seed) {
  if (!seed) return {};
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, *seed, 16).ptr;
  return "0x" + std::string(digits, end);
}

/// What a header holds besides its own members: derived from them, for other readers' sake.
struct Derived {
  std::string id;
  std::string run;
  std::string profile_sha256;
  friend bool operator==(const Derived&, const Derived&) = default;
};

Result<Derived> derive(const Header& header) {
  Derived out;
  SQUALL_TRY(out.id, case_id(header));
  out.run = header.run <= 1 ? out.id : out.id + "-" + std::to_string(header.run);
  if (!header.profile.is_null()) {
    SQUALL_TRY(const std::string text, json::canonical(header.profile));
    out.profile_sha256 = hex_of(base::sha256(text));
  }
  return out;
}

template <typename Fields>
void describe(Fields& f, Header& h, Derived& derived, std::string& seed, std::string& seed_hex) {
  f("case", derived.id)("run_id", derived.run)("tool", h.tool)("scheme", h.scheme);
  f("started", h.started)("platform", h.platform)("name", h.name);
  f("scenario_file", h.scenario_file)("repeat", h.repeat);
  f("seed", seed)("seed_hex", seed_hex)("seed_source", h.seed_source);
  f("profile", h.profile)("profile_sha256", derived.profile_sha256)("scope", h.scope);
  f("schedule", h.schedule)("scenario", h.scenario)("protocol", h.protocol)("target", h.target);
  f("counters", h.counters)("server", h.server)("tools_sha256", h.tools_sha256)("run", h.run);
}

}  // namespace

Result<std::string> case_id(const Header& header) {
  json::Value inputs = json::Value::object();
  inputs.set("seed", decimal(header.seed)).set("profile", header.profile);
  inputs.set("scope", header.scope).set("schedule", header.schedule);
  inputs.set("scenario", header.scenario).set("protocol", header.protocol);
  inputs.set("target", header.target);
  SQUALL_TRY(const std::string text, json::canonical(inputs));
  return base32_of_first_60(base::sha256(text));
}

Result<std::string> run_id(const Header& header) {
  SQUALL_TRY(Derived derived, derive(header));
  return std::move(derived.run);
}

Result<std::string> to_text(const Header& header) {
  SQUALL_TRY(Derived derived, derive(header));
  std::string seed = decimal(header.seed);
  std::string seed_hex = hexadecimal(header.seed);
  std::string compact;
  json::Writer writer(compact);
  writer.begin_object().key("squall_case").number(static_cast<std::uint64_t>(kFormatVersion));
  FieldWriter fields(writer, false);
  Header copy = header;
  describe(fields, copy, derived, seed, seed_hex);
  writer.end_object();
  SQUALL_TRY(const json::Value value, json::parse(compact));
  return json::to_pretty_string(value) + "\n";
}

Result<Header> parse_header(std::string_view text) {
  SQUALL_TRY(json::Value value, json::parse(text));
  const json::Value* format = value.find("squall_case");
  const auto version = format == nullptr ? std::nullopt : format->as_uint64();
  if (!version || *version == 0 || *version > std::numeric_limits<std::uint32_t>::max()) {
    return fail(ErrorKind::invalid, "/squall_case: expected the version of the format");
  }
  SQUALL_TRY(value, migrate(std::move(value), Part::header, static_cast<std::uint32_t>(*version)));

  Header header;
  Derived derived;
  std::string seed;
  std::string seed_hex;
  FieldReader fields(value, "");
  (void)fields.take("squall_case");
  describe(fields, header, derived, seed, seed_hex);
  if (!seed.empty()) {
    std::uint64_t number = 0;
    const auto read = std::from_chars(seed.data(), seed.data() + seed.size(), number);
    if (read.ec != std::errc() || decimal(number) != seed) {
      fields.complain("seed", "expected decimal digits");
    }
    header.seed = number;
  }
  if (header.run == 0) fields.complain("run", "expected a number from 1");
  SQUALL_CHECK(fields.finish());
  SQUALL_TRY(const Derived again, derive(header));
  if (derived != again || hexadecimal(header.seed) != seed_hex) {
    return fail(ErrorKind::invalid, "the inputs were changed: they make case " + again.run +
                                        ", not " + base::show_name(derived.run, 40));
  }
  return header;
}

}  // namespace squall::recording
