// Functions of lists in place, and results written into tensors that are given: steps.py says what each is.
#include "compat/parts/out_functions.h"
#include "test/differential/names.h"

namespace differential {
namespace {

using L = IntArrayRef;

using Scalars = std::vector<Scalar>;

Tensors copies(const Tensors& tensors) {
  Tensors made;
  for (const Tensor& t : tensors) made.push_back(t.clone());
  return made;
}
/// Copies without a history.
Tensors bare_copies(const Tensors& tensors) {
  Tensors made;
  for (const Tensor& t : tensors) made.push_back(t.detach().clone());
  return made;
}

#define IN_PLACE_UNARY(name)               \
  {                                        \
    "_foreach_" #name "_", [](Tensors x) { \
      strata::_foreach_##name##_(x);       \
      return x;                            \
    }                                      \
  }
#define PLAIN_UNARY(name)                                                   \
  {                                                                         \
    "_foreach_" #name, [](Tensors x) { return strata::_foreach_##name(x); } \
  }
#define IN_PLACE_BY_NUMBERS(name)                     \
  {"_foreach_" #name "_",                             \
   [](Tensors x, S y) {                               \
     strata::_foreach_##name##_(x, y);                \
     return x;                                        \
   }},                                                \
  {                                                   \
    "_foreach_" #name "_", [](Tensors x, Scalars y) { \
      strata::_foreach_##name##_(x, y);               \
      return x;                                       \
    }                                                 \
  }
#define IN_PLACE_BINARY(name)          \
  {"_foreach_" #name "_",              \
   [](Tensors x, Tensors y) {          \
     strata::_foreach_##name##_(x, y); \
     return x;                         \
   }},                                 \
      IN_PLACE_BY_NUMBERS(name)
#define IN_PLACE_SUM(name)                    \
  {"_foreach_" #name "_",                     \
   [](Tensors x, Tensors y, S alpha) {        \
     strata::_foreach_##name##_(x, y, alpha); \
     return x;                                \
   }},                                        \
      IN_PLACE_BY_NUMBERS(name)
#define IN_PLACE_TERNARY(name)                                              \
  {"_foreach_" #name "_",                                                   \
   [](Tensors x, Tensors a, Tensors b, S value) {                           \
     strata::_foreach_##name##_(x, a, b, value);                            \
     return x;                                                              \
   }},                                                                      \
  {                                                                         \
    "_foreach_" #name "_", [](Tensors x, Tensors a, Tensors b, Scalars v) { \
      strata::_foreach_##name##_(x, a, b, v);                               \
      return x;                                                             \
    }                                                                       \
  }

/// Calls a function that writes into a list by copies of x.
List into_copies(Text name, const Tensors& x, List others) {
  const Tensors made = copies(x);
  others.insert(others.begin(), Value(List(made.begin(), made.end())));
  return call_by_name(std::string(name), others);
}

/// They write into copies, by in_place.
Rows list_writers() {
  return {
      {"in_place", [](Text name, Tensors x) { return into_copies(name, x, {}); }},
      IN_PLACE_UNARY(abs),
      IN_PLACE_UNARY(acos),
      IN_PLACE_UNARY(asin),
      IN_PLACE_UNARY(atan),
      IN_PLACE_UNARY(ceil),
      IN_PLACE_UNARY(cos),
      IN_PLACE_UNARY(cosh),
      IN_PLACE_UNARY(erf),
      IN_PLACE_UNARY(erfc),
      IN_PLACE_UNARY(exp),
      IN_PLACE_UNARY(expm1),
      IN_PLACE_UNARY(floor),
      IN_PLACE_UNARY(frac),
      IN_PLACE_UNARY(lgamma),
      IN_PLACE_UNARY(log),
      IN_PLACE_UNARY(log10),
      IN_PLACE_UNARY(log1p),
      IN_PLACE_UNARY(log2),
      IN_PLACE_UNARY(neg),
      IN_PLACE_UNARY(reciprocal),
      IN_PLACE_UNARY(round),
      IN_PLACE_UNARY(rsqrt),
      IN_PLACE_UNARY(sigmoid),
      IN_PLACE_UNARY(sign),
      IN_PLACE_UNARY(sin),
      IN_PLACE_UNARY(sinh),
      IN_PLACE_UNARY(sqrt),
      IN_PLACE_UNARY(tan),
      IN_PLACE_UNARY(tanh),
      IN_PLACE_UNARY(trunc),
      IN_PLACE_UNARY(zero),
      PLAIN_UNARY(acos),
      PLAIN_UNARY(asin),
      PLAIN_UNARY(atan),
      PLAIN_UNARY(ceil),
      PLAIN_UNARY(cos),
      PLAIN_UNARY(cosh),
      PLAIN_UNARY(erf),
      PLAIN_UNARY(erfc),
      PLAIN_UNARY(expm1),
      PLAIN_UNARY(floor),
      PLAIN_UNARY(frac),
      PLAIN_UNARY(lgamma),
      PLAIN_UNARY(log),
      PLAIN_UNARY(log10),
      PLAIN_UNARY(log1p),
      PLAIN_UNARY(log2),
      PLAIN_UNARY(rsqrt),
      PLAIN_UNARY(sigmoid),
      PLAIN_UNARY(sin),
      PLAIN_UNARY(sinh),
      PLAIN_UNARY(tan),
      PLAIN_UNARY(trunc),
      IN_PLACE_SUM(add),
      IN_PLACE_SUM(sub),
      IN_PLACE_BINARY(mul),
      IN_PLACE_BINARY(div),
      IN_PLACE_BINARY(maximum),
      IN_PLACE_BINARY(minimum),
      IN_PLACE_BINARY(clamp_max),
      IN_PLACE_BINARY(clamp_min),
      IN_PLACE_BINARY(pow),
      IN_PLACE_TERNARY(addcmul),
      IN_PLACE_TERNARY(addcdiv),
      {"_foreach_copy_",
       [](Tensors x, Tensors y) {
         strata::_foreach_copy_(x, y);
         return x;
       }},
      {"_foreach_lerp_",
       [](Tensors x, Tensors y, Tensors w) {
         strata::_foreach_lerp_(x, y, w);
         return x;
       }},
      {"_foreach_lerp_",
       [](Tensors x, Tensors y, S w) {
         strata::_foreach_lerp_(x, y, w);
         return x;
       }},
      {"_foreach_clamp_max", [](Tensors x, Tensors y) { return strata::_foreach_clamp_max(x, y); }},
      {"_foreach_clamp_min", [](Tensors x, Tensors y) { return strata::_foreach_clamp_min(x, y); }},
      {"in_place", [](Text name, Tensors x, Value y) { return into_copies(name, x, {y}); }},
      {"in_place",
       [](Text name, Tensors x, Value y, Value z) {
         return into_copies(name, x, {y, z});
       }},
      {"in_place",
       [](Text name, Tensors x, Value y, Value z, Value w) {
         return into_copies(name, x, {y, z, w});
       }},
  };
}

