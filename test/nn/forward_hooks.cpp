// Hooks around the calls of a module.
#include <strata/strata.h>

#include "test/catch.h"

namespace strata {
namespace {

struct FailingImpl : nn::Module {
  Tensor forward(const Tensor&) { STRATA_THROW("no forward"); }
};
STRATA_MODULE(Failing);

/// Adds `text` to `log` at each call of a hook.
nn::Module::ForwardHook writer(std::string& log, const char* text) {
  return [&log, text](nn::Module&) { log += text; };
}

}  // namespace

TEST_CASE("forward hooks run around calls by holders and sequences, in the order of registration") {
  nn::Linear linear(2, 2);
  std::string log;
  const HookHandle first = linear->register_forward_pre_hook(writer(log, "a"));
  linear->register_forward_pre_hook([&](nn::Module& m) { log += &m == linear.get() ? "b" : "?"; });
  const HookHandle last = linear->register_forward_hook(writer(log, "c"));
  const Tensor x = ones({1, 2});
  const Tensor y = linear(x);
  CHECK(log == "abc");
  CHECK(nn::Sequential(linear, nn::Tanh())->forward(x).equal(tanh(y)));
  CHECK(log == "abcabc");
  linear->forward(x);
  CHECK(log == "abcabc");
  linear->remove_forward_hook(first);
  linear->remove_forward_hook(last);
  linear(x);
  CHECK(log == "abcabcb");
}

TEST_CASE("clones have no forward hooks, and a call that throws is over as well") {
  std::string log;
  nn::Linear linear(2, 2);
  linear->register_forward_pre_hook(writer(log, "a"));
  nn::Linear copy(std::dynamic_pointer_cast<nn::LinearImpl>(linear->clone()));
  copy(ones({1, 2}));
  CHECK(log.empty());
  Failing failing;
  failing->register_forward_hook(writer(log, "z"));
  CHECK_THROWS_WITH(failing(ones({1})), Catch::Matchers::ContainsSubstring("no forward"));
  CHECK(log == "z");
}

}  // namespace strata
