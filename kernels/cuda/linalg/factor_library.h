// cuSOLVER and cuBLAS for the kernels of factorizations: handles, workspaces, errors, functions by element type.
#pragma once
#include <cublas_v2.h>
#include <cusolverDn.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <string_view>
#include <type_traits>

#include "core/tensor.h"

namespace strata::cuda::linalg {

/// Which of a library's functions for float and for double takes elements of T.
template <class T, class Single, class Double>
constexpr auto by_type(Single single, Double twice) {
  if constexpr (std::is_same_v<T, float>)
    return single;
  else
    return twice;
}

template <class T>
inline constexpr cudaDataType kDataType = std::is_same_v<T, float> ? CUDA_R_32F : CUDA_R_64F;

/// `n` as the int that most functions of the libraries count with; an error of `op` where it is too large.
int library_int(std::string_view op, int64_t n);

/// Calls f(first, some) for pieces of a batch: batched functions count matrices, and all that they work in, in an int.
template <class F>
void for_pieces(int64_t count, F f) {
  constexpr int64_t kMost = 65535;
  for (int64_t first = 0; first < count; first += kMost) f(first, static_cast<int>(std::min(kMost, count - first)));
}

/// Memory of the device that a function of cuSOLVER's 32-bit interface works in.
template <class T>
class Workspace {
 public:
  Workspace(int elements, Device device)
      : size(elements), memory_(empty_on_device({std::max(elements, 1)}, dtype_of<T>, device)) {}
  T* data() const { return memory_.data_ptr<T>(); }
  const int size;

 private:
  Tensor memory_;
};

/// Memory of the device and of the host that a function of cuSOLVER's 64-bit interface works in.
struct Buffers {
  Buffers(size_t device_bytes, size_t host_bytes, Device where)
      : device_bytes(device_bytes),
        host_bytes(host_bytes),
        device(empty_on_device({static_cast<int64_t>(std::max<size_t>(device_bytes, 1))}, kByte, where)),
        host(new std::byte[host_bytes]) {}
  size_t device_bytes, host_bytes;
  Tensor device;
  std::unique_ptr<std::byte[]> host;
};

// Note [Handles of cuSOLVER and cuBLAS]
// A handle is told its stream before it is used and works in memory of its own, so threads must not share it while they
// call: each device has one of either kind, which a kernel holds for all its calls. Nobody waits for the device in the
// meantime, unless a function of cuSOLVER does so itself. A kernel holds one handle at a time.

/// cuSOLVER's handle of a tensor's device, held by this thread for the calls of `op` on its current stream.
class Solver {
 public:
  Solver(std::string_view op, const Tensor& on);
  /// Calls `function` with the handle and `args`; its failure is an error of the op that names `what`.
  template <class... P>
  void call(const char* what, cusolverStatus_t (*function)(cusolverDnHandle_t, P...), std::type_identity_t<P>... args) {
    check(function(handle_, args...), what);
  }
  /// The same for the 64-bit interface.
  template <class... P>
  void call64(const char* what, cusolverStatus_t (*function)(cusolverDnHandle_t, cusolverDnParams_t, P...),
              std::type_identity_t<P>... args) {
    check(function(handle_, params_, args...), what);
  }
  void check(cusolverStatus_t status, const char* what) const;

 private:
  std::string_view op_;
  std::unique_lock<std::mutex> lock_;
  cusolverDnHandle_t handle_;
  cusolverDnParams_t params_;
};

/// Settings of a function of cuSOLVER's, until the end of the scope.
template <class Raw, cusolverStatus_t (*create)(Raw*), cusolverStatus_t (*destroy)(Raw)>
class Settings {
 public:
  explicit Settings(Solver& solver) { solver.check(create(&raw_), "settings"); }
  ~Settings() { destroy(raw_); }
  Settings(const Settings&) = delete;
  Settings& operator=(const Settings&) = delete;
  operator Raw() const { return raw_; }

 private:
  Raw raw_ = nullptr;
};

/// What Solver is, of cuBLAS.
class Blas {
 public:
  Blas(std::string_view op, const Tensor& on);
  template <class... P>
  void call(const char* what, cublasStatus_t (*function)(cublasHandle_t, P...), std::type_identity_t<P>... args) {
    check(function(handle_, args...), what);
  }
  void check(cublasStatus_t status, const char* what) const;

 private:
  std::string_view op_;
  std::unique_lock<std::mutex> lock_;
  cublasHandle_t handle_;
  Tensor workspace_;
};

}  // namespace strata::cuda::linalg
