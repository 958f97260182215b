// Fourier transforms by cuFFT: which layouts it takes as they are, one plan per problem, and what it leaves to others.
// The order of passes is PyTorch's (aten/src/ATen/native/cuda/SpectralOps.cpp).
#include <cufftXt.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <optional>

#include "dispatcher/call.h"
#include "dispatcher/kernel.h"
#include "kernels/cuda/common/copy.h"
#include "ops/binary_def.h"
#include "ops/cast_def.h"
#include "ops/complex_def.h"
#include "ops/creation.h"
#include "ops/fft_def.h"

namespace strata::cuda::fft {
namespace {

constexpr size_t kMostRank = 3;  // dims of a plan
constexpr size_t kMostPlans = 1024;

std::string_view name_of(cufftResult status) {
  constexpr std::string_view kNames[] = {"CUFFT_SUCCESS",        "CUFFT_INVALID_PLAN",  "CUFFT_ALLOC_FAILED",
                                         "CUFFT_INVALID_TYPE",   "CUFFT_INVALID_VALUE", "CUFFT_INTERNAL_ERROR",
                                         "CUFFT_EXEC_FAILED",    "CUFFT_SETUP_FAILED",  "CUFFT_INVALID_SIZE",
                                         "CUFFT_UNALIGNED_DATA", "CUFFT_UNKNOWN"};
  return kNames[std::min<size_t>(static_cast<size_t>(status), std::size(kNames) - 1)];
}
void check_cufft(cufftResult status, std::string_view op, const char* what) {
  STRATA_CHECK(status == CUFFT_SUCCESS, "{}: {} failed: {} ({})", op, what, name_of(status), static_cast<int>(status));
}

/// cuFFT's advanced layout: element (b, x, y, z) stands at b * dist + ((x * embed[1] + y) * embed[2] + z) * stride.
struct Layout {
  std::array<long long, kMostRank> embed{};
  long long stride = 1, dist = 1;
  auto operator<=>(const Layout&) const = default;
};

/// All that a plan depends on.
struct Problem {
  int device = 0, rank = 0;
  cudaDataType from = CUDA_C_32F, to = CUDA_C_32F, compute = CUDA_C_32F;
  std::array<long long, kMostRank> sizes{};
  long long batch = 1;
  Layout in, out;
  auto operator<=>(const Problem&) const = default;
};

cudaDataType type_of(DType t) {
  if (is_complex(t)) return t == kComplexDouble ? CUDA_C_64F : CUDA_C_32F;
  return t == kDouble ? CUDA_R_64F : CUDA_R_32F;
}

/// The one stride of dims that tell transforms apart, if they have one.
std::optional<int64_t> merged_stride(IntArrayRef sizes, IntArrayRef strides) {
  std::optional<int64_t> stride;
  int64_t next = 0;  // what the stride of the dim before must be
  for (size_t d = sizes.size(); d-- > 0;) {
    if (sizes[d] == 1) continue;
    if (stride && strides[d] != next) return std::nullopt;
    if (!stride) stride = strides[d];
    next = strides[d] * sizes[d];
  }
  return stride.value_or(1);
}

/// How cuFFT is told of a tensor whose last `rank` dims are transformed, if it can be.
std::optional<Layout> layout_of(const Tensor& t, size_t rank) {
  const IntArrayRef sizes = t.sizes(), strides = t.strides();
  const size_t outer = sizes.size() - rank;
  const auto dist = merged_stride(sizes.slice(0, outer), strides.slice(0, outer));
  const bool aligned = reinterpret_cast<uintptr_t>(t.bytes()) % (2 * item_size(to_real_dtype(t.dtype()))) == 0;
  if (!dist || *dist < 1 || strides.back() < 1 || !aligned) return std::nullopt;
  Layout layout{{}, strides.back(), *dist};
  for (size_t i = 0; i < rank; ++i) layout.embed[i] = sizes[outer + i];
  for (size_t i = 1; i < rank; ++i) {
    const int64_t above = strides[outer + i - 1], own = strides[outer + i];
    if (own < 1 || above % own != 0 || above / own < sizes[outer + i]) return std::nullopt;
    layout.embed[i] = above / own;
  }
  return layout;
}

struct Plan {
  cufftHandle handle = 0;
  size_t workspace = 0;
};

Plan make_plan(const Problem& p, std::string_view op) {
  Plan plan;
  Problem q = p;  // cuFFT takes pointers to what it does not change
  check_cufft(cufftCreate(&plan.handle), op, "cufftCreate");
  check_cufft(cufftSetAutoAllocation(plan.handle, 0), op, "cufftSetAutoAllocation");
  const cufftResult status =
      cufftXtMakePlanMany(plan.handle, q.rank, q.sizes.data(), q.in.embed.data(), q.in.stride, q.in.dist, q.from,
                          q.out.embed.data(), q.out.stride, q.out.dist, q.to, q.batch, &plan.workspace, q.compute);
  if (status != CUFFT_SUCCESS) cufftDestroy(plan.handle);
  check_cufft(status, op, "cufftXtMakePlanMany");
  return plan;
}

/// The plans of all devices. Never destroyed: at exit the device may be gone before them.
struct Plans {
  std::mutex mutex;  ///< held for a whole execution, since a plan has one stream and one workspace
  std::map<Problem, Plan> plans;

