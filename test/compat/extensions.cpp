// What extensions and older programs reach for in libtorch: checks of arguments, arithmetic of 16-bit numbers, values
// kept for a gradient, registration, layers switched off, and names of what Strata has not.
#include <torch/script.h>
#include <torch/torch.h>

#include <ATen/AccumulateType.h>
#include <ATen/OpMathType.h>
#include <ATen/TensorUtils.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include "test/catch.h"

using Catch::Matchers::ContainsSubstring;

namespace {

/// Leaves the semicolon out, as programs do.
int checked(int n) {
  TORCH_CHECK(n > 0, "n is ", n)
  return n;
}

at::Tensor doubled(const at::Tensor& x) { return x * 2; }
const auto registry = torch::RegisterOperators().op("older::doubled", &doubled);

struct Folded : torch::autograd::Function<Folded> {
  static torch::Tensor forward(torch::autograd::AutogradContext* ctx, const torch::Tensor& x,
                               std::optional<int64_t> times) {
    ctx->saved_data["sizes"] = x.sizes();
    ctx->saved_data["times"] = times;
    ctx->saved_data["factors"] = std::vector<double>{2, 3};
    ctx->saved_data["both"] = std::make_tuple(x.detach(), int64_t{4});
    return x.sum();
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 const torch::autograd::variable_list& grads) {
    const c10::List<int64_t> sizes = ctx->saved_data["sizes"].toIntList();
    const auto factors = ctx->saved_data["factors"].toDoubleVector();
    const double times = ctx->saved_data["times"].isNone() ? 1 : ctx->saved_data["times"].toInt();
    const c10::IValue both = ctx->saved_data["both"];
    CHECK(both.toTuple()->elements()[1].toInt() == 4);
    return {grads[0].expand(sizes.vec()) * factors[0] * factors[1] * times, torch::Tensor()};
  }
};

template <class T>
T sum_of(T a, T b) {
  return a + b;
}

/// A product whose gradient a program's own node computes, beside a copy.
struct Scaled : torch::autograd::Node {
  torch::autograd::variable_list apply(torch::autograd::variable_list&& grads) override {
    TORCH_CHECK(!released, "Scaled: what it kept was let go");
    if (should_compute_output(0) && grads[0].defined() && grads[1].defined())
      return {grads[0] * factor.unpack(getptr()) + grads[1], torch::Tensor()};
    return {torch::Tensor(), torch::Tensor()};
  }
  void release_variables() override { released = true; }
  std::string name() const override { return "Scaled"; }
  torch::autograd::SavedVariable factor;
  bool released = false;
};

}  // namespace

TEST_CASE("checks of arguments name argument and function as libtorch's", "[compat]") {
  const at::Tensor x = torch::zeros({2, 3}), y = torch::zeros({3}, torch::kDouble);
  const at::TensorArg a(x, "x", 1), b(y, "y", 2);
  at::checkDim("f", a, 2);
  at::checkAllSameType("f", {a, a});
  CHECK_THROWS_WITH(at::checkDim("f", b, 2),
                    ContainsSubstring("Expected 2-dimensional tensor, but got 1-dimensional tensor for argument #2 'y' "
                                      "(while checking arguments for f)"));
  CHECK_THROWS_WITH(
      at::checkSize("f", a, {2, 4}),
      ContainsSubstring("Expected tensor of size [2, 4], but got tensor of size [2, 3] for argument #1 'x' "
                        "(while checking arguments for f)"));
  CHECK_THROWS_WITH(at::checkSameType("f", a, b),
                    ContainsSubstring("to have the same type as tensor for argument #2 'y'"));
  CHECK_THROWS_AS(at::checkSameGPU("f", a, b), c10::Error);
  CHECK(at::defaultStrides({2, 3, 4}) == std::vector<int64_t>{12, 4, 1});
  CHECK(checked(3) == 3);
  CHECK_THROWS_WITH(checked(-1), ContainsSubstring("n is -1"));
}

