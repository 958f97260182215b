// ONNX's shapes: views, joining, padding and factories.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "exchange/onnx/ops.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/random.h"
#include "ops/shaping.h"
#include "ops/ternary.h"
#include "ops/view.h"

namespace strata::onnx {
namespace {

using A = const Arguments&;

size_t at(int64_t axis) { return static_cast<size_t>(axis); }

Ints sizes_of(const Tensor& t) { return {t.sizes().begin(), t.sizes().end()}; }

/// A zero stands for the size that the input has there.
Tensor reshaped(A a) {
  const Tensor& x = a[0];
  Ints sizes = a.ints_in(1);
  const bool zero_is_zero = a.flag("allowzero");
  for (size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] == 0 && !zero_is_zero && static_cast<int64_t>(d) < x.dim()) sizes[d] = x.sizes()[d];
  return reshape(x, sizes);
}

Tensor flattened(A a) {
  const Tensor& x = a[0];
  const int64_t given = a.integer("axis", 1), axis = given < 0 ? given + x.dim() : given;
  int64_t rows = 1, columns = 1;
  for (int64_t d = 0; d < x.dim(); ++d) (d < axis ? rows : columns) *= x.size(d);
  return reshape(x, {rows, columns});
}

Tensor permuted(A a) {
  const Tensor& x = a[0];
  Ints reversed(at(x.dim()));
  std::iota(reversed.rbegin(), reversed.rend(), 0);
  return permute(x, a.ints("perm", reversed));
}

Tensor squeezed(A a) {
  const Tensor& x = a[0];
  const std::optional<Ints> axes = a.axes(1);
  if (!axes) return squeeze(x);
  for (const int64_t d : wrapped(*axes, x.dim()))
    STRATA_CHECK(x.size(d) == 1, "load_onnx: Squeeze of axis {} of {}", d, x.sizes());
  return axes->empty() ? x : squeeze(x, IntArrayRef(*axes));
}

Tensor unsqueezed(A a) {
  Tensor x = a[0];
  Ints axes = a.axes(1).value_or(Ints());
  axes = wrapped(std::move(axes), x.dim() + static_cast<int64_t>(axes.size()));
  std::sort(axes.begin(), axes.end());
  for (const int64_t axis : axes) x = unsqueeze(x, axis);
  return x;
}

std::vector<Tensor> split_of(A a) {
  const Tensor& x = a[0];
  const int64_t axis = wrapped(a.integer("axis", 0), x.dim()), size = x.size(axis);
  const std::optional<Ints> sizes = a.has(1) ? std::optional(a.ints_in(1)) : a.maybe_ints("split");
  if (sizes) return split_with_sizes(x, *sizes, axis);
  const int64_t parts = a.integer("num_outputs", static_cast<int64_t>(a.outputs())), part = (size + parts - 1) / parts;
  Ints even(at(parts), part);
  even.back() = size - part * (parts - 1);
  STRATA_CHECK(even.back() >= 0, "load_onnx: Split of {} into {} parts", size, parts);
  return split_with_sizes(x, even, axis);
}

/// One axis, with Python's meaning of start, end and step.
Tensor sliced(const Tensor& x, int64_t axis, int64_t start, int64_t end, int64_t step) {
  const int64_t size = x.size(axis);
  STRATA_CHECK(step != 0, "load_onnx: Slice by steps of 0");
  const auto placed = [&](int64_t i) { return i < 0 ? i + size : i; };
  if (step > 0) {
    const int64_t first = std::clamp<int64_t>(placed(start), 0, size),
                  last = std::clamp<int64_t>(placed(end), first, size);
    return slice(x, axis, first, last, std::min(step, std::max<int64_t>(size, 1)));
  }
  const int64_t first = std::clamp<int64_t>(placed(start), -1, size - 1);
  const int64_t last = end < -size ? -1 : std::clamp<int64_t>(placed(end), -1, first);
  const int64_t by = step < -size ? std::max<int64_t>(size, 1) : -step;
  // From the back: element i of the flipped axis is size - 1 - i.
  return slice(flip(x, axis), axis, size - 1 - first, size - 1 - last, by);
}

Tensor slice_of(A a) {
  const bool as_inputs = a.opset() >= 10;
  const Ints starts = as_inputs ? a.ints_in(1) : a.ints("starts", {}),
             ends = as_inputs ? a.ints_in(2) : a.ints("ends", {});
  Ints axes(starts.size());
  std::iota(axes.begin(), axes.end(), 0);
  axes = a.has(3) ? a.ints_in(3) : a.ints("axes", axes);
  const Ints steps = a.has(4) ? a.ints_in(4) : Ints(starts.size(), 1);
  STRATA_CHECK(ends.size() == starts.size() && axes.size() == starts.size() && steps.size() == starts.size(),
               "load_onnx: Slice with {} starts, {} ends, {} axes and {} steps", starts.size(), ends.size(),
               axes.size(), steps.size());
  Tensor x = a[0];
  for (size_t i = 0; i < axes.size(); ++i) x = sliced(x, wrapped(axes[i], x.dim()), starts[i], ends[i], steps[i]);
  return x;
}

Tensor expanded(A a) {
  const Tensor& x = a[0];
  const Ints wanted = a.ints_in(1);
  const size_t dims = std::max(wanted.size(), at(x.dim()));
  Ints sizes(dims, 1);
  std::copy(wanted.rbegin(), wanted.rend(), sizes.rbegin());
  for (size_t i = 0; i < at(x.dim()); ++i)
    if (sizes[dims - 1 - i] == 1) sizes[dims - 1 - i] = x.size(-1 - static_cast<int64_t>(i));
  return expand(x, sizes);
}

/// Pads of a mode that `pad` has for the last axes alone are gathered axis by axis.
Tensor gathered_pad(const Tensor& x, int64_t axis, int64_t before, int64_t after, const std::string& mode) {
  const int64_t size = x.size(axis);
  Ints places;
  for (int64_t i = -before; i < size + after; ++i) {
    if (mode == "edge") places.push_back(std::clamp<int64_t>(i, 0, size - 1));
    if (mode == "wrap") places.push_back((i % size + size) % size);
    if (mode == "reflect") {
      const int64_t period = std::max<int64_t>(2 * (size - 1), 1), r = (i % period + period) % period;
      places.push_back(r < size ? r : period - r);
    }
  }
  STRATA_CHECK(static_cast<int64_t>(places.size()) == size + before + after, "load_onnx: Pad in mode '{}'", mode);
  return index_select(x, axis, int64s(places));
}

Tensor padded(A a) {
  Tensor x = a[0];
  const std::string mode = a.text("mode", "constant");
  const Ints pads = a.opset() >= 11 ? a.ints_in(1) : a.ints("pads", {});
  Ints axes(pads.size() / 2);
  std::iota(axes.begin(), axes.end(), 0);
  if (a.has(3)) axes = wrapped(a.ints_in(3), x.dim());
  STRATA_CHECK(pads.size() == 2 * axes.size(), "load_onnx: Pad of {} axes by {} numbers", axes.size(), pads.size());
  const Tensor value = a.opset() >= 11 ? a.tensor_or_none(2) : full({}, a.number("value", 0), x.dtype());
  if (mode != "constant") {
    for (size_t i = 0; i < axes.size(); ++i) x = gathered_pad(x, axes[i], pads[i], pads[i + axes.size()], mode);
    return x;
  }
  Ints from_last(2 * at(x.dim()), 0);
  for (size_t i = 0; i < axes.size(); ++i) {
    from_last[2 * at(x.dim() - 1 - axes[i])] = pads[i];
    from_last[2 * at(x.dim() - 1 - axes[i]) + 1] = pads[i + axes.size()];
  }
  return constant_pad_nd(x, from_last, value.defined() ? value.reshape({}).item() : Scalar(0));
}

Tensor shape_of(A a) {
  const Ints sizes = sizes_of(a[0]);
  const auto dims = static_cast<int64_t>(sizes.size());
  const auto placed = [&](int64_t i) { return std::clamp<int64_t>(i < 0 ? i + dims : i, 0, dims); };
  const int64_t start = placed(a.integer("start", 0)), end = std::max(placed(a.integer("end", dims)), start);
  return int64s(Ints(sizes.begin() + start, sizes.begin() + end));
}

Tensor constant(A a) {
  if (a.has("value")) return known_here(a.tensor("value"));
  if (a.has("value_int")) return scalar_tensor(a.integer("value_int"), kLong);
  if (a.has("value_ints")) return int64s(a.ints("value_ints", {}));
  if (a.has("value_float")) return scalar_tensor(a.number("value_float", 0), kFloat);
  if (a.has("value_floats")) return strata::tensor(a.numbers("value_floats"), kFloat);
  STRATA_THROW("load_onnx: a Constant of text, or a sparse one");
}

Tensor constant_of_shape(A a) {
  const Tensor value = a.has("value") ? known_here(a.tensor("value")) : zeros({1}, kFloat);
  return clone(expand(value.reshape({}), a.ints_in(0)));
}

Tensor range_of(A a) {
  const Scalar start = a.number_in(0), end = a.number_in(1), step = a.number_in(2);
  if (!is_floating_point(a[0].dtype())) return arange(start, end, step, a[0].dtype());
  const double count = std::max(std::ceil((end.toDouble() - start.toDouble()) / step.toDouble()), 0.0);
  return cast(add(mul(arange(static_cast<int64_t>(count), kDouble), step), start), a[0].dtype());
}

Tensor one_hot_of(A a) {
  const Tensor places = cast(a[0], kLong);
  const int64_t depth = a.int_in(1), axis = a.integer("axis", -1);
  const Tensor rows = unsqueeze(places, axis);
  Ints sizes(at(rows.dim()), 1);
  sizes[at(wrapped(axis, rows.dim()))] = depth;
  const Tensor hit = eq(where(lt(rows, 0), add(rows, depth), rows), arange(depth, kLong).reshape(sizes));
  return where(hit, select(a[2], 0, 1), select(a[2], 0, 0));
}

Tensor depth_to_space(A a) {
  const Tensor& x = a[0];
  const int64_t b = a.integer("blocksize"), n = x.size(0), c = x.size(1), h = x.size(2), w = x.size(3);
  if (a.text("mode", "DCR") == "CRD")
    return reshape(permute(reshape(x, {n, c / (b * b), b, b, h, w}), {0, 1, 4, 2, 5, 3}),
                   {n, c / (b * b), h * b, w * b});
  return reshape(permute(reshape(x, {n, b, b, c / (b * b), h, w}), {0, 3, 4, 1, 5, 2}), {n, c / (b * b), h * b, w * b});
}

Tensor space_to_depth(A a) {
  const Tensor& x = a[0];
  const int64_t b = a.integer("blocksize"), n = x.size(0), c = x.size(1), h = x.size(2), w = x.size(3);
  return reshape(permute(reshape(x, {n, c, h / b, b, w / b, b}), {0, 3, 5, 1, 2, 4}), {n, c * b * b, h / b, w / b});
}

Tensor center_crop_pad(A a) {
  Tensor x = a[0];
  const Ints wanted = a.ints_in(1);
  Ints axes(wanted.size());
  std::iota(axes.begin(), axes.end(), 0);
  axes = wrapped(a.ints("axes", axes), x.dim());
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t axis = axes[i], surplus = x.size(axis) - wanted[i];
    if (surplus >= 0) {
      x = narrow(x, axis, surplus / 2, wanted[i]);
      continue;
    }
    Ints pads(2 * at(x.dim() - axis), 0);
    pads[pads.size() - 2] = -surplus / 2, pads[pads.size() - 1] = -surplus - -surplus / 2;
    x = constant_pad_nd(x, pads);
  }
  return x;
}

