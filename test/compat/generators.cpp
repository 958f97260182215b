// Generators, the engine, indices and switches as bindings of libtorch for other languages use them.
#include <torch/csrc/WindowsTorchApiMacro.h>
#include <torch/script.h>
#include <torch/torch.h>

#include <cstring>

#include "test/catch.h"

namespace {

template <class T>
T number_at(const at::Tensor& bytes, size_t place) {
  T number;
  std::memcpy(&number, static_cast<const char*>(bytes.data_ptr()) + place, sizeof number);
  return number;
}

}  // namespace

TEST_CASE("a generator's state is libtorch's, byte for byte, and goes back into it") {
  at::Generator g = at::make_generator<at::CPUGeneratorImpl>(5);
  torch::randn({3}, g, torch::kDouble);  // two pairs of eight words, whose last number waits
  const at::Tensor state = g.get_state();
  CHECK(state.sizes() == 5056);
  CHECK(state.scalar_type() == torch::kByte);
  // What torch.Generator().manual_seed(5) has after the same draw.
  CHECK(number_at<uint64_t>(state, 0) == 5);
  CHECK(number_at<int32_t>(state, 8) == 617);
  CHECK(number_at<uint64_t>(state, 16) == 8);
  CHECK(number_at<uint64_t>(state, 24) == 4081643083);
  CHECK(number_at<double>(state, 24 + 624 * 8 + 8) == 0.6675243015344896);
  const at::Tensor next = torch::randn({700}, g, torch::kDouble);
  g.set_state(state);
  CHECK(torch::equal(torch::randn({700}, g, torch::kDouble), next));
  CHECK(g.current_seed() == 5);
  CHECK_THROWS_AS(g.set_state(state.slice(0, 0, 100)), c10::Error);
  at::Generator fresh = at::make_generator<at::CPUGeneratorImpl>(7);
  const at::Tensor start = fresh.get_state(), first = torch::rand({5}, fresh);
  fresh.set_state(start);
  CHECK(torch::equal(torch::rand({5}, fresh), first));
}

TEST_CASE("the default generator is the global context's") {
  at::Generator g = at::globalContext().defaultGenerator(at::kCPU);
  CHECK(g == at::detail::getDefaultCPUGenerator());
  torch::manual_seed(3);
  const at::Tensor state = g.get_state(), drawn = torch::rand({4});
  at::Generator same(g.getIntrusivePtr());
  same.set_state(state);
  CHECK(torch::equal(torch::rand({4}), drawn));
}

TEST_CASE("distributions take a generator") {
  const auto drawn = [](auto fill) {
    at::Generator g = at::make_generator<at::CPUGeneratorImpl>(1);
    const at::Tensor first = fill(torch::empty({6}), g), second = fill(torch::empty({6}), g);
    g.set_current_seed(1);
    return !torch::equal(first, second) && torch::equal(fill(torch::empty({6}), g), first);
  };
  CHECK(drawn([](at::Tensor x, at::Generator& g) { return x.cauchy_(0, 1, g); }));
  CHECK(drawn([](at::Tensor x, at::Generator& g) { return x.log_normal_(0, 1, g); }));
  CHECK(drawn([](at::Tensor x, at::Generator& g) { return x.geometric_(0.05, g); }));
}

TEST_CASE("the engine runs from edges to edges") {
  const torch::Tensor x = torch::tensor({1.0, 2.0}, torch::requires_grad()),
                      y = torch::ones({2}, torch::requires_grad());
  const torch::Tensor loss = (x * x * y).sum();
  auto& engine = torch::autograd::Engine::get_default_engine();
  const std::vector<torch::autograd::Edge> roots{torch::autograd::impl::gradient_edge(loss)},
      ends{torch::autograd::impl::gradient_edge(x)};
  const auto grads = engine.execute(roots, {torch::ones({})}, true, false, false, ends);
  REQUIRE(grads.size() == 1);
  CHECK(torch::equal(grads[0], 2 * x.detach()));
  CHECK(!x.grad().defined());
  CHECK(engine.execute(roots, {torch::ones({})}, false, false, true).empty());
  CHECK(torch::equal(x.grad(), 2 * x.detach()));
  CHECK(torch::equal(y.grad(), (x * x).detach()));
}

