// Chains of element-wise ops as generated kernels, against the ops' own kernels on the same device, bit by bit.
#include "dispatcher/chain.h"

#include <cstdlib>
#include <set>

#include "kernels/cuda/fused/formulas.h"
#include "ops/cast_def.h"
#include "strata.h"
#include "test/cuda_emulator/host_kernels.h"
#include "test/cuda_kernels/both.h"
#include "test/op_sweep.h"

namespace strata::test {
namespace {

using cuda::fused::formula_of;
using dispatch::Chain;
using dispatch::ChainParams;

constexpr DType kFloats[] = {kFloat, kDouble, kHalf, kBFloat16};

/// Turns chains on, until the end of the scope.
class Fusion {
 public:
  Fusion() { setenv("STRATA_CUDA_FUSION", "1", 1); }
  ~Fusion() { unsetenv("STRATA_CUDA_FUSION"); }
  Fusion(const Fusion&) = delete;
  Fusion& operator=(const Fusion&) = delete;
};

/// Runs `test` once to find the kernels that it needs, and then with them. `check` says nothing the first time.
void with_kernels(const std::function<void()>& test) {
  emulator::set_collecting(true);
  test();
  emulator::set_collecting(false);
  test();
}
/// NaNs are alike whatever their bits: compilers swap factors, and a product of two NaNs is the first.
Tensor with_one_nan(const Tensor& t) {
  const Tensor here = t.cpu().contiguous();
  return is_float(here) ? where(here.isnan(), full_like(here, kNaN), here) : here;
}
void check(const Tensor& found, const Tensor& expected, const std::string& what) {
  if (emulator::is_collecting()) return;
  expect(found.is_cuda() && same_bits(with_one_nan(found), with_one_nan(expected)), what);
}

/// The op and, on its result, another one: rounded in between as in memory.
struct Two {
  const Op* second;
  OwnedParams params;
  size_t inputs;  ///< of the second, all of them the first one's result
  DType dtype;
};
Two second_after(DType t) {
  if (is_floating_point(t)) return {&op_named("mul"), OwnedParams(Params::of(NoParams())), 2, t};
  return {&op_named("cast"), OwnedParams(Params::of(CastParams{kBFloat16})), 1, kBFloat16};
}

void check_in_chain(const Op& op, const OwnedParams& params, const List& inputs) {
  const Tensors first = call(op, ArgList(inputs), Params(params));
  const Two two = second_after(first[0].dtype());
  ArgList results;
  for (size_t i = 0; i < two.inputs; ++i) results.push_back(first[0]);
  const Tensors second = call(*two.second, results, Params(two.params));
  const auto chain = std::make_shared<Chain>();
  std::vector<int32_t> in;
  for (const Tensor& t : inputs) {
    in.push_back(static_cast<int32_t>(in.size()));
    chain->dtypes.push_back(t.dtype());
  }
  const auto n = static_cast<int32_t>(in.size());
  chain->steps = {{&op, params, in}, {two.second, two.params, std::vector<int32_t>(two.inputs, n)}};
  chain->dtypes.insert(chain->dtypes.end(), {first[0].dtype(), two.dtype});
  chain->outputs = {n, n + 1};
  const Tensors found = call(dispatch::chain_op, ArgList(inputs), ChainParams{chain});
  const std::string what = std::string(op.name()) + " of " + name(inputs.back().dtype());
  check(found[0], first[0], what + " in a chain");
  check(found[1], second[0], what + " and another op in a chain");
}

std::vector<DType> dtypes_of(const List& inputs) {
  std::vector<DType> dtypes;
  for (const Tensor& t : inputs) dtypes.push_back(t.dtype());
  return dtypes;
}
List moved(const List& inputs, DType floats) {
  List out;
  for (const Tensor& t : inputs) out.push_back((is_float(t) ? t.to(floats) : t).to(kCUDA));
  return out;
}
bool takes(const Op& op, const List& inputs) {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!op.dtypes_for(i).has(inputs[i].dtype())) return false;
  return true;
}
bool can_be_tried(const Call& c) {
  const auto differs = [&](const Tensor& t) {
    return !t.defined() || t.numel() == 0 || t.sizes() != c.inputs[0].sizes();
  };
  return !c.inputs.empty() && std::none_of(c.inputs.begin(), c.inputs.end(), differs) &&
         formula_of(*c.op, dtypes_of(c.inputs), c.params.data()).has_value();
}

/// Values on which formulas go their ways.
Tensor special(DType t) {
  return tensor({0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -3.5, 1e-30, -1e30, 88.8, -104.0, 3e4, kInf, -kInf, kNaN, 1e-42, 7.0},
                TensorOptions(kDouble))
      .to(t)
      .to(kCUDA);
}

}  // namespace

