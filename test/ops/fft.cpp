// Tests of the Fourier transforms: PyTorch's answers (fft.txt, written by fft_make.py), the definition in long double,
// round trips, layouts, threads and errors.
#include "ops/fft.h"

#include <array>
#include <complex>
#include <fstream>
#include <functional>
#include <map>
#include <numbers>
#include <sstream>

#include "autograd/autograd.h"
#include "core/error.h"
#include "ops/binary.h"
#include "ops/complex.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "test/catch.h"
#include "test/ops/signals.h"
#include "test/ops/tools.h"
#include "test/source_dir.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;
using namespace strata::test;

namespace {

/// One line of the file of answers.
struct TransformAnswer {
  std::string call, function, kind, norm;
  DimVector shape, s, dims, result;
  std::vector<double> values;
};

std::vector<TransformAnswer> transform_answers() {
  std::ifstream file(source_dir() + "/test/ops/fft.txt");
  std::vector<TransformAnswer> all;
  for (std::string line; std::getline(file, line);) {
    if (line[0] == '#') continue;
    std::istringstream text(line);
    std::string shape, s, dims, result;
    TransformAnswer a;
    text >> a.function >> a.kind >> shape >> s >> dims >> a.norm >> result >> result;
    a.shape = dims_in(shape), a.s = dims_in(s), a.dims = dims_in(dims), a.result = dims_in(result);
    for (double v; text >> v;) a.values.push_back(v);
    a.call = line.substr(0, line.find(':'));
    all.push_back(a);
  }
  return all;
}

OptionalIntArrayRef optional(const DimVector& dims) {
  return dims.empty() ? OptionalIntArrayRef() : OptionalIntArrayRef(IntArrayRef(dims));
}

/// What our function of the name gives for the input.
Tensor result_of(const TransformAnswer& a, const Tensor& x) {
  using One = Tensor (*)(const Tensor&, std::optional<int64_t>, int64_t, fft::Norm);
  using Several = Tensor (*)(const Tensor&, OptionalIntArrayRef, OptionalIntArrayRef, fft::Norm);
  using Two = Tensor (*)(const Tensor&, OptionalIntArrayRef, IntArrayRef, fft::Norm);
  static const std::map<std::string, One> ones = {{"fft", fft::fft},     {"ifft", fft::ifft}, {"rfft", fft::rfft},
                                                  {"irfft", fft::irfft}, {"hfft", fft::hfft}, {"ihfft", fft::ihfft}};
  static const std::map<std::string, Several> several = {{"fftn", fft::fftn},   {"ifftn", fft::ifftn},
                                                         {"rfftn", fft::rfftn}, {"irfftn", fft::irfftn},
                                                         {"hfftn", fft::hfftn}, {"ihfftn", fft::ihfftn}};
  static const std::map<std::string, Two> twos = {{"fft2", fft::fft2},   {"ifft2", fft::ifft2},
                                                  {"rfft2", fft::rfft2}, {"irfft2", fft::irfft2},
                                                  {"hfft2", fft::hfft2}, {"ihfft2", fft::ihfft2}};
  const fft::Norm norm = a.norm == "-" ? fft::Norm() : fft::Norm(a.norm);
  if (ones.count(a.function)) {
    const std::optional<int64_t> n = a.s.empty() ? std::nullopt : std::optional<int64_t>(a.s[0]);
    return ones.at(a.function)(x, n, a.dims.empty() ? -1 : a.dims[0], norm);
  }
  if (several.count(a.function)) return several.at(a.function)(x, optional(a.s), optional(a.dims), norm);
  if (twos.count(a.function))
    return twos.at(a.function)(x, optional(a.s), a.dims.empty() ? IntArrayRef({-2, -1}) : IntArrayRef(a.dims), norm);
  if (a.function == "fftshift") return fft::fftshift(x, optional(a.dims));
  if (a.function == "ifftshift") return fft::ifftshift(x, optional(a.dims));
  return a.function == "fftfreq" ? fft::fftfreq(a.s[0], 0.25, kDouble) : fft::rfftfreq(a.s[0], 0.25, kDouble);
}

/// Of many numbers only some.
std::vector<double> shortened(const std::vector<double>& v) { return v.size() <= 24 ? v : first_and_sum(v); }

/// The definition, forward, along a complex line.
std::vector<double> definition(const std::vector<double>& x) {
  const size_t n = x.size() / 2;
  std::vector<std::complex<long double>> turns(n);
  for (size_t k = 0; k < n; ++k) {
    const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(k) / n;
    turns[k] = {std::cos(angle), std::sin(angle)};
  }
  std::vector<double> y(2 * n);
  for (size_t k = 0; k < n; ++k) {
    std::complex<long double> sum = 0;
    for (size_t j = 0; j < n; ++j) sum += std::complex<long double>(x[2 * j], x[2 * j + 1]) * turns[j * k % n];
    y[2 * k] = static_cast<double>(sum.real());
    y[2 * k + 1] = static_cast<double>(sum.imag());
  }
  return y;
}

/// Of the relative l2 error of a transform in float. MKL's, which PyTorch calls, is up to 1.6e-7 for 9 normal values
/// and about 9.3e-8 for 100 and 1.6e-7 for 1000.
double narrow_bound(int64_t n) { return 8e-8 + 1e-8 * std::log2(static_cast<double>(n)); }

std::vector<int64_t> lengths() {
  std::vector<int64_t> n = {50, 64, 97, 100, 106, 127, 128, 160, 200, 243, 250, 256, 400, 512, 625, 1000, 1009, 2048};
  for (int64_t i = 1; i <= 33; ++i) n.push_back(i);
  return n;
}

}  // namespace

