// The errors of in-place methods begin with the method's name, whatever op inside of it refused.
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "compat/parts/containers.h"
#include "core/grad_mode.h"
#include "ops/creation.h"
#include "ops/tensor_index.h"
#include "ops/view.h"
#include "test/catch.h"
#include "test/source_dir.h"

using namespace strata;

namespace {

/// An overload of an in-place method, called with operands that go with a 2x2 matrix.
struct Method {
  Method(std::string name, Tensor& (Tensor::*plain)() const)
      : Method(std::move(name), [plain](Tensor& x) { (x.*plain)(); }) {}
  Method(std::string name, std::function<void(Tensor&)> call) : name(std::move(name)), call(std::move(call)) {}
  std::string name;
  std::function<void(Tensor&)> call;
};
using Methods = std::vector<Method>;
using M = Tensor&;

Tensor mask() { return ones({2, 2}, kBool); }
Tensor index() { return zeros({2}, kLong); }
Tensor places() { return zeros({2, 2}, kLong); }
Tensor like(const Tensor& x) { return ones({2, 2}, x.dtype()); }
Tensor batch(const Tensor& x) { return ones({2, 2, 2}, x.dtype()); }
Tensor row(const Tensor& x) { return ones({2}, x.dtype()); }
Tensor number(const Tensor& x) { return ones({}, x.dtype()); }

const Methods unary_methods = {
    {"neg_", &Tensor::neg_},
    {"abs_", &Tensor::abs_},
    {"sign_", &Tensor::sign_},
    {"sgn_", &Tensor::sgn_},
    {"sqrt_", &Tensor::sqrt_},
    {"rsqrt_", &Tensor::rsqrt_},
    {"reciprocal_", &Tensor::reciprocal_},
    {"square_", &Tensor::square_},
    {"exp_", &Tensor::exp_},
    {"exp2_", &Tensor::exp2_},
    {"expm1_", &Tensor::expm1_},
    {"log_", &Tensor::log_},
    {"log2_", &Tensor::log2_},
    {"log10_", &Tensor::log10_},
    {"log1p_", &Tensor::log1p_},
    {"sin_", &Tensor::sin_},
    {"cos_", &Tensor::cos_},
    {"tan_", &Tensor::tan_},
    {"asin_", &Tensor::asin_},
    {"acos_", &Tensor::acos_},
    {"atan_", &Tensor::atan_},
    {"sinh_", &Tensor::sinh_},
    {"cosh_", &Tensor::cosh_},
    {"tanh_", &Tensor::tanh_},
    {"asinh_", &Tensor::asinh_},
    {"acosh_", &Tensor::acosh_},
    {"atanh_", &Tensor::atanh_},
    {"sigmoid_", &Tensor::sigmoid_},
    {"erf_", &Tensor::erf_},
    {"erfc_", &Tensor::erfc_},
    {"erfinv_", &Tensor::erfinv_},
    {"lgamma_", &Tensor::lgamma_},
    {"digamma_", &Tensor::digamma_},
    {"floor_", &Tensor::floor_},
    {"ceil_", &Tensor::ceil_},
    {"round_", &Tensor::round_},
    {"round_", [](M x) { x.round_(1); }},
    {"trunc_", &Tensor::trunc_},
    {"frac_", &Tensor::frac_},
    {"relu_", &Tensor::relu_},
    {"logical_not_", &Tensor::logical_not_},
    {"bitwise_not_", &Tensor::bitwise_not_},
    {"nan_to_num_", [](M x) { x.nan_to_num_(); }},
    {"polygamma_", [](M x) { x.polygamma_(1); }},
    {"deg2rad_", &Tensor::deg2rad_},
    {"rad2deg_", &Tensor::rad2deg_},
    {"logit_", [](M x) { x.logit_(); }},
    {"conj_physical_", &Tensor::conj_physical_},
};

const Methods binary_methods = {
    {"add_", [](M x) { x.add_(like(x)); }},
    {"add_", [](M x) { x.add_(1, 2); }},
    {"sub_", [](M x) { x.sub_(like(x), 2); }},
    {"sub_", [](M x) { x.sub_(1); }},
    {"mul_", [](M x) { x.mul_(like(x)); }},
    {"mul_", [](M x) { x.mul_(2); }},
    {"div_", [](M x) { x.div_(like(x)); }},
    {"div_", [](M x) { x.div_(2); }},
    {"div_", [](M x) { x.div_(like(x), "floor"); }},
    {"div_", [](M x) { x.div_(2, "floor"); }},
    {"pow_", [](M x) { x.pow_(like(x)); }},
    {"pow_", [](M x) { x.pow_(2); }},
    {"fmod_", [](M x) { x.fmod_(like(x)); }},
    {"fmod_", [](M x) { x.fmod_(2); }},
    {"remainder_", [](M x) { x.remainder_(like(x)); }},
    {"remainder_", [](M x) { x.remainder_(2); }},
    {"floor_divide_", [](M x) { x.floor_divide_(like(x)); }},
    {"floor_divide_", [](M x) { x.floor_divide_(2); }},
    {"atan2_", [](M x) { x.atan2_(like(x)); }},
    {"hypot_", [](M x) { x.hypot_(like(x)); }},
    {"xlogy_", [](M x) { x.xlogy_(like(x)); }},
    {"xlogy_", [](M x) { x.xlogy_(2); }},
    {"bitwise_and_", [](M x) { x.bitwise_and_(like(x)); }},
    {"bitwise_and_", [](M x) { x.bitwise_and_(1); }},
    {"bitwise_or_", [](M x) { x.bitwise_or_(like(x)); }},
    {"bitwise_or_", [](M x) { x.bitwise_or_(1); }},
    {"bitwise_xor_", [](M x) { x.bitwise_xor_(like(x)); }},
    {"bitwise_xor_", [](M x) { x.bitwise_xor_(1); }},
    {"bitwise_left_shift_", [](M x) { x.bitwise_left_shift_(like(x)); }},
    {"bitwise_left_shift_", [](M x) { x.bitwise_left_shift_(1); }},
    {"bitwise_right_shift_", [](M x) { x.bitwise_right_shift_(like(x)); }},
    {"bitwise_right_shift_", [](M x) { x.bitwise_right_shift_(1); }},
    {"logical_and_", [](M x) { x.logical_and_(like(x)); }},
    {"logical_or_", [](M x) { x.logical_or_(like(x)); }},
    {"logical_xor_", [](M x) { x.logical_xor_(like(x)); }},
    {"eq_", [](M x) { x.eq_(like(x)); }},
    {"eq_", [](M x) { x.eq_(1); }},
    {"ne_", [](M x) { x.ne_(like(x)); }},
    {"ne_", [](M x) { x.ne_(1); }},
    {"lt_", [](M x) { x.lt_(like(x)); }},
    {"lt_", [](M x) { x.lt_(1); }},
    {"le_", [](M x) { x.le_(like(x)); }},
    {"le_", [](M x) { x.le_(1); }},
    {"gt_", [](M x) { x.gt_(like(x)); }},
    {"gt_", [](M x) { x.gt_(1); }},
    {"ge_", [](M x) { x.ge_(like(x)); }},
    {"ge_", [](M x) { x.ge_(1); }},
};

const Methods ternary_methods = {
    {"clamp_", [](M x) { x.clamp_(0, 1); }},
    {"clamp_", [](M x) { x.clamp_(like(x), like(x)); }},
    {"clamp_min_", [](M x) { x.clamp_min_(0); }},
    {"clamp_min_", [](M x) { x.clamp_min_(like(x)); }},
    {"clamp_max_", [](M x) { x.clamp_max_(0); }},
    {"clamp_max_", [](M x) { x.clamp_max_(like(x)); }},
    {"lerp_", [](M x) { x.lerp_(like(x), 0.5); }},
    {"lerp_", [](M x) { x.lerp_(like(x), like(x)); }},
    {"addcmul_", [](M x) { x.addcmul_(like(x), like(x)); }},
    {"addcdiv_", [](M x) { x.addcdiv_(like(x), like(x)); }},
    {"cumsum_", [](M x) { x.cumsum_(0); }},
    {"cumprod_", [](M x) { x.cumprod_(0); }},
    {"addmm_", [](M x) { x.addmm_(like(x), like(x)); }},
    {"addmv_", [](M x) { x.addmv_(like(x), row(x)); }},
    {"addr_", [](M x) { x.addr_(row(x), row(x)); }},
    {"addbmm_", [](M x) { x.addbmm_(batch(x), batch(x)); }},
    {"baddbmm_", [](M x) { x.baddbmm_(batch(x), batch(x)); }},
};

const Methods writing_methods = {
    {"copy_", [](M x) { x.copy_(like(x)); }},
    {"fill_", [](M x) { x.fill_(1); }},
    {"fill_", [](M x) { x.fill_(number(x)); }},
    {"zero_", [](M x) { x.zero_(); }},
    {"tril_", [](M x) { x.tril_(); }},
    {"triu_", [](M x) { x.triu_(); }},
    {"fill_diagonal_", [](M x) { x.fill_diagonal_(1); }},
    {"index_put_", [](M x) { x.index_put_({index()}, row(x)); }},
    {"index_put_", [](M x) { x.index_put_({0}, 1); }},
    {"index_put_", [](M x) { x.index_put_(std::vector<indexing::TensorIndex>{0}, 1); }},
    {"index_put_", [](M x) { x.index_put_(std::vector<indexing::TensorIndex>{index()}, row(x), true); }},
    {"index_put_", [](M x) { x.index_put_(compat::List<std::optional<Tensor>>{index()}, row(x)); }},
    {"scatter_", [](M x) { x.scatter_(0, places(), like(x)); }},
    {"scatter_", [](M x) { x.scatter_(0, places(), 1); }},
    {"scatter_add_", [](M x) { x.scatter_add_(0, places(), like(x)); }},
    {"index_add_", [](M x) { x.index_add_(0, index(), like(x)); }},
    {"index_copy_", [](M x) { x.index_copy_(0, index(), like(x)); }},
    {"index_fill_", [](M x) { x.index_fill_(0, index(), 1); }},
    {"index_fill_", [](M x) { x.index_fill_(0, index(), number(x)); }},
    {"masked_fill_", [](M x) { x.masked_fill_(mask(), 1); }},
    {"masked_fill_", [](M x) { x.masked_fill_(mask(), number(x)); }},
    {"masked_scatter_", [](M x) { x.masked_scatter_(mask(), like(x)); }},
    {"uniform_", [](M x) { x.uniform_(); }},
    {"normal_", [](M x) { x.normal_(); }},
    {"bernoulli_", [](M x) { x.bernoulli_(0.5); }},
    {"bernoulli_",
     [](M x) {
       x.bernoulli_(ones({2, 2}));
     }},
    {"random_", [](M x) { x.random_(0, 2); }},
    {"random_", [](M x) { x.random_(2); }},
    {"random_", [](M x) { x.random_(0, std::optional<int64_t>(2)); }},
    {"random_", [](M x) { x.random_(); }},
    {"exponential_", [](M x) { x.exponential_(); }},
    {"squeeze_", [](M x) { x.squeeze_(); }},
    {"squeeze_", [](M x) { x.squeeze_(0); }},
    {"squeeze_", [](M x) { x.squeeze_(std::vector<int64_t>{0}); }},
    {"unsqueeze_", [](M x) { x.unsqueeze_(0); }},
    {"as_strided_", [](M x) { x.as_strided_({2}, {1}); }},
    {"transpose_", [](M x) { x.transpose_(0, 1); }},
    {"t_", [](M x) { x.t_(); }},
    {"resize_", [](M x) { x.resize_({2}); }},
    {"resize_as_", [](M x) { x.resize_as_(row(x)); }},
    {"set_", &Tensor::set_},
    {"set_", [](M x) { x.set_(row(x)); }},
    {"set_", [](M x) { x.set_(row(x).storage()); }},
    {"set_", [](M x) { x.set_(row(x).storage(), 0, {2}); }},
    {"set_", [](M x) { x.set_(row(x), 0, {2}); }},
};

const Methods newer_methods = {
    {"sinc_", &Tensor::sinc_},
    {"copysign_", [](M x) { x.copysign_(like(x)); }},
    {"copysign_", [](M x) { x.copysign_(1); }},
    {"heaviside_", [](M x) { x.heaviside_(like(x)); }},
    {"ldexp_", [](M x) { x.ldexp_(like(x)); }},
    {"mvlgamma_", [](M x) { x.mvlgamma_(1); }},
    {"float_power_", [](M x) { x.float_power_(like(x)); }},
    {"float_power_", [](M x) { x.float_power_(2); }},
    {"cauchy_", [](M x) { x.cauchy_(); }},
    {"log_normal_", [](M x) { x.log_normal_(); }},
    {"geometric_", [](M x) { x.geometric_(0.5); }},
    {"renorm_", [](M x) { x.renorm_(2, 0, 1); }},
    {"scatter_reduce_", [](M x) { x.scatter_reduce_(0, places(), like(x), "sum"); }},
    {"index_reduce_", [](M x) { x.index_reduce_(0, index(), like(x), "prod"); }},
    {"scatter_", [](M x) { x.scatter_(0, places(), like(x), "add"); }},
    {"scatter_", [](M x) { x.scatter_(0, places(), 2, "multiply"); }},
    {"put_", [](M x) { x.put_(index(), like(x)); }},
    {"i0_", &Tensor::i0_},
    {"gcd_", [](M x) { x.gcd_(like(x)); }},
    {"lcm_", [](M x) { x.lcm_(like(x)); }},
    {"nextafter_", [](M x) { x.nextafter_(like(x)); }},
    {"igamma_", [](M x) { x.igamma_(like(x)); }},
    {"igammac_", [](M x) { x.igammac_(like(x)); }},
};

Methods all_methods() {
  Methods all;
  for (const auto* some : {&unary_methods, &binary_methods, &ternary_methods, &writing_methods, &newer_methods})
    all.insert(all.end(), some->begin(), some->end());
  return all;
}

/// Tensors that many methods refuse to write to, each for another reason.
std::vector<Tensor> targets() {
  std::vector<Tensor> all;
  for (const DType dtype : {kDouble, kLong, kBool, kComplexDouble}) {
    all.push_back(ones({2, 1}, dtype).expand({2, 2}));
    all.push_back(ones({2, 2}, dtype));  // where the dtype itself is refused
    all.push_back(ones({3, 4, 5}, dtype));
    if (is_differentiable(dtype)) all.push_back(ones({2, 2}, TensorOptions(dtype).requires_grad(true)));
    const InferenceMode inference;
    all.push_back(ones({2, 2}, dtype));
  }
  return all;
}

/// The message of what `method` throws for a target, empty where it takes that.
std::string message(const Method& method, Tensor target) {
  try {
    method.call(target);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

/// How many overloads of each in-place method are declared, other names of methods left out.
std::map<std::string, int> declared_methods() {
  std::ifstream file(source_dir() + "/core/tensor_methods.inc");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const std::regex method(R"(Tensor& ([a-z0-9_]+_)\((?:[^;{]|\{\})*\) const;)");
  std::map<std::string, int> counts;
  for (std::sregex_iterator i(text.begin(), text.end(), method), end; i != end; ++i) ++counts[(*i)[1]];
  return counts;
}

}  // namespace

TEST_CASE("errors of in-place methods begin with the method's name") {
  for (const Method& method : all_methods()) {
    int refused = 0;
    for (const Tensor& target : targets()) {
      const std::string text = message(method, target);
      if (text.empty()) continue;
      ++refused;
      INFO(text);
      CHECK(text.starts_with(method.name + ": "));
      CHECK(text.find(": " + method.name.substr(0, method.name.size() - 1) + ": ") == std::string::npos);
    }
    INFO(method.name);
    CHECK(refused > 0);
  }
}

TEST_CASE("the in-place methods whose errors are looked at are those that there are") {
  std::map<std::string, int> counts;
  for (const Method& method : all_methods()) ++counts[method.name];
  const auto declared = declared_methods();
  for (const auto& [name, count] : declared) {
    INFO(name);
    CHECK(counts[name] == count);
  }
  CHECK(counts.size() == declared.size());
}

TEST_CASE("an error of an in-place method keeps its kind") {
  Tensor x = zeros({2, 2});
  CHECK_THROWS_AS(x.index_put_({5}, 1), IndexError);
  CHECK_THROWS_AS(x.add_(zeros({3})), Error);
}
