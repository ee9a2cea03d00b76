#include "remote_console.h"

#include <algorithm>
#include <cmath>

#include "squall/base/text.h"
#include "squall/json/write.h"

#include "remote_text.h"

namespace squall::cli {
namespace {

constexpr std::size_t kColumnsMax = 79;
constexpr int kBarWidth = 20;

std::string number(double value) { return json::to_string(json::Value(value)); }

/// As many code points as there are columns.
std::string_view cut(std::string_view line) {
  std::size_t end = 0;
  for (std::size_t column = 0; column < kColumnsMax && end < line.size(); ++column) {
    static_cast<void>(base::next_code_point(line, end));
  }
  return line.substr(0, end);
}

}  // namespace

void RemoteConsole::hide(const client::Target::Pairs& secrets) {
  for (const auto& [value, name] : secrets) {
    secrets_.emplace_back(value, name);
    const std::string quoted = json::to_string(json::Value(value));
    const std::string in_json = quoted.substr(1, quoted.size() - 2);
    if (in_json != value) secrets_.emplace_back(in_json, name);
  }
}

void RemoteConsole::out(std::string_view text) {
  wipe();
  console_.out(client::redact(std::string(text), secrets_));
}

void RemoteConsole::err(std::string_view text) {
  wipe();
  console_.err(client::redact(std::string(text), secrets_));
}

void RemoteConsole::draw(std::string_view line) {
  const std::string shown = client::redact(std::string(line), secrets_);
  console_.err("\r" + std::string(cut(shown)) + "\x1b[K");
  drawn_ = true;
}

void RemoteConsole::wipe() {
  if (drawn_) console_.err("\r\x1b[K");
  drawn_ = false;
}

std::string progress_text(const client::Progress& progress) {
  std::string out;
  const double total = progress.total.value_or(0);
  if (total > 0) {
    const double share = std::clamp(progress.progress / total, 0.0, 1.0);
    const int done = static_cast<int>(std::lround(share * kBarWidth));
    const int percent = static_cast<int>(std::lround(share * 100));
    out = "[" + std::string(static_cast<std::size_t>(done), '#') +
          std::string(static_cast<std::size_t>(kBarWidth - done), '-') + "] ";
    out += (percent < 10 ? "  " : percent < 100 ? " " : "") + std::to_string(percent) + "%  ";
  }
  out += number(progress.progress);
  if (progress.total) out += " of " + number(*progress.total);
  if (!progress.message.empty()) {
    std::string message = printable(progress.message);
    std::replace(message.begin(), message.end(), '\n', ' ');
    out += "  " + message;
  }
  return out;
}

}  // namespace squall::cli
