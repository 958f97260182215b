// CPU kernels of Poisson's and the binomial distribution: each element draws from its own stream.
#include "core/generator.h"
#include "core/parallel.h"
#include "dispatcher/kernel.h"
#include "kernels/cpu/common/strided_copy.h"
#include "ops/count_sampling.h"
#include "ops/poisson_def.h"

namespace strata::cpu::random {
namespace {

/// One stream of Philox4x32-10's numbers, for elements that need different counts of them. The seed is the key, the
/// counter counts blocks from zero.
class PhiloxStream {
 public:
  explicit PhiloxStream(uint64_t seed) : seed_(seed) {}
  /// In [0, 1), of 53 bits: two words, the first one low.
  double uniform() {
    if (next_ == 4) {
      block_ = Philox4x32::at(seed_, count_++, 0);
      next_ = 0;
    }
    const uint64_t bits = block_.word[next_] | uint64_t{block_.word[next_ + 1]} << 32;
    next_ += 2;
    return static_cast<double>(bits >> 11) * 0x1p-53;
  }

 private:
  uint64_t seed_, count_ = 0;
  Philox4x32 block_{};
  int next_ = 4;
};

/// out[i] = draw(i, uniform numbers of the seed of element i)
template <class Draw>
void draw_each(const Tensor& out, const Tensor& seeds, Draw draw) {
  constexpr int64_t kGrain = 512;
  Tensor holder;
  const auto* const seed = reinterpret_cast<const int64_t*>(row_major(seeds, holder));
  write_row_major(out, [&](char* data) {
    auto* const to = reinterpret_cast<double*>(data);
    parallel_for(0, out.numel(), kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        PhiloxStream stream(static_cast<uint64_t>(seed[i]));
        to[i] = draw(i, [&] { return stream.uniform(); });
      }
    });
  });
}

void poisson_cpu(Tensors& out, Args in, const NoParams&) {
  Tensor holder;
  const auto* const rate = reinterpret_cast<const double*>(row_major(in[0], holder));
  draw_each(out[0], in[1], [=](int64_t i, auto uniform) { return count_sampling::poisson(rate[i], uniform); });
}

void binomial_cpu(Tensors& out, Args in, const NoParams&) {
  Tensor count_holder, p_holder;
  const auto* const count = reinterpret_cast<const double*>(row_major(in[0], count_holder));
  const auto* const p = reinterpret_cast<const double*>(row_major(in[1], p_holder));
  draw_each(out[0], in[2], [=](int64_t i, auto uniform) { return count_sampling::binomial(count[i], p[i], uniform); });
}

}  // namespace

STRATA_KERNEL(poisson_op, CPU, poisson_cpu);
STRATA_KERNEL(binomial_op, CPU, binomial_cpu);

}  // namespace strata::cpu::random
