// Further forms of Strata's functions that ATen has.
#include "compat/parts/overloads.h"

#include "compat/parts/aten.h"
#include "compat/parts/check.h"

namespace strata {
namespace {

/// The number that a bound of linspace or logspace holds.
Scalar bound(const char* function, const char* name, const Tensor& x) {
  TORCH_CHECK(x.dim() == 0, function, " only supports 0-dimensional start and end tensors, but got ", name, " with ",
              x.dim(), " dimension(s).");
  return x.item();
}

void check_out_dtype(const char* name, const Tensor& x, DType out_dtype) {
  TORCH_CHECK(out_dtype == x.dtype() || (out_dtype == kFloat && (x.dtype() == kHalf || x.dtype() == kBFloat16)), name,
              ": out_dtype must be the same as input dtype or fp32 for fp16/bf16 inputs");
}

/// The tensor, undefined where there is none.
Tensor or_none(const std::optional<Tensor>& x) { return x.value_or(Tensor()); }

/// Behind the last integer that `dtype` holds with all before it; of int64 that is the last itself.
int64_t end_of_integers(DType dtype) {
  if (dtype == kLong) return std::numeric_limits<int64_t>::max();
  if (dtype == kBool) return 2;
  if (dtype == kHalf) return (int64_t{1} << 11) + 1;
  if (dtype == kBFloat16) return (int64_t{1} << 8) + 1;
  if (dtype == kFloat) return (int64_t{1} << 24) + 1;
  if (dtype == kDouble) return (int64_t{1} << 53) + 1;
  const int bits = static_cast<int>(8 * item_size(dtype));
  return int64_t{1} << (dtype == kByte ? bits : bits - 1);
}

void copy_pieces(const char* name, TensorList out, const std::vector<Tensor>& pieces) {
  TORCH_CHECK(out.size() == pieces.size(), name, ": expected an out= argument of size ", pieces.size(), ", got size ",
              out.size());
  for (size_t i = 0; i < pieces.size(); ++i) {
    Tensor to = out[i];
    detail::write_out(name, to, pieces[i]);
  }
}

}  // namespace

Tensor bernoulli(const Tensor& self, const Tensor& p, OptionalGenerator generator) {
  return empty_like(self).bernoulli_(p, generator);
}
Tensor& clamp_(Tensor& self, const std::optional<Tensor>& min, const std::optional<Tensor>& max) {
  return self.clamp_(OptionalTensorRef(min), OptionalTensorRef(max));
}
Tensor& clip_(Tensor& self, const std::optional<Tensor>& min, const std::optional<Tensor>& max) {
  return clamp_(self, min, max);
}
Tensor& fill_(Tensor& self, const Tensor& value) { return self.fill_(value), self; }
Tensor& round_(Tensor& self, int64_t decimals) { return self.round_(decimals); }
Tensor count_nonzero(const Tensor& self, std::optional<int64_t> dim) {
  return dim ? count_nonzero(self, OptionalIntArrayRef(IntArrayRef(*dim))) : count_nonzero(self);
}
Tensor einsum(std::string_view equation, TensorList tensors, OptionalIntArrayRef) { return einsum(equation, tensors); }
Tensor gather(const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad) {
  TORCH_CHECK(!sparse_grad, "gather: there are no sparse tensors; leave out sparse_grad = true");
  return gather(self, dim, index);
}
Tensor argsort(const Tensor& self, bool stable, int64_t dim, bool descending) {
  return std::get<1>(sort(self, stable, dim, descending));
}
Tensor randint_like(const Tensor& self, const Tensor& high, const TensorOptions& options) {
  return randint_like(self, high.item<int64_t>(), options);
}
Tensor randint_like(const Tensor& self, const Tensor& high, OptionalGenerator generator, const TensorOptions& options) {
  return empty_like(self, options).random_(0, high.item<int64_t>(), generator);
}

Tensor linspace(const Tensor& start, const Tensor& end, int64_t steps, const TensorOptions& options) {
  return linspace(bound("linspace", "start", start), bound("linspace", "end", end), steps, options);
}
Tensor linspace(const Tensor& start, const Scalar& end, int64_t steps, const TensorOptions& options) {
  return linspace(bound("linspace", "start", start), end, steps, options);
}
Tensor linspace(const Scalar& start, const Tensor& end, int64_t steps, const TensorOptions& options) {
  return linspace(start, bound("linspace", "end", end), steps, options);
}
Tensor logspace(const Tensor& start, const Tensor& end, int64_t steps, double base, const TensorOptions& options) {
  return logspace(bound("logspace", "start", start), bound("logspace", "end", end), steps, base, options);
}
Tensor logspace(const Tensor& start, const Scalar& end, int64_t steps, double base, const TensorOptions& options) {
  return logspace(bound("logspace", "start", start), end, steps, base, options);
}
Tensor logspace(const Scalar& start, const Tensor& end, int64_t steps, double base, const TensorOptions& options) {
  return logspace(start, bound("logspace", "end", end), steps, base, options);
}

Tensor mm(const Tensor& self, const Tensor& mat2, DType out_dtype) {
  check_out_dtype("mm", self, out_dtype);
  return mm(self.to(out_dtype), mat2.to(out_dtype));
}
Tensor bmm(const Tensor& self, const Tensor& mat2, DType out_dtype) {
  check_out_dtype("bmm", self, out_dtype);
  return bmm(self.to(out_dtype), mat2.to(out_dtype));
}
Tensor addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, DType out_dtype, const Scalar& beta,
             const Scalar& alpha) {
  check_out_dtype("addmm", mat1, out_dtype);
  return addmm(self.to(out_dtype), mat1.to(out_dtype), mat2.to(out_dtype), beta, alpha);
}
Tensor baddbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, DType out_dtype, const Scalar& beta,
               const Scalar& alpha) {
  check_out_dtype("baddbmm", batch1, out_dtype);
  return baddbmm(self.to(out_dtype), batch1.to(out_dtype), batch2.to(out_dtype), beta, alpha);
}

