#pragma once

#include <string>
#include <string_view>

#include "squall/cli/cli.h"
#include "squall/client/options.h"
#include "squall/client/target.h"

namespace squall::cli {

/// A console that shows no secret, and has a line that is drawn again and again where errors go to
/// a terminal.
class RemoteConsole final : public Console {
 public:
  /// `console` outlives it.
  explicit RemoteConsole(Console& console) : console_(console) {}
  /// What must not be shown: value, name to show instead.
  void hide(const client::Target::Pairs& secrets);

  void out(std::string_view text) override;
  void err(std::string_view text) override;
  [[nodiscard]] bool live() const override { return console_.live(); }
  [[nodiscard]] int open_keyboard() const override { return console_.open_keyboard(); }

  /// Draws the line, cut to a terminal's width; `out` and `err` wipe it away.
  void draw(std::string_view line);
  void wipe();

 private:
  Console& console_;
  client::Target::Pairs secrets_;
  bool drawn_ = false;
};

/// "[#####---------------]  25%  5 of 20  message"; without a total, "5  message".
[[nodiscard]] std::string progress_text(const client::Progress& progress);

}  // namespace squall::cli
