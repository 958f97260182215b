// Functions that make tensors with their options apart, made by script/compat-out, as bindings call them.
#pragma once
#include "aten.h"
#include "backward.h"
#include "native.h"
#include "out_functions.h"
#include "out_last.h"
#include "overloads.h"
#include "underscore.h"

namespace strata {
Tensor _efficientzerotensor(IntArrayRef size, std::optional<DType> dtype, std::optional<Layout> layout,
                            std::optional<Device> device, std::optional<bool> pin_memory);
Tensor _to_copy(const Tensor& self, std::optional<DType> dtype, std::optional<Layout> layout,
                std::optional<Device> device, std::optional<bool> pin_memory, bool non_blocking,
                std::optional<MemoryFormat> memory_format);
Tensor arange(const Scalar& end, std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
              std::optional<bool> pin_memory);
Tensor arange(const Scalar& start, const Scalar& end, const Scalar& step, std::optional<DType> dtype,
              std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory);
Tensor arange(const Scalar& start, const Scalar& end, std::optional<DType> dtype, std::optional<Layout> layout,
              std::optional<Device> device, std::optional<bool> pin_memory);
Tensor bartlett_window(int64_t n, bool periodic, std::optional<DType> dtype, std::optional<Layout> layout,
                       std::optional<Device> device, std::optional<bool> pin_memory);
Tensor bartlett_window(int64_t n, std::optional<DType> dtype, std::optional<Layout> layout,
                       std::optional<Device> device, std::optional<bool> pin_memory);
Tensor blackman_window(int64_t n, bool periodic, std::optional<DType> dtype, std::optional<Layout> layout,
                       std::optional<Device> device, std::optional<bool> pin_memory);
Tensor blackman_window(int64_t n, std::optional<DType> dtype, std::optional<Layout> layout,
                       std::optional<Device> device, std::optional<bool> pin_memory);
Tensor empty(IntArrayRef sizes, std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
             std::optional<bool> pin_memory, std::optional<MemoryFormat> memory_format);
Tensor empty_like(const Tensor& x, std::optional<DType> dtype, std::optional<Layout> layout,
                  std::optional<Device> device, std::optional<bool> pin_memory,
                  std::optional<MemoryFormat> memory_format);
Tensor empty_permuted(IntArrayRef sizes, IntArrayRef physical_layout, std::optional<DType> dtype,
                      std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory);
Tensor empty_strided(IntArrayRef sizes, IntArrayRef strides, std::optional<DType> dtype, std::optional<Layout> layout,
                     std::optional<Device> device, std::optional<bool> pin_memory);
Tensor eye(int64_t n, int64_t m, std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
           std::optional<bool> pin_memory);
Tensor eye(int64_t n, std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
           std::optional<bool> pin_memory);
Tensor fft_fftfreq(int64_t n, double d, std::optional<DType> dtype, std::optional<Layout> layout,
                   std::optional<Device> device, std::optional<bool> pin_memory);
Tensor fft_fftfreq(int64_t n, std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                   std::optional<bool> pin_memory);
Tensor fft_rfftfreq(int64_t n, double d, std::optional<DType> dtype, std::optional<Layout> layout,
                    std::optional<Device> device, std::optional<bool> pin_memory);
Tensor fft_rfftfreq(int64_t n, std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                    std::optional<bool> pin_memory);
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, std::optional<DType> dtype,
                 std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory);
Tensor from_blob(void* data, IntArrayRef sizes, std::optional<DType> dtype, std::optional<Layout> layout,
                 std::optional<Device> device, std::optional<bool> pin_memory);
Tensor from_file(std::string_view filename, std::optional<bool> shared, std::optional<int64_t> size,
                 std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                 std::optional<bool> pin_memory);
Tensor full(IntArrayRef sizes, const Scalar& value, std::optional<DType> dtype, std::optional<Layout> layout,
            std::optional<Device> device, std::optional<bool> pin_memory);
Tensor full_like(const Tensor& x, const Scalar& value, std::optional<DType> dtype, std::optional<Layout> layout,
                 std::optional<Device> device, std::optional<bool> pin_memory,
                 std::optional<MemoryFormat> memory_format);
Tensor hamming_window(int64_t n, bool periodic, double alpha, double beta, std::optional<DType> dtype,
                      std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory);
Tensor hamming_window(int64_t n, bool periodic, double alpha, std::optional<DType> dtype, std::optional<Layout> layout,
                      std::optional<Device> device, std::optional<bool> pin_memory);
Tensor hamming_window(int64_t n, bool periodic, std::optional<DType> dtype, std::optional<Layout> layout,
                      std::optional<Device> device, std::optional<bool> pin_memory);
Tensor hamming_window(int64_t n, std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                      std::optional<bool> pin_memory);
Tensor hann_window(int64_t n, bool periodic, std::optional<DType> dtype, std::optional<Layout> layout,
                   std::optional<Device> device, std::optional<bool> pin_memory);
Tensor hann_window(int64_t n, std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                   std::optional<bool> pin_memory);
Tensor kaiser_window(int64_t n, bool periodic, double beta, std::optional<DType> dtype, std::optional<Layout> layout,
                     std::optional<Device> device, std::optional<bool> pin_memory);
Tensor kaiser_window(int64_t n, bool periodic, std::optional<DType> dtype, std::optional<Layout> layout,
                     std::optional<Device> device, std::optional<bool> pin_memory);
Tensor kaiser_window(int64_t n, std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                     std::optional<bool> pin_memory);
Tensor linspace(const Scalar& start, const Scalar& end, int64_t steps, std::optional<DType> dtype,
                std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory);
Tensor linspace(const Scalar& start, const Tensor& end, int64_t steps, std::optional<DType> dtype,
                std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory);
