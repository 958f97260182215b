// Tensors as what TensorBoard keeps of them. Internal to train/.
#pragma once

#include <map>
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

/// Videos `(N, T, C, H, W)` side by side in one animated picture.
Picture video_of(const Tensor& videos, double fps, int64_t columns = 8);

/// `(L)` or `(C, L)` with one or two channels as 16 bits a sample. What is outside of -1 to 1 is cut off, with a
/// warning.
Sound sound_of(const Tensor& sound, int64_t sample_rate);

/// A mesh's tensors, once they fit one another; those that are undefined are left out.
std::map<MeshPart, Numbers> mesh_of(const Tensor& vertices, const Tensor& colors, const Tensor& faces);

/// What holds at thresholds from 0 to 1, as PyTorch's, in the rows that Encoder::pr_curve names. Without weights each
/// example counts 1.
Numbers pr_curve_of(const Tensor& labels, const Tensor& predictions, int64_t thresholds, const Tensor& weights);

}  // namespace strata::train::board
