// Rows of the Fourier transforms: values against the definition.
#include <cmath>
#include <complex>
#include <numbers>

#include "ops/fft.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

using T = const Tensor&;
using Value = std::complex<double>;
constexpr auto kNone = std::nullopt;

struct Signal {
  DimVector sizes;
  std::vector<Value> values;
};

Signal signal_of(const Tensor& t) {
  const std::vector<double> v = values(t);
  Signal s{t.sizes(), {}};
  const auto step = static_cast<size_t>(numbers_in(t.dtype()));
  for (size_t i = 0; i < v.size(); i += step) s.values.emplace_back(v[i], step == 2 ? v[i + 1] : 0);
  return s;
}

Tensor tensor_of(const Signal& s, DType dtype) {
  std::vector<double> v;
  for (const Value& z : s.values) {
    v.push_back(z.real());
    if (is_complex(dtype)) v.push_back(z.imag());
  }
  return from_values(v, s.sizes, dtype);
}

/// Element `index` of the result is sum(size of x along d, k -> (where along d, factor)).
template <class F>
Signal along_dim(const Signal& x, int64_t dim, int64_t result, F sum) {
  const auto d = static_cast<size_t>(dim);
  Signal y{x.sizes, {}};
  y.sizes[d] = result;
  for_each_index(y.sizes, [&](std::vector<int64_t> i) {
    const int64_t k = i[d];
    y.values.push_back(sum(k, [&](int64_t j) {
      i[d] = j;
      return x.values[static_cast<size_t>(flat(i, x.sizes))];
    }));
  });
  return y;
}

/// The definition along one dim; negative exponents with sign -1.
Signal transformed(const Signal& x, int64_t dim, int sign) {
  const int64_t n = x.sizes[static_cast<size_t>(dim)];
  return along_dim(x, dim, n, [&](int64_t k, auto at) {
    Value sum = 0;
    for (int64_t j = 0; j < n; ++j)
      sum += at(j) * std::polar(1.0, sign * 2 * std::numbers::pi * static_cast<double>(j * k % n) / n);
    return sum;
  });
}

Signal first_half(const Signal& x, int64_t dim) {
  const int64_t n = x.sizes[static_cast<size_t>(dim)];
  return along_dim(x, dim, n / 2 + 1, [&](int64_t k, auto at) { return at(k); });
}

/// The full spectrum of a real line of n values.
Signal completed(const Signal& x, int64_t dim, int64_t n) {
  return along_dim(x, dim, n, [&](int64_t k, auto at) {
    if (k == 0 || 2 * k == n) return Value(at(k).real());
    return 2 * k < n ? at(k) : std::conj(at(n - k));
  });
}

/// The reference that applies `f` and gives this dtype.
Function reference(DType dtype, std::function<Signal(const Signal&)> f) {
  return [=](const List& in) { return List{tensor_of(f(signal_of(in[0])), dtype)}; };
}

Tensor spectrum_of(IntArrayRef sizes) { return uniform_values(sizes, -1, 1, 1, kComplexDouble); }

Row complex_to_complex() {
  Row row{"fft_c2c", {}};
  const auto add = [&](const DimVector& sizes, const DimVector& dims, bool forward) {
    const auto f = [=](const List& in) {
      const OptionalIntArrayRef over{IntArrayRef(dims)};
      return List{forward ? fft::fftn(in[0], {}, over) : fft::ifftn(in[0], {}, over, "forward")};
    };
    row.samples.push_back({{spectrum_of(sizes)}, f, reference(kComplexDouble, [=](Signal x) {
                             for (int64_t d : dims) x = transformed(x, d, forward ? -1 : 1);
                             return x;
                           })});
  };
  for (int64_t n : {1, 2, 3, 5, 8, 12, 53}) add({n}, {0}, n % 2 == 0);
  for (bool forward : {true, false})
    for (const DimVector& dims : {DimVector{0}, DimVector{1}, DimVector{1, 0}, DimVector{0, 1, 2}})
      add({2, 3, 4}, dims, forward);
  add({2, 2, 3, 2}, {0, 1, 2, 3}, true);
  add({0, 3}, {1}, true);
  row.errors.push_back({[] { fft::fft(uniform_values({2, 3}), 0); }, "fft: 0 values"});
  return row;
}

Row real_to_complex() {
  Row row{"fft_r2c", {}};
  const auto add = [&](const DimVector& sizes, const DimVector& dims, bool forward) {
    const auto f = [=](const List& in) {
      const OptionalIntArrayRef over{IntArrayRef(dims)};
      return List{forward ? fft::rfftn(in[0], {}, over) : fft::ihfftn(in[0], {}, over, "forward")};
    };
    row.samples.push_back({{uniform_values(sizes)}, f, reference(kComplexDouble, [=](Signal x) {
                             for (int64_t d : dims) x = transformed(x, d, forward ? -1 : 1);
                             return first_half(x, dims.back());
                           })});
  };
  for (int64_t n : {1, 2, 3, 4, 9, 16, 53}) add({n}, {0}, n % 2 == 0);
  for (bool forward : {true, false})
    for (const DimVector& dims : {DimVector{0}, DimVector{1}, DimVector{1, 0}, DimVector{0, 1, 2}})
      add({2, 3, 4}, dims, forward);
  for (bool forward : {true, false}) {
    const auto f = [=](const List& in) {
      return List{forward ? fft::fft(in[0], kNone, 1) : fft::ifft(in[0], kNone, 1, "forward")};
    };
    row.samples.push_back({{uniform_values({3, 6, 2})}, f, reference(kComplexDouble, [=](const Signal& x) {
                             return transformed(x, 1, forward ? -1 : 1);
                           })});
  }
  return row;
}

Row complex_to_real() {
  Row row{"fft_c2r", {}};
  const auto add = [&](const DimVector& sizes, const DimVector& dims, int64_t n, bool forward) {
    DimVector s;
    for (int64_t d : dims) s.push_back(sizes[static_cast<size_t>(d)]);
    s.back() = n;
    const auto f = [=](const List& in) {
      const OptionalIntArrayRef over{IntArrayRef(dims)}, size{IntArrayRef(s)};
      return List{forward ? fft::hfftn(in[0], size, over) : fft::irfftn(in[0], size, over, "forward")};
    };
    row.samples.push_back({{spectrum_of(sizes)}, f, reference(kDouble, [=](Signal x) {
                             const int sign = forward ? -1 : 1;
                             for (size_t i = 0; i + 1 < dims.size(); ++i) x = transformed(x, dims[i], sign);
                             return transformed(completed(x, dims.back(), n), dims.back(), sign);
                           })});
  };
  for (int64_t n : {1, 2, 3, 4, 9, 16, 53}) add({n / 2 + 1}, {0}, n, n % 2 == 0);
  for (bool forward : {true, false}) {
    add({3, 2}, {0}, 4, forward);
    add({3, 2}, {0}, 5, forward);
    add({2, 3, 3}, {0, 1}, 4, forward);
    add({2, 3, 3}, {0, 1, 2}, 5, forward);
  }
  return row;
}

}  // namespace

void add_fft(Table& t) {
  t.push_back(complex_to_complex());
  t.push_back(real_to_complex());
  t.push_back(complex_to_real());
}

}  // namespace strata::test
