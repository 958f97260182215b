// The options of printing, and what of a tensor they leave to be shown.
#include <cstdint>
#include <iostream>
#include <limits>
#include <mutex>

#include "core/naming.h"
#include "core/thread_state.h"
#include "ops/complex.h"
#include "ops/print.h"
#include "ops/print_values.h"
#include "ops/shaping.h"
#include "ops/view.h"

namespace strata {
namespace {

std::mutex lock;
PrintStyle current;

PrintStyle profile_of(std::string_view name, PrintStyle style) {
  if (name == "full") return {4, std::numeric_limits<int64_t>::max(), 3, 80, style.sci_mode};
  if (name == "short") return {2, 1000, 2, 80, style.sci_mode};
  if (name == "default") return {4, 1000, 3, 80, style.sci_mode};
  STRATA_THROW("set_printoptions: profile must be default, short or full, got {}", name);
}

void set(int64_t& value, std::optional<int64_t> given, const char* name, int64_t least) {
  if (!given) return;
  STRATA_CHECK(*given >= least, "set_printoptions: {} must be at least {}, got {}", name, least, *given);
  value = *given;
}

ThreadState below_all_layers() {
  ThreadState plain;
  plain.excluded = KeySet(Key::Autograd) | Key::Autocast | Key::Transform | Key::Profiler;
  return plain;
}

}  // namespace

PrintStyle print_style() {
  const std::lock_guard guard(lock);
  return current;
}

void set_printoptions(const PrintOptions& options) {
  const std::lock_guard guard(lock);
  PrintStyle style = options.profile.empty() ? current : profile_of(options.profile, current);
  set(style.precision, options.precision, "precision", 0);
  set(style.threshold, options.threshold, "threshold", 0);
  set(style.edgeitems, options.edgeitems, "edgeitems", 0);
  set(style.linewidth, options.linewidth, "linewidth", 1);
  style.sci_mode = options.sci_mode;
  current = style;
}

PrintOptions get_printoptions() {
  const PrintStyle s = print_style();
  return {s.precision, s.threshold, s.edgeitems, s.linewidth, s.sci_mode};
}

Tensor printable(const Tensor& x, DType dtype) {
  const ThreadStateGuard guard(below_all_layers());
  return x.to(TensorOptions(dtype).device(kCPU)).contiguous();
}
Tensor printable_parts(const Tensor& x) {
  const ThreadStateGuard guard(below_all_layers());
  return view_as_real(x).to(TensorOptions(kDouble).device(kCPU)).contiguous();
}

Shown shown_of(const Tensor& x, const PrintStyle& style) {
  Shown shown{x, std::vector<bool>(static_cast<size_t>(x.dim()))};
  if (x.numel() <= style.threshold) return shown;
  const ThreadStateGuard guard(below_all_layers());
  const int64_t edge = style.edgeitems;
  for (int64_t d = 0; d < x.dim(); ++d) {
    const int64_t n = x.sizes()[static_cast<size_t>(d)];
    if (n / 2 < edge || n == 2 * edge) continue;
    shown.values = cat({shown.values.narrow(d, 0, edge), shown.values.narrow(d, n - edge, edge)}, d);
    shown.gaps[static_cast<size_t>(d)] = true;
  }
  return shown;
}

void print(const Tensor& x) {
  if (libtorch_names())
    print(std::cout, x, 80);
  else
    std::cout << repr(x) << '\n';
}

}  // namespace strata
