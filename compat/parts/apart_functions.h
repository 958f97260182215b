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
inline Tensor _efficientzerotensor(IntArrayRef size, std::optional<DType> dtype, std::optional<Layout> layout,
                                   std::optional<Device> device, std::optional<bool> pin_memory) {
  return _efficientzerotensor(size, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor _to_copy(const Tensor& self, std::optional<DType> dtype, std::optional<Layout> layout,
                       std::optional<Device> device, std::optional<bool> pin_memory, bool non_blocking,
                       std::optional<MemoryFormat> memory_format) {
  return _to_copy(self, TensorOptions::of(dtype, layout, device, pin_memory), non_blocking, memory_format);
}
inline Tensor arange(const Scalar& end, std::optional<DType> dtype, std::optional<Layout> layout,
                     std::optional<Device> device, std::optional<bool> pin_memory) {
  return arange(end, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor arange(const Scalar& start, const Scalar& end, const Scalar& step, std::optional<DType> dtype,
                     std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return arange(start, end, step, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor arange(const Scalar& start, const Scalar& end, std::optional<DType> dtype, std::optional<Layout> layout,
                     std::optional<Device> device, std::optional<bool> pin_memory) {
  return arange(start, end, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor bartlett_window(int64_t n, bool periodic, std::optional<DType> dtype, std::optional<Layout> layout,
                              std::optional<Device> device, std::optional<bool> pin_memory) {
  return bartlett_window(n, periodic, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor bartlett_window(int64_t n, std::optional<DType> dtype, std::optional<Layout> layout,
                              std::optional<Device> device, std::optional<bool> pin_memory) {
  return bartlett_window(n, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor blackman_window(int64_t n, bool periodic, std::optional<DType> dtype, std::optional<Layout> layout,
                              std::optional<Device> device, std::optional<bool> pin_memory) {
  return blackman_window(n, periodic, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor blackman_window(int64_t n, std::optional<DType> dtype, std::optional<Layout> layout,
                              std::optional<Device> device, std::optional<bool> pin_memory) {
  return blackman_window(n, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor empty(IntArrayRef sizes, std::optional<DType> dtype, std::optional<Layout> layout,
                    std::optional<Device> device, std::optional<bool> pin_memory,
                    std::optional<MemoryFormat> memory_format) {
  return empty(sizes, TensorOptions::of(dtype, layout, device, pin_memory), memory_format);
}
inline Tensor empty_like(const Tensor& x, std::optional<DType> dtype, std::optional<Layout> layout,
                         std::optional<Device> device, std::optional<bool> pin_memory,
                         std::optional<MemoryFormat> memory_format) {
  return empty_like(x, TensorOptions::of(dtype, layout, device, pin_memory), memory_format);
}
inline Tensor empty_permuted(IntArrayRef sizes, IntArrayRef physical_layout, std::optional<DType> dtype,
                             std::optional<Layout> layout, std::optional<Device> device,
                             std::optional<bool> pin_memory) {
  return empty_permuted(sizes, physical_layout, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor empty_strided(IntArrayRef sizes, IntArrayRef strides, std::optional<DType> dtype,
                            std::optional<Layout> layout, std::optional<Device> device,
                            std::optional<bool> pin_memory) {
  return empty_strided(sizes, strides, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor eye(int64_t n, int64_t m, std::optional<DType> dtype, std::optional<Layout> layout,
                  std::optional<Device> device, std::optional<bool> pin_memory) {
  return eye(n, m, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor eye(int64_t n, std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                  std::optional<bool> pin_memory) {
  return eye(n, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor fft_fftfreq(int64_t n, double d, std::optional<DType> dtype, std::optional<Layout> layout,
                          std::optional<Device> device, std::optional<bool> pin_memory) {
  return fft_fftfreq(n, d, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor fft_fftfreq(int64_t n, std::optional<DType> dtype, std::optional<Layout> layout,
                          std::optional<Device> device, std::optional<bool> pin_memory) {
  return fft_fftfreq(n, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor fft_rfftfreq(int64_t n, double d, std::optional<DType> dtype, std::optional<Layout> layout,
                           std::optional<Device> device, std::optional<bool> pin_memory) {
  return fft_rfftfreq(n, d, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor fft_rfftfreq(int64_t n, std::optional<DType> dtype, std::optional<Layout> layout,
                           std::optional<Device> device, std::optional<bool> pin_memory) {
  return fft_rfftfreq(n, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, std::optional<DType> dtype,
                        std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return from_blob(data, sizes, strides, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor from_blob(void* data, IntArrayRef sizes, std::optional<DType> dtype, std::optional<Layout> layout,
                        std::optional<Device> device, std::optional<bool> pin_memory) {
  return from_blob(data, sizes, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor from_file(std::string_view filename, std::optional<bool> shared, std::optional<int64_t> size,
                        std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                        std::optional<bool> pin_memory) {
  return from_file(filename, shared, size, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor full(IntArrayRef sizes, const Scalar& value, std::optional<DType> dtype, std::optional<Layout> layout,
                   std::optional<Device> device, std::optional<bool> pin_memory) {
  return full(sizes, value, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor full_like(const Tensor& x, const Scalar& value, std::optional<DType> dtype, std::optional<Layout> layout,
                        std::optional<Device> device, std::optional<bool> pin_memory,
                        std::optional<MemoryFormat> memory_format) {
  return full_like(x, value, TensorOptions::of(dtype, layout, device, pin_memory), memory_format);
}
inline Tensor hamming_window(int64_t n, bool periodic, double alpha, double beta, std::optional<DType> dtype,
                             std::optional<Layout> layout, std::optional<Device> device,
                             std::optional<bool> pin_memory) {
  return hamming_window(n, periodic, alpha, beta, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor hamming_window(int64_t n, bool periodic, double alpha, std::optional<DType> dtype,
                             std::optional<Layout> layout, std::optional<Device> device,
                             std::optional<bool> pin_memory) {
  return hamming_window(n, periodic, alpha, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor hamming_window(int64_t n, bool periodic, std::optional<DType> dtype, std::optional<Layout> layout,
                             std::optional<Device> device, std::optional<bool> pin_memory) {
  return hamming_window(n, periodic, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor hamming_window(int64_t n, std::optional<DType> dtype, std::optional<Layout> layout,
                             std::optional<Device> device, std::optional<bool> pin_memory) {
  return hamming_window(n, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor hann_window(int64_t n, bool periodic, std::optional<DType> dtype, std::optional<Layout> layout,
                          std::optional<Device> device, std::optional<bool> pin_memory) {
  return hann_window(n, periodic, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor hann_window(int64_t n, std::optional<DType> dtype, std::optional<Layout> layout,
                          std::optional<Device> device, std::optional<bool> pin_memory) {
  return hann_window(n, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor kaiser_window(int64_t n, bool periodic, double beta, std::optional<DType> dtype,
                            std::optional<Layout> layout, std::optional<Device> device,
                            std::optional<bool> pin_memory) {
  return kaiser_window(n, periodic, beta, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor kaiser_window(int64_t n, bool periodic, std::optional<DType> dtype, std::optional<Layout> layout,
                            std::optional<Device> device, std::optional<bool> pin_memory) {
  return kaiser_window(n, periodic, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor kaiser_window(int64_t n, std::optional<DType> dtype, std::optional<Layout> layout,
                            std::optional<Device> device, std::optional<bool> pin_memory) {
  return kaiser_window(n, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor linspace(const Scalar& start, const Scalar& end, int64_t steps, std::optional<DType> dtype,
                       std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return linspace(start, end, steps, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor linspace(const Scalar& start, const Tensor& end, int64_t steps, std::optional<DType> dtype,
                       std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return linspace(start, end, steps, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor linspace(const Tensor& start, const Scalar& end, int64_t steps, std::optional<DType> dtype,
                       std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return linspace(start, end, steps, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor linspace(const Tensor& start, const Tensor& end, int64_t steps, std::optional<DType> dtype,
                       std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return linspace(start, end, steps, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor logspace(const Scalar& start, const Scalar& end, int64_t steps, double base, std::optional<DType> dtype,
                       std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return logspace(start, end, steps, base, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor logspace(const Scalar& start, const Tensor& end, int64_t steps, double base, std::optional<DType> dtype,
                       std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return logspace(start, end, steps, base, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor logspace(const Tensor& start, const Scalar& end, int64_t steps, double base, std::optional<DType> dtype,
                       std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return logspace(start, end, steps, base, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor logspace(const Tensor& start, const Tensor& end, int64_t steps, double base, std::optional<DType> dtype,
                       std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return logspace(start, end, steps, base, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor normal(double mean, double std, IntArrayRef sizes, OptionalGenerator generator,
                     std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                     std::optional<bool> pin_memory) {
  return normal(mean, std, sizes, generator, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor normal(double mean, double std, IntArrayRef sizes, std::optional<DType> dtype,
                     std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return normal(mean, std, sizes, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor ones(IntArrayRef sizes, std::optional<DType> dtype, std::optional<Layout> layout,
                   std::optional<Device> device, std::optional<bool> pin_memory) {
  return ones(sizes, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor ones_like(const Tensor& x, std::optional<DType> dtype, std::optional<Layout> layout,
                        std::optional<Device> device, std::optional<bool> pin_memory,
                        std::optional<MemoryFormat> memory_format) {
  return ones_like(x, TensorOptions::of(dtype, layout, device, pin_memory), memory_format);
}
inline Tensor rand(IntArrayRef sizes, OptionalGenerator generator, std::optional<DType> dtype,
                   std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return rand(sizes, generator, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor rand(IntArrayRef sizes, std::optional<DType> dtype, std::optional<Layout> layout,
                   std::optional<Device> device, std::optional<bool> pin_memory) {
  return rand(sizes, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor rand_like(const Tensor& x, std::optional<DType> dtype, std::optional<Layout> layout,
                        std::optional<Device> device, std::optional<bool> pin_memory,
                        std::optional<MemoryFormat> memory_format) {
  return rand_like(x, TensorOptions::of(dtype, layout, device, pin_memory), memory_format);
}
inline Tensor randint(int64_t high, IntArrayRef sizes, OptionalGenerator generator, std::optional<DType> dtype,
                      std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return randint(high, sizes, generator, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor randint(int64_t high, IntArrayRef sizes, std::optional<DType> dtype, std::optional<Layout> layout,
                      std::optional<Device> device, std::optional<bool> pin_memory) {
  return randint(high, sizes, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor randint(int64_t low, int64_t high, IntArrayRef sizes, OptionalGenerator generator,
                      std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                      std::optional<bool> pin_memory) {
  return randint(low, high, sizes, generator, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor randint(int64_t low, int64_t high, IntArrayRef sizes, std::optional<DType> dtype,
                      std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return randint(low, high, sizes, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor randint_like(const Tensor& self, const Tensor& high, OptionalGenerator generator,
                           std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                           std::optional<bool> pin_memory) {
  return randint_like(self, high, generator, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor randint_like(const Tensor& self, const Tensor& high, std::optional<DType> dtype,
                           std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return randint_like(self, high, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor randint_like(const Tensor& x, int64_t high, std::optional<DType> dtype, std::optional<Layout> layout,
                           std::optional<Device> device, std::optional<bool> pin_memory,
                           std::optional<MemoryFormat> memory_format) {
  return randint_like(x, high, TensorOptions::of(dtype, layout, device, pin_memory), memory_format);
}
inline Tensor randint_like(const Tensor& x, int64_t low, int64_t high, std::optional<DType> dtype,
                           std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory,
                           std::optional<MemoryFormat> memory_format) {
  return randint_like(x, low, high, TensorOptions::of(dtype, layout, device, pin_memory), memory_format);
}
inline Tensor randn(IntArrayRef sizes, OptionalGenerator generator, std::optional<DType> dtype,
                    std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return randn(sizes, generator, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor randn(IntArrayRef sizes, std::optional<DType> dtype, std::optional<Layout> layout,
                    std::optional<Device> device, std::optional<bool> pin_memory) {
  return randn(sizes, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor randn_like(const Tensor& x, std::optional<DType> dtype, std::optional<Layout> layout,
                         std::optional<Device> device, std::optional<bool> pin_memory,
                         std::optional<MemoryFormat> memory_format) {
  return randn_like(x, TensorOptions::of(dtype, layout, device, pin_memory), memory_format);
}
inline Tensor randperm(int64_t n, OptionalGenerator generator, std::optional<DType> dtype, std::optional<Layout> layout,
                       std::optional<Device> device, std::optional<bool> pin_memory) {
  return randperm(n, generator, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor randperm(int64_t n, std::optional<DType> dtype, std::optional<Layout> layout,
                       std::optional<Device> device, std::optional<bool> pin_memory) {
  return randperm(n, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor range(const Scalar& start, const Scalar& end, const Scalar& step, std::optional<DType> dtype,
                    std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return range(start, end, step, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor range(const Scalar& start, const Scalar& end, std::optional<DType> dtype, std::optional<Layout> layout,
                    std::optional<Device> device, std::optional<bool> pin_memory) {
  return range(start, end, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor scalar_tensor(const Scalar& value, std::optional<DType> dtype, std::optional<Layout> layout,
                            std::optional<Device> device, std::optional<bool> pin_memory) {
  return scalar_tensor(value, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor tensor(const nn::ASMoutput::Loss& loss, std::optional<DType> dtype, std::optional<Layout> layout,
                     std::optional<Device> device, std::optional<bool> pin_memory) {
  return tensor(loss, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor tensor(std::initializer_list<detail::TensorData> list, std::optional<DType> dtype,
                     std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return tensor(list, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor tril_indices(int64_t rows, int64_t cols, int64_t offset, std::optional<DType> dtype,
                           std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return tril_indices(rows, cols, offset, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor triu_indices(int64_t rows, int64_t cols, int64_t offset, std::optional<DType> dtype,
                           std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return triu_indices(rows, cols, offset, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor zeros(IntArrayRef sizes, std::optional<DType> dtype, std::optional<Layout> layout,
                    std::optional<Device> device, std::optional<bool> pin_memory) {
  return zeros(sizes, TensorOptions::of(dtype, layout, device, pin_memory));
}
inline Tensor zeros_like(const Tensor& x, std::optional<DType> dtype, std::optional<Layout> layout,
                         std::optional<Device> device, std::optional<bool> pin_memory,
                         std::optional<MemoryFormat> memory_format) {
  return zeros_like(x, TensorOptions::of(dtype, layout, device, pin_memory), memory_format);
}
}  // namespace strata
