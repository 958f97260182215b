// A module that trains on several ranks, each with a part of the batch: the gradients are averages over all.
#pragma once
#include <exception>

#include "../nn/module.h"
#include "reducer.h"

namespace strata::nn::parallel {

using DistributedDataParallelOptions = distributed::ReducerOptions;

/// Wraps a module (a holder or a shared_ptr of one). Calls go to the module; after each backward pass the gradients of
/// its parameters are the averages over all ranks: distributed::Reducer. Optimizers take the module's parameters as
/// before; their gradients are views of buckets, and lie in the same memory after each pass, also where they were set
/// to none in between.
///
///     Net net;
///     nn::parallel::DistributedDataParallel ddp(net);
///     optim::SGD optimizer(net->parameters(), 0.1);
///     nn::functional::mse_loss(ddp(x), y).backward();
///     optimizer.step();
template <class Holder>
class DistributedDataParallel {
 public:
  /// Collective: gives all ranks the parameters and buffers of rank 0.
  explicit DistributedDataParallel(Holder module, const DistributedDataParallelOptions& options = {})
      : module_(std::move(module)),
        param_dtype_(options.mixed_precision.param_dtype),
        reducer_(std::make_shared<distributed::Reducer>(module_->named_parameters(), module_->buffers(), options)) {}

  template <class... Inputs>
  auto forward(Inputs&&... inputs) {
    reducer_->before_forward(module_->is_training());
    struct After {
      distributed::Reducer& reducer;
      int exceptions = std::uncaught_exceptions();
      ~After() { reducer.after_forward(std::uncaught_exceptions() > exceptions); }
    } const after{*reducer_};
    return module_->forward(distributed::cast_input(param_dtype_, std::forward<Inputs>(inputs))...);
  }
  template <class... Inputs>
  auto operator()(Inputs&&... inputs) {
    return forward(std::forward<Inputs>(inputs)...);
  }
  DistributedDataParallel* operator->() { return this; }
  Holder& module() { return module_; }

  /// While it lives, backward passes add up gradients on each rank; the first one after it averages the sums.
  class NoSync {
   public:
    explicit NoSync(distributed::Reducer& reducer) : reducer_(reducer), before_(reducer.sync()) {
      reducer_.set_sync(false);
    }
    ~NoSync() { reducer_.set_sync(before_); }
    NoSync(const NoSync&) = delete;
    NoSync& operator=(const NoSync&) = delete;

   private:
    distributed::Reducer& reducer_;
    bool before_;
  };
  [[nodiscard]] NoSync no_sync() { return NoSync(*reducer_); }

  /// Gradients of later passes are reduced by `hook`: distributed::bf16_compress(), power_sgd(), or one's own.
  void register_comm_hook(std::shared_ptr<distributed::CommHook> hook) {
    reducer_->register_comm_hook(std::move(hook));
  }
  /// Collective. Runs `train`, the loop over this rank's batches, of which ranks may have different numbers:
  /// distributed::Reducer::join. PyTorch's `with Join([ddp]):`.
  void join(const strata::detail::Function<void()>& train, const distributed::JoinOptions& options = {}) {
    reducer_->join(train, options);
  }

 private:
  Holder module_;
  std::optional<DType> param_dtype_;
  std::shared_ptr<distributed::Reducer> reducer_;
};

}  // namespace strata::nn::parallel
