// Handles of cuSOLVER and cuBLAS.
#include "kernels/cuda/linalg/factor_library.h"

#include <array>

#include "core/cuda.h"
#include "core/error.h"
#include "kernels/cuda/runtime/launch.h"

namespace strata::cuda::linalg {
namespace {

/// Never destroyed: the libraries may be gone when static objects are.
template <class Shared>
Shared& shared_of(const Tensor& on) {
  static auto* const all = new Shared[kMostDevices];
  return all[on.device().index()];
}

struct SharedSolver {
  std::mutex mutex;
  cusolverDnHandle_t handle = nullptr;
  cusolverDnParams_t params = nullptr;
};
struct SharedBlas {
  std::mutex mutex;
  cublasHandle_t handle = nullptr;
};

/// cuSOLVER has no function that names its statuses.
const char* name_of(cusolverStatus_t status) {
  static constexpr std::array kNames = {
      "CUSOLVER_STATUS_SUCCESS",          "CUSOLVER_STATUS_NOT_INITIALIZED", "CUSOLVER_STATUS_ALLOC_FAILED",
      "CUSOLVER_STATUS_INVALID_VALUE",    "CUSOLVER_STATUS_ARCH_MISMATCH",   "CUSOLVER_STATUS_MAPPING_ERROR",
      "CUSOLVER_STATUS_EXECUTION_FAILED", "CUSOLVER_STATUS_INTERNAL_ERROR",  "CUSOLVER_STATUS_TYPE_NOT_SUPPORTED",
      "CUSOLVER_STATUS_NOT_SUPPORTED"};
  const auto i = static_cast<size_t>(status);
  return i < kNames.size() ? kNames[i] : "an unknown status";
}

/// What cuBLAS recommends, in bytes.
int64_t workspace_of(DeviceIndex device) { return int64_t{get_device_properties(device).major >= 9 ? 32 : 4} << 20; }

}  // namespace

int library_int(std::string_view op, int64_t n) {
  STRATA_CHECK(n <= std::numeric_limits<int>::max(),
               "{}: cuSOLVER and cuBLAS do not take sizes above 2^31 - 1, but got {}", op, n);
  return static_cast<int>(n);
}

Solver::Solver(std::string_view op, const Tensor& on) : op_(op), lock_(shared_of<SharedSolver>(on).mutex) {
  auto& shared = shared_of<SharedSolver>(on);
  if (!shared.handle) check(cusolverDnCreate(&shared.handle), "cusolverDnCreate");
  if (!shared.params) check(cusolverDnCreateParams(&shared.params), "cusolverDnCreateParams");
  handle_ = shared.handle, params_ = shared.params;
  check(cusolverDnSetStream(handle_, stream_of(on)), "cusolverDnSetStream");
}

void Solver::check(cusolverStatus_t status, const char* what) const {
  STRATA_CHECK(status == CUSOLVER_STATUS_SUCCESS, "{}: cuSOLVER's {} failed: {}", op_, what, name_of(status));
  check_launch(op_);
}

/// Memory of our own, since what cuBLAS keeps is shared by all streams that a handle has had.
Blas::Blas(std::string_view op, const Tensor& on) : op_(op), lock_(shared_of<SharedBlas>(on).mutex) {
  auto& shared = shared_of<SharedBlas>(on);
  if (!shared.handle) check(cublasCreate(&shared.handle), "cublasCreate");
  handle_ = shared.handle;
  check(cublasSetStream(handle_, stream_of(on)), "cublasSetStream");
  workspace_ = empty_on_device({workspace_of(on.device().index())}, kByte, on.device());
  check(cublasSetWorkspace(handle_, workspace_.bytes(), workspace_.nbytes()), "cublasSetWorkspace");
}

void Blas::check(cublasStatus_t status, const char* what) const {
  STRATA_CHECK(status == CUBLAS_STATUS_SUCCESS, "{}: cuBLAS's {} failed: {}", op_, what, cublasGetStatusName(status));
  check_launch(op_);
}

}  // namespace strata::cuda::linalg
