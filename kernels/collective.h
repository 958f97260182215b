// Collectives of row-major tensors on any device: what a group is to run, and zeros where a rank gets nothing.
#pragma once
#include <type_traits>

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
template <class P>
bool specify(Collective& c, const Tensor& out, const Tensor& in, const P& p) {
  const int64_t rank = p.group->rank();
  if constexpr (requires { p.op; }) c.op = p.op;
  if constexpr (requires { p.root; }) c.root = p.root;
  if constexpr (std::is_same_v<P, AllToAllParams>) {
    if (p.output_splits.empty()) return true;
    c.in_counts = in_elements(p.input_splits, in);
    c.out_counts = in_elements(p.output_splits, out);
  } else if constexpr (std::is_same_v<P, PermuteRanksParams>) {
    c.in_counts = {partner(p.sources, p.destinations, rank)};
    c.out_counts = {partner(p.destinations, p.sources, rank)};
    return c.out_counts[0] >= 0;
  }
  const bool is_to_root = c.kind == CollectiveKind::kReduce || c.kind == CollectiveKind::kGather;
  return !is_to_root || c.root == rank;
}

/// The kernel. `Device` fills memory with zeros and copies it.
template <CollectiveKind kKind, class P, class Device>
void run(Tensors& out, Args in, const P& p) {
  const Tensor& x = in[0];
  Collective c{.kind = kKind, .dtype = x.dtype(), .device = x.device()};
  const bool gets = specify(c, out[0], x, p);
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
    add<CollectiveKind::kAllReduce, RankReduceParams>(all_reduce_op, backend);
    add<CollectiveKind::kBroadcast, RootParams>(broadcast_op, backend);
    add<CollectiveKind::kReduce, RootReduceParams>(reduce_op, backend);
    add<CollectiveKind::kAllGather, GroupParams>(all_gather_op, backend);
    add<CollectiveKind::kReduceScatter, RankReduceParams>(reduce_scatter_op, backend);
    add<CollectiveKind::kAllToAll, AllToAllParams>(all_to_all_op, backend);
    add<CollectiveKind::kPermute, PermuteRanksParams>(permute_ranks_op, backend);
    add<CollectiveKind::kGather, RootParams>(gather_ranks_op, backend);
    add<CollectiveKind::kScatter, RootParams>(scatter_ranks_op, backend);
  }

 private:
  template <CollectiveKind kKind, class P>
  static void add(Op& op, Key backend) {
    dispatch::KernelRegistrar<&RowMajor<&run<kKind, P, Device>>::run>(op, backend);
  }
};

}  // namespace strata::collective
