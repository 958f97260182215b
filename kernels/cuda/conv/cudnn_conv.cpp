// Convolutions by cuDNN: a graph of one operation, or two with a bias, and one choice of engine per shape, layout and
// dtype.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <bit>

#include "core/cuda.h"
#include "core/deterministic.h"
#include "kernels/cuda/common/copy.h"
#include "kernels/cuda/conv/conv.h"
#include "kernels/cuda/runtime/cudnn.h"
#include "kernels/cuda/runtime/launch.h"
#include "ops/binary_def.h"

namespace strata::cuda::conv {
namespace {

/// How many plans are timed with the benchmark switch on.
constexpr size_t kMostTimed = 4;

/// x, w and y, in this order, by which cuDNN knows them; and the bias, and the sums before it is added.
constexpr std::array<int64_t, 3> kIds = {'x', 'w', 'y'};
constexpr int64_t kBias = 'b', kSums = 's';

/// One number for each dim of a tensor, or for each spatial dim.
using Numbers = std::vector<int64_t>;

cudnnDataType_t type_of(DType t) {
  if (t == kDouble) return CUDNN_DATA_DOUBLE;
  if (t == kHalf) return CUDNN_DATA_HALF;
  return t == kBFloat16 ? CUDNN_DATA_BFLOAT16 : CUDNN_DATA_FLOAT;
}

/// The strides of `(N, C, H, W)` or `(N, C, D, H, W)` stored with the channels behind the last dim, or in its order.
Numbers strides_of(IntArrayRef s, bool channels_last) {
  Numbers strides(s.size());
  int64_t step = 1;
  if (channels_last) strides[1] = 1, step = s[1];
  for (size_t d = s.size(); d-- > (channels_last ? 2u : 1u); step *= s[d]) strides[d] = step;
  strides[0] = step;
  return strides;
}

bool is_channels_last(const Tensor& t) {
  const auto expected = strides_of(t.sizes(), true);
  for (size_t d = 0; d < expected.size(); ++d)
    if (t.sizes()[d] != 1 && t.strides()[d] != expected[d]) return false;
  return true;
}

int64_t alignment(const Tensor& t) {
  return int64_t{1} << std::min(4, std::countr_zero(reinterpret_cast<uintptr_t>(t.bytes()) | 16));
}

/// The operands as cuDNN gets them: all channels last where they lie so, else all row-major.
class Operands {
 public:
  explicit Operands(const Conv& c) : c_(c), tensors_{c.x, c.w, c.y} {
    last_ = is_channels_last(c.x) && is_channels_last(c.w) && is_channels_last(c.y) && !is_row_major();
    for (Tensor& t : tensors_) {
      if (last_ || t.is_contiguous()) continue;
      const bool writes = t.is_same(c.written());
      t = writes ? empty_on_device(t.sizes(), t.dtype(), t.device()) : row_major(t);
    }
  }
  const Tensor& operator[](size_t i) const { return tensors_[i]; }
  bool channels_last() const { return last_; }
  Numbers strides(size_t i) const { return strides_of(tensors_[i].sizes(), last_); }
  int64_t alignment(size_t i) const { return conv::alignment(tensors_[i]); }
  /// Brings the result to where it was asked for.
  void finish() const {
    const Tensor& result = tensors_[c_.pass == ConvPass::kForward ? 2 : c_.pass == ConvPass::kBackwardInput ? 0 : 1];
    if (!result.is_same(c_.written())) copy_strided(c_.written(), result);
  }

