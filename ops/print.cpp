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

#include "core/naming.h"
#include "ops/print_values.h"

namespace strata {

namespace {

/// How the numbers of one vector or matrix are written.
struct NumberFormat {
  enum class Style { kGeneral, kFixed, kScientific } style = Style::kGeneral;
  int width = 0;
  double scale = 1;
  int digits = 4;
  std::string operator()(double v) const {
    if (std::isnan(v)) v = std::abs(v);  // processors set the sign of a NaN as they like
    switch (style) {
      case Style::kFixed:
        return fmt::format("{:>{}.{}f}", v / scale, width, digits);
      case Style::kScientific:
        return fmt::format("{:>{}.{}e}", v, width, digits);
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

/// Integers as they are, fractions with four digits (or those asked for), a common factor or an exponent where the span
/// asks for it.
NumberFormat choose_format(ArrayRef<double> values, const PrintStyle& style) {
  using Style = NumberFormat::Style;
  const Span s = span_of(values);
  const int digits = static_cast<int>(style.precision), more = digits - 4;
  const bool long_exponent = std::max(std::abs(s.most), std::abs(s.least)) > 99;
  const NumberFormat scientific{Style::kScientific, (long_exponent ? 12 : 11) + more, 1, digits};
  if (s.integers) {
    if (style.sci_mode.value_or(s.most > 9)) return {Style::kScientific, 11 + more, 1, digits};
    return {Style::kGeneral, s.most + 1};
  }
  if (style.sci_mode.value_or(s.most - s.least > 4)) return scientific;
  if (!style.sci_mode && (s.most > 5 || s.most < 0))
    return {Style::kFixed, 7 + more, std::pow(10.0, s.most - 1), digits};
  return {Style::kFixed, std::max(s.most, 1) + 6 + more, 1, digits};
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
  return f.scale == 1 ? f : NumberFormat{NumberFormat::Style::kScientific, 7 + f.digits, 1, f.digits};
}
ComplexFormat choose_format(ArrayRef<Complex<double>> values, const PrintStyle& style) {
  std::vector<double> re, im;
  for (const Complex<double>& v : values) re.push_back(v.real()), im.push_back(v.imag());
  const NumberFormat a = without_scale(choose_format(re, style)), b = without_scale(choose_format(im, style));
  return {a, b, a.width + b.width + 1};
}

void print_scale(std::ostream& out, double scale) { out << fmt::format("{} *\n", scale); }

/// Writes the values of one tensor.
template <class T>
class Values {
 public:
  Values(std::ostream& out, const Shown& shown, ArrayRef<T> values, const PrintStyle& style)
      : out_(out), values_(values), sizes_(shown.values.sizes()), gaps_(shown.gaps), style_(style) {}

  void print_vector(int64_t n) {
    const auto format = choose_format(values_, style_);
    if (format.scale != 1) print_scale(out_, format.scale);
    for_shown(n, gaps_[0],
              [&](int64_t i) { out_ << (i < 0 ? " ..." : format(values_[static_cast<size_t>(i)])) << '\n'; });
  }

  /// The matrix that begins at value `at`, with lines that are broken between columns unless some are left out.
  void print_matrix(int64_t at, int64_t indentation) {
    const int64_t columns = sizes_.back(), rows = sizes_[sizes_.size() - 2];
    const ArrayRef<T> values = values_.slice(static_cast<size_t>(at), static_cast<size_t>(rows * columns));
    const auto format = choose_format(values, style_);
    const std::string indent(indentation, ' ');
    int64_t per_line = std::max<int64_t>(1, (style_.linewidth - indentation) / (format.width + 1));
    if (gaps_.back()) per_line = columns;
    for (int64_t begin = 0; begin < columns; begin += per_line) {
      const int64_t end = std::min(begin + per_line, columns);
      if (per_line < columns) out_ << (begin > 0 ? "\n" : "") << "Columns " << begin + 1 << " to " << end << indent;
      if (format.scale != 1) {
        print_scale(out_, format.scale);
        out_ << indent;
      }
      print_columns(values, format, begin, end, indent);
    }
  }

  /// The matrices of the last two dims of a tensor of these sizes, the first index changing fastest.
  void print_matrices(IntArrayRef whole) {
    const size_t outer = sizes_.size() - 2;
    const int64_t each = sizes_[outer] * sizes_[outer + 1];
    for (int64_t i = 0; i < static_cast<int64_t>(values_.size()) / each; ++i) {
      std::string label, gap;
      int64_t rest = i, at = 0;
      bool first = true;  // of the dims that change faster
      for (size_t d = 0; d < outer; ++d) {
        const int64_t n = sizes_[d], index = rest % n;
        if (gaps_[d] && first && index == n / 2) gap = "\n...\n";
        first = first && index == 0;
        label += fmt::format("{},", (gaps_[d] && index >= n / 2 ? index + whole[d] - n : index) + 1);
        at = at * n + index;
        rest /= n;
      }
      out_ << gap << (i > 0 ? "\n(" : "(") << label << ".,.) = \n";
      print_matrix(at * each, 1);
    }
  }

 private:
  /// Columns [begin, end) of all rows; every line but the first is indented.
  template <class Format>
  void print_columns(ArrayRef<T> values, const Format& format, int64_t begin, int64_t end, const std::string& indent) {
    const int64_t columns = sizes_.back();
    const auto print_row = [&](int64_t r) {
      if (r != 0) out_ << indent;
      if (r != 0 && format.scale != 1) out_ << ' ';
      if (r < 0) {
        out_ << " ...\n";
        return;
      }
      const char* before = "";
      for_shown(end - begin, gaps_.back(), [&](int64_t c) {
        out_ << before << (c < 0 ? " ..." : format(values[static_cast<size_t>(r * columns + begin + c)]));
        before = " ";
      });
      out_ << '\n';
    };
    for_shown(sizes_[sizes_.size() - 2], gaps_[sizes_.size() - 2], print_row);
  }

  std::ostream& out_;
  const ArrayRef<T> values_;
  const IntArrayRef sizes_;
  const std::vector<bool>& gaps_;
  const PrintStyle& style_;
};

void print_type(std::ostream& out, const Tensor& x) {
  out << "[ " << x.toString() << '{';
  for (int64_t d = 0; d < x.dim(); ++d) out << (d ? "," : "") << x.sizes()[d];
  out << '}';
}

std::string bare(double v) { return fmt::format("{}", std::isnan(v) ? std::abs(v) : v); }
std::string bare(const Complex<double>& v) { return fmt::format("{}{:+}j", v.real(), v.imag()); }

template <class T>
void print_numbers(std::ostream& out, const Tensor& x, const PrintStyle& style) {
  if (x.numel() == 0) return;
  const Shown shown = shown_of(x, style);
  if (shown.values.numel() == 0) {
    out << " ...\n";
    return;
  }
  const Tensor numbers = printable(shown.values, dtype_of<T>);
  const ArrayRef<T> values(numbers.data_ptr<T>(), static_cast<size_t>(numbers.numel()));
  Values<T> text(out, shown, values, style);
  if (x.dim() == 0)
    out << bare(values[0]) << '\n';
  else if (x.dim() == 1)
    text.print_vector(numbers.numel());
  else if (x.dim() == 2)
    text.print_matrix(0, 0);
  else
    text.print_matrices(x.sizes());
}

/// The options, or libtorch's way: its streams shorten nothing.
PrintStyle stream_style(int64_t line_size) {
  PrintStyle style = print_style();
  if (libtorch_names()) style = {4, std::numeric_limits<int64_t>::max(), 3, 80, {}};
  style.linewidth = line_size;
  return style;
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
  const PrintStyle style = stream_style(line_size);
  if (x.has_storage())
    x.is_complex() ? print_numbers<Complex<double>>(text, x, style) : print_numbers<double>(text, x, style);
  print_type(text, x);
  return out << text.str() << (x.has_storage() ? " ]" : ", values inside a transform ]");
}

std::ostream& operator<<(std::ostream& out, const Tensor& x) {
  return print(out, x, libtorch_names() ? 80 : print_style().linewidth);
}

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
  return out << slice.start() << ':' << slice.stop() << ':' << slice.step();
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
