// In which precision autocast runs each op: PyTorch's lists, by primitive op.
#pragma once
#include <array>

#include "../ops/activation_def.h"
#include "../ops/attention_def.h"
#include "../ops/binary_def.h"
#include "../ops/conv_def.h"
#include "../ops/indexing_def.h"
#include "../ops/linalg_def.h"
#include "../ops/loss_def.h"
#include "../ops/reduce_def.h"
#include "../ops/scan_def.h"
#include "../ops/shaping_def.h"
#include "../ops/softmax_def.h"
#include "../ops/ternary_def.h"
#include "../ops/unary_def.h"

namespace strata::autocast {

enum class Policy : uint8_t {
  kAsGiven,  ///< no cast
  kLower,    ///< the 16-bit type of autocast
  kFloat32,
  kWidest,  ///< the widest floating point type among the operands, for ops that want one type
};

struct Row {
  const Op* op;
  Policy policy;
};

/// What is not named runs as given. Norms compute in float32 anyway.
inline constexpr Row kPolicies[] = {
    {&matmul_op, Policy::kLower},
    {&addmm_op, Policy::kLower},
    {&linear_op, Policy::kLower},
    {&linear_relu_op, Policy::kLower},
    {&linear_gelu_op, Policy::kLower},
    {&attention_op, Policy::kLower},
    {&convolution_op, Policy::kLower},
    {&convolution_backward_input_op, Policy::kLower},  // the transposed convolution

    {&softmax_op, Policy::kFloat32},
    {&log_softmax_op, Policy::kFloat32},
    {&nll_loss_op, Policy::kFloat32},
    {&binary_cross_entropy_op, Policy::kFloat32},
    {&binary_cross_entropy_with_logits_op, Policy::kFloat32},
    {&smooth_l1_op, Policy::kFloat32},
    {&sum_op, Policy::kFloat32},
    {&mean_op, Policy::kFloat32},
    {&prod_op, Policy::kFloat32},
    {&var_op, Policy::kFloat32},
    {&std_op, Policy::kFloat32},
    {&norm_op, Policy::kFloat32},
    {&logsumexp_op, Policy::kFloat32},
    {&cumsum_op, Policy::kFloat32},
    {&cumprod_op, Policy::kFloat32},
    {&pow_op, Policy::kFloat32},
    {&pow_scalar_op, Policy::kFloat32},
    {&square_op, Policy::kFloat32},
    {&rsqrt_op, Policy::kFloat32},
    {&reciprocal_op, Policy::kFloat32},
    {&exp_op, Policy::kFloat32},
    {&exp2_op, Policy::kFloat32},
    {&expm1_op, Policy::kFloat32},
    {&log_op, Policy::kFloat32},
    {&log2_op, Policy::kFloat32},
    {&log10_op, Policy::kFloat32},
    {&log1p_op, Policy::kFloat32},
    {&tan_op, Policy::kFloat32},
    {&asin_op, Policy::kFloat32},
    {&acos_op, Policy::kFloat32},
    {&sinh_op, Policy::kFloat32},
    {&cosh_op, Policy::kFloat32},
    {&erfinv_op, Policy::kFloat32},
    {&softplus_op, Policy::kFloat32},

    {&dot_op, Policy::kWidest},
    {&cat_op, Policy::kWidest},
    {&index_put_op, Policy::kWidest},
    {&scatter_op, Policy::kWidest},
    {&where_op, Policy::kWidest},
    {&lerp_op, Policy::kWidest},
    {&addcmul_op, Policy::kWidest},
    {&addcdiv_op, Policy::kWidest},
    {&atan2_op, Policy::kWidest},
};

}  // namespace strata::autocast
