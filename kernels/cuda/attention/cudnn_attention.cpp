// Attention by cuDNN: the graph of operations in which it recognises flash attention, and one plan per shape and
// layout.
#include <algorithm>
#include <limits>

#include "core/deterministic.h"
#include "core/error.h"
#include "kernels/cuda/attention/attention.h"
#include "kernels/cuda/common/copy.h"
#include "kernels/cuda/runtime/cudnn_graph.h"
#include "kernels/cuda/runtime/launch.h"

namespace strata::cuda::attention {
namespace {

using Four = CudnnGraph::Four;
using Value = CudnnGraph::Value;

/// By which cuDNN knows the operands.
enum Id : int64_t { kQ = 1, kK, kV, kOut, kLogsumexp, kScale, kHidden, kGrad, kDelta, kOne, kDq, kDk, kDv, kDqSums };

/// cuDNN wants rows of whole 16-byte pieces, in elements of a 16-bit type.
constexpr int64_t kPiece = 8;
/// Fewer queries or keys leave tiles empty, and decoders grow them one by one: making a plan takes some tenths of a
/// second.
constexpr int64_t kFewest = 64;
/// Versions before this one have known bugs, and other rules for masks.
constexpr size_t kOldest = 91002;

bool is_aligned(const Tensor& t) { return reinterpret_cast<uintptr_t>(t.bytes()) % 16 == 0; }

/// Can cuDNN take `(B, H, rows, cols)`, or row-major `(B, H, rows)`, where it lies?
bool lies_well(const Tensor& t) {
  if (!is_aligned(t)) return false;
  if (t.dim() < 4) return t.is_contiguous();
  for (size_t d = 0; d < 3; ++d)
    if (t.sizes()[d] != 1 && (t.strides()[d] <= 0 || t.strides()[d] % kPiece != 0)) return false;
  return t.strides()[3] == 1;
}
Tensor fresh(const Tensor& t) { return empty_on_device(t.sizes(), t.dtype(), t.device()); }
Tensor readable(const Tensor& t) {
  if (lies_well(t)) return t;
  const Tensor copy = fresh(t);
  copy_strided(copy, t);
  return copy;
}
Tensor writable(const Tensor& t) { return lies_well(t) ? t : fresh(t); }
void bring_back(const Tensor& to, const Tensor& from) {
  if (!from.is_same(to)) copy_strided(to, from);
}

Four sizes_of(const Tensor& t) { return {t.size(0), t.size(1), t.size(2), t.dim() > 3 ? t.size(3) : 1}; }
/// Dims of one element have any stride, which is made one that cuDNN takes and plans do not differ by.
Four strides_of(const Tensor& t) {
  if (t.dim() < 4 || t.is_contiguous()) return CudnnGraph::row_major(sizes_of(t));
  Four s{0, 0, 0, 1};
  for (size_t d = 0; d < 3; ++d) s[d] = t.sizes()[d] == 1 ? t.numel() : t.strides()[d];
  return s;
}

/// The operands as cuDNN gets them.
struct Forward {
  Tensor q, k, v, out, logsumexp;
  AttentionParams p;
};
struct Backward {
  Forward f;
  Tensor grad, dq, dk, dv;
  Tensor delta;    ///< memory for `sum(grad * out)`
  Tensor dq_sums;  ///< memory in which blocks add up dq in any order; undefined if they are not to
};

cudnnDataType_t type_of(const Tensor& t) {
  if (t.dtype() == kFloat) return CUDNN_DATA_FLOAT;
  return t.dtype() == kHalf ? CUDNN_DATA_HALF : CUDNN_DATA_BFLOAT16;
}
Value value_of(CudnnGraph& g, Id id, const Tensor& t) { return g.memory(id, type_of(t), sizes_of(t), strides_of(t)); }
/// The same memory as a matrix of columns.
Value transposed(CudnnGraph& g, Id id, const Tensor& t) {
  Four sizes = sizes_of(t), strides = strides_of(t);
  std::swap(sizes[2], sizes[3]);
  std::swap(strides[2], strides[3]);
  return g.memory(id, type_of(t), sizes, strides);
}

/// `x`, or what hides it where the key comes after the query.
Value hide_later_keys(CudnnGraph& g, const Value& x) {
  const Value query = g.inner(x.sizes, CUDNN_DATA_INT32), key = g.inner(x.sizes, CUDNN_DATA_INT32),
              seen = g.inner(x.sizes, CUDNN_DATA_BOOLEAN);
  g.apply(CUDNN_POINTWISE_GEN_INDEX, {x}, query, 2);
  g.apply(CUDNN_POINTWISE_GEN_INDEX, {x}, key, 3);
  g.apply(CUDNN_POINTWISE_CMP_GE, {query, key}, seen);
  return g.apply(CUDNN_POINTWISE_BINARY_SELECT, {x, g.number(kHidden), seen});
}
Value product(CudnnGraph& g, const Value& a, const Value& b) {
  const Value to = g.inner({a.sizes[0], a.sizes[1], a.sizes[2], b.sizes[3]});
  g.multiply(a, b, to);
  return to;
}

/// Scores, their softmax with its logsumexp, and the weighted values, in the order in which cuDNN looks for them: after
/// NVIDIA's cudnn-frontend (scaled_dot_product_flash_attention.h).
CudnnGraph graph_of(const Forward& f) {
  CudnnGraph g;
  const Value q = value_of(g, kQ, f.q), k = transposed(g, kK, f.k), v = value_of(g, kV, f.v),
              out = value_of(g, kOut, f.out), logsumexp = value_of(g, kLogsumexp, f.logsumexp);
  Value scores = g.apply(CUDNN_POINTWISE_MUL, {product(g, q, k), g.number(kScale)});
  if (f.p.is_causal) scores = hide_later_keys(g, scores);

  const Value largest = g.inner(logsumexp.sizes), total = g.inner(logsumexp.sizes),
              weights = g.inner(scores.sizes, q.type);
  g.reduce(CUDNN_REDUCE_TENSOR_MAX, scores, largest);
  const Value powers = g.apply(CUDNN_POINTWISE_EXP, {g.apply(CUDNN_POINTWISE_SUB, {scores, largest})});
  g.reduce(CUDNN_REDUCE_TENSOR_ADD, powers, total);
  g.apply(CUDNN_POINTWISE_ADD, {largest, g.apply(CUDNN_POINTWISE_LOG, {total})}, logsumexp);
  g.apply(CUDNN_POINTWISE_DIV, {powers, total}, weights);
  g.multiply(weights, v, out);
  return g;
}

/// `x` `(B, H, queries, keys)` as the matrix of columns that the next product takes, rounded to its type.
Value turned(CudnnGraph& g, const Value& x, cudnnDataType_t type) {
  const auto [b, h, l, s] = x.sizes;
  return g.reshape(x, {b, h, s, l}, {h * l * s, l * s, 1, s}, type);
}

/// Note [Derivatives of attention] of ops/attention.cpp as cuDNN looks for it, also after cudnn-frontend. It insists on
/// delta = 1 * sum(grad * out) and puts it into memory.
CudnnGraph graph_of(const Backward& b) {
  CudnnGraph g;
  const Forward& f = b.f;
  const Value q = value_of(g, kQ, f.q), k = transposed(g, kK, f.k), v = transposed(g, kV, f.v),
              out = value_of(g, kOut, f.out), logsumexp = value_of(g, kLogsumexp, f.logsumexp),
              grad = value_of(g, kGrad, b.grad), delta = value_of(g, kDelta, b.delta), dq = value_of(g, kDq, b.dq),
              scale = g.number(kScale), sums = g.inner(delta.sizes);
  g.reduce(CUDNN_REDUCE_TENSOR_ADD, g.apply(CUDNN_POINTWISE_MUL, {grad, out}), sums);
  g.apply(CUDNN_POINTWISE_MUL, {sums, g.number(kOne)}, delta);

  Value scores = g.apply(CUDNN_POINTWISE_MUL, {product(g, q, k), scale});
  scores = g.apply(CUDNN_POINTWISE_SUB, {scores, logsumexp});
  if (f.p.is_causal) scores = hide_later_keys(g, scores);
  const Value weights = g.apply(CUDNN_POINTWISE_EXP, {scores});
  g.multiply(turned(g, weights, q.type), grad, value_of(g, kDv, b.dv));

  const Value excess = g.apply(CUDNN_POINTWISE_SUB, {product(g, grad, v), delta});
  const Value of_scores = g.apply(CUDNN_POINTWISE_MUL, {g.apply(CUDNN_POINTWISE_MUL, {excess, weights}), scale});
  g.multiply(turned(g, of_scores, q.type), q, value_of(g, kDk, b.dk));
  const Value keys = g.reshape(k, sizes_of(f.k), strides_of(f.k), k.type);
  const Value to = b.dq_sums.defined() ? value_of(g, kDqSums, b.dq_sums) : dq;
  g.multiply(of_scores, keys, to);
  if (b.dq_sums.defined()) g.apply(CUDNN_POINTWISE_IDENTITY, {to}, dq);
  return g;
}

/// The first plan that can be made; null if none can.
template <class Pass>
CudnnPlanPtr choose(const Pass& pass, cudnnHandle_t handle) {
  try {
    const CudnnGraph g = graph_of(pass);
    CudnnDescriptor graph = g.descriptor();
    graph.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, handle).finalize();
    for (const cudnnBackendHeurMode_t mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK})
      for (CudnnDescriptor& proposal : cudnn_proposals(graph, mode))
        if (auto plan = cudnn_plan(std::move(proposal), handle)) return plan;
  } catch (const Error&) {  // it does not take such operands
  }
  return nullptr;
}

