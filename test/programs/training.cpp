// Programs that train: loops, optimizers and schedulers from fixed weights, and the tutorials' models.
#include <torch/torch.h>

#include <cmath>

#include "test/programs/programs.h"

namespace programs {
namespace {

namespace nn = torch::nn;
namespace optim = torch::optim;

template <class M>
void fill(M& module) {
  torch::NoGradGuard guard;
  for (auto& p : module->parameters()) p.copy_(torch::sin(torch::arange(p.numel(), p.options())).view_as(p) / 2);
}
torch::Tensor double_waves(at::IntArrayRef shape, double step = 0.7) {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  return torch::cos(torch::arange(count, torch::kFloat64) * step).view(shape);
}

/// Ten steps of an optimizer on a small network in double precision: its losses, and the first parameter at the end.
template <class Optimizer, class Options>
void ten_steps(std::ostream& out, const char* name, Options options) {
  nn::Sequential net(nn::Linear(3, 4), nn::Tanh(), nn::Linear(4, 1));
  net->to(torch::kFloat64);
  fill(net);
  Optimizer optimizer(net->parameters(), options);
  const auto x = double_waves({8, 3}), y = double_waves({8, 1}, 1.3);
  out << name << ':';
  for (int step = 0; step < 10; ++step) {
    optimizer.zero_grad();
    const auto loss = torch::mse_loss(net->forward(x), y);
    loss.backward();
    optimizer.step();
    out << ' ' << loss.template item<double>();
  }
  out << '\n';
  show(out, name, net->parameters()[0]);
}

const Program sgd("SGD", [](std::ostream& out) {
  ten_steps<optim::SGD>(out, "plain", optim::SGDOptions(0.1));
  ten_steps<optim::SGD>(out, "momentum", optim::SGDOptions(0.1).momentum(0.9));
  ten_steps<optim::SGD>(out, "Nesterov", optim::SGDOptions(0.1).momentum(0.9).nesterov(true));
  ten_steps<optim::SGD>(out, "dampened", optim::SGDOptions(0.1).momentum(0.5).dampening(0.3).weight_decay(0.01));
  fails<c10::Error>(out, "Nesterov alone", "Nesterov momentum requires a momentum and zero dampening",
                    [] { optim::SGD({torch::ones(1)}, optim::SGDOptions(0.1).nesterov(true)); });
});

const Program adam("Adam and AdamW", [](std::ostream& out) {
  ten_steps<optim::Adam>(out, "Adam", optim::AdamOptions(0.05));
  ten_steps<optim::Adam>(out, "betas", optim::AdamOptions(0.05).betas({0.5, 0.9}).eps(1e-6).weight_decay(0.1));
  ten_steps<optim::Adam>(out, "amsgrad", optim::AdamOptions(0.3).amsgrad(true));
  ten_steps<optim::AdamW>(out, "AdamW", optim::AdamWOptions(0.05).weight_decay(0.2));
  ten_steps<optim::AdamW>(out, "AdamW amsgrad", optim::AdamWOptions(0.3).amsgrad(true));
});

const Program others("RMSprop and Adagrad", [](std::ostream& out) {
  ten_steps<optim::RMSprop>(out, "RMSprop", optim::RMSpropOptions(0.01));
  ten_steps<optim::RMSprop>(out, "centered", optim::RMSpropOptions(0.01).centered(true).momentum(0.9).alpha(0.9));
  ten_steps<optim::RMSprop>(out, "decayed", optim::RMSpropOptions(0.01).weight_decay(0.1).eps(1e-4));
  ten_steps<optim::Adagrad>(out, "Adagrad", optim::AdagradOptions(0.1));
  ten_steps<optim::Adagrad>(out, "decays",
                            optim::AdagradOptions(0.1).lr_decay(0.1).weight_decay(0.01).initial_accumulator_value(0.5));
});

const Program lbfgs("LBFGS", [](std::ostream& out) {
  auto x = torch::tensor({-1.5, 2.}, torch::dtype(torch::kFloat64).requires_grad(true));
  optim::LBFGS optimizer({x}, optim::LBFGSOptions(1).max_iter(10).line_search_fn("strong_wolfe"));
  int calls = 0;
  for (int step = 0; step < 4; ++step) {
    const auto loss = optimizer.step([&] {
      optimizer.zero_grad();
      const auto value = (1 - x[0]).pow(2) + 5 * (x[1] - x[0].pow(2)).pow(2);
      value.backward();
      ++calls;
      return value;
    });
    out << loss.item<double>() << ' ';
  }
  out << calls << '\n';
  show(out, "x", x);
});

const Program closures("steps with a closure", [](std::ostream& out) {
  auto w = torch::tensor({4.}, torch::requires_grad());
  optim::SGD optimizer({w}, 0.1);
  for (int i = 0; i < 3; ++i) {
    const auto loss = optimizer.step([&] {
      optimizer.zero_grad();
      auto value = (w * w).sum();
      value.backward();
      return value;
    });
    out << loss.item<float>() << ' ';
  }
  show(out, "w", w);
});

const Program groups("parameter groups", [](std::ostream& out) {
  auto a = torch::ones({2}, torch::requires_grad()), b = torch::ones({2}, torch::requires_grad()),
       c = torch::ones({1}, torch::requires_grad());
  std::vector<optim::OptimizerParamGroup> list;
  list.emplace_back(std::vector<torch::Tensor>{a});
  list.emplace_back(std::vector<torch::Tensor>{b}, std::make_unique<optim::SGDOptions>(0.5));
  optim::SGD optimizer(list, optim::SGDOptions(0.1).momentum(0.9));
  optimizer.add_param_group(optim::OptimizerParamGroup({c}));
  for (int i = 0; i < 2; ++i) {
    optimizer.zero_grad();
    (a.sum() + 2 * b.sum() + 3 * c.sum()).backward();
    optimizer.step();
  }
  show(out, "a", a);
  show(out, "b", b);
  show(out, "c", c);
  for (auto& group : optimizer.param_groups()) {
    auto& options = static_cast<optim::SGDOptions&>(group.options());
    out << options.lr() << ' ' << options.momentum() << ' ' << group.params().size() << ' ' << group.has_options()
        << '\n';
    options.lr(options.lr() / 10);
  }
  out << optimizer.param_groups()[1].options().get_lr() << ' ' << optimizer.state().size() << '\n';
  optimizer.add_parameters({torch::ones(1, torch::requires_grad())});
  out << optimizer.param_groups().size() << '\n';
});

const Program schedulers("schedulers", [](std::ostream& out) {
  auto w = torch::ones(1, torch::requires_grad());
  optim::SGD optimizer({w}, 1.0);
  optim::StepLR steps(optimizer, 2, 0.5);
  for (int i = 0; i < 6; ++i) {
    optimizer.step();
    steps.step();
    out << optimizer.param_groups()[0].options().get_lr() << ' ';
  }
  out << '\n';
  optim::ReduceLROnPlateauScheduler plateau(optimizer, optim::ReduceLROnPlateauScheduler::min, 0.1f, 1);
  for (const float loss : {3.f, 2.f, 2.f, 2.f, 2.f, 1.f, 1.f, 1.f, 1.f}) {
    plateau.step(loss);
    out << optimizer.param_groups()[0].options().get_lr() << ' ';
  }
  out << '\n';
});

const Program clipping("clipping gradients", [](std::ostream& out) {
  auto a = torch::ones({2, 2}, torch::requires_grad()), b = torch::ones({2}, torch::requires_grad());
  (a.pow(2).sum() * 3 + b.sum() * 4).backward();
  out << nn::utils::clip_grad_norm_({a, b}, 2.0) << '\n';
  show(out, "a", a.grad());
  nn::utils::clip_grad_value_({a, b}, 0.5);
  show(out, "b", b.grad());
  out << nn::utils::clip_grad_norm_({a, b}, 0.1, std::numeric_limits<double>::infinity()) << '\n';
  show(out, "a", a.grad());
  const auto vector = nn::utils::parameters_to_vector({a, b});
  show(out, "vector", vector);
  nn::utils::vector_to_parameters(torch::arange(6.f), {a, b});
  show(out, "b", b);
});

const Program accumulation("accumulating over batches", [](std::ostream& out) {
  nn::Linear model(2, 1);
  model->to(torch::kFloat64);
  fill(model);
  optim::Adam optimizer(model->parameters(), 0.01);
  const auto x = double_waves({6, 2}), y = double_waves({6, 1}, 1.9);
  for (int epoch = 0; epoch < 3; ++epoch) {
    double running = 0;
    for (int64_t i = 0; i < 6; ++i) {
      const auto loss = torch::mse_loss(model(x[i].unsqueeze(0)), y[i].unsqueeze(0)) / 2;
      loss.backward();
      running += loss.item<double>();
      if (i % 2 == 1) {
        optimizer.step();
        optimizer.zero_grad();
      }
    }
    out << running << '\n';
  }
  show(out, "weight", model->weight);
});

const Program polynomial("fitting a polynomial", [](std::ostream& out) {
  const auto weights = torch::tensor({{0.5}, {-1.}, {0.25}, {2.}}, torch::kFloat64);
  const auto features = [](const torch::Tensor& x) { return torch::cat({x, x.pow(2), x.pow(3), x.pow(4)}, 1); };
  auto fc = nn::Linear(4, 1);
  fc->to(torch::kFloat64);
  fill(fc);
  double loss = 0;
  int batch = 0;
  for (; batch < 40; ++batch) {
    const auto x = features(double_waves({32, 1}, 0.3 + batch * 0.01));
    const auto y = x.mm(weights) + 0.75;
    fc->zero_grad();
    const auto output = torch::smooth_l1_loss(fc(x), y);
    loss = output.item<double>();
    output.backward();
    for (auto& p : fc->parameters()) p.data().add_(p.grad(), -0.1);
    if (loss < 1e-3) break;
  }
  out << loss << " after " << batch << '\n';
  show(out, "weight", fc->weight.view({-1}));
  show(out, "bias", fc->bias);
});

struct MnistNet : nn::Module {
  MnistNet() : conv1(nn::Conv2dOptions(1, 4, 5)), conv2(nn::Conv2dOptions(4, 8, 5)), fc1(128, 16), fc2(16, 10) {
    register_module("conv1", conv1);
    register_module("conv2", conv2);
    register_module("conv2_drop", conv2_drop);
    register_module("fc1", fc1);
    register_module("fc2", fc2);
  }
  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(torch::max_pool2d(conv1->forward(x), 2));
    x = torch::relu(torch::max_pool2d(conv2_drop->forward(conv2->forward(x)), 2));
    x = x.view({-1, 128});
    x = torch::relu(fc1->forward(x));
    x = torch::dropout(x, /*p=*/0.5, /*training=*/is_training());
    x = fc2->forward(x);
    return torch::log_softmax(x, /*dim=*/1);
  }
  nn::Conv2d conv1, conv2;
  nn::Dropout2d conv2_drop;
  nn::Linear fc1, fc2;
};

const Program mnist("the MNIST network", [](std::ostream& out) {
  auto model = std::make_shared<MnistNet>();
  model->to(torch::kFloat64);
  fill(model);
  model->eval();
  optim::SGD optimizer(model->parameters(), optim::SGDOptions(0.01).momentum(0.5));
  const auto data = double_waves({4, 1, 28, 28}, 0.37);
  const auto targets = torch::tensor({3, 1, 4, 1});
  for (int batch = 0; batch < 4; ++batch) {
    optimizer.zero_grad();
    const auto output = model->forward(data);
    const auto loss = torch::nll_loss(output, targets);
    out << loss.item<double>() << ' ' << output.argmax(1).eq(targets).sum().item<int64_t>() << '\n';
    loss.backward();
    optimizer.step();
  }
  model->train();
  out << model->forward(data).sizes() << '\n' << *model << '\n';
});

struct SmallGeneratorImpl : nn::Module {
  explicit SmallGeneratorImpl(int noise)
      : conv1(nn::ConvTranspose2dOptions(noise, 8, 4).bias(false)),
        norm1(8),
        conv2(nn::ConvTranspose2dOptions(8, 4, 3).stride(2).padding(1).bias(false)),
        norm2(4),
        conv3(nn::ConvTranspose2dOptions(4, 1, 4).stride(2).padding(1).bias(false)) {
    register_module("conv1", conv1);
    register_module("conv2", conv2);
    register_module("conv3", conv3);
    register_module("norm1", norm1);
    register_module("norm2", norm2);
  }
  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(norm1(conv1(x)));
    x = torch::relu(norm2(conv2(x)));
    return torch::tanh(conv3(x));
  }
  nn::ConvTranspose2d conv1;
  nn::BatchNorm2d norm1;
  nn::ConvTranspose2d conv2;
  nn::BatchNorm2d norm2;
  nn::ConvTranspose2d conv3;
};
TORCH_MODULE(SmallGenerator);

