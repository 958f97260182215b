// Matrix products by cuBLASLt: descriptors, and one choice of algorithm per shape, layout and alignment.
#include <array>
#include <bit>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "core/cuda.h"
#include "core/tensor.h"
#include "kernels/cuda/matmul/matmul.h"
#include "kernels/cuda/runtime/launch.h"

namespace strata::cuda::matmul {

std::optional<Layout> layout_of(const Matrix& x, int64_t rows, int64_t cols) {
  if ((x.col == 1 || cols == 1) && (rows == 1 || x.row >= cols)) return Layout{false, rows == 1 ? cols : x.row};
  if ((x.row == 1 || rows == 1) && (cols == 1 || x.col >= rows)) return Layout{true, cols == 1 ? rows : x.col};
  return std::nullopt;
}

namespace {

constexpr size_t kMostPlans = 1 << 16;

void check(cublasStatus_t status, std::string_view op, const char* what) {
  STRATA_CHECK(status == CUBLAS_STATUS_SUCCESS, "{}: {} failed: {}", op, what, cublasLtGetStatusName(status));
}

/// One per device, for all threads: cuBLASLt keeps nothing in it that calls would change.
cublasLtHandle_t handle_of(DeviceIndex device, std::string_view op) {
  static std::mutex mutex;
  static cublasLtHandle_t handles[kMostDevices] = {};
  const std::lock_guard lock(mutex);
  if (!handles[device]) check(cublasLtCreate(&handles[device]), op, "cublasLtCreate");
  return handles[device];
}

struct Types {
  cudaDataType_t data, scale;
  cublasComputeType_t compute;
};

/// 16-bit floats are added up in float.
Types types_of(DType dtype) {
  const cublasComputeType_t single = allow_tf32_matmul() ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
  if (dtype == kDouble) return {CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F};
  if (dtype == kComplexDouble) return {CUDA_C_64F, CUDA_C_64F, CUBLAS_COMPUTE_64F};
  if (dtype == kComplexFloat) return {CUDA_C_32F, CUDA_C_32F, single};
  if (dtype == kHalf) return {CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F};
  if (dtype == kBFloat16) return {CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F};
  return {CUDA_R_32F, CUDA_R_32F, single};
}

/// What cuBLASLt calls A, B, C and D. It knows columns only, so it is told to compute the transpose of out from those
/// of b and a, which is the same memory.
struct Operand {
  char* data;
  bool transposed;
  int64_t rows, cols, ld, batch;
  /// Of the address; algorithms that need more are not taken.
  int64_t alignment() const {
    return int64_t{1} << std::min(8, std::countr_zero(reinterpret_cast<uintptr_t>(data) | 256));
  }
};
std::optional<Operand> operand(const Matrix& x, int64_t rows, int64_t cols) {
  const auto layout = layout_of(x, rows, cols);
  if (!layout) return std::nullopt;
  const bool t = layout->transposed;
  return Operand{x.data, t, t ? rows : cols, t ? cols : rows, layout->ld, x.batch};
}

/// A product as cuBLASLt is told of it.
struct Problem {
  Types types;
  Operand operands[4];
  cublasLtEpilogue_t epilogue;
  const void* bias;
  bool reads_c;
};

/// The epilogue that adds a row first; nothing where the library has none, or it has its row already.
std::optional<cublasLtEpilogue_t> with_bias(const Gemm& p) {
  if (p.bias) return std::nullopt;
  switch (p.epilogue) {
    case CUBLASLT_EPILOGUE_DEFAULT:
      return CUBLASLT_EPILOGUE_BIAS;
    case CUBLASLT_EPILOGUE_RELU:
      return CUBLASLT_EPILOGUE_RELU_BIAS;
    case CUBLASLT_EPILOGUE_GELU_AUX:
      return CUBLASLT_EPILOGUE_GELU_AUX_BIAS;
    default:
      return std::nullopt;
  }
}

/// Is init one row for all rows of out, as epilogues add it? Products of vectors they do not take everywhere,
/// complex numbers nowhere.
bool is_bias(const Gemm& p) {
  const bool row = p.init.data && p.init.row == 0 && p.init.col == 1 && p.init.batch == 0 && p.m > 1;
  return row && !is_complex(p.dtype) && p.beta == Scalar(1) && p.n > 1 && p.k > 1 &&
         reinterpret_cast<uintptr_t>(p.init.data) % 16 == 0;
}

std::optional<Problem> problem_of(const Gemm& p) {
  const auto a = operand(p.b, p.k, p.n), b = operand(p.a, p.m, p.k), d = operand(p.out, p.m, p.n);
  if (!a || !b || !d || d->transposed) return std::nullopt;
  const auto epilogue = with_bias(p);
  if (epilogue && is_bias(p)) return Problem{types_of(p.dtype), {*a, *b, *d, *d}, *epilogue, p.init.data, false};
  const auto c = p.init.data ? operand(p.init, p.m, p.n) : d;
  if (!c || c->transposed) return std::nullopt;
  return Problem{types_of(p.dtype), {*a, *b, *c, *d}, p.epilogue, p.bias, p.init.data != nullptr};
}

/// The descriptors, on the stack.
struct Descriptors {
  cublasLtMatmulDescOpaque_t product;
  cublasLtMatrixLayoutOpaque_t layouts[4];

