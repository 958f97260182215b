// Optimizers against PyTorch's steps (reference.safetensors, made by make_reference.py), their groups and their files.
#include <strata/strata.h>

#include <sstream>

#include "test/catch.h"
#include "test/optim/resume.h"
#include "test/source_dir.h"

using namespace strata;
using namespace strata::optim;
using Catch::Matchers::ContainsSubstring;

namespace {

serialize::InputArchive steps_of_pytorch(const std::string& name) {
  static serialize::InputArchive file = [] {
    serialize::InputArchive archive;
    archive.load_from(source_dir() + "/test/optim/reference.safetensors");
    return archive;
  }();
  return file.nested(name);
}

std::vector<Tensor> start(const std::string& name) {
  const serialize::InputArchive r = steps_of_pytorch(name).nested("0");
  return {r.find("p").clone().requires_grad_(), r.find("q").clone().requires_grad_()};
}

/// The gradients that the script uses: sin(w) + 0.1 t w, none for q at steps 4 and 5.
void set_gradients(const std::vector<Tensor>& params, int t) {
  for (size_t i = 0; i < params.size(); ++i) {
    const Tensor w = params[i].detach();
    params[i].mutable_grad() = i == 1 && (t == 4 || t == 5) ? Tensor() : w.sin() + w * (0.1 * t);
  }
}

template <class Optimizer, class Options>
void check(const std::string& name, Options options) {
  INFO(name);
  const std::vector<Tensor> params = start(name);
  Optimizer optimizer(params, options);
  for (int t = 1; t <= 10; ++t) {
    set_gradients(params, t);
    optimizer.step();
    const serialize::InputArchive r = steps_of_pytorch(name).nested(std::to_string(t));
    CHECK(params[0].detach().allclose(r.find("p"), 1e-10, 1e-10));
    CHECK(params[1].detach().allclose(r.find("q"), 1e-10, 1e-10));
  }
}

template <class Optimizer, class Options>
void check_resume(Options options) {
  test::check_resume<Optimizer>(start("sgd"), options, set_gradients);
}

}  // namespace

TEST_CASE("SGD steps as PyTorch's does") {
  check<SGD>("sgd", SGDOptions(0.1));
  check<SGD>("sgd_decay", SGDOptions(0.1).weight_decay(0.05));
  check<SGD>("sgd_momentum", SGDOptions(0.1).momentum(0.9).dampening(0.3).weight_decay(0.01));
  check<SGD>("sgd_nesterov", SGDOptions(0.1).momentum(0.9).nesterov(true));
}

TEST_CASE("Adam and AdamW step as PyTorch's do") {
  check<Adam>("adam", AdamOptions(0.05).betas({0.8, 0.95}).eps(1e-6));
  check<Adam>("adam_decay", AdamOptions(0.05).weight_decay(0.1));
  check<Adam>("adam_amsgrad", AdamOptions(0.05).amsgrad(true));
  check<AdamW>("adamw", AdamWOptions(0.05));
  check<AdamW>("adamw_amsgrad", AdamWOptions(0.05).weight_decay(0.2).amsgrad(true));
}

TEST_CASE("RMSprop and Adagrad step as PyTorch's do") {
  check<RMSprop>("rmsprop", RMSpropOptions(0.05));
  check<RMSprop>("rmsprop_momentum", RMSpropOptions(0.05).alpha(0.9).momentum(0.8).weight_decay(0.05));
  check<RMSprop>("rmsprop_centered", RMSpropOptions(0.05).alpha(0.9).centered(true));
  check<Adagrad>("adagrad", AdagradOptions(0.1));
  check<Adagrad>("adagrad_decay", AdagradOptions(0.1).lr_decay(0.2).weight_decay(0.1).initial_accumulator_value(0.5));
}

namespace {

/// The loss that the script uses.
Tensor closure_loss(const std::vector<Tensor>& params) {
  const Tensor &p = params[0], &q = params[1];
  Tensor loss = (p.square() - 1).square().sum() + (q * arange(1, 6, kDouble)).square().sum() + p.sum().sin() * q.sum();
  loss.backward();
  return loss;
}

void check_lbfgs(const std::string& name, const LBFGSOptions& options, bool resume) {
  INFO(name);
  const std::vector<Tensor> params = start(name);
  auto optimizer = std::make_unique<LBFGS>(params, options);
  for (int t = 1; t <= 5; ++t) {
    const Tensor loss = optimizer->step([&] {
      optimizer->zero_grad();
      return closure_loss(params);
    });
    const serialize::InputArchive r = steps_of_pytorch(name).nested(std::to_string(t));
    CHECK(loss.detach().allclose(r.find("loss"), 1e-8, 1e-10));
    CHECK(params[0].detach().allclose(r.find("p"), 1e-8, 1e-10));
    CHECK(params[1].detach().allclose(r.find("q"), 1e-8, 1e-10));
    if (!resume) continue;
    std::stringstream stream;
    save(*optimizer, stream);
    optimizer = std::make_unique<LBFGS>(params, options);
    load(*optimizer, stream);
  }
}

}  // namespace

