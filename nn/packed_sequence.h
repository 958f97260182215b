// Sequences of different lengths as one tensor: packed without padding, or padded to the longest.
#pragma once
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "../core/tensor.h"

namespace strata::nn::utils::rnn {

/// The steps of sequences that are sorted by length, the longest first: `data` (N, *) holds the first step of each,
/// then the second of those that have one, and so on; `batch_sizes` (T,), int64 on the CPU, says how many each has.
/// `sorted_indices` (B,) brought the sequences into that order, `unsorted_indices` brings them back; both are undefined
/// where the order was right.
class PackedSequence {
 public:
  PackedSequence() = default;
  PackedSequence(Tensor data, Tensor batch_sizes, Tensor sorted_indices = {}, Tensor unsorted_indices = {});

  const Tensor& data() const { return data_; }
  const Tensor& batch_sizes() const { return batch_sizes_; }
  const Tensor& sorted_indices() const { return sorted_indices_; }
  const Tensor& unsorted_indices() const { return unsorted_indices_; }
  PackedSequence to(const TensorOptions& options, bool non_blocking = false, bool copy = false) const;
  PackedSequence cpu() const { return to(TensorOptions(kCPU)); }
  PackedSequence cuda() const { return to(TensorOptions(kCUDA)); }
  bool is_cuda() const { return data_.is_cuda(); }
  bool is_pinned() const { return data_.is_pinned(); }
  PackedSequence pin_memory() const;

 private:
  Tensor data_, batch_sizes_, sorted_indices_, unsorted_indices_;
};

/// The permutation that undoes `permutation`.
Tensor invert_permutation(const Tensor& permutation);

/// Packs `(T, B, *)`, or `(B, T, *)` if batch_first; `lengths` (B,), int64, are at least 1. With `enforce_sorted` they
/// must not increase.
PackedSequence pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first = false, bool enforce_sorted = true);
/// The sequences in their first order, as (T, B, *) or (B, T, *), filled up with `padding_value` to the longest or to
/// `total_length`, and their lengths.
std::tuple<Tensor, Tensor> pad_packed_sequence(const PackedSequence& sequence, bool batch_first = false,
                                               double padding_value = 0.0,
                                               std::optional<int64_t> total_length = std::nullopt);
/// Sequences (L, *) of different L stacked to (T, B, *), or (B, T, *) if batch_first; the padding goes to the "right"
/// or the "left".
Tensor pad_sequence(ArrayRef<Tensor> sequences, bool batch_first = false, double padding_value = 0.0,
                    const std::string& padding_side = "right");
/// The sequences that were padded to `padded` (T, B, *), or (B, T, *) if batch_first, without their padding.
std::vector<Tensor> unpad_sequence(const Tensor& padded, const Tensor& lengths, bool batch_first = false);
/// The sequences of a packed one, in their first order.
std::vector<Tensor> unpack_sequence(const PackedSequence& sequence);
/// Packs sequences (L, *) of different L.
PackedSequence pack_sequence(ArrayRef<Tensor> sequences, bool enforce_sorted = true);

}  // namespace strata::nn::utils::rnn
