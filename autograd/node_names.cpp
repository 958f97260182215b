// Names of nodes: the op's in camel case, and libtorch's where they differ.
#include "autograd/node_names.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>

#include "core/naming.h"
#include "ops/activation_def.h"
#include "ops/linalg_def.h"
#include "ops/reduce_def.h"
#include "ops/resample_def.h"
#include "ops/shaping_def.h"
#include "ops/special_def.h"
#include "ops/without_slope_def.h"

namespace strata::autograd {
namespace {

std::string camel_case(std::string_view op) {
  std::string camel;
  bool upper = true;
  for (char c : op) {
    if (c == '_') {
      upper = true;
      continue;
    }
    camel += upper ? static_cast<char>(std::toupper(c)) : c;
    upper = false;
  }
  return camel;
}

/// libtorch names a node after the function and counts its overloads, each of which has a gradient of its own. A number
/// that comes first is an overload for few functions; the others make a tensor of it.
struct LibtorchName {
  std::string_view op, of_tensors, of_first_number = of_tensors, of_second_number = of_tensors;
};
constexpr LibtorchName kLibtorchNames[] = {
    {"add", "AddBackward0", "AddBackward1", "AddBackward1"},
    {"sub", "SubBackward0", "SubBackward0", "SubBackward1"},
    {"mul", "MulBackward0", "MulBackward1", "MulBackward1"},
    {"div", "DivBackward0", "DivBackward0", "DivBackward1"},
    {"fmod", "FmodBackward1", "FmodBackward1", "FmodBackward0"},
    {"remainder", "RemainderBackward1", "RemainderBackward1", "RemainderBackward0"},
    {"pow", "PowBackward1", "PowBackward2", "PowBackward1"},
    {"pow_scalar", "PowBackward0"},
    {"square", "PowBackward0"},
    {"log1p", "Log1PBackward0"},
    {"lerp", "LerpBackward1"},
    {"lerp_scalar", "LerpBackward0"},
    {"mul_scalar", "MulBackward1"},
    {"div_scalar", "DivBackward1"},
    {"max_dim", "MaxBackward0"},
    {"min_dim", "MinBackward0"},
    {"cast", "ToCopyBackward0"},
    {"det", "LinalgDetBackward0"},
    {"split_glu", "GluBackward0"},
    {"copy", "CloneBackward0"},
    {"complex_abs", "AbsBackward0"},
    {"masked_scale", "MulBackward0"},
    {"prelu", "PreluKernelBackward0"},
    {"pad", "ConstantPadNdBackward0"},
    {"as_strided_scatter", "torch::autograd::CopySlices"},  // what a write to a view makes of its base
    {"lstm_sequence", "MkldnnRnnLayerBackward0"},
    {"lstm_gates", "MulBackward0"},  // the hidden state's; the cell state's is an AddBackward0
    {"convolution_backward_input", "ConvolutionBackward0"},
    {"max_pool", "MaxPool2DWithIndicesBackward0"},
    {"avg_pool", "AvgPool2DBackward0"},
    {"grid_sample", "GridSampler2DBackward0"},
    {"fft_r2c", "FftR2CBackward0"},
    {"fft_c2r", "FftC2RBackward0"},
    {"fft_c2c", "FftC2CBackward0"},
    {"entr", "SpecialEntrBackward0"},
    {"erfcx", "SpecialErfcxBackward0"},
    {"ndtr", "MulBackward1"},
    {"ndtri", "SpecialNdtriBackward0"},
    {"log_ndtr", "SpecialLogNdtrBackward0"},
    {"xlog1py", "SpecialXlog1PyBackward0"},
    {"zeta", "SpecialZetaBackward0"},
    {"gammainc", "IgammaBackward0"},
    {"gammaincc", "IgammacBackward0"},
    {"floor_divide", "torch::autograd::NotImplemented"},
    {"fill", "FillBackward2"},
    {"cholesky_ex", "LinalgCholeskyExBackward0"},
    {"cross", "LinalgCrossBackward0"},
    {"eig", "LinalgEigBackward0"},
    {"eigh", "LinalgEighBackward0"},
    {"inverse", "LinalgInvExBackward0"},
    {"lstsq", "LinalgLstsqBackward0"},
    {"lu_factor_ex", "LinalgLuFactorExBackward0"},
    {"pinv", "LinalgPinvBackward0"},
    {"qr", "LinalgQrBackward0"},
    {"slogdet", "LinalgSlogdetBackward0"},
    {"solve", "LinalgSolveExBackward0"},
    {"svd", "LinalgSvdBackward0"},
};

/// Functions that are one node in libtorch and are made of others here, and their overloads: `op` in the function
/// `called`, or any op in it where `op` is empty.
struct NameInCall {
  std::string_view called, op, name;
};
constexpr NameInCall kNamesInCalls[] = {
    {"mm", "", "MmBackward0"},
    {"bmm", "", "BmmBackward0"},
    {"mv", "", "MvBackward0"},
    {"vdot", "dot", "VdotBackward0"},
    {"addmv", "", "AddmvBackward0"},
    {"addr", "", "AddrBackward0"},
    {"addbmm", "", "AddbmmBackward0"},
    {"baddbmm", "", "BaddbmmBackward0"},
    {"kron", "view", "UnsafeViewBackward0"},
    {"matrix_exp", "", "LinalgMatrixExpBackward0"},
    {"stack", "cat", "StackBackward0"},
    {"t", "permute", "TBackward0"},
    {"transpose", "permute", "TransposeBackward0"},
    {"swapaxes", "permute", "TransposeBackward0"},
    {"swapdims", "permute", "TransposeBackward0"},
    {"adjoint", "permute", "TransposeBackward0"},
    {"split", "slice", "SplitBackward0"},
    {"chunk", "slice", "SplitBackward0"},
    {"split_with_sizes", "slice", "SplitWithSizesBackward0"},
    {"unbind", "select", "UnbindBackward0"},
    {"squeeze", "", "SqueezeBackward0"},
    {"squeeze.dim", "", "SqueezeBackward1"},
    {"squeeze.dims", "", "SqueezeBackward2"},
    {"repeat", "", "RepeatBackward0"},
    {"tile", "", "RepeatBackward0"},
    {"rot90", "", "Rot90Backward0"},
    {"diag_embed", "", "DiagEmbedBackward0"},
    {"narrow_copy", "copy", "NarrowCopyBackward0"},
    {"t_", "permute", "TBackward1"},
    {"transpose_", "permute", "TransposeBackward1"},
    {"unsqueeze_", "", "UnsqueezeBackward1"},
    {"squeeze_", "", "SqueezeBackward3"},
    {"squeeze_.dim", "", "SqueezeBackward4"},
    {"squeeze_.dims", "", "SqueezeBackward5"},
    {"as_strided_scatter", "", "AsStridedScatterBackward0"},
    {"select_scatter", "", "SelectScatterBackward0"},
    {"slice_scatter", "", "SliceScatterBackward0"},
    {"diagonal_scatter", "", "DiagonalScatterBackward0"},
    {"zero_", "fill", "ZeroBackward0"},
    {"fill_.Tensor", "", "FillBackward3"},
    {"masked_fill_", "", "MaskedFillBackward0"},
    {"masked_fill_.Tensor", "", "MaskedFillBackward1"},
    {"index_fill_", "", "IndexFillBackward0"},
    {"index_fill_.int_Tensor", "", "IndexFillBackward1"},
    {"copy_", "copy", "torch::autograd::CopyBackwards"},
    {"uniform_", "", "UniformBackward0"},
    {"normal_", "", "NormalBackward0"},
    {"bernoulli_", "", "BernoulliBackward2"},
    {"bernoulli_.Tensor", "", "BernoulliBackward1"},
    {"random_", "", "RandomBackward2"},
    {"random_.from", "", "RandomBackward0"},
    {"random_.to", "", "RandomBackward1"},
    {"exponential_", "", "ExponentialBackward0"},
    {"cauchy_", "", "CauchyBackward0"},
    {"log_normal_", "", "LogNormalBackward0"},
    {"geometric_", "", "GeometricBackward0"},
    {"angle", "", "AngleBackward0"},
    {"einsum", "matmul", "ViewBackward0"},
    {"einsum", "sum", "SumBackward1"},
    {"einsum", "diagonal", "PermuteBackward0"},
    {"masked_fill", "", "MaskedFillBackward0"},
    {"masked_fill.Tensor", "", "MaskedFillBackward1"},
    {"masked_select", "", "MaskedSelectBackward0"},
    {"masked_scatter", "", "MaskedScatterBackward0"},
    {"index_select", "", "IndexSelectBackward0"},
    {"index_add", "", "IndexAddBackward0"},
    {"index_copy", "", "IndexCopyBackward0"},
    {"index_fill", "", "IndexFillBackward0"},
    {"index_fill.int_Tensor", "", "IndexFillBackward1"},
    {"put", "", "PutBackward0"},
    {"take", "", "TakeBackward0"},
    {"scatter_add", "", "ScatterAddBackward0"},
    {"scatter_reduce", "", "ScatterReduceBackward0"},
    {"max", "amax", "MaxBackward1"},
    {"min", "amin", "MinBackward1"},
    {"linalg_vector_norm", "norm", "LinalgVectorNormBackward0"},
    {"dist", "", "DistBackward0"},
    {"trace", "", "TraceBackward0"},
    {"median", "squeeze", "MedianBackward1"},
    {"mode", "squeeze", "ModeBackward0"},
    {"kthvalue", "squeeze", "KthvalueBackward0"},
    {"rsub", "", "RsubBackward1"},
    {"rad2deg", "", "Rad2DegBackward0"},
    {"deg2rad", "", "Deg2RadBackward0"},
    {"ldexp", "", "LdexpBackward0"},
    {"renorm", "", "RenormBackward0"},
    {"mvlgamma", "", "MvlgammaBackward0"},
    {"celu", "elu", "CeluBackward0"},
    {"rrelu", "", "RreluWithNoiseBackward0"},
    {"alpha_dropout", "add", "AddBackward0"},
    {"conv1d", "", "ConvolutionBackward0"},
    {"max_pool1d", "squeeze", "SqueezeBackward1"},
    {"avg_pool1d", "squeeze", "SqueezeBackward1"},
    {"adaptive_max_pool1d", "squeeze", "SqueezeBackward1"},
    {"adaptive_avg_pool1d", "squeeze", "SqueezeBackward1"},
    {"adaptive_max_pool2d", "max_pool", "AdaptiveMaxPool2DBackward0"},
    {"adaptive_avg_pool2d", "avg_pool", "AdaptiveAvgPool2DBackward0"},
    {"max_pool3d", "", "MaxPool3DWithIndicesBackward0"},
    {"avg_pool3d", "", "AvgPool3DBackward0"},
    {"batch_norm", "", "NativeBatchNormBackward0"},
    {"layer_norm", "", "NativeLayerNormBackward0"},
    {"group_norm", "", "NativeGroupNormBackward0"},
    {"embedding", "", "EmbeddingBackward0"},
    {"embedding_bag", "", "EmbeddingBagBackward0"},
    {"pixel_shuffle", "", "PixelShuffleBackward0"},
    {"pixel_unshuffle", "", "PixelUnshuffleBackward0"},
    {"channel_shuffle", "", "ChannelShuffleBackward0"},
    {"affine_grid", "", "AffineGridGeneratorBackward0"},
    {"affine_grid_generator", "", "AffineGridGeneratorBackward0"},
    {"unfold", "", "Im2ColBackward0"},
    {"im2col", "", "Im2ColBackward0"},
    {"fold", "", "Col2ImBackward0"},
    {"col2im", "", "Col2ImBackward0"},
    {"mse_loss", "", "MseLossBackward0"},
    {"smooth_l1_loss", "", "SmoothL1LossBackward0"},
    {"huber_loss", "", "HuberLossBackward0"},
    {"binary_cross_entropy", "", "BinaryCrossEntropyBackward0"},
    {"binary_cross_entropy_with_logits", "", "BinaryCrossEntropyWithLogitsBackward0"},
    {"multi_margin_loss", "", "MultiMarginLossBackward0"},
    {"multilabel_margin_loss", "", "MultilabelMarginLossBackward0"},
    {"soft_margin_loss", "", "SoftMarginLossBackward0"},
    {"nll_loss2d", "nll_loss", "NllLoss2DBackward0"},
};

std::string_view name_in_call(const NodeOrigin& origin) {
  if (!origin.called) return {};
  const std::string_view called = origin.called;
  const bool in_place = Called::without_overload(called).ends_with('_');
  if (in_place && &origin.op == &as_strided_scatter_op) return {};  // the base of a view that is written to
  const auto* const found = std::find_if(std::begin(kNamesInCalls), std::end(kNamesInCalls), [&](const NameInCall& n) {
    return n.called == called && (n.op.empty() || n.op == origin.op.name());
  });
  return found == std::end(kNamesInCalls) ? std::string_view() : found->name;
}

/// Of a reduction over all dims, or over some.
template <class P>
std::string of_dims(const NodeOrigin& origin, const char* name) {
  const P& p = *static_cast<const P*>(origin.params);
  const bool over_all = p.dims.size() == origin.dims[0] && !p.keepdim;
  return std::string(name) + (over_all ? "Backward0" : "Backward1");
}

std::string of_bounds(const NodeOrigin& origin) {
  const auto& p = *static_cast<const HardtanhParams*>(origin.params);
  if (p.nan_slope != 0) return {};
  if (std::isnan(p.min)) return "ClampMaxBackward0";  // a bound that was not given
  return std::isnan(p.max) ? "ClampMinBackward0" : "ClampBackward1";
}

std::string of_bessel(const NodeOrigin& origin) {
  constexpr const char* kNames[] = {"SpecialBesselJ0",
                                    "SpecialBesselJ1",
                                    "SpecialBesselY0",
                                    "SpecialBesselY1",
                                    "SpecialI1",
                                    "SpecialI0E",
                                    "SpecialI1E",
                                    "SpecialModifiedBesselK0",
                                    "SpecialModifiedBesselK1",
                                    "SpecialScaledModifiedBesselK0",
                                    "SpecialScaledModifiedBesselK1"};
  const auto kind = static_cast<size_t>(static_cast<const BesselParams*>(origin.params)->kind);
  return kind < std::size(kNames) ? kNames[kind] + std::string("Backward0") : std::string();
}

std::string of_resampling(const NodeOrigin& origin) {
  const auto& p = *static_cast<const ResampleParams*>(origin.params);
  const std::string dims = std::to_string(p.count) + "DBackward0";
  constexpr const char* kLinear[] = {"Linear", "Bilinear", "Trilinear"};
  switch (p.mode) {
    case Resampling::Nearest:
      return (p.dim(0).scale == 1 ? "ReplicationPad" : "UpsampleNearest") + dims;
    case Resampling::Linear:
      return "Upsample" + (kLinear[p.count - 1] + dims);
    case Resampling::Cubic:
      return "UpsampleBicubic" + dims;
    case Resampling::Reflect:
      return "ReflectionPad" + dims;
    case Resampling::Circular:
      break;
  }
  return "torch::autograd::CopySlices";
}

/// Of a product of matrices and vectors by their dims, of which more than two are rows of one matrix.
std::string of_product(const NodeOrigin& origin) {
  const bool has_bias = origin.operands == 3;
  if (origin.dims[0] == 2 && origin.dims[1] == 2) return has_bias ? "AddmmBackward0" : "MmBackward0";
  if (origin.dims[0] + origin.dims[1] == 3) return "MvBackward0";
  return origin.dims[0] > 2 ? "UnsafeViewBackward0" : std::string();
}

std::string of_product_over_dims(const NodeOrigin& origin) {
  return origin.dims[0] == 1 ? "ProdBackward0" : "ProdBackward1";
}

std::string of_shrinking(const NodeOrigin& origin) {
  return static_cast<const ShrinkParams*>(origin.params)->step == 0 ? "HardshrinkBackward0" : "SoftshrinkBackward0";
}

std::string of_reason(const NodeOrigin& origin) {
  switch (static_cast<const WithoutSlopeParams*>(origin.params)->why) {
    case NoSlope::kBernoulli:
      return "BernoulliBackward0";
    case NoSlope::kPoisson:
      return "PoissonBackward0";
    case NoSlope::kGeqrf:
      return "GeqrfBackward0";
    case NoSlope::kNextafter:
      return "NextafterBackward0";
    default:
      return "torch::autograd::NotImplemented";
  }
}

/// Names that depend on what an op was called with, whose parameters only that very op has: a program may name its own
/// alike.
struct NameByOperands {
  const dispatch::Op* op;
  std::string (*name)(const NodeOrigin& origin);
};
const NameByOperands kNamesByOperands[] = {
    {&sum_op, [](const NodeOrigin& n) { return of_dims<ReduceParams>(n, "Sum"); }},
    {&mean_op, [](const NodeOrigin& n) { return of_dims<ReduceParams>(n, "Mean"); }},
    {&norm_op, [](const NodeOrigin& n) { return of_dims<NormParams>(n, "Norm"); }},
    {&prod_op, of_product_over_dims},
    {&hardtanh_op, of_bounds},
    {&bessel_op, of_bessel},
    {&resample_op, of_resampling},
    {&matmul_op, of_product},
    {&linear_op, of_product},
    {&without_slope_op, of_reason},
    {&shrink_op, of_shrinking},
};

std::string name_by_operands(const NodeOrigin& origin) {
  const auto* const found = std::find_if(std::begin(kNamesByOperands), std::end(kNamesByOperands),
                                         [&](const NameByOperands& n) { return n.op == &origin.op; });
  return found == std::end(kNamesByOperands) ? std::string() : found->name(origin);
}

std::string_view name_of_op(const NodeOrigin& origin) {
  const auto* const end = std::end(kLibtorchNames);
  const auto* const found =
      std::find_if(std::begin(kLibtorchNames), end, [&](const auto& n) { return n.op == origin.op.name(); });
  if (found == end) return {};
  if (origin.number == NumberAt::kNone) return found->of_tensors;
  return origin.number == NumberAt::kFirst ? found->of_first_number : found->of_second_number;
}

std::string libtorch_name(const NodeOrigin& origin) {
  if (const std::string_view name = name_in_call(origin); !name.empty()) return std::string(name);
  if (std::string name = name_by_operands(origin); !name.empty()) return name;
  return std::string(name_of_op(origin));
}

}  // namespace

std::string name_of_node(const NodeOrigin& origin) {
  std::string name = libtorch_names() ? libtorch_name(origin) : std::string();
  return name.empty() ? camel_case(origin.op.name()) + "Backward0" : name;
}

}  // namespace strata::autograd