/// All that a plan is chosen by.
using PlanKey = std::array<int64_t, 34>;
PlanKey key_of(const Forward& f, const Tensor* more = nullptr, size_t count = 0, bool deterministic = false) {
  PlanKey key{static_cast<int64_t>(f.q.dtype()),
              f.q.device().index(),
              f.p.is_causal,
              f.q.size(0),
              f.q.size(1),
              f.q.size(2),
              f.q.size(3),
              f.k.size(2),
              f.v.size(3),
              deterministic};
  auto at = key.begin() + 10;
  const auto add = [&](const Tensor& t) { at = std::copy_n(strides_of(t).begin(), 3, at); };
  for (const Tensor* t : {&f.q, &f.k, &f.v, &f.out}) add(*t);
  for (size_t i = 0; i < count; ++i) add(more[i]);
  return key;
}
PlanKey key_of(const Backward& b) {
  const Tensor more[] = {b.grad, b.dq, b.dk, b.dv};
  return key_of(b.f, more, 4, !b.dq_sums.defined());
}

/// The memory that each operand of a graph is bound to, by the operand's id.
struct Bound {
  std::vector<int64_t> ids;
  std::vector<void*> memory;
  float scale, hidden = -std::numeric_limits<float>::infinity(), one = 1;

  explicit Bound(const Forward& f) : scale(static_cast<float>(f.p.scale)) {
    add(kQ, f.q), add(kK, f.k), add(kV, f.v), add(kOut, f.out), add(kLogsumexp, f.logsumexp), add(kScale, &scale);
    if (f.p.is_causal) add(kHidden, &hidden);
  }
  explicit Bound(const Backward& b) : Bound(b.f) {
    add(kGrad, b.grad), add(kDelta, b.delta), add(kDq, b.dq), add(kDk, b.dk), add(kDv, b.dv), add(kOne, &one);
    if (b.dq_sums.defined()) add(kDqSums, b.dq_sums);
  }
  Bound(const Bound&) = delete;  // numbers are pointed to
  void add(Id id, void* p) { ids.push_back(id), memory.push_back(p); }
  void add(Id id, const Tensor& t) { add(id, static_cast<void*>(t.bytes())); }
};

