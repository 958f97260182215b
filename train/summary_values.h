// Tensors as what TensorBoard keeps of them. Internal to train/.
#pragma once

#include <optional>
#include <string>

#include "../core/tensor.h"
#include "event_encoder.h"

namespace strata::train::board {

/// Counts in buckets from -1e20 to 1e20 whose edges are 1e-12 times powers of 1.1, as PyTorch's; without the empty ones
/// at both ends. What is further out counts in the outermost ones. Nothing where no value is finite; throws where there
/// is none at all.
std::optional<Histogram> histogram_of(const Tensor& values);

/// A picture, or several of them in a grid of so many columns, whose dims are the letters of `format`, with `user` in
/// front of errors.
Picture picture_of(const Tensor& image, const std::string& format, const char* user, int64_t columns = 8);

}  // namespace strata::train::board