Tensor triangle(A a) {
  const int64_t k = a.has(1) ? a.int_in(1) : 0;
  return a.flag("upper", true) ? triu(a[0], k) : tril(a[0], k);
}

Tensor eye_like(A a) {
  const Tensor& x = a[0];
  const int64_t rows = x.size(0), columns = x.size(1), k = a.integer("k", 0);
  const Tensor down = arange(rows, kLong).reshape({rows, 1}), across = arange(columns, kLong);
  return cast(eq(sub(across, down), k), a.dtype("dtype").value_or(x.dtype()));
}

/// Options of what random ops give: the dtype that is stated, or that of `like`, or float32.
TensorOptions random_options(A a, const Tensor& like = {}) {
  a.ignore("seed");  // numbers come from the default generator, which manual_seed sets
  return a.dtype("dtype").value_or(like.defined() ? like.dtype() : kFloat);
}

Tensor normal_numbers(A a, IntArrayRef sizes, const TensorOptions& options) {
  return add(mul(randn(sizes, options), a.number("scale", 1)), a.number("mean", 0));
}

Tensor uniform_numbers(A a, IntArrayRef sizes, const TensorOptions& options) {
  const double low = a.number("low", 0), high = a.number("high", 1);
  return add(mul(rand(sizes, options), high - low), low);
}