TEST_CASE("methods take lists of indices") {
  c10::List<std::optional<at::Tensor>> rows;
  rows.push_back(torch::tensor({0, 0, 2}));
  at::Tensor x = torch::zeros({3});
  x.index_put_(rows, torch::ones({3}), true);
  CHECK(torch::equal(x, torch::tensor({2.F, 0.F, 1.F})));
  CHECK(torch::equal(x.index(rows), torch::tensor({2.F, 2.F, 1.F})));
  CHECK(torch::equal(x.index_put(rows, torch::tensor({5.F})), torch::tensor({5.F, 0.F, 5.F})));
}

TEST_CASE("the global context switches deterministic algorithms") {
  auto& context = at::globalContext();
  context.setDeterministicAlgorithms(true, false);
  CHECK(strata::are_deterministic_algorithms_enabled());
  CHECK(context.deterministicAlgorithms());
  context.setDeterministicAlgorithms(false, true);
  CHECK(!strata::are_deterministic_algorithms_enabled());
  context.setAllowTF32CuBLAS(true);
  CHECK(strata::cuda::allow_tf32_matmul());
  context.setAllowTF32CuBLAS(false);
  CHECK(!strata::cuda::allow_tf32_matmul());
}

TEST_CASE("the global context keeps the switches of attention and of sums") {
  auto& context = at::globalContext();
  CHECK(context.userEnabledFlashSDP());
  context.setSDPUseFlash(false);
  CHECK(!context.userEnabledFlashSDP());
  context.setSDPUseFlash(true);
  context.setAllowFP16ReductionCuBLAS(false, false);
  CHECK(context.allowFP16ReductionCuBLAS() == at::CuBLASReductionOption::DisallowReducedPrecisionDisallowSplitK);
  context.setAllowFP16ReductionCuBLAS(true);
  CHECK(context.allowFP16ReductionCuBLAS() == at::CuBLASReductionOption::AllowReducedPrecisionWithSplitK);
  CHECK(!at::Context::hasMKLDNN());
}

TEST_CASE("values of text and lists of truths go back and forth, and types of scripts can be named") {
  const c10::IValue name("weight"), copied = name.toString();
  CHECK(copied.toStringRef() == "weight");
  const c10::IValue flags(std::vector<bool>{true, false});
  CHECK(flags.toBoolList().size() == 2);
  CHECK(!flags.toBoolList().get(1));
  CHECK(!flags.isObject());
  const std::shared_ptr<torch::jit::Function>* function = nullptr;
  const std::shared_ptr<c10::TensorType>* type = nullptr;
  CHECK((function == nullptr && type == nullptr));
}

TEST_CASE("a tensor's body counts a write that no op made") {
  const at::Tensor x = torch::zeros({2});
  const auto before = x._version();
  x.unsafeGetTensorImpl()->bump_version();
  CHECK(x._version() == before + 1);
}

TEST_CASE("functions that write their result take it last as well") {
  const at::Tensor x = torch::tensor({1.F, 4.F, 2.F}), y = torch::ones({3});
  at::Tensor out = torch::empty({0}), places = torch::empty({0}, torch::kLong);
  at::add_outf(x, y, 2, out);
  CHECK(torch::equal(out, x + 2));
  at::sum_outf(x, at::OptionalIntArrayRef({0}), false, std::nullopt, out);
  CHECK(out.item<float>() == 7);
  const std::tuple<at::Tensor&, at::Tensor&> both = at::sort_outf(x, std::optional<bool>(false), 0, true, out, places);
  CHECK(std::get<0>(both).is_same(out));
  CHECK(torch::equal(places, torch::tensor({1, 2, 0})));
  at::Tensor edges = torch::empty({0});
  torch::histogram_outf(x, 2, std::nullopt, std::nullopt, false, out, edges);
  CHECK(torch::equal(out, torch::tensor({2.F, 1.F})));
  CHECK(torch::equal(edges, torch::tensor({1.F, 2.5F, 4.F})));
}

