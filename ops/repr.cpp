// Python's rendering of tensors, after PyTorch's torch/_tensor_str.py.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "ops/print.h"
#include "ops/print_values.h"

namespace strata {
namespace {

constexpr int64_t kLineWidth = 80, kSummarizeAbove = 1000, kEdgeItems = 3;
constexpr int64_t kIndent = 7;  // of what follows "tensor("

/// Calls visit(i) for the indices of a dim that are shown, and visit(-1) for the gap.
template <class F>
void for_shown(int64_t n, bool summarize, F visit) {
  const bool gap = summarize && n > 2 * kEdgeItems;
  for (int64_t i = 0; i < n; ++i) {
    if (gap && i == kEdgeItems) {
      visit(-1);
      i = n - kEdgeItems;
    }
    visit(i);
  }
}

/// Which numbers of a complex tensor are meant; a real one has them whole.
enum class ComplexPart { kWhole, kReal, kImag };

/// Renders the elements of a row-major tensor at equal width.
class Numbers {
 public:
  Numbers(const Tensor& x, bool summarize, ComplexPart part)
      : floating_(is_differentiable(x.dtype())),
        boolean_(x.dtype() == kBool),
        step_(part == ComplexPart::kWhole ? 1 : 2),
        first_(part == ComplexPart::kImag),
        values_(part != ComplexPart::kWhole ? printable_parts(x) : printable(x, floating_ ? kDouble : kLong)) {
    std::vector<int64_t> shown;
    collect(shown, x.sizes(), 0, summarize);
    if (floating_) choose_style(shown);
    for (int64_t i : shown)
      if (!floating_ || counts(real(i))) width_ = std::max(width_, bare(i).size());
  }
  size_t width() const { return width_; }
  std::string operator()(int64_t i) const { return fmt::format("{:>{}}", bare(i), width_); }

 private:
  static bool counts(double v) { return std::isfinite(v) && v != 0; }
  double real(int64_t i) const { return values_.data_ptr<double>()[i * step_ + first_]; }

  static void collect(std::vector<int64_t>& shown, IntArrayRef sizes, int64_t at, bool summarize) {
    if (sizes.empty()) return shown.push_back(at);
    for_shown(sizes[0], summarize, [&](int64_t i) {
      if (i >= 0) collect(shown, sizes.slice(1), at * sizes[0] + i, summarize);
    });
  }

  void choose_style(const std::vector<int64_t>& shown) {
    double least = INFINITY, most = 0;
    for (int64_t i : shown) {
      const double v = real(i);
      if (!counts(v)) continue;
      integers_ &= v == std::ceil(v);
      least = std::min(least, std::abs(v));
      most = std::max(most, std::abs(v));
    }
    scientific_ = most > 0 && (most / least > 1000 || most > 1e8 || least < 1e-4);
  }

  std::string bare(int64_t i) const {
    if (boolean_) return values_.data_ptr<int64_t>()[i] ? "True" : "False";
    if (!floating_) return fmt::format("{}", values_.data_ptr<int64_t>()[i]);
    const double v = real(i);
    if (!std::isfinite(v)) return std::isnan(v) ? "nan" : v > 0 ? "inf" : "-inf";
    if (scientific_) return fmt::format("{:.4e}", v);
    return integers_ ? fmt::format("{:.0f}.", v) : fmt::format("{:.4f}", v);
  }

  bool floating_, boolean_, integers_ = true, scientific_ = false;
  int64_t step_, first_;
  Tensor values_;
  size_t width_ = 1;
};

/// The same, where a complex number is its real part, then its imaginary one with its sign and without padding.
class Elements {
 public:
  Elements(const Tensor& x, bool summarize)
      : numbers_(x, summarize, x.is_complex() ? ComplexPart::kReal : ComplexPart::kWhole) {
    if (x.is_complex()) imag_.emplace(x, summarize, ComplexPart::kImag);
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

/// One line of elements, wrapped.
std::string vector_text(const Elements& elements, int64_t first, int64_t n, int64_t indent, bool summarize) {
  const int64_t per_line = std::max<int64_t>(1, (kLineWidth - indent) / static_cast<int64_t>(elements.width() + 2));
  std::string out = "[";
  int64_t count = 0;
  for_shown(n, summarize, [&](int64_t i) {
    if (count > 0) out += count % per_line == 0 ? ",\n" + std::string(indent + 1, ' ') : ", ";
    out += i < 0 ? " ..." : elements(first + i);
    ++count;
  });
  return out + "]";
}

std::string nested_text(const Elements& elements, IntArrayRef sizes, int64_t at, int64_t indent, bool summarize) {
  if (sizes.empty()) return elements(at);
  if (sizes.size() == 1) return vector_text(elements, at * sizes[0], sizes[0], indent, summarize);
  const std::string separator = "," + std::string(sizes.size() - 1, '\n') + std::string(indent + 1, ' ');
  std::string out = "[";
  for_shown(sizes[0], summarize, [&](int64_t i) {
    if (out.size() > 1) out += separator;
    out += i < 0 ? "..." : nested_text(elements, sizes.slice(1), at * sizes[0] + i, indent + 1, summarize);
  });
  return out + "]";
}

std::vector<std::string> suffixes_of(const Tensor& x) {
  std::vector<std::string> list;
  if (!x.is_cpu()) list.push_back("device='" + x.device().str() + "'");
  const bool empty = x.numel() == 0;
  if (empty && x.dim() != 1)
    list.push_back(fmt::format("size=({})", fmt::join(x.sizes().begin(), x.sizes().end(), ", ")));
  const bool is_default =
      x.dtype() == get_default_dtype() ||
      (!empty && (x.dtype() == kLong || x.dtype() == kBool || x.dtype() == to_complex_dtype(get_default_dtype())));
  if (!is_default) list.push_back(std::string("dtype=") + name(x.dtype()));
  if (x.requires_grad()) list.push_back("requires_grad=True");
  return list;
}

/// Suffixes go on the last line while there is room.
std::string with_suffixes(std::string text, const std::vector<std::string>& suffixes) {
  const size_t newline = text.rfind('\n');
  int64_t line = static_cast<int64_t>(newline == std::string::npos ? text.size() + 2 : text.size() - newline + 1);
  for (const std::string& s : suffixes) {
    const int64_t length = static_cast<int64_t>(s.size());
    const bool wraps = line + length + 2 > kLineWidth;
    text += (wraps ? ",\n" + std::string(kIndent, ' ') : ", ") + s;
    line = wraps ? kIndent + length : line + length + 2;
  }
  return text + ")";
}

}  // namespace

std::string repr(const Tensor& x) {
  if (!x.defined()) return "tensor(undefined)";
  if (!x.has_storage())
    return with_suffixes("tensor(...", {fmt::format("size=({})", fmt::join(x.sizes().begin(), x.sizes().end(), ", "))});
  if (x.numel() == 0) return with_suffixes("tensor([]", suffixes_of(x));
  const bool summarize = x.numel() > kSummarizeAbove;
  return with_suffixes("tensor(" + nested_text(Elements(x, summarize), x.sizes(), 0, kIndent, summarize),
                       suffixes_of(x));
}

}  // namespace strata
