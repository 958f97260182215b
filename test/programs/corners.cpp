// Corners of the library that everyday programs turn: sizes in arrays, equations, masks, plateaus, packed sequences.
#include <torch/csrc/autograd/VariableTypeUtils.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "test/programs/programs.h"

namespace {
/// An example with a weight beside its target.
struct Weighted {
  torch::Tensor data, target;
  double weight = 1;
};
}  // namespace

namespace torch::data::transforms {
template <>
struct Stack<Weighted> : Collation<Weighted> {
  Weighted apply_batch(std::vector<Weighted> examples) override {
    Weighted batch{examples[0].data, examples[0].target, 0};
    std::vector<torch::Tensor> data, targets;
    for (const Weighted& example : examples) {
      data.push_back(example.data);
      targets.push_back(example.target);
      batch.weight += example.weight;
    }
    return {torch::stack(data), torch::stack(targets), batch.weight};
  }
};
}  // namespace torch::data::transforms

namespace programs {
namespace {

namespace F = torch::nn::functional;

torch::Tensor ramp(torch::IntArrayRef sizes) {
  int64_t n = 1;
  for (const int64_t size : sizes) n *= size;
  return torch::linspace(-1, 1, n, torch::kFloat64).reshape(sizes);
}

const Program names_in_place("nodes of writes in place", [](std::ostream& out) {
  const auto x = torch::rand({2, 3}).requires_grad_(), c = torch::rand({3}, torch::kComplexFloat).requires_grad_();
  const auto written = [&](const char* name, auto write) {
    torch::Tensor y = x * 1;
    write(y);
    out << name << ' ' << y.grad_fn()->name() << '\n';
  };
  written("zero_", [](torch::Tensor& y) { y.zero_(); });
  written("copy_", [&](torch::Tensor& y) { y.copy_(x); });
  written("normal_", [](torch::Tensor& y) { y.normal_(); });
  written("uniform_", [](torch::Tensor& y) { y.uniform_(); });
  written("bernoulli_", [](torch::Tensor& y) { y.bernoulli_(0.5); });
  written("exponential_", [](torch::Tensor& y) { y.exponential_(); });
  written("random_", [](torch::Tensor& y) { y.random_(); });
  written("cauchy_", [](torch::Tensor& y) { y.cauchy_(); });
  written("log_normal_", [](torch::Tensor& y) { y.log_normal_(); });
  written("geometric_", [](torch::Tensor& y) { y.geometric_(0.5); });
  written("masked_fill_", [&](torch::Tensor& y) { y.masked_fill_(x > 0, 1); });
  written("t_", [](torch::Tensor& y) { y.t_(); });
  written("transpose_", [](torch::Tensor& y) { y.transpose_(0, 1); });
  written("unsqueeze_", [](torch::Tensor& y) { y.unsqueeze_(0); });
  written("squeeze_", [](torch::Tensor& y) { y.squeeze_(0); });
  written("a row", [](torch::Tensor& y) { y[0].zero_(); });
  written("a random row", [](torch::Tensor& y) { y[0].normal_(); });
  written("an index", [](torch::Tensor& y) { y.index_put_({0}, 1.0); });
  const auto square = torch::rand({3, 3}).requires_grad_();
  for (const torch::Tensor& made :
       {torch::angle(x), torch::angle(c), torch::select_scatter(x, x[0], 0, 1), torch::diagonal_scatter(square, x[0]),
        torch::slice_scatter(x, x.slice(0, 0, 1), 0, 1, 2), torch::einsum("ij,jk->ik", {x, square}),
        torch::einsum("bij,bjk->bik", {x.unsqueeze(0), square.unsqueeze(0)}), torch::einsum("ij,ij->ij", {x, x}),
        torch::einsum("ij->", {x}), torch::einsum("ii->i", {square}), torch::einsum("ij->ji", {x})})
    out << made.grad_fn()->name() << '\n';
  torch::nn::LSTM lstm(3, 4);
  const auto [all, last] = lstm(torch::rand({5, 2, 3}));
  out << all.grad_fn()->name() << ' ' << std::get<0>(last).grad_fn()->name() << '\n';
});

const Program arrays("sizes in std::array", [](std::ostream& out) {
  const std::array<int64_t, 2> kernel = {3, 2}, stride = {2, 1}, padding = {1, 0}, dilation = {1, 2};
  torch::nn::Conv2d conv(torch::nn::Conv2dOptions(2, 4, kernel).stride(stride).padding(padding).dilation(dilation));
  out << conv << '\n' << conv(torch::ones({1, 2, 7, 9})).sizes() << '\n';
  torch::nn::ConvTranspose2d back(torch::nn::ConvTranspose2dOptions(4, 2, kernel).stride(stride).padding(padding));
  out << back << '\n' << back(torch::ones({1, 4, 5, 5})).sizes() << '\n';
  torch::nn::MaxPool2d pool(torch::nn::MaxPool2dOptions(kernel).stride(stride).padding(padding));
  out << pool << '\n' << pool(torch::ones({1, 1, 8, 8})).sizes() << '\n';
  const auto functional = F::Conv2dFuncOptions().stride(stride).padding(padding);
  out << F::conv2d(torch::ones({1, 2, 7, 9}), conv->weight, functional).sizes() << '\n';
  out << torch::zeros(kernel).sizes() << torch::ones({2, 3}).reshape(stride[0] == 2 ? kernel : stride).sizes() << '\n';
});

const Program equations("equations of einsum", [](std::ostream& out) {
  const auto a = ramp({2, 3, 4}).requires_grad_(), b = ramp({2, 4, 5}), v = ramp({5}), square = ramp({3, 3});
  show(out, "batched", torch::einsum("bij,bjk->bik", {a, b}));
  show(out, "ellipsis", torch::einsum("...ij,...jk->...ik", {a, b}));
  show(out, "implicit", torch::einsum("ij,jk", {square, square}));
  show(out, "spaces", torch::einsum("b i j, b j k, k -> b i", {a, b, v}));
  show(out, "trace", torch::einsum("ii", {square}));
  show(out, "outer", torch::einsum("i,j->ij", {v, v}));
  show(out, "upper", torch::einsum("Bij->jBi", {a}));
  show(out, "broadcast", torch::einsum("...i,i->...", {b, v}));
  const auto loss = torch::einsum("bij,bkj->", {a, a});
  loss.backward();
  show(out, "grad", a.grad());
  fails(out, "sizes", "einsum", [&] { torch::einsum("ij,jk->ik", {a[0], a[0]}); });
});

const Program masks("masks of attention", [](std::ostream& out) {
  const auto q = ramp({1, 2, 3, 4}), k = ramp({1, 2, 5, 4}), v = torch::sin(k * 3);
  const auto allowed = torch::tensor({{1, 0, 1, 1, 0}, {0, 1, 1, 0, 0}, {1, 1, 1, 1, 1}}, torch::kBool);
  show(out, "bool", torch::scaled_dot_product_attention(q, k, v, allowed));
  show(out, "float", torch::scaled_dot_product_attention(q, k, v, ramp({3, 5})));
  show(out, "causal", torch::scaled_dot_product_attention(q, q, q, {}, 0.0, true));
  show(out, "scale", torch::scaled_dot_product_attention(q, k, v, {}, 0.0, false, 0.1));
  torch::nn::MultiheadAttention heads(torch::nn::MultiheadAttentionOptions(4, 2));
  torch::NoGradGuard no_grad;
  for (auto& p : heads->named_parameters()) p.value().copy_(ramp(p.value().sizes()));
  const auto x = ramp({3, 2, 4}).to(torch::kFloat);
  const auto padded = torch::tensor({{0, 0, 1}, {0, 0, 0}}, torch::kBool);
  const auto later = torch::nn::TransformerImpl::generate_square_subsequent_mask(3);
  auto [y, weights] = heads(x, x, x, padded, true, later);
  show(out, "heads", y);
  show(out, "weights", weights);
  const auto [z, all] = heads(x, x, x, torch::Tensor(), true, torch::Tensor(), false);
  show(out, "all heads", all);
  const auto [only, none] = heads(x, x, x, torch::Tensor(), false);
  out << only.sizes() << none.defined() << '\n';
  out << later << '\n';
});

const Program plateau("rates that fall on plateaus", [](std::ostream& out) {
  const auto w = torch::ones({2}).requires_grad_();
  torch::optim::SGD sgd({w}, torch::optim::SGDOptions(1.0));
  using Scheduler = torch::optim::ReduceLROnPlateauScheduler;
  Scheduler falls(sgd, Scheduler::min, 0.5, 1, 1e-3, Scheduler::rel, 1, {0.1}, 1e-8, false);
  for (const double loss : {1.0, 0.9, 0.9, 0.95, 0.8999, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2}) {
    falls.step(loss);
    out << sgd.param_groups()[0].options().get_lr() << ' ';
  }
  out << '\n';
});

const Program scores("rates that fall where scores do not rise", [](std::ostream& out) {
  torch::optim::SGD sgd({torch::ones({2}).requires_grad_()}, torch::optim::SGDOptions(1.0));
  using Scheduler = torch::optim::ReduceLROnPlateauScheduler;
  Scheduler rises(sgd, Scheduler::max, 0.1, 0, 0.1, Scheduler::abs);
  for (const double score : {1.0, 1.05, 1.2, 1.0}) {
    rises.step(score);
    out << sgd.param_groups()[0].options().get_lr() << ' ';
  }
  out << '\n';
});

const Program bool_masks("heads under masks that are bools", [](std::ostream& out) {
  torch::nn::MultiheadAttention heads(torch::nn::MultiheadAttentionOptions(4, 2));
  torch::NoGradGuard no_grad;
  for (auto& p : heads->named_parameters()) p.value().copy_(ramp(p.value().sizes()));
  const auto x = ramp({3, 2, 4}).to(torch::kFloat), later = torch::ones({3, 3}, torch::kBool).triu(1);
  show(out, "weights", std::get<1>(heads(x, x, x, torch::Tensor(), true, later)));
});

const Program unsorted("packed sequences out of order", [](std::ostream& out) {
  namespace rnn = torch::nn::utils::rnn;
  const std::vector<torch::Tensor> lines = {ramp({2, 2}), ramp({4, 2}), ramp({3, 2})};
  const auto padded = rnn::pad_sequence(lines, false, -5);
  show(out, "padded", padded);
  const auto lengths = torch::tensor({2, 4, 3});
  const auto packed = rnn::pack_padded_sequence(padded, lengths, false, false);
  show(out, "data", packed.data());
  show(out, "batch sizes", packed.batch_sizes());
  show(out, "sorted", packed.sorted_indices());
  show(out, "unsorted", packed.unsorted_indices());
  const auto [again, counted] = rnn::pad_packed_sequence(packed, true, 7, 6);
  show(out, "again", again);
  show(out, "counted", counted);
  const auto from_list = rnn::pack_sequence(lines, false);
  out << torch::equal(from_list.data(), packed.data()) << packed.is_cuda() << '\n';
  torch::nn::GRU gru(torch::nn::GRUOptions(2, 3).bidirectional(true));
  gru->to(torch::kFloat64);
  torch::NoGradGuard no_grad;
  for (auto& p : gru->named_parameters()) p.value().copy_(ramp(p.value().sizes()));
  const auto [y, h] = gru->forward_with_packed_input(packed);
  show(out, "outputs", std::get<0>(rnn::pad_packed_sequence(y)));
  show(out, "last", h);
  fails(out, "order", "sorted", [&] { rnn::pack_padded_sequence(padded, lengths); });
});

/// Splits numbers by sign; the third output, which says where, has no gradient.
struct BySign : torch::autograd::Function<BySign> {
  static torch::autograd::variable_list forward(torch::autograd::AutogradContext* ctx, const torch::Tensor& x,
                                                double factor, bool flip) {
    const auto positive = (x > 0) != flip;
    ctx->save_for_backward({positive});
    ctx->saved_data["factor"] = factor;
    ctx->set_materialize_grads(false);
    ctx->mark_non_differentiable({positive});
    return {x * positive, x * ~positive * factor, positive};
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 torch::autograd::variable_list grads) {
    const auto positive = ctx->get_saved_variables()[0];
    auto grad = torch::zeros(positive.sizes(), torch::kFloat64);
    if (grads[0].defined()) grad += grads[0] * positive;
    if (grads[1].defined()) grad += grads[1] * ~positive * ctx->saved_data["factor"].toDouble();
    return {grad, torch::Tensor(), torch::Tensor()};
  }
};

const Program by_sign("a function of three outputs", [](std::ostream& out) {
  const auto x = ramp({4}).requires_grad_();
  const auto parts = BySign::apply(x, 3.0, false);
  for (const auto& part : parts) show(out, part.requires_grad() ? "part" : "mask", part);
  out << parts[0].grad_fn()->name().empty() << (parts[0].grad_fn() == parts[1].grad_fn()) << '\n';
  (parts[1] * 2).sum().backward({}, true);
  show(out, "second", x.grad());
  parts[0].sum().backward();
  show(out, "both", x.grad());
  const auto flipped = torch::autograd::grad({BySign::apply(x, 1.0, true)[0].sum()}, {x});
  show(out, "flipped", flipped[0]);
});

const Program flattened("tensors of all arguments", [](std::ostream& out) {
  const auto x = torch::ones({1}), y = torch::ones({2});
  const std::optional<torch::Tensor> there = torch::ones({3}), absent;
  const std::vector<torch::Tensor> list = {y, x};
  for (const torch::Tensor& t : torch::autograd::flatten_tensor_args(x, absent, list, there, y)) out << t.sizes();
  out << torch::autograd::flatten_tensor_args(absent).size() << '\n';
});

const Program ctc("CTC losses of lines", [](std::ostream& out) {
  const auto scores = ramp({6, 2, 4}).mul(5).sin().requires_grad_();
  const auto targets = torch::tensor({1, 2, 3, 3, 3}), lengths = torch::tensor({6, 4}), counts = torch::tensor({3, 2});
  for (const bool zero : {false, true}) {
    torch::nn::CTCLoss loss(torch::nn::CTCLossOptions().reduction(torch::kSum).zero_infinity(zero));
    const auto value = loss(scores.log_softmax(2), targets, lengths, counts);
    show(out, "sum", value);
    show(out, "grad", torch::autograd::grad({value}, {scores})[0]);
  }
  const auto rows = torch::tensor({{1, 2, 3}, {3, 3, 0}});
  show(out, "rows", torch::ctc_loss(scores.log_softmax(2), rows, lengths, counts, 0, at::Reduction::None));
  const auto too_long = torch::tensor({6, 2});
  show(out, "impossible", torch::ctc_loss(scores.log_softmax(2), rows, too_long, counts, 0, at::Reduction::None));
  show(out, "mean", torch::ctc_loss(scores.log_softmax(2), rows, too_long, counts, 0, at::Reduction::Mean, true));
});

const Program counting("counts, bins and runs", [](std::ostream& out) {
  const auto x = torch::tensor({3, 1, 1, 2, 2, 2, 5, 3});
  show(out, "bincount", x.bincount({}, 8));
  show(out, "weighted", x.bincount(ramp({8})));
  const auto [runs, inverse, counts] = torch::unique_consecutive(x, true, true);
  show(out, "runs", runs);
  show(out, "inverse", inverse);
  show(out, "counts", counts);
  const auto [rows, which, many] = torch::unique_dim(torch::tensor({{1, 2}, {0, 3}, {1, 2}}), 0, true, true, true);
  show(out, "rows", rows);
  show(out, "which", which);
  show(out, "many", many);
  const auto edges = torch::tensor({1.0, 2.0, 4.0});
  show(out, "bucketize", torch::bucketize(x.to(torch::kFloat), edges));
  show(out, "right", torch::searchsorted(edges, x.to(torch::kFloat), false, true));
  show(out, "histc", x.to(torch::kFloat).histc(4, 1, 5));
  const auto [heights, bins] = torch::histogram(x.to(torch::kFloat), 3);
  show(out, "heights", heights);
  show(out, "bins", bins);
  const auto index = torch::tensor({0, 1, 0, 2, 1, 2, 0, 2}), source = ramp({8});
  const auto zeros = torch::zeros({3}, torch::kFloat64);
  for (const char* how : {"prod", "mean", "amax", "amin"}) {
    show(out, how, zeros.index_reduce(0, index, source, how, false));
    if (std::string(how) != "mean") show(out, how, (zeros + 2).scatter_reduce(0, index, source, how));
  }
});

const Program calculus("differences, integrals and grids", [](std::ostream& out) {
  const auto x = torch::linspace(0, 2, 6, torch::kFloat64), y = x.square();
  show(out, "diff", y.diff(2));
  show(out, "trapezoid", torch::trapezoid(y, x));
  show(out, "cumulative", torch::cumulative_trapezoid(y, 0.4));
  show(out, "gradient", torch::gradient(y, at::Scalar(0.4), 0)[0]);
  show(out, "roll", ramp({2, 3}).roll({1, -1}, {0, 1}));
  const auto grid = torch::meshgrid({torch::arange(2), torch::arange(3)}, "xy");
  show(out, "grid", grid[0] * 10 + grid[1]);
  show(out, "product", torch::cartesian_prod({torch::arange(2), torch::arange(2)}));
  show(out, "pairs", torch::combinations(torch::arange(4), 2));
  show(out, "block", torch::block_diag({torch::ones({1, 2}), torch::full({2, 1}, 3.0)}));
  show(out, "vander", torch::vander(torch::tensor({1, 2, 3})));
  show(out, "cov", torch::cov(ramp({2, 3}).sin()));
  show(out, "corrcoef", torch::corrcoef(torch::stack({x, y})));
  show(out, "quantile", torch::quantile(y, torch::tensor({0.25, 0.5}, torch::kFloat64)));
  show(out, "cdist", torch::cdist(ramp({2, 2}), ramp({3, 2}), 1));
  show(out, "pdist", torch::pdist(ramp({3, 2})));
  show(out, "renorm", ramp({2, 3}).renorm(2, 0, 0.5));
  show(out, "tensordot", torch::tensordot(ramp({2, 3}), ramp({3, 2}), {1, 0}, {0, 1}));
  show(out, "multi_dot", torch::linalg_multi_dot({ramp({2, 3}), ramp({3, 2}), ramp({2, 2})}));
  show(out, "tensorsolve", torch::linalg_tensorsolve(torch::eye(4, torch::kFloat64).reshape({2, 2, 4}), ramp({2, 2})));
  show(out, "power", torch::linalg_matrix_power(torch::eye(2, torch::kFloat64) * 2 + ramp({2, 2}), -2));
});

const Program extended("modules put together at run time", [](std::ostream& out) {
  torch::nn::Sequential net(torch::nn::Linear(2, 3));
  const std::vector<torch::nn::AnyModule> more = {torch::nn::AnyModule(torch::nn::Tanh()),
                                                  torch::nn::AnyModule(torch::nn::Linear(3, 1))};
  net->extend(more);
  out << net << net->size() << '\n';
  torch::nn::AnyModule any(torch::nn::Linear(2, 2)), copy = any.clone();
  out << any.is_empty() << (any.ptr() == copy.ptr()) << (any.type_info() == typeid(torch::nn::LinearImpl)) << '\n';
  torch::NoGradGuard no_grad;
  for (auto& p : any.ptr()->parameters()) p.fill_(0.5);
  show(out, "any", any.forward(torch::ones({1, 2})));
  out << any.get<torch::nn::Linear>()->options.in_features() << torch::nn::AnyModule().is_empty() << '\n';
  fails<c10::Error>(out, "wrong", "expected", [&] { any.get<torch::nn::Conv2d>(); });
  torch::nn::ModuleDict parts;
  parts->update({{"first", torch::nn::Linear(1, 1).ptr()}, {"second", more[0].ptr()}});
  for (const auto& item : parts->items()) out << item.first << ' ' << item.second->name() << '\n';
  out << parts->contains("first") << parts->pop("first")->name() << parts->size() << parts->keys() << '\n';
});

struct WeightedLines : torch::data::Dataset<WeightedLines, Weighted> {
  Weighted get(size_t i) override { return {torch::full({2}, double(i)), torch::tensor(int64_t(i)), 0.5 * double(i)}; }
  std::optional<size_t> size() const override { return 5; }
};

const Program stacked("a Stack of examples of one's own", [](std::ostream& out) {
  auto loader = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(
      WeightedLines().map(torch::data::transforms::Stack<Weighted>()), torch::data::DataLoaderOptions(2));
  for (const Weighted& batch : *loader) {
    show(out, "data", batch.data);
    show(out, "target", batch.target);
    out << batch.weight << '\n';
  }
  torch::data::transforms::Stack<> usual;
  show(out, "usual",
       usual.apply_batch({{torch::ones({2}), torch::zeros({1})}, {torch::ones({2}), torch::ones({1})}}).target);
});

const Program nested("archives in archives", [](std::ostream& out) {
  std::stringstream stream;
  {
    torch::serialize::OutputArchive archive, inner, deepest;
    deepest.write("x", torch::arange(3));
    inner.write("deepest", deepest);
    inner.write("y", torch::ones({2}), true);
    archive.write("inner", inner);
    archive.write("epoch", c10::IValue(int64_t{7}));
    archive.write("name", c10::IValue("net"));
    archive.write("rate", c10::IValue(0.5));
    archive.save_to(stream);
  }
  torch::serialize::InputArchive archive, inner, deepest;
  archive.load_from(stream);
  std::vector<std::string> keys = archive.keys();
  std::sort(keys.begin(), keys.end());
  for (const std::string& key : keys) out << key << ' ';
  archive.read("inner", inner);
  inner.read("deepest", deepest);
  torch::Tensor x, y;
  deepest.read("x", x);
  inner.read("y", y, true);
  show(out, "x", x);
  show(out, "y", y);
  c10::IValue epoch, name, rate;
  archive.read("epoch", epoch);
  archive.read("name", name);
  archive.read("rate", rate);
  out << epoch.toInt() << name.toStringRef() << rate.toDouble() << '\n';
  out << archive.try_read("missing", x) << archive.try_read("missing", epoch) << inner.try_read("y", y, true) << '\n';
  fails(out, "read", "missing", [&] { archive.read("missing", x); });
});

/// Halves its argument, and gives its gradient in a shape that the argument never had.
struct Misshapen : torch::autograd::Function<Misshapen> {
  static torch::Tensor forward(torch::autograd::AutogradContext*, torch::Tensor x) { return x / 2; }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext*, torch::autograd::variable_list) {
    return {torch::ones({7})};
  }
};

const Program complaints("complaints of braces and gradients", [](std::ostream& out) {
  fails(out, "ragged", "Expected all sub-lists to have sizes: 2 (e.g. {1, 2}), but got sub-list {3} with sizes: 1", [] {
    torch::tensor({{1, 2}, {3}});
  });
  fails(out, "ragged pairs", "(e.g. {{1.5}, {2}}), but got sub-list {{3}} with sizes: 1 1", [] {
    torch::tensor({{{1.5}, {2.0}}, {{3.0}}});
  });
  fails(out, "mixed", "Expected all elements of the tensor to have the same scalar type", [] {
    torch::tensor({{1, 2.5}});
  });
  using torch::detail::TensorDataContainer;
  fails(out, "list", "Can only call `init_list()` on a TensorDataContainer that has `is_init_list() == true`",
        [] { TensorDataContainer(2.5).init_list(); });
  fails(out, "number", "Can only call `scalar()`", [] { TensorDataContainer({1, 2}).scalar(); });
  fails(out, "tensor", "Can only call `tensor()`", [] { TensorDataContainer({1, 2}).tensor(); });
  const torch::Tensor x = torch::ones({2, 3}, torch::requires_grad());
  fails(out, "gradient", "returned an invalid gradient at index 0 - got",
        [&] { Misshapen::apply(x).sum().backward(); });
});

const Program inference("tensors of inference mode alone are not recorded", [](std::ostream& out) {
  torch::Tensor x, y;
  {
    c10::InferenceMode guard;
    x = torch::ones({2, 3}).set_requires_grad(true);
    y = torch::full({3}, 2.0);
  }
  const torch::Tensor product = x * y, view = x.view({3, 2}), normal = torch::ones({2, 3}, torch::requires_grad());
  show(out, "product", product);
  out << product.requires_grad() << product.is_inference() << view.requires_grad() << view.is_inference() << '\n';
  fails(out, "in place", "Inplace update to inference tensor outside InferenceMode", [&] { x.mul_(2); });
  fails(out, "saved", "Inference tensors cannot be saved for backward", [&] { x* normal; });
  (x + normal).sum().backward();
  show(out, "its gradient", x.grad());
});

const Program places("iterators of two epochs", [](std::ostream& out) {
  auto data = torch::data::datasets::TensorDataset(torch::arange(4))
                  .map(torch::data::transforms::Stack<torch::data::TensorExample>());
  auto loader = torch::data::make_data_loader(std::move(data), 4);
  auto first = loader->begin(), second = loader->begin();
  out << (first == second) << (first == first) << '\n';
  show(out, "all", second->data.sum());
  out << (first == second) << (second == loader->end()) << '\n';
  ++second;
  out << (second == loader->end()) << '\n';
  fails(out, "read", "Attempted to dereference iterator that was past the end", [&] { *second; });
  fails(out, "step", "Attempted to increment iterator past the end", [&] { ++second; });
  fails(out, "read the end", "Dereferencing the DataLoader's past-the-end iterator is not allowed",
        [&] { *loader->end(); });
  auto end = loader->end();
  fails(out, "step beyond", "Incrementing the DataLoader's past-the-end iterator is not allowed", [&] { ++end; });
});

}  // namespace
}  // namespace programs
