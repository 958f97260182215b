// Schedules and averages of weights against PyTorch's (schedule_reference.safetensors, made by
// make_schedule_reference.py), and their files.
#include <strata/strata.h>

#include <sstream>

#include "test/catch.h"
#include "test/source_dir.h"

using namespace strata;
using namespace strata::optim;
using Catch::Matchers::ContainsSubstring;

namespace {

serialize::InputArchive schedule_of_pytorch(const std::string& name) {
  static const serialize::InputArchive file = [] {
    serialize::InputArchive archive;
    archive.load_from(source_dir() + "/test/optim/schedule_reference.safetensors");
    return archive;
  }();
  return file.nested(name);
}

constexpr int kSteps = 24;
using Make = std::function<std::shared_ptr<LRScheduler>(Optimizer&)>;

template <class Kind>
std::unique_ptr<Optimizer> make_optimizer() {
  const std::vector<Tensor> params = {ones({1}).requires_grad_()};
  if constexpr (std::is_same_v<Kind, Adam>)
    return std::make_unique<Adam>(params, AdamOptions(0.5));
  else
    return std::make_unique<SGD>(params, SGDOptions(0.5).momentum(0.7));
}

/// The rates and momenta of all steps; after step 10 both objects are replaced by new ones that load what was saved.
template <class Kind = SGD>
void check_schedule(const std::string& name, const Make& make) {
  const Tensor rates = schedule_of_pytorch(name).find("rates"), momenta = schedule_of_pytorch(name).find("momenta");
  for (const bool resume : {false, true}) {
    std::unique_ptr<Optimizer> optimizer = make_optimizer<Kind>();
    std::shared_ptr<LRScheduler> scheduler = make(*optimizer);
    for (int i = 0; i <= kSteps; ++i) {
      INFO(name << " step " << i << " resumed " << resume);
      const OptimizerOptions& options = optimizer->param_groups()[0].options();
      CHECK(options.get_lr() == Approx(rates[i].item<double>()).epsilon(1e-10).margin(1e-14));
      CHECK(scheduler->get_last_lr() == std::vector<double>{options.get_lr()});
      CHECK(options.get_momentum() == Approx(momenta[i].item<double>()).epsilon(1e-12));
      if (resume && i == 10) {
        std::stringstream saved_schedule, saved_optimizer;
        save(*scheduler, saved_schedule);
        save(*optimizer, saved_optimizer);
        scheduler.reset();
        optimizer = make_optimizer<Kind>();
        scheduler = make(*optimizer);
        load(*optimizer, saved_optimizer);
        load(*scheduler, saved_schedule);
      }
      if (i < kSteps) scheduler->step();
    }
  }
}

/// For a scheduler with these arguments behind the optimizer.
template <class Scheduler, class... Args>
Make make(Args... args) {
  return [=](Optimizer& o) { return std::make_shared<Scheduler>(o, args...); };
}

}  // namespace

TEST_CASE("constant, polynomial, multiplicative and cosine schedules follow PyTorch's") {
  check_schedule("constant", make<ConstantLR>(0.25, 4u));
  check_schedule("polynomial", make<PolynomialLR>(9u, 1.7));
  check_schedule("multiplicative", make<MultiplicativeLR>([](unsigned t) { return 1 - 1 / (t + 2.0); }));
  check_schedule("warm_restarts", make<CosineAnnealingWarmRestarts>(4u, 2u, 0.01));
  check_schedule("cosine_back", make<CosineAnnealingLR>(5u, 0.01));
}

TEST_CASE("cyclic schedules follow PyTorch's, momentum included") {
  check_schedule("cyclic", make<CyclicLR>(CyclicLROptions(0.1, 0.9).step_size_up(4)));
  check_schedule("cyclic2", make<CyclicLR>(CyclicLROptions(0.1, 0.9)
                                               .step_size_up(3)
                                               .step_size_down(5)
                                               .mode(CyclicLROptions::kTriangular2)
                                               .base_momentum(0.5)));
  check_schedule<Adam>(
      "cyclic_exp",
      make<CyclicLR>(
          CyclicLROptions(0.1, 0.9).step_size_up(4).mode(CyclicLROptions::kExpRange).gamma(0.9).max_momentum(0.99)));
  check_schedule("cyclic_own", make<CyclicLR>(CyclicLROptions(0.1, 0.9)
                                                  .step_size_up(4)
                                                  .scale_fn([](double c) { return 1 / (c * c); })
                                                  .cycle_momentum(false)));
}

