// What the commands about cases read, and how they show what they found.
#include <algorithm>
#include <filesystem>

#include "squall/base/text.h"
#include "squall/cases/compare.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"

#include "case_commands.h"
#include "fail.h"
#include "profile_file.h"
#include "remote_text.h"

namespace squall::cli {

namespace {

Result<cases::Arrived> read_call(std::string_view line) {
  SQUALL_TRY(const json::Value call, json::parse(line));
  const auto tool = call.find_string("tool");
  if (!tool) {
    return fail(ErrorKind::invalid, "expected {\"tool\": .., \"arguments\": {..}}");
  }
  cases::Arrived out;
  out.method = "tools/call";
  out.tool = *tool;
  const json::Value* arguments = call.find("arguments");
  if (arguments != nullptr) {
    out.arguments = *arguments;
    out.has_arguments = true;
  }
  return out;
}

}  // namespace

bool is_case(const std::string& name) {
  std::error_code error;
  return std::filesystem::is_directory(name, error);
}

Result<std::vector<cases::Arrived>> load_arrivals(const std::string& name) {
  std::vector<cases::Arrived> out;
  if (is_case(name)) {
    SQUALL_TRY(const recording::Case record, recording::read_case(name));
    return cases::arrivals_of(record);
  }
  SQUALL_TRY(const std::string text, read_text_file(name));
  std::string_view rest = text;
  std::size_t number = 0;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    auto call = read_call(line);
    if (!call) {
      return fail(ErrorKind::invalid,
                  name + ":" + std::to_string(number) + ": " + call.error().message);
    }
    out.push_back(*std::move(call));
  }
  return out;
}

std::string line_of(std::string_view text, std::size_t bytes_max) {
  const std::size_t whole = text.size();
  if (const std::size_t bad = base::find_invalid_utf8(text); bad < bytes_max) {
    if (bad < whole) return "(" + std::to_string(whole) + " bytes that are no text)";
  }
  std::size_t cut = std::min(bytes_max, whole);
  while (cut > 0 && cut < whole && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) --cut;
  std::string out;
  for (const char c : printable(text.substr(0, cut))) {
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c == '\t' ? ' ' : c;
    }
  }
  if (cut < whole) out += "... (" + std::to_string(whole) + " bytes)";
  return out;
}

Exit refuse(bool as_json, const Error& error, Console& console) {
  if (as_json) {
    const json::Value out = json::Value::object({{"error", error.message}});
    console.out(json::to_pretty_string(out) + "\n");
  }
  return complain(console, {error.kind, printable(error.message)});
}

}  // namespace squall::cli
