// What a checkpoint is made of: named modules, optimizers, tensors and numbers, as the ranks divide them.
#pragma once
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "../core/function.h"
#include "../core/generator.h"
#include "../core/scalar.h"
#include "../nn/module.h"
#include "../ops/serialize.h"
#include "dtensor.h"
#include "sharder.h"

namespace strata::distributed::checkpoint {

class Part;

/// A parameter that ranks divide by themselves, and how.
struct Placed {
  Tensor parameter;
  DeviceMesh mesh;
  Placements placements;
};

/// An optimizer without its type.
struct OptimizerAccess {
  strata::detail::Function<std::vector<std::vector<Tensor>>()> groups;
  strata::detail::Function<void(serialize::OutputArchive&)> save;
  strata::detail::Function<void(serialize::InputArchive&)> load;
};

/// The named things that a program saves and loads. It refers to them, so they have to stay; `save` takes the values
/// that they have then, `load` fills them. Names, and the order in which things are added, are the same on all ranks.
///
///     checkpoint::State state;
///     state.add("model", fsdp).add("optim", optimizer).add("data", sampler).add("step", step);
class State {
 public:
  State();
  ~State();
  State(State&&) noexcept;
  State& operator=(State&&) noexcept;

  /// A thing is one of these. `name` comes before the names in it and a dot; an empty one is left out.
  /// - a tensor, a number or a bool: the same on all ranks;
  /// - a DTensor: each rank's part by its placements;
  /// - a module, or DistributedDataParallel of one: parameters that all ranks have; of the buffers, rank 0's;
  /// - FullyShardedDataParallel: by the parameters' own names, whatever the units and the number of ranks;
  /// - an optimizer of parameters of modules in the same State, by their names: `NAME.state.PARAMETER.exp_avg`,
  ///   `NAME.param_groups.0.lr`, as in torch. What has its parameter's shape is divided as the parameter is. Also
  ///   ZeroRedundancyOptimizer;
  /// - a Generator: each rank's own. Ranks above the number that were saved get streams of their own;
  /// - anything with `save(OutputArchive&)` and `load(InputArchive&)`: samplers, schedulers, scalers. Rank 0's is
  ///   saved, and loaded on all.
  template <class T>
  State& add(const std::string& name, T& thing);

  /// Says, of a parameter that ranks divide by themselves (as tensor-parallel layers do), how: as a DTensor's local
  /// part.
  State& place(const Tensor& parameter, const DeviceMesh& mesh, const Placements& placements);

  const std::vector<std::unique_ptr<Part>>& parts() const { return parts_; }
  const std::vector<Placed>& placed() const { return placed_; }

 private:
  State& add_tensor(const std::string& name, const Tensor& tensor);
  State& add_dtensor(const std::string& name, const DTensor& tensor);
  State& add_number(const std::string& name, strata::detail::Function<Scalar()> get,
                    strata::detail::Function<void(const Scalar&)> set);
  State& add_module(const std::string& name, const nn::Module& module);
  State& add_sharder(const std::string& name, const Sharder& sharder);
  State& add_optimizer(const std::string& name, OptimizerAccess optimizer);
  State& add_generator(const std::string& name, Generator& generator);
  State& add_archive(const std::string& name, strata::detail::Function<void(serialize::OutputArchive&)> save,
                     strata::detail::Function<void(serialize::InputArchive&)> load);

  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<Placed> placed_;
};

namespace detail {
template <class T>
auto saver_of(T& thing) {
  return [&thing](serialize::OutputArchive& archive) { thing.save(archive); };
}
template <class T>
auto loader_of(T& thing) {
  return [&thing](serialize::InputArchive& archive) { thing.load(archive); };
}
}  // namespace detail

template <class T>
State& State::add(const std::string& name, T& thing) {
  using Thing = std::remove_const_t<T>;
  if constexpr (std::is_arithmetic_v<Thing>) {
    return add_number(
        name, [&thing] { return Scalar(thing); },
        [&thing](const Scalar& value) { thing = value.template to<Thing>(); });
  } else if constexpr (std::is_same_v<Thing, Tensor>) {
    return add_tensor(name, thing);
  } else if constexpr (std::is_same_v<Thing, DTensor>) {
    return add_dtensor(name, thing);
  } else if constexpr (std::is_same_v<Thing, Generator>) {
    return add_generator(name, thing);
  } else if constexpr (std::is_base_of_v<nn::Module, Thing>) {
    return add_module(name, thing);
  } else if constexpr (requires { thing.sharder(); }) {
    return add_sharder(name, thing.sharder());
  } else if constexpr (requires { thing.param_groups(); }) {
    const auto groups = [&thing] {
      std::vector<std::vector<Tensor>> list;
      for (const auto& group : thing.param_groups()) list.push_back(group.params());
      return list;
    };
    return add_optimizer(name, {groups, detail::saver_of(thing), detail::loader_of(thing)});
  } else if constexpr (requires { thing.optim(); }) {
    return add(name, thing.optim());
  } else if constexpr (requires { thing.module(); }) {
    return add(name, thing.module());
  } else if constexpr (requires(serialize::OutputArchive & out, serialize::InputArchive & in) {
                         thing.save(out);
                         thing.load(in);
                       }) {
    return add_archive(name, detail::saver_of(thing), detail::loader_of(thing));
  } else {
    return add_module(name, *thing);
  }
}

}  // namespace strata::distributed::checkpoint
