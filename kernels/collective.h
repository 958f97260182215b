// Collectives of row-major tensors on any device: what a group is to run, and zeros where a rank gets nothing.
#pragma once
#include "dispatcher/kernel.h"
#include "ops/collective_def.h"

namespace strata::collective {

/// The rank that stands opposite `rank` in a list of pairs; -1 for none.
inline int64_t partner(const DimVector& mine, const DimVector& theirs, int64_t rank) {
  for (size_t i = 0; i < mine.size(); ++i)
    if (mine[i] == rank) return theirs[i];
  return -1;
}

/// Lengths along dim 0 of t's pieces, in elements.
inline std::vector<int64_t> in_elements(const DimVector& lengths, const Tensor& t) {
  int64_t row = 1;
  for (int64_t d = 1; d < t.dim(); ++d) row *= t.size(d);
  std::vector<int64_t> counts(lengths.begin(), lengths.end());
  for (int64_t& n : counts) n *= row;
  return counts;
}

/// Does this rank get anything? Says in `c` who sends how much to whom.
template <CollectiveKind kKind>
bool specify(Collective& c, const Tensor& out, const Tensor& in, const CollectiveParams& p) {
  const int64_t rank = p.group->rank();
  if constexpr (kKind == CollectiveKind::kAllToAll) {
    if (p.from.empty()) return true;
    c.in_counts = in_elements(p.to, in);
    c.out_counts = in_elements(p.from, out);
  } else if constexpr (kKind == CollectiveKind::kPermute) {
    c.in_counts = {partner(p.from, p.to, rank)};
    c.out_counts = {partner(p.to, p.from, rank)};
    return c.out_counts[0] >= 0;
  } else if constexpr (kKind == CollectiveKind::kReduce || kKind == CollectiveKind::kGather) {
    return p.root == rank;
  }
  return true;
}

/// The kernel. `Device` fills memory with zeros and copies it.
template <CollectiveKind kKind, class Device>
void run(Tensors& out, Args in, const CollectiveParams& p) {
  const Tensor& x = in[0];
  Collective c{.kind = kKind, .dtype = x.dtype(), .op = p.op, .root = p.root, .device = x.device()};
  const bool gets = specify<kKind>(c, out[0], x, p);
  if (!gets) Device::fill_with_zeros(out[0]);
  if (p.group->size() == 1) return gets ? Device::copy(out[0], x) : void();
  c.in = x.data_ptr();
  c.in_count = x.numel();
  c.out = out[0].data_ptr();
  c.out_count = out[0].numel();
  p.group->run(c);
}

/// A kernel for each collective op, in one line: `static const Kernels<Host, RowMajor> registered(Key::CPU);`.
template <class Device, template <auto> class RowMajor>
struct Kernels {
  explicit Kernels(Key backend) {
    add<CollectiveKind::kAllReduce>(all_reduce_op, backend);
    add<CollectiveKind::kBroadcast>(broadcast_op, backend);
    add<CollectiveKind::kReduce>(reduce_op, backend);
    add<CollectiveKind::kAllGather>(all_gather_op, backend);
    add<CollectiveKind::kReduceScatter>(reduce_scatter_op, backend);
    add<CollectiveKind::kAllToAll>(all_to_all_op, backend);
    add<CollectiveKind::kPermute>(permute_ranks_op, backend);
    add<CollectiveKind::kGather>(gather_ranks_op, backend);
    add<CollectiveKind::kScatter>(scatter_ranks_op, backend);
  }

 private:
  template <CollectiveKind kKind>
  static void add(Op& op, Key backend) {
    dispatch::KernelRegistrar<&RowMajor<&run<kKind, Device>>::run>(op, backend);
  }
};

}  // namespace strata::collective