 private:
  bool is_row_major() const { return c_.x.is_contiguous() && c_.w.is_contiguous() && c_.y.is_contiguous(); }
  const Conv& c_;
  Tensor tensors_[3];
  bool last_;
};

/// What a plan is chosen by.
using PlanKey = std::array<int64_t, 31>;
PlanKey key_of(const Conv& c, const Operands& o) {
  const ConvParams& p = c.p;
  int64_t alignments = c.bias.defined() ? alignment(c.bias) : 0;
  for (size_t i = 0; i < 3; ++i) alignments = alignments * 32 + o.alignment(i);
  return {static_cast<int64_t>(c.pass),
          static_cast<int64_t>(c.x.dtype()),
          c.x.device().index(),
          c.x.size(0),
          c.x.size(1),
          c.w.size(0),
          p.groups,
          p.ih,
          p.iw,
          p.oh,
          p.ow,
          p.kh,
          p.kw,
          p.sh,
          p.sw,
          p.ph,
          p.pw,
          p.dh,
          p.dw,
          c.x.dim(),
          p.id,
          p.od,
          p.kd,
          p.sd,
          p.pd,
          p.dd,
          o.channels_last(),
          alignments,
          allow_tf32_cudnn(),
          deterministic_cudnn(),
          benchmark_cudnn()};
}

struct Described {
  int64_t id;
  cudnnDataType_t type;
  Numbers sizes, strides;
  int64_t alignment;
  bool is_inner = false;  ///< only inside of the graph, not in memory
};
CudnnDescriptor descriptor(const Described& t) {
  CudnnDescriptor d(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  d.set(CUDNN_ATTR_TENSOR_DATA_TYPE, t.type)
      .set(CUDNN_ATTR_TENSOR_DIMENSIONS, t.sizes)
      .set(CUDNN_ATTR_TENSOR_STRIDES, t.strides)
      .set(CUDNN_ATTR_TENSOR_UNIQUE_ID, t.id)
      .set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, t.alignment)
      .set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, t.is_inner)
      .finalize();
  return d;
}

Described described(const Operands& o, size_t i) {
  return {kIds[i], type_of(o[i].dtype()), o[i].sizes().vec(), o.strides(i), o.alignment(i)};
}

/// 16-bit floats are added up in float.
cudnnDataType_t sum_type(const Conv& c) { return c.x.dtype() == kDouble ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT; }

/// The geometry. cuDNN takes the number of groups from the channels of x and w.
CudnnDescriptor geometry_descriptor(const Conv& c) {
  const ConvParams& p = c.p;
  const bool deep = c.x.dim() == 5;
  const auto numbers = [deep](int64_t d, int64_t h, int64_t w) { return deep ? Numbers{d, h, w} : Numbers{h, w}; };
  CudnnDescriptor d(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  d.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, sum_type(c))
      .set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_CROSS_CORRELATION)
      .set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, int64_t{deep ? 3 : 2})
      .set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, numbers(p.sd, p.sh, p.sw))
      .set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, numbers(p.pd, p.ph, p.pw))
      .set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, numbers(p.pd, p.ph, p.pw))
      .set(CUDNN_ATTR_CONVOLUTION_DILATIONS, numbers(p.dd, p.dh, p.dw))
      .finalize();
  return d;
}

/// What cuDNN calls each pass and its operands, in the order of kIds.
struct Names {
  cudnnBackendDescriptorType_t operation;
  cudnnBackendAttributeName_t geometry, alpha, beta, operands[3];
};
constexpr Names kNames[] = {
    {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
     CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
     CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
     CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA,
     {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
      CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y}},
    {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA,
     {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
      CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY}},
    {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA,
     {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
      CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY}},
};

/// y or, where a bias is added to make it, the sums before that, which stay inside of the graph.
Described described_y(const Conv& c, const Operands& o) {
  Described y = described(o, 2);
  if (c.bias.defined()) y.id = kSums, y.type = sum_type(c), y.alignment = 16, y.is_inner = true;
  return y;
}

/// A graph with all that it is made of.
struct Graph {
  CudnnDescriptor geometry, x, w, y, graph{CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR};
  std::vector<CudnnDescriptor> operations, of_bias;

