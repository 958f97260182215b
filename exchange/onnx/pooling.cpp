// ONNX's pools.
#include <limits>
#include <numeric>

#include "exchange/onnx/windows.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/fold.h"
#include "ops/indexing.h"
#include "ops/pool.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata::onnx {

Windows::Windows(const Arguments& a, IntArrayRef input, Ints kernel_sizes) : kernel(std::move(kernel_sizes)) {
  const size_t n = kernel.size();
  STRATA_CHECK(input.size() == n + 2, "load_onnx: {} with {} sizes of windows for an input of {} dims", a.op(), n,
               input.size());
  strides = a.ints("strides", Ints(n, 1)), dilations = a.ints("dilations", Ints(n, 1));
  const Ints pads = a.ints("pads", Ints(2 * n, 0));
  STRATA_CHECK(strides.size() == n && dilations.size() == n && pads.size() == 2 * n,
               "load_onnx: {} with {} strides, {} dilations and {} pads for {} dims", a.op(), strides.size(),
               dilations.size(), pads.size(), n);
  before.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(n));
  after.assign(pads.begin() + static_cast<std::ptrdiff_t>(n), pads.end());
  const std::string automatic = a.text("auto_pad", "NOTSET");
  const bool rounds_up = a.flag("ceil_mode");
  for (size_t d = 0; d < n; ++d) {
    const int64_t size = input[d + 2], step = strides[d];
    STRATA_CHECK(step > 0, "load_onnx: {} with a stride of {}", a.op(), step);
    if (automatic.starts_with("SAME")) {
      const int64_t pad = std::max<int64_t>(((size + step - 1) / step - 1) * step + span(d) - size, 0);
      before[d] = automatic == "SAME_LOWER" ? pad - pad / 2 : pad / 2;
      after[d] = pad - before[d];
    } else if (automatic == "VALID") {
      before[d] = after[d] = 0;
    }
    const int64_t room = size + before[d] + after[d] - span(d);
    int64_t count = (rounds_up ? room + step - 1 : room) / step + 1;
    if (rounds_up && (count - 1) * step >= size + before[d]) --count;  // it would start behind the input
    STRATA_CHECK(room >= 0, "load_onnx: {} with windows of {} over {}", a.op(), span(d), size + before[d] + after[d]);
    outputs.push_back(count);
  }
}

bool Windows::is_dense() const {
  return std::all_of(dilations.begin(), dilations.end(), [](int64_t d) { return d == 1; });
}

Ints Windows::padding(IntArrayRef input, bool fits_last) const {
  Ints out;
  for (size_t d = dims(); d-- > 0;) {
    const int64_t needed = (outputs[d] - 1) * strides[d] + span(d) - input[d + 2] - before[d];
    out.push_back(before[d]);
    out.push_back(fits_last ? std::max(needed, after[d]) : after[d]);
  }
  return out;
}