TEST_CASE("Half and BFloat16 compute in their own type among themselves", "[compat]") {
  static_assert(std::is_same_v<decltype(at::Half(1) + at::Half(2)), at::Half>);
  static_assert(std::is_same_v<decltype(at::BFloat16(1) * int64_t{2}), at::BFloat16>);
  static_assert(std::is_same_v<decltype(at::Half(1) + 1.f), float>);
  static_assert(std::is_same_v<decltype(1. - at::Half(1)), double>);
  // 2048 and 1 are Halves, 2049 is none.
  CHECK(static_cast<float>(at::Half(2048) + at::Half(1)) == 2048);
  CHECK(at::Half(2048) + 1.f == 2049);
  at::Half h = 3;
  h += 0.5f;
  h *= at::Half(2);
  CHECK(static_cast<float>(-h) == -7);
  CHECK(static_cast<float>(sum_of(h, h)) == 14);
  CHECK(static_cast<float>(std::numeric_limits<at::Half>::max()) == 65504);
  CHECK(static_cast<float>(std::numeric_limits<at::BFloat16>::epsilon()) == 0.0078125f);
  static_assert(std::is_same_v<at::acc_type<float, false>, double>);
  static_assert(std::is_same_v<at::acc_type<at::Half, false>, float>);
  static_assert(std::is_same_v<at::acc_type<int32_t, true>, int64_t>);
  static_assert(std::is_same_v<at::opmath_type<at::BFloat16>, float>);
  static_assert(std::is_same_v<at::scalar_value_type<c10::complex<double>>::type, double>);
}

TEST_CASE("a function keeps lists, tuples and absent numbers for its gradient", "[compat]") {
  for (const std::optional<int64_t> times : {std::optional<int64_t>(5), std::optional<int64_t>()}) {
    const torch::Tensor x = torch::ones({2, 3}, torch::requires_grad());
    Folded::apply(x, times).backward();
    CHECK(torch::equal(x.grad(), torch::full({2, 3}, times ? 30. : 6.)));
  }
}

TEST_CASE("functions registered the older way are found, and layers are switched off", "[compat]") {
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("older::doubled", "").typed<decltype(doubled)>();
  CHECK(op.call(torch::ones(1)).item<float>() == 2);
  at::autocast::set_autocast_enabled(at::kCPU, true);
  {
    const c10::impl::ExcludeDispatchKeyGuard guard(c10::DispatchKey::Autocast);
    CHECK_FALSE(at::autocast::is_autocast_enabled(at::kCPU));
  }
  CHECK(at::autocast::is_autocast_enabled(at::kCPU));
  at::autocast::set_autocast_enabled(at::kCPU, false);
  CHECK(at::autocast::cached_cast(at::kBFloat16, torch::ones(1), at::kCPU).dtype() == torch::kBFloat16);
  CHECK(at::autocast::cached_cast(at::kBFloat16, torch::ones(1, torch::kLong), at::kCPU).dtype() == torch::kLong);
  torch::autograd::GradMode::set_enabled(false);
  CHECK_FALSE(torch::ones(1, torch::requires_grad()).mul(2).requires_grad());
  torch::autograd::GradMode::set_enabled(true);
}

TEST_CASE("names of what is not here compile, and say so where they are used", "[compat]") {
  CHECK_FALSE(torch::mps::is_available());
  const torch::Device device(torch::kMPS);
  CHECK(device.str() == "mps");
  CHECK(torch::Device("xpu:1").is_xpu());
  CHECK_THROWS_WITH(torch::zeros({2}, device), ContainsSubstring("mps"));
  CHECK_THROWS_WITH(torch::ones({2}).to(torch::kMPS), ContainsSubstring("mps"));
  CHECK_THROWS_WITH(torch::rand({2}, torch::TensorOptions().device(torch::kXPU)), ContainsSubstring("xpu"));
  CHECK_THROWS_WITH(torch::nn::Linear(2, 2)->to(torch::kHIP), ContainsSubstring("hip"));
  CHECK_THROWS_WITH(torch::jit::load("model.pt"), ContainsSubstring("Program::load_pt2"));
  torch::jit::script::Module module;
  CHECK_THROWS_AS(module.forward({torch::ones(1)}).toTensor(), c10::NotImplementedError);
  CHECK_THROWS_WITH(torch::jit::ExportModule(module, "model.pt"), ContainsSubstring("ExportModule"));
  torch::jit::getProfilingMode() = false;
  torch::jit::setFusionStrategy({{torch::jit::FusionBehavior::STATIC, 1}});
#if AT_MKL_ENABLED() || AT_MKLDNN_ENABLED()
  FAIL("neither library is libtorch's here");
#endif
}

