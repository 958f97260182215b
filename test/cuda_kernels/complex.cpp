// Complex numbers on a CUDA device: elements of 8 and 16 bytes that are moved, arithmetic, reductions, scans, products.
#include "ops/complex.h"

#include "core/cuda.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/linalg.h"
#include "ops/reduce.h"
#include "ops/scan.h"
#include "ops/shaping.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "test/cuda_kernels/near.h"

namespace strata::test {
namespace {

constexpr DType kComplexTypes[] = {kComplex64, kComplex128};

Tensor random_complex(IntArrayRef sizes, DType dtype, unsigned seed = 1, double size = 1) {
  DimVector parts(sizes);
  parts.push_back(2);
  return view_as_complex(random_tensor(parts, to_real_dtype(dtype), seed, -size, size));
}
Tensor places_below(IntArrayRef sizes, int64_t high, unsigned seed = 7) {
  return random_tensor(sizes, kDouble, seed, 0, static_cast<double>(high)).floor().to(kLong);
}
/// Comparisons are of real numbers.
List in_parts(List results) {
  for (Tensor& t : results)
    if (t.is_complex()) t = view_as_real(t);
  return results;
}

}  // namespace

TEST_CASE("complex elements are copied between layouts") {
  for (DType dtype : kComplexTypes)
    for (int64_t n : {1, 7, 33, 70}) {
      CAPTURE(name(dtype), n);
      check_both({random_complex({3, n, 40}, dtype)}, [&](const List& t) {
        const Tensor& x = t[0];
        Tensor filled = x.clone();
        filled.select(2, 1).fill_(Complex<double>(1, -2));
        return in_parts({x.mT().contiguous(), x.permute({2, 0, 1}).contiguous(),
                         slice(x, 2, 1, std::nullopt, 3).clone(), x.flip({0, 2}), cat({x.narrow(1, 0, 1), x, x}, 1),
                         cat({x, x.narrow(2, 3, 5)}, 2), tril(x), triu(x, 2), constant_pad_nd(x, {1, 2, 0, -1}, 3),
                         real(x).clone(), imag(x).mT().contiguous(), conj(x.mT()), filled,
                         x.narrow(2, 0, 1).expand({3, n, 9}).contiguous()});
      });
    }
}

TEST_CASE("complex numbers are converted from and to all types") {
  for (DType dtype : kComplexTypes)
    for (DType other : {kBool, kByte, kInt, kLong, kHalf, kBFloat16, kFloat, kDouble, kComplex64, kComplex128}) {
      CAPTURE(name(dtype), name(other));
      check_both({random_complex({5, 41}, dtype, 1, 100), random_tensor({5, 41}, kFloat, 2, -3, 3).to(other)},
                 [&](const List& t) {
                   return in_parts({t[0].to(other), t[1].to(dtype), t[0].mT().to(other), t[1].mT().to(dtype)});
                 });
    }
}

TEST_CASE("complex arithmetic at sizes and addresses off the packs") {
  for (DType dtype : kComplexTypes)
    for (int64_t n : {1, 2, 3, 255, 257, 1025}) {
      CAPTURE(name(dtype), n);
      check_near({random_complex({n + 1}, dtype, 1, 3), random_complex({n + 1}, dtype, 2, 3)}, [&](const List& t) {
        List out;
        for (int64_t first : {0, 1}) {
          const Tensor x = t[0].narrow(0, first, n), y = t[1].narrow(0, first, n);
          for (const Tensor& r : in_parts({x + y,
                                           x - y,
                                           x * y,
                                           x / y,
                                           -x,
                                           exp(x),
                                           log(x),
                                           sqrt(x),
                                           sin(x),
                                           tanh(x),
                                           acosh(x),
                                           abs(x),
                                           angle(x),
                                           sgn(x),
                                           pow(x, y),
                                           pow(x, Complex<double>(1, 2)),
                                           pow(x, 3),
                                           x * Complex<double>(0, 1),
                                           where(real(x) > 0, x, y),
                                           x == y,
                                           x != 0,
                                           isfinite(x),
                                           complex(real(x), imag(y)),
                                           polar(real(x), imag(x))}))
            out.push_back(r);
        }
        return out;
      });
    }
}

TEST_CASE("complex numbers are reduced along rows, columns and in parts") {
  for (DType dtype : kComplexTypes)
    for (const DimVector& sizes : {DimVector{3, 33}, DimVector{2, 5000}, DimVector{500, 3}, DimVector{1, 20011},
                                   DimVector{9000, 2}, DimVector{40, 40}}) {
      CAPTURE(name(dtype), sizes);
      check_near({random_complex(sizes, dtype)}, [](const List& t) {
        List out;
        for (int64_t dim : {0, 1})
          for (const Tensor& r : in_parts({sum(t[0], {dim}), mean(t[0], {dim}), norm(t[0], 2, {dim}),
                                           prod(sgn(t[0]), dim), any(t[0], dim), all(t[0], dim)}))
            out.push_back(r);
        out.push_back(view_as_real(sum(t[0])));
        out.push_back(nonzero(t[0]));
        return out;
      });
    }
}

TEST_CASE("complex running sums and products") {
  for (DType dtype : kComplexTypes)
    for (const DimVector& sizes : {DimVector{3, 33}, DimVector{1, 5000}, DimVector{500, 3}, DimVector{3, 128}}) {
      CAPTURE(name(dtype), sizes);
      check_near({random_complex(sizes, dtype)}, [](const List& t) {
        const Tensor turns = sgn(t[0]);
        return in_parts({cumsum(t[0], 0), cumsum(t[0], 1), cumprod(turns, 0), cumprod(turns, 1)});
      });
    }
}

TEST_CASE("complex elements are read, written and added at indices") {
  for (DType dtype : kComplexTypes)
    for (int64_t width : {1, 3, 40}) {
      CAPTURE(name(dtype), width);
      const List inputs{random_complex({9, width}, dtype), places_below({70}, 9),
                        random_complex({70, width}, dtype, 4)};
      const auto added = [&](const List& t) {
        const Tensor each = t[1].unsqueeze(1).expand({70, width});
        return in_parts(
            {index_put(t[0], {t[1]}, t[2], true), scatter_add(t[0], 0, each, t[2]), index_add(t[0], 0, t[1], t[2])});
      };
      const NoGradGuard no_grad;
      List moved;
      for (const Tensor& t : inputs) moved.push_back(t.to(kCUDA));
      const List here = added(inputs), there = added(moved);
      for (size_t i = 0; i < here.size(); ++i) CHECK(close(there[i].cpu(), here[i]));
      const Deterministic mode;
      check_both(inputs, added);
      check_both(inputs, [&](const List& t) {
        const Tensor each = t[1].unsqueeze(1).expand({70, width});
        return in_parts({t[0].index({t[1]}), gather(t[0], 0, each), index_put(t[0], {t[1]}, t[2]),
                         scatter(t[0], 0, each, t[2]), masked_fill(t[0], abs(t[0]) > 0.5, Complex<double>(0, 1))});
      });
    }
}

TEST_CASE("complex products of all layouts, and what they start from") {
  for (DType dtype : kComplexTypes) {
    CAPTURE(name(dtype));
    const Complex<double> beta(0.5, -1), alpha(2, 3);
    check_near({random_complex({2, 3, 4, 5}, dtype), random_complex({2, 3, 5, 6}, dtype, 2),
                random_complex({4, 6}, dtype, 3), random_complex({6}, dtype, 4)},
               [&](const List& t) {
                 const Tensor &a = t[0], &b = t[1], a_t = a.mT().contiguous().mT(), b_t = b.mT().contiguous().mT();
                 const Tensor x = a[0][0], y = b[0][0];
                 return in_parts({matmul(a, b), matmul(a_t, b), matmul(a, b_t), matmul(a_t, b_t),
                                  matmul(a, b.flip({3})), matmul(conj(a_t), b), matmul(a.expand({2, 3, 4, 5}), b[0][0]),
                                  addmm(t[2], x, y, beta, alpha), addmm(t[2], x, y, 0, alpha), addmm(t[3], x, y),
                                  addmm(t[2].mT().contiguous().mT(), x, y, beta), matmul(x, y[0].narrow(0, 0, 5)),
                                  linear(a, y.mT(), t[3]), matmul(x.narrow(1, 0, 0), y.narrow(0, 0, 0)),
                                  dot(t[3], t[3]), vdot(t[3], y[0])});
               });
  }
}

TEST_CASE("products of real numbers take no complex factor") {
  const Tensor x = ones({2, 2});
  for (const Tensor& t : {x, x.to(kCUDA)})
    CHECK_THROWS_WITH(addmm(t, t, t, 1, Complex<double>(0, 1)), Catch::Matchers::ContainsSubstring("imaginary part"));
}

}  // namespace strata::test