TEST_CASE("every formula in a chain gives the bits of its own kernel") {
  const NoGradGuard no_grad;
  std::map<DType, std::set<const Op*>> tried;
  with_kernels([&] {
    for (const Call& c : all_calls()) {
      if (!can_be_tried(c)) continue;
      guarded("a chain with " + c.text(), [&] {
        const bool has_floats = is_float(c.inputs.back());
        for (DType t : has_floats ? ArrayRef<DType>(kFloats) : ArrayRef<DType>(&kFloats[0], 1)) {
          const List inputs = moved(c.inputs, t);
          if (!takes(*c.op, inputs)) continue;
          tried[inputs.back().dtype()].insert(c.op);
          check_in_chain(*c.op, c.params, inputs);
          if (!has_floats) continue;
          List odd;
          for (const Tensor& x : inputs) odd.push_back(is_float(x) ? special(t) : special(kFloat).to(x.dtype()));
          check_in_chain(*c.op, c.params, odd);
        }
      });
    }
  });
  for (DType t : kFloats) CHECK(tried[t].size() >= 100);
  CHECK(tried[kLong].size() >= 19);
  CHECK(tried[kBool].size() >= 5);
}

namespace {

using Function = std::function<List(List)>;

/// f on the device compiled with chains, compiled without, and as it is. Returns what it launched with chains.
int64_t check_compiled(const std::string& what, const Function& f, const List& inputs) {
  const List expected = f(inputs);
  const Fusion on;
  const auto compiled = compile(f);
  compiled(inputs);
  const int64_t before = launches();
  const List found = compiled(inputs);
  const int64_t launched = launches() - before;
  REQUIRE(found.size() == expected.size());
  for (size_t i = 0; i < found.size(); ++i) check(found[i], expected[i], what + ", result " + std::to_string(i));
  return launched;
}

struct Case {
  const char* what;
  Function f;
  List inputs;
  int64_t launches;
};

Tensor gpu(IntArrayRef sizes, DType dtype = kFloat, unsigned seed = 1) {
  return random_tensor(sizes, dtype, seed, -3, 3).to(kCUDA);
}

std::vector<Case> cases() {
  const auto gelu_of = [](List x) -> List { return {gelu(x[0] * 2 + x[1])}; };
  std::vector<Case> all;
  for (DType t : kFloats) {
    all.push_back({"a bias along rows", gelu_of, {gpu({37, 64}, t), gpu({64}, t, 2)}, 1});
    all.push_back({"a bias along rows of odd length", gelu_of, {gpu({37, 61}, t), gpu({61}, t, 2)}, 1});
    all.push_back({"a bias along columns", gelu_of, {gpu({37, 64}, t), gpu({37, 1}, t, 2)}, 1});
    all.push_back({"one value for all", gelu_of, {gpu({1000}, t), gpu({}, t, 2)}, 1});
    all.push_back({"one value in all", gelu_of, {gpu({}, t), gpu({}, t, 2)}, 1});
    all.push_back({"a transposed operand", gelu_of, {gpu({64, 37}, t).t(), gpu({37, 64}, t, 2)}, 1});
    all.push_back({"outer sums", gelu_of, {gpu({1, 5, 1, 8}, t), gpu({7, 1, 6, 1}, t, 2)}, 2});
    all.push_back({"an odd address", gelu_of, {gpu({1001}, t).slice(0, 1), gpu({1000}, t, 2)}, 1});
    all.push_back({"every second element", gelu_of, {gpu({600}, t).slice(0, 0, 600, 2), gpu({300}, t, 2)}, 1});
    for (int64_t n : {1, 7, 8, 9, 255, 256, 1023, 1025})
      all.push_back({"sizes", gelu_of, {gpu({n}, t), gpu({n}, t, 2)}, 1});
  }
  all.push_back(
      {"casts inside",
       [](List x) -> List { return {((x[0].to(kHalf) * x[0].to(kHalf)).to(kFloat) + x[1].to(kFloat)).to(kInt)}; },
       {gpu({3, 50}), gpu({3, 50}, kBFloat16)},
       1});
  all.push_back({"comparisons and choices",
                 [](List x) -> List { return {where((x[0] > x[1]).logical_and(x[0].lt(1)), x[0].exp(), x[1] * 3)}; },
                 {gpu({5, 33}), gpu({5, 33}, kFloat, 2)},
                 1});
  all.push_back({"NaN and infinities",
                 [](List x) -> List {
                   return {(x[0].log() * x[0]).maximum(x[0].sin()), x[0].isnan().to(kFloat) + x[0].relu()};
                 },
                 {special(kFloat)},
                 1});
  all.push_back({"integers",
                 [](List x) -> List { return {(x[0] * x[0] + 3).bitwise_xor(x[0]).remainder(7)}; },
                 {gpu({100}).mul(30).to(kLong)},
                 1});
  all.push_back({"results that others read",
                 [](List x) -> List {
                   const Tensor y = x[0].tanh() + x[1], z = y * y;
                   return {y, z.exp() - y, y.sum(1)};
                 },
                 {gpu({9, 20}), gpu({9, 20}, kFloat, 2)},
                 2});
  all.push_back({"chains around a sum",
                 [](List x) -> List {
                   const Tensor e = (x[0] * 0.5).exp(), s = e.sum(-1, true);
                   return {(e / s).log() + 1};
                 },
                 {gpu({6, 40})},
                 3});
  all.push_back({"many steps",
                 [](List x) -> List {
                   for (int i = 0; i < 40; ++i) x[0] = x[0].sin() + x[1];
                   return {x[0]};
                 },
                 {gpu({70}), gpu({70}, kFloat, 2)},
                 3});
  all.push_back({"many operands",
                 [](List x) -> List {
                   Tensor sum = x[0];
                   for (size_t i = 1; i < x.size(); ++i) sum = sum + x[i] * x[i - 1];
                   return {sum};
                 },
                 [] {
                   List x;
                   for (unsigned i = 0; i < 20; ++i) x.push_back(gpu({30}, kFloat, i));
                   return x;
                 }(),
                 2});
  return all;
}

}  // namespace

