// Sound as WAV files in memory. Internal to train/.
#pragma once

#include <cstdint>
#include <string>

#include "../core/tensor.h"

namespace strata::train {

/// The file of `(L, C)` int16 on the CPU, with one or two channels, so many samples of each a second.
std::string wav(const Tensor& samples, int64_t sample_rate);

}  // namespace strata::train