const Program small_dcgan("a generator and a discriminator", [](std::ostream& out) {
  SmallGenerator generator(5);
  nn::Sequential discriminator(nn::Conv2d(nn::Conv2dOptions(1, 4, 4).stride(2).padding(1).bias(false)),
                               nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.2)),
                               nn::Conv2d(nn::Conv2dOptions(4, 8, 4).stride(2).padding(1).bias(false)),
                               nn::BatchNorm2d(8), nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.2)),
                               nn::Conv2d(nn::Conv2dOptions(8, 1, 3).stride(1).padding(0).bias(false)), nn::Sigmoid());
  generator->to(torch::kFloat64);
  discriminator->to(torch::kFloat64);
  fill(generator);
  fill(discriminator);
  optim::Adam g(generator->parameters(), optim::AdamOptions(2e-4).betas(std::make_tuple(0.5, 0.5)));
  optim::Adam d(discriminator->parameters(), optim::AdamOptions(5e-4).betas(std::make_tuple(0.5, 0.5)));
  const auto images = double_waves({3, 1, 14, 14}, 0.9), noise = double_waves({3, 5, 1, 1}, 1.7);
  for (int i = 0; i < 3; ++i) {
    discriminator->zero_grad();
    const auto real = discriminator->forward(images).mean({1, 2, 3});
    const auto real_loss = torch::binary_cross_entropy(real, torch::full({3}, 0.9, torch::kFloat64));
    real_loss.backward();
    const auto fake = generator->forward(noise);
    const auto fake_loss = torch::binary_cross_entropy(discriminator->forward(fake.detach()).mean({1, 2, 3}),
                                                       torch::zeros(3, torch::kFloat64));
    fake_loss.backward();
    d.step();
    generator->zero_grad();
    const auto g_loss =
        torch::binary_cross_entropy(discriminator->forward(fake).mean({1, 2, 3}), torch::ones(3, torch::kFloat64));
    g_loss.backward();
    g.step();
    out << real_loss.item<double>() + fake_loss.item<double>() << ' ' << g_loss.item<double>() << ' ' << fake.sizes()
        << '\n';
  }
});

const Program saved_state("the state of an optimizer", [](std::ostream& out) {
  auto w = torch::full({1}, 2., torch::requires_grad());
  optim::Adam optimizer({w}, 0.1);
  for (int i = 0; i < 2; ++i) {
    optimizer.zero_grad();
    (w * w).backward();
    optimizer.step();
  }
  out << optimizer.state().size() << ' ' << optimizer.size() << ' ' << optimizer.defaults().get_lr() << '\n';
  for (const auto& [key, value] : optimizer.state()) {
    const auto& state = static_cast<optim::AdamParamState&>(*value);
    out << state.step() << '\n';
    show(out, "mean", state.exp_avg());
    show(out, "square", state.exp_avg_sq());
  }
  optimizer.zero_grad(/*set_to_none=*/false);
  show(out, "zeroed", w.grad());
  optimizer.zero_grad();
  out << w.grad().defined() << '\n';
});

}  // namespace
}  // namespace programs
