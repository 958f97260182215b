// Modules and functions with inplace(true): the input becomes the result and is what is returned, with the gradient of
// the form that is not in place.
#include <strata/strata.h>

#include <functional>

#include "test/catch.h"

namespace strata {
namespace {

namespace F = nn::functional;
using Forward = std::function<Tensor(Tensor, bool)>;

struct Case {
  const char* name;
  Forward forward;
};

/// A module of options with inplace or without, called.
template <class Module, class Options>
Forward module_of(Options options, bool training = true) {
  return [=](const Tensor& x, bool inplace) {
    Options chosen = options;
    Module module(chosen.inplace(inplace));
    module->train(training);
    return module(x);
  };
}

const std::vector<Case> kCases = {
    {"ELU", module_of<nn::ELU>(nn::ELUOptions().alpha(0.7))},
    {"SELU", module_of<nn::SELU>(nn::SELUOptions())},
    {"CELU", module_of<nn::CELU>(nn::CELUOptions().alpha(0.7))},
    {"Hardtanh", module_of<nn::Hardtanh>(nn::HardtanhOptions().min_val(-0.6))},
    {"LeakyReLU", module_of<nn::LeakyReLU>(nn::LeakyReLUOptions())},
    {"ReLU", module_of<nn::ReLU>(nn::ReLUOptions())},
    {"ReLU6", module_of<nn::ReLU6>(nn::ReLU6Options())},
    {"RReLU", module_of<nn::RReLU>(nn::RReLUOptions())},
    {"RReLU, evaluation", module_of<nn::RReLU>(nn::RReLUOptions(), false)},
    {"Threshold", module_of<nn::Threshold>(nn::ThresholdOptions(0.1, 20))},
    {"Dropout", module_of<nn::Dropout>(nn::DropoutOptions(0.5))},
    {"Dropout2d", module_of<nn::Dropout2d>(nn::Dropout2dOptions(0.5))},
    {"Dropout3d", module_of<nn::Dropout3d>(nn::Dropout3dOptions(0.5))},
    {"alpha_dropout",
     [](const Tensor& x, bool inplace) {
       return F::alpha_dropout(x, F::AlphaDropoutFuncOptions().training(true).inplace(inplace));
     }},
    {"feature_alpha_dropout",
     [](const Tensor& x, bool inplace) {
       return F::feature_alpha_dropout(x, F::FeatureAlphaDropoutFuncOptions().training(true).inplace(inplace));
     }},
};

Tensor sample() { return tensor({-2.0, -0.5, 0.5, 7.0, 0.0, 1.5}).view({1, 6, 1, 1, 1}); }

}  // namespace

TEST_CASE("inplace writes to the input") {
  for (const Case& c : kCases) {
    INFO(c.name);
    manual_seed(3);
    const Tensor expected = c.forward(sample(), false);
    manual_seed(3);
    const Tensor x = sample(), y = c.forward(x, true);
    CHECK(y.is_same(x));
    CHECK(x.equal(expected));
  }
}

TEST_CASE("inplace has the same gradient, and refuses leaves") {
  for (const Case& c : kCases) {
    INFO(c.name);
    Tensor grads[2];
    for (const bool inplace : {false, true}) {
      const Tensor leaf = sample().requires_grad_();
      manual_seed(3);
      (c.forward(leaf * 1, inplace) * arange(1, 7).view({1, 6, 1, 1, 1})).sum().backward();
      grads[inplace] = leaf.grad();
    }
    CHECK(grads[0].equal(grads[1]));
    CHECK_THROWS_AS(c.forward(sample().requires_grad_(), true), Error);
  }
}

TEST_CASE("dropout that changes nothing returns its input, leaves too") {
  const Tensor leaf = sample().requires_grad_();
  nn::Dropout dropout(nn::DropoutOptions(0.5).inplace(true));
  dropout->eval();
  CHECK(dropout(leaf).is_same(leaf));
  CHECK(nn::Dropout(nn::DropoutOptions(0).inplace(true))(leaf).is_same(leaf));
}

TEST_CASE("to() takes no options with requires_grad") {
  CHECK_THROWS_WITH(ones({2}).to(TensorOptions(kDouble).requires_grad(true)),
                    Catch::Matchers::ContainsSubstring("requires_grad"));
  CHECK(ones({2}).to(TensorOptions(kDouble)).dtype() == kDouble);
}

TEST_CASE("the first and the last entry of no dictionary entries") {
  OrderedDict<std::string, int> none;
  CHECK_THROWS_WITH(none.back(), "Called back() on an empty OrderedDict");
  CHECK_THROWS_WITH(none.front(), "Called front() on an empty OrderedDict");
  none.insert("one", 1);
  CHECK(none.back().value() == 1);
  CHECK(none.front().key() == "one");
}

}  // namespace strata
