// An optimizer whose state is spread over the ranks (ZeRO-1), beside DistributedDataParallel.
#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "../core/communicator.h"
#include "../core/tensor.h"
#include "reducer.h"

namespace strata::optim {

/// Each rank has an `Optimizer` for a part of the parameters, about as many numbers as the others have, and gives all
/// others what its steps made of them. Parameters, gradients and options are the same on all ranks. After
/// torch.distributed.optim.ZeroRedundancyOptimizer.
///
///     optim::ZeroRedundancyOptimizer<optim::Adam> optimizer(net->parameters(), optim::AdamOptions(1e-3));
template <class Optimizer>
class ZeroRedundancyOptimizer {
 public:
  template <class Options>
  ZeroRedundancyOptimizer(const std::vector<Tensor>& parameters, const Options& options, ProcessGroup group = nullptr)
      : group_(group ? std::move(group) : find_group("")), parts_(split(parameters, group_->size())) {
    optimizer_ = std::make_unique<Optimizer>(parts_[static_cast<size_t>(group_->rank())], options);
  }

  /// Collective.
  void step() {
    optimizer_->step();
    for (size_t rank = 0; rank < parts_.size(); ++rank)
      distributed::broadcast_coalesced(parts_[rank], static_cast<int64_t>(rank), group_);
  }
  /// Of all parameters, those that other ranks step included.
  void zero_grad(bool set_to_none = true) {
    for (const auto& part : parts_)
      for (const Tensor& p : part) {
        if (set_to_none)
          p.mutable_grad() = Tensor();
        else if (p.grad().defined())
          p.grad().detach().zero_();
      }
  }
  /// This rank's optimizer: its options, and the state of its part.
  Optimizer& optim() { return *optimizer_; }

 private:
  /// The largest parameter first, each to the rank that has the fewest numbers so far; ties to the lower rank.
  static std::vector<std::vector<Tensor>> split(const std::vector<Tensor>& parameters, int64_t ranks) {
    std::vector<Tensor> by_size = parameters;
    std::stable_sort(by_size.begin(), by_size.end(),
                     [](const Tensor& a, const Tensor& b) { return a.numel() > b.numel(); });
    std::vector<std::vector<Tensor>> parts(static_cast<size_t>(ranks));
    std::vector<int64_t> numbers(static_cast<size_t>(ranks), 0);
    for (const Tensor& p : by_size) {
      const auto least = std::min_element(numbers.begin(), numbers.end()) - numbers.begin();
      parts[static_cast<size_t>(least)].push_back(p);
      numbers[static_cast<size_t>(least)] += p.numel();
    }
    return parts;
  }

  ProcessGroup group_;
  std::vector<std::vector<Tensor>> parts_;  ///< by rank
  std::unique_ptr<Optimizer> optimizer_;
};

}  // namespace strata::optim
