// Programs of practice around training: functions with derivatives of their own, checkpoints, threads, precision,
// rates.
#include <ATen/autocast_mode.h>

#include <atomic>
#include <filesystem>
#include <future>
#include <random>
#include <thread>

#include "test/programs/filling.h"
#include "test/programs/programs.h"

namespace programs {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;
using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

/// The gradient of Softsign, a function in turn, so that it has derivatives too.
class SoftsignBackward : public torch::autograd::Function<SoftsignBackward> {
 public:
  static torch::Tensor forward(AutogradContext* ctx, torch::Tensor grad, torch::Tensor x, double sharpness) {
    ctx->save_for_backward({grad, x});
    ctx->saved_data["sharpness"] = sharpness;
    return grad * sharpness / (1 + sharpness * x.abs()).pow(2);
  }
  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    const auto saved = ctx->get_saved_variables();
    const auto& grad = saved[0];
    const auto& x = saved[1];
    const double s = ctx->saved_data["sharpness"].toDouble();
    const auto below = 1 + s * x.abs();
    const auto by_grad = grads[0] * s / below.pow(2);
    const auto by_x = grads[0] * grad * (-2 * s * s) * x.sign() / below.pow(3);
    return {by_grad, by_x, Variable()};
  }
};
class Softsign : public torch::autograd::Function<Softsign> {
 public:
  static torch::Tensor forward(AutogradContext* ctx, const torch::Tensor& x, double sharpness = 1.0) {
    ctx->save_for_backward({x});
    ctx->saved_data["sharpness"] = sharpness;
    return sharpness * x / (1 + sharpness * x.abs());
  }
  static torch::autograd::tensor_list backward(AutogradContext* ctx, torch::autograd::tensor_list grads) {
    const auto x = ctx->get_saved_variables().front();
    return {SoftsignBackward::apply(grads[0], x, ctx->saved_data["sharpness"].toDouble()), torch::Tensor()};
  }
};
/// Two results, one of which nobody differentiates, and a gradient that is asked for by need.
class SortedScale : public torch::autograd::Function<SortedScale> {
 public:
  static variable_list forward(AutogradContext* ctx, Variable x, Variable factor, bool descending) {
    auto [values, index] = x.sort(-1, descending);
    ctx->mark_non_differentiable({index});
    ctx->set_materialize_grads(false);
    ctx->save_for_backward({values, index, factor});
    ctx->saved_data["sizes"] = x.sizes().vec();
    return {values * factor, index};
  }
  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    if (!grads[0].defined()) return {Variable(), Variable(), Variable()};
    const auto saved = ctx->get_saved_variables();
    const auto sizes = ctx->saved_data["sizes"].toIntVector();
    Variable of_x, of_factor;
    if (ctx->needs_input_grad(0))
      of_x = torch::zeros(sizes, grads[0].options()).scatter(-1, saved[1], grads[0] * saved[2]);
    if (ctx->needs_input_grad(1)) of_factor = (grads[0] * saved[0]).sum();
    return {of_x, of_factor, Variable()};
  }
};

const Program function("functions with derivatives of derivatives", [](std::ostream& out) {
  auto x = torch::linspace(-1.5, 2, 6, torch::dtype(torch::kFloat64).requires_grad(true));
  const auto y = Softsign::apply(x, 2.0);
  show(out, "y", y);
  const auto first = torch::autograd::grad({y.sum()}, {x}, {}, /*retain_graph=*/true, /*create_graph=*/true)[0];
  show(out, "first", first);
  const auto second = torch::autograd::grad({first}, {x}, {torch::ones_like(first)}, c10::nullopt, true)[0];
  show(out, "second", second);
  out << first.requires_grad() << second.requires_grad() << (y.grad_fn() != nullptr) << '\n';
  const auto penalty = (first.norm(2) - 1).pow(2);
  penalty.backward();
  show(out, "of the penalty", x.grad());
  const auto step = 1e-6;
  torch::NoGradGuard guard;
  const auto slope = (Softsign::apply(x + step, 2.0) - Softsign::apply(x - step, 2.0)) / (2 * step);
  out << torch::allclose(slope, first, 1e-6, 1e-7) << '\n';
  torch::AutoGradMode enabled(true);
  auto factor = torch::tensor(3.0, torch::requires_grad());
  const auto sorted = SortedScale::apply(x.detach().requires_grad_(), factor, true);
  out << sorted[1].requires_grad() << sorted[1].dtype() << '\n';
  sorted.at(0).index({torch::indexing::Slice(0, 2)}).sum().backward();
  show(out, "factor", factor.grad());
  const auto unused = SortedScale::apply(x, factor.detach(), false);
  const auto none =
      torch::autograd::grad({unused[0].sum() * 0 + x.sum()}, {x, factor}, {}, {}, false, /*allow_unused=*/true);
  out << none[0].defined() << none[1].defined() << '\n';
  fails<std::exception>(out, "unused", "", [&] { torch::autograd::grad({x.sum()}, {factor}); });
});