std::tuple<Tensor, Tensor> lstm_cell(const Tensor& input, TensorList hx, const Tensor& w_ih, const Tensor& w_hh,
                                     const std::optional<Tensor>& b_ih, const std::optional<Tensor>& b_hh) {
  return lstm_cell(input, hx, w_ih, w_hh, or_none(b_ih), or_none(b_hh));
}
Tensor gru_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
                const std::optional<Tensor>& b_ih, const std::optional<Tensor>& b_hh) {
  return gru_cell(input, hx, w_ih, w_hh, or_none(b_ih), or_none(b_hh));
}
Tensor rnn_tanh_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
                     const std::optional<Tensor>& b_ih, const std::optional<Tensor>& b_hh) {
  return rnn_tanh_cell(input, hx, w_ih, w_hh, or_none(b_ih), or_none(b_hh));
}
Tensor rnn_relu_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
                     const std::optional<Tensor>& b_ih, const std::optional<Tensor>& b_hh) {
  return rnn_relu_cell(input, hx, w_ih, w_hh, or_none(b_ih), or_none(b_hh));
}

Tensor stft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length,
            OptionalTensorRef window, bool center, std::string_view pad_mode, bool normalized,
            std::optional<bool> onesided, std::optional<bool> return_complex, std::optional<bool> align_to_window) {
  TORCH_CHECK(!center || !align_to_window, "stft align_to_window should only be set when center = false");
  Tensor x = self;
  if (align_to_window.value_or(false)) {
    const int64_t around = n_fft - win_length.value_or(n_fft), before = around / 2;
    x = constant_pad_nd(self, {before, around - before});
  }
  const std::optional<int64_t> hop = hop_length ? hop_length : std::optional<int64_t>(n_fft / 4);
  return stft(x, n_fft, hop, win_length, window, center, pad_mode, normalized, onesided, return_complex);
}
Tensor stft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length,
            OptionalTensorRef window, bool normalized, std::optional<bool> onesided, std::optional<bool> return_complex,
            std::optional<bool> align_to_window) {
  return stft(self, n_fft, hop_length, win_length, window, false, "constant", normalized, onesided, return_complex,
              align_to_window);
}

