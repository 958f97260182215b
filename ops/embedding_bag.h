// Rows of a table, reduced over bags of indices.
#pragma once
#include <optional>
#include <tuple>

#include "embedding.h"

namespace strata {

/// Rows of `weight` (V, D), added up (mode 0), averaged (1) or their largest taken (2) over each bag of indices; an
/// empty bag gives 0. Bags are the rows of 2-dim `indices` (N, L), or begin at `offsets` (N) of 1-dim ones, which start
/// at 0 and do not fall; with `include_last_offset` one more offset says where the last bag ends. The sum may weight
/// each row by `per_sample_weights`, of the indices' shape. Indices equal to `padding_idx` are no part of their bag.
/// `scale_grad_by_freq` divides each row's gradient by how often it is looked up. Gradients are dense: of `sparse` one
/// warning says so.
/// Gives the bags (N, D), the bag of each index, the sizes of the bags without padding, and for the maximum whose row
/// it comes from (N, D), -1 in empty bags.
std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag(const Tensor& weight, const Tensor& indices,
                                                         const Tensor& offsets, bool scale_grad_by_freq = false,
                                                         int64_t mode = 0, bool sparse = false,
                                                         OptionalTensorRef per_sample_weights = {},
                                                         bool include_last_offset = false,
                                                         std::optional<int64_t> padding_idx = std::nullopt);

/// Scales those rows of `weight` that `indices` name and whose norm is above `max_norm` down to it, in place.
Tensor& embedding_renorm_(Tensor& weight, const Tensor& indices, double max_norm, double norm_type);

}  // namespace strata
