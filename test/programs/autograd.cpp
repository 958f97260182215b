// Programs that differentiate.
#include <torch/torch.h>

#include "test/programs/programs.h"

namespace programs::autograd {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

const Program backward("backward", [](std::ostream& out) {
  const auto x = torch::ones({2, 2}, torch::requires_grad());
  const auto y = x + 2;
  const auto z = y * y * 3;
  const auto mean = z.mean();
  out << y.grad_fn()->name() << ' ' << z.grad_fn()->name() << ' ' << mean.grad_fn()->name() << '\n';
  mean.backward();
  show(out, "grad", x.grad());
  out << x.is_leaf() << y.is_leaf() << (x.grad_fn() == nullptr) << y.requires_grad() << y.output_nr() << '\n';
});

const Program with_gradient("backward with a gradient", [](std::ostream& out) {
  const auto x = torch::arange(3., torch::requires_grad());
  auto y = x * 2;
  while (y.norm().item<double>() < 1000) y = y * 2;
  y.backward(torch::tensor({0.1, 1.0, 0.0001}, torch::kFloat));
  show(out, "y", y);
  show(out, "grad", x.grad());
  fails<c10::Error>(out, "no scalar", "grad can be implicitly created only for scalar outputs",
                    [&] { (x * 2).backward(); });
});

const Program names("names of nodes", [](std::ostream& out) {
  const auto x = torch::ones({2, 2}, torch::requires_grad()), y = torch::ones({2, 2});
  for (const torch::Tensor& of_numbers :
       {x + 2, 2 + x, x - 2, 2 - x, x * 2, 2 * x, x / 2, 2 / x, x.fmod(2), x.remainder(2), x.pow(2), torch::pow(2, x)})
    out << of_numbers.grad_fn()->name() << '\n';
  for (const torch::Tensor& of_tensors : {x + y, x - y, x * y, x / y, x.fmod(y), x.remainder(y), x.pow(y)})
    out << of_tensors.grad_fn()->name() << '\n';
  for (const torch::Tensor& renamed : {x.square(), x.log1p(), std::get<0>(x.max(1)), std::get<0>(x.min(1)),
                                       x.to(torch::kDouble), x.det(), torch::glu(x), torch::lerp(x, y, 0.5)})
    out << renamed.grad_fn()->name() << '\n';
  const auto rising = torch::eye(2) * 2 + 0.5 * x;
  for (const torch::Tensor& rare : {x.clone(),
                                    torch::lerp(x, y, y),
                                    torch::prelu(x, y[0][0]),
                                    torch::constant_pad_nd(x, {1, 1}),
                                    torch::max_pool2d(x.view({1, 1, 2, 2}), 2),
                                    torch::avg_pool2d(x.view({1, 1, 2, 2}), 2),
                                    torch::fft_rfft(x),
                                    torch::fft_irfft(torch::complex(x, x)),
                                    torch::complex(x, x).abs(),
                                    torch::dropout(x, 0.5, true),
                                    torch::conv_transpose2d(x.view({1, 1, 2, 2}), y.view({1, 1, 2, 2})),
                                    torch::special::entr(x),
                                    torch::special::erfcx(x),
                                    torch::special::ndtr(x),
                                    torch::special::ndtri(x / 2),
                                    torch::special::log_ndtr(x),
                                    torch::special::xlog1py(x, y),
                                    torch::linalg_inv(rising),
                                    torch::linalg_cholesky(rising),
                                    torch::linalg_solve(rising, y),
                                    torch::pinverse(rising),
                                    std::get<1>(torch::slogdet(rising)),
                                    std::get<0>(torch::linalg_qr(rising)),
                                    std::get<1>(torch::linalg_svd(rising)),
                                    std::get<0>(torch::linalg_eigh(rising)),
                                    std::get<0>(torch::linalg_eig(rising))})
    out << rare.grad_fn()->name() << '\n';
  out << torch::Tensor(nullptr).defined() << '\n';
  auto z = x * y;
  z.add_(1);
  out << z.grad_fn()->name() << '\n';
  z.add_(y);
  out << z.grad_fn()->name() << '\n';
});

const Program names_of_functions("nodes named after functions", [](std::ostream& out) {
  namespace F = torch::nn::functional;
  const auto x = torch::rand({4, 4}, torch::requires_grad()), y = torch::rand({4, 4}), v = torch::rand({4});
  const auto cube = torch::rand({2, 4, 4}), images = torch::rand({2, 4, 8, 8}, torch::requires_grad());
  const auto signal = torch::rand({2, 4, 8}, torch::requires_grad());
  const auto index = torch::tensor({0, 2, 1, 3}), mask = torch::eye(4).to(torch::kBool);
  const auto loaded = torch::rand({2, 4, 4}, torch::requires_grad());
  for (const torch::Tensor& product :
       {torch::mm(x, y), torch::matmul(x, y), torch::matmul(x, v), torch::mv(x, v), torch::linear(x, y),
        torch::linear(x, y, v), torch::matmul(loaded, cube), torch::bmm(loaded, cube), torch::addmm(x, y, y),
        torch::addmv(x[0], x, v), torch::addr(x, v, v), torch::addbmm(x, cube, cube),
        torch::baddbmm(loaded, cube, cube), torch::dot(x[0], v), torch::vdot(x[0], v), torch::kron(x, y)})
    out << product.grad_fn()->name() << '\n';
  for (const torch::Tensor& reduced : {x.sum(), x.sum(1), x.mean(), x.mean(1), x.prod(), x.prod(1), x.max(), x.min(),
                                       x.norm(), x.norm(2, 1), torch::linalg_vector_norm(x, 2), x.dist(y), x.trace(),
                                       std::get<0>(x.median(1)), std::get<0>(x.mode(1)), std::get<0>(x.kthvalue(2, 1))})
    out << reduced.grad_fn()->name() << '\n';
  for (const torch::Tensor& moved : {x.t(),
                                     x.transpose(0, 1),
                                     x.permute({1, 0}),
                                     x.unsqueeze(0).squeeze(),
                                     torch::stack({x, y}),
                                     x.split(2)[0],
                                     x.chunk(2)[0],
                                     x.split_with_sizes({1, 3})[0],
                                     x.unbind()[0],
                                     x.repeat({2, 1}),
                                     x.tile({2, 1}),
                                     x.rot90(),
                                     x[0].diag_embed(),
                                     x.narrow_copy(0, 0, 2),
                                     x.masked_fill(mask, 0),
                                     x.masked_select(mask),
                                     x.masked_scatter(mask, y),
                                     x.index_select(0, index),
                                     x.index_add(0, index, y),
                                     x.index_copy(0, index, y),
                                     x.index_fill(0, index, 1),
                                     x.put(index, v),
                                     x.take(index),
                                     x.scatter_add(1, index.unsqueeze(0), y),
                                     x.scatter_reduce(1, index.unsqueeze(0), y, "sum")})
    out << moved.grad_fn()->name() << '\n';
  for (const torch::Tensor& mapped :
       {x.clamp(0, 1), x.clamp_min(0.5), x.clamp_max(0.5), torch::hardtanh(x), torch::celu(x), torch::hardshrink(x),
        torch::softshrink(x), torch::rrelu(x), torch::rsub(x, 1), x.rad2deg(), x.deg2rad(), x.sinc(), x.ldexp(y),
        x.renorm(2, 0, 1), torch::special::i0e(x), torch::special::i1(x), torch::special::bessel_j0(x),
        torch::matrix_exp(x)})
    out << mapped.grad_fn()->name() << '\n';
  const auto weight = torch::rand({3, 4, 3}), targets = torch::tensor({0, 1, 2, 3});
  const auto twice = F::InterpolateFuncOptions().scale_factor(std::vector<double>{2, 2});
  for (const torch::Tensor& layer :
       {torch::conv1d(signal, weight),
        torch::max_pool3d(images.unsqueeze(0), 2),
        torch::avg_pool3d(images.unsqueeze(0), 2),
        torch::layer_norm(x, {4}, v, v),
        torch::group_norm(images, 2),
        torch::batch_norm(images, v, v, {}, {}, true, 0.1, 1e-5, false),
        torch::embedding(x, index),
        torch::pixel_shuffle(images, 2),
        torch::im2col(images, {2, 2}, {1, 1}, {0, 0}, {1, 1}),
        F::interpolate(images, F::InterpolateFuncOptions(twice).mode(torch::kNearest)),
        F::interpolate(images, F::InterpolateFuncOptions(twice).mode(torch::kBilinear).align_corners(false)),
        torch::reflection_pad2d(images, {1, 1, 1, 1}),
        torch::replication_pad1d(signal, {1, 1}),
        torch::mse_loss(x, y),
        torch::l1_loss(x, y),
        torch::smooth_l1_loss(x, y),
        torch::huber_loss(x, y),
        torch::binary_cross_entropy(x, y),
        torch::binary_cross_entropy_with_logits(x, y),
        torch::multi_margin_loss(x, targets),
        torch::cross_entropy_loss(x, targets)})
    out << layer.grad_fn()->name() << '\n';
});

/// What requires a gradient, and what asking for it gives.
void show_slope(std::ostream& out, const char* name, const torch::Tensor& x, const torch::Tensor& y) {
  out << name << ": " << y.requires_grad() << '\n';
  if (!y.requires_grad()) return;
  out << y.grad_fn()->name() << '\n';
  x.mutable_grad() = torch::Tensor();
  try {
    y.sum().backward();
    show(out, "grad", x.grad());
  } catch (const std::exception& error) {
    out << "says not implemented: " << (std::string(error.what()).find("not implemented") != std::string::npos) << '\n';
  }
}

const Program without_slope("functions without a slope", [](std::ostream& out) {
  const auto x = torch::tensor({0.25, 0.5, 0.75}, torch::requires_grad());
  const auto y = torch::tensor({0.5, 0.5, 0.5}), square = torch::eye(3) + x;
  show_slope(out, "zeta by its order", x, torch::special::zeta(x + 2, y));
  show_slope(out, "zeta", x, torch::special::zeta(y + 2, x));
  show_slope(out, "igamma by its order", x, torch::igamma(x, y));
  show_slope(out, "igamma", x, torch::igamma(y, x));
  show_slope(out, "igammac by its order", x, torch::igammac(x, y));
  show_slope(out, "nextafter", x, torch::nextafter(x, y));
  show_slope(out, "nextafter of a constant", x, torch::nextafter(y, x));
  show_slope(out, "heaviside", x, torch::heaviside(x - 0.5, y));
  show_slope(out, "values of heaviside", x, torch::heaviside(y - 0.5, x));
  show_slope(out, "bernoulli", x, torch::bernoulli(x));
  show_slope(out, "bernoulli of a number", x, torch::bernoulli(x, 0.5));
  show_slope(out, "poisson", x, torch::poisson(x));
  show_slope(out, "binomial", x, torch::binomial(torch::ones(3), x));
  show_slope(out, "geqrf", x, std::get<0>(torch::geqrf(square)));
  show_slope(out, "ldl_factor", x, std::get<0>(torch::linalg_ldl_factor(square)));
  show_slope(out, "hermite", x, torch::special::hermite_polynomial_h(x, 2));
});

const Program accumulates("gradients accumulate", [](std::ostream& out) {
  auto x = torch::tensor({2.}, torch::requires_grad());
  (x * x).backward();
  (3 * x).backward();
  show(out, "twice", x.grad());
  x.grad().zero_();
  (x * x * x).backward();
  show(out, "zeroed", x.grad());
  x.mutable_grad() = torch::Tensor();
  out << x.grad().defined() << '\n';
  x.mutable_grad() = torch::tensor({5.});
  x.exp().backward();
  show(out, "set", x.grad());
});

const Program retain("retain_graph", [](std::ostream& out) {
  const auto x = torch::tensor({3.}, torch::requires_grad());
  const auto y = x.pow(3);
  y.backward({}, /*retain_graph=*/true);
  y.backward();
  show(out, "grad", x.grad());
  fails<c10::Error>(out, "a third time", "backward through the graph a second time", [&] { y.backward(); });
});

const Program inputs("backward with inputs", [](std::ostream& out) {
  const auto x = torch::tensor({2.}, torch::requires_grad()), w = torch::tensor({5.}, torch::requires_grad());
  const auto y = x * x * w;
  const std::vector<torch::Tensor> only = {w};
  y.backward({}, true, false, only);
  out << x.grad().defined() << w.grad().defined() << '\n';
  y.backward(torch::ones(1), /*retain_graph=*/c10::nullopt, /*create_graph=*/false, std::vector<torch::Tensor>{x});
  show(out, "x", x.grad());
  show(out, "w", w.grad());
});

const Program free_functions("torch::autograd::backward and grad", [](std::ostream& out) {
  const auto x = torch::linspace(0, 1, 3).requires_grad_(), y = torch::ones(3, torch::requires_grad());
  const auto a = (x * y).sum(), b = (x + y).prod();
  torch::autograd::backward({a, b}, {});
  show(out, "x", x.grad());
  show(out, "y", y.grad());
  const auto grads = torch::autograd::grad({(x * x).sum()}, {x, y}, {}, c10::nullopt, false, /*allow_unused=*/true);
  show(out, "by x", grads[0]);
  out << grads[1].defined() << '\n';
  fails<c10::Error>(out, "unused", "appears to not have been used in the graph", [&] {
    torch::autograd::grad({(x * x).sum()}, {x, y});
  });
  torch::autograd::backward({x * 2, y * 3}, {torch::ones(3), torch::full({3}, 2.)});
  show(out, "x", x.grad());
});

const Program twice("gradients of gradients", [](std::ostream& out) {
  const auto x = torch::tensor({1., 2., 3.}, torch::requires_grad());
  const auto y = (x * x * x).sum();
  const auto first = torch::autograd::grad({y}, {x}, {}, true, /*create_graph=*/true)[0];
  const auto second = torch::autograd::grad({first.sum()}, {x}, {}, true, true)[0];
  const auto third = torch::autograd::grad({second.sum()}, {x})[0];
  show(out, "first", first);
  show(out, "second", second);
  show(out, "third", third);
  out << first.requires_grad() << third.requires_grad() << '\n';
});

const Program penalty("a gradient penalty", [](std::ostream& out) {
  auto model = torch::nn::Linear(4, 3);
  {
    torch::NoGradGuard guard;
    model->weight.copy_(torch::linspace(-1, 1, 12).view({3, 4}));
    model->bias.zero_();
  }
  const auto input = torch::linspace(0, 1, 12).view({3, 4}).requires_grad_(true);
  const auto output = model(input);
  const auto loss = torch::nn::MSELoss()(output, torch::ones({3, 3}));
  const auto grad_output = torch::ones_like(loss);
  const auto gradient =
      torch::autograd::grad({loss}, {input}, {grad_output}, /*retain_graph=*/true, /*create_graph=*/true)[0];
  const auto penalty = torch::pow((gradient.norm(2, /*dim=*/1) - 1), 2).mean();
  const auto combined = loss + penalty;
  combined.backward();
  show(out, "penalty", penalty);
  show(out, "grad", input.grad());
  show(out, "weight", model->weight.grad());
});

const Program no_grad("without gradients", [](std::ostream& out) {
  const auto x = torch::ones(2, torch::requires_grad());
  {
    torch::NoGradGuard no_grad;
    out << (x * 2).requires_grad() << torch::GradMode::is_enabled() << '\n';
    torch::AutoGradMode enable(true);
    out << (x * 2).requires_grad() << torch::GradMode::is_enabled() << '\n';
  }
  out << (x * 2).requires_grad() << x.detach().requires_grad() << (x * 2).detach().is_leaf() << '\n';
  torch::GradMode::set_enabled(false);
  out << (x * 2).requires_grad() << '\n';
  torch::GradMode::set_enabled(true);
  auto y = torch::ones(2);
  y.requires_grad_(true);
  y.set_requires_grad(false);
  out << y.requires_grad() << '\n';
  fails<c10::Error>(out, "integers", "Only Tensors of floating point",
                    [] { torch::ones(2, torch::kInt64).requires_grad_(); });
});

const Program inference("inference mode", [](std::ostream& out) {
  const auto x = torch::ones(2, torch::requires_grad());
  torch::Tensor y;
  {
    torch::InferenceMode guard;
    y = x * 2;
    out << y.is_inference() << y.requires_grad() << c10::InferenceMode::is_enabled() << '\n';
  }
  out << y.is_inference() << x.is_inference() << c10::InferenceMode::is_enabled() << '\n';
  fails<c10::Error>(out, "saved", "Inference tensors cannot be saved for backward", [&] { x* y; });
  const auto z = y.clone();
  out << z.is_inference() << (x * z).requires_grad() << '\n';
});

const Program hooks("hooks on tensors", [](std::ostream& out) {
  auto v = torch::zeros({3}, torch::requires_grad());
  const auto handle = v.register_hook([](torch::Tensor grad) { return grad * 2; });
  v.backward(torch::tensor({1., 2., 3.}));
  show(out, "doubled", v.grad());
  v.remove_hook(handle);
  v.mutable_grad().reset();
  static int seen = 0;
  v.register_hook([](const torch::Tensor& grad) -> void { seen = static_cast<int>(grad.sum().item<double>()); });
  v.backward(torch::tensor({1., 2., 3.}));
  show(out, "only seen", v.grad());
  out << seen << '\n';
});

const Program retained("retain_grad", [](std::ostream& out) {
  const auto x = torch::tensor({1., 2.}, torch::requires_grad());
  auto y = x * 3;
  y.retain_grad();
  y.pow(2).sum().backward();
  show(out, "y", y.grad());
  show(out, "x", x.grad());
  out << y.retains_grad() << x.retains_grad() << '\n';
  fails<c10::Error>(out, "no grad", "", [] { torch::ones(1).retain_grad(); });
});

class LinearFunction : public torch::autograd::Function<LinearFunction> {
 public:
  static torch::Tensor forward(AutogradContext* ctx, torch::Tensor input, torch::Tensor weight,
                               torch::Tensor bias = torch::Tensor()) {
    ctx->save_for_backward({input, weight, bias});
    auto output = input.mm(weight.t());
    if (bias.defined()) output += bias.unsqueeze(0).expand_as(output);
    return output;
  }
  static variable_list backward(AutogradContext* ctx, variable_list grad_outputs) {
    const auto saved = ctx->get_saved_variables();
    const auto input = saved[0], weight = saved[1], bias = saved[2];
    const auto grad = grad_outputs[0];
    torch::Tensor grad_bias;
    if (bias.defined()) grad_bias = grad.sum(0);
    return {grad.mm(weight), grad.t().mm(input), grad_bias};
  }
};

const Program custom("a custom function", [](std::ostream& out) {
  const auto x = torch::linspace(0, 1, 6).view({2, 3}).requires_grad_(),
             w = torch::linspace(-1, 1, 12).view({4, 3}).requires_grad_();
  auto y = LinearFunction::apply(x, w);
  y.sum().backward();
  show(out, "x", x.grad());
  show(out, "w", w.grad());
  const auto b = torch::zeros(4, torch::requires_grad());
  (LinearFunction::apply(x, w, b) * 2).sum().backward();
  show(out, "b", b.grad());
});

class MulConstant : public torch::autograd::Function<MulConstant> {
 public:
  static torch::Tensor forward(AutogradContext* ctx, torch::Tensor tensor, double constant) {
    ctx->saved_data["constant"] = constant;
    return tensor * constant;
  }
  static variable_list backward(AutogradContext* ctx, variable_list grad_outputs) {
    return {grad_outputs[0] * ctx->saved_data["constant"].toDouble(), torch::Tensor()};
  }
};

const Program constant("a custom function with a number", [](std::ostream& out) {
  const auto x = torch::tensor({1., 2.}, torch::requires_grad());
  const auto y = MulConstant::apply(x, 5.5);
  y.sum().backward();
  show(out, "y", y);
  show(out, "grad", x.grad());
});

class TwoOutputs : public torch::autograd::Function<TwoOutputs> {
 public:
  static variable_list forward(AutogradContext* ctx, const torch::Tensor& x) {
    const auto sign = x.sign();
    ctx->mark_non_differentiable({sign});
    ctx->save_for_backward({x});
    return {x * x, sign};
  }
  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    return {2 * ctx->get_saved_variables()[0] * grads[0]};
  }
};

