// Packing and padding sequences, by slices of time steps.
#include "nn/packed_sequence.h"

#include <algorithm>

#include "ops/creation.h"
#include "ops/shaping.h"
#include "ops/sort.h"
#include "ops/view.h"

namespace strata::nn::utils::rnn {

namespace {

std::vector<int64_t> integers(const Tensor& t) {
  const Tensor here = t.to(kCPU, kLong).contiguous();
  return {here.data_ptr<int64_t>(), here.data_ptr<int64_t>() + here.numel()};
}

std::vector<int64_t> checked_lengths(const Tensor& input, const Tensor& lengths) {
  STRATA_CHECK(input.numel() > 0 && lengths.numel() > 0,
               "pack_padded_sequence: cannot pack empty tensors, got {} and {}", input.sizes(), lengths.sizes());
  STRATA_CHECK(lengths.dim() == 1 && lengths.numel() == input.size(1),
               "pack_padded_sequence: lengths have shape {}, the batch has {} sequences", lengths.sizes(),
               input.size(1));
  std::vector<int64_t> out = integers(lengths);
  for (const int64_t n : out)
    STRATA_CHECK(n >= 1 && n <= input.size(0), "pack_padded_sequence: length {} is not in 1 to {}", n, input.size(0));
  return out;
}

/// How many of the lengths, which do not increase, reach each step.
std::vector<int64_t> steps_of(const std::vector<int64_t>& lengths) {
  std::vector<int64_t> sizes;
  size_t running = lengths.size();
  for (int64_t t = 0; t < lengths[0]; ++t) {
    while (lengths[running - 1] <= t) --running;
    sizes.push_back(static_cast<int64_t>(running));
  }
  return sizes;
}

}  // namespace

PackedSequence::PackedSequence(Tensor data, Tensor batch_sizes, Tensor sorted_indices, Tensor unsorted_indices)
    : data_(std::move(data)),
      batch_sizes_(std::move(batch_sizes)),
      sorted_indices_(std::move(sorted_indices)),
      unsorted_indices_(std::move(unsorted_indices)) {
  STRATA_CHECK(batch_sizes_.defined() && batch_sizes_.is_cpu() && batch_sizes_.dim() == 1,
               "PackedSequence: batch_sizes must be a vector on the CPU");
  if (sorted_indices_.defined() && !unsorted_indices_.defined())
    unsorted_indices_ = invert_permutation(sorted_indices_);
}

PackedSequence PackedSequence::to(const TensorOptions& options, bool non_blocking, bool copy) const {
  const Device device = options.has_device() ? options.device() : data_.device();
  const auto moved = [&](const Tensor& t) { return t.defined() ? t.to(device, kLong, non_blocking, copy) : t; };
  const DType dtype = options.has_dtype() ? options.dtype() : data_.dtype();
  return {data_.to(device, dtype, non_blocking, copy), batch_sizes_, moved(sorted_indices_), moved(unsorted_indices_)};
}

PackedSequence PackedSequence::pin_memory() const {
  const auto pinned = [](const Tensor& t) { return t.defined() && t.is_cpu() ? t.pin_memory() : t; };
  return {pinned(data_), batch_sizes_, pinned(sorted_indices_), pinned(unsorted_indices_)};
}

Tensor invert_permutation(const Tensor& permutation) {
  return permutation.defined() ? permutation.argsort() : Tensor();
}

PackedSequence pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first, bool enforce_sorted) {
  STRATA_CHECK(input.dim() >= 2, "pack_padded_sequence: expected (T, B, *), got {}", input.sizes());
  if (batch_first) input = input.transpose(0, 1);
  std::vector<int64_t> sorted = checked_lengths(input, lengths);
  Tensor order;
  if (enforce_sorted) {
    STRATA_CHECK(
        std::is_sorted(sorted.rbegin(), sorted.rend()),
        "pack_padded_sequence: `lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You "
        "can pass `enforce_sorted=False` to have the sequences sorted");
  } else {
    order = argsort(lengths.to(kCPU, kLong), /*stable=*/true, 0, /*descending=*/true).to(input.device());
    input = input.index_select(1, order);
    std::sort(sorted.rbegin(), sorted.rend());
  }
  const std::vector<int64_t> sizes = steps_of(sorted);
  std::vector<Tensor> steps;
  for (size_t t = 0; t < sizes.size(); ++t)
    steps.push_back(input.select(0, static_cast<int64_t>(t)).narrow(0, 0, sizes[t]));
  return {cat(steps), tensor(sizes), order, invert_permutation(order)};
}

