// One example of a dataset: data and target, or data alone.
#pragma once
#include <utility>

#include "../core/tensor.h"

namespace strata::data {

/// A piece of data with its target; a batch is one too, with a leading batch dimension in both.
template <class Data = Tensor, class Target = Tensor>
struct Example {
  using DataType = Data;
  using TargetType = Target;

  Example() = default;
  Example(Data x, Target y) : data(std::move(x)), target(std::move(y)) {}

  Data data;
  Target target;
};

namespace example {
using NoTarget = void;
}  // namespace example

/// An example without a target; converts from and to its data.
template <class Data>
struct Example<Data, example::NoTarget> {
  using DataType = Data;
  using TargetType = example::NoTarget;

  Example() = default;
  Example(Data x) : data(std::move(x)) {}
  operator Data&() { return data; }
  operator const Data&() const { return data; }

  Data data;
};

using TensorExample = Example<Tensor, example::NoTarget>;

}  // namespace strata::data
