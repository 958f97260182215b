// What can be done to examples between a dataset and a model.
#pragma once
#include <utility>
#include <vector>

#include "../core/function.h"
#include "../core/tensor.h"
#include "example.h"

namespace strata::data::transforms {

/// Turns a whole batch into something else.
template <class InputBatch, class OutputBatch>
class BatchTransform {
 public:
  using InputBatchType = InputBatch;
  using OutputBatchType = OutputBatch;

  virtual ~BatchTransform() = default;
  virtual OutputBatch apply_batch(InputBatch batch) = 0;
};

/// Turns each example of a batch into something else.
template <class Input, class Output>
class Transform : public BatchTransform<std::vector<Input>, std::vector<Output>> {
 public:
  using InputType = Input;
  using OutputType = Output;

  virtual Output apply(Input input) = 0;
  std::vector<Output> apply_batch(std::vector<Input> inputs) override {
    std::vector<Output> outputs;
    outputs.reserve(inputs.size());
    for (Input& input : inputs) outputs.push_back(apply(std::move(input)));
    return outputs;
  }
};

/// A batch transform made of a function.
template <class Input, class Output = Input>
class BatchLambda : public BatchTransform<Input, Output> {
 public:
  using FunctionType = strata::detail::Function<Output(Input)>;
  explicit BatchLambda(FunctionType function) : function_(std::move(function)) {}
  Output apply_batch(Input batch) override { return function_(std::move(batch)); }

 private:
  FunctionType function_;
};

/// A transform of single examples made of a function.
template <class Input, class Output = Input>
class Lambda : public Transform<Input, Output> {
 public:
  using FunctionType = strata::detail::Function<Output(Input)>;
  explicit Lambda(FunctionType function) : function_(std::move(function)) {}
  Output apply(Input input) override { return function_(std::move(input)); }

 private:
  FunctionType function_;
};

/// Turns a vector of examples into one thing.
template <class T, class BatchType = std::vector<T>>
using Collation = BatchTransform<BatchType, T>;
template <class T, class BatchType = std::vector<T>>
using Collate = BatchLambda<BatchType, T>;

/// Stacks the tensors of all examples along a new first dimension.
template <class T = Example<>>
struct Stack;

template <>
struct Stack<Example<>> : Collation<Example<>> {
  using StacksExamples = void;  // Note [Stacked batches]
  Example<> apply_batch(std::vector<Example<>> examples) override;
};

template <>
struct Stack<TensorExample> : Collation<TensorExample> {
  using StacksExamples = void;
  TensorExample apply_batch(std::vector<TensorExample> examples) override;
};

/// Changes the tensor of each example and leaves its target alone.
template <class Target = Tensor>
class TensorTransform : public Transform<Example<Tensor, Target>, Example<Tensor, Target>> {
 public:
  using E = Example<Tensor, Target>;
  virtual Tensor operator()(Tensor input) = 0;
  E apply(E example) override {
    example.data = (*this)(std::move(example.data));
    return example;
  }
};

/// The same made of a function.
template <class Target = Tensor>
class TensorLambda : public TensorTransform<Target> {
 public:
  using FunctionType = strata::detail::Function<Tensor(Tensor)>;
  explicit TensorLambda(FunctionType function) : function_(std::move(function)) {}
  Tensor operator()(Tensor input) override { return function_(std::move(input)); }

 private:
  FunctionType function_;
};

namespace detail {
/// `(C, 1, 1)` float32 of one value per channel.
Tensor per_channel(ArrayRef<double> values);
}  // namespace detail

/// Subtracts a mean and divides by a standard deviation, both one per channel of `(C, H, W)` images or one for all.
template <class Target = Tensor>
struct Normalize : TensorTransform<Target> {
  Normalize(ArrayRef<double> means, ArrayRef<double> deviations)
      : mean(detail::per_channel(means)), stddev(detail::per_channel(deviations)) {}
  Tensor operator()(Tensor input) override { return input.sub(mean).div(stddev); }
  /// The same for a `(N, C, H, W)` batch: Note [Stacked batches].
  typename TensorTransform<Target>::E apply_stacked(typename TensorTransform<Target>::E batch) {
    return this->apply(std::move(batch));
  }

  Tensor mean, stddev;
};

}  // namespace strata::data::transforms
