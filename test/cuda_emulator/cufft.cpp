// cuFFT on the host: the definition of its transforms, in loops, and as strict about what it is given.
#include <cufftXt.h>

#include <algorithm>
#include <complex>
#include <cstring>
#include <map>
#include <numbers>
#include <vector>

namespace {

using Value = std::complex<double>;

strata::emulator::FftCounts fft_calls;
constexpr size_t kFftWorkspace = 1024;

struct Side {
  cudaDataType type = CUDA_C_32F;
  std::vector<long long> embed;
  long long stride = 1, dist = 1;

  bool is_complex() const { return type == CUDA_C_32F || type == CUDA_C_64F; }
  bool is_double() const { return type == CUDA_C_64F || type == CUDA_R_64F; }
  size_t alignment() const { return is_double() ? 16 : 8; }
  size_t item_size() const { return alignment() / (is_complex() ? 1 : 2); }
  bool operator==(const Side&) const = default;
};

struct Plan {
  bool made = false, allocates = true;
  std::vector<long long> sizes;
  Side in, out;
  long long batch = 1;
  cudaStream_t stream = nullptr;
  void* workspace = nullptr;

  bool halved(const Side& side) const { return side.is_complex() && in.is_complex() != out.is_complex(); }
  /// What one side has along a dim.
  long long extent(const Side& side, size_t d) const {
    return halved(side) && d + 1 == sizes.size() ? sizes[d] / 2 + 1 : sizes[d];
  }
};

std::map<cufftHandle, Plan>& plans() {
  static std::map<cufftHandle, Plan> all;
  return all;
}
Plan* find(cufftHandle handle) {
  const auto at = plans().find(handle);
  return at == plans().end() ? nullptr : &at->second;
}

Value read_value(const Side& side, const void* data, long long at) {
  switch (side.type) {
    case CUDA_R_32F:
      return static_cast<const float*>(data)[at];
    case CUDA_R_64F:
      return static_cast<const double*>(data)[at];
    case CUDA_C_32F:
      return static_cast<const std::complex<float>*>(data)[at];
    default:
      return static_cast<const Value*>(data)[at];
  }
}

void write_value(const Side& side, void* data, long long at, Value v) {
  switch (side.type) {
    case CUDA_R_32F:
      static_cast<float*>(data)[at] = static_cast<float>(v.real());
      break;
    case CUDA_R_64F:
      static_cast<double*>(data)[at] = v.real();
      break;
    case CUDA_C_32F:
      static_cast<std::complex<float>*>(data)[at] = std::complex<float>(v);
      break;
    default:
      static_cast<Value*>(data)[at] = v;
  }
}

/// Calls f(index in all dims, row-major number in the signal's sizes, place in memory) for what a side has.
template <class F>
void for_each(const Plan& p, const Side& side, long long batch, F f) {
  const size_t rank = p.sizes.size();
  std::vector<long long> index(rank, 0);
  for (bool more = true; more;) {
    long long number = 0, place = 0;
    for (size_t d = 0; d < rank; ++d) {
      number = number * p.sizes[d] + index[d];
      place = place * side.embed[d] + index[d];
    }
    f(index, static_cast<size_t>(number), batch * side.dist + place * side.stride);
    more = false;
    for (size_t d = rank; d-- > 0 && !more;) {
      more = ++index[d] < p.extent(side, d);
      if (!more) index[d] = 0;
    }
  }
}

/// The values of the spectrum that are not there, as conjugates of those that are.
void complete(const Plan& p, std::vector<Value>& values) {
  const size_t rank = p.sizes.size();
  Plan full = p;
  full.in = {CUDA_R_64F, p.sizes, 1, 0};  // all of the signal's sizes
  for_each(full, full.in, 0, [&](const std::vector<long long>& index, size_t number, long long) {
    size_t mirrored = 0;
    for (size_t d = 0; d < rank; ++d)
      mirrored = mirrored * static_cast<size_t>(p.sizes[d]) + static_cast<size_t>((p.sizes[d] - index[d]) % p.sizes[d]);
    // What is its own conjugate must be real; the library says nothing of what it computes otherwise.
    if (mirrored == number && values[number].imag() != 0) values[number] = std::nan("");
    if (index[rank - 1] > p.sizes[rank - 1] / 2) values[number] = std::conj(values[mirrored]);
  });
}

void transform_dim(const Plan& p, std::vector<Value>& values, size_t d, int direction) {
  const auto n = static_cast<size_t>(p.sizes[d]);
  size_t inner = 1;
  for (size_t i = d + 1; i < p.sizes.size(); ++i) inner *= static_cast<size_t>(p.sizes[i]);
  std::vector<Value> turns(n), line(n);
  for (size_t k = 0; k < n; ++k)
    turns[k] = std::polar(1.0, direction * 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
  for (size_t start = 0; start < values.size(); ++start) {
    if (start / inner % n != 0) continue;
    for (size_t k = 0; k < n; ++k) {
      line[k] = 0;
      for (size_t j = 0; j < n; ++j) line[k] += values[start + j * inner] * turns[j * k % n];
    }
    for (size_t k = 0; k < n; ++k) values[start + k * inner] = line[k];
  }
}

void execute(const Plan& p, void* input, void* output, int direction) {
  std::memset(p.workspace, 0xff, kFftWorkspace);  // it has to be there
  size_t count = 1;
  for (long long n : p.sizes) count *= static_cast<size_t>(n);
  if (!p.in.is_complex()) direction = CUFFT_FORWARD;
  if (!p.out.is_complex()) direction = CUFFT_INVERSE;
  std::vector<std::vector<Value>> all;
  for (long long b = 0; b < p.batch; ++b) {
    std::vector<Value> values(count);
    for_each(p, p.in, b, [&](auto&, size_t number, long long at) { values[number] = read_value(p.in, input, at); });
    if (!p.out.is_complex()) complete(p, values);
    for (size_t d = 0; d < p.sizes.size(); ++d) transform_dim(p, values, d, direction);
    all.push_back(std::move(values));
  }
  for (long long b = 0; b < p.batch; ++b) {
    const std::vector<Value>& values = all[static_cast<size_t>(b)];
    if (!p.out.is_complex())  // it may write over its input
      for_each(p, p.in, b, [&](auto&, size_t, long long at) {
        write_value(p.in, input, at, {std::nan(""), std::nan("")});
      });
    for_each(p, p.out, b, [&](auto&, size_t number, long long at) { write_value(p.out, output, at, values[number]); });
  }
}

bool fits(const Plan& p, const Side& side) {
  for (size_t d = 1; d < p.sizes.size(); ++d)
    if (side.embed[d] < p.extent(side, d)) return false;
  return side.stride >= 1 && (p.batch == 1 || side.dist >= 1);
}

bool types_fit(const Side& in, const Side& out, cudaDataType execution) {
  const Side run{execution, {}, 1, 1};
  return run.is_complex() && (in.is_complex() || out.is_complex()) && in.is_double() == out.is_double() &&
         in.is_double() == run.is_double();
}

}  // namespace

strata::emulator::FftCounts strata::emulator::fft_counts() { return fft_calls; }

cufftResult cufftCreate(cufftHandle* plan) {
  static cufftHandle last = 0;
  *plan = ++last;
  plans()[last] = {};
  return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle plan) { return plans().erase(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN; }

cufftResult cufftSetAutoAllocation(cufftHandle plan, int on) {
  Plan* const p = find(plan);
  if (!p || p->made) return CUFFT_INVALID_PLAN;
  p->allocates = on;
  return CUFFT_SUCCESS;
}

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* n, long long* inembed, long long istride,
                                long long idist, cudaDataType inputtype, long long* onembed, long long ostride,
                                long long odist, cudaDataType outputtype, long long batch, size_t* workspace,
                                cudaDataType executiontype) {
  Plan* const p = find(plan);
  if (!p || p->made || p->allocates) return CUFFT_INVALID_PLAN;
  if (rank < 1 || rank > 3 || batch < 1) return CUFFT_INVALID_VALUE;
  if (std::any_of(n, n + rank, [](long long size) { return size < 1; })) return CUFFT_INVALID_SIZE;
  p->sizes.assign(n, n + rank);
  p->batch = batch;
  p->in = {inputtype, {inembed, inembed + rank}, istride, idist};
  p->out = {outputtype, {onembed, onembed + rank}, ostride, odist};
  if (!types_fit(p->in, p->out, executiontype)) return CUFFT_INVALID_TYPE;
  if (!fits(*p, p->in) || !fits(*p, p->out)) return CUFFT_INVALID_VALUE;
  p->made = true;
  *workspace = kFftWorkspace;
  ++fft_calls.plans;
  return CUFFT_SUCCESS;
}

cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
  Plan* const p = find(plan);
  if (!p) return CUFFT_INVALID_PLAN;
  p->stream = stream;
  return CUFFT_SUCCESS;
}

cufftResult cufftSetWorkArea(cufftHandle plan, void* workspace) {
  Plan* const p = find(plan);
  if (!p || !p->made) return CUFFT_INVALID_PLAN;
  p->workspace = workspace;
  return CUFFT_SUCCESS;
}

cufftResult cufftXtExec(cufftHandle plan, void* input, void* output, int direction) {
  Plan* const p = find(plan);
  if (!p || !p->made) return CUFFT_INVALID_PLAN;
  if (!p->workspace) return CUFFT_NO_WORKSPACE;
  if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) return CUFFT_INVALID_VALUE;
  const auto is_aligned = [](const void* data, const Side& side) {
    return reinterpret_cast<uintptr_t>(data) % side.alignment() == 0;
  };
  if (!is_aligned(input, p->in) || !is_aligned(output, p->out)) return CUFFT_UNALIGNED_DATA;
  if (input == output && p->in != p->out) return CUFFT_INVALID_VALUE;
  ++fft_calls.transforms;
  strata::test::give(p->stream, [run = *p, input, output, direction] { execute(run, input, output, direction); });
  p->workspace = nullptr;  // to be given anew each time
  return CUFFT_SUCCESS;
}
