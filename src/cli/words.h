#pragma once

#include <span>

#include "squall/base/result.h"

#include "model.h"

namespace squall::cli {

/// Whether every word of a command line has a place in `model`: known commands and options, a value
/// behind each option that takes one (a word that begins with "--" is no value), no word too many.
/// The error names the nearest known command or option.
[[nodiscard]] Result<void> check_words(std::span<const char* const> words,
                                       const CommandModel& model);

}  // namespace squall::cli
