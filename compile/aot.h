// aot: a function whose forward and backward are two programs, made before either runs, with the saved tensors between.
#pragma once
#include <iosfwd>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "compile.h"

namespace strata::func {

struct AotOptions {
  /// How much of what the plain cut saves may be saved, from 0 to 1. At 1 backward computes nothing twice but views and
  /// element-wise ops. Below it also computes other things again, the cheapest for their bytes first, as far as that is
  /// possible: never products, convolutions, attention, random numbers, collectives and custom rules.
  double memory_budget = 1;
  /// Lets a budget below 1 compute products again after all, where no factor is an argument or a captured tensor:
  /// attention's scores, which are large for the little arithmetic in them.
  bool recompute_products = false;
};

/// What `aot_programs` shows. `forward` takes the tensors of the arguments and then the captured ones that require
/// gradients; it gives the tensors of the result and then what is saved. `backward` takes what is saved and then the
/// cotangents of those results that have some; it gives the gradients of what forward takes, one for each use of what
/// is used more than once, undefined where there is none.
struct AotPrograms {
  Program forward, backward;
  int64_t saved_bytes = 0;  ///< made by forward and kept for backward, which arguments and captured tensors are not
};
/// Both as text, one below the other.
std::ostream& operator<<(std::ostream& out, const AotPrograms& programs);

namespace detail {

/// The programs for one kind of arguments: two where gradients are wanted, else one.
class AotFunction {
 public:
  AotFunction(std::string kind, Recorded recorded, const std::vector<Tensor>& inputs, AotOptions options);
  ~AotFunction();
  AotFunction(const AotFunction&) = delete;
  AotFunction& operator=(const AotFunction&) = delete;

  const std::string& kind() const { return kind_; }
  const void* pattern() const { return pattern_.get(); }
  /// Do the captured tensors require gradients as they did when the function was traced?
  bool fits() const;
  /// Runs it and records it for autograd. `self` is this function, which the graph keeps.
  static std::vector<Tensor> run(const std::shared_ptr<const AotFunction>& self, std::vector<Tensor> inputs);
  /// Null where nothing requires a gradient.
  const AotPrograms* programs() const;

 private:
  friend class AotNode;
  struct Differentiated;
  static std::vector<Tensor> run_recorded(const std::shared_ptr<const AotFunction>& self, std::vector<Tensor> inputs);
  struct Captured {
    Tensor tensor;
    bool requires_grad;
  };
  const std::string kind_;
  const std::shared_ptr<const void> pattern_;
  const compiling::Aftermath aftermath_;
  const size_t results_;  // how many there are
  std::vector<Captured> captured_;
  std::unique_ptr<const compiling::Executable> plain_;
  std::unique_ptr<const Differentiated> differentiated_;
};

/// The programs of one function. Copies of the function share it; calls come from any thread.
class AotCache {
 public:
  explicit AotCache(AotOptions options);
  /// Null where there is none for arguments of the kind.
  std::shared_ptr<const AotFunction> find(std::string_view kind) const;
  std::shared_ptr<const AotFunction> add(std::string kind, Recorded recorded, const std::vector<Tensor>& inputs);
  CompileStats stats() const;

 private:
  const AotOptions options_;
  mutable std::mutex mutex_;
  mutable CompileStats stats_;
  std::vector<std::shared_ptr<const AotFunction>> known_;
};

/// Throws where the function has done something to gradients of leaves.
void check_leaves_gradients(const Recorded& recorded);

/// Traces `f` with the histories that eager code would record.
template <class Out, class F, class Args>
Recorded record_ahead(const F& f, Args args) {
  const TraceGuard guard;
  TraceLayer layer(TraceLayer::Records::ahead);
  const LayerScope scope(layer);
  const strata::detail::ReplayScope written_down(nullptr, layer.level());
  Recorded recorded = record_at<Out>(layer, f, std::move(args));
  check_leaves_gradients(recorded);
  return recorded;
}

/// Is something active that has to see the function's own ops: a transform, or autocast?
bool is_watched();
/// The programs of a traced function, for `aot_programs`.
AotPrograms aot_programs_of(Recorded recorded, const std::vector<Tensor>& inputs, AotOptions options);

struct Aot {
  std::shared_ptr<AotCache> cache;

  template <class F, class Args>
  auto operator()(const F& f, Args args) const {
    using Returned = decltype(std::apply(f, std::move(args)));
    using Out = ReturnedNest<Returned>;
    static constexpr char type = 0;  // an address for each instantiation
    if (is_watched()) return static_cast<Returned>(std::apply(f, std::move(args)));
    std::string& kind = kind_of_call(&type);
    std::vector<Tensor> inputs;
    std::apply([&](const auto&... arg) { (describe_plain(kind, arg), ...); }, args);
    tree::for_each(args, [&](Tensor& t) {
      describe_tensor(kind, t);
      inputs.push_back(t);
    });
    std::shared_ptr<const AotFunction> known = cache->find(kind);
    if (!known) {
      std::string own = kind;  // what f calls has kinds too
      known = cache->add(std::move(own), record_ahead<Out>(f, std::move(args)), inputs);
    }
    const auto& pattern = *static_cast<const Out*>(known->pattern());
    return static_cast<Returned>(tree::unflatten(pattern, AotFunction::run(known, std::move(inputs))));
  }
};

struct ShowAot {
  AotOptions options;
  template <class F, class Args>
  AotPrograms operator()(const F& f, Args args) const {
    const std::vector<Tensor> inputs = tree::leaves(args);
    return aot_programs_of(record_ahead<ReturnedNest<decltype(std::apply(f, args))>>(f, args), inputs, options);
  }
};

}  // namespace detail

/// `aot(f)` is called like `f` and gives what `f` gives. The first call with arguments of a kind (as for `compile`, and
/// which of them require gradients) traces `f` together with its gradients and cuts that into two planned programs, one
/// for forward and one for backward, such that the least bytes are saved between them. `backward()` reaches arguments
/// and captured tensors that require gradients, so modules, hooks, optimizers and data-parallel training work as with
/// `f`. Random numbers are drawn in forward alone, so dropout's masks are the same in backward.
///
/// What `f` may do is what `compile` allows, but not call `backward()`. Inside of a transform and under autocast `f`
/// itself runs; a backward that is recorded (`create_graph`) runs through the dispatcher. Cotangents of results that
/// nothing was computed of are zeros. After functorch's aot_function.
///
///     auto block = aot([&](Tensor x) { return net->forward(x); }, {.memory_budget = 0.5});
///     block(x).sum().backward();
///     Tensor g = net->weight.grad();
template <class F>
requires(!std::is_convertible_v<F, Tensor>) auto aot(F f, AotOptions options = {}) {
  return detail::transformed(detail::Aot{std::make_shared<detail::AotCache>(options)}, std::move(f));
}

/// `aot_programs(f)(args...)` is the two programs that `aot(f)(args...)` would run. Throws where neither the arguments
/// nor what `f` captures require a gradient.
template <class F>
requires(!std::is_convertible_v<F, Tensor>) auto aot_programs(F f, AotOptions options = {}) {
  return detail::transformed(detail::ShowAot{options}, std::move(f));
}

/// How often the function was traced and called.
template <class F>
CompileStats compile_stats(const detail::Transformed<detail::Aot, F>& function) {
  return function.body().cache->stats();
}

}  // namespace strata::func

namespace strata {
using func::aot;
using func::aot_programs;
using func::AotOptions;
using func::AotPrograms;
using func::compile_stats;
}  // namespace strata