#define INTO(name, parameters, ...)                       \
  {                                                       \
#name "_into", [](Tensors o __VA_OPT__(,) parameters) { \
     o = bare_copies(o);                                   \
     const strata::NoGradGuard no_grad;                    \
     __VA_ARGS__;                                          \
     return o;                                             \
   } \
  }
#define WITH(...) __VA_ARGS__

Rows into_rows() {
  namespace s = strata;
  return {
      INTO(sum, WITH(T x, L d, bool k), s::sum_out(o.at(0), x, d, k)),
      INTO(mean, WITH(T x, L d, bool k), s::mean_out(o.at(0), x, d, k)),
      INTO(nansum, WITH(T x, L d, bool k), s::nansum_out(o.at(0), x, d, k)),
      INTO(amax, WITH(T x, L d, bool k), s::amax_out(o.at(0), x, d, k)),
      INTO(amin, WITH(T x, L d, bool k), s::amin_out(o.at(0), x, d, k)),
      INTO(prod, WITH(T x, I d, bool k), s::prod_out(o.at(0), x, d, k)),
      INTO(logsumexp, WITH(T x, L d, bool k), s::logsumexp_out(o.at(0), x, d, k)),
      INTO(any, WITH(T x, I d, bool k), s::any_out(o.at(0), x, d, k)),
      INTO(all, WITH(T x, I d, bool k), s::all_out(o.at(0), x, d, k)),
      INTO(argmax, WITH(T x, I d, bool k), s::argmax_out(o.at(0), x, d, k)),
      INTO(max, WITH(T x, I d, bool k), s::max_out(o.at(0), o.at(1), x, d, k)),
      INTO(min, WITH(T x, I d, bool k), s::min_out(o.at(0), o.at(1), x, d, k)),
      INTO(cummax, WITH(T x, I d), s::cummax_out(o.at(0), o.at(1), x, d)),
      INTO(cummin, WITH(T x, I d), s::cummin_out(o.at(0), o.at(1), x, d)),
      INTO(cumsum, WITH(T x, I d), s::cumsum_out(o.at(0), x, d)),
      INTO(cumprod, WITH(T x, I d), s::cumprod_out(o.at(0), x, d)),
      INTO(logcumsumexp, WITH(T x, I d), s::logcumsumexp_out(o.at(0), x, d)),
      INTO(sort, WITH(T x, I d, bool down), s::sort_out(o.at(0), o.at(1), x, d, down)),
      INTO(var, WITH(T x, L d, bool unbiased, bool k), s::var_out(o.at(0), x, d, int64_t(unbiased), k)),
      INTO(std, WITH(T x, L d, bool unbiased, bool k), s::std_out(o.at(0), x, d, int64_t(unbiased), k)),
      INTO(norm, WITH(T x, S p, L d, bool k), s::norm_out(o.at(0), x, p, d, k)),
      INTO(linalg_vector_norm, WITH(T x, S p, L d, bool k), s::linalg_vector_norm_out(o.at(0), x, p, d, k)),
      INTO(cat, WITH(Tensors x, I d), s::cat_out(o.at(0), x, d)),
      INTO(stack, WITH(Tensors x, I d), s::stack_out(o.at(0), x, d)),
      INTO(gather, WITH(T x, I d, T i), s::gather_out(o.at(0), x, d, i)),
      INTO(index_select, WITH(T x, I d, T i), s::index_select_out(o.at(0), x, d, i)),
      INTO(masked_select, WITH(T x, T m), s::masked_select_out(o.at(0), x, m)),
      INTO(nonzero, WITH(T x), s::nonzero_out(o.at(0), x)),
      INTO(take, WITH(T x, T i), s::take_out(o.at(0), x, i)),
      INTO(softmax, WITH(T x, I d), s::softmax_out(o.at(0), x, d)),
      INTO(log_softmax, WITH(T x, I d), s::log_softmax_out(o.at(0), x, d)),
      INTO(tril, WITH(T x, I d), s::tril_out(o.at(0), x, d)),
      INTO(triu, WITH(T x, I d), s::triu_out(o.at(0), x, d)),
      INTO(where, WITH(T m, T x, T y), s::where_out(o.at(0), m, x, y)),
      INTO(clamp, WITH(T x, MaybeScalar low, MaybeScalar high), s::clamp_out(o.at(0), x, low, high)),
      INTO(lerp, WITH(T x, T y, S w), s::lerp_out(o.at(0), x, y, w)),
      INTO(addcmul, WITH(T x, T a, T b), s::addcmul_out(o.at(0), x, a, b)),
      INTO(atan2, WITH(T x, T y), s::atan2_out(o.at(0), x, y)),
      INTO(hypot, WITH(T x, T y), s::hypot_out(o.at(0), x, y)),
      INTO(fmod, WITH(T x, T y), s::fmod_out(o.at(0), x, y)),
      INTO(remainder, WITH(T x, T y), s::remainder_out(o.at(0), x, y)),
      INTO(logaddexp, WITH(T x, T y), s::logaddexp_out(o.at(0), x, y)),
      INTO(eq, WITH(T x, T y), s::eq_out(o.at(0), x, y)),
      INTO(lt, WITH(T x, T y), s::lt_out(o.at(0), x, y)),
      INTO(logical_and, WITH(T x, T y), s::logical_and_out(o.at(0), x, y)),
      INTO(dot, WITH(T x, T y), s::dot_out(o.at(0), x, y)),
      INTO(mv, WITH(T x, T y), s::mv_out(o.at(0), x, y)),
      INTO(outer, WITH(T x, T y), s::outer_out(o.at(0), x, y)),
      INTO(baddbmm, WITH(T x, T a, T b), s::baddbmm_out(o.at(0), x, a, b)),
      INTO(linalg_inv, WITH(T x), s::linalg_inv_out(o.at(0), x)),
      INTO(linalg_solve, WITH(T a, T b), s::linalg_solve_out(o.at(0), a, b)),
      INTO(linalg_cholesky, WITH(T a), s::linalg_cholesky_out(o.at(0), a)),
      INTO(avg_pool2d, WITH(T x, L kernel, L stride, L padding, bool ceil, bool counts),
           s::avg_pool2d_out(o.at(0), x, kernel, stride, padding, ceil, counts)),
      INTO(max_pool2d_with_indices, WITH(T x, L kernel, L stride, L padding, L dilation, bool ceil),
           s::max_pool2d_with_indices_out(o.at(0), o.at(1), x, kernel, stride, padding, dilation, ceil)),
      INTO(adaptive_avg_pool2d, WITH(T x, L size), s::adaptive_avg_pool2d_out(o.at(0), x, size)),
      INTO(upsample_bilinear2d, WITH(T x, L size, bool align), s::upsample_bilinear2d_out(o.at(0), x, size, align)),
      INTO(mse_loss, WITH(T x, T y, I reduction), s::mse_loss_out(o.at(0), x, y, reduction)),
      INTO(gelu, WITH(T x), s::gelu_out(o.at(0), x)),
      INTO(fft_fft, WITH(T x, MaybeInt n, I d), s::fft_fft_out(o.at(0), x, n, d)),
  };
}

Rows count_rows() {
  return {
      {"unique_dim_consecutive",
       [](T x, I dim, bool inverse, bool counts) { return strata::unique_dim_consecutive(x, dim, inverse, counts); }},
      {"histogramdd",
       [](T x, L bins, std::optional<std::vector<double>> range, Maybe weight, bool density) {
         const auto limits = range ? std::optional<strata::ArrayRef<double>>(*range) : std::nullopt;
         auto [counts, edges] = strata::histogramdd(x, bins, limits, weight, density);
         edges.insert(edges.begin(), counts);
         return edges;
       }},
      {"histogram",
       [](T x, I bins, std::optional<std::vector<double>> range, Maybe weight, bool density) {
         const auto limits = range ? std::optional<strata::ArrayRef<double>>(*range) : std::nullopt;
         return strata::histogram(x, bins, limits, weight, density);
       }},
  };
}

}  // namespace

Rows write_rows() {
  Rows rows;
  for (auto family : {list_writers, into_rows, count_rows})
    for (auto& row : family()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace differential
