// libtorch's C++ rendering of tensors: columns of numbers, then the type with its sizes.
#include "ops/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <optional>
#include <ostream>
#include <sstream>

#include "ops/complex.h"
#include "ops/print_values.h"

namespace strata {

namespace {

ThreadState below_all_layers() {
  ThreadState plain;
  plain.excluded = KeySet(Key::Autograd) | Key::Autocast | Key::Transform | Key::Profiler;
  return plain;
}

}  // namespace

Tensor printable(const Tensor& x, DType dtype) {
  const ThreadStateGuard guard(below_all_layers());
  return x.to(TensorOptions(dtype).device(kCPU)).contiguous();
}
Tensor printable_parts(const Tensor& x) {
  const ThreadStateGuard guard(below_all_layers());
  return view_as_real(x).to(TensorOptions(kDouble).device(kCPU)).contiguous();
}

namespace {

/// How the numbers of one vector or matrix are written.
struct NumberFormat {
  enum class Style { kGeneral, kFixed, kScientific } style = Style::kGeneral;
  int width = 0;
  double scale = 1;
  std::string operator()(double v) const {
    if (std::isnan(v)) v = std::abs(v);  // processors set the sign of a NaN as they like
    switch (style) {
      case Style::kFixed:
        return fmt::format("{:>{}.4f}", v / scale, width);
      case Style::kScientific:
        return fmt::format("{:>{}.4e}", v, width);
      default:
        return fmt::format("{:>{}.6g}", v, width);
    }
  }
};

/// Digits before the decimal point; 1 for zero, not positive for fractions with leading zeros.
int magnitude(double v) { return v == 0 ? 1 : static_cast<int>(std::floor(std::log10(v))) + 1; }

/// Magnitudes of the smallest and the largest finite value.
struct Span {
  int least = 1, most = 1;
  bool integers = true;
};

Span span_of(ArrayRef<double> values) {
  Span s;
  std::optional<double> least, most;
  for (double v : values) {
    if (!std::isfinite(v)) continue;
    s.integers &= v == std::ceil(v);
    least = std::min(least.value_or(std::abs(v)), std::abs(v));
    most = std::max(most.value_or(std::abs(v)), std::abs(v));
  }
  if (least) s.least = magnitude(*least), s.most = magnitude(*most);
  return s;
}

/// Integers as they are, fractions with four digits, a common factor or an exponent where the span asks for it.
NumberFormat choose_format(ArrayRef<double> values) {
  using Style = NumberFormat::Style;
  const Span s = span_of(values);
  if (s.integers) return s.most > 9 ? NumberFormat{Style::kScientific, 11} : NumberFormat{Style::kGeneral, s.most + 1};
  if (s.most - s.least > 4) return {Style::kScientific, std::max(std::abs(s.most), std::abs(s.least)) > 99 ? 12 : 11};
  if (s.most > 5 || s.most < 0) return {Style::kFixed, 7, std::pow(10.0, s.most - 1)};
  return {Style::kFixed, s.most == 0 ? 7 : s.most + 6};
}

/// Both parts by their own formats; a common factor would have to stand for both, so there is none.
struct ComplexFormat {
  NumberFormat real, imag;
  int width = 0;
  static constexpr double scale = 1;
  std::string operator()(const Complex<double>& v) const {
    const std::string im = imag(v.imag());
    const std::string_view digits = std::string_view(im).substr(im.find_first_not_of(' '));
    const char* sign = digits[0] == '-' ? "" : "+";
    return fmt::format("{:<{}}", fmt::format("{}{}{}j", real(v.real()), sign, digits), width);
  }
};
NumberFormat without_scale(NumberFormat f) {
  return f.scale == 1 ? f : NumberFormat{NumberFormat::Style::kScientific, 11};
}
ComplexFormat choose_format(ArrayRef<Complex<double>> values) {
  std::vector<double> re, im;
  for (const Complex<double>& v : values) re.push_back(v.real()), im.push_back(v.imag());
  const NumberFormat a = without_scale(choose_format(re)), b = without_scale(choose_format(im));
  return {a, b, a.width + b.width + 1};
}

void print_scale(std::ostream& out, double scale) { out << fmt::format("{} *\n", scale); }

template <class T>
void print_vector(std::ostream& out, ArrayRef<T> values) {
  const auto format = choose_format(values);
  if (format.scale != 1) print_scale(out, format.scale);
  for (const T& v : values) out << format(v) << '\n';
}

/// Columns [begin, end) of all rows; every line but the first is indented.
template <class T, class Format>
void print_columns(std::ostream& out, ArrayRef<T> values, const Format& format, int64_t columns, int64_t begin,
                   int64_t end, const std::string& indent) {
  const int64_t rows = static_cast<int64_t>(values.size()) / columns;
  for (int64_t r = 0; r < rows; ++r) {
    if (r > 0) out << indent;
    if (r > 0 && format.scale != 1) out << ' ';
    for (int64_t c = begin; c < end; ++c) out << format(values[r * columns + c]) << (c + 1 < end ? " " : "\n");
  }
}

template <class T>
void print_matrix(std::ostream& out, ArrayRef<T> values, int64_t columns, int64_t line_size, int64_t indentation) {
  const auto format = choose_format(values);
  const std::string indent(indentation, ' ');
  const int64_t per_line = std::max<int64_t>(1, (line_size - indentation) / (format.width + 1));
  for (int64_t begin = 0; begin < columns; begin += per_line) {
    const int64_t end = std::min(begin + per_line, columns);
    if (per_line < columns) out << (begin > 0 ? "\n" : "") << "Columns " << begin + 1 << " to " << end << indent;
    if (format.scale != 1) {
      print_scale(out, format.scale);
      out << indent;
    }
    print_columns(out, values, format, columns, begin, end, indent);
  }
}

/// The matrices of the last two dims, the first index changing fastest.
template <class T>
void print_matrices(std::ostream& out, ArrayRef<T> values, IntArrayRef sizes, int64_t line_size) {
  const IntArrayRef outer = sizes.slice(0, sizes.size() - 2);
  const int64_t columns = sizes.back(), count = sizes[sizes.size() - 2] * columns;
  for (int64_t i = 0; i < static_cast<int64_t>(values.size()) / count; ++i) {
    out << (i > 0 ? "\n(" : "(");
    int64_t rest = i, at = 0;
    for (int64_t n : outer) {
      out << rest % n + 1 << ',';
      at = at * n + rest % n;
      rest /= n;
    }
    out << ".,.) = \n";
    print_matrix(out, values.slice(at * count, count), columns, line_size, 1);
  }
}

void print_type(std::ostream& out, const Tensor& x) {
  out << "[ " << x.toString() << '{';
  for (int64_t d = 0; d < x.dim(); ++d) out << (d ? "," : "") << x.sizes()[d];
  out << '}';
}

std::string bare(double v) { return fmt::format("{}", std::isnan(v) ? std::abs(v) : v); }
std::string bare(const Complex<double>& v) { return fmt::format("{}{:+}j", v.real(), v.imag()); }

template <class T>
void print_numbers(std::ostream& out, const Tensor& x, int64_t line_size) {
  const Tensor numbers = printable(x, dtype_of<T>);
  const ArrayRef<T> values(numbers.data_ptr<T>(), static_cast<size_t>(numbers.numel()));
  if (x.dim() == 0)
    out << bare(values[0]) << '\n';
  else if (x.numel() == 0)
    return;
  else if (x.dim() == 1)
    print_vector(out, values);
  else if (x.dim() == 2)
    print_matrix(out, values, x.sizes()[1], line_size, 0);
  else
    print_matrices(out, values, x.sizes(), line_size);
}

}  // namespace

std::string Tensor::toString() const { return defined() ? type().toString() : "UndefinedType"; }
std::string DeprecatedTypeProperties::toString() const {
  std::string text = name(device_type());
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text + detail::kScalarTypeName[static_cast<int>(dtype_)] + "Type";
}
std::ostream& operator<<(std::ostream& out, const DeprecatedTypeProperties& type) { return out << type.toString(); }
void Tensor::print() const {
  if (!defined())
    std::cerr << "[UndefinedTensor]\n";
  else
    std::cerr << '[' << toString() << ' ' << sizes() << "]\n";
}

std::ostream& print(std::ostream& out, const Tensor& x, int64_t line_size) {
  if (!x.defined()) return out << "[ Tensor (undefined) ]";
  std::ostringstream text;  // so that the stream's own width and flags neither matter nor change
  if (x.has_storage())
    x.is_complex() ? print_numbers<Complex<double>>(text, x, line_size) : print_numbers<double>(text, x, line_size);
  print_type(text, x);
  return out << text.str() << (x.has_storage() ? " ]" : ", values inside a transform ]");
}

std::ostream& operator<<(std::ostream& out, const Tensor& x) { return print(out, x, 80); }

std::ostream& operator<<(std::ostream& out, IntArrayRef values) {
  return out << fmt::format("[{}]", fmt::join(values.begin(), values.end(), ", "));
}

std::ostream& operator<<(std::ostream& out, const Scalar& value) {
  if (value.is_complex())
    return out << '(' << value.toComplexDouble().real() << ',' << value.toComplexDouble().imag() << ')';
  if (value.isBoolean()) return out << (value.toBool() ? "true" : "false");
  if (value.type() == kUInt64) return out << value.to<uint64_t>();
  return value.is_floating_point() ? out << value.toDouble() : out << value.toLong();
}

namespace indexing {

std::ostream& operator<<(std::ostream& out, const Slice& slice) {
  constexpr int64_t kLast = std::numeric_limits<int64_t>::max() / 2;  // libtorch's, of numbers that may be symbols
  return out << slice.start().value_or(0) << ':' << slice.stop().value_or(kLast) << ':' << slice.step();
}

std::ostream& operator<<(std::ostream& out, const TensorIndex& index) {
  switch (index.kind()) {
    case TensorIndex::Kind::kNone:
      return out << "None";
    case TensorIndex::Kind::kEllipsis:
      return out << "...";
    case TensorIndex::Kind::kInteger:
      return out << index.integer();
    case TensorIndex::Kind::kBool:
      return out << (index.boolean() ? "true" : "false");
    case TensorIndex::Kind::kSlice:
      return out << index.slice();
    case TensorIndex::Kind::kTensor:
      return out << index.tensor();
  }
  return out;
}

}  // namespace indexing

std::string str(const Tensor& x) {
  std::ostringstream out;
  out << x;
  return out.str();
}

}  // namespace strata