TEST_CASE("LBFGS steps as PyTorch's does, resumed or not") {
  for (const bool resume : {false, true}) {
    check_lbfgs("lbfgs", LBFGSOptions(0.02).max_iter(4).history_size(3), resume);
    check_lbfgs("lbfgs_wolfe", LBFGSOptions().max_iter(3).history_size(4).line_search_fn("strong_wolfe"), resume);
  }
  CHECK_THROWS_AS(LBFGS(start("sgd"), LBFGSOptions().line_search_fn("golden")), Error);
  LBFGS optimizer(start("sgd"));
  CHECK_THROWS_AS(optimizer.step(nullptr), Error);
}

TEST_CASE("a resumed run goes on with the same bits") {
  check_resume<SGD>(SGDOptions(0.1).momentum(0.9));
  check_resume<Adam>(AdamOptions(0.05).amsgrad(true));
  check_resume<AdamW>(AdamWOptions(0.05));
  check_resume<RMSprop>(RMSpropOptions(0.05).centered(true).momentum(0.5));
  check_resume<Adagrad>(AdagradOptions(0.1).lr_decay(0.1));
}

TEST_CASE("groups have their own options and inherit the rest") {
  const Tensor a = ones({2}).requires_grad_(), b = ones({2}).requires_grad_(), c = ones({2}).requires_grad_();
  std::vector<OptimizerParamGroup> groups;
  groups.emplace_back(std::vector<Tensor>{a});
  groups.emplace_back(std::vector<Tensor>{b}, std::make_unique<AdamOptions>(AdamOptions().weight_decay(0.5)));
  Adam optimizer(groups, AdamOptions(0.25).eps(1e-3));
  optimizer.add_param_group(OptimizerParamGroup({c}, std::make_unique<AdamOptions>(0.125)));
  const auto options = [&](size_t i) { return static_cast<AdamOptions&>(optimizer.param_groups()[i].options()); };
  CHECK(options(0).lr() == 0.25);
  CHECK(options(1).lr() == 0.25);
  CHECK(options(1).weight_decay() == 0.5);
  CHECK(options(1).eps() == 1e-3);
  CHECK(options(2).lr() == 0.125);
  CHECK(optimizer.size() == 3);
  CHECK_THROWS_WITH(optimizer.add_param_group(OptimizerParamGroup({a})),
                    ContainsSubstring("more than one parameter group"));
  CHECK_THROWS_WITH(Adam({c, c}), ContainsSubstring("twice"));
  CHECK_THROWS_WITH(Adam({c * 2}), ContainsSubstring("leaf"));
  CHECK_THROWS_WITH(optimizer.add_param_group(OptimizerParamGroup({ones({1})}, std::make_unique<SGDOptions>(0.1))),
                    ContainsSubstring("another optimizer's"));
}

TEST_CASE("Adagrad has its sums before the first step, by each group's options") {
  const Tensor first = ones({2}).requires_grad_(), second = ones({3}).requires_grad_();
  std::vector<OptimizerParamGroup> groups;
  groups.emplace_back(std::vector<Tensor>{first});
  groups.emplace_back(std::vector<Tensor>{second},
                      std::make_unique<AdagradOptions>(AdagradOptions(0.1).initial_accumulator_value(2)));
  Adagrad optimizer(groups, AdagradOptions(0.1));
  const auto sum_of = [&](const Tensor& p) {
    return static_cast<AdagradParamState&>(*optimizer.state().at(p.unsafeGetTensorImpl())).sum();
  };
  CHECK(sum_of(first).equal(zeros({2})));
  CHECK(sum_of(second).equal(full({3}, 2.0)));
  first.set_data(first.detach().to(kDouble));  // a parameter that changes takes its sum along
  first.mutable_grad() = full({2}, 2.0, kDouble);
  optimizer.step();
  CHECK(sum_of(first).equal(full({2}, 4.0, kDouble)));
}

TEST_CASE("wrong options are errors") {
  const std::vector<Tensor> p = {ones({1}).requires_grad_()};
  CHECK_THROWS_AS(SGD(p, -0.1), Error);
  CHECK_THROWS_AS(SGD(p, SGDOptions(0.1).nesterov(true)), Error);
  CHECK_THROWS_AS(Adam(p, AdamOptions().betas({1.0, 0.9})), Error);
  CHECK_THROWS_AS(RMSprop(p, RMSpropOptions().eps(-1)), Error);
  CHECK_THROWS_AS(Adagrad(p, AdagradOptions(-1)), Error);
}