TEST_CASE("older forms still work", "[compat]") {
  const torch::Tensor x = torch::arange(3, torch::kFloat);
  CHECK(torch::equal(x.toBackend(c10::Backend::CPU), x));
  CHECK((x.dense_dim() == 1 && x.sparse_dim() == 0));
  CHECK_THROWS_WITH(x.indices(), ContainsSubstring("expected sparse"));
  torch::Tensor shown = torch::empty(0);
  shown.set_(x, 1, {2}, {1});
  CHECK(torch::equal(shown, x.slice(0, 1)));
  CHECK(torch::zeros(64, torch::kLong).random_(5, std::optional<int64_t>(9)).ge(5).all().item<bool>());
  CHECK(torch::zeros(64, torch::kChar).random_(120, std::optional<int64_t>()).ge(120).all().item<bool>());
  CHECK(x.data<float>()[2] == 2);
  double sum = 0;
  AT_DISPATCH_FLOATING_TYPES(x.type(), "sum", [&] {
    for (int64_t i = 0; i < 3; ++i) sum += x.data<scalar_t>()[i];
  });
  CHECK(sum == 3);
  at::globalContext().setFloat32MatmulPrecision("high");
  CHECK(at::globalContext().float32MatmulPrecision() == at::Float32MatmulPrecision::HIGH);
  at::globalContext().setFloat32MatmulPrecision(at::Float32MatmulPrecision::HIGHEST);
  at::globalContext().setDeterministicCuDNN(true);
  CHECK(at::globalContext().deterministicCuDNN());
  at::globalContext().setDeterministicCuDNN(false);
  std::ostringstream text;
  text << std::setprecision(3) << 1.23456;
  CHECK(text.str() == "1.23");
}

TEST_CASE("the parts of a synchronized batch norm make a batch norm of all ranks' samples", "[compat]") {
  const torch::Tensor x = torch::randn({6, 3, 4}, torch::kDouble), weight = torch::rand({3}, torch::kDouble),
                      bias = torch::rand({3}, torch::kDouble);
  const auto running = [] { return torch::full({3}, 0.5, torch::kDouble); };
  const torch::Tensor mean_of_all = running(), var_of_all = running();
  const torch::Tensor expected = torch::batch_norm(x, weight, bias, mean_of_all, var_of_all, true, 0.1, 1e-5, false);

  const auto [mean0, invstd0] = torch::batch_norm_stats(x.slice(0, 0, 2), 1e-5);
  const auto [mean1, invstd1] = torch::batch_norm_stats(x.slice(0, 2, 6), 1e-5);
  const torch::Tensor mean = running(), var = running(), counts = torch::tensor({8., 16.}, torch::kDouble);
  const auto [center, invstd] = torch::batch_norm_gather_stats_with_counts(
      x, torch::stack({mean0, mean1}), torch::stack({invstd0, invstd1}), mean, var, 0.1, 1e-5, counts);
  CHECK(torch::allclose(torch::batch_norm_elemt(x, weight, bias, center, invstd, 1e-5), expected, 1e-12, 1e-12));
  CHECK(torch::allclose(mean, mean_of_all, 1e-12, 1e-12));
  CHECK(torch::allclose(var, var_of_all, 1e-12, 1e-12));
}

TEST_CASE("products of halves are given in float32 where asked", "[compat]") {
  const torch::Tensor a = torch::randn({5, 40}).to(torch::kBFloat16), b = torch::randn({40, 6}).to(torch::kBFloat16);
  const torch::Tensor exact = a.to(torch::kDouble).mm(b.to(torch::kDouble));
  const torch::Tensor c = torch::mm(a, b, torch::kFloat);
  CHECK(c.dtype() == torch::kFloat);
  CHECK(torch::allclose(c.to(torch::kDouble), exact, 1e-5, 1e-5));  // bfloat16 has 8 bits
  CHECK(torch::allclose(torch::bmm(a.unsqueeze(0), b.unsqueeze(0), torch::kFloat)[0], c, 1e-6, 1e-6));
}