std::tuple<Tensor, Tensor> pad_packed_sequence(const PackedSequence& sequence, bool batch_first, double padding_value,
                                               std::optional<int64_t> total_length) {
  const std::vector<int64_t> sizes = integers(sequence.batch_sizes());
  const int64_t longest = static_cast<int64_t>(sizes.size()), batch = sizes.empty() ? 0 : sizes[0];
  STRATA_CHECK(
      !total_length || *total_length >= longest,
      "pad_packed_sequence: Expected total_length to be at least the length of the longest sequence in input, but "
      "got total_length={} and max sequence length being {}",
      total_length.value_or(0), longest);
  std::vector<int64_t> lengths(static_cast<size_t>(batch), 0);
  std::vector<Tensor> steps;
  DimVector rest(sequence.data().sizes());
  int64_t at = 0;
  for (int64_t t = 0; t < total_length.value_or(longest); ++t) {
    const int64_t n = t < longest ? sizes[static_cast<size_t>(t)] : 0;
    Tensor step = sequence.data().narrow(0, at, n);
    rest[0] = batch - n;
    if (n < batch) step = cat({step, full(rest, padding_value, step.options())});
    steps.push_back(step);
    at += n;
    for (int64_t i = 0; i < n; ++i) ++lengths[static_cast<size_t>(i)];
  }
  Tensor out = stack(steps), counts = tensor(lengths);
  if (batch_first) out = out.transpose(0, 1);
  if (const Tensor& back = sequence.unsorted_indices(); back.defined()) {
    out = out.index_select(batch_first ? 0 : 1, back);  // last, so that its rows lie one after the other
    counts = counts.index_select(0, back.cpu());
  }
  return {out, counts};
}

Tensor pad_sequence(ArrayRef<Tensor> sequences, bool batch_first, double padding_value,
                    const std::string& padding_side) {
  STRATA_CHECK(!sequences.empty(), "pad_sequence: there are no sequences");
  STRATA_CHECK(padding_side == "right" || padding_side == "left",
               "pad_sequence: padding_side must be \"right\" or \"left\", got \"{}\"", padding_side);
  int64_t longest = 0;
  for (const Tensor& s : sequences) longest = std::max(longest, s.size(0));
  std::vector<Tensor> padded;
  for (const Tensor& s : sequences) {
    DimVector sizes(s.sizes());
    sizes[0] = longest - s.size(0);
    const Tensor padding = full(sizes, padding_value, s.options());
    padded.push_back(padding_side == "right" ? cat({s, padding}) : cat({padding, s}));
  }
  return stack(padded, batch_first ? 0 : 1);
}

PackedSequence pack_sequence(ArrayRef<Tensor> sequences, bool enforce_sorted) {
  std::vector<int64_t> lengths;
  for (const Tensor& s : sequences) lengths.push_back(s.size(0));
  return pack_padded_sequence(pad_sequence(sequences), tensor(lengths), false, enforce_sorted);
}

std::vector<Tensor> unpad_sequence(const Tensor& padded, const Tensor& lengths, bool batch_first) {
  const Tensor rows = batch_first ? padded : padded.transpose(0, 1);
  const std::vector<int64_t> counts = integers(lengths);
  STRATA_CHECK(padded.dim() >= 2 && static_cast<int64_t>(counts.size()) == rows.size(0),
               "unpad_sequence: {} lengths for {} sequences", counts.size(), rows.size(0));
  std::vector<Tensor> out;
  for (size_t i = 0; i < counts.size(); ++i)
    out.push_back(rows.select(0, static_cast<int64_t>(i)).narrow(0, 0, counts[i]));
  return out;
}

std::vector<Tensor> unpack_sequence(const PackedSequence& sequence) {
  const auto [padded, lengths] = pad_packed_sequence(sequence, /*batch_first=*/true);
  return unpad_sequence(padded, lengths, /*batch_first=*/true);
}

}  // namespace strata::nn::utils::rnn