namespace {

using A = const Arguments&;

/// x as (N, C, outputs..., kernel...): the cells of each window of a padded input.
Tensor windows_of(Tensor x, const Windows& w) {
  const auto n = static_cast<int64_t>(w.dims());
  for (int64_t d = 0; d < n; ++d) {
    const auto i = static_cast<size_t>(d);
    x = narrow(unfold(x, d + 2, w.span(i), w.strides[i]), d + 2, 0, w.outputs[i]);
    if (w.dilations[i] > 1) x = slice(x, -1, std::nullopt, std::nullopt, w.dilations[i]);
  }
  return x;
}

Ints last_dims(const Windows& w) {
  Ints dims(w.dims());
  for (size_t d = 0; d < dims.size(); ++d) dims[d] = -1 - static_cast<int64_t>(d);
  return dims;
}

Tensor sums(const Tensor& x, const Windows& w) {
  const Tensor padded = constant_pad_nd(x, w.padding(x.sizes(), true));
  return sum(windows_of(padded, w), OptionalIntArrayRef(last_dims(w)));
}

/// How many cells of each window count: those of the input, or of its declared padding too.
Tensor counts(const Tensor& x, const Windows& w, bool with_pads) {
  Ints sizes(x.sizes().begin(), x.sizes().end());
  sizes[0] = sizes[1] = 1;
  Tensor cells = ones(sizes, kFloat);
  if (!with_pads) return sums(cells, w);
  Ints more = w.padding(x.sizes(), true);
  const Ints declared = w.padding(x.sizes(), false);
  cells = constant_pad_nd(cells, declared, 1);
  for (size_t i = 0; i < more.size(); ++i) more[i] -= declared[i];
  return sum(windows_of(constant_pad_nd(cells, more), w), OptionalIntArrayRef(last_dims(w)));
}

Tensor average(A a) {
  const Tensor& x = a[0];
  const Windows w(a, x.sizes(), a.ints("kernel_shape", {}));
  const bool with_pads = a.flag("count_include_pad");
  bool is_plain = w.is_dense() && w.is_symmetric() && !a.flag("ceil_mode") && w.dims() <= 3;
  for (size_t d = 0; d < w.dims(); ++d) is_plain &= 2 * w.before[d] <= w.kernel[d];
  if (is_plain && w.dims() == 1) return avg_pool1d(x, w.kernel, w.strides, w.before, false, with_pads);
  if (is_plain && w.dims() == 2) return avg_pool2d(x, w.kernel, w.strides, w.before, false, with_pads);
  if (is_plain && w.dims() == 3) return avg_pool3d(x, w.kernel, w.strides, w.before, false, with_pads);
  return div(sums(x, w), cast(counts(x, w, with_pads), x.dtype()));
}

Tensor power_pool(A a) {
  const Tensor& x = a[0];
  const Windows w(a, x.sizes(), a.ints("kernel_shape", {}));
  const int64_t p = a.integer("p", 2);
  return pow(sums(pow(abs(x), Scalar(p)), w), 1.0 / static_cast<double>(p));
}

std::tuple<Tensor, Tensor> max_with_places(const Tensor& x, const Windows& w) {
  if (w.dims() == 1) return max_pool1d_with_indices(x, w.kernel, w.strides, 0, w.dilations);
  if (w.dims() == 2) return max_pool2d_with_indices(x, w.kernel, w.strides, 0, w.dilations);
  STRATA_CHECK(w.dims() == 3, "load_onnx: MaxPool over {} dims, known are 1 to 3", w.dims());
  return max_pool3d_with_indices(x, w.kernel, w.strides, 0, w.dilations);
}

/// Places in a padded plane as places in the whole input, the last dim running fastest, or the first of a plane.
Tensor places_in_input(Tensor places, const Tensor& x, const Ints& padded, const Windows& w, bool column_major) {
  const auto n = static_cast<int64_t>(w.dims());
  std::vector<Tensor> along(w.dims());
  for (int64_t d = n; d-- > 0;) {
    const auto i = static_cast<size_t>(d);
    along[i] = sub(remainder(places, padded[i]), w.before[i]);
    places = floor_divide(places, padded[i]);
  }
  Tensor flat = add(mul(arange(x.size(0), kLong).reshape({-1, 1}), x.size(1)), arange(x.size(1), kLong));
  Ints sizes{x.size(0), x.size(1)};
  sizes.resize(static_cast<size_t>(n + 2), 1);
  flat = flat.reshape(sizes);
  Tensor plane = zeros({}, kLong);
  int64_t cells = 1;
  for (int64_t d = 0; d < n; ++d) {
    const auto i = static_cast<size_t>(column_major ? n - 1 - d : d);
    plane = add(mul(plane, x.sizes()[i + 2]), along[i]);
    cells *= x.sizes()[i + 2];
  }
  return add(mul(flat, cells), plane);
}

std::tuple<Tensor, Tensor> max_pool(A a) {
  const Tensor& given = a[0];
  const Windows w(a, given.sizes(), a.ints("kernel_shape", {}));
  const bool column_major = a.flag("storage_order");
  const Tensor x = is_floating_point(given.dtype()) ? given : cast(given, kDouble);
  const Ints pads = w.padding(x.sizes(), true);
  Ints padded;
  for (size_t d = 0; d < w.dims(); ++d) {
    const size_t from_last = 2 * (w.dims() - 1 - d);
    padded.push_back(x.sizes()[d + 2] + pads[from_last] + pads[from_last + 1]);
  }
  auto [values, places] = max_with_places(constant_pad_nd(x, pads, -std::numeric_limits<double>::infinity()), w);
  for (size_t d = 0; d < w.dims(); ++d) {
    const auto dim = static_cast<int64_t>(d) + 2;
    values = narrow(values, dim, 0, w.outputs[d]), places = narrow(places, dim, 0, w.outputs[d]);
  }
  return {cast(values, given.dtype()), a.wants(1) ? places_in_input(places, x, padded, w, column_major) : Tensor()};
}

Ints spatial_dims(const Tensor& x) {
  Ints dims(static_cast<size_t>(std::max<int64_t>(x.dim() - 2, 0)));
  std::iota(dims.begin(), dims.end(), 2);
  return dims;
}

/// Places say where in the whole result each value goes; with an output shape, they mean the smaller default one.
Tensor max_unpool(A a) {
  const Tensor& x = a[0];
  const Ints kernel = a.ints("kernel_shape", {}), strides = a.ints("strides", Ints(kernel.size(), 1));
  const Ints pads = a.ints("pads", Ints(2 * kernel.size(), 0));
  Ints sizes{x.size(0), x.size(1)};
  int64_t cells = x.size(0) * x.size(1);
  for (size_t d = 0; d < kernel.size(); ++d) {
    sizes.push_back((x.sizes()[d + 2] - 1) * strides[d] + kernel[d] - pads[d] - pads[d + kernel.size()]);
    cells *= sizes.back();
  }
  const Tensor flat = scatter(zeros({cells}, x.options()), 0, a[1].reshape({-1}), x.reshape({-1}));
  Tensor out = flat.reshape(sizes);
  if (!a.has(2)) return out;
  const Ints wanted = a.ints_in(2);
  Ints more;
  for (size_t d = wanted.size(); d-- > 2;) more.push_back(0), more.push_back(wanted[d] - sizes[d]);
  return constant_pad_nd(out, more);
}

constexpr OpEntry kPoolingOps[] = {
    {"AveragePool", [](A a) { return average(a); }},
    {"LpPool", [](A a) { return power_pool(a); }},
    {"MaxPool", [](A a) { return max_pool(a); }},
    {"MaxUnpool", [](A a) { return max_unpool(a); }},
    {"GlobalAveragePool", [](A a) { return mean(a[0], OptionalIntArrayRef(spatial_dims(a[0])), true); }},
    {"GlobalMaxPool", [](A a) { return amax(a[0], spatial_dims(a[0]), true); }},
    {"GlobalLpPool", [](A a) { return norm(a[0], Scalar(a.integer("p", 2)), spatial_dims(a[0]), true); }},
    {"Col2Im",
     [](A a) {
       const Ints image = a.ints_in(1), block = a.ints_in(2), pads = a.ints("pads", Ints(2 * block.size(), 0));
       STRATA_CHECK(block.size() == 2, "load_onnx: Col2Im of {} dims, known are 2", block.size());
       const Tensor out = col2im(a[0], {image[0] + pads[0] + pads[2], image[1] + pads[1] + pads[3]}, block,
                                 a.ints("dilations", {1, 1}), {0, 0}, a.ints("strides", {1, 1}));
       return narrow(narrow(out, 2, pads[0], image[0]), 3, pads[1], image[1]);
     }},
};

}  // namespace

std::span<const OpEntry> pooling_ops() { return kPoolingOps; }

}  // namespace strata::onnx