Tensor as_strided_copy(const Tensor& self, IntArrayRef size, IntArrayRef stride,
                       std::optional<int64_t> storage_offset) {
  return self.as_strided(size, stride, storage_offset).clone(MemoryFormat::Contiguous);
}
Tensor view_copy(const Tensor& self, DType dtype) { return self.view(dtype).clone(MemoryFormat::Contiguous); }
Tensor _conj_copy(const Tensor& self) { return self.conj().clone(MemoryFormat::Contiguous); }
Tensor _neg_view_copy(const Tensor& self) { return -self; }
Tensor _reshape_alias_copy(const Tensor& self, IntArrayRef size, IntArrayRef stride) {
  return as_strided_copy(self, size, stride, std::optional<int64_t>());
}
Tensor lift_fresh_copy(const Tensor& self) { return self.clone(); }
void split_copy_out(TensorList out, const Tensor& self, int64_t split_size, int64_t dim) {
  copy_pieces("split_copy_out", out, split(self, split_size, dim));
}
void split_with_sizes_copy_out(TensorList out, const Tensor& self, IntArrayRef split_sizes, int64_t dim) {
  copy_pieces("split_with_sizes_copy_out", out, split(self, split_sizes, dim));
}
void unbind_copy_out(TensorList out, const Tensor& self, int64_t dim) {
  copy_pieces("unbind_copy_out", out, unbind(self, dim));
}
void unsafe_split_out(TensorList out, const Tensor& self, int64_t split_size, int64_t dim) {
  copy_pieces("unsafe_split_out", out, split(self, split_size, dim));
}
void unsafe_split_with_sizes_out(TensorList out, const Tensor& self, IntArrayRef split_sizes, int64_t dim) {
  copy_pieces("unsafe_split_with_sizes_out", out, split(self, split_sizes, dim));
}

Tensor& new_empty_out(Tensor& out, const Tensor&, IntArrayRef size) { return out.resize_(size), out; }
Tensor& new_empty_strided_out(Tensor& out, const Tensor&, IntArrayRef size, IntArrayRef stride) {
  return detail::write_out("new_empty_strided_out", out, empty_strided(size, stride, out.options()));
}
Tensor& new_full_out(Tensor& out, const Tensor&, IntArrayRef size, const Scalar& fill_value) {
  return detail::write_out("new_full_out", out, full(size, fill_value, out.options()));
}
Tensor& new_ones_out(Tensor& out, const Tensor& self, IntArrayRef size) { return new_full_out(out, self, size, 1); }
Tensor& new_zeros_out(Tensor& out, const Tensor& self, IntArrayRef size) { return new_full_out(out, self, size, 0); }

Tensor& random_out(Tensor& out, const Tensor& self, int64_t from, std::optional<int64_t> to,
                   OptionalGenerator generator) {
  const int64_t end = to ? *to : end_of_integers(self.dtype());
  return detail::write_out("random_out", out, empty_like(self).random_(from, end, generator));
}
Tensor& random_out(Tensor& out, const Tensor& self, int64_t to, OptionalGenerator generator) {
  return random_out(out, self, 0, to, generator);
}
Tensor& random_out(Tensor& out, const Tensor& self, OptionalGenerator generator) {
  return detail::write_out("random_out", out, empty_like(self).random_(generator));
}

Tensor lift(const Tensor& self) { return self; }
Tensor lift_fresh(const Tensor& self) { return self; }
Tensor set(const Tensor& self) { return empty({0}, self.options()); }
bool is_inference(const Tensor& self) { return self.is_inference(); }
bool is_signed(const Tensor& self) { return self.is_signed(); }
bool is_vulkan_available() { return false; }

}  // namespace strata
