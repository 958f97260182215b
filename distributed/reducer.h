// Averaging gradients over ranks while backward runs: what DistributedDataParallel is made of.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "../core/communicator.h"
#include "../core/ordered_dict.h"
#include "../core/tensor.h"

namespace strata::distributed {

struct ReducerOptions {
  ProcessGroup group = nullptr;   ///< the default one if it is null
  double bucket_cap_mb = 25;      ///< gradients are averaged in buckets of about this size
  bool broadcast_buffers = true;  ///< rank 0's buffers before each forward pass that trains
  /// Throws after backward where a parameter got no gradient on some rank. Otherwise it counts as zeros there, and a
  /// parameter without gradient on all ranks keeps none.
  bool strict = false;
};

/// Gives the leaves of a model the same values on all ranks at first, and the average of all ranks' gradients after
/// each backward pass: whichever gradients are ready travel, a bucket at a time, while backward computes the others.
/// Buckets are filled in the order in which gradients were ready in rank 0's first pass. From then on `grad()` of a
/// parameter is a view of its bucket. After S. Li et al., PyTorch Distributed: Experiences on Accelerating Data
/// Parallel Training, VLDB 2020. Every rank has to run backward as often as the others.
class Reducer {
 public:
  /// Collective. Throws where the ranks' parameters have other names, shapes or dtypes.
  Reducer(const OrderedDict<std::string, Tensor>& parameters, const std::vector<Tensor>& buffers,
          const ReducerOptions& options);
  ~Reducer();
  Reducer(const Reducer&) = delete;
  Reducer& operator=(const Reducer&) = delete;
  /// Before a forward pass: rank 0's buffers for all.
  void before_forward(bool is_training);
  /// Whether the next backward passes average; those that do not add up gradients on each rank.
  void set_sync(bool on);
  bool sync() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Gives `tensors` the values that they have on rank `src`; one message for each dtype.
void broadcast_coalesced(const std::vector<Tensor>& tensors, int64_t src, const ProcessGroup& group);

}  // namespace strata::distributed