/// Runs a pass; false if there is no plan.
template <class Pass>
bool run(const char* op, const Pass& pass, const Forward& f) {
  static auto& plans = *new CudnnPlans<PlanKey>;  // outlives cuDNN's users
  try {
    const CudnnHandle handle(f.q.device().index());
    const auto plan = plans.find(key_of(pass), [&] { return choose(pass, handle); });
    if (!plan) return false;
    const Bound bound(pass);
    cudnn_execute(*plan, bound.ids, bound.memory, f.q.device(), handle);
  } catch (const Error& e) {
    STRATA_THROW("{} of q {}, k {} and v {} by cuDNN: {}", op, f.q.sizes(), f.k.sizes(), f.v.sizes(), e.what());
  }
  check_launch(op);
  return true;
}

/// Rows of 16-bit numbers, enough of them, and not so many that indices would need 64 bits.
bool is_taken(const Tensor& q, const Tensor& k, const Tensor& v) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  const bool type = q.dtype() == kHalf || q.dtype() == kBFloat16;
  const bool widths = q.size(3) % kPiece == 0 && v.size(3) % kPiece == 0;
  const bool sizes = q.numel() > 0 && v.numel() > 0 && q.size(2) >= kFewest && k.size(2) >= kFewest;
  const bool few =
      std::max({q.numel(), k.numel(), v.numel(), q.numel() / std::max<int64_t>(q.size(3), 1) * v.size(3)}) <= kMost;
  return type && widths && sizes && few && cudnnGetVersion() >= kOldest;
}

}  // namespace

bool attention_by_cudnn(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionParams& p, const Tensor& out,
                        const Tensor& logsumexp) {
  if (!is_taken(q, k, v)) return false;
  const Forward f{readable(q), readable(k), readable(v), writable(out), writable(logsumexp), p};
  if (!run("attention", f, f)) return false;
  bring_back(out, f.out);
  bring_back(logsumexp, f.logsumexp);
  return true;
}

bool attention_backward_by_cudnn(const AttentionGradients& g, const AttentionParams& p) {
  if (!is_taken(g.q, g.k, g.v)) return false;
  const Backward b{
      {readable(g.q), readable(g.k), readable(g.v), readable(g.out), readable(g.logsumexp), p},
      readable(g.grad),
      writable(g.dq),
      writable(g.dk),
      writable(g.dv),
      fresh(g.logsumexp),
      are_deterministic_algorithms_enabled() ? Tensor() : empty_on_device(g.q.sizes(), kFloat, g.q.device())};
  if (!run("attention_backward", b, b.f)) return false;
  bring_back(g.dq, b.dq);
  bring_back(g.dk, b.dk);
  bring_back(g.dv, b.dv);
  return true;
}

}  // namespace strata::cuda::attention
