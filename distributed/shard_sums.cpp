// A binary counter of partial sums.
#include "distributed/shard_sums.h"

#include <bit>
#include <utility>

#include "core/error.h"
#include "ops/binary.h"
#include "ops/creation.h"

namespace strata::distributed {
namespace {

/// Zeros are added too, where there are no numbers: a rank without a gradient sends them, and -0 + 0 is not -0.
Tensor sum_of(const Tensor& a, const Tensor& b) {
  if (!a.defined() && !b.defined()) return {};
  return (a.defined() ? a : zeros_like(b)) + (b.defined() ? b : zeros_like(a));
}

}  // namespace

void ShardSum::add(Tensor x) {
  ++count_;
  for (int carries = std::countr_zero(count_); carries > 0; --carries) {
    x = sum_of(partial_.back(), x);
    partial_.pop_back();
  }
  partial_.push_back(std::move(x));
}

Tensor ShardSum::take() {
  STRATA_CHECK(std::has_single_bit(count_), "ShardSum: {} tensors, which is no power of two", count_);
  count_ = 0;
  const Tensor sum = std::move(partial_.back());
  partial_.clear();
  return sum;
}

}  // namespace strata::distributed