TEST_CASE("gradients of products, and of a batch norm with what was reserved, are autograd's", "[compat]") {
  const auto leaf = [](at::IntArrayRef sizes) { return torch::randn(sizes, torch::kDouble).requires_grad_(); };
  const auto same = [](const torch::Tensor& a, const torch::Tensor& b) { return torch::allclose(a, b, 1e-10, 1e-10); };
  const torch::Tensor x = leaf({2, 3, 4}), w = leaf({5, 4}), b = leaf({5}), y = torch::linear(x, w, b);
  const torch::Tensor g = torch::randn_like(y);
  const auto wanted = torch::autograd::grad({y}, {x, w, b}, {g});
  const auto [dx, dw, db] = at::linear_backward(x.detach(), g, w.detach(), {true, true, true});
  CHECK(same(dx, wanted[0]));
  CHECK(same(dw, wanted[1]));
  CHECK(same(db, wanted[2]));
  CHECK(!std::get<1>(at::linear_backward(x.detach(), g, w.detach(), {true, false, true})).defined());

  const torch::Tensor v = leaf({4}), z = torch::matmul(x, v), gz = torch::randn_like(z);
  const auto factors = torch::autograd::grad({z}, {x, v}, {gz});
  const auto [da, dv] = at::matmul_backward(gz, x.detach(), v.detach(), {true, true});
  CHECK(same(da, factors[0]));
  CHECK(same(dv, factors[1]));

  const auto [mean, invstd] = torch::batch_norm_stats(x.detach(), 1e-5);
  const torch::Tensor scale = leaf({3}), n = torch::batch_norm(x, scale, {}, {}, {}, true, 0.1, 1e-5, false);
  const auto slopes = torch::autograd::grad({n}, {x, scale}, {x.detach()});
  const auto [dn, ds, none] = at::batch_norm_backward(x.detach(), x.detach(), scale.detach(), {}, {}, mean, invstd,
                                                      true, 1e-5, {true, true, false}, torch::Tensor());
  CHECK(same(dn, slopes[0]));
  CHECK(same(ds, slopes[1]));
  CHECK(!none.defined());
}

TEST_CASE("dtypes are named by types of C++", "[compat]") {
  CHECK(torch::zeros({2}, torch::dtype<double>()).dtype() == torch::kDouble);
  CHECK(torch::zeros({2}, c10::dtype<int64_t>().requires_grad(false)).dtype() == torch::kLong);
}

TEST_CASE("numbers of 16 and 8 bits print as the floats that they are", "[compat]") {
  std::ostringstream text;
  text << at::Half(0.5f) << ' ' << c10::BFloat16(-3.f) << ' ' << c10::Float8_e4m3fn(1.5f);
  CHECK(text.str() == "0.5 -3 1.5");
}

TEST_CASE("nodes of a program's own pass gradients on") {
  const torch::Tensor x = torch::tensor({1., 2.}, torch::requires_grad()), factor = torch::tensor({3., 4.});
  torch::Tensor product, same;
  {
    auto node = std::shared_ptr<Scaled>(new Scaled(), torch::autograd::deleteNode);
    node->set_next_edges(torch::autograd::collect_next_edges(x, factor));
    node->factor = torch::autograd::SavedVariable(factor, false);
    const torch::NoGradGuard guard;
    product = x * factor;
    same = x.clone();
    torch::autograd::set_history({product, same}, node);
    CHECK(node->num_inputs() == 2);
  }
  CHECK(product.requires_grad());
  CHECK(product.grad_fn()->name() == "Scaled");
  (product.sum() + same.sum()).backward();
  CHECK(torch::equal(x.grad(), factor + 1));
  CHECK_THROWS_WITH(product.sum().backward(), ContainsSubstring("was let go"));
  auto wrong = c10::make_intrusive<Scaled>();
  wrong->set_next_edges(torch::autograd::collect_next_edges(std::vector<torch::Tensor>{x, x, x}));
  const torch::Tensor y = factor.clone();
  torch::autograd::set_history({y, factor.clone()}, wrong);
  CHECK_THROWS_WITH(y.sum().backward(), ContainsSubstring("invalid number of gradients"));
}