TEST_CASE("Fourier transforms give PyTorch's answers") {
  const auto all = transform_answers();
  REQUIRE(all.size() > 600);
  for (const TransformAnswer& a : all) {
    INFO(a.call);
    const Tensor y = result_of(a, a.kind == "c" ? complex_operand(a.shape) : real_operand(a.shape));
    CHECK(y.sizes() == IntArrayRef(a.result));
    CHECK(relative(shortened(parts(y)), a.values) < 1e-13);
  }
}

TEST_CASE("Fourier transforms of all lengths are as exact as their types") {
  for (int64_t n : lengths()) {
    CAPTURE(n);
    const Tensor x = complex_operand({n}), r = real_operand({n});
    const std::vector<double> exact = definition(parts(x));
    CHECK(relative(parts(fft::fft(x)), exact) < 1e-15);
    const Tensor narrow_x = x.to(kComplexFloat);
    CHECK(relative(parts(fft::fft(narrow_x)), definition(parts(narrow_x))) < narrow_bound(n));

    std::vector<double> pairs;
    for (double v : parts(r)) pairs.insert(pairs.end(), {v, 0});
    std::vector<double> spectrum = definition(pairs);
    CHECK(relative(parts(fft::fft(r)), spectrum) < 1e-15);
    spectrum.resize(static_cast<size_t>(2 * (n / 2 + 1)));
    CHECK(relative(parts(fft::rfft(r)), spectrum) < 1e-15);
    CHECK(relative(fft::rfft(r.to(kFloat)), fft::rfft(r.to(kFloat).to(kDouble))) < narrow_bound(n));
  }
}

TEST_CASE("Fourier transforms there and back give the signal, and keep its energy") {
  for (int64_t n : {1, 2, 5, 8, 60, 97, 1000, 10007, 65536, 99991, 100000}) {
    CAPTURE(n);
    const Tensor x = complex_operand({n}), r = real_operand({n});
    CHECK(relative(fft::ifft(fft::fft(x)), x) < 5e-15);
    CHECK(relative(fft::irfft(fft::rfft(r), n), r) < 5e-15);
    CHECK(relative(fft::ihfft(fft::hfft(fft::ihfft(r), n)), fft::ihfft(r)) < 2e-15);
    const auto energy = [](const Tensor& t) {
      double sum = 0;
      for (double v : parts(t)) sum += v * v;
      return sum;
    };
    CHECK(energy(fft::fft(x, std::nullopt, -1, "ortho")) == Approx(energy(x)).epsilon(1e-13));
  }
}

TEST_CASE("Fourier transforms take all layouts") {
  const Tensor x = complex_operand({4, 6, 5});
  for (int64_t dim : {0, 1, 2}) {
    CAPTURE(dim);
    const Tensor expected = fft::fft(x, std::nullopt, dim);
    const Tensor turned = x.permute({2, 0, 1}).contiguous().permute({1, 2, 0});
    CHECK(same_bits(fft::fft(turned, std::nullopt, dim).contiguous(), expected));
    const Tensor wide = complex_operand({4, 6, 10});
    const Tensor some = wide.slice(2, 1, std::nullopt, 2);
    CHECK(same_bits(fft::fft(some, std::nullopt, dim), fft::fft(some.contiguous(), std::nullopt, dim)));
    const Tensor same = complex_operand({4, 1, 5}).expand({4, 6, 5});
    CHECK(same_bits(fft::fft(same, std::nullopt, dim), fft::fft(same.contiguous(), std::nullopt, dim)));
  }
  // Pairs of floats where complex numbers would not start, and lines an odd number of floats apart.
  for (int64_t width : {31, 32}) {
    const Tensor some = real_operand({20, width}, kFloat).slice(1, 1, 31);
    CHECK(same_bits(fft::rfft(some), fft::rfft(some.contiguous())));
  }
  CHECK(fft::fft(complex_operand({0, 3})).sizes() == IntArrayRef({0, 3}));
  CHECK(fft::rfft(real_operand({0, 5})).sizes() == IntArrayRef({0, 3}));
  CHECK(fft::fftn(complex_operand({})).sizes().empty());
}

