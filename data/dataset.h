// What a dataset is, and datasets made of other datasets: mapped and shared ones.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "../core/array_ref.h"
#include "dataset_random.h"
#include "example.h"

namespace strata::serialize {
class OutputArchive;
class InputArchive;
}  // namespace strata::serialize

namespace strata::data::datasets {

template <class Source, class Transform>
class MapDataset;

namespace detail {
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// T, or what is inside when T is an optional.
template <class T>
struct Unwrapped {
  using Type = T;
};
template <class T>
struct Unwrapped<std::optional<T>> {
  using Type = T;
};
}  // namespace detail

/// A dataset that gives a `Batch` for a request; `Self` is the class that derives from it. A dataset whose batches are
/// optional is stateful: it decides itself what comes next, and has a `reset()` for the start of an epoch.
template <class Self, class Batch = std::vector<Example<>>, class BatchRequest = ArrayRef<size_t>>
class BatchDataset {
 public:
  using SelfType = Self;
  using BatchType = Batch;
  using BatchRequestType = BatchRequest;
  static constexpr bool is_stateful = detail::is_optional<Batch>;

  virtual ~BatchDataset() = default;
  virtual Batch get_batch(BatchRequest request) = 0;
  /// The number of examples, empty when it is not known.
  virtual std::optional<size_t> size() const = 0;

  /// A dataset that applies `transform` to each batch of this one.
  template <class Transform>
  MapDataset<Self, Transform> map(Transform transform) & {
    return {static_cast<Self&>(*this), std::move(transform)};
  }
  template <class Transform>
  MapDataset<Self, Transform> map(Transform transform) && {
    return {std::move(static_cast<Self&>(*this)), std::move(transform)};
  }
};

/// A dataset of numbered examples.
template <class Self, class SingleExample = Example<>>
class Dataset : public BatchDataset<Self, std::vector<SingleExample>> {
 public:
  using ExampleType = SingleExample;

  /// Random numbers drawn here by the default generator are, in a data loader, a function of seed, epoch and index.
  virtual SingleExample get(size_t index) = 0;
  /// Calls `get` for every index.
  std::vector<SingleExample> get_batch(ArrayRef<size_t> indices) override {
    std::vector<SingleExample> batch;
    batch.reserve(indices.size());
    data::detail::ExampleRandom random;
    for (const size_t i : indices) {
      random.begin(i);
      batch.push_back(get(i));
    }
    return batch;
  }
};

/// A dataset that is asked for a number of examples and decides itself which.
template <class Self, class Batch = std::vector<Example<>>>
using StreamDataset = BatchDataset<Self, Batch, size_t>;

/// Note [Stacked batches]
/// Taking 128 examples one by one and stacking them costs hundreds of small tensors; one index_select gives the same
/// batch. So a dataset over whole tensors also has `stacked(indices)`, the batch as one example, and a transform that
/// treats all examples alike has `apply_stacked(example)`. MapDataset passes `stacked` on where both sides have it, and
/// `map(Stack<>())` takes it where the source has it. Programs need not know: they see the same batches sooner.
template <class D>
concept HasStacked = requires(D& dataset, ArrayRef<size_t> indices) {
  dataset.stacked(indices);
};

/// Applies a transform to each batch of another dataset.
template <class Source, class Transform>
class MapDataset
    : public BatchDataset<MapDataset<Source, Transform>,
                          std::conditional_t<Source::is_stateful, std::optional<typename Transform::OutputBatchType>,
                                             typename Transform::OutputBatchType>,
                          typename Source::BatchRequestType> {
 public:
  using DatasetType = Source;
  using TransformType = Transform;
  using BatchRequestType = typename Source::BatchRequestType;
  using BatchType = std::conditional_t<Source::is_stateful, std::optional<typename Transform::OutputBatchType>,
                                       typename Transform::OutputBatchType>;
  static_assert(
      std::is_same_v<typename detail::Unwrapped<typename Source::BatchType>::Type, typename Transform::InputBatchType>,
      "map: the transform does not take what the dataset gives");

  MapDataset(Source dataset, Transform transform) : dataset_(std::move(dataset)), transform_(std::move(transform)) {}

  BatchType get_batch(BatchRequestType request) override {
    if constexpr (kStacks && HasStacked<Source>) {
      return dataset_.stacked(std::move(request));  // Note [Stacked batches]
    } else if constexpr (Source::is_stateful) {
      auto batch = dataset_.get_batch(std::move(request));
      if (!batch) return std::nullopt;
      return transform_.apply_batch(std::move(*batch));
    } else {
      return transform_.apply_batch(dataset_.get_batch(std::move(request)));
    }
  }
  auto stacked(ArrayRef<size_t> indices) requires HasStacked<Source> && requires(Transform& t, Source& d) {
    t.apply_stacked(d.stacked({}));
  }
  { return transform_.apply_stacked(dataset_.stacked(indices)); }
  std::optional<size_t> size() const override { return dataset_.size(); }
  /// Restarts a stateful source.
  void reset() { dataset_.reset(); }

  const Source& dataset() const { return dataset_; }
  const Transform& transform() const { return transform_; }

 private:
  static constexpr bool kStacks = requires { typename Transform::StacksExamples; };

  Source dataset_;
  Transform transform_;
};

template <class D, class Transform>
MapDataset<D, Transform> map(D dataset, Transform transform) {
  return {std::move(dataset), std::move(transform)};
}

/// A dataset behind a shared pointer: copies of it (one per loader thread) use the same one.
template <class Underlying>
class SharedBatchDataset : public BatchDataset<SharedBatchDataset<Underlying>, typename Underlying::BatchType,
                                               typename Underlying::BatchRequestType> {
 public:
  using BatchType = typename Underlying::BatchType;
  using BatchRequestType = typename Underlying::BatchRequestType;

  SharedBatchDataset(std::shared_ptr<Underlying> dataset) : dataset_(std::move(dataset)) {}
  BatchType get_batch(BatchRequestType request) override { return dataset_->get_batch(std::move(request)); }
  std::optional<size_t> size() const override { return dataset_->size(); }
  void reset() { dataset_->reset(); }

  Underlying& operator*() { return *dataset_; }
  const Underlying& operator*() const { return *dataset_; }
  Underlying* operator->() { return dataset_.get(); }
  const Underlying* operator->() const { return dataset_.get(); }

 private:
  std::shared_ptr<Underlying> dataset_;
};

template <class Underlying, class... Args>
SharedBatchDataset<Underlying> make_shared_dataset(Args&&... args) {
  return std::make_shared<Underlying>(std::forward<Args>(args)...);
}

/// A dataset with a state of its own: asked for a batch size, it gives a batch, or nothing at the end of an epoch.
template <class Self, class Batch = std::vector<Example<>>, class BatchRequest = size_t>
class StatefulDataset : public BatchDataset<Self, std::optional<Batch>, BatchRequest> {
 public:
  /// Starts a new epoch.
  virtual void reset() = 0;
  virtual void save(serialize::OutputArchive& archive) const = 0;
  virtual void load(serialize::InputArchive& archive) = 0;
};
/// For `save(dataset, path)` and `load(dataset, path)`.
template <class... T>
serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const StatefulDataset<T...>& dataset) {
  dataset.save(archive);
  return archive;
}
template <class... T>
serialize::InputArchive& operator>>(serialize::InputArchive& archive, StatefulDataset<T...>& dataset) {
  dataset.load(archive);
  return archive;
}

}  // namespace strata::data::datasets