TEST_CASE("compiled functions run their chains as one kernel with eager's bits") {
  const NoGradGuard no_grad;
  const std::vector<Case> all = cases();
  with_kernels([&] {
    for (const Case& c : all) {
      INFO(c.what);
      const int64_t launched = check_compiled(c.what, c.f, c.inputs);
      if (!emulator::is_collecting()) CHECK(launched == c.launches);
    }
  });
}

TEST_CASE("a compiled training step with chains is eager's") {
  const auto losses = [](bool fused) {
    std::optional<Fusion> on;
    if (fused) on.emplace();
    manual_seed(5);
    nn::Sequential net(nn::Linear(6, 8), nn::Tanh(), nn::Linear(8, 1));
    net->to(kCUDA);
    optim::SGD optimizer(net->parameters(), 0.1);
    const Tensor x = random_tensor({10, 6}).to(kCUDA), y = random_tensor({10, 1}, kFloat, 2).to(kCUDA);
    const auto step = [&] {
      optimizer.zero_grad();
      const Tensor loss = ((net->forward(x).sigmoid() - y) * 2).square().mean();
      loss.backward();
      optimizer.step();
      return loss.detach();
    };
    const auto compiled = compile(step);
    List found;
    for (int i = 0; i < 4; ++i) found.push_back((fused ? compiled() : step()).cpu());
    for (const Tensor& p : net->parameters()) found.push_back(p.detach().cpu());
    return found;
  };
  const List expected = losses(false);
  with_kernels([&] {
    const List found = losses(true);
    for (size_t i = 0; i < found.size() && !emulator::is_collecting(); ++i) CHECK(same_bits(found[i], expected[i]));
  });
}

TEST_CASE("chains run op by op unless the environment asks for kernels") {
  const NoGradGuard no_grad;
  const auto compiled = compile([](Tensor x) { return (x * 2 + 1).exp(); });
  const Tensor x = gpu({40});
  compiled(x);
  const int64_t before = launches();
  compiled(x);
  CHECK(launches() - before == 3);
}

TEST_CASE("a graph captures the kernels of chains") {
  const NoGradGuard no_grad;
  const Fusion on;
  const auto compiled = compile([](Tensor x) { return (x * 2 + 1).exp(); });
  Tensor x = gpu({40}), y;
  compiled(x);
  cuda::Graph graph;
  graph.capture([&] { y = compiled(x); });
  x.fill_(0.25);
  graph.replay();
  CHECK(same_bits(y.cpu(), (x * 2 + 1).exp().cpu()));
}

}  // namespace strata::test
