// The newer optimizers against PyTorch's and the papers' (more_reference.safetensors, made by make_more_reference.py),
// their files, and what counts as a given option.
#include <strata/strata.h>

#include <sstream>

#include "test/catch.h"
#include "test/optim/resume.h"
#include "test/source_dir.h"

using namespace strata;
using namespace strata::optim;
using Catch::Matchers::ContainsSubstring;

namespace {

serialize::InputArchive read_file(const std::string& name) {
  serialize::InputArchive archive;
  archive.load_from(source_dir() + "/test/optim/" + name);
  return archive;
}

std::vector<Tensor> ramps(DType dtype = kDouble) {
  return {linspace(-1, 1, 12, kDouble).reshape({3, 4}).to(dtype).clone().requires_grad_(),
          linspace(0.5, 2, 5, kDouble).to(dtype).clone().requires_grad_()};
}

/// The script's.
Tensor wavy_gradient(const Tensor& v, int t) { return (v * (3 + t % 3)).sin() + v * (0.05 * t); }
void set_wavy_gradients(const std::vector<Tensor>& params, int t) {
  for (const Tensor& p : params) p.mutable_grad() = wavy_gradient(p.detach(), t);
}

template <class Optimizer, class Options>
void check_newer(const std::string& name, Options options, std::vector<Tensor> params = ramps(),
                 double tolerance = 1e-9) {
  static const serialize::InputArchive file = read_file("more_reference.safetensors");
  Optimizer optimizer(params, options);
  const char* const names[] = {"p", "q"};
  for (int t = 1; t <= 20; ++t) {
    set_wavy_gradients(params, t);
    optimizer.step();
    const serialize::InputArchive r = file.nested(name).nested(std::to_string(t));
    for (size_t i = 0; i < params.size() && r.find("p").defined(); ++i) {
      INFO(name << " step " << t << "\n" << params[i] << "\n" << r.find(names[i]));
      CHECK(params[i].detach().allclose(r.find(names[i]), tolerance, tolerance));
    }
  }
}

}  // namespace

TEST_CASE("Adam's kin step as PyTorch's do") {
  check_newer<Adamax>("adamax", AdamaxOptions(0.02));
  check_newer<Adamax>("adamax_max", AdamaxOptions(0.02).betas({0.8, 0.95}).weight_decay(0.1).maximize(true));
  check_newer<NAdam>("nadam", NAdamOptions(0.02));
  check_newer<NAdam>("nadam_decoupled",
                     NAdamOptions(0.02).weight_decay(0.1).decoupled_weight_decay(true).momentum_decay(0.1));
  check_newer<NAdam>("nadam_decay", NAdamOptions(0.02).weight_decay(0.1).maximize(true));
  check_newer<RAdam>("radam", RAdamOptions(0.02));
  check_newer<RAdam>("radam_decoupled",
                     RAdamOptions(0.02).weight_decay(0.1).decoupled_weight_decay(true).betas({0.8, 0.9}));
  check_newer<RAdam>("radam_decay", RAdamOptions(0.02).weight_decay(0.1).maximize(true));
}

TEST_CASE("Adadelta, Rprop, ASGD, Adafactor and Muon step as PyTorch's do") {
  check_newer<Adadelta>("adadelta", AdadeltaOptions());
  check_newer<Adadelta>("adadelta_decay", AdadeltaOptions(0.5).rho(0.8).eps(1e-4).weight_decay(0.1).maximize(true));
  check_newer<Rprop>("rprop", RpropOptions(0.05));
  check_newer<Rprop>("rprop_max", RpropOptions(0.05).etas({0.4, 1.5}).step_sizes({0.03, 0.2}).maximize(true));
  check_newer<ASGD>("asgd", ASGDOptions(0.05));
  check_newer<ASGD>("asgd_early", ASGDOptions(0.05).lambd(0.1).t0(5).weight_decay(0.1).maximize(true));
  check_newer<Adafactor>("adafactor", AdafactorOptions(0.05));
  check_newer<Adafactor>(
      "adafactor_decay",
      AdafactorOptions(0.5).beta2_decay(-0.5).eps({1e-5, 1e-2}).d(2).weight_decay(0.1).maximize(true));
  check_newer<Muon>("muon", MuonOptions(0.05), {ramps(kFloat)[0]}, 1e-6);
  check_newer<Muon>("muon_plain",
                    MuonOptions(0.05).nesterov(false).momentum(0.8).ns_steps(3).adjust_lr_fn("match_rms_adamw"),
                    {ramps(kFloat)[0]}, 1e-6);
}