TEST_CASE("dicts of values become dicts of types") {
  c10::impl::GenericDict dict;
  dict.insert(std::string("a"), torch::ones({2}));
  const auto typed = c10::impl::toTypedDict<std::string, at::Tensor>(dict);
  CHECK(typed.at("a").sum().item<double>() == 2);
}

namespace {

struct Weighted : torch::autograd::Function<Weighted> {
  static torch::Tensor forward(torch::autograd::AutogradContext* ctx, at::TensorList terms) {
    ctx->save_for_backward(terms.vec());
    return terms[0] * terms[1];
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 const torch::autograd::variable_list& grads) {
    const auto terms = ctx->get_saved_variables();
    return {grads[0] * terms[1], grads[0] * terms[0]};
  }
};

}  // namespace

TEST_CASE("tensors in a list that a function is given get gradients") {
  const std::vector<torch::Tensor> terms{torch::full({2}, 3.0, torch::requires_grad()),
                                         torch::full({2}, 5.0, torch::requires_grad())};
  Weighted::apply(at::TensorList(terms)).sum().backward();
  CHECK(terms[0].grad()[0].item<float>() == 5);
  CHECK(terms[1].grad()[1].item<float>() == 3);
  const auto per_row = strata::func::vmap([](const torch::Tensor& row) {
    const std::vector<torch::Tensor> both{row, row};
    return Weighted::apply(at::TensorList(both));
  })(torch::tensor({{1., 2.}, {3., 4.}}));
  CHECK(torch::equal(per_row, torch::tensor({{1., 4.}, {9., 16.}})));
}

TEST_CASE("backward gives results that it is asked for their gradients too") {
  const torch::Tensor x = torch::full({2}, 3.0, torch::requires_grad()), y = x * x,
                      other = torch::ones({2}, torch::requires_grad());
  const torch::Tensor loss = (y * other * 2).sum();
  loss.backward({}, true, false, std::vector<torch::Tensor>{x, y});
  loss.backward({}, false, false, std::vector<torch::Tensor>{y});
  CHECK(x.grad()[0].item<float>() == 12);
  CHECK(y.grad()[0].item<float>() == 4);
  CHECK_FALSE(other.grad().defined());
  CHECK_THROWS_WITH(torch::autograd::grad({(x * 2).sum()}, {}), "grad requires non-empty inputs.");
}

TEST_CASE("types and dtypes lead to each other, and lists of dims have their first name too") {
  static_assert(std::is_same_v<c10::impl::ScalarTypeToCPPType<torch::kInt>::type, int>);
  static_assert(std::is_same_v<c10::impl::ScalarTypeToCPPTypeT<torch::kDouble>, double>);
  static_assert(c10::CppTypeToScalarType<float>::value == torch::kFloat);
  static_assert(std::is_same_v<at::IntList, torch::IntArrayRef> && std::is_same_v<c10::IntList, torch::IntList>);
}

TEST_CASE("what a typed body computes has pointers of its type", "[compat]") {
  const auto lowest = [](const torch::Tensor& x) {
    return AT_DISPATCH_FLOATING_TYPES_AND(at::kHalf, x.scalar_type(), "lowest", [&] {
      auto low = at::full({2}, std::numeric_limits<scalar_t>::lowest(), x.options());
      return static_cast<double>(low.data_ptr<scalar_t>()[1]);
    });
  };
  CHECK(lowest(torch::ones(1, torch::kHalf)) == -65504);
  CHECK(lowest(torch::ones(1)) == std::numeric_limits<float>::lowest());
  CHECK_THROWS_WITH(lowest(torch::ones(1, torch::kInt)), "\"lowest\" not implemented for 'Int'");
  const auto third = [](const torch::Tensor& x) {
    return AT_DISPATCH_INDEX_TYPES(x.scalar_type(), "third", [&] {
      auto three = at::full({1}, index_t{3}, x.options());
      return static_cast<int64_t>(three.accessor<index_t, 1>()[0]);
    });
  };
  CHECK(third(torch::ones(1, torch::kInt)) + third(torch::ones(1, torch::kLong)) == 6);
  CHECK_THROWS_WITH(third(torch::ones(1)), ContainsSubstring("not implemented for 'Float'"));
}