const Program two_outputs("a custom function with two outputs", [](std::ostream& out) {
  const auto x = torch::tensor({-1., 2.}, torch::requires_grad());
  const auto y = TwoOutputs::apply(x);
  out << y.size() << y[0].requires_grad() << y[1].requires_grad() << '\n';
  y[0].sum().backward();
  show(out, "grad", x.grad());
  const auto first = torch::autograd::grad({TwoOutputs::apply(x)[0].sum()}, {x}, {}, true, true)[0];
  show(out, "second", torch::autograd::grad({first.sum()}, {x})[0]);
});

class Double_ : public torch::autograd::Function<Double_> {
 public:
  static torch::Tensor forward(AutogradContext* ctx, torch::Tensor x) {
    x.mul_(2);
    ctx->mark_dirty({x});
    return x;
  }
  static variable_list backward(AutogradContext*, variable_list grads) { return {grads[0] * 2}; }
};

const Program dirty("a custom function in place", [](std::ostream& out) {
  const auto x = torch::tensor({1., 2.}, torch::requires_grad());
  auto y = x.clone();
  auto z = Double_::apply(y);
  (z * z).sum().backward();
  show(out, "y", y);
  show(out, "grad", x.grad());
});

const Program in_place("in place ops and gradients", [](std::ostream& out) {
  const auto x = torch::tensor({1., 2., 3.}, torch::requires_grad());
  auto y = x * 2;
  y.add_(1).mul_(3);
  y[0] = 10;
  y.sum().backward();
  show(out, "grad", x.grad());
  fails<c10::Error>(out, "a leaf", "a leaf Variable that requires grad", [&] { x.add_(1); });
  fails<c10::Error>(out, "saved", "modified by an inplace operation", [&] {
    auto z = x.exp();
    z.add_(1);
    z.sum().backward();
  });
  {
    torch::NoGradGuard guard;
    x.add_(1);
  }
  x.data().mul_(2);
  show(out, "x", x);
});