TEST_CASE("Lion and LAMB step as their papers say") {
  check_newer<Lion>("lion", LionOptions(0.02));
  check_newer<Lion>("lion_decay", LionOptions(0.02).betas({0.8, 0.95}).weight_decay(0.5));
  check_newer<LAMB>("lamb", LAMBOptions(0.02));
  check_newer<LAMB>("lamb_decay", LAMBOptions(0.02).betas({0.8, 0.95}).eps(1e-4).weight_decay(0.3));
}

TEST_CASE("the older optimizers maximize, and Adam decouples its decay") {
  check_newer<Adam>("adam_max", AdamOptions(0.02).weight_decay(0.1).maximize(true));
  check_newer<Adam>("adam_decoupled", AdamOptions(0.02).weight_decay(0.1).decoupled_weight_decay(true));
  check_newer<AdamW>("adamw_max", AdamWOptions(0.02).maximize(true));
  check_newer<SGD>("sgd_max", SGDOptions(0.02).momentum(0.9).weight_decay(0.1).maximize(true));
  check_newer<RMSprop>("rmsprop_max", RMSpropOptions(0.02).momentum(0.5).centered(true).maximize(true));
  check_newer<Adagrad>("adagrad_max", AdagradOptions(0.02).lr_decay(0.1).maximize(true));
}

TEST_CASE("SparseAdam steps the rows that were looked up") {
  const serialize::InputArchive r = read_file("more_reference.safetensors").nested("sparse_adam");
  Tensor table = linspace(-1, 1, 12, kDouble).reshape({4, 3}).clone().requires_grad_();
  SparseAdam optimizer({table}, SparseAdamOptions(0.02).betas({0.8, 0.95}).eps(1e-3));
  for (int t = 1; t <= 20; ++t) {
    const Tensor rows = t % 2 == 1 ? tensor({0, 2}) : tensor({1});
    table.mutable_grad() =
        zeros_like(table).index_copy(0, rows, wavy_gradient(table.detach().index_select(0, rows), t));
    optimizer.step();
    const Tensor expected = r.nested(std::to_string(t)).find("p");
    if (expected.defined()) CHECK(table.detach().allclose(expected, 1e-9, 1e-9));
  }
}

namespace {

template <class Optimizer, class Options>
void check_newer_resume(Options options, size_t count = 2) {
  std::vector<Tensor> parameters = ramps();
  parameters.resize(count);
  test::check_resume<Optimizer>(parameters, options, set_wavy_gradients);
}

}  // namespace

TEST_CASE("resumed runs of the newer optimizers go on with the same bits") {
  check_newer_resume<Adamax>(AdamaxOptions(0.1).maximize(true));
  check_newer_resume<NAdam>(NAdamOptions(0.05).momentum_decay(0.01));
  check_newer_resume<RAdam>(RAdamOptions(0.05).betas({0.8, 0.9}));
  check_newer_resume<Adadelta>(AdadeltaOptions(0.5));
  check_newer_resume<Rprop>(RpropOptions(0.05).etas({0.3, 1.3}));
  check_newer_resume<ASGD>(ASGDOptions(0.05).t0(3));
  check_newer_resume<Adafactor>(AdafactorOptions(0.05));
  check_newer_resume<Lion>(LionOptions(0.05));
  check_newer_resume<LAMB>(LAMBOptions(0.05));
  check_newer_resume<SparseAdam>(SparseAdamOptions(0.05));
  check_newer_resume<Muon>(MuonOptions(0.05).ns_coefficients({3, -3, 1}).adjust_lr_fn("spectral_unclamped"), 1);
}

