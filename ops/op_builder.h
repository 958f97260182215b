// The builders an op is written with, and the combinators that keep its rules to a line each.
//
//   STRATA_OP(mul_op) = pointwise("mul(Tensor a, Tensor b) -> Tensor", [](const Primals& c) { return c.in(1); },
//                                [](const Primals& c) { return c.in(0); })
//                          .saves_for(0, saves_in(1)).saves_for(1, saves_in(0));
//   STRATA_OP(sum_op) = op<SumParams>("sum(Tensor x, int[] dims, bool keepdim) -> Tensor")
//                          .infer([](Args in, const SumParams& p) { return ...; })
//                          .vjp([](const Vjp& c, const SumParams& p) { return ...; }).saves(saves_shape(0))
//                          .jvp(linear_rule).batch(shift_dims<&SumParams::dims>);
#pragma once
#include "../dispatcher/call.h"
#include "../dispatcher/formula.h"

namespace strata::dispatch {

// Sets of dtypes that many ops take, beside those of core/dtype.h.
inline constexpr DTypes kIntegerTypes(kByte, kChar, kShort, kInt, kUInt32, kLong);  ///< without bool
inline constexpr DTypes kRealNumberTypes = kIntegerTypes | kFloatingTypes,
                        kNumberTypes = kRealNumberTypes | kComplexTypes;
inline constexpr DTypes kSingleAndDouble(kFloat, kDouble);  ///< what LAPACK and the Fourier transforms compute in

namespace rules {

// The arithmetic that combinators need, on equal shapes and dtypes (each is one call of the op).
Tensor add(const Tensor& a, const Tensor& b);
Tensor mul(const Tensor& a, const Tensor& b);
Tensor neg(const Tensor& a);
/// a times the conjugate of b: what a vjp multiplies by a derivative with. Note [Gradients of complex numbers]
Tensor mul_conj(const Tensor& a, const Tensor& b);
/// A zero of the same shape and dtype (stride 0, one element of memory).
Tensor zero_like(const Tensor& t);
/// Sum where either may be undefined, meaning zero.
Tensor add_defined(const Tensor& a, const Tensor& b);

/// `in(i)` with a batch dimension in front, added by expand where there is none.
Tensor batched(const Batch& c, size_t i);
/// The op itself on inputs that all carry the batch dimension in front.
Tensors call_on_batched(const Batch& c, Params params);
/// Linear in input 0 (others are constants, such as indices): the op on the tangent.
Tensors linear_in_first(const Jvp& c, Params params);
/// Linear in all inputs together.
Tensors linear_in_all(const Jvp& c, Params params);
/// Linear in each of its two inputs.
Tensors bilinear(const Jvp& c, Params params);

inline void shift(int64_t& dim) { ++dim; }
inline void shift(DimVector& dims) {
  for (int64_t& d : dims) ++d;
}

}  // namespace rules

// Tags that name a whole rule.
struct Linear {};
struct LinearAll {};
struct Bilinear {};
struct PointwiseBatch {};
template <auto... Members>
struct ShiftDims {};
/// jvp: the op applied to input 0's tangent, the other inputs unchanged.
inline constexpr Linear linear_rule{};
/// jvp: the op applied to the tangents of all its inputs.
inline constexpr LinearAll linear_all{};
/// jvp: op(t0, x1) + op(x0, t1).
inline constexpr Bilinear bilinear_rule{};
/// batch: unbatched inputs are expanded, then the op runs on the bigger tensors unchanged.
inline constexpr PointwiseBatch pointwise_batch{};
/// batch: the same with the named dim or dims of the params moved up by one: `shift_dims<&SumParams::dims>`.
template <auto... Members>
inline constexpr ShiftDims<Members...> shift_dims{};

// Partial derivatives that need no tensor.
struct One {};
struct MinusOne {};
struct Zero {};
inline constexpr One one{};
inline constexpr MinusOne minus_one{};
inline constexpr Zero zero{};

namespace rule_detail {
template <class F, class C, class P>
decltype(auto) invoke_rule(const C& c, const void* p) {
  static_assert(std::is_class_v<F>,
                "a rule is a captureless lambda: a function's address would be lost with its value");
  if constexpr (std::is_invocable_v<F, const C&, const P&>)
    return F{}(c, *static_cast<const P*>(p));
  else
    return F{}(c);
}
}  // namespace rule_detail

/// An Op under construction; each step returns a copy, all at compile time. Rules are captureless lambdas over
/// (context[, params]).
template <class P>
struct Builder : Op {
  /// `(Args in, const P& p) -> Meta or Metas`.
  template <class F>
  constexpr Builder infer(F) const {
    return with([](Builder& b) {
      b.Op::infer = [](Args in, const void* p) -> Metas {
        const auto described = [&] { return rule_detail::invoke_rule<F, Args, P>(in, p); };
        if constexpr (std::is_same_v<decltype(described()), Meta>)
          return Metas(described);
        else
          return described();
      };
    });
  }
  /// `(const Tensor& x, const P& p, ViewGeometry& g)`: the op is a view of its one input x, and what it shows is
  /// written to g. `infer` follows from that.
  template <class F>
  constexpr Builder view(F) const {
    return with([](Builder& b) {
      b.Op::flags |= kView;
      b.Op::view = [](const Tensor& x, const void* p, ViewGeometry& g) { F{}(x, *static_cast<const P*>(p), g); };
      b.Op::infer = [](Args in, const void* p) -> Metas {
        return Metas([&] {
          Meta m = view_meta(in[0], {}, {}, 0);
          ViewGeometry g{m.sizes, m.strides, m.dtype};
          F{}(in[0], *static_cast<const P*>(p), g);
          m.offset = g.offset;
          return m;
        });
      };
    });
  }
  /// `(const Vjp& c, const P& p) -> Tensors`, one per input; leave those undefined that `c.needs(i)` does not ask for.
  template <class F>
  constexpr Builder vjp(F) const {
    return with([](Builder& b) {
      b.Op::vjp = [](const Vjp& c, const void* p) -> Tensors { return rule_detail::invoke_rule<F, Vjp, P>(c, p); };
    });
  }
  /// `(const Jvp& c, const P& p) -> Tensors`, one per output.
  template <class F>
  constexpr Builder jvp(F) const {
    return with([](Builder& b) {
      b.Op::jvp = [](const Jvp& c, const void* p) -> Tensors { return rule_detail::invoke_rule<F, Jvp, P>(c, p); };
    });
  }
  constexpr Builder jvp(Linear) const { return jvp_by<&rules::linear_in_first>(); }
  constexpr Builder jvp(LinearAll) const { return jvp_by<&rules::linear_in_all>(); }
  constexpr Builder jvp(Bilinear) const { return jvp_by<&rules::bilinear>(); }
  /// `(const Batch& c, const P& p) -> Tensors`, every output with the batch dimension in front.
  template <class F>
  constexpr Builder batch(F) const {
    return with([](Builder& b) {
      b.Op::batch = [](const Batch& c, const void* p) -> Tensors {
        return rule_detail::invoke_rule<F, Batch, P>(c, p);
      };
    });
  }
  constexpr Builder batch(PointwiseBatch) const {
    return with([](Builder& b) {
      b.Op::batch = [](const Batch& c, const void* p) { return rules::call_on_batched(c, Params(p, &params_type<P>)); };
    });
  }
  template <auto... Members>
  constexpr Builder batch(ShiftDims<Members...>) const {
    return with([](Builder& b) {
      b.Op::batch = [](const Batch& c, const void* p) {
        P shifted = *static_cast<const P*>(p);
        (rules::shift(shifted.*Members), ...);
        return rules::call_on_batched(c, Params::of(shifted));
      };
    });
  }
  /// What the gradient of every input needs: `saves_in(0) | saves_out(0)`.
  constexpr Builder saves(Saves s) const {
    return with([s](Builder& b) { b.Op::saves[0] = b.Op::saves[1] = b.Op::saves[2] = s; });
  }
  /// What the gradient of one input needs (2 stands for all later ones too), so that nothing is kept for inputs that
  /// need none.
  constexpr Builder saves_for(size_t input, Saves s) const {
    return with([=](Builder& b) { b.Op::saves[input < 2 ? input : 2] = s; });
  }
  /// The dtypes of inputs that it takes; real ones where this is left out.
  constexpr Builder dtypes(DTypes types) const {
    return with([=](Builder& b) { b.Op::dtypes[0] = b.Op::dtypes[1] = b.Op::dtypes[2] = types; });
  }
  /// The same for one input (2 stands for all later ones too), such as indices or a mask.
  constexpr Builder dtypes_for(size_t input, DTypes types) const {
    return with([=](Builder& b) { b.Op::dtypes[input < 2 ? input : 2] = types; });
  }
  constexpr Builder autocast(AutocastPolicy policy) const {
    return with([=](Builder& b) { b.Op::autocast = policy; });
  }
  /// `(const Replay& c, const P& p) -> Tensors`: how a traced program runs the call again. Random ops whose params
  /// have `seed` and `offset` draw anew without one.
  template <class F>
  constexpr Builder replay(F) const {
    return with([](Builder& b) {
      b.Op::replay = [](const Replay& c, const void* p) -> Tensors {
        return rule_detail::invoke_rule<F, Replay, P>(c, p);
      };
    });
  }
  /// `(Args in, const P& p) -> Tensors`: the op written with other ops, for devices that have no kernel of it.
  template <class F>
  constexpr Builder decompose(F) const {
    return with([](Builder& b) {
      b.Op::decompose = [](Args in, const void* p) -> Tensors { return rule_detail::invoke_rule<F, Args, P>(in, p); };
    });
  }
  /// `(auto x, ..., const P& p) -> number`: the CPU's kernel of an element-wise op, from its formula for one element of
  /// each of one to three inputs (and the params, if it reads any). It is compiled for elements of each of the types
  /// `T`, which the inputs share; float stands for float16 and bfloat16 too. A formula that gives a bool fills an
  /// output of kBool, any other one of the inputs' dtype. The tensors may have any strides; all threads work.
  template <class... T, class F>
  constexpr Builder cpu_kernel(F) const {
    return with([](Builder& b) {
      KernelFn& kernel = b.Op::kernels[static_cast<int>(DeviceType::CPU)];
      if constexpr (sizeof...(T) > 0)
        kernel = &formula_detail::kernel<F, P, T...>;
      else
        kernel = &formula_detail::kernel<F, P, float, double>;
    });
  }
  constexpr Builder flag(uint32_t more) const {
    return with([=](Builder& b) { b.Op::flags |= more; });
  }

