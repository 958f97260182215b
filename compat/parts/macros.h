// libtorch's macros for compilers, exports and its own version, as its programs use them.
#pragma once

#define TORCH_VERSION_MAJOR 2
#define TORCH_VERSION_MINOR 15
#define TORCH_VERSION_PATCH 0
#define TORCH_VERSION_ABI_TAG 0
#define TORCH_VERSION "2.15.0"

#define TORCH_API
#define TORCH_CUDA_CPP_API
#define TORCH_CUDA_CU_API
#define C10_API
#define C10_EXPORT
#define C10_IMPORT
#define C10_HIDDEN
#define C10_CUDA_API
#define CAFFE2_API
#define C10_UNUSED [[maybe_unused]]
#define C10_USED __attribute__((__used__))
#define C10_NODISCARD [[nodiscard]]
#define C10_DEPRECATED [[deprecated]]
#define C10_DEPRECATED_MESSAGE(message) [[deprecated(message)]]
#define C10_DEFINE_DEPRECATED_USING(Name, Type) using Name [[deprecated]] = Type;
#define C10_LIFETIMEBOUND
#define C10_FALLTHROUGH [[fallthrough]]
#define C10_LIKELY(...) (__builtin_expect(static_cast<bool>(__VA_ARGS__), 1))
/// Counts nothing; with the semicolon that libtorch's has.
#define C10_LOG_API_USAGE_ONCE(...) static_assert(true);
#define C10_UNLIKELY(...) (__builtin_expect(static_cast<bool>(__VA_ARGS__), 0))
#define C10_NOINLINE __attribute__((noinline))
#define C10_ALWAYS_INLINE __attribute__((__always_inline__)) inline
#define C10_RESTRICT __restrict
#define C10_CONCATENATE_IMPL(a, b) a##b
#define C10_CONCATENATE(a, b) C10_CONCATENATE_IMPL(a, b)
#define C10_UID __COUNTER__
#define C10_ANONYMOUS_VARIABLE(prefix) C10_CONCATENATE(prefix, __COUNTER__)
#define C10_STRINGIZE_IMPL(x) #x
#define C10_STRINGIZE(x) C10_STRINGIZE_IMPL(x)
#define C10_DISABLE_COPY_AND_ASSIGN(Class) \
  Class(const Class&) = delete;            \
  Class& operator=(const Class&) = delete
#ifdef __CUDACC__
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#else
#define C10_HOST_DEVICE
#define C10_DEVICE
#define C10_HOST
#endif

// What libtorch was built with, for `#if AT_MKL_ENABLED()`.
#define AT_MKLDNN_ENABLED() 0
#define AT_MKLDNN_ACL_ENABLED() 0
#define AT_MKL_ENABLED() 0
#define AT_MKL_SEQUENTIAL() 0
#define AT_POCKETFFT_ENABLED() 0
#define AT_NNPACK_ENABLED() 0
#define AT_KLEIDIAI_ENABLED() 0
#define AT_BUILD_WITH_BLAS() 1
#define AT_BUILD_WITH_LAPACK() 1
#define AT_PARALLEL_OPENMP 0
#define AT_PARALLEL_NATIVE 1

/// What libtorch's TORCH_MODULE marks its alias of the class with, which programs write holders by.
#define TORCH_UNUSED_EXCEPT_CUDA [[maybe_unused]]
#define TORCH_MODULE(Name) STRATA_MODULE(Name)
#define TORCH_MODULE_IMPL(Name, Impl) STRATA_MODULE_IMPL(Name, Impl)
#define TORCH_ARG(T, name) STRATA_ARG(T, name)
