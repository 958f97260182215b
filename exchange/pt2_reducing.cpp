// ATen's reductions, scans, sorts, losses and products of matrices for exported programs.
#include <cmath>

#include "exchange/pt2_ops.h"
#include "ops/aliases.h"
#include "ops/binary.h"
#include "ops/differences.h"
#include "ops/distance.h"
#include "ops/einsum.h"
#include "ops/fft.h"
#include "ops/histogram.h"
#include "ops/indexing.h"
#include "ops/linalg.h"
#include "ops/loss.h"
#include "ops/reduce.h"
#include "ops/scan.h"
#include "ops/softmax.h"
#include "ops/sort.h"
#include "ops/statistics.h"

namespace strata::pt2 {
namespace {

using A = const Arguments&;

OptionalIntArrayRef dims_of(const std::optional<DimVector>& dims) {
  return dims && !dims->empty() ? OptionalIntArrayRef(*dims) : OptionalIntArrayRef();
}

/// A reduction over "dim", a list where none and empty mean all dims.
template <class F>
auto over_dims(A a, F f) {
  const std::optional<DimVector> dims = a.maybe_ints("dim");
  return f(a.self(), dims_of(dims), a.flag("keepdim"));
}

/// var and its like: `unbiased` was there before `correction`.
template <class F>
auto spread(A a, F f) {
  const std::optional<DimVector> dims = a.maybe_ints("dim");
  const Scalar correction = a.scalar("correction", a.flag("unbiased", true) ? 1 : 0);
  return f(a.self(), dims_of(dims), correction, a.flag("keepdim"));
}

/// A loss of `self` and `target`.
template <class F>
Tensor loss(A a, F f) {
  return f(a.self(), a.tensor("target"), a.integer("reduction", Reduction::Mean));
}

Tensor norm_of(A a) {
  const std::optional<DimVector> dims = a.maybe_ints("dim");
  const std::optional<DType> dtype = a.maybe_dtype();
  const Scalar p = a.scalar("p", a.scalar("ord", 2));
  const DimVector none{};
  const bool keepdim = a.flag("keepdim");
  return dtype ? norm(a.self(), p, dims ? *dims : none, keepdim, *dtype)
               : norm(a.self(), p, dims ? *dims : none, keepdim);
}

Tensor nll(A a) {
  return nll_loss_nd(a.self(), a.tensor("target"), a.maybe_tensor("weight"), a.integer("reduction", Reduction::Mean),
                     a.integer("ignore_index", -100));
}

/// The transform of one dim.
template <class F>
Tensor transformed(A a, F f) {
  const std::string norm = a.text("norm");
  return f(a.self(), a.maybe_integer("n"), a.integer("dim", -1),
           norm.empty() ? std::nullopt : std::optional<std::string_view>(norm));
}

/// The transform of two dims.
template <class F>
Tensor transformed_planes(A a, F f) {
  const std::string norm = a.text("norm");
  const std::optional<DimVector> sizes = a.maybe_ints("s");
  return f(a.self(), dims_of(sizes), a.ints("dim", {-2, -1}),
           norm.empty() ? std::nullopt : std::optional<std::string_view>(norm));
}

/// ATen's number of a normalisation: none, by the root of the length, by the length.
std::string_view scaling(A a, bool forward) {
  const int64_t by = a.integer("normalization");
  if (by == 1) return "ortho";
  return (by == 0) == forward ? "backward" : "forward";
}

/// The last of the dims is the one of which half is there.
Tensor to_reals(A a) {
  const std::vector<int64_t> dims = a.ints("dim");
  DimVector sizes;
  for (const int64_t d : dims) sizes.push_back(a.self().size(d));
  if (!sizes.empty()) sizes.back() = a.integer("last_dim_size");
  return fft::irfftn(a.self(), sizes, dims, scaling(a, false));
}

constexpr OpEntry kReducingOps[] = {
    {"all", "default", [](A a) { return all(a.self()); }},
    {"all", "dim", [](A a) { return all(a.self(), a.integer("dim"), a.flag("keepdim")); }},
    {"all", "dims", [](A a) { return over_dims(a, [](auto... x) { return all(x...); }); }},
    {"any", "default", [](A a) { return any(a.self()); }},
    {"any", "dim", [](A a) { return any(a.self(), a.integer("dim"), a.flag("keepdim")); }},
    {"any", "dims", [](A a) { return over_dims(a, [](auto... x) { return any(x...); }); }},
    {"amax", "default", [](A a) { return amax(a.self(), a.ints("dim", {}), a.flag("keepdim")); }},
    {"amin", "default", [](A a) { return amin(a.self(), a.ints("dim", {}), a.flag("keepdim")); }},
    {"aminmax", "default", [](A a) { return aminmax(a.self(), a.maybe_integer("dim"), a.flag("keepdim")); }},
    {"argmax", "default", [](A a) { return argmax(a.self(), a.maybe_integer("dim"), a.flag("keepdim")); }},
    {"argmin", "default", [](A a) { return argmin(a.self(), a.maybe_integer("dim"), a.flag("keepdim")); }},
    {"max", "default", [](A a) { return max(a.self()); }},
    {"max", "dim", [](A a) { return max(a.self(), a.integer("dim"), a.flag("keepdim")); }},
    {"min", "default", [](A a) { return min(a.self()); }},
    {"min", "dim", [](A a) { return min(a.self(), a.integer("dim"), a.flag("keepdim")); }},
    {"median", "default", [](A a) { return median(a.self()); }},
    {"median", "dim", [](A a) { return median(a.self(), a.integer("dim"), a.flag("keepdim")); }},
    {"mean", "default", [](A a) { return mean(a.self(), a.maybe_dtype()); }},
    {"mean", "dim", [](A a) { return over_dims(a, [&](auto... x) { return mean(x..., a.maybe_dtype()); }); }},
    {"sum", "default", [](A a) { return sum(a.self(), a.maybe_dtype()); }},
    {"sum", "dim_IntList", [](A a) { return over_dims(a, [&](auto... x) { return sum(x..., a.maybe_dtype()); }); }},
    {"prod", "default", [](A a) { return prod(a.self(), a.maybe_dtype()); }},
    {"prod", "dim_int", [](A a) { return prod(a.self(), a.integer("dim"), a.flag("keepdim"), a.maybe_dtype()); }},
    {"logsumexp", "default", [](A a) { return logsumexp(a.self(), a.ints("dim"), a.flag("keepdim")); }},
    {"var", "default dim correction", [](A a) { return spread(a, [](auto... x) { return var(x...); }); }},
    {"std", "default dim correction", [](A a) { return spread(a, [](auto... x) { return std(x...); }); }},
    {"var_mean", "default dim correction", [](A a) { return spread(a, [](auto... x) { return var_mean(x...); }); }},
    {"std_mean", "default dim correction", [](A a) { return spread(a, [](auto... x) { return std_mean(x...); }); }},
    {"norm", "Scalar ScalarOpt_dim ScalarOpt_dim_dtype", [](A a) { return norm_of(a); }},
    {"linalg_vector_norm", "default", [](A a) { return norm_of(a); }},
    {"cumsum", "default", [](A a) { return cumsum(a.self(), a.integer("dim"), a.maybe_dtype()); }},
    {"cumprod", "default", [](A a) { return cumprod(a.self(), a.integer("dim"), a.maybe_dtype()); }},
    {"logcumsumexp", "default", [](A a) { return logcumsumexp(a.self(), a.integer("dim")); }},
    {"cummax", "default", [](A a) { return cummax(a.self(), a.integer("dim")); }},
    {"cummin", "default", [](A a) { return cummin(a.self(), a.integer("dim")); }},

    {"softmax", "int", [](A a) { return softmax(a.self(), a.integer("dim"), a.maybe_dtype()); }},
    {"log_softmax", "int", [](A a) { return log_softmax(a.self(), a.integer("dim"), a.maybe_dtype()); }},
    {"_softmax", "default",
     [](A a) {
       return softmax(a.self(), a.integer("dim"), a.flag("half_to_float") ? std::optional(kFloat) : std::nullopt);
     }},
    {"_log_softmax", "default",
     [](A a) {
       return log_softmax(a.self(), a.integer("dim"), a.flag("half_to_float") ? std::optional(kFloat) : std::nullopt);
     }},
    {"_safe_softmax", "default",
     [](A a) {
       const Tensor& x = a.self();
       const int64_t dim = a.integer("dim");
       const Tensor out = softmax(x, dim, a.maybe_dtype());
       return masked_fill(out, all(eq(x, -INFINITY), dim, true), 0);  // a row without any place to look at
     }},

    {"sort", "default", [](A a) { return sort(a.self(), a.integer("dim", -1), a.flag("descending")); }},
    {"sort", "stable",
     [](A a) { return sort(a.self(), a.flag("stable"), a.integer("dim", -1), a.flag("descending")); }},
    {"argsort", "stable",
     [](A a) { return argsort(a.self(), a.flag("stable"), a.integer("dim", -1), a.flag("descending")); }},
    {"argsort", "default", [](A a) { return argsort(a.self(), a.integer("dim", -1), a.flag("descending")); }},
    {"topk", "default",
     [](A a) {
       return topk(a.self(), a.integer("k"), a.integer("dim", -1), a.flag("largest", true), a.flag("sorted", true));
     }},
    {"kthvalue", "default",
     [](A a) { return kthvalue(a.self(), a.integer("k"), a.integer("dim", -1), a.flag("keepdim")); }},
    {"bucketize", "Tensor",
     [](A a) { return bucketize(a.self(), a.tensor("boundaries"), a.flag("out_int32"), a.flag("right")); }},

    {"searchsorted", "Tensor",
     [](A a) { return searchsorted(a.tensor("sorted_sequence"), a.self(), a.flag("out_int32"), a.flag("right")); }},
    {"count_nonzero", "default",
     [](A a) {
       const std::optional<int64_t> dim = a.maybe_integer("dim");
       return count_nonzero(a.self(), dim ? OptionalIntArrayRef(*dim) : OptionalIntArrayRef());
     }},
    {"nansum", "default", [](A a) { return over_dims(a, [&](auto... x) { return nansum(x..., a.maybe_dtype()); }); }},
    {"nanmean", "default", [](A a) { return over_dims(a, [&](auto... x) { return nanmean(x..., a.maybe_dtype()); }); }},
    {"diff", "default",
     [](A a) {
       return diff(a.self(), a.integer("n", 1), a.integer("dim", -1), a.maybe_tensor("prepend"),
                   a.maybe_tensor("append"));
     }},
    {"histc", "default",
     [](A a) { return histc(a.self(), a.integer("bins", 100), a.scalar("min", 0), a.scalar("max", 0)); }},
    {"trace", "default", [](A a) { return trace(a.self()); }},

    {"fft_fft", "default", [](A a) { return transformed(a, [](auto... x) { return fft::fft(x...); }); }},
    {"fft_ifft", "default", [](A a) { return transformed(a, [](auto... x) { return fft::ifft(x...); }); }},
    {"fft_rfft", "default", [](A a) { return transformed(a, [](auto... x) { return fft::rfft(x...); }); }},
    {"fft_irfft", "default", [](A a) { return transformed(a, [](auto... x) { return fft::irfft(x...); }); }},
    {"fft_fft2", "default", [](A a) { return transformed_planes(a, [](auto... x) { return fft::fftn(x...); }); }},
    {"fft_ifft2", "default", [](A a) { return transformed_planes(a, [](auto... x) { return fft::ifftn(x...); }); }},
    {"fft_rfft2", "default", [](A a) { return transformed_planes(a, [](auto... x) { return fft::rfftn(x...); }); }},
    {"fft_irfft2", "default", [](A a) { return transformed_planes(a, [](auto... x) { return fft::irfftn(x...); }); }},
    {"fft_fftshift", "default",
     [](A a) {
       const std::optional<DimVector> dims = a.maybe_ints("dim");
       return fft::fftshift(a.self(), dims_of(dims));
     }},
    {"_fft_c2c", "default",
     [](A a) {
       const bool forward = a.flag("forward");
       return forward ? fft::fftn(a.self(), {}, a.ints("dim"), scaling(a, true))
                      : fft::ifftn(a.self(), {}, a.ints("dim"), scaling(a, false));
     }},
    {"_fft_r2c", "default",
     [](A a) {
       return a.flag("onesided") ? fft::rfftn(a.self(), {}, a.ints("dim"), scaling(a, true))
                                 : fft::fftn(a.self(), {}, a.ints("dim"), scaling(a, true));
     }},
    {"_fft_c2r", "default", [](A a) { return to_reals(a); }},

    {"mm", "default", [](A a) { return mm(a.self(), a.tensor("mat2")); }},
    {"bmm", "default", [](A a) { return bmm(a.self(), a.tensor("mat2")); }},
    {"mv", "default", [](A a) { return mv(a.self(), a.tensor("vec")); }},
    {"dot", "default", [](A a) { return dot(a.self(), a.tensor("tensor")); }},
    {"matmul", "default", [](A a) { return matmul(a.self(), a.tensor("other")); }},
    {"outer", "default", [](A a) { return outer(a.self(), a.tensor("vec2")); }},
    {"addmm", "default",
     [](A a) {
       return addmm(a.self(), a.tensor("mat1"), a.tensor("mat2"), a.scalar("beta", 1), a.scalar("alpha", 1));
     }},
    {"addmv", "default",
     [](A a) { return addmv(a.self(), a.tensor("mat"), a.tensor("vec"), a.scalar("beta", 1), a.scalar("alpha", 1)); }},
    {"baddbmm", "default",
     [](A a) {
       return baddbmm(a.self(), a.tensor("batch1"), a.tensor("batch2"), a.scalar("beta", 1), a.scalar("alpha", 1));
     }},
    {"linear", "default", [](A a) { return linear(a.tensor("input"), a.tensor("weight"), a.maybe_tensor("bias")); }},
    {"bilinear", "default",
     [](A a) { return bilinear(a.tensor("input1"), a.tensor("input2"), a.tensor("weight"), a.maybe_tensor("bias")); }},
    {"einsum", "default", [](A a) { return einsum(a.text("equation"), a.tensors("tensors")); }},
    {"cdist", "default",
     [](A a) { return cdist(a.tensor("x1"), a.tensor("x2"), a.number("p", 2), a.maybe_integer("compute_mode")); }},
    {"_cdist_forward", "default",
     [](A a) { return cdist(a.tensor("x1"), a.tensor("x2"), a.number("p", 2), a.maybe_integer("compute_mode")); }},
    {"pdist", "default", [](A a) { return pdist(a.self(), a.number("p", 2)); }},
    {"_pdist_forward", "default", [](A a) { return pdist(a.self(), a.number("p", 2)); }},
    {"cosine_similarity", "default",
     [](A a) { return cosine_similarity(a.tensor("x1"), a.tensor("x2"), a.integer("dim", 1), a.number("eps", 1e-8)); }},

    {"mse_loss", "default", [](A a) { return loss(a, [](auto... x) { return mse_loss(x...); }); }},
    {"l1_loss", "default", [](A a) { return loss(a, [](auto... x) { return l1_loss(x...); }); }},
    {"smooth_l1_loss", "default",
     [](A a) { return loss(a, [&](auto... x) { return smooth_l1_loss(x..., a.number("beta", 1)); }); }},
    {"huber_loss", "default",
     [](A a) { return loss(a, [&](auto... x) { return huber_loss(x..., a.number("delta", 1)); }); }},
    {"kl_div", "default", [](A a) { return loss(a, [&](auto... x) { return kl_div(x..., a.flag("log_target")); }); }},
    {"binary_cross_entropy", "default",
     [](A a) {
       return binary_cross_entropy(a.self(), a.tensor("target"), a.maybe_tensor("weight"),
                                   a.integer("reduction", Reduction::Mean));
     }},
    {"binary_cross_entropy_with_logits", "default",
     [](A a) {
       return binary_cross_entropy_with_logits(a.self(), a.tensor("target"), a.maybe_tensor("weight"),
                                               a.maybe_tensor("pos_weight"), a.integer("reduction", Reduction::Mean));
     }},
    {"cross_entropy_loss", "default",
     [](A a) {
       return cross_entropy_loss(a.self(), a.tensor("target"), a.maybe_tensor("weight"),
                                 a.integer("reduction", Reduction::Mean), a.integer("ignore_index", -100),
                                 a.number("label_smoothing", 0));
     }},
    {"nll_loss", "default", [](A a) { return nll(a); }},
    {"nll_loss_nd", "default", [](A a) { return nll(a); }},
    {"nll_loss_forward", "default", [](A a) { return std::tuple(nll(a), Tensor()); }},
    {"nll_loss2d_forward", "default", [](A a) { return std::tuple(nll(a), Tensor()); }},
};

}  // namespace

std::span<const OpEntry> reducing_ops() { return kReducingOps; }

}  // namespace strata::pt2
