// Further forms of Strata's functions that ATen has: with the arguments in tensors, optional ones that may be left out
// by `nullopt`, and dtypes of results. Shapes and errors are those of the function's other forms.
#pragma once
#include <concepts>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <strata/core/generator.h>
#include <strata/core/options.h>
#include <strata/core/tensor.h>
#include <strata/nn/adaptive.h>
#include <strata/ops/shaping.h>

#include "check.h"

namespace strata {

/// Draws 0 or 1 in the shape of `self` with the probabilities `p`, which broadcast.
Tensor bernoulli(const Tensor& self, const Tensor& p, OptionalGenerator generator = {});
Tensor& clamp_(Tensor& self, const std::optional<Tensor>& min = {}, const std::optional<Tensor>& max = {});
Tensor& clip_(Tensor& self, const std::optional<Tensor>& min = {}, const std::optional<Tensor>& max = {});
Tensor& fill_(Tensor& self, const Tensor& value);
Tensor& round_(Tensor& self, int64_t decimals);
Tensor count_nonzero(const Tensor& self, std::optional<int64_t> dim);
/// The order of contractions is Strata's own, whatever `path` says: the result is the same.
Tensor einsum(std::string_view equation, TensorList tensors, OptionalIntArrayRef path);
/// Sparse gradients throw: there are dense tensors alone.
Tensor gather(const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad);
/// For a value that may be left out, which only bindings pass as such: a number goes to the function that takes one.
template <class V>
requires(std::same_as<V, std::optional<double>> || std::same_as<V, std::nullopt_t>) Tensor
    pad(const Tensor& self, IntArrayRef padding, std::string_view mode, V value) {
  const std::optional<double> filling = value;
  TORCH_CHECK(mode == "constant" || filling.value_or(0) == 0, "Padding mode \"", mode,
              "\" doesn't take in value argument");
  return strata::pad(self, padding, mode, Scalar(filling.value_or(0)));
}
Tensor argsort(const Tensor& self, bool stable, int64_t dim, bool descending);
/// Integers from [0, high), with the bound in a tensor of one element.
Tensor randint_like(const Tensor& self, const Tensor& high, const TensorOptions& options = {});
Tensor randint_like(const Tensor& self, const Tensor& high, OptionalGenerator generator,
                    const TensorOptions& options = {});

/// The loss as a number, which it is in libtorch.
inline Tensor tensor(const nn::ASMoutput::Loss& loss, const TensorOptions& options = {}) {
  return strata::tensor(static_cast<double>(loss), options);
}

/// Evenly spaced numbers between bounds in tensors of 0 dims.
Tensor linspace(const Tensor& start, const Tensor& end, int64_t steps, const TensorOptions& options = {});
Tensor linspace(const Tensor& start, const Scalar& end, int64_t steps, const TensorOptions& options = {});
Tensor linspace(const Scalar& start, const Tensor& end, int64_t steps, const TensorOptions& options = {});
Tensor logspace(const Tensor& start, const Tensor& end, int64_t steps, double base = 10,
                const TensorOptions& options = {});
Tensor logspace(const Tensor& start, const Scalar& end, int64_t steps, double base = 10,
                const TensorOptions& options = {});
Tensor logspace(const Scalar& start, const Tensor& end, int64_t steps, double base = 10,
                const TensorOptions& options = {});

/// Products of matrices summed and given in `out_dtype`: that of the matrices, or float32 for those of halves. libtorch
/// has these on GPUs alone.
Tensor mm(const Tensor& self, const Tensor& mat2, DType out_dtype);
Tensor bmm(const Tensor& self, const Tensor& mat2, DType out_dtype);
Tensor addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, DType out_dtype, const Scalar& beta = 1,
             const Scalar& alpha = 1);
Tensor baddbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, DType out_dtype, const Scalar& beta = 1,
               const Scalar& alpha = 1);

/// Steps of recurrent layers whose biases may be left out.
std::tuple<Tensor, Tensor> lstm_cell(const Tensor& input, TensorList hx, const Tensor& w_ih, const Tensor& w_hh,
                                     const std::optional<Tensor>& b_ih, const std::optional<Tensor>& b_hh = {});
Tensor gru_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
                const std::optional<Tensor>& b_ih, const std::optional<Tensor>& b_hh = {});
Tensor rnn_tanh_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
                     const std::optional<Tensor>& b_ih, const std::optional<Tensor>& b_hh = {});
Tensor rnn_relu_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
                     const std::optional<Tensor>& b_ih, const std::optional<Tensor>& b_hh = {});

/// Short-time Fourier transforms; where `align_to_window`, frames begin and end where the window does, and not `n_fft`
/// elements wide around it. That needs frames that are not centered.
Tensor stft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length,
            OptionalTensorRef window, bool center, std::string_view pad_mode, bool normalized,
            std::optional<bool> onesided, std::optional<bool> return_complex, std::optional<bool> align_to_window);
Tensor stft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length,
            OptionalTensorRef window, bool normalized, std::optional<bool> onesided, std::optional<bool> return_complex,
            std::optional<bool> align_to_window);

/// Copies of views.
Tensor as_strided_copy(const Tensor& self, IntArrayRef size, IntArrayRef stride, std::optional<int64_t> storage_offset);
Tensor view_copy(const Tensor& self, DType dtype);
Tensor _conj_copy(const Tensor& self);
Tensor _neg_view_copy(const Tensor& self);
Tensor _reshape_alias_copy(const Tensor& self, IntArrayRef size, IntArrayRef stride);
Tensor lift_fresh_copy(const Tensor& self);
/// The pieces of a tensor, copied into tensors given.
void split_copy_out(TensorList out, const Tensor& self, int64_t split_size, int64_t dim = 0);
void split_with_sizes_copy_out(TensorList out, const Tensor& self, IntArrayRef split_sizes, int64_t dim = 0);
void unbind_copy_out(TensorList out, const Tensor& self, int64_t dim = 0);
void unsafe_split_out(TensorList out, const Tensor& self, int64_t split_size, int64_t dim = 0);
void unsafe_split_with_sizes_out(TensorList out, const Tensor& self, IntArrayRef split_sizes, int64_t dim = 0);

/// What `self.new_empty(size)` and its kin give, written into a tensor given.
Tensor& new_empty_out(Tensor& out, const Tensor& self, IntArrayRef size);
Tensor& new_empty_strided_out(Tensor& out, const Tensor& self, IntArrayRef size, IntArrayRef stride);
Tensor& new_full_out(Tensor& out, const Tensor& self, IntArrayRef size, const Scalar& fill_value);
Tensor& new_ones_out(Tensor& out, const Tensor& self, IntArrayRef size);
Tensor& new_zeros_out(Tensor& out, const Tensor& self, IntArrayRef size);

/// Integers from [from, to), or all that the dtype of `self` holds, written into a tensor given.
Tensor& random_out(Tensor& out, const Tensor& self, int64_t from, std::optional<int64_t> to,
                   OptionalGenerator generator = {});
Tensor& random_out(Tensor& out, const Tensor& self, int64_t to, OptionalGenerator generator = {});
Tensor& random_out(Tensor& out, const Tensor& self, OptionalGenerator generator = {});

/// The tensor itself: functorch of libtorch wraps constants here.
Tensor lift(const Tensor& self);
Tensor lift_fresh(const Tensor& self);
/// A tensor of no elements with `self`'s dtype.
Tensor set(const Tensor& self);
bool is_inference(const Tensor& self);
bool is_signed(const Tensor& self);
bool is_vulkan_available();

}  // namespace strata
