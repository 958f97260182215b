// Datasets made of others: parts of one, several in a row, and random splits.
#pragma once
#include <algorithm>
#include <atomic>
#include <initializer_list>

#include "../core/error.h"
#include "../ops/serialize.h"
#include "dataset.h"
#include "index_samplers.h"

namespace strata::data::datasets {

namespace detail {

/// A number that several threads move, and that a copy of its owner begins with.
class SharedPlace {
 public:
  SharedPlace() = default;
  SharedPlace(const SharedPlace& other) : value_(other.get()) {}
  SharedPlace& operator=(const SharedPlace& other) {
    set(other.get());
    return *this;
  }
  size_t get() const { return value_.load(); }
  void set(size_t value) { value_.store(value); }
  /// From `from` to the next, unless another thread has moved it.
  void advance(size_t from) { value_.compare_exchange_strong(from, from + 1); }

 private:
  std::atomic<size_t> value_ = 0;
};

}  // namespace detail

/// The examples `indices` of another dataset, in that order.
template <class Source>
class Subset : public BatchDataset<Subset<Source>, typename Source::BatchType, ArrayRef<size_t>> {
 public:
  using BatchType = typename Source::BatchType;

  /// Throws for an index that the dataset does not have.
  Subset(Source dataset, std::vector<size_t> indices) : dataset_(std::move(dataset)), indices_(std::move(indices)) {
    const std::optional<size_t> size = dataset_.size();
    for (const size_t i : indices_)
      STRATA_CHECK(!size || i < *size, "Subset: there is no example {} among {}", i, *size);
  }
  BatchType get_batch(ArrayRef<size_t> request) override { return dataset_.get_batch(source_indices(request)); }
  auto get(size_t index) requires requires(Source& d) { d.get(0); }
  { return dataset_.get(indices_.at(index)); }
  /// The batch as one example: Note [Stacked batches].
  auto stacked(ArrayRef<size_t> request) requires HasStacked<Source> {
    return dataset_.stacked(source_indices(request));
  }
  std::optional<size_t> size() const override { return indices_.size(); }
  const Source& dataset() const { return dataset_; }
  const std::vector<size_t>& indices() const { return indices_; }

 private:
  std::vector<size_t> source_indices(ArrayRef<size_t> request) const {
    std::vector<size_t> out;
    for (const size_t i : request) out.push_back(indices_.at(i));
    return out;
  }

  Source dataset_;
  std::vector<size_t> indices_;
};

/// Sizes of the parts of a dataset, as numbers of examples or as fractions that add up to 1.
class SplitLengths {
 public:
  template <class N>
  SplitLengths(std::initializer_list<N> lengths) : SplitLengths(std::vector<N>(lengths)) {}
  template <class N>
  SplitLengths(const std::vector<N>& lengths)
      : lengths_(lengths.begin(), lengths.end()), fractions_(std::is_floating_point_v<N>) {}
  /// For a dataset of that size: fractions are rounded down, and what is left goes to the first parts, one each.
  std::vector<size_t> of(size_t size) const;

 private:
  std::vector<double> lengths_;
  bool fractions_;
};

/// Parts of a dataset that have no example in common, by the default generator (PyTorch's
/// torch.utils.data.random_split). Throws unless the lengths add up to the dataset's size.
///
///     auto parts = random_split(dataset, {0.9, 0.1});
template <class Source>
std::vector<Subset<Source>> random_split(const Source& dataset, const SplitLengths& lengths) {
  const std::optional<size_t> size = dataset.size();
  STRATA_CHECK(size.has_value(), "random_split: the dataset does not know its size");
  const std::vector<size_t> order = samplers::random_permutation(*size);
  std::vector<Subset<Source>> parts;
  auto next = order.begin();
  for (const size_t length : lengths.of(*size)) {
    const auto end = next + static_cast<std::ptrdiff_t>(length);
    parts.emplace_back(dataset, std::vector<size_t>(next, end));
    next = end;
  }
  return parts;
}

/// Datasets of numbered examples, one after the other.
template <class Source>
class ConcatDataset : public Dataset<ConcatDataset<Source>, typename Source::ExampleType> {
 public:
  explicit ConcatDataset(std::vector<Source> datasets) : datasets_(std::move(datasets)) {
    STRATA_CHECK(!datasets_.empty(), "ConcatDataset: no datasets were given");
    for (const Source& d : datasets_) {
      STRATA_CHECK(d.size().has_value(), "ConcatDataset: a dataset does not know its size");
      ends_.push_back((ends_.empty() ? 0 : ends_.back()) + *d.size());
    }
  }
  typename Source::ExampleType get(size_t index) override {
    STRATA_CHECK(index < ends_.back(), "ConcatDataset: there is no example {} among {}", index, ends_.back());
    const auto at = static_cast<size_t>(std::upper_bound(ends_.begin(), ends_.end(), index) - ends_.begin());
    return datasets_[at].get(at == 0 ? index : index - ends_[at - 1]);
  }
  std::optional<size_t> size() const override { return ends_.back(); }
  const std::vector<Source>& datasets() const { return datasets_; }

 private:
  std::vector<Source> datasets_;
  std::vector<size_t> ends_;
};

/// Stateful datasets, one after the other: the next is asked when one has no batch left. As safe to use from several
/// threads as they are.
template <class Source>
class ChainDataset : public StatefulDataset<ChainDataset<Source>, typename Source::BatchType::value_type,
                                            typename Source::BatchRequestType> {
 public:
  using BatchType = typename Source::BatchType;
  using BatchRequestType = typename Source::BatchRequestType;

  explicit ChainDataset(std::vector<Source> datasets) : datasets_(std::move(datasets)) {}
  BatchType get_batch(BatchRequestType request) override {
    for (size_t at = at_.get(); at < datasets_.size(); at = at_.get()) {
      if (BatchType batch = datasets_[at].get_batch(request)) return batch;
      at_.advance(at);
    }
    return std::nullopt;
  }
  std::optional<size_t> size() const override {
    size_t sum = 0;
    for (const Source& d : datasets_) {
      if (!d.size()) return std::nullopt;
      sum += *d.size();
    }
    return sum;
  }
  void reset() override {
    for (Source& d : datasets_) d.reset();
    at_.set(0);
  }
  void save(serialize::OutputArchive& archive) const override {
    archive.write("at", at_.get());
    for (size_t i = 0; i < datasets_.size(); ++i) {
      serialize::OutputArchive part;
      datasets_[i].save(part);
      archive.write(std::to_string(i), part);
    }
  }
  void load(serialize::InputArchive& archive) override {
    size_t at = 0;
    archive.read("at", at);
    at_.set(at);
    for (size_t i = 0; i < datasets_.size(); ++i) {
      serialize::InputArchive part;
      archive.read(std::to_string(i), part);
      datasets_[i].load(part);
    }
  }

 private:
  std::vector<Source> datasets_;
  detail::SharedPlace at_;
};

}  // namespace strata::data::datasets
