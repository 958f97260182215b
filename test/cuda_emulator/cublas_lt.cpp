// cuBLASLt on the host: the definition of its product, in loops, and as strict about what it is given.
#include <cublasLt.h>

#include "core/complex.h"
#include "core/half.h"
#include "test/cuda_emulator/library.h"

namespace {

using strata::BFloat16;
using strata::Complex;
using strata::Half;
using Layout = cublasLtMatrixLayoutOpaque_t;

strata::emulator::LtCounts lt_calls;
constexpr size_t kLtWorkspace = 4096;

bool is_complex(cudaDataType type) { return type == CUDA_C_32F || type == CUDA_C_64F; }
bool is_wide(cudaDataType type) { return type == CUDA_R_64F || type == CUDA_C_64F; }

/// An element as a V, which is double or, for the complex types, Complex<double>.
template <class V>
V read(const void* data, cudaDataType type, int64_t at);
template <>
Complex<double> read(const void* data, cudaDataType type, int64_t at) {
  if (is_wide(type)) return static_cast<const Complex<double>*>(data)[at];
  return static_cast<const Complex<float>*>(data)[at];
}
template <>
double read(const void* data, cudaDataType type, int64_t at) {
  switch (type) {
    case CUDA_R_64F:
      return static_cast<const double*>(data)[at];
    case CUDA_R_16F:
      return static_cast<float>(static_cast<const Half*>(data)[at]);
    case CUDA_R_16BF:
      return static_cast<float>(static_cast<const BFloat16*>(data)[at]);
    default:
      return static_cast<const float*>(data)[at];
  }
}

void write(void* data, cudaDataType type, int64_t at, const Complex<double>& v) {
  if (is_wide(type))
    static_cast<Complex<double>*>(data)[at] = v;
  else
    static_cast<Complex<float>*>(data)[at] = v;
}
void write(void* data, cudaDataType type, int64_t at, double v) {
  switch (type) {
    case CUDA_R_64F:
      static_cast<double*>(data)[at] = v;
      break;
    case CUDA_R_16F:
      static_cast<Half*>(data)[at] = Half(static_cast<float>(v));
      break;
    case CUDA_R_16BF:
      static_cast<BFloat16*>(data)[at] = BFloat16(static_cast<float>(v));
      break;
    default:
      static_cast<float*>(data)[at] = static_cast<float>(v);
  }
}

/// The approximation with tanh, as the library's.
double gelu(double x) { return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))); }
double gelu_slope(double x) {
  const double t = std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * 0.7978845608028654 * (1 + 3 * 0.044715 * x * x);
}

/// One product of a batch.
template <class V>
struct Product {
  const cublasLtMatmulDescOpaque_t& desc;
  const Layout (&layouts)[4];
  int64_t offsets[4];

  int64_t rows() const { return layouts[3].rows; }
  int64_t cols() const { return layouts[3].cols; }
  int64_t depth() const { return desc.transposed[0] ? layouts[0].rows : layouts[0].cols; }
  V element(int which, const void* data, int64_t i, int64_t j) const {
    const Layout& x = layouts[which];
    if (which < 2 && desc.transposed[which]) std::swap(i, j);
    return read<V>(data, x.type, offsets[which] + i + j * x.ld);
  }
  bool has(int bit) const { return desc.epilogue & bit; }

  /// The bit of RELU_AUX, as it is stored.
  bool bit(int64_t i, int64_t j) const {
    const int64_t at = i + j * desc.aux_ld;
    return static_cast<const uint8_t*>(desc.aux)[at / 8] >> at % 8 & 1;
  }
  void set_bit(int64_t i, int64_t j, bool on) const {
    const int64_t at = i + j * desc.aux_ld;
    uint8_t& byte = static_cast<uint8_t*>(desc.aux)[at / 8];
    byte = static_cast<uint8_t>(on ? byte | 1 << at % 8 : byte & ~(1 << at % 8));
  }
  Complex<double> finish(const Complex<double>& v, int64_t, int64_t) const { return v; }
  double finish(double v, int64_t i, int64_t j) const {
    const cudaDataType type = layouts[3].type;
    if (has(CUBLASLT_EPILOGUE_BIAS)) v += read<double>(desc.bias, type, i);
    if (desc.epilogue == CUBLASLT_EPILOGUE_DRELU || desc.epilogue == CUBLASLT_EPILOGUE_DRELU_BGRAD)
      return bit(i, j) ? v : 0;
    if (desc.epilogue == CUBLASLT_EPILOGUE_DGELU || desc.epilogue == CUBLASLT_EPILOGUE_DGELU_BGRAD)
      return v * gelu_slope(read<double>(desc.aux, type, i + j * desc.aux_ld));
    if (has(CUBLASLT_EPILOGUE_RELU)) {
      if (desc.aux) set_bit(i, j, v > 0);
      return v > 0 ? v : 0;
    }
    if (has(CUBLASLT_EPILOGUE_GELU)) {
      if (desc.aux) write(desc.aux, type, i + j * desc.aux_ld, v);
      return gelu(v);
    }
    return v;
  }
};