TEST_CASE("functions of older versions and of the inside write, tell and check") {
  const at::Tensor m = torch::tensor({{4.F, 2.F}, {2.F, 3.F}});
  at::Tensor out = torch::empty({0}), q = torch::empty({0}), r = torch::empty({0});
  torch::cholesky_out(out, m);
  CHECK(torch::allclose(out.matmul(out.t()), m));
  torch::qr_out(q, r, m);
  CHECK(torch::allclose(q.matmul(r), m, 1e-5, 1e-5));
  CHECK(torch::equal(torch::_neg_view(m), -m));
  CHECK(torch::_efficientzerotensor({2}).sum().item<float>() == 0);
  CHECK(!torch::_is_zerotensor(m));
  CHECK(torch::_debug_has_internal_overlap(m) == 0);
  CHECK(torch::_debug_has_internal_overlap(torch::ones({1}).expand({3})) == 1);
  CHECK(torch::_debug_has_internal_overlap(torch::ones({5}).as_strided({3, 2}, {1, 1})) == 2);
  CHECK(torch::_resize_output(m, {3}, torch::kCPU).sizes() == 3);
  CHECK_THROWS_AS(torch::_linalg_check_errors(torch::ones({1}, torch::kInt), "cholesky", true), c10::LinAlgError);
  CHECK_NOTHROW(torch::_linalg_check_errors(torch::zeros({1}, torch::kInt), "cholesky", true));
  CHECK_THROWS_AS(torch::_functional_assert_async(torch::zeros({1}), "is zero", m), c10::Error);
}

TEST_CASE("what makes tensors takes its options apart") {
  const std::optional<at::ScalarType> dtype = torch::kDouble;
  const std::optional<at::Layout> layout;
  const std::optional<at::Device> device = at::Device(torch::kCPU);
  const std::optional<bool> pinned;
  CHECK(at::zeros({2}, dtype, layout, device, pinned).scalar_type() == torch::kDouble);
  CHECK(at::full({2}, 3, dtype, layout, device, pinned).sum().item<double>() == 6);
  CHECK(at::arange(0, 3, 1, dtype, layout, device, pinned).sum().item<double>() == 3);
  CHECK(at::empty({2}, dtype, layout, device, pinned, std::nullopt).sizes() == 2);
  const std::optional<at::Generator> generator = at::make_generator<at::CPUGeneratorImpl>(1);
  CHECK(at::rand({2}, generator, dtype, layout, device, pinned).scalar_type() == torch::kDouble);
  const at::Tensor x = torch::tensor({1.F, 0.F});
  CHECK(x.new_ones({2}, dtype, layout, device, pinned).scalar_type() == torch::kDouble);
  CHECK(x.new_full({1}, 4, std::nullopt, layout, device, pinned).scalar_type() == torch::kFloat);
  CHECK(x.to(dtype, layout, device, pinned, false, false, std::nullopt).scalar_type() == torch::kDouble);
  CHECK(x.count_nonzero(std::optional<int64_t>(0)).item<int64_t>() == 1);
  CHECK(x.count_nonzero(std::optional<int64_t>()).item<int64_t>() == 1);
  CHECK(torch::equal(at::set(torch::empty({0}), x.storage(), 1, {1}), torch::zeros({1})));
}

TEST_CASE("functions that draw take a generator") {
  const at::Tensor x = torch::zeros({5});
  const auto repeats = [&](auto draw) {
    at::Generator g = at::make_generator<at::CPUGeneratorImpl>(1);
    const at::Tensor first = draw(std::optional<at::Generator>(g));
    g.set_current_seed(1);
    return torch::equal(first, draw(std::optional<at::Generator>(g)));
  };
  CHECK(repeats([&](const std::optional<at::Generator>& g) { return at::uniform(x, 0., 1., g); }));
  CHECK(repeats([&](const std::optional<at::Generator>& g) { return at::exponential(x, 1., g); }));
  CHECK(repeats([&](const std::optional<at::Generator>& g) { return at::cauchy(x, 0., 1., g); }));
  CHECK(repeats([&](const std::optional<at::Generator>& g) { return at::geometric(x, 0.1, g); }));
  CHECK(repeats([&](const std::optional<at::Generator>& g) { return at::rrelu(x - 1, 0.1, 0.9, true, g); }));
}
