// Python's rendering of tensors, after PyTorch's torch/_tensor_str.py.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/naming.h"
#include "ops/print.h"
#include "ops/print_values.h"

namespace strata {
namespace {

constexpr int64_t kIndent = 7;  // of what follows "tensor("

/// Which numbers of a complex tensor are meant; a real one has them whole.
enum class ComplexPart { kWhole, kReal, kImag };

/// Renders the elements of a row-major tensor at equal width.
class Numbers {
 public:
  Numbers(const Tensor& x, const PrintStyle& style, ComplexPart part)
      : style_(style),
        dtype_(x.dtype()),
        floating_(is_differentiable(x.dtype())),
        step_(part == ComplexPart::kWhole ? 1 : 2),
        first_(part == ComplexPart::kImag),
        values_(part != ComplexPart::kWhole ? printable_parts(x) : printable(x, floating_ ? kDouble : kLong)) {
    if (floating_) choose_form(x.numel());
    for (int64_t i = 0; i < x.numel(); ++i)
      if (!floating_ || counts(real(i))) width_ = std::max(width_, bare(i).size());
  }
  size_t width() const { return width_; }
  std::string operator()(int64_t i) const { return fmt::format("{:>{}}", bare(i), width_); }

 private:
  static bool counts(double v) { return std::isfinite(v) && v != 0; }
  double real(int64_t i) const { return values_.data_ptr<double>()[i * step_ + first_]; }

  void choose_form(int64_t n) {
    double least = INFINITY, most = 0;
    for (int64_t i = 0; i < n; ++i) {
      const double v = real(i);
      if (!counts(v)) continue;
      integers_ &= v == std::ceil(v);
      least = std::min(least, std::abs(v));
      most = std::max(most, std::abs(v));
    }
    scientific_ = most > 0 && style_.sci_mode.value_or(most / least > 1000 || most > 1e8 || least < 1e-4);
  }

  std::string bare(int64_t i) const {
    if (dtype_ == kBool) return values_.data_ptr<int64_t>()[i] ? "True" : "False";
    if (dtype_ == kUInt64) return fmt::format("{}", static_cast<uint64_t>(values_.data_ptr<int64_t>()[i]));
    if (!floating_) return fmt::format("{}", values_.data_ptr<int64_t>()[i]);
    const double v = real(i);
    if (!std::isfinite(v)) return std::isnan(v) ? "nan" : v > 0 ? "inf" : "-inf";
    if (scientific_) return fmt::format("{:.{}e}", v, style_.precision);
    return integers_ ? fmt::format("{:.0f}.", v) : fmt::format("{:.{}f}", v, style_.precision);
  }

  const PrintStyle& style_;
  const DType dtype_;
  bool floating_, integers_ = true, scientific_ = false;
  int64_t step_, first_;
  Tensor values_;
  size_t width_ = 1;
};

/// The same, where a complex number is its real part, then its imaginary one with its sign and without padding.
class Elements {
 public:
  Elements(const Tensor& x, const PrintStyle& style)
      : numbers_(x, style, x.is_complex() ? ComplexPart::kReal : ComplexPart::kWhole) {
    if (x.is_complex()) imag_.emplace(x, style, ComplexPart::kImag);
  }
  size_t width() const { return numbers_.width() + (imag_ ? imag_->width() + 1 : 0); }
  std::string operator()(int64_t i) const {
    if (!imag_) return numbers_(i);
    std::string im = (*imag_)(i);
    im.erase(0, im.find_first_not_of(' '));
    return numbers_(i) + (im[0] == '-' ? "" : "+") + im + "j";
  }

