// The gradients of look-ups, masks and scans.
#include "compat/parts/aten.h"
#include "compat/parts/backward.h"
#include "compat/parts/pulled.h"

namespace strata {

using detail::pulled;
namespace {

/// The bag of each of `n` indices whose bags begin at `offsets`.
Tensor bags_of(const Tensor& offsets, const Tensor& offset2bag, int64_t n) {
  if (offset2bag.numel() == n) return offset2bag;
  return searchsorted(offsets, arange(n, offsets.options()), false, true) - 1;
}

}  // namespace

Tensor embedding_backward(const Tensor& grad, const Tensor& indices, int64_t num_weights, int64_t padding_idx,
                          bool scale_grad_by_freq, bool sparse) {
  TORCH_CHECK(!sparse, "embedding_backward: there are no sparse tensors; leave out sparse = true");
  return embedding_dense_backward(grad, indices, num_weights, padding_idx, scale_grad_by_freq);
}
Tensor embedding_dense_backward(const Tensor& grad_output, const Tensor& indices, int64_t num_weights,
                                int64_t padding_idx, bool scale_grad_by_freq) {
  return pulled(grad_output, zeros({num_weights, grad_output.size(-1)}, grad_output.options()),
                [&](const Tensor& w) { return embedding(w, indices, padding_idx, scale_grad_by_freq); });
}
Tensor _embedding_bag_backward(const Tensor& grad, const Tensor& indices, const Tensor& offsets,
                               const Tensor& offset2bag, const Tensor& bag_size, const Tensor& maximum_indices,
                               int64_t num_weights, bool scale_grad_by_freq, int64_t mode, bool sparse,
                               OptionalTensorRef per_sample_weights, int64_t padding_idx) {
  TORCH_CHECK(!sparse, "_embedding_bag_backward: there are no sparse tensors; leave out sparse = true");
  return _embedding_bag_dense_backward(grad, indices, bags_of(offsets, offset2bag, indices.numel()), bag_size,
                                       maximum_indices, num_weights, scale_grad_by_freq, mode, per_sample_weights,
                                       padding_idx);
}
Tensor _embedding_bag_dense_backward(const Tensor& grad, const Tensor& indices, const Tensor& offset2bag,
                                     const Tensor& bag_size, const Tensor& maximum_indices, int64_t num_weights,
                                     bool scale_grad_by_freq, int64_t mode, OptionalTensorRef per_sample_weights,
                                     int64_t padding_idx) {
  TORCH_CHECK(mode >= 0 && mode <= 2, "_embedding_bag_dense_backward: expected a mode from 0 to 2, got ", mode);
  const Tensor none = zeros({num_weights, grad.size(1)}, grad.options());
  if (mode == 2) {
    const Tensor full = bag_size.nonzero().squeeze(1);  // an empty bag took no row
    return none.scatter_add(0, maximum_indices.index_select(0, full).to(kLong), grad.index_select(0, full));
  }
  Tensor rows = grad.index_select(0, offset2bag);
  if (mode == 1) rows = rows / bag_size.index_select(0, offset2bag).unsqueeze(1);
  if (per_sample_weights) rows = rows * per_sample_weights->unsqueeze(1);
  if (scale_grad_by_freq) rows = rows / bincount(indices, {}, num_weights).index_select(0, indices).unsqueeze(1);
  return none.index_add(0, indices, rows.masked_fill(indices.eq(padding_idx).unsqueeze(1), 0));
}
Tensor _embedding_bag_per_sample_weights_backward(const Tensor& grad, const Tensor& weight, const Tensor& indices,
                                                  const Tensor& offsets, const Tensor& offset2bag, int64_t mode,
                                                  int64_t padding_idx) {
  TORCH_CHECK(mode == 0, "embedding_bag_backward: per_sample_weights only supported for mode='sum'");
  const Tensor bags = bags_of(offsets, offset2bag, indices.numel());
  const Tensor products = grad.index_select(0, bags) * weight.index_select(0, indices);
  return products.sum(1).masked_fill(indices.eq(padding_idx), 0);
}
Tensor gather_backward(const Tensor& grad, const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad) {
  TORCH_CHECK(!sparse_grad, "gather_backward: there are no sparse tensors; leave out sparse_grad = true");
  return zeros_like(self).scatter_add(dim, index, grad);
}
Tensor index_select_backward(const Tensor& grad, IntArrayRef self_sizes, int64_t dim, const Tensor& index) {
  return zeros(self_sizes, grad.options()).index_add(dim, index, grad);
}
Tensor masked_select_backward(const Tensor& grad, const Tensor& input, const Tensor& mask) {
  const std::vector<Tensor> both = broadcast_tensors({input, mask});
  return zeros_like(both[0], grad.options(), MemoryFormat::Contiguous).masked_scatter(mask, grad);
}
Tensor masked_scatter_backward(const Tensor& grad_output, const Tensor& mask, IntArrayRef sizes) {
  const Tensor taken = grad_output.masked_select(mask);
  const int64_t missing = numel_of(sizes) - taken.numel();
  return (missing > 0 ? cat({taken, zeros({missing}, taken.options())}) : taken).view(sizes);
}
Tensor value_selecting_reduction_backward(const Tensor& grad, int64_t dim, const Tensor& indices, IntArrayRef sizes,
                                          bool keepdim) {
  const bool is_flat = keepdim || sizes.empty();
  const Tensor value = is_flat ? grad : grad.unsqueeze(dim), at = is_flat ? indices : indices.unsqueeze(dim);
  return zeros(sizes, grad.options()).scatter(dim, at, value);
}
Tensor cummaxmin_backward(const Tensor& grad, const Tensor& input, const Tensor& indices, int64_t dim) {
  return zeros_like(input).scatter_add(dim, indices, grad);
}
Tensor cumprod_backward(const Tensor& grad, const Tensor& input, int64_t dim, const Tensor&) {
  return pulled(grad, input, [&](const Tensor& x) { return cumprod(x, dim); });
}
Tensor trace_backward(const Tensor& grad, IntArrayRef sizes) {
  TORCH_CHECK(sizes.size() == 2, "expected matrix input");
  return pulled(grad, zeros(sizes, grad.options()), [](const Tensor& x) { return trace(x); });
}
Tensor matrix_exp_backward(const Tensor& self, const Tensor& grad) {
  return pulled(grad, self, [](const Tensor& x) { return matrix_exp(x); });
}
Tensor _pack_padded_sequence_backward(const Tensor& grad, IntArrayRef input_size, const Tensor& batch_sizes,
                                      bool batch_first) {
  std::vector<int64_t> sizes = input_size.vec();
  if (batch_first) std::swap(sizes[0], sizes[1]);  // time comes first in what is packed
  std::vector<Tensor> rows;
  for (int64_t t = 0; t < batch_sizes.size(0); ++t)
    rows.push_back(arange(batch_sizes[t].item<int64_t>(), kLong) + t * sizes[1]);
  const Tensor padded = zeros(sizes, grad.options());
  const Tensor filled = padded.flatten(0, 1).index_copy(0, cat(rows).to(grad.device()), grad).view(sizes);
  return batch_first ? filled.transpose(0, 1) : filled;
}
Tensor _segment_reduce_backward(const Tensor& grad, const Tensor&, const Tensor& data, std::string_view reduce,
                                const std::optional<Tensor>& lengths, const std::optional<Tensor>& offsets,
                                int64_t axis, const std::optional<Scalar>& initial) {
  return pulled(grad, data,
                [&](const Tensor& x) { return segment_reduce(x, reduce, lengths, {}, offsets, axis, false, initial); });
}

}  // namespace strata
