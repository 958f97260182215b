// What the tests of optimizers share: runs that are saved in the middle.
#pragma once
#include <strata/strata.h>

#include <sstream>

#include "test/catch.h"

namespace strata::test {

/// Ten steps from `start` in one go against five, a round trip through a stream, and five more: the same bits.
/// `set_gradients(parameters, t)` gives the parameters the gradients of step t.
template <class Optimizer, class Options, class SetGradients>
void check_resume(const std::vector<Tensor>& start, const Options& options, SetGradients set_gradients) {
  const auto copies = [](const std::vector<Tensor>& of) {
    std::vector<Tensor> out;
    for (const Tensor& p : of) out.push_back(p.detach().clone().requires_grad_());
    return out;
  };
  const std::vector<Tensor> whole = copies(start), first = copies(start);
  const auto run = [&](Optimizer& optimizer, const std::vector<Tensor>& parameters, int from, int to) {
    for (int t = from; t <= to; ++t) {
      set_gradients(parameters, t);
      optimizer.step();
    }
  };
  Optimizer a(whole, options), b(first, options);
  run(a, whole, 1, 10);
  run(b, first, 1, 5);
  std::stringstream stream;
  save(b, stream);
  const std::vector<Tensor> second = copies(first);
  Optimizer c(second, Options(0.123));
  load(c, stream);
  CHECK(static_cast<const Options&>(c.param_groups()[0].options()) == options);
  run(c, second, 6, 10);
  for (size_t i = 0; i < whole.size(); ++i) CHECK(second[i].detach().equal(whole[i].detach()));
}

}  // namespace strata::test