const Program graph("the graph", [](std::ostream& out) {
  const auto x = torch::ones(2, torch::requires_grad()), w = torch::ones(2, torch::requires_grad());
  const auto y = (x * w).sum();
  const auto node = y.grad_fn();
  out << node->name() << ' ' << node->num_inputs() << ' ' << node->num_outputs() << '\n';
  const auto& edges = node->next_edges();
  out << edges.size() << ' ' << edges[0].function->name() << ' ' << edges[0].input_nr << edges[0].is_valid() << '\n';
  for (const auto& edge : edges[0].function->next_edges())
    out << (edge.function->name().find("AccumulateGrad") != std::string::npos) << edge.function->next_edges().size()
        << '\n';
});

const Program anomaly("anomaly mode", [](std::ostream& out) {
  torch::autograd::DetectAnomalyGuard guard;
  const auto x = torch::tensor({-1.}, torch::requires_grad());
  fails<c10::Error>(out, "sqrt", "returned nan values", [&] { x.sqrt().backward(); });
  (x * 2).backward();
  show(out, "grad", x.grad());
});

const Program through("gradients through many ops", [](std::ostream& out) {
  const auto x = torch::linspace(0.1, 1.2, 6).view({2, 3}).requires_grad_();
  const auto y = torch::cat({x.exp(), x.log()}, 0).matmul(x.t()).softmax(1);
  const auto z = y.index({torch::indexing::Slice(1, 3)}).std() + x.max() + x.prod(1).sum() + x.sigmoid().tanh().mean();
  z.backward();
  show(out, "z", z);
  show(out, "grad", x.grad());
  const auto values = std::get<0>(torch::sort(x.flatten(), 0, true));
  const auto g =
      torch::autograd::grad({(values * torch::arange(6)).sum() + torch::where(x > 0.5, x, x * 2).sum()}, {x})[0];
  show(out, "sort", g);
});

const Program complex_grad("gradients of complex numbers", [](std::ostream& out) {
  const auto z = torch::complex(torch::tensor({1., 2.}), torch::tensor({3., -1.})).requires_grad_();
  torch::real(z * z.conj()).sum().backward();
  show(out, "grad", z.grad());
  z.mutable_grad() = torch::Tensor();
  z.exp().abs().sum().backward();
  show(out, "exp", z.grad());
});

const Program views_grad("gradients of views", [](std::ostream& out) {
  const auto base = torch::zeros({2, 3}, torch::requires_grad());
  auto x = base * 1;
  auto row = x[0];
  row.add_(torch::arange(3));
  x.t()[2].mul_(4);
  (x * x).sum().backward();
  show(out, "x", x);
  show(out, "grad", base.grad());
  out << row.grad_fn()->name().empty() << x.is_view() << row.is_view() << '\n';
});

}  // namespace
}  // namespace programs::autograd