TEST_CASE("one cycle in two phases and three follows PyTorch's, momentum included") {
  check_schedule("one_cycle", make<OneCycleLR>(OneCycleLROptions(1.0, 25)));
  check_schedule<Adam>(
      "one_cycle_linear",
      make<OneCycleLR>(OneCycleLROptions(1.0, 25).anneal_strategy(AnnealStrategy::kLinear).base_momentum(0.6)));
  check_schedule("one_cycle_three",
                 make<OneCycleLR>(
                     OneCycleLROptions(1.0, 25).three_phase(true).pct_start(0.4).div_factor(10).final_div_factor(50)));
  SGD stepped({ones({1}).requires_grad_()}, SGDOptions(0.5).momentum(0.9));
  OneCycleLR cycle(stepped, OneCycleLROptions(1.0, 25));
  for (int step = 0; step < 25; ++step) cycle.step();  // one after each batch: PyTorch takes the last one too
  CHECK(stepped.param_groups()[0].options().get_lr() == Approx(0.008039173559862363).epsilon(1e-12));
  CHECK(stepped.param_groups()[0].options().get_momentum() == Approx(0.9491964794299315).epsilon(1e-12));
  CHECK_THROWS_WITH(cycle.step(), ContainsSubstring("26 steps are more than the 25"));
  SGD optimizer({ones({1}).requires_grad_()}, SGDOptions(0.5).momentum(0.7));
  const OneCycleLR rates_alone(optimizer, 1.0, 25);
  CHECK(optimizer.param_groups()[0].options().get_momentum() == 0.7);
  Adagrad without({ones({1}).requires_grad_()});
  CHECK_THROWS_WITH(OneCycleLR(without, OneCycleLROptions(1.0, 25)), ContainsSubstring("set cycle_momentum(false)"));
  CHECK_THROWS_WITH(OneCycleLR(optimizer, OneCycleLROptions({1.0, 2.0}, 25)), ContainsSubstring("2 rates"));
}

TEST_CASE("schedules of schedules follow PyTorch's") {
  check_schedule("sequential", [](Optimizer& o) {
    std::vector<std::shared_ptr<LRScheduler>> parts = {
        std::make_shared<LinearLR>(o, 0.1, 1, 5), std::make_shared<CosineAnnealingLR>(o, 8, 0.01),
        std::make_shared<ConstantLR>(o, 0.5, 3), std::make_shared<ExponentialLR>(o, 0.9)};
    return std::make_shared<SequentialLR>(o, parts, std::vector<unsigned>{5, 13, 18});
  });
  check_schedule("chained", [](Optimizer& o) {
    std::vector<std::shared_ptr<LRScheduler>> parts = {std::make_shared<LinearLR>(o, 0.1, 1, 5),
                                                       std::make_shared<ExponentialLR>(o, 0.9),
                                                       std::make_shared<CosineAnnealingLR>(o, 30, 0.001)};
    return std::make_shared<ChainedScheduler>(o, parts);
  });
  SGD o({ones({1}).requires_grad_()}, 0.5);
  CHECK_THROWS_WITH(SequentialLR(o, {std::make_shared<ExponentialLR>(o, 0.9)}, {1}), ContainsSubstring("milestone"));
  CHECK_THROWS_WITH(ChainedScheduler(o, {nullptr}), ContainsSubstring("null"));
  const auto part = [&] { return std::make_shared<ExponentialLR>(o, 0.9); };
  CHECK_THROWS_WITH(SequentialLR(o, {part(), part(), part()}, {4, 3}),
                    ContainsSubstring("milestones must rise, got 4 before 3"));
}

TEST_CASE("a chain of schedules begins once") {
  SGD o({ones({1}).requires_grad_()}, 1.0);
  const auto chain = std::make_shared<ChainedScheduler>(
      o, std::vector<std::shared_ptr<LRScheduler>>{std::make_shared<LinearLR>(o, 0.5, 1, 5),
                                                   std::make_shared<ExponentialLR>(o, 0.9)});
  SequentialLR first(o, {chain, std::make_shared<ConstantLR>(o, 0.3, 3)}, {2});
  const auto rate = [&] { return o.param_groups()[0].options().get_lr(); };
  CHECK(rate() == Approx(0.5));  // whatever the schedules behind it did as they were made
  first.step();
  CHECK(rate() == Approx(0.6 * 0.9));
  first.step();
  CHECK(rate() == Approx(0.3));
  CHECK_THROWS_WITH(chain->restart(), ContainsSubstring("cannot begin anew after 1 steps"));
  CHECK_THROWS_WITH(SequentialLR(o, {std::make_shared<ConstantLR>(o, 0.3, 3), chain}, {2}),
                    ContainsSubstring("chain SequentialLRs instead"));
}

TEST_CASE("SWALR follows PyTorch's") {
  check_schedule("swa_lr", make<SWALR>(0.05, 6u));
  check_schedule("swa_lr_linear", make<SWALR>(0.05, 4u, AnnealStrategy::kLinear));
  check_schedule("swa_lr_at_once", make<SWALR>(0.05, 0u));
}