  const Plan& find(const Problem& p, std::string_view op) {
    if (const auto at = plans.find(p); at != plans.end()) return at->second;
    if (plans.size() >= kMostPlans) {
      for (const auto& [problem, plan] : plans) cufftDestroy(plan.handle);
      plans.clear();
    }
    return plans.emplace(p, make_plan(p, op)).first->second;
  }
};

void execute(const Problem& p, const Tensor& from, const Tensor& to, bool forward, std::string_view op) {
  static Plans& all = *new Plans;
  const std::lock_guard lock(all.mutex);
  const Plan& plan = all.find(p, op);
  check_cufft(cufftSetStream(plan.handle, stream_of(to)), op, "cufftSetStream");
  // The allocator hands the same memory to the stream's next work as soon as this has been started.
  Tensor workspace;
  if (plan.workspace > 0) {
    workspace = empty_on_device({static_cast<int64_t>(plan.workspace)}, kByte, to.device());
    check_cufft(cufftSetWorkArea(plan.handle, workspace.bytes()), op, "cufftSetWorkArea");
  }
  const int direction = forward ? CUFFT_FORWARD : CUFFT_INVERSE;
  check_cufft(cufftXtExec(plan.handle, from.bytes(), to.bytes(), direction), op, "cufftXtExec");
  check_launch(op);
}

/// The same memory with other dims.
Tensor view_of(const Tensor& t, DType dtype, IntArrayRef sizes, IntArrayRef strides, int64_t offset) {
  auto* impl = new TensorImpl(dtype, t.device(), t.storage());
  impl->set_geometry(sizes, strides, offset);
  return Tensor::adopt(impl);
}

/// `t` with its dims in this order.
Tensor permuted(const Tensor& t, IntArrayRef order) {
  DimVector sizes, strides;
  for (int64_t d : order) {
    sizes.push_back(t.size(d));
    strides.push_back(t.strides()[static_cast<size_t>(d)]);
  }
  return view_of(t, t.dtype(), sizes, strides, t.storage_offset());
}

/// All dims with `dims` behind the others, both in rising order.
DimVector order_with_last(int64_t ndim, IntArrayRef dims) {
  DimVector order;
  const auto append = [&](bool moved) {
    for (int64_t d = 0; d < ndim; ++d)
      if ((std::find(dims.begin(), dims.end(), d) != dims.end()) == moved) order.push_back(d);
  };
  append(false);
  append(true);
  return order;
}

DimVector inverse(const DimVector& order) {
  DimVector back = order;
  for (size_t i = 0; i < order.size(); ++i) back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return back;
}

/// A complex tensor as real numbers.
Tensor parts_of(const Tensor& t) {
  DimVector sizes = t.sizes(), strides = t.strides();
  for (int64_t& s : strides) s *= 2;
  sizes.push_back(2);
  strides.push_back(1);
  return view_of(t, to_real_dtype(t.dtype()), sizes, strides, 2 * t.storage_offset());
}

Tensor copy_of(const Tensor& t) {
  const Tensor copy = empty_on_device(t.sizes(), t.dtype(), t.device());
  copy_strided(copy, t);
  return copy;
}

/// What cuFFT is told of a pass from `x` to `y`, whose last `rank` dims are transformed.
Problem problem_of(const Tensor& x, const Tensor& y, size_t rank, const Layout& in, const Layout& out) {
  Problem p;
  p.device = y.device().index(), p.rank = static_cast<int>(rank);
  p.from = type_of(x.dtype()), p.to = type_of(y.dtype()), p.compute = type_of(to_complex_dtype(y.dtype()));
  const size_t outer = y.sizes().size() - rank;
  for (size_t d = 0; d < outer; ++d) p.batch *= y.sizes()[d];
  for (size_t i = 0; i < rank; ++i)  // the signal's size: half a spectrum is smaller
    p.sizes[i] = std::max(x.sizes()[outer + i], y.sizes()[outer + i]);
  p.in = in, p.out = out;
  return p;
}

/// One pass of cuFFT over at most kMostRank dims, without scale.
void transform(const Tensor& x, const Tensor& y, IntArrayRef dims, bool forward, std::string_view op) {
  const DimVector order = order_with_last(x.dim(), dims);
  const Tensor target = permuted(y, order);
  Tensor from = permuted(x, order), to = target;
  auto in = layout_of(from, dims.size()), out = layout_of(to, dims.size());
  if (!in) {
    from = copy_of(from);
    in = layout_of(from, dims.size());
  }
  if (!out) {
    to = empty_on_device(to.sizes(), to.dtype(), to.device());
    out = layout_of(to, dims.size());
  }
  execute(problem_of(from, to, dims.size(), *in, *out), from, to, forward, op);
  if (to.bytes() != target.bytes()) copy_strided(target, to);
}

/// Complex to complex along all `dims`, a few in each pass.
void transform_all(Tensor x, const Tensor& y, IntArrayRef dims, bool forward, std::string_view op) {
  for (size_t end = dims.size(); end > 0; x = y) {
    const size_t count = std::min(end, kMostRank);
    transform(x, y, dims.slice(end - count, count), forward, op);
    end -= count;
  }
}

void scale_by(const Tensor& t, double scale) {
  if (scale == 1) return;
  Tensor numbers = is_complex(t.dtype()) ? parts_of(t) : t;
  const Tensor factor = constant(scale, numbers.dtype(), numbers.device(), numbers.sizes());
  call_backend_inplace(mul_op, numbers, {&numbers, &factor}, Params::of(NoParams()));
}

void fft_c2c_cuda(Tensors& out, Args in, const FftC2CParams& p) {
  if (out[0].numel() == 0) return;
  transform_all(in[0], out[0], p.dims, p.forward, "fft_c2c");
  scale_by(out[0], p.scale);
}

Tensor as_complex(const Tensor& x) {
  const CastParams p{to_complex_dtype(x.dtype())};
  return std::move(call_backend(cast_op, {&x}, Params::of(p))[0]);
}

void fft_r2c_cuda(Tensors& out, Args in, const FftR2CParams& p) {
  if (out[0].numel() == 0) return;
  const IntArrayRef dims(p.dims), last = dims.slice(dims.size() - 1), others = dims.slice(0, dims.size() - 1);
  if (p.onesided) {
    transform(in[0], out[0], last, true, "fft_r2c");
    transform_all(out[0], out[0], others, true, "fft_r2c");
    Tensor y = out[0];
    if (!p.forward) call_backend_inplace(conj_op, y, {&y}, Params::of(NoParams()));
  } else {
    transform_all(as_complex(in[0]), out[0], dims, p.forward, "fft_r2c");
  }
  scale_by(out[0], p.scale);
}

/// Sets the imaginary part of the `at`-th value of each row of a row-major spectrum to 0.
void clear_imaginary(const Tensor& spectrum, int64_t at) {
  const size_t row = static_cast<size_t>(spectrum.sizes().back()) * spectrum.element_size();
  char* const first = spectrum.bytes() + at * spectrum.element_size() + spectrum.element_size() / 2;
  check(cudaMemset2DAsync(first, row, 0, spectrum.element_size() / 2, spectrum.nbytes() / row, stream_of(spectrum)),
        "fft_c2r: cudaMemset2DAsync");
}

void fft_c2r_cuda(Tensors& out, Args in, const FftC2RParams& p) {
  if (out[0].numel() == 0) return;
  const IntArrayRef dims(p.dims), last = dims.slice(dims.size() - 1), others = dims.slice(0, dims.size() - 1);
  // cuFFT writes over its input here, and wants a spectrum that is a real signal's: it gets memory of its own, with
  // the half dim last, as `rows` sees it. What goes forward is the conjugate's transform back.
  const DimVector order = order_with_last(in[0].dim(), last);
  const Tensor x = p.forward ? std::move(call_backend(conj_op, {&in[0]}, Params::of(NoParams()))[0]) : in[0];
  const Tensor rows = empty_on_device(permuted(x, order).sizes(), x.dtype(), x.device());
  const Tensor spectrum = permuted(rows, inverse(order));
  if (others.empty())
    copy_strided(spectrum, x);
  else
    transform_all(x, spectrum, others, false, "fft_c2r");
  clear_imaginary(rows, 0);
  if (p.last_dim_size % 2 == 0) clear_imaginary(rows, p.last_dim_size / 2);
  transform(spectrum, out[0], last, false, "fft_c2r");
  scale_by(out[0], p.scale);
}

STRATA_KERNEL(fft_c2c_op, CUDA, fft_c2c_cuda);
STRATA_KERNEL(fft_r2c_op, CUDA, fft_r2c_cuda);
STRATA_KERNEL(fft_c2r_op, CUDA, fft_c2r_cuda);

}  // namespace
}  // namespace strata::cuda::fft