struct NetImpl : nn::Module {
  NetImpl() {
    blocks = register_module("blocks", nn::ModuleList());
    for (int i = 0; i < 2; ++i) blocks->push_back(nn::Sequential(nn::Linear(3, 3), nn::BatchNorm1d(3), nn::Tanh()));
    heads = register_module("heads", nn::ModuleDict());
    torch::OrderedDict<std::string, std::shared_ptr<nn::Module>> two = {{"mean", nn::Linear(3, 1).ptr()}};
    two.insert("spread", nn::Linear(nn::LinearOptions(3, 1).bias(false)).ptr());
    heads->update(two);
    steps = register_buffer("steps", torch::tensor(0, torch::kLong));
  }
  torch::Tensor forward(torch::Tensor x, const std::string& head = "mean") {
    for (const auto& block : *blocks) x = x + block->as<nn::Sequential>()->forward(x);
    if (is_training()) steps.add_(1);
    TORCH_CHECK(heads->contains(head), "no head named ", head);
    return heads[head]->as<nn::LinearImpl>()->forward(x);
  }
  nn::ModuleList blocks{nullptr};
  nn::ModuleDict heads{nullptr};
  torch::Tensor steps;
};
TORCH_MODULE(Net);

struct Trainer {
  explicit Trainer(double rate)
      : optimizer(filled(net)->parameters(), torch::optim::AdamOptions(rate).betas(std::make_tuple(0.8, 0.99))),
        scheduler(optimizer, /*step_size=*/2, /*gamma=*/0.5) {
    net->to(torch::kFloat64);
  }
  double step(int64_t t) {
    net->train();
    const auto x = fine_waves({4, 3}, 0.3 + 0.1 * static_cast<double>(t)), y = x.sum(1, true).sin();
    optimizer.zero_grad();
    auto loss = F::mse_loss(net(x), y) + 0.1 * net(x, "spread").abs().mean();
    loss.backward();
    optimizer.step();
    scheduler.step();
    return loss.item<double>();
  }
  Net net;
  torch::optim::Adam optimizer;
  torch::optim::StepLR scheduler;
};

const Program checkpoints("training goes on from a checkpoint", [](std::ostream& out) {
  const auto folder = std::filesystem::temp_directory_path() / ("programs_" + std::to_string(std::random_device{}()));
  std::filesystem::create_directories(folder);
  Trainer trainer(0.05);
  for (int t = 0; t < 3; ++t) out << "loss " << trainer.step(t) << '\n';
  const std::string path = (folder / "net.pt").string();
  torch::save(trainer.net, path);
  torch::save(trainer.optimizer, (folder / "optimizer.pt").string());
  torch::serialize::OutputArchive archive;
  archive.write("epoch", c10::IValue(static_cast<int64_t>(3)));
  archive.write("best", torch::tensor(0.25));
  torch::serialize::OutputArchive inner;
  trainer.net->save(inner);
  archive.write("model", inner);
  archive.save_to((folder / "all.pt").string());
  const double wanted = trainer.step(3);

  Trainer other(0.7);
  torch::load(other.net, path);
  torch::load(other.optimizer, (folder / "optimizer.pt").string());
  const auto& options = static_cast<torch::optim::AdamOptions&>(other.optimizer.param_groups()[0].options());
  out << "rate " << options.lr() << " betas " << std::get<0>(options.betas()) << '\n';
  out << "goes on " << (std::abs(other.step(3) - wanted) < 1e-12) << " steps " << other.net->steps.item<int64_t>()
      << '\n';

  torch::serialize::InputArchive read, model;
  read.load_from((folder / "all.pt").string(), torch::kCPU);
  c10::IValue epoch;
  torch::Tensor best;
  read.read("epoch", epoch);
  out << epoch.toInt() << ' ' << read.try_read("best", best) << best.item<float>() << read.try_read("worst", best)
      << '\n';
  read.read("model", model);
  Net third;
  third->to(torch::kFloat64);
  third->load(model);
  third->eval();
  other.net->eval();
  out << "differs " << third(fine_waves({1, 3})).equal(other.net(fine_waves({1, 3}))) << '\n';
  for (const auto& item : third->named_parameters()) out << item.key() << item.value().sizes() << ' ';
  for (const auto& item : third->named_buffers()) out << item.key() << item.value().dtype() << ' ';
  out << '\n' << third->heads->keys() << third->heads->size() << '\n';
  fails<c10::Error>(out, "missing file", "", [&] { torch::load(third, (folder / "none.pt").string()); });
  fails<c10::Error>(out, "other head", "no head named width", [&] { third(fine_waves({1, 3}), "width"); });
  std::stringstream memory;
  torch::save(std::vector<torch::Tensor>{best, third->steps}, memory);
  std::vector<torch::Tensor> again;
  torch::load(again, memory);
  out << again.size() << again[0].item() << '\n';
  std::filesystem::remove_all(folder);
});