 private:
  template <class F>
  constexpr Builder with(F change) const {
    Builder b = *this;
    change(b);
    return b;
  }
  template <Tensors (*Rule)(const Jvp&, Params)>
  constexpr Builder jvp_by() const {
    return with([](Builder& b) {
      b.Op::jvp = [](const Jvp& c, const void* p) { return Rule(c, Params(p, &params_type<P>)); };
    });
  }
};

/// Starts an op whose params are a P.
template <class P = NoParams>
constexpr Builder<P> op(const char* schema) {
  Builder<P> b{};
  b.schema = schema;
  b.params = &params_type<P>;
  return b;
}

/// An op without derivative whose output i depends on inputs i alone; result dtype `T` (comparisons: kBool) or input
/// 0's.
template <class P = NoParams, DType T = DType::Undefined>
constexpr Builder<P> pointwise_constant(const char* schema) {
  Builder<P> b = op<P>(schema)
                     .flag(kPointwise | kNotDifferentiable)
                     .infer([](Args in) { return meta_like(in[0], T); })
                     .batch(pointwise_batch);
  if (T == DType::Undefined) b.Op::infer = &infer_like_first;
  return b;
}

namespace rule_detail {  // each library has its own of these, so they are no names of it
/// t times the partial derivative F, or by `kMultiply` times its conjugate.
template <class F, class P, Tensor (*kMultiply)(const Tensor&, const Tensor&)>
Tensor scaled(const Tensor& t, const Primals& c, const void* p) {
  if constexpr (std::is_same_v<F, One>)
    return t;
  else if constexpr (std::is_same_v<F, MinusOne>)
    return rules::neg(t);
  else if constexpr (std::is_same_v<F, Zero>)
    return rules::zero_like(t);
  else
    return kMultiply(t, invoke_rule<F, Primals, P>(c, p));
}
template <class P, class... F>
[[gnu::visibility("hidden")]] Tensors pointwise_vjp(const Vjp& c, const void* p) {
  Tensors grads = Tensors::undefined(sizeof...(F));
  size_t i = 0;
  ((c.needs(i) ? void(grads[i] = scaled<F, P, &rules::mul_conj>(c.grad(), c, p)) : void(), ++i), ...);
  return grads;
}
template <class P, class... F>
[[gnu::visibility("hidden")]] Tensors pointwise_jvp(const Jvp& c, const void* p) {
  Tensor sum;
  size_t i = 0;
  ((c.tangent(i).defined() ? void(sum = rules::add_defined(sum, scaled<F, P, &rules::mul>(c.tangent(i), c, p)))
                           : void(),
    ++i),
   ...);
  return sum;
}
}  // namespace rule_detail

/// A differentiable element-wise op on inputs of equal shape and dtype: one partial derivative per input gives vjp and
/// jvp, batching is free. A partial is `one`, `minus_one`, `zero` or `[](const Primals& c[, const P& p]) -> Tensor`
/// (multiplied by the cotangent or tangent). Say with `.saves(...)` which of `c.in(i)`, `c.out()` the partials read.
/// `pointwise<P>(...)` with params.
template <class P = NoParams, class... F>
constexpr Builder<P> pointwise(const char* schema, F...) {
  Builder<P> b = op<P>(schema).flag(kPointwise).batch(pointwise_batch);
  b.Op::infer = &infer_like_first;
  b.Op::vjp = &rule_detail::pointwise_vjp<P, F...>;
  b.Op::jvp = &rule_detail::pointwise_jvp<P, F...>;
  return b;
}

}  // namespace strata::dispatch
