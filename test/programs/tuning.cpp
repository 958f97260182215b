// Programs of the optimizers and schedulers that came later.
#include <torch/torch.h>

#include "test/programs/programs.h"

namespace programs::tuning {
namespace {

namespace optim = torch::optim;

const Program copies("options are copied and compared", [](std::ostream& out) {
  optim::AdamOptions a(0.1);
  a.betas(std::make_tuple(0.5, 0.6));
  auto c = a;
  out << c.lr() << ' ' << std::get<0>(c.betas()) << ' ' << c.eps() << ' ' << c.weight_decay() << ' ' << c.amsgrad()
      << '\n';
  c.lr(0.2);
  out << a.lr() << ' ' << c.get_lr() << ' ' << (a == c)
      << (a == optim::AdamOptions(0.1).betas(std::make_tuple(0.5, 0.6))) << '\n';
  c.set_lr(0.4);
  out << c.lr() << '\n';
  const optim::SGDOptions sgd(0.5);
  out << sgd.lr() << ' ' << sgd.momentum() << ' ' << sgd.dampening() << ' ' << sgd.weight_decay() << ' '
      << sgd.nesterov() << '\n';
  const optim::RMSpropOptions rms(0.5);
  out << rms.lr() << ' ' << rms.alpha() << ' ' << rms.eps() << ' ' << rms.momentum() << ' ' << rms.centered() << '\n';
  const optim::AdagradOptions ada(0.5);
  out << ada.lr() << ' ' << ada.lr_decay() << ' ' << ada.initial_accumulator_value() << ' ' << ada.eps() << '\n';
  const optim::AdamWOptions w(0.5);
  out << w.lr() << ' ' << w.weight_decay() << ' ' << std::get<1>(w.betas()) << '\n';
  const optim::LBFGSOptions l(0.5);
  out << l.lr() << ' ' << l.max_iter() << ' ' << l.history_size() << ' ' << l.tolerance_grad() << ' '
      << l.line_search_fn().has_value() << '\n';
});

const Program wrong("wrong options", [](std::ostream& out) {
  const auto w = torch::ones(1, torch::requires_grad());
  fails<c10::Error>(out, "lr", "Invalid learning rate", [&] { optim::SGD({w}, optim::SGDOptions(-1)); });
  fails<c10::Error>(out, "Adam", "Invalid learning rate", [&] { optim::Adam({w}, optim::AdamOptions(-1)); });
  fails<c10::Error>(out, "beta", "Invalid beta parameter at index 0", [&] {
    optim::Adam({w}, optim::AdamOptions(0.1).betas({1.5, 0.9}));
  });
  fails<c10::Error>(out, "eps", "Invalid epsilon value", [&] { optim::AdamW({w}, optim::AdamWOptions(0.1).eps(-1)); });
  fails<c10::Error>(out, "momentum", "Invalid momentum value",
                    [&] { optim::RMSprop({w}, optim::RMSpropOptions(0.1).momentum(-1)); });
  fails<c10::Error>(out, "decay", "Invalid weight_decay value",
                    [&] { optim::Adagrad({w}, optim::AdagradOptions(0.1).weight_decay(-1)); });
  fails<c10::Error>(out, "not a leaf", "can't optimize a non-leaf Tensor", [&] { optim::SGD({w * 2}, 0.1); });
});

/// An optimizer of a program's own.
struct SignOptions : public optim::OptimizerCloneableOptions<SignOptions> {
  explicit SignOptions(double lr) : lr_(lr) {}
  TORCH_ARG(double, lr) = 0.1;

 public:
  double get_lr() const override { return lr(); }
  void set_lr(const double lr) override { this->lr(lr); }
};
class Sign : public optim::Optimizer {
 public:
  Sign(std::vector<torch::Tensor> params, SignOptions options)
      : Optimizer({optim::OptimizerParamGroup(std::move(params))}, std::make_unique<SignOptions>(options)) {}
  torch::Tensor step(std::function<torch::Tensor()> closure = nullptr) override {
    torch::NoGradGuard guard;
    torch::Tensor loss = {};
    if (closure) {
      at::AutoGradMode enable(true);
      loss = closure();
    }
    for (auto& group : param_groups_)
      for (auto& p : group.params())
        if (p.grad().defined()) p.add_(p.grad().sign(), -static_cast<SignOptions&>(group.options()).lr());
    return loss;
  }
};

const Program own("an optimizer of one's own", [](std::ostream& out) {
  auto w = torch::tensor({1., -2.}, torch::requires_grad());
  Sign optimizer({w}, SignOptions(0.25));
  optim::StepLR scheduler(optimizer, 1, 0.5);
  for (int i = 0; i < 3; ++i) {
    optimizer.zero_grad();
    w.pow(2).sum().backward();
    optimizer.step();
    scheduler.step();
  }
  show(out, "w", w);
  out << optimizer.param_groups()[0].options().get_lr() << '\n';
});

struct Halving : public optim::LRScheduler {
  explicit Halving(optim::Optimizer& optimizer) : LRScheduler(optimizer) {}
  std::vector<double> get_lrs() override {
    auto lrs = get_current_lrs();
    for (double& lr : lrs) lr /= step_count_ > 0 ? 2 : 1;
    return lrs;
  }
};

const Program own_scheduler("a scheduler of one's own", [](std::ostream& out) {
  auto w = torch::ones(1, torch::requires_grad());
  optim::SGD optimizer({w}, 0.8);
  Halving scheduler(optimizer);
  for (int i = 0; i < 4; ++i) {
    scheduler.step();
    out << optimizer.param_groups()[0].options().get_lr() << ' ';
  }
  out << '\n';
});

const Program mixed_groups("freezing and unfreezing", [](std::ostream& out) {
  torch::nn::Sequential net(torch::nn::Linear(2, 2), torch::nn::Linear(2, 1));
  net->to(torch::kFloat64);
  {
    torch::NoGradGuard guard;
    for (auto& p : net->parameters()) p.copy_(torch::linspace(-1, 1, p.numel(), p.options()).view_as(p));
  }
  for (auto& p : net[0]->parameters()) p.set_requires_grad(false);
  std::vector<torch::Tensor> trainable;
  for (auto& p : net->parameters())
    if (p.requires_grad()) trainable.push_back(p);
  optim::SGD optimizer(trainable, 0.1);
  const auto x = torch::linspace(0, 1, 6, torch::kFloat64).view({3, 2});
  for (int i = 0; i < 3; ++i) {
    if (i == 2) {
      for (auto& p : net[0]->parameters()) p.set_requires_grad(true);
      optimizer.add_param_group({net[0]->parameters()});
    }
    optimizer.zero_grad();
    const auto loss = net->forward(x).pow(2).mean();
    loss.backward();
    optimizer.step();
    out << loss.item<double>() << ' ';
  }
  out << optimizer.param_groups().size() << '\n';
  show(out, "first", net[0]->parameters()[0]);
});

}  // namespace
}  // namespace programs::tuning