const Program threads("inference by several threads", [](std::ostream& out) {
  Net net;
  filled(net);
  net->eval();
  at::set_num_threads(1);
  const auto alone = [&] {
    torch::NoGradGuard guard;
    return net(waves({8, 3}));
  }();
  std::vector<torch::Tensor> results(4);
  std::vector<std::thread> workers;
  std::atomic<int> done{0};
  std::mutex lock;
  for (size_t i = 0; i < results.size(); ++i)
    workers.emplace_back([&, i] {
      c10::InferenceMode guard(true);
      const auto part = waves({8, 3}).chunk(4)[i].clone();
      auto y = net->forward(part);
      std::lock_guard<std::mutex> held(lock);
      results[i] = y;
      done.fetch_add(1);
    });
  for (auto& worker : workers) worker.join();
  out << done << results[0].is_inference() << results[0].requires_grad() << torch::GradMode::is_enabled() << '\n';
  out << torch::allclose(torch::cat(results), alone) << '\n';
  auto clone = std::dynamic_pointer_cast<NetImpl>(std::make_shared<NetImpl>());
  std::vector<std::future<torch::Tensor>> futures;
  for (int i = 0; i < 3; ++i)
    futures.push_back(std::async(std::launch::async, [i] {
      auto w = torch::full({2}, i + 1.0, torch::requires_grad());
      (w * w).sum().backward();
      return w.grad();
    }));
  for (auto& f : futures) show(out, "grad", f.get());
  std::vector<double> sums(10);
  at::parallel_for(0, 10, 2, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) sums[i] = torch::arange(i + 1).sum().item<double>();
  });
  out << sums << '\n';
  fails<std::exception>(out, "inference", "",
                        [&] { results[0].mul(torch::ones({1}, torch::requires_grad())).sum().backward(); });
});

const Program precision("mixed precision with scaled losses", [](std::ostream& out) {
  nn::Sequential net(nn::Linear(4, 4), nn::GELU(nn::GELUOptions().approximate("tanh")),
                     nn::LayerNorm(nn::LayerNormOptions({4})), nn::Linear(4, 2));
  filled(net, 0.5);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  const auto x = waves({6, 4}), target = torch::arange(6) % 2;
  const auto full = net->forward(x);
  double scale = 1024;
  for (int step = 0; step < 3; ++step) {
    optimizer.zero_grad();
    at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
    at::autocast::set_autocast_enabled(at::kCPU, true);
    const auto logits = net->forward(x);
    const auto loss = F::cross_entropy(logits, target);
    at::autocast::clear_cache();
    at::autocast::set_autocast_enabled(at::kCPU, false);
    if (step == 0)
      out << logits.dtype() << loss.dtype() << torch::allclose(logits.to(torch::kFloat), full, 0.05, 0.05) << '\n';
    (loss * scale).backward();
    bool finite = true;
    for (auto& p : net->parameters()) {
      if (step == 1) p.mutable_grad() = p.grad().clone().fill_(std::numeric_limits<float>::infinity());
      finite = finite && torch::isfinite(p.grad()).all().item<bool>();
      p.mutable_grad().div_(scale);
    }
    if (finite) optimizer.step();
    scale = finite ? scale * 2 : scale / 2;
    out << finite << ' ' << scale << ' ' << net->parameters()[0].dtype() << ' ' << (loss.item<float>() < 1.5) << '\n';
  }
  auto half = std::dynamic_pointer_cast<nn::SequentialImpl>(net->clone());
  half->to(torch::kBFloat16);
  for (const auto& item : half->named_parameters())
    out << item.key() << ' ' << item.value().scalar_type() << ' ' << item.value().element_size() << '\n';
  const auto rounded = torch::tensor({1.0009765625f, 65519.f, 1e-8f, -2.5f});
  show(out, "half", rounded.to(torch::kHalf).to(torch::kFloat));
  show(out, "bfloat16", rounded.to(at::kBFloat16).to(at::kFloat));
  out << at::Half(0.1f) << ' ' << static_cast<float>(c10::BFloat16(3.14159f)) << ' '
      << torch::promote_types(torch::kHalf, torch::kBFloat16) << ' '
      << torch::result_type(rounded.to(torch::kHalf), 1.5) << ' ' << std::numeric_limits<at::Half>::max() << '\n';
});