template <class V>
void compute(const Product<V>& p, V alpha, const void* a, const void* b, V beta, const void* c, void* d) {
  const cudaDataType type = p.layouts[3].type;
  std::vector<V> row_sums(static_cast<size_t>(p.rows())), a_sums(row_sums), b_sums(static_cast<size_t>(p.cols()));
  for (int64_t j = 0; j < p.cols(); ++j) {
    for (int64_t i = 0; i < p.rows(); ++i) {
      V sum = 0, a_sum = 0, b_sum = 0;
      for (int64_t q = 0; q < p.depth(); ++q) {
        const V x = p.element(0, a, i, q), y = p.element(1, b, q, j);
        sum += x * y, a_sum += x, b_sum += y;
      }
      const V v = alpha * sum + (beta == V(0) ? V(0) : beta * p.element(2, c, i, j));
      const V result = p.finish(v, i, j);
      write(d, type, p.offsets[3] + i + j * p.layouts[3].ld, result);
      row_sums[static_cast<size_t>(i)] += result;
      a_sums[static_cast<size_t>(i)] = a_sum, b_sums[static_cast<size_t>(j)] = b_sum;
    }
  }
  const auto store = [&](const std::vector<V>& sums) {
    for (size_t i = 0; i < sums.size(); ++i) write(p.desc.bias, type, static_cast<int64_t>(i), sums[i]);
  };
  if (p.has(16)) store(row_sums);
  if (p.has(CUBLASLT_EPILOGUE_BGRADA)) store(a_sums);
  if (p.has(CUBLASLT_EPILOGUE_BGRADB)) store(b_sums);
}

bool same(const Layout& x, const Layout& y) {
  return x.type == y.type && x.rows == y.rows && x.cols == y.cols && x.ld == y.ld && x.batches == y.batches &&
         x.batch == y.batch;
}

/// Are the pointers that the epilogue needs there, and as the library documents them?
bool has_operands(const cublasLtMatmulDescOpaque_t& p, const Layout& d) {
  const int row_bits = CUBLASLT_EPILOGUE_BIAS | 16 | CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB;
  if ((p.epilogue & row_bits) && (!p.bias || reinterpret_cast<uintptr_t>(p.bias) % 16)) return false;
  if (!(p.epilogue & 128)) return true;
  const bool of_bits = p.epilogue & (CUBLASLT_EPILOGUE_RELU | 8);
  return p.aux && reinterpret_cast<uintptr_t>(p.aux) % 16 == 0 && p.aux_ld >= d.rows &&
         p.aux_ld % (of_bits ? 128 : 8) == 0;
}

/// Do the descriptors fit together, and are they what the library takes?
bool is_supported(const cublasLtMatmulDescOpaque_t& p, const Layout (&x)[4]) {
  for (const Layout& l : x)
    if (l.type != x[3].type || !strata::test::is_layout(l.rows, l.cols, l.ld) || l.batches != x[3].batches)
      return false;
  const auto side = [&](int which, bool rows) {
    return rows == (p.transposed[which] == CUBLAS_OP_N) ? x[which].rows : x[which].cols;
  };
  const bool wide = is_wide(x[3].type), complex = is_complex(x[3].type);
  if (wide != (p.compute == CUBLAS_COMPUTE_64F) || wide != is_wide(p.scale) || complex != is_complex(p.scale))
    return false;
  if ((wide || complex) && p.epilogue != CUBLASLT_EPILOGUE_DEFAULT) return false;  // stricter than the library's own
  if (!has_operands(p, x[3])) return false;
  return side(0, true) == x[3].rows && side(1, false) == x[3].cols && side(0, false) == side(1, true) &&
         x[2].rows == x[3].rows && x[2].cols == x[3].cols;
}

