// The signals that the scripts of the Fourier transforms' answers make too, and how their results are compared.
#pragma once
#include <cmath>
#include <sstream>

#include "ops/complex.h"
#include "test/catch.h"
#include "test/ops/tools.h"

namespace strata::test {

/// The numbers that fft_make.py makes its inputs of.
inline std::vector<double> numbers(int64_t n) {
  std::vector<double> v(static_cast<size_t>(n));
  for (size_t i = 0; i < v.size(); ++i) {
    const double x = static_cast<double>(i + 1) * 0.6180339887498949;
    v[i] = (x - std::floor(x)) * 2 - 1;
  }
  return v;
}

inline Tensor real_operand(const DimVector& shape, DType dtype = kDouble) {
  return tensor(numbers(numel_of(shape)), TensorOptions(kDouble)).view(shape).to(dtype);
}
inline Tensor complex_operand(DimVector shape, DType dtype = kComplexDouble) {
  shape.push_back(2);
  return view_as_complex(real_operand(shape, to_real_dtype(dtype)));
}

/// All numbers in row-major order, complex ones as two.
inline std::vector<double> parts(const Tensor& t) {
  const Tensor d = t.detach();
  return values(is_complex(t.dtype()) ? view_as_real(d.contiguous()) : d);
}

/// |a - b| / |b| over all numbers.
inline double relative(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double difference = 0, size = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return size == 0 ? difference : std::sqrt(difference / size);
}
inline double relative(const Tensor& a, const Tensor& b) {
  CHECK(a.sizes() == b.sizes());
  return relative(parts(a), parts(b));
}

/// The first four numbers, and the sum of all times what an input would have in their place.
inline std::vector<double> first_and_sum(const std::vector<double>& v) {
  const std::vector<double> weights = numbers(static_cast<int64_t>(v.size()));
  double sum = 0;
  for (size_t i = 0; i < v.size(); ++i) sum += v[i] * weights[i];
  return {v[0], v[1], v[2], v[3], sum};
}

/// "3x4x5", or "-" for none.
inline DimVector dims_in(const std::string& text) {
  DimVector dims;
  std::string word;
  for (std::istringstream in(text == "-" ? "" : text); std::getline(in, word, 'x');) dims.push_back(std::stoll(word));
  return dims;
}

}  // namespace strata::test
