#pragma once

#include <string>

namespace everything {

/// A PNG picture of one red pixel.
[[nodiscard]] std::string red_pixel_png();
/// A WAV sound of eight samples: one period of 1 kHz.
[[nodiscard]] std::string beep_wav();

}  // namespace everything