TEST_CASE("a line's transform has the same bits whatever lines are beside it") {
  for (int64_t n : {1,  2,  3,  4,   6,   7,   8,   10,  15,  16,  22,  25,   30,   36,  50,
                    53, 64, 90, 128, 144, 250, 256, 270, 289, 400, 512, 1000, 1024, 1100}) {
    CAPTURE(n);
    for (DType dtype : {kComplexFloat, kComplexDouble}) {
      const Tensor x = complex_operand({35, n}, dtype), r = real(x).contiguous();
      Tensor with_nan = x.clone();
      with_nan[3].fill_(kNaN);
      const Tensor columns = with_nan.t().contiguous();
      struct Way {
        Tensor all;
        std::function<Tensor(int64_t)> alone;
      };
      const Way ways[] = {
          {fft::fft(with_nan), [&](int64_t i) { return fft::fft(x[i]); }},
          {fft::fft(columns, {}, 0).t().contiguous(), [&](int64_t i) { return fft::fft(x[i]); }},
          {fft::irfft(with_nan, 2 * n), [&](int64_t i) { return fft::irfft(x[i], 2 * n); }},
          {fft::hfft(with_nan, 2 * n - 1), [&](int64_t i) { return fft::hfft(x[i], 2 * n - 1); }},
          {fft::rfft(r), [&](int64_t i) { return fft::rfft(r[i]); }},
          {fft::rfft(r.t().contiguous(), {}, 0).t().contiguous(), [&](int64_t i) { return fft::rfft(r[i]); }},
          {fft::ifft(r), [&](int64_t i) { return fft::ifft(r[i]); }},
      };
      for (const Way& way : ways)
        for (int64_t i : {0, 2, 4, 18, 34}) {
          CAPTURE(&way - ways, i);
          CHECK(same_bits(way.all[i], way.alone(i)));
        }
    }
  }
}

TEST_CASE("Fourier transforms do not depend on the number of threads") {
  for (int64_t n : {7, 64, 97, 1000}) {
    CAPTURE(n);
    const Tensor x = complex_operand({70, n}, kComplexFloat), r = real_operand({n, 70}, kFloat);
    CHECK(thread_independent([&] { return fft::fft(x); }));
    CHECK(thread_independent([&] { return fft::fft(x, std::nullopt, 0); }));
    CHECK(thread_independent([&] { return fft::rfft2(r); }));
    CHECK(thread_independent([&] { return fft::irfft2(x); }));
  }
}

TEST_CASE("images are transformed as lines along both dims, on any number of threads") {
  for (int64_t height : {128, 150}) {
    const Tensor x = complex_operand({9, height, 129}, kComplexFloat), r = real_operand({9, height, 256}, kFloat);
    const Tensor spectrum = fft::rfft(r);
    CHECK(same_bits(fft::rfft2(r), fft::fft(spectrum, std::nullopt, 1)));
    CHECK(same_bits(fft::fft2(x), fft::fft(fft::fft(x), std::nullopt, 1)));
    CHECK(same_bits(fft::irfft2(x, {}, {-2, -1}, "forward"),
                    fft::irfft(fft::ifft(x, std::nullopt, 1, "forward"), std::nullopt, -1, "forward")));
    CHECK(same_bits(fft::rfft2(r)[4], fft::rfft2(r[4])));
    const Tensor turned = r.permute({2, 0, 1}).contiguous().permute({1, 2, 0});
    CHECK(same_bits(fft::rfft2(turned).contiguous(), fft::rfft2(r)));
    CHECK(thread_independent([&] { return fft::rfft2(r); }));
    CHECK(thread_independent([&] { return fft::irfft2(x); }));
  }
}