template <class T>
cublasStatus_t store(T& to, const void* value, size_t bytes) {
  if (bytes != sizeof(T)) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(&to, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

strata::emulator::LtCounts strata::emulator::lt_counts() { return lt_calls; }

const char* cublasLtGetStatusName(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    default:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
  }
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  *handle = reinterpret_cast<cublasLtHandle_t>(&lt_calls);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t product, cublasComputeType_t compute, cudaDataType_t scale) {
  *product = {compute, scale, {CUBLAS_OP_N, CUBLAS_OP_N}, CUBLASLT_EPILOGUE_DEFAULT, nullptr, nullptr, 0};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t p, cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, size_t bytes) {
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return store(p->transposed[0], value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return store(p->transposed[1], value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return store(p->epilogue, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return store(p->bias, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
      return store(p->aux, value, bytes);
    default:
      return store(p->aux_ld, value, bytes);
  }
}

cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t layout, cudaDataType type, uint64_t rows, uint64_t cols,
                                        int64_t ld) {
  *layout = {type, static_cast<int64_t>(rows), static_cast<int64_t>(cols), ld, 1, 0};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, const void* value,
                                                size_t bytes) {
  return attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT ? store(layout->batches, value, bytes)
                                                         : store(layout->batch, value, bytes);
}

cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t preference) {
  *preference = {0, 7, {256, 256, 256, 256}};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute, const void* value,
                                                    size_t bytes) {
  if (attribute == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES) return store(preference->workspace, value, bytes);
  if (attribute == CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK)
    return store(preference->reduction_schemes, value, bytes);
  return store(preference->alignments[attribute - CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES], value, bytes);
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t product, cublasLtMatrixLayout_t a,
                                              cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                                              cublasLtMatrixLayout_t d, cublasLtMatmulPreference_t preference, int,
                                              cublasLtMatmulHeuristicResult_t results[], int* found) {
  ++lt_calls.heuristics;
  *found = 0;
  cublasLtMatmulAlgo_t algorithm{*product, {*a, *b, *c, *d}, {}};
  if (!is_supported(*product, algorithm.layouts)) return CUBLAS_STATUS_NOT_SUPPORTED;
  std::memcpy(algorithm.alignments, preference->alignments, sizeof(algorithm.alignments));
  results[0] = {algorithm, preference->workspace < kLtWorkspace ? 0 : kLtWorkspace, CUBLAS_STATUS_SUCCESS, 1};
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t product, const void* alpha, const void* a,
                              cublasLtMatrixLayout_t a_layout, const void* b, cublasLtMatrixLayout_t b_layout,
                              const void* beta, const void* c, cublasLtMatrixLayout_t c_layout, void* d,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t* algorithm, void* workspace,
                              size_t workspace_bytes, cudaStream_t stream) {
  ++lt_calls.products;
  const Layout layouts[4] = {*a_layout, *b_layout, *c_layout, *d_layout};
  const void* const data[4] = {a, b, c, d};
  for (int i = 0; i < 4; ++i) {
    if (!same(layouts[i], algorithm->layouts[i])) return CUBLAS_STATUS_INVALID_VALUE;
    if (reinterpret_cast<uintptr_t>(data[i]) % algorithm->alignments[i]) return CUBLAS_STATUS_INVALID_VALUE;
  }
  const auto& chosen = algorithm->product;
  const bool fits = chosen.compute == product->compute && chosen.epilogue == product->epilogue &&
                    chosen.transposed[0] == product->transposed[0] && chosen.transposed[1] == product->transposed[1];
  if (!fits || (c == d && !same(layouts[2], layouts[3]))) return CUBLAS_STATUS_INVALID_VALUE;
  if (!strata::test::is_current(stream)) return CUBLAS_STATUS_INVALID_VALUE;
  const auto enqueue = [&]<class V>(V scale, V start) {
    strata::test::give(stream, [=, desc = *product, chosen = *algorithm] {
      strata::test::scribble(workspace, workspace_bytes);
      const Layout(&x)[4] = chosen.layouts;
      for (int32_t i = 0; i < x[3].batches; ++i) {
        const Product<V> one{desc, x, {i * x[0].batch, i * x[1].batch, i * x[2].batch, i * x[3].batch}};
        compute(one, scale, a, b, start, c, d);
      }
    });
  };
  const cudaDataType type = product->scale;
  if (is_complex(type))
    enqueue(read<Complex<double>>(alpha, type, 0), read<Complex<double>>(beta, type, 0));
  else
    enqueue(read<double>(alpha, type, 0), read<double>(beta, type, 0));
  return CUBLAS_STATUS_SUCCESS;
}