  Descriptors(const Gemm& p, const Problem& problem) : op(p.op) {
    check(cublasLtMatmulDescInit(&product, problem.types.compute, problem.types.scale), op, "cublasLtMatmulDescInit");
    const auto transposition = [&](int i) { return problem.operands[i].transposed ? CUBLAS_OP_T : CUBLAS_OP_N; };
    set(CUBLASLT_MATMUL_DESC_TRANSA, transposition(0));
    set(CUBLASLT_MATMUL_DESC_TRANSB, transposition(1));
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, problem.epilogue);
    if (problem.bias) set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, problem.bias);
    if (p.aux) {
      set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, p.aux);
      set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, p.aux_row);
    }
    for (int i = 0; i < 4; ++i) init_layout(layouts[i], problem.operands[i], problem.types.data, p.batches);
  }

 private:
  template <class T>
  void set(cublasLtMatmulDescAttributes_t attribute, const T& value) {
    check(cublasLtMatmulDescSetAttribute(&product, attribute, &value, sizeof(value)), op,
          "cublasLtMatmulDescSetAttribute");
  }
  void init_layout(cublasLtMatrixLayoutOpaque_t& layout, const Operand& x, cudaDataType_t type, int64_t batches) {
    const auto rows = static_cast<uint64_t>(x.rows), cols = static_cast<uint64_t>(x.cols);
    check(cublasLtMatrixLayoutInit(&layout, type, rows, cols, x.ld), op, "cublasLtMatrixLayoutInit");
    if (batches == 1) return;
    const auto count = static_cast<int32_t>(batches);
    for (const cublasStatus_t status :
         {cublasLtMatrixLayoutSetAttribute(&layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof(count)),
          cublasLtMatrixLayoutSetAttribute(&layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &x.batch,
                                           sizeof(x.batch))}) {
      check(status, op, "cublasLtMatrixLayoutSetAttribute");
    }
  }
  std::string_view op;
};

/// What an algorithm is chosen by.
using Key = std::array<int64_t, 20>;
Key key_of(const Gemm& p, const Problem& problem) {
  Key key{p.m, p.n, p.k, p.batches, p.device, p.aux_row, problem.epilogue, problem.types.compute, problem.types.data};
  size_t at = 9;
  int64_t alignments = 0, flags = problem.reads_c;
  for (const Operand& x : problem.operands) {
    key[at++] = x.ld;
    key[at++] = x.batch;
    alignments = alignments * 1024 + x.alignment();
    flags = flags * 2 + x.transposed;
  }
  key[at++] = alignments;
  key[at++] = flags * 2 + (problem.operands[2].data == problem.operands[3].data);
  return key;
}
struct HashKey {
  size_t operator()(const Key& key) const {
    uint64_t hash = 0;
    for (const int64_t v : key) hash = (std::rotl(hash, 5) ^ static_cast<uint64_t>(v)) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 32;
  }
};

/// alpha or beta in the type that cuBLASLt reads it in. A real number is the real part of the complex one.
class Number {
 public:
  Number(const Scalar& value, cudaDataType_t type)
      : wide_(type == CUDA_R_64F || type == CUDA_C_64F),
        full_(type == CUDA_C_32F || type == CUDA_C_64F ? value.to<Complex<double>>() : value.toDouble()),
        half_(full_) {}
  const void* data() const { return wide_ ? static_cast<const void*>(&full_) : &half_; }

