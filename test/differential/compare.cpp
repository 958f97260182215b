// Compares tensors with expectations, element by element.
#include "test/differential/compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

namespace differential {
namespace {

/// Relative and absolute tolerance of a dtype, as torch.testing.assert_close has them but for float64, where they are
/// narrow enough to tell a result that was computed in float32.
struct Tolerance {
  double relative, absolute, epsilon;
};

Tolerance tolerance_of(strata::DType dtype) {
  switch (strata::to_real_dtype(dtype)) {
    case strata::kDouble:
      return {1e-9, 1e-9, std::numeric_limits<double>::epsilon()};
    case strata::kFloat:
      return {1.3e-6, 1e-5, std::numeric_limits<float>::epsilon()};
    case strata::kHalf:
      return {1e-3, 1e-5, 0x1p-10};
    default:
      return {1.6e-2, 1e-5, 0x1p-7};
  }
}

// Positions in memory of the elements in row-major order, counted in elements.
std::vector<int64_t> places_of(const Tensor& t) {
  std::vector<int64_t> places{0};
  for (int64_t d = 0; d < t.dim(); ++d) {
    std::vector<int64_t> next;
    for (int64_t place : places)
      for (int64_t i = 0; i < t.size(d); ++i) next.push_back(place + i * t.stride(d));
    places = std::move(next);
  }
  return places;
}

template <class Element>
Element element_at(const char* data, int64_t place) {
  Element e;
  std::memcpy(&e, data + place * static_cast<int64_t>(sizeof(Element)), sizeof(Element));
  return e;
}

bool near(double got, double wanted, const Tolerance& t, double magnitude) {
  if (std::isnan(got) || std::isnan(wanted)) return std::isnan(got) && std::isnan(wanted);
  if (got == wanted) return true;
  if (!std::isfinite(got) || !std::isfinite(wanted)) return false;
  return std::abs(got - wanted) <= t.absolute + t.relative * std::abs(wanted) + 32 * t.epsilon * magnitude;
}

template <class Element>
bool same_element(const Element& got, const Element& wanted, const Tolerance& t, double magnitude) {
  if constexpr (std::is_integral_v<Element>) {
    return got == wanted;
  } else if constexpr (strata::kIsComplex<Element>) {
    const double size = std::isfinite(wanted.real()) && std::isfinite(wanted.imag())
                            ? std::hypot<double>(wanted.real(), wanted.imag())
                            : 0;  // one part may round by as much as the other is large
    const Tolerance of_both{0, t.absolute + t.relative * size, t.epsilon};
    return near(got.real(), wanted.real(), of_both, magnitude) && near(got.imag(), wanted.imag(), of_both, magnitude);
  } else {
    return near(static_cast<double>(got), static_cast<double>(wanted), t, magnitude);
  }
}

/// PyTorch multiplies complex gradients by 1 + 0i before it adds them up, which makes a NaN of the part beside an
/// infinity or a NaN.
template <class Element>
bool is_spoiled(const Element& got, const Element& wanted, const Tolerance& t, double magnitude) {
  if constexpr (!strata::kIsComplex<Element>) {
    return false;
  } else {
    if (std::isfinite(got.real()) && std::isfinite(got.imag())) return false;
    return (std::isnan(wanted.real()) || near(got.real(), wanted.real(), t, magnitude)) &&
           (std::isnan(wanted.imag()) || near(got.imag(), wanted.imag(), t, magnitude));
  }
}

template <class Element>
void print(std::ostream& out, const Element& e) {
  if constexpr (std::is_same_v<Element, bool> || std::is_integral_v<Element>)
    out << static_cast<int64_t>(e);
  else if constexpr (strata::kIsComplex<Element>)
    out << e.real() << (std::signbit(e.imag()) ? "" : "+") << e.imag() << "j";
  else
    out << static_cast<double>(e);
}

template <class Element>
std::optional<std::string> compare_elements(const Tensor& tensor, const Expected& expected, double magnitude,
                                            strata::DType through) {
  const Tolerance tolerance = tolerance_of(coarser(expected.dtype, through));
  const auto places = places_of(tensor);
  int wrong = 0;
  std::ostringstream text;
  text.precision(17);
  for (size_t i = 0; i < places.size(); ++i) {
    const auto got = element_at<Element>(tensor.bytes(), places[i]);
    const auto wanted = element_at<Element>(expected.bytes.data(), static_cast<int64_t>(i));
    if (same_element(got, wanted, tolerance, magnitude)) continue;
    if (through != strata::DType::Undefined && is_spoiled(got, wanted, tolerance, magnitude)) continue;
    if (++wrong > 3) continue;
    text << (wrong == 1 ? "element " : ", element ") << i << " is ";
    print(text, got);
    text << ", PyTorch's ";
    print(text, wanted);
  }
  if (!wrong) return std::nullopt;
  return "value: " + std::to_string(wrong) + " of " + std::to_string(places.size()) + " wrong, " + text.str();
}

std::string dims_text(strata::IntArrayRef dims) {
  std::ostringstream out;
  out << "[";
  for (size_t i = 0; i < dims.size(); ++i) out << (i ? "," : "") << dims[i];
  out << "]";
  return out.str();
}

// Strides of dims that are never walked say nothing.
bool same_strides(const Tensor& t, const std::vector<int64_t>& wanted) {
  if (t.numel() == 0) return true;
  for (int64_t d = 0; d < t.dim(); ++d)
    if (t.size(d) > 1 && t.stride(d) != wanted[static_cast<size_t>(d)]) return false;
  return true;
}

std::string got_and_wanted(std::string_view what, std::string_view got, std::string_view wanted) {
  std::ostringstream out;
  out << what << ": " << got << ", PyTorch's " << wanted;
  return out.str();
}

// Zeros that went through an infinite slope are NaN.
template <class Element>
bool is_zero_or_nan(const Element& e) {
  return e == Element{} || !(e == e);
}

bool is_all_zeros(const Expected& expected) {
  bool zeros = true;
  visit_elements(expected.dtype, [&]<class Element>() {
    for (size_t i = 0; i < expected.bytes.size() / sizeof(Element); ++i)
      zeros = zeros && is_zero_or_nan(element_at<Element>(expected.bytes.data(), static_cast<int64_t>(i)));
  });
  return zeros;
}

}  // namespace

double magnitude_of(const Tensor& tensor) {
  double largest = 0;
  if (!tensor.defined() || !tensor.numel() || !strata::is_differentiable(tensor.dtype())) return 0;
  visit_elements(tensor.dtype(), [&]<class Element>() {
    for (int64_t place : places_of(tensor)) {
      const auto e = element_at<Element>(tensor.bytes(), place);
      double size = 0;
      if constexpr (strata::kIsComplex<Element>)
        size = std::hypot<double>(e.real(), e.imag());
      else
        size = std::abs(static_cast<double>(e));
      if (std::isfinite(size)) largest = std::max(largest, size);
    }
  });
  return largest;
}

void set_elements(const Tensor& tensor, const Expected& expected) {
  if (!tensor.defined() || !tensor.numel()) return;
  const auto places = places_of(tensor);
  const size_t size = strata::item_size(expected.dtype);
  for (size_t i = 0; i < places.size(); ++i)
    std::memcpy(tensor.bytes() + places[i] * static_cast<int64_t>(size), expected.bytes.data() + i * size, size);
}

strata::DType coarser(strata::DType a, strata::DType b) {
  if (!strata::is_differentiable(a)) return b;
  if (!strata::is_differentiable(b)) return a;
  return tolerance_of(a).epsilon < tolerance_of(b).epsilon ? b : a;
}

std::optional<std::string> difference(const Tensor& tensor, const Expected& expected, double magnitude,
                                      strata::DType through) {
  // No gradient and zeros are the same: what was wholly written over has none here, zeros in PyTorch
  // (docs/autograd.md).
  if (!tensor.defined() && expected.defined && is_all_zeros(expected)) return std::nullopt;
  if (tensor.defined() && !expected.defined && magnitude_of(tensor) == 0) return std::nullopt;
  if (tensor.defined() != expected.defined)
    return got_and_wanted("gradient", tensor.defined() ? "defined" : "undefined",
                          expected.defined ? "defined" : "undefined");
  if (!tensor.defined()) return std::nullopt;
  if (tensor.dtype() != expected.dtype) return got_and_wanted("dtype", name(tensor.dtype()), name(expected.dtype));
  if (!tensor.sizes().equals(expected.sizes))
    return got_and_wanted("sizes", dims_text(tensor.sizes()), dims_text(expected.sizes));
  if (tensor.requires_grad() != expected.requires_grad)
    return got_and_wanted("requires_grad", tensor.requires_grad() ? "true" : "false",
                          expected.requires_grad ? "true" : "false");
  if (expected.strides && !same_strides(tensor, *expected.strides))
    return got_and_wanted("strides", dims_text(tensor.strides()), dims_text(*expected.strides));
  if (!tensor.numel()) return std::nullopt;
  std::optional<std::string> found;
  visit_elements(expected.dtype,
                 [&]<class Element>() { found = compare_elements<Element>(tensor, expected, magnitude, through); });
  return found;
}

}  // namespace differential