  Graph(const Conv& c, const Operands& o, cudnnHandle_t handle)
      : geometry(geometry_descriptor(c)),
        x(descriptor(described(o, 0))),
        w(descriptor(described(o, 1))),
        y(descriptor(described_y(c, o))) {
    const Names& names = kNames[static_cast<int>(c.pass)];
    CudnnDescriptor& operation = operations.emplace_back(names.operation);
    operation.set(names.geometry, geometry)
        .set(names.operands[0], x)
        .set(names.operands[1], w)
        .set(names.operands[2], y);
    if (c.x.dtype() == kDouble)
      operation.set(names.alpha, 1.0).set(names.beta, 0.0);
    else
      operation.set(names.alpha, 1.0f).set(names.beta, 0.0f);
    operation.finalize();
    if (c.bias.defined()) add_bias(c, o);
    graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, operations).set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, handle).finalize();
  }

 private:
  void add_bias(const Conv& c, const Operands& o) {
    const int64_t n = c.bias.numel();
    Numbers sizes(o[2].sizes().size(), 1), strides(sizes.size(), n);
    sizes[1] = n, strides[1] = 1;
    of_bias.push_back(descriptor({kBias, type_of(c.bias.dtype()), sizes, strides, alignment(c.bias)}));
    of_bias.push_back(descriptor(described(o, 2)));
    CudnnDescriptor& how = of_bias.emplace_back(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    how.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_POINTWISE_ADD).set(CUDNN_ATTR_POINTWISE_MATH_PREC, sum_type(c)).finalize();
    operations.emplace_back(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR)
        .set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how)
        .set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, y)
        .set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, of_bias[0])
        .set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, of_bias[1])
        .finalize();
  }
};

/// May an engine be used? None may add up in a shorter type or round float32 operands, but to TF32 where that is
/// allowed: tensor cores know no float32.
bool is_wanted(const CudnnDescriptor& proposal, DType dtype) {
  if (has_note(proposal, CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION)) return false;
  if (dtype == kFloat) {
    if (has_note(proposal, CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS)) return false;
    if (!allow_tf32_cudnn() && has_note(proposal, CUDNN_NUMERICAL_NOTE_TENSOR_CORE)) return false;
  }
  return !deterministic_cudnn() || !has_note(proposal, CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC);
}

void execute(const CudnnPlan& plan, const Conv& c, const Operands& o, cudnnHandle_t handle) {
  std::vector<int64_t> ids(kIds.begin(), kIds.end());
  std::vector<void*> data{o[0].bytes(), o[1].bytes(), o[2].bytes()};
  if (c.bias.defined()) ids.push_back(kBias), data.push_back(c.bias.bytes());
  cudnn_execute(plan, ids, data, o[0].device(), handle);
}

/// The shortest of a few runs in milliseconds.
float time_of(const CudnnPlan& plan, const Conv& c, const Operands& o, cudnnHandle_t handle) {
  constexpr int kRuns = 3;
  const cudaStream_t stream = stream_of(o[0]);
  cudaEvent_t events[kRuns + 1];
  for (cudaEvent_t& e : events) check(cudaEventCreate(&e), "cudaEventCreate");
  execute(plan, c, o, handle);
  check(cudaEventRecord(events[0], stream), "cudaEventRecord");
  for (int i = 1; i <= kRuns; ++i) {
    execute(plan, c, o, handle);
    check(cudaEventRecord(events[i], stream), "cudaEventRecord");
  }
  check(cudaEventSynchronize(events[kRuns]), "cudaEventSynchronize");
  float best = 0;
  for (int i = 0; i < kRuns; ++i) {
    float one = 0;
    check(cudaEventElapsedTime(&one, events[i], events[i + 1]), "cudaEventElapsedTime");
    best = i == 0 ? one : std::min(best, one);
  }
  for (const cudaEvent_t e : events) cudaEventDestroy(e);
  return best;
}

bool is_capturing(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing");
  return status != cudaStreamCaptureStatusNone;
}

