// CPU kernels of the matrix product ops: geometry in order, then the product engine.
#include <array>

#include "dispatcher/kernel.h"
#include "dispatcher/loops.h"
#include "kernels/cpu/matmul/gemm.h"
#include "kernels/visit_floating.h"
#include "ops/activation_def.h"
#include "ops/linalg_def.h"
#include "ops/unary_def.h"

namespace strata::cpu::matmul {
namespace {

using dispatch::Loop, dispatch::loop_of;

/// The batch dims of a product that are left after joining all that can be joined into its rows.
class BatchDims {
 public:
  void push(const GemmBatch& d) {
    if (d.size != 1) dims_[size_++] = d;
  }
  /// A batch that shares b and goes on where the rows end is just more rows.
  template <class T>
  void join_rows(Gemm<T>& p) {
    for (; size_ > 0 && dims_[size_ - 1].b == 0; --size_) {
      const GemmBatch& d = dims_[size_ - 1];
      if (p.m == 1) p.a.row = d.a, p.init.row = d.init, p.out.row = d.out;
      if (p.m == 1) p.activated.row = d.activated;
      const bool goes_on = d.a == p.m * p.a.row && d.out == p.m * p.out.row &&
                           (!p.init.data || d.init == p.m * p.init.row) &&
                           (!p.activated.data || d.activated == p.m * p.activated.row);
      if (p.m != 1 && !goes_on) return;
      p.m *= d.size;
    }
  }
  operator std::span<const GemmBatch>() const { return {dims_.data(), size_}; }

 private:
  size_t size_ = 0;
  std::array<GemmBatch, kMaxDims> dims_;
};

/// Calls f.template operator()<T>() with the element type, which must be a number.
template <class F>
void visit_number(const char* op, DType dtype, F&& f) {
  visit_any_dtype(dtype, [&]<class T>() {
    if constexpr (std::is_same_v<T, bool>) {
      STRATA_THROW("{}: not implemented for bool; convert it with to()", op);
    } else {
      f.template operator()<T>();
    }
  });
}

template <class T, class Element>
Matrix<T> last_two(const Tensor& t) {
  const IntArrayRef strides = t.strides();
  return {t.data_ptr<Element>(), strides[strides.size() - 2], strides.back()};
}

/// out = alpha * a b + beta * init over equal leading dims; init may be null.
template <class T>
void multiply(const Tensor& out, const Tensor& a, const Tensor& b, const Tensor* init, GemmScalar<T> beta,
              GemmScalar<T> alpha) {
  const size_t lead = a.sizes().size() - 2;
  Gemm<T> p{a.sizes()[lead],
            b.sizes()[lead + 1],
            a.sizes()[lead + 1],
            last_two<const T, T>(a),
            last_two<const T, T>(b),
            {},
            last_two<T, T>(out),
            alpha,
            beta};
  if (init) p.init = last_two<const T, T>(*init);
  if (lead == 0) return gemm(p);
  BatchDims dims;
  for (size_t d = 0; d < lead; ++d) {
    dims.push({a.sizes()[d], a.strides()[d], b.strides()[d], init ? init->strides()[d] : 0, out.strides()[d]});
  }
  dims.join_rows(p);
  gemm<T>(p, dims);
}

void matmul_cpu(Tensors& out, Args in, const NoParams&) {
  visit_number("matmul", in[0].dtype(), [&]<class T>() { multiply<T>(out[0], in[0], in[1], nullptr, 1, 1); });
}

void addmm_cpu(Tensors& out, Args in, const AddmmParams& p) {
  visit_number("addmm", in[0].dtype(), [&]<class T>() {
    using S = GemmScalar<T>;
    const S beta = p.beta.to<S>();
    multiply<T>(out[0], in[1], in[2], beta == S(0) ? nullptr : &in[0], beta, p.alpha.to<S>());
  });
}

/// What follows the sums of linear: a loop from out to `to`, or in place if that is undefined.
struct Activation {
  Loop loop = nullptr;
  Tensor to = {};
};

template <class T>
void apply_linear(const Tensor& out, Args in, const Activation& then) {
  const Tensor &x = in[0], &w = in[1];
  const size_t lead = x.sizes().size() - 1;
  Gemm<T> p{1,
            w.sizes()[0],
            w.sizes()[1],
            {x.data_ptr<T>(), 0, x.strides()[lead]},
            {w.data_ptr<T>(), w.strides()[1], w.strides()[0]},
            {},
            {out.data_ptr<T>(), 0, out.strides()[lead]}};
  if (in.size() > 2) p.init = {in[2].data_ptr<T>(), 0, in[2].strides()[0]};
  p.activation = then.loop;
  if (then.to.defined()) p.activated = {then.to.data_ptr<T>(), 0, then.to.strides()[lead]};
  BatchDims dims;
  for (size_t d = 0; d < lead; ++d) {
    const int64_t activated = then.to.defined() ? then.to.strides()[d] : 0;
    dims.push({x.sizes()[d], x.strides()[d], 0, 0, out.strides()[d], activated});
  }
  dims.join_rows(p);
  gemm<T>(p, dims);
}

void linear_cpu(Tensors& out, Args in, const NoParams&) {
  visit_number("linear", in[0].dtype(), [&]<class T>() { apply_linear<T>(out[0], in, {}); });
}

void linear_relu_cpu(Tensors& out, Args in, const NoParams&) {
  visit_number("linear_relu", in[0].dtype(),
               [&]<class T>() { apply_linear<T>(out[0], in, {loop_of(relu_op, in[0].dtype()).loop}); });
}

void linear_gelu_cpu(Tensors& out, Args in, const NoParams&) {
  static constexpr GeluParams kByTanh{true};
  visit_floating("linear_gelu", in[0].dtype(), [&]<class T>() {
    apply_linear<T>(out[1], in, {loop_of(gelu_op, in[0].dtype(), &kByTanh).loop, out[0]});
  });
}

void dot_cpu(Tensors& out, Args in, const NoParams&) {
  visit_number("dot", in[0].dtype(), [&]<class T>() {
    const Tensor &a = in[0], &b = in[1];
    gemm<T>({1,
             1,
             a.sizes()[0],
             {a.data_ptr<T>(), 0, a.strides()[0]},
             {b.data_ptr<T>(), b.strides()[0], 1},
             {},
             {out[0].data_ptr<T>(), 1, 1}});
  });
}

STRATA_KERNEL(matmul_op, CPU, matmul_cpu);
STRATA_KERNEL(addmm_op, CPU, addmm_cpu);
STRATA_KERNEL(linear_op, CPU, linear_cpu);
STRATA_KERNEL(linear_relu_op, CPU, linear_relu_cpu);
STRATA_KERNEL(linear_gelu_op, CPU, linear_gelu_cpu);
STRATA_KERNEL(dot_op, CPU, dot_cpu);

}  // namespace
}  // namespace strata::cpu::matmul