TEST_CASE("capturable steps count as the host does") {
  const auto compare = []<class Optimizer>(auto options, Optimizer*) {
    const std::vector<Tensor> a = ramps(), b = ramps();
    Optimizer host(a, options), device(b, options.capturable(true));
    for (int t = 1; t <= 7; ++t) {
      set_wavy_gradients(a, t);
      set_wavy_gradients(b, t);
      host.step();
      device.step();
    }
    for (size_t i = 0; i < a.size(); ++i) CHECK(a[i].detach().equal(b[i].detach()));
  };
  compare(AdamaxOptions(0.1), static_cast<Adamax*>(nullptr));
  compare(RAdamOptions(0.1), static_cast<RAdam*>(nullptr));
  compare(AdadeltaOptions(0.1), static_cast<Adadelta*>(nullptr));
  compare(LionOptions(0.1).weight_decay(0.1), static_cast<Lion*>(nullptr));
}

TEST_CASE("complex parameters step as pairs of numbers") {
  const auto compare = []<class Optimizer>(auto options, Optimizer*) {
    const Tensor z = view_as_complex(linspace(-1, 1, 6, kDouble).reshape({3, 2}).clone()).clone().requires_grad_();
    const Tensor x = linspace(-1, 1, 6, kDouble).reshape({3, 2}).clone().requires_grad_();
    Optimizer a({z}, options), b({x}, options);
    for (int t = 1; t <= 4; ++t) {
      x.mutable_grad() = wavy_gradient(x.detach(), t);
      z.mutable_grad() = view_as_complex(x.grad().clone());
      a.step();
      b.step();
    }
    CHECK(view_as_real(z.detach()).allclose(x.detach(), 1e-12, 1e-12));
  };
  compare(AdamaxOptions(0.1), static_cast<Adamax*>(nullptr));
  compare(NAdamOptions(0.1), static_cast<NAdam*>(nullptr));
  compare(RpropOptions(0.1), static_cast<Rprop*>(nullptr));
  compare(LionOptions(0.1), static_cast<Lion*>(nullptr));
  compare(LAMBOptions(0.1), static_cast<LAMB*>(nullptr));
}

TEST_CASE("a given option of a group stays, even at the default's value") {
  const Tensor a = ones({2}).requires_grad_(), b = ones({2}).requires_grad_(), c = ones({2}).requires_grad_();
  const AdamOptions defaults = AdamOptions(0.25).eps(1e-3).betas({0.5, 0.5}).maximize(true);
  std::vector<OptimizerParamGroup> groups;
  groups.emplace_back(std::vector<Tensor>{a}, std::make_unique<AdamOptions>(1e-3));
  groups.emplace_back(std::vector<Tensor>{b},
                      std::make_unique<AdamOptions>(AdamOptions().betas({0.9, 0.999}).maximize(false)));
  auto by_reference = std::make_unique<AdamOptions>();
  by_reference->eps() = 1e-8;
  groups.emplace_back(std::vector<Tensor>{c}, std::move(by_reference));
  const Adam optimizer(groups, defaults);
  const auto options = [&](size_t i) -> const AdamOptions& {
    return static_cast<const AdamOptions&>(optimizer.param_groups()[i].options());
  };
  CHECK(options(0).lr() == 1e-3);
  CHECK(options(0).eps() == 1e-3);
  CHECK(options(0).maximize());
  CHECK(options(1).lr() == 0.25);
  CHECK(options(1).betas() == std::tuple(0.9, 0.999));
  CHECK_FALSE(options(1).maximize());
  CHECK(options(2).eps() == 1e-8);
  CHECK(options(2).betas() == std::tuple(0.5, 0.5));

  // What a group inherited is no option that it was given.
  const Adam other({OptimizerParamGroup({a}, options(2).clone())}, AdamOptions(0.5));
  CHECK(other.param_groups()[0].options().get_lr() == 0.25);  // it differs from a new object's
}