/// The first that works, or with the benchmark switch on the fastest of the first few; null if none does.
CudnnPlanPtr choose(const Conv& c, const Operands& o, cudnnHandle_t handle) {
  const Graph graph(c, o, handle);
  const size_t wanted = benchmark_cudnn() && !is_capturing(stream_of(c.x)) ? kMostTimed : 1;
  std::vector<CudnnPlanPtr> plans;
  for (const cudnnBackendHeurMode_t mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK}) {
    for (CudnnDescriptor& proposal : cudnn_proposals(graph.graph, mode)) {
      if (plans.size() == wanted) break;
      if (!is_wanted(proposal, c.x.dtype())) continue;
      if (auto plan = cudnn_plan(std::move(proposal), handle)) plans.push_back(std::move(plan));
    }
    if (!plans.empty()) break;
  }
  if (plans.empty()) return nullptr;
  CudnnPlanPtr best = plans[0];
  if (plans.size() == 1) return best;
  float shortest = time_of(*best, c, o, handle);
  for (size_t i = 1; i < plans.size(); ++i) {
    const float time = time_of(*plans[i], c, o, handle);
    if (time < shortest) shortest = time, best = plans[i];
  }
  return best;
}

CudnnPlanPtr find_plan(const Conv& c, const Operands& o, cudnnHandle_t handle) {
  static auto& plans = *new CudnnPlans<PlanKey>;  // outlives cuDNN's users
  return plans.find(key_of(c, o), [&] { return choose(c, o, handle); });
}

/// y += bias, which goes along the channels.
void add_bias(const Tensor& y, const Tensor& bias) {
  const Tensor wide = Tensor::adopt(new TensorImpl(bias.dtype(), bias.device(), bias.storage()));
  DimVector strides(y.sizes().size(), 0);
  strides[1] = bias.strides()[0];
  wide.impl()->set_geometry(y.sizes(), strides, bias.storage_offset());
  Tensors out(y);
  const NoParams none;
  add_op.kernels[static_cast<int>(Key::CUDA)](out, {&y, &wide}, &none);
}

/// cuDNN computes the output's sizes itself, from the same padding on both sides; all its sizes are positive.
bool is_taken(const Conv& c) {
  const ConvParams& p = c.p;
  const auto out = [](int64_t i, int64_t k, int64_t stride, int64_t pad, int64_t dilation) {
    return (i + 2 * pad - dilation * (k - 1) - 1) / stride + 1;
  };
  const bool sizes = c.x.numel() > 0 && c.w.numel() > 0 && c.y.numel() > 0;
  return sizes && out(p.id, p.kd, p.sd, p.pd, p.dd) == p.od && out(p.ih, p.kh, p.sh, p.ph, p.dh) == p.oh &&
         out(p.iw, p.kw, p.sw, p.pw, p.dw) == p.ow;
}

}  // namespace

bool conv_by_cudnn(const Conv& c) {
  if (!is_taken(c)) return false;
  const Operands o(c);
  const Conv without{c.pass, c.p, c.x, c.w, c.y};
  const bool may_fuse = c.bias.defined() && (c.bias.strides()[0] == 1 || c.bias.numel() == 1);
  const Conv* by = may_fuse ? &c : &without;
  try {
    const CudnnHandle handle(c.x.device().index());
    auto plan = find_plan(*by, o, handle);
    if (!plan && may_fuse) by = &without, plan = find_plan(*by, o, handle);
    if (!plan) return false;
    execute(*plan, *by, o, handle);
  } catch (const Error& e) {
    STRATA_THROW("{} of x {}, w {} and y {} by cuDNN: {}", c.op(), c.x.sizes(), c.w.sizes(), c.y.sizes(), e.what());
  }
  check_launch(c.op());
  o.finish();
  if (c.bias.defined() && by == &without) add_bias(c.y, c.bias);
  return true;
}

}  // namespace strata::cuda::conv