TEST_CASE("Fourier transforms promote integers and keep the precision") {
  const Tensor whole = arange(6, kInt);
  CHECK(fft::fft(whole).dtype() == kComplexFloat);
  CHECK(fft::rfft(whole).dtype() == kComplexFloat);
  CHECK(fft::hfft(whole).dtype() == kFloat);
  CHECK(fft::irfft(real_operand({4})).dtype() == kDouble);
  CHECK(fft::fftfreq(4).dtype() == kFloat);
  CHECK(fft::rfftfreq(5, kDouble).dtype() == kDouble);
  CHECK(relative(fft::fft(whole.to(kBool)), fft::fft(whole.to(kBool).to(kFloat))) == 0);
}

TEST_CASE("sizes and dims are taken in whatever form they come") {
  const Tensor x = real_operand({4, 6}), expected = fft::fftn(x, {4, 4}, {0, 1});
  const std::vector<int64_t> sizes{4, 4};
  const std::array<int64_t, 2> dims{0, 1};
  const std::optional<IntArrayRef> none;
  CHECK(same_bits(fft::fftn(x, sizes), expected));
  CHECK(same_bits(fft::fftn(x, IntArrayRef(sizes), dims), expected));
  CHECK(same_bits(fft::fftn(x, DimVector{4, 4}, none), expected));
  CHECK(same_bits(fft::fft2(x, sizes), expected));
  CHECK(same_bits(fft::fftn(x, 4), fft::fft(x, 4)));
  CHECK(same_bits(fft::fftn(x, std::nullopt, 0), fft::fft(x, {}, 0)));
  CHECK(same_bits(fft::fftshift(x, {1}), fft::fftshift(x, 1)));
}

TEST_CASE("gradients of real losses through Fourier transforms") {
  // The energy of an orthonormal transform is that of the signal, so its gradient is twice the signal.
  const Tensor x = real_operand({3, 8}).requires_grad_(true);
  const Tensor y = view_as_real(fft::fft(x, std::nullopt, -1, "ortho"));
  (y * y).sum().backward();
  CHECK(relative(x.grad(), 2 * x.detach()) < 1e-14);
  // The sum of the two-sided spectrum is n times the first value.
  const Tensor r = real_operand({7}).requires_grad_(true);
  real(fft::fft(r)).sum().backward();
  CHECK(relative(r.grad(), tensor(std::vector<double>{7, 0, 0, 0, 0, 0, 0}, TensorOptions(kDouble))) < 1e-14);
}

TEST_CASE("errors of Fourier transforms name what is wrong") {
  const Tensor x = real_operand({3, 4}), z = complex_operand({3, 4});
  CHECK_THROWS_WITH(fft::rfft(z), ContainsSubstring("rfft: the input must be real, not complex128"));
  CHECK_THROWS_WITH(fft::ihfft(z), ContainsSubstring("ihfft: the input must be real"));
  CHECK_THROWS_WITH(fft::rfftn(z), ContainsSubstring("rfftn: the input must be real"));
  CHECK_THROWS_WITH(fft::fft(x.to(kHalf)), ContainsSubstring("fft: float16 is not supported; convert to float32"));
  CHECK_THROWS_WITH(fft::fft2(x.to(kBFloat16)), ContainsSubstring("fft2: bfloat16 is not supported"));
  CHECK_THROWS_WITH(fft::fft(x, 0), ContainsSubstring("fft: 0 values along dim 1"));
  CHECK_THROWS_WITH(fft::fft(x, -3), ContainsSubstring("-3 values"));
  CHECK_THROWS_WITH(fft::irfft(complex_operand({3, 1})), ContainsSubstring("irfft: 0 values along dim 1"));
  CHECK_THROWS_WITH(fft::fft(x, std::nullopt, 2), ContainsSubstring("fft: dim 2"));
  CHECK_THROWS_WITH(fft::fft(real_operand({})), ContainsSubstring("at least one dim"));
  CHECK_THROWS_WITH(fft::fft(x, std::nullopt, -1, "both"), ContainsSubstring("norm \"both\""));
  CHECK_THROWS_WITH(fft::fftn(x, {4}, {0, 1}), ContainsSubstring("fftn: 1 sizes for 2 dims"));
  CHECK_THROWS_WITH(fft::fftn(x, {2, 2, 2}), ContainsSubstring("fftn: 3 sizes for an input of 2 dims"));
  CHECK_THROWS_WITH(fft::fftn(x, {}, {0, -2}), ContainsSubstring("fftn"));
  CHECK_THROWS_WITH(fft::rfftn(real_operand({})), ContainsSubstring("rfftn: needs at least one dim"));
  CHECK_THROWS_WITH(fft::fftfreq(4, kLong), ContainsSubstring("fftfreq: the dtype must be"));
}