 private:
  Numbers numbers_;
  std::optional<Numbers> imag_;
};

/// What is shown of a tensor, as nested lists.
class Lists {
 public:
  Lists(const Shown& shown, const PrintStyle& style) : shown_(shown), style_(style), elements_(shown.values, style) {}
  /// From dim `d` on, of the slice number `at` of the dims before.
  std::string text(size_t d, int64_t at, int64_t indent) const {
    const IntArrayRef sizes = shown_.values.sizes();
    if (d == sizes.size()) return elements_(at);
    if (d + 1 == sizes.size()) return line(at * sizes[d], sizes[d], shown_.gaps[d], indent);
    const std::string separator = "," + std::string(sizes.size() - d - 1, '\n') + std::string(indent + 1, ' ');
    std::string out = "[";
    for_shown(sizes[d], shown_.gaps[d], [&](int64_t i) {
      if (out.size() > 1) out += separator;
      out += i < 0 ? "..." : text(d + 1, at * sizes[d] + i, indent + 1);
    });
    return out + "]";
  }

 private:
  /// The innermost dim, wrapped.
  std::string line(int64_t first, int64_t n, bool gap, int64_t indent) const {
    const int64_t width = static_cast<int64_t>(elements_.width()) + 2;
    const int64_t per_line = std::max<int64_t>(1, (style_.linewidth - indent) / width);
    std::string out = "[";
    int64_t count = 0;
    for_shown(n, gap, [&](int64_t i) {
      if (count > 0) out += count % per_line == 0 ? ",\n" + std::string(indent + 1, ' ') : ", ";
      out += i < 0 ? " ..." : elements_(first + i);
      ++count;
    });
    return out + "]";
  }

  const Shown& shown_;
  const PrintStyle& style_;
  const Elements elements_;
};

std::string values_text(const Tensor& x, const PrintStyle& style) {
  if (x.numel() == 0) return "[]";
  if (x.numel() > style.threshold && style.edgeitems == 0 && x.dim() > 0) return "[...]";
  const Shown shown = shown_of(x, style);
  return Lists(shown, style).text(0, 0, kIndent);
}

std::string size_text(const Tensor& x) {
  return fmt::format("size=({}{})", fmt::join(x.sizes().begin(), x.sizes().end(), ", "), x.dim() == 1 ? "," : "");
}

/// Of a node's name as libtorch has it: Python makes a tensor of a number before it calls one of these.
std::string name_in_python(std::string name) {
  for (const char* const of_number : {"AddBackward1", "SubBackward1", "MulBackward1", "DivBackward1"})
    if (name == of_number) name.back() = '0';
  return name;
}

std::vector<std::string> suffixes_of(const Tensor& x, const PrintStyle& style) {
  std::vector<std::string> list;
  if (!x.is_cpu()) list.push_back("device='" + x.device().str() + "'");
  const bool empty = x.numel() == 0;
  if (empty ? x.dim() != 1 : style.edgeitems == 0) list.push_back(size_text(x));
  const bool is_default =
      x.dtype() == get_default_dtype() ||
      (!empty && (x.dtype() == kLong || x.dtype() == kBool || x.dtype() == to_complex_dtype(get_default_dtype())));
  if (!is_default) list.push_back(std::string(libtorch_names() ? "dtype=torch." : "dtype=") + name(x.dtype()));
  if (const std::string made_by = name_in_python(grad_fn_name(x)); !made_by.empty())
    list.push_back("grad_fn=<" + made_by + ">");
  else if (x.requires_grad())
    list.push_back("requires_grad=True");
  return list;
}

/// Suffixes go on the last line while there is room.
std::string with_suffixes(std::string text, const std::vector<std::string>& suffixes, int64_t line_width) {
  const size_t newline = text.rfind('\n');
  int64_t line = static_cast<int64_t>(newline == std::string::npos ? text.size() + 2 : text.size() - newline + 1);
  for (const std::string& s : suffixes) {
    const int64_t length = static_cast<int64_t>(s.size());
    const bool wraps = line + length + 2 > line_width;
    text += (wraps ? ",\n" + std::string(kIndent, ' ') : ", ") + s;
    line = wraps ? kIndent + length : line + length + 2;
  }
  return text + ")";
}

}  // namespace

std::string repr(const Tensor& x) {
  if (!x.defined()) return "tensor(undefined)";
  const PrintStyle style = print_style();
  if (!x.has_storage()) return with_suffixes("tensor(...", {size_text(x)}, style.linewidth);
  return with_suffixes("tensor(" + values_text(x, style), suffixes_of(x, style), style.linewidth);
}

}  // namespace strata
