// Products of bfloat16 numbers by the processor's own instructions, against plain loops in double.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/parallel.h"
#include "kernels/cpu/matmul/gemm_bfloat16.h"
#include "test/catch.h"

using namespace strata;
using namespace strata::cpu::matmul;

namespace {

enum class Lies { kRows, kColumns, kOddRows, kApart };

/// A matrix with memory of its own, in which its elements lie as they are said to.
struct Operand {
  std::vector<BFloat16> memory;
  Matrix<BFloat16> x;

  Operand(Lies lie, int64_t rows, int64_t cols, std::mt19937& random)
      : memory(static_cast<size_t>(4 * (rows + 2) * (cols + 2))) {
    std::normal_distribution<float> of;
    for (BFloat16& e : memory) e = BFloat16(of(random));
    x = {memory.data(), cols, 1};
    if (lie == Lies::kColumns) x = {memory.data(), 1, rows};
    if (lie == Lies::kOddRows) x = {memory.data() + 1, cols | 1, 1};
    if (lie == Lies::kApart) x = {memory.data(), 2, 2 * rows + 1};
  }
  double at(int64_t i, int64_t j) const { return static_cast<float>(*moved(x, i, j).data); }
  Matrix<const BFloat16> read() const { return {x.data, x.row, x.col}; }
};

void check_product(const VecBFloat16& unit, int64_t m, int64_t n, int64_t k, Lies a_lies, Lies b_lies, Lies out_lies,
                   bool adds, std::mt19937& random) {
  INFO(m << " x " << k << " x " << n << ", a " << int(a_lies) << ", b " << int(b_lies) << ", out " << int(out_lies)
         << (adds ? ", added" : ""));
  const Operand a(a_lies, m, k, random), b(b_lies, k, n, random), init(Lies::kRows, m, n, random);
  Operand out(out_lies, m, n, random);
  Gemm<BFloat16> p{m, n, k, a.read(), b.read(), {}, out.x};
  if (adds) p.init = init.read(), p.alpha = 0.5f, p.beta = -2.0f;
  bfloat16_product(p, unit, [](const Gemm<BFloat16>&) {});
  double worst = 0;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0, size = 0;
      for (int64_t q = 0; q < k; ++q) sum += a.at(i, q) * b.at(q, j), size += std::abs(a.at(i, q) * b.at(q, j));
      const double wanted = adds ? 0.5 * sum - 2.0 * init.at(i, j) : sum;
      // One rounding to 8 bits, and those of the sums in float.
      const double allowed = std::abs(wanted) / 256 + 1e-6 * size + (adds ? 1e-6 * std::abs(init.at(i, j)) : 0);
      worst = std::max(worst, std::abs(out.at(i, j) - wanted) / allowed);
    }
  CHECK(worst <= 1);
}

/// Null after a word about it where the processor has no tiles.
const VecBFloat16* unit_here() {
  const VecBFloat16* const unit = vec_bfloat16();
  if (!unit) WARN("skipped: this processor has no instructions for bfloat16 numbers");
  return unit;
}

}  // namespace

TEST_CASE("bfloat16 products are right for all shapes and layouts", "[kernels]") {
  const VecBFloat16* const unit = unit_here();
  if (!unit) return;
  std::mt19937 random(5);
  const Lies all[] = {Lies::kRows, Lies::kColumns, Lies::kOddRows, Lies::kApart};
  for (const auto& [m, n, k] : std::vector<std::array<int64_t, 3>>{{1, 1, 16},
                                                                   {1, 70, 33},
                                                                   {70, 1, 64},
                                                                   {16, 32, 32},
                                                                   {17, 33, 31},
                                                                   {64, 48, 96},
                                                                   {35, 100, 513},
                                                                   {3, 20, 1100}})
    for (const Lies a : all)
      for (const Lies b : all)
        for (const Lies out : {Lies::kRows, Lies::kColumns, Lies::kApart})
          check_product(*unit, m, n, k, a, b, out, (m + n + k + int(a)) % 2 == 0, random);
  check_product(*unit, 40, 600, 1030, Lies::kRows, Lies::kRows, Lies::kRows, true, random);  // several widths
  check_product(*unit, 200, 64, 2048, Lies::kRows, Lies::kColumns, Lies::kRows, false,
                random);  // lanes half a page apart
}

TEST_CASE("bfloat16 products have the same bits in pieces, turned and on more threads", "[kernels]") {
  const VecBFloat16* const unit = unit_here();
  if (!unit) return;
  std::mt19937 random(6);
  const int64_t m = 150, n = 210, k = 700;
  const Operand a(Lies::kRows, m, k, random), b(Lies::kColumns, k, n, random);
  Operand whole(Lies::kRows, m, n, random), pieces(Lies::kRows, m, n, random);
  const auto nothing = [](const Gemm<BFloat16>&) {};
  const int threads = get_num_threads();
  set_num_threads(1);
  bfloat16_product({m, n, k, a.read(), b.read(), {}, whole.x}, *unit, nothing);
  set_num_threads(3);
  for (int64_t i = 0; i < m; i += 37)
    for (int64_t j = 0; j < n; j += 50)
      bfloat16_product({std::min<int64_t>(37, m - i),
                        std::min<int64_t>(50, n - j),
                        k,
                        moved(a.read(), i, 0),
                        moved(b.read(), 0, j),
                        {},
                        moved(pieces.x, i, j)},
                       *unit, nothing);
  set_num_threads(threads);
  int64_t different = 0;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) different += moved(whole.x, i, j).data->bits != moved(pieces.x, i, j).data->bits;
  CHECK(different == 0);
}

TEST_CASE("bfloat16 products carry infinities and what is no number, and fill up with zeros", "[kernels]") {
  const VecBFloat16* const unit = unit_here();
  if (!unit) return;
  std::mt19937 random(7);
  const int64_t m = 20, n = 20, k = 40;
  const Operand b(Lies::kRows, k, n, random);
  Operand a(Lies::kRows, m, k, random), out(Lies::kRows, m, n, random);
  *moved(a.x, 3, 39).data = BFloat16(std::numeric_limits<float>::quiet_NaN());
  *moved(a.x, 5, 0).data = BFloat16(std::numeric_limits<float>::infinity());
  bfloat16_product({m, n, k, a.read(), b.read(), {}, out.x}, *unit, [](const Gemm<BFloat16>&) {});
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      CHECK(std::isnan(out.at(i, j)) == (i == 3));
      CHECK(std::isinf(out.at(i, j)) == (i == 5));
    }
}