TEST_CASE("warm restarts go to places between steps") {
  SGD o({ones({1}).requires_grad_()}, 0.5);
  CosineAnnealingWarmRestarts schedule(o, 4, 2);
  schedule.step(4 + 2.0);  // a quarter of the second period
  CHECK(o.param_groups()[0].options().get_lr() == Approx(0.5 * (1 + std::cos(std::acos(-1.0) / 4)) / 2));
  schedule.step();
  CHECK(o.param_groups()[0].options().get_lr() == Approx(0.5 * (1 + std::cos(std::acos(-1.0) * 3 / 8)) / 2));
}

TEST_CASE("a plateau's schedule resumes, in double") {
  using Plateau = ReduceLROnPlateauScheduler;
  const auto make = [](Optimizer& o) { return Plateau(o, Plateau::min, 0.5, 1, 0, Plateau::abs, 0, {1e-9}, 0); };
  SGD a({ones({1}).requires_grad_()}, 0.5), b({ones({1}).requires_grad_()}, 0.5);
  Plateau first = make(a);
  first.step(1.0);
  first.step(1.0 + 1e-12);  // worse, but not in float
  std::stringstream stream;
  save(first, stream);
  Plateau second = make(b);
  load(second, stream);
  for (Plateau* p : {&first, &second}) {
    p->step(1.0 - 1e-12);  // better, but not in float
    p->step(1.0);
    CHECK(p->get_last_lr() == std::vector<double>{0.5});
    p->step(1.0);
    CHECK(p->get_last_lr() == std::vector<double>{0.25});
  }
}

namespace {

nn::Sequential make_net() {
  nn::Sequential net(nn::Linear(2, 3), nn::BatchNorm1d(3));
  net->to(kDouble);
  const NoGradGuard no_grad;
  net->named_parameters()["0.weight"].copy_(linspace(-1, 1, 6, kDouble).reshape({3, 2}));
  net->named_parameters()["0.bias"].copy_(linspace(0, 1, 3, kDouble));
  return net;
}

void check_state(const nn::Module& module, const std::string& name) {
  const serialize::InputArchive expected = schedule_of_pytorch(name);
  const auto compare = [&](const OrderedDict<std::string, Tensor>& tensors) {
    for (const auto& item : tensors) {
      INFO(name << " " << item.key());
      CHECK(item.value().detach().to(kDouble).allclose(expected.find(item.key()), 1e-12, 1e-12));
    }
  };
  compare(module.named_parameters());
  compare(module.named_buffers());
}

void check_averages(const std::string& name, const AveragedModelOptions& options) {
  nn::Sequential net = make_net();
  AveragedModel average(net, options);
  std::vector<Tensor> batches;
  for (const int i : {1, 2, 3}) batches.push_back(linspace(-1, i, 8, kDouble).reshape({4, 2}));
  for (int i = 0; i < 3; ++i) {
    net->forward(batches[static_cast<size_t>(i)]);
    const NoGradGuard no_grad;
    for (Tensor& p : net->parameters()) p.mul_(0.5 + i).add_(0.1);
    average.update_parameters(net);
  }
  CHECK(average.n_averaged() == 3);
  check_state(*average.module(), name);
  std::stringstream stream;
  save(average, stream);
  nn::Sequential fresh = make_net();
  AveragedModel loaded(fresh, options);
  load(loaded, stream);
  CHECK(loaded.n_averaged() == 3);
  loaded->eval();
  update_bn(batches, loaded);
  check_state(*loaded.module(), name + "_bn");
  CHECK_FALSE(loaded->is_training());
  CHECK(loaded->children()[1]->as<nn::BatchNorm1d>()->options.momentum() == 0.1);
}

}  // namespace

TEST_CASE("averages of weights are PyTorch's") {
  check_averages("swa", {});
  check_averages("ema", AveragedModelOptions().avg_fn(get_ema_avg_fn(0.7)));
  check_averages("ema_buffers", AveragedModelOptions().avg_fn(get_ema_avg_fn(0.7)).use_buffers(true));
}

TEST_CASE("update_bn averages the statistics of synchronised batch norms too") {
  const Tensor batches = randn({3, 4, 2}, kDouble);
  const auto statistics = [&](auto norm) {
    norm->to(kDouble);
    norm->forward(ones({4, 2}, kDouble));  // forgotten again
    norm->eval();
    update_bn(std::vector<Tensor>{batches[0], batches[1], batches[2]}, norm);
    CHECK(norm->options.momentum() == 0.1);
    return std::pair(norm->running_mean, norm->running_var);
  };
  const auto [mean, var] = statistics(nn::BatchNorm1d(2));
  CHECK(mean.allclose(batches.mean(1).mean(0)));
  const auto [synchronised, of_synchronised] = statistics(nn::SyncBatchNorm(2));
  CHECK(synchronised.equal(mean));
  CHECK(of_synchronised.equal(var));
}