/// A schedule of the program's own: linear warmup, then half a cosine.
class WarmupCosine : public torch::optim::LRScheduler {
 public:
  WarmupCosine(torch::optim::Optimizer& optimizer, unsigned warmup, unsigned total)
      : torch::optim::LRScheduler(optimizer), warmup_(warmup), total_(total), base_(get_current_lrs()) {}

 private:
  std::vector<double> get_lrs() override {
    std::vector<double> rates;
    for (const double rate : base_)
      rates.push_back(step_count_ <= warmup_
                          ? rate * (step_count_ + 1) / (warmup_ + 1)
                          : rate * 0.5 * (1 + std::cos(M_PI * (step_count_ - warmup_) / (total_ - warmup_))));
    return rates;
  }
  const unsigned warmup_, total_;
  const std::vector<double> base_;
};

const Program rates("rates that a program schedules", [](std::ostream& out) {
  nn::ParameterDict table;
  table->insert("scale", torch::ones({2}, torch::requires_grad()));
  table->insert("shift", torch::zeros({2}, torch::requires_grad()));
  nn::ParameterList list;
  list->append(torch::full({1}, 0.5, torch::requires_grad()));
  list->extend(std::vector<torch::Tensor>{torch::ones({1, 2}, torch::requires_grad())});
  std::vector<torch::optim::OptimizerParamGroup> groups;
  groups.emplace_back(table->parameters());
  groups.emplace_back(list->parameters(), std::make_unique<torch::optim::SGDOptions>(0.01));
  torch::optim::SGD optimizer(groups, torch::optim::SGDOptions(0.1).momentum(0.5).dampening(0.1));
  WarmupCosine schedule(optimizer, 2, 8);
  torch::optim::ReduceLROnPlateauScheduler plateau(optimizer, torch::optim::ReduceLROnPlateauScheduler::min, 0.5f, 1,
                                                   1e-3, torch::optim::ReduceLROnPlateauScheduler::rel, 0, {}, 1e-8,
                                                   false);
  for (int step = 0; step < 8; ++step) {
    optimizer.zero_grad();
    const auto y = table["scale"] * waves({3, 2}, 0.4) + table->get("shift");
    const auto loss = (y * list[0] + list->at(1) - 1).square().mean();
    loss.backward();
    optimizer.step();
    if (step < 5)
      schedule.step();
    else
      plateau.step(1.0f);
    out << "loss " << loss.item<float>() << " rates";
    for (auto& group : optimizer.param_groups()) out << ' ' << group.options().get_lr();
    out << '\n';
  }
  for (auto& group : optimizer.param_groups()) {
    group.options().set_lr(1e-3);
    if (group.has_options()) static_cast<torch::optim::SGDOptions&>(group.options()).momentum() = 0.25;
  }
  out << static_cast<torch::optim::SGDOptions&>(optimizer.param_groups()[1].options()).momentum() << optimizer.size()
      << '\n';
  for (const auto& item : *table) out << item.key() << item.value().sizes() << ' ';
  out << table->contains("scale") << table->keys() << '\n' << table << '\n' << list << '\n';
  out << table->pop("shift").sizes() << table->size() << list->size() << '\n';
});

}  // namespace
}  // namespace programs
