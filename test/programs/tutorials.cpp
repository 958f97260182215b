// What libtorch's pages of documentation show: custom functions, hooks, archives, datasets, schedules, indexing.
#include <sstream>

#include "test/programs/filling.h"
#include "test/programs/programs.h"

namespace programs::tutorials {
namespace {

namespace nn = torch::nn;
using torch::indexing::None;
using torch::indexing::Slice;

struct LinearFunction : torch::autograd::Function<LinearFunction> {
  static torch::Tensor forward(torch::autograd::AutogradContext* ctx, torch::Tensor x, torch::Tensor w,
                               torch::Tensor b = torch::Tensor()) {
    ctx->save_for_backward({x, w, b});
    auto y = x.mm(w.t());
    if (b.defined()) y += b.unsqueeze(0).expand_as(y);
    return y;
  }
  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* ctx,
                                               torch::autograd::tensor_list grads) {
    const auto saved = ctx->get_saved_variables();
    torch::Tensor of_bias;
    if (saved[2].defined()) of_bias = grads[0].sum(0);
    return {grads[0].mm(saved[1]), grads[0].t().mm(saved[0]), of_bias};
  }
};

const Program custom("a linear function of one's own", [](std::ostream& out) {
  const auto x = waves({2, 3}).requires_grad_(), w = waves({4, 3}, 0.9).requires_grad_();
  const auto b = waves({4}, 1.1).requires_grad_();
  LinearFunction::apply(x, w, b).pow(2).sum().backward();
  show(out, "x", x.grad());
  show(out, "w", w.grad());
  show(out, "b", b.grad());
});

struct Exp : torch::autograd::Function<Exp> {
  static torch::Tensor forward(torch::autograd::AutogradContext* ctx, torch::Tensor x, double scale) {
    const auto y = (x * scale).exp();
    ctx->saved_data["scale"] = scale;
    ctx->save_for_backward({y});
    return y;
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 torch::autograd::variable_list grads) {
    return {grads[0] * ctx->get_saved_variables()[0] * ctx->saved_data["scale"].toDouble(), torch::Tensor()};
  }
};

const Program penalty("a penalty on gradients", [](std::ostream& out) {
  const auto x = torch::tensor({0.1, -0.4}, torch::requires_grad());
  const auto y = Exp::apply(x, 2.0);
  const auto grad = torch::autograd::grad({y.sum()}, {x}, {}, /*retain_graph=*/true, /*create_graph=*/true)[0];
  (grad.norm(2) - 1).pow(2).backward();
  show(out, "grad", grad);
  show(out, "x", x.grad());
});

const Program hooks("hooks on tensors", [](std::ostream& out) {
  const auto x = waves({3}).requires_grad_();
  auto y = x * 3;
  const auto handle = y.register_hook([&](torch::Tensor grad) { return grad * 2; });
  y.register_hook([&](torch::Tensor grad) { show(out, "seen", grad); });
  y.retain_grad();
  y.sum().backward({}, /*keep_graph=*/true);
  show(out, "x", x.grad());
  y.remove_hook(handle);
  x.mutable_grad() = torch::Tensor();
  y.sum().backward();
  show(out, "again", x.grad());
});

const Program archives("archives of several things", [](std::ostream& out) {
  auto net = filled(nn::Linear(2, 2));
  torch::optim::Adam optimizer(net->parameters(), 0.1);
  net(waves({1, 2})).sum().backward();
  optimizer.step();
  std::stringstream stream;
  {
    torch::serialize::OutputArchive archive, inner;
    net->save(inner);
    archive.write("net", inner);
    archive.write("epoch", torch::tensor(7));
    archive.write("title", c10::IValue("second"));
    archive.save_to(stream);
  }
  torch::serialize::InputArchive archive, inner;
  archive.load_from(stream);
  archive.read("net", inner);
  nn::Linear back(2, 2);
  back->load(inner);
  torch::Tensor epoch;
  c10::IValue title;
  archive.read("epoch", epoch);
  archive.read("title", title);
  show(out, "weight", back->weight);
  out << epoch.item<int64_t>() << title.toStringRef() << archive.try_read("none", epoch) << '\n';
});

const Program many("lists of tensors saved and loaded", [](std::ostream& out) {
  std::stringstream stream;
  torch::save(std::vector<torch::Tensor>{waves({2}), torch::tensor({1, 2}), torch::tensor({true})}, stream);
  std::vector<torch::Tensor> list;
  torch::load(list, stream);
  for (const auto& t : list) show(out, t);
});

const Program indexing("indices in all forms", [](std::ostream& out) {
  auto x = torch::arange(24).view({2, 3, 4});
  show(out, "ellipsis", x.index({"...", 1}));
  show(out, "none", x.index({0, None, Slice(None, None, 2)}));
  show(out, "lists", x.index({torch::tensor({0, 1}), torch::tensor({2, 0})}));
  show(out, "mask", x.index({x > 20}));
  x.index_put_({Slice(), 0, Slice(1, 3)}, -1);
  x.index_put_({torch::tensor({1}), Slice(None, 2)}, torch::zeros({1, 2, 4}, torch::kLong));
  show(out, "put", x);
  x.index({0}).fill_(5);
  show(out, "filled", x.sum({1, 2}));
  out << Slice(1, None, 2) << ' ' << torch::indexing::TensorIndex(3) << ' ' << torch::indexing::TensorIndex("...")
      << '\n';
});

struct Squares : torch::data::datasets::Dataset<Squares> {
  explicit Squares(int64_t count) : count(count) {}
  torch::data::Example<> get(size_t i) override { return {torch::full({2}, double(i)), torch::tensor(int64_t(i * i))}; }
  torch::optional<size_t> size() const override { return count; }
  int64_t count;
};

const Program datasets("a dataset of one's own", [](std::ostream& out) {
  auto data = Squares(5)
                  .map(torch::data::transforms::Normalize<>(1.0, 2.0))
                  .map(torch::data::transforms::Lambda<torch::data::Example<>>([](torch::data::Example<> example) {
                    example.target = example.target + 1;
                    return example;
                  }))
                  .map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(
      std::move(data), torch::data::DataLoaderOptions().batch_size(2).drop_last(false));
  for (auto& batch : *loader) {
    show(out, "data", batch.data);
    show(out, "target", batch.target);
  }
  out << loader->options().batch_size << '\n';
});

const Program schedules("rates that fall", [](std::ostream& out) {
  const auto w = torch::ones(2, torch::requires_grad());
  torch::optim::SGD optimizer({w}, torch::optim::SGDOptions(1.0));
  torch::optim::StepLR scheduler(optimizer, 2, 0.5);
  for (int i = 0; i < 6; ++i) {
    optimizer.zero_grad();
    (w * w).sum().backward();
    optimizer.step();
    scheduler.step();
    out << static_cast<torch::optim::SGDOptions&>(optimizer.param_groups()[0].options()).lr() << ' ';
  }
  out << '\n';
});

const Program groups("groups with options of their own", [](std::ostream& out) {
  auto a = filled(nn::Linear(2, 2)), b = filled(nn::Linear(2, 1));
  std::vector<torch::optim::OptimizerParamGroup> groups;
  groups.emplace_back(a->parameters());
  groups.emplace_back(b->parameters(),
                      std::make_unique<torch::optim::AdamWOptions>(torch::optim::AdamWOptions(0.5).weight_decay(0)));
  torch::optim::AdamW optimizer(groups, torch::optim::AdamWOptions(0.1));
  for (int i = 0; i < 2; ++i) {
    optimizer.zero_grad();
    b(torch::tanh(a(waves({3, 2})))).pow(2).mean().backward();
    optimizer.step();
  }
  show(out, "a", a->weight);
  show(out, "b", b->weight);
  out << optimizer.param_groups().size() << optimizer.state().size() << '\n';
});

const Program policy("a policy and its gradient", [](std::ostream& out) {
  nn::Sequential net(nn::Linear(2, 4), nn::ReLU(), nn::Linear(4, 2), nn::Softmax(1));
  filled(net)->to(torch::kFloat64);
  torch::optim::Adam optimizer(net->parameters(), 1e-2);
  std::vector<torch::Tensor> log_probs;
  std::vector<double> rewards;
  for (int t = 0; t < 4; ++t) {
    const auto probs = net->forward(waves({1, 2}, 0.3 * (t + 1)).to(torch::kFloat64));
    log_probs.push_back(probs.log().index({0, t % 2}));
    rewards.push_back(t % 2 ? 1. : 0.5);
  }
  double value = 0;
  std::vector<double> returns(rewards.size());
  for (size_t t = rewards.size(); t-- > 0;) returns[t] = value = rewards[t] + 0.9 * value;
  auto r = torch::tensor(returns, torch::kFloat64);
  r = (r - r.mean()) / (r.std() + 1e-8);
  const auto loss = -(torch::stack(log_probs) * r).sum();
  loss.backward();
  optimizer.step();
  show(out, "loss", loss);
  show(out, "probs", net->forward(waves({1, 2}).to(torch::kFloat64)));
});

}  // namespace
}  // namespace programs::tutorials
