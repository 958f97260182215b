// What a model is made of, measured in one call: shapes, parameters, operations and memory of each module.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "../core/grad_mode.h"
#include "../nn/module.h"

namespace strata::train {

/// One module. Numbers include those of the modules below it.
struct SummaryRow {
  std::string path;   ///< as in named_modules; empty for the root
  std::string kind;   ///< the module's name
  int64_t depth = 0;  ///< 0 for the root
  int64_t calls = 0;  ///< through holders; of a module that is called otherwise (`module->forward(x)`) nothing is seen
  std::vector<std::vector<int64_t>> outputs;  ///< the shapes of the last call's
  int64_t parameters = 0;                     ///< elements; a parameter that modules share counts in each
  int64_t trainable = 0;                      ///< elements of those that require gradients
  int64_t flops = 0;                          ///< see Summary
  int64_t output_bytes = 0;                   ///< of all its calls, without the modules below
};

/// A model's modules, parents first, and totals.
struct Summary {
  std::vector<SummaryRow> rows;
  int64_t parameters = 0, trainable = 0;  ///< elements; shared ones count once
  int64_t parameter_bytes = 0, buffer_bytes = 0;
  int64_t output_bytes = 0;  ///< of the modules without others below: about what backward keeps
  /// Operations of the forward pass in products of matrices, convolutions, attention and LSTMs, where a multiplication
  /// with an addition is two: as PyTorch's FlopCounterMode counts them. Others are not counted.
  int64_t flops = 0;

  /// A table, as wide as it has to be.
  std::string str() const;
};

std::ostream& operator<<(std::ostream& stream, const Summary& summary);

namespace detail {

/// Watches a module in evaluation mode while it lives; afterwards its hooks are gone and modes and random numbers are
/// as before.
class Watch {
 public:
  explicit Watch(const std::shared_ptr<nn::Module>& module);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  Summary result() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace detail

/// Calls the module once on these inputs, without gradients and in evaluation mode, and says what each module below it
/// did. Modules, modes and random numbers stay as they are.
///
///     std::cout << train::summary(net, zeros({1, 1, 8, 8}));
template <class Contained, class... Inputs>
Summary summary(const std::shared_ptr<Contained>& module, const Inputs&... inputs) {
  const NoGradGuard no_grad;
  const detail::Watch watch(module);
  nn::ModuleHolder<Contained> holder(module);
  holder(inputs...);
  return watch.result();
}
template <class Holder, class... Inputs>
requires requires(const Holder& h) { h.ptr(); }
Summary summary(const Holder& module, const Inputs&... inputs) {
  const NoGradGuard no_grad;
  const detail::Watch watch(module.ptr());
  Holder holder = module;
  holder(inputs...);
  return watch.result();
}

}  // namespace strata::train