Tensor linspace(const Tensor& start, const Scalar& end, int64_t steps, std::optional<DType> dtype,
                std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory);
Tensor linspace(const Tensor& start, const Tensor& end, int64_t steps, std::optional<DType> dtype,
                std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory);
Tensor logspace(const Scalar& start, const Scalar& end, int64_t steps, double base, std::optional<DType> dtype,
                std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory);
Tensor logspace(const Scalar& start, const Tensor& end, int64_t steps, double base, std::optional<DType> dtype,
                std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory);
Tensor logspace(const Tensor& start, const Scalar& end, int64_t steps, double base, std::optional<DType> dtype,
                std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory);
Tensor logspace(const Tensor& start, const Tensor& end, int64_t steps, double base, std::optional<DType> dtype,
                std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory);
Tensor normal(double mean, double std, IntArrayRef sizes, OptionalGenerator generator, std::optional<DType> dtype,
              std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory);
Tensor normal(double mean, double std, IntArrayRef sizes, std::optional<DType> dtype, std::optional<Layout> layout,
              std::optional<Device> device, std::optional<bool> pin_memory);
Tensor ones(IntArrayRef sizes, std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
            std::optional<bool> pin_memory);
Tensor ones_like(const Tensor& x, std::optional<DType> dtype, std::optional<Layout> layout,
                 std::optional<Device> device, std::optional<bool> pin_memory,
                 std::optional<MemoryFormat> memory_format);
Tensor rand(IntArrayRef sizes, OptionalGenerator generator, std::optional<DType> dtype, std::optional<Layout> layout,
            std::optional<Device> device, std::optional<bool> pin_memory);
Tensor rand(IntArrayRef sizes, std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
            std::optional<bool> pin_memory);
Tensor rand_like(const Tensor& x, std::optional<DType> dtype, std::optional<Layout> layout,
                 std::optional<Device> device, std::optional<bool> pin_memory,
                 std::optional<MemoryFormat> memory_format);
Tensor randint(int64_t high, IntArrayRef sizes, OptionalGenerator generator, std::optional<DType> dtype,
               std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory);
Tensor randint(int64_t high, IntArrayRef sizes, std::optional<DType> dtype, std::optional<Layout> layout,
               std::optional<Device> device, std::optional<bool> pin_memory);
Tensor randint(int64_t low, int64_t high, IntArrayRef sizes, OptionalGenerator generator, std::optional<DType> dtype,
               std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory);
Tensor randint(int64_t low, int64_t high, IntArrayRef sizes, std::optional<DType> dtype, std::optional<Layout> layout,
               std::optional<Device> device, std::optional<bool> pin_memory);
Tensor randint_like(const Tensor& self, const Tensor& high, OptionalGenerator generator, std::optional<DType> dtype,
                    std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory);
Tensor randint_like(const Tensor& self, const Tensor& high, std::optional<DType> dtype, std::optional<Layout> layout,
                    std::optional<Device> device, std::optional<bool> pin_memory);
Tensor randint_like(const Tensor& x, int64_t high, std::optional<DType> dtype, std::optional<Layout> layout,
                    std::optional<Device> device, std::optional<bool> pin_memory,
                    std::optional<MemoryFormat> memory_format);
Tensor randint_like(const Tensor& x, int64_t low, int64_t high, std::optional<DType> dtype,
                    std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory,
                    std::optional<MemoryFormat> memory_format);
Tensor randn(IntArrayRef sizes, OptionalGenerator generator, std::optional<DType> dtype, std::optional<Layout> layout,
             std::optional<Device> device, std::optional<bool> pin_memory);
Tensor randn(IntArrayRef sizes, std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
             std::optional<bool> pin_memory);
Tensor randn_like(const Tensor& x, std::optional<DType> dtype, std::optional<Layout> layout,
                  std::optional<Device> device, std::optional<bool> pin_memory,
                  std::optional<MemoryFormat> memory_format);
Tensor randperm(int64_t n, OptionalGenerator generator, std::optional<DType> dtype, std::optional<Layout> layout,
                std::optional<Device> device, std::optional<bool> pin_memory);
Tensor randperm(int64_t n, std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                std::optional<bool> pin_memory);
Tensor range(const Scalar& start, const Scalar& end, const Scalar& step, std::optional<DType> dtype,
             std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory);
Tensor range(const Scalar& start, const Scalar& end, std::optional<DType> dtype, std::optional<Layout> layout,
             std::optional<Device> device, std::optional<bool> pin_memory);
Tensor scalar_tensor(const Scalar& value, std::optional<DType> dtype, std::optional<Layout> layout,
                     std::optional<Device> device, std::optional<bool> pin_memory);
Tensor tensor(const nn::ASMoutput::Loss& loss, std::optional<DType> dtype, std::optional<Layout> layout,
              std::optional<Device> device, std::optional<bool> pin_memory);
Tensor tensor(std::initializer_list<detail::TensorData> list, std::optional<DType> dtype, std::optional<Layout> layout,
              std::optional<Device> device, std::optional<bool> pin_memory);
Tensor tril_indices(int64_t rows, int64_t cols, int64_t offset, std::optional<DType> dtype,
                    std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory);
Tensor triu_indices(int64_t rows, int64_t cols, int64_t offset, std::optional<DType> dtype,
                    std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory);
Tensor zeros(IntArrayRef sizes, std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
             std::optional<bool> pin_memory);
Tensor zeros_like(const Tensor& x, std::optional<DType> dtype, std::optional<Layout> layout,
                  std::optional<Device> device, std::optional<bool> pin_memory,
                  std::optional<MemoryFormat> memory_format);
}  // namespace strata