constexpr OpEntry kShapingOps[] = {
    {"Reshape", [](A a) { return reshaped(a); }},
    {"Flatten", [](A a) { return flattened(a); }},
    {"Transpose", [](A a) { return permuted(a); }},
    {"Squeeze", [](A a) { return squeezed(a); }},
    {"Unsqueeze", [](A a) { return unsqueezed(a); }},
    {"Concat", [](A a) { return cat(a.tensors(), a.integer("axis")); }},
    {"Split", [](A a) { return split_of(a); }},
    {"Slice", [](A a) { return slice_of(a); }},
    {"Expand", [](A a) { return expanded(a); }},
    {"Tile", [](A a) { return repeat(a[0], a.ints_in(1)); }},
    {"Pad", [](A a) { return padded(a); }},
    {"Shape", [](A a) { return shape_of(a); }},
    {"Size", [](A a) { return scalar_tensor(a[0].numel(), kLong); }},
    {"Constant", [](A a) { return constant(a); }},
    {"ConstantOfShape", [](A a) { return constant_of_shape(a); }},
    {"Range", [](A a) { return range_of(a); }},
    {"EyeLike", [](A a) { return eye_like(a); }},
    {"OneHot", [](A a) { return one_hot_of(a); }},
    {"DepthToSpace", [](A a) { return depth_to_space(a); }},
    {"SpaceToDepth", [](A a) { return space_to_depth(a); }},
    {"CenterCropPad", [](A a) { return center_crop_pad(a); }},
    {"Trilu", [](A a) { return triangle(a); }},
    {"RandomNormal", [](A a) { return normal_numbers(a, a.ints("shape", {}), random_options(a)); }},
    {"RandomNormalLike", [](A a) { return normal_numbers(a, a[0].sizes(), random_options(a, a[0])); }},
    {"RandomUniform", [](A a) { return uniform_numbers(a, a.ints("shape", {}), random_options(a)); }},
    {"RandomUniformLike", [](A a) { return uniform_numbers(a, a[0].sizes(), random_options(a, a[0])); }},
    {"Bernoulli",
     [](A a) {
       const TensorOptions options = random_options(a, a[0]);
       return cast(lt(rand(a[0].sizes(), kFloat), a[0]), options.dtype());
     }},
};

}  // namespace

std::span<const OpEntry> shaping_ops() { return kShapingOps; }

}  // namespace strata::onnx