 private:
  bool wide_;
  Complex<double> full_;
  Complex<float> half_;
};

/// How a product is computed; `found` is false where cuBLASLt knows no way.
struct Plan {
  bool found = false;
  cublasLtMatmulAlgo_t algorithm;
  size_t workspace = 0;
};

/// Hopper's kernels want more.
uint64_t most_workspace(DeviceIndex device) {
  return uint64_t{get_device_properties(device).major >= 9 ? 64u : 32u} << 20;
}

/// The first that cuBLASLt's heuristics name. Sums that are cut up are joined in order and in the type they are added
/// up in: no other scheme is allowed.
Plan choose(const Gemm& p, const Problem& problem, Descriptors& d) {
  cublasLtMatmulPreferenceOpaque_t preference;
  check(cublasLtMatmulPreferenceInit(&preference), p.op, "cublasLtMatmulPreferenceInit");
  const auto prefer = [&](cublasLtMatmulPreferenceAttributes_t attribute, const auto& value) {
    check(cublasLtMatmulPreferenceSetAttribute(&preference, attribute, &value, sizeof(value)), p.op,
          "cublasLtMatmulPreferenceSetAttribute");
  };
  prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, most_workspace(p.device));
  prefer(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, uint32_t{CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE});
  constexpr cublasLtMatmulPreferenceAttributes_t kAlignments[] = {
      CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
      CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES};
  for (int i = 0; i < 4; ++i) prefer(kAlignments[i], static_cast<uint32_t>(problem.operands[i].alignment()));
  cublasLtMatmulHeuristicResult_t result{};
  int found = 0;
  const cublasStatus_t status =
      cublasLtMatmulAlgoGetHeuristic(handle_of(p.device, p.op), &d.product, &d.layouts[0], &d.layouts[1], &d.layouts[2],
                                     &d.layouts[3], &preference, 1, &result, &found);
  const bool unsupported = status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_INVALID_VALUE;
  if (!unsupported) check(status, p.op, "cublasLtMatmulAlgoGetHeuristic");
  if (unsupported || found == 0 || result.state != CUBLAS_STATUS_SUCCESS) return {};
  return {true, result.algo, result.workspaceSize};
}

Plan plan_of(const Gemm& p, const Problem& problem, Descriptors& d) {
  static std::mutex mutex;
  static std::unordered_map<Key, Plan, HashKey> plans;
  const Key key = key_of(p, problem);
  {
    const std::lock_guard lock(mutex);
    const auto at = plans.find(key);
    if (at != plans.end()) return at->second;
  }
  const Plan plan = choose(p, problem, d);
  const std::lock_guard lock(mutex);
  if (plans.size() >= kMostPlans) plans.clear();
  return plans.insert_or_assign(key, plan).first->second;
}

}  // namespace

bool gemm_by_library(const Gemm& p) {
  const auto problem = problem_of(p);
  if (!problem) return false;
  Descriptors d(p, *problem);
  const Plan plan = plan_of(p, *problem, d);
  if (!plan.found) return false;
  // The allocator hands the same memory to the stream's next product as soon as this one has been started.
  Tensor workspace;
  if (plan.workspace > 0)
    workspace = empty_on_device({static_cast<int64_t>(plan.workspace)}, kByte, Device(DeviceType::CUDA, p.device));
  const Number alpha(p.alpha, problem->types.scale), beta(problem->reads_c ? p.beta : Scalar(0), problem->types.scale);
  const Operand* const x = problem->operands;
  const cublasStatus_t status =
      cublasLtMatmul(handle_of(p.device, p.op), &d.product, alpha.data(), x[0].data, &d.layouts[0], x[1].data,
                     &d.layouts[1], beta.data(), x[2].data, &d.layouts[2], x[3].data, &d.layouts[3], &plan.algorithm,
                     workspace.defined() ? workspace.bytes() : nullptr, plan.workspace, stream_of(p.device));
  check(status, p.op, "cublasLtMatmul");
  check_launch(p.op);
  return true;
}

}  // namespace strata::cuda::matmul