TEST_CASE("a closure gives the loss, with gradients on") {
  Tensor w = full({1}, 3.0, kDouble).requires_grad_();
  SGD optimizer({w}, 0.1);
  NoGradGuard no_grad;
  const Tensor loss = optimizer.step([&] {
    optimizer.zero_grad();
    Tensor l = (w * w).sum();
    l.backward();
    return l;
  });
  CHECK(loss.item<double>() == 9);
  CHECK(w.item<double>() == Approx(2.4));
}

TEST_CASE("zero_grad removes or clears") {
  Tensor w = ones({2}).requires_grad_();
  SGD optimizer({w}, 0.1);
  w.sum().backward();
  optimizer.zero_grad(/*set_to_none=*/false);
  CHECK(w.grad().equal(zeros({2})));
  optimizer.zero_grad();
  CHECK_FALSE(w.grad().defined());
  optimizer.step();
  CHECK(w.detach().equal(ones({2})));
}

TEST_CASE("a step is seen by saved tensors") {
  Tensor w = ones({2}).requires_grad_();
  SGD optimizer({w}, 0.1);
  const Tensor y = (w * w).sum();
  w.mutable_grad() = ones({2});
  optimizer.step();
  CHECK_THROWS_AS(y.backward(), Error);
}

TEST_CASE("half precision parameters are stepped too") {
  Tensor w = ones({9}, kBFloat16).requires_grad_();
  Adam optimizer({w}, AdamOptions(0.5));
  w.mutable_grad() = ones({9}, kBFloat16);
  optimizer.step();
  CHECK(w.detach().to(kFloat).allclose(full({9}, 0.5), 1e-2, 1e-2));
}

TEST_CASE("a file of another optimizer changes nothing") {
  const std::vector<Tensor> p = start("sgd");
  SGD optimizer(p, SGDOptions(0.1).momentum(0.9));
  set_gradients(p, 1);
  optimizer.step();
  std::stringstream stream, other;
  save(optimizer, stream);
  Tensor small = ones({2}, kDouble).requires_grad_(), q = ones({5}, kDouble).requires_grad_();
  SGD wrong_shape({small, q}, 0.2), wrong_count({small}, 0.2);
  CHECK_THROWS_WITH(load(wrong_shape, stream), ContainsSubstring("momentum_buffer has shape (3, 4)"));
  CHECK(wrong_shape.param_groups()[0].options().get_lr() == 0.2);
  CHECK(wrong_shape.state().empty());
  save(optimizer, other);
  CHECK_THROWS_WITH(load(wrong_count, other), ContainsSubstring("2 parameters"));
}

namespace {

template <class Step>
void check_rates(const std::string& name, SGD& optimizer, Step step) {
  INFO(name);
  const Tensor rates = steps_of_pytorch(name).find("rates");
  CHECK(optimizer.param_groups()[0].options().get_lr() == Approx(rates[0].item<double>()).epsilon(1e-12));
  for (int i = 1; i < 12; ++i) {
    step(i - 1);
    INFO("step " << i);
    CHECK(optimizer.param_groups()[0].options().get_lr() == Approx(rates[i].item<double>()).epsilon(1e-12));
  }
}

template <class Scheduler, class... Args>
void check_schedule(const std::string& name, Args... args) {
  SGD optimizer({ones({1}).requires_grad_()}, 0.5);
  Scheduler scheduler(optimizer, args...);
  check_rates(name, optimizer, [&](int) { scheduler.step(); });
}

}  // namespace

TEST_CASE("schedules follow PyTorch's") {
  check_schedule<StepLR>("step", 3, 0.5);
  check_schedule<MultiStepLR>("multi_step", std::vector<unsigned>{2, 5, 5, 9}, 0.1);
  check_schedule<ExponentialLR>("exponential", 0.9);
  check_schedule<CosineAnnealingLR>("cosine", 8, 0.01);
  check_schedule<LinearLR>("linear", 0.25, 0.75, 4);
  check_schedule<LambdaLR>("lambda", [](unsigned t) { return 1.0 / (1 + t); });
  check_schedule<OneCycleLR>("one_cycle", 1.0, 12);
  SGD optimizer({ones({1}).requires_grad_()}, 0.5);
  ReduceLROnPlateauScheduler plateau(optimizer, ReduceLROnPlateauScheduler::min, 0.5, 2, 1e-4,
                                     ReduceLROnPlateauScheduler::rel, 1);
  const double metrics[] = {1.0, 0.9, 0.9, 0.9, 0.95, 0.9, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
  check_rates("plateau", optimizer, [&](int i) { plateau.step(metrics[i]); });
}

TEST_CASE("a schedule resumes") {
  SGD a({ones({1}).requires_grad_()}, 0.5), b({ones({1}).requires_grad_()}, 0.1);
  CosineAnnealingLR first(a, 10);
  for (int i = 0; i < 4; ++i) first.step();
  std::stringstream stream;
  save(first, stream);
  CosineAnnealingLR second(b, 10);
  load(second, stream);
  first.step();
  second.step();
  CHECK(a.param_groups()[0].options().get_lr() == b.param_groups()[0].options().get_lr());
}