TEST_CASE("wrong options of the newer optimizers are errors") {
  const std::vector<Tensor> p = {ones({1}).requires_grad_()};
  CHECK_THROWS_WITH(Adamax(p, AdamaxOptions(-1)), ContainsSubstring("Adamax: the learning rate"));
  CHECK_THROWS_WITH(NAdam(p, NAdamOptions().momentum_decay(-1)), ContainsSubstring("momentum_decay"));
  CHECK_THROWS_WITH(RAdam(p, RAdamOptions().betas({0.1, 1.0})), ContainsSubstring("betas"));
  CHECK_THROWS_WITH(Adadelta(p, AdadeltaOptions().rho(1.5)), ContainsSubstring("rho"));
  CHECK_THROWS_WITH(Rprop(p, RpropOptions().etas({1.5, 2.0})), ContainsSubstring("etas"));
  CHECK_THROWS_WITH(ASGD(p, ASGDOptions().weight_decay(-1)), ContainsSubstring("weight_decay"));
  CHECK_THROWS_WITH(Lion(p, LionOptions().betas({-0.1, 0.9})), ContainsSubstring("betas"));
  CHECK_THROWS_WITH(Adafactor(p, AdafactorOptions().d(0.5)), ContainsSubstring("d must be"));
  CHECK_THROWS_WITH(Muon(p, MuonOptions().adjust_lr_fn("none")), ContainsSubstring("adjust_lr_fn"));
  CHECK_THROWS_WITH(SparseAdam(p, SparseAdamOptions(0)), ContainsSubstring("must be positive"));
  Muon vector(p);
  p[0].mutable_grad() = ones({1});
  CHECK_THROWS_WITH(vector.step(), ContainsSubstring("matrices"));
}

namespace {

/// last_version.safetensors has, by optimizer, the parameters and the state after three steps that version 0.1.0
/// (before `maximize`) took and saved, and the parameters after three more.
template <class Optimizer, class Options>
void check_last_version(const std::string& name, Options options) {
  INFO(name);
  const serialize::InputArchive file = read_file("last_version.safetensors").nested(name);
  const std::vector<Tensor> params = {file.find("p").clone().requires_grad_(), file.find("q").clone().requires_grad_()};
  Optimizer optimizer(params, Options(7.0));
  serialize::InputArchive state = file.nested("state");
  optimizer.load(state);
  CHECK(static_cast<Options&>(optimizer.param_groups()[0].options()) == options);
  for (int t = 4; t <= 6; ++t) {
    for (const Tensor& w : params) w.mutable_grad() = w.detach().sin() + w.detach() * (0.1 * t);
    optimizer.step();
  }
  CHECK(params[0].detach().allclose(file.find("p_after"), 1e-13, 1e-13));
  CHECK(params[1].detach().allclose(file.find("q_after"), 1e-13, 1e-13));
}

}  // namespace

TEST_CASE("states that the last version saved load") {
  check_last_version<SGD>("sgd", SGDOptions(0.1).momentum(0.9));
  check_last_version<Adam>("adam", AdamOptions(0.05).amsgrad(true).weight_decay(0.1));
  check_last_version<AdamW>("adamw", AdamWOptions(0.05));
  check_last_version<RMSprop>("rmsprop", RMSpropOptions(0.05).centered(true).momentum(0.5));
  check_last_version<Adagrad>("adagrad", AdagradOptions(0.1).lr_decay(0.1));
}
