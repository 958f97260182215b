// What libtorch's programs reach for beside tensors: checks, typed dispatch, containers, registered functions, devices.
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <c10/util/Exception.h>
#include <c10/util/tempfile.h>
#include <torch/library.h>
#include <torch/torch.h>

#include <filesystem>

#include "test/catch.h"

namespace {

using Catch::Matchers::ContainsSubstring;

template <class scalar_t>
void cube_into(torch::Tensor& out, const torch::Tensor& x) {
  const auto in = x.accessor<scalar_t, 1>();
  auto to = out.accessor<scalar_t, 1>();
  for (const auto i : c10::irange(in.size(0))) to[i] = in[i] * in[i] * in[i];
}

torch::Tensor cube(const torch::Tensor& x) {
  TORCH_CHECK(x.dim() == 1, "cube: expected one dim, got ", x.dim());
  torch::Tensor out = torch::empty_like(x);
  AT_DISPATCH_ALL_TYPES_AND2(torch::kHalf, at::ScalarType::BFloat16, x.scalar_type(), "cube",
                             [&] { cube_into<scalar_t>(out, x); });
  return out;
}

int64_t bytes_of(const torch::Tensor& x) {
  return AT_DISPATCH_SWITCH(x.scalar_type(), "bytes_of", AT_DISPATCH_CASE_FLOATING_TYPES([] {
                              return static_cast<int64_t>(sizeof(scalar_t));
                            }) AT_DISPATCH_CASE(torch::kLong, [] { return int64_t{64}; }));
}

struct Heard : c10::WarningHandler {
  void process(const c10::Warning& warning) override { text = warning.msg(); }
  std::string text;
};

torch::Tensor scaled(const torch::Tensor& x, double by) { return x * by; }
torch::Tensor scaled_with_gradient(const torch::Tensor& x, double by) { return x * by + 0; }

}  // namespace

TORCH_LIBRARY(strata_test, m) {
  m.def("scaled(Tensor x, float by) -> Tensor");
  m.def("negated(Tensor x) -> Tensor", [](const torch::Tensor& x) { return -x; });
}
TORCH_LIBRARY_IMPL(strata_test, CPU, m) { m.impl("scaled", &scaled); }
TORCH_LIBRARY(strata_test_below, m) { m.def("scaled(Tensor x, float by) -> Tensor"); }
TORCH_LIBRARY_IMPL(strata_test_below, CPU, m) { m.impl("scaled", &scaled); }
TORCH_LIBRARY_IMPL(strata_test_below, Autograd, m) {
  m.impl("scaled", torch::autograd::autogradNotImplementedFallback());
  m.fallback(torch::CppFunction::makeFallthrough());
}
TORCH_LIBRARY_IMPL(strata_test, Autograd, m) { m.impl("scaled", TORCH_FN(scaled_with_gradient)); }

TEST_CASE("typed dispatch runs the function with the tensor's type") {
  CHECK(cube(torch::tensor({1, 2}, torch::kInt))[1].item<int>() == 8);
  CHECK(cube(torch::tensor({2.0}, torch::kHalf)).item<float>() == 8);
  CHECK_THROWS_WITH(cube(torch::ones({1}, torch::kComplexFloat)), ContainsSubstring("cube"));
  CHECK(bytes_of(torch::ones({1}, torch::kDouble)) == 8);
  CHECK(bytes_of(torch::ones({1}, torch::kLong)) == 64);
  CHECK_THROWS_AS(bytes_of(torch::ones({1}, torch::kBool)), c10::Error);
  const auto size = AT_DISPATCH_V2(torch::kFloat, "size", AT_WRAP([] { return sizeof(scalar_t); }),
                                   AT_EXPAND(AT_FLOATING_TYPES), torch::kHalf);
  CHECK(size == 4);
}

TEST_CASE("cases of typed dispatch take dtypes beside those of their family") {
  const auto size = [](torch::ScalarType dtype) {
    return AT_DISPATCH_SWITCH(
        dtype, "size", AT_DISPATCH_CASE_ALL_TYPES_AND2(torch::kHalf, torch::kBool, [] {
          return sizeof(scalar_t);
        }) AT_DISPATCH_CASE_COMPLEX_TYPES_AND(torch::kBFloat16, [] { return sizeof(scalar_t) * 10; }));
  };
  CHECK(size(torch::kInt) == 4);
  CHECK(size(torch::kHalf) == 2);
  CHECK(size(torch::kBool) == 1);
  CHECK(size(torch::kComplexDouble) == 160);
  CHECK(size(torch::kBFloat16) == 20);
  CHECK_THROWS_AS(size(torch::kUInt16), c10::Error);
  const auto bytes = AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND7(
      torch::kHalf, torch::kBFloat16, torch::kBool, torch::kUInt16, torch::kUInt32, torch::kUInt64, torch::kFloat8_e5m2,
      torch::kUInt32, "bytes", [] { return sizeof(scalar_t); });
  CHECK(bytes == 4);
}

TEST_CASE("lists of types and their dtypes' names are given to a program's macro") {
  std::string names;
#define ADD_NAME(type, name) names += std::string(#name) + std::to_string(sizeof(type)) + " ";
  AT_FORALL_SCALAR_TYPES_AND2(Half, Bool, ADD_NAME)
  AT_FORALL_COMPLEX_TYPES(ADD_NAME)
#undef ADD_NAME
  CHECK(names == "Byte1 Char1 Short2 Int4 Long8 Float4 Double8 Half2 Bool1 ComplexFloat8 ComplexDouble16 ");
}

TEST_CASE("failed checks throw libtorch's types with the program's text") {
  CHECK_THROWS_WITH(cube(torch::ones({1, 1})), "cube: expected one dim, got 2");
  CHECK_THROWS_AS([] { TORCH_CHECK_INDEX(false, "no ", 3); }(), c10::IndexError);
  CHECK_THROWS_AS([] { TORCH_CHECK_VALUE(false, "no"); }(), c10::ValueError);
  CHECK_THROWS_AS([] { TORCH_CHECK_TYPE(false, "no"); }(), c10::TypeError);
  CHECK_THROWS_AS([] { TORCH_CHECK_NOT_IMPLEMENTED(false, "no"); }(), c10::NotImplementedError);
  CHECK_THROWS_AS([] { TORCH_CHECK_LINALG(false, "no"); }(), c10::LinAlgError);
  CHECK_THROWS_WITH([] { TORCH_CHECK_EQ(1, 2); }(), ContainsSubstring("1 == 2 (1 vs. 2)"));
  CHECK_THROWS_WITH([] { TORCH_CHECK(1 > 2); }(), ContainsSubstring("1 > 2"));
  CHECK_THROWS_WITH([] { AT_ERROR("gone ", 7); }(), "gone 7");
  CHECK_NOTHROW([] { TORCH_INTERNAL_ASSERT(true); }());
  CHECK_THROWS_WITH([] { STD_TORCH_CHECK(false, "std ", 1); }(), "std 1");
  CHECK_THROWS_WITH([] { CAFFE_ENFORCE_EQ(1, 2, "two ", 2); }(), "two 2");
  CHECK_THROWS_WITH([] { CAFFE_ENFORCE_GT(1, 2); }(), ContainsSubstring("(1) > (2)"));
  CHECK_NOTHROW([] { CAFFE_ENFORCE(true); }());
  CHECK_THROWS_AS([] { CAFFE_THROW("gone"); }(), c10::Error);
}

TEST_CASE("a handler hears warnings") {
  Heard heard;
  {
    c10::WarningUtils::WarningHandlerGuard guard(&heard);
    TORCH_WARN("careful: ", 3);
  }
  CHECK(heard.text == "careful: 3");
}

TEST_CASE("libtorch's containers") {
  c10::Dict<std::string, int64_t> dict;
  CHECK(dict.insert("one", 1).second);
  CHECK_FALSE(dict.insert("one", 11).second);
  dict.insert_or_assign("two", 2);
  dict.insert_or_assign("one", 10);
  const auto shared = dict;
  CHECK(dict.erase("two") == 1);
  CHECK(shared.size() == 1);
  CHECK(shared.at("one") == 10);
  CHECK_THROWS_AS(dict.at("two"), std::out_of_range);
  std::string seen;
  for (const auto& entry : dict) seen += entry.key() + "=" + std::to_string(entry.value());
  CHECK(seen == "one=10");

  c10::List<int64_t> list({1, 2, 3});
  const c10::List<int64_t> same = list;
  list.push_back(4);
  CHECK(same.size() == 4);
  CHECK(same.vec() == std::vector<int64_t>{1, 2, 3, 4});
  CHECK(list.copy().is(list) == false);

  c10::SmallVector<int, 4> small{1, 2};
  small.append(small.begin().base(), small.end().base());
  CHECK(small.pop_back_val() == 2);
  int64_t sum = 0;
  for (const auto i : c10::irange(2, 5)) sum += i;
  for ([[maybe_unused]] const auto i : c10::irange(0)) sum = -1;
  CHECK(sum == 9);
  CHECK(c10::str("a", 1, ' ', 2.5) == "a1 2.5");
  CHECK(c10::Join(", ", std::vector<int>{1, 2}) == "1, 2");
  CHECK(c10::get_hash(1, 2) != c10::get_hash(2, 1));
}

TEST_CASE("registered functions are found by name and run the kernel of the highest key") {
  auto op = c10::Dispatcher::singleton()
                .findSchemaOrThrow("strata_test::scaled", "")
                .typed<torch::Tensor(const torch::Tensor&, double)>();
  CHECK(op.call(torch::ones({2}), 3).sum().item<double>() == 6);
  const auto result = op.call(torch::ones({2}, torch::requires_grad()), 3);
  CHECK(result.grad_fn() != nullptr);
  auto negated = c10::Dispatcher::singleton().findSchemaOrThrow("strata_test::negated", "");
  CHECK(negated.typed<torch::Tensor(const torch::Tensor&)>().call(torch::ones({1})).item<double>() == -1);
  CHECK_THROWS_WITH(negated.typed<torch::Tensor(int64_t)>(), ContainsSubstring("wrong signature"));
  CHECK_THROWS_AS(c10::Dispatcher::singleton().findSchemaOrThrow("strata_test::none", ""), c10::Error);
  MAKE_TORCH_LIBRARY(strata_later).def("twice(Tensor x) -> Tensor");
  MAKE_TORCH_LIBRARY_IMPL(strata_later, CPU).impl("twice", [](const torch::Tensor& x) { return 2 * x; });
  auto twice = c10::Dispatcher::singleton().findSchemaOrThrow("strata_later::twice", "");
  CHECK(twice.typed<torch::Tensor(const torch::Tensor&)>().call(torch::ones({1})).item<double>() == 2);
}

TEST_CASE("a layer without a kernel leaves a registered function to the one below") {
  auto op = c10::Dispatcher::singleton()
                .findSchemaOrThrow("strata_test_below::scaled", "")
                .typed<torch::Tensor(const torch::Tensor&, double)>();
  CHECK(op.call(torch::ones({2}, torch::requires_grad()), 3).sum().item<double>() == 6);
}

TEST_CASE("temporary files go with their names") {
  std::string name;
  {
    const auto file = c10::make_tempfile();
    name = file.name;
    CHECK(std::filesystem::exists(name));
  }
  CHECK_FALSE(std::filesystem::exists(name));
  const auto folder = c10::make_tempdir();
  CHECK(std::filesystem::is_directory(folder.name));
}

TEST_CASE("generators of a program's own repeat their numbers") {
  auto one = torch::make_generator<at::CPUGeneratorImpl>(5), other = at::detail::createCPUGenerator(5);
  CHECK(one.current_seed() == 5);
  const torch::Tensor a = torch::rand({3}, one), b = torch::rand({3}, other);
  CHECK(torch::equal(a, b));
}

TEST_CASE("data_parallel on one device is the module itself") {
  torch::nn::Linear linear(3, 2);
  const torch::Tensor x = torch::ones({4, 3});
  CHECK(
      torch::equal(torch::nn::parallel::data_parallel(linear, x, std::vector<torch::Device>{torch::kCPU}), linear(x)));
  const auto copies = torch::nn::parallel::replicate(linear, {torch::kCPU, torch::kCPU});
  CHECK(copies.size() == 2);
  const torch::Tensor both =
      torch::nn::parallel::data_parallel(linear, x, std::vector<torch::Device>{torch::kCPU, torch::kCPU});
  CHECK(torch::allclose(both, linear(x)));
}

TEST_CASE("files of TorchScript are refused with the way to go") {
  CHECK_THROWS_WITH(torch::jit::load("model.pt"),
                    ContainsSubstring("Program::load_pt2") && ContainsSubstring("safetensors"));
}

TEST_CASE("numbers and dtypes by libtorch's names") {
  CHECK(at::scalar_to_tensor(2.5).scalar_type() == torch::kF64);
  CHECK(c10::typeMetaToScalarType(torch::ones({1}).dtype()) == torch::kF32);
  CHECK(c10::isReducedFloatingType(torch::kBF16));
  CHECK(c10::CppTypeToScalarType<int64_t>::value == torch::kI64);
  CHECK(c10::promoteTypes(torch::kInt, torch::kHalf) == torch::kHalf);
  const torch::Tensor leaf = torch::autograd::make_variable(torch::ones({2}), true);
  CHECK(leaf.requires_grad());
  at::parallel_for(0, 10, 1, [](int64_t begin, int64_t end) { CHECK(begin < end); });
  CHECK(std::string(TORCH_VERSION).starts_with(std::to_string(TORCH_VERSION_MAJOR)));
}

namespace {
/// Counts how often it is called, without arguments.
struct CounterImpl : torch::nn::Module {
  int64_t forward() { return ++calls; }
  int64_t calls = 0;
};
TORCH_MODULE(Counter);
}  // namespace

TEST_CASE("AnyModule calls modules whose forward takes nothing") {
  Counter counter;
  torch::nn::AnyModule any(counter);
  CHECK(any.forward<int64_t>() == 1);
  CHECK(any.any_forward().get<int64_t>() == 2);
  torch::nn::AnyModule linear(torch::nn::Linear(2, 2));
  CHECK_THROWS_AS(linear.forward(), c10::Error);
}

TEST_CASE("braced numbers keep their type, but for int, float and double") {
  CHECK(torch::tensor({uint8_t{1}, uint8_t{255}}).scalar_type() == torch::kUInt8);
  CHECK(torch::tensor({int16_t{-3}}).scalar_type() == torch::kShort);
  CHECK(torch::tensor({1, 2}).scalar_type() == torch::kLong);
  CHECK(torch::tensor({1.f, 2.f}).scalar_type() == torch::kFloat);
  const torch::Tensor halves = torch::tensor({at::Half(1.5f), std::numeric_limits<at::Half>::max()});
  CHECK(halves.scalar_type() == torch::kHalf);
  CHECK(halves[1].item<float>() == 65504);
  CHECK(torch::tensor(at::BFloat16(2)).scalar_type() == torch::kBFloat16);
  CHECK(std::isnan(static_cast<float>(std::numeric_limits<at::BFloat16>::signaling_NaN())));
}

TEST_CASE("devices that are only asked for, and the one that accelerates") {
  CHECK(torch::Device("xla").is_xla());
  CHECK(torch::Device(torch::kVulkan).str() == "vulkan");
  CHECK(torch::Device("ve:1") == torch::Device(torch::kVE, 1));
  CHECK(torch::Device(torch::kIPU, 2).str() == "ipu:2");
  for (const c10::DeviceType type : {c10::DeviceType::MKLDNN, c10::DeviceType::OPENGL, c10::DeviceType::OPENCL,
                                     c10::DeviceType::IDEEP, torch::kFPGA, torch::kMAIA, torch::kMetal, torch::kLazy}) {
    const torch::Device device(type);
    CHECK(torch::Device(device.str()).type() == type);
    CHECK_THROWS_WITH(torch::ones({2}, device), ContainsSubstring(device.str()));
    CHECK_THROWS_WITH(torch::ones({2}).to(device), ContainsSubstring(device.str()));
  }
  CHECK_FALSE(at::hasMTIA());
  CHECK(at::accelerator::isAccelerator(torch::Device::Type::CUDA));
  CHECK(at::accelerator::getAccelerator().has_value() == torch::cuda::is_available());
  if (!torch::cuda::is_available()) CHECK_THROWS_AS(at::accelerator::getAccelerator(/*checked=*/true), c10::Error);
}

TEST_CASE("options have public types, normalize writes where it is told to") {
  const std::vector<torch::nn::TripletMarginWithDistanceLossOptions::reduction_t> reductions = {torch::kSum,
                                                                                                torch::kMean};
  const torch::nn::RNNOptions::nonlinearity_t nonlinearity = torch::kReLU;
  CHECK(torch::nn::RNNOptions(2, 3).nonlinearity(nonlinearity).nonlinearity() == torch::kReLU);
  CHECK(torch::nn::L1LossOptions(reductions[0]).reduction() == torch::kSum);
  namespace F = torch::nn::functional;
  const torch::Tensor x = torch::tensor({{3.0, 4.0}, {0.0, 2.0}});
  torch::Tensor out = torch::empty({2, 2});
  CHECK(F::normalize(x, F::NormalizeFuncOptions().p(2).dim(1).out(out)).is_same(out));
  CHECK(torch::allclose(out, torch::tensor({{0.6, 0.8}, {0.0, 1.0}})));
  CHECK(torch::equal(F::detail::embedding(torch::tensor({1, 0}), x, {}, {}, 2.0, false, false), x.flip({0})));
}

TEST_CASE("sizes by the names that they have while libtorch traces") {
  const torch::Tensor x = torch::arange(6).view_symint({2, 3});
  CHECK(x.sym_size(-1) == 3);
  CHECK(x.sym_sizes() == x.sizes());
  CHECK(x.sym_numel() == 6);
  CHECK(at::zeros_symint(x.sym_sizes(), x.options()).scalar_type() == torch::kLong);
  CHECK(torch::equal(x.narrow_symint(1, 1, 2), at::slice_symint(x, 1, 1)));
}

TEST_CASE("libtorch's profiler is turned on and off") {
  using namespace torch::autograd::profiler;
  const ProfilerConfig config(ProfilerState::KINETO, /*report_input_shapes=*/true);
  const std::set<ActivityType> activities{ActivityType::CPU};
  prepareProfiler(config, activities);
  enableProfiler(config, activities, {torch::RecordScope::FUNCTION});
  CHECK(profilerEnabled());
  torch::ones({2}).exp();
  const auto result = disableProfiler();
  CHECK_FALSE(profilerEnabled());
  CHECK_FALSE(result->events().empty());
  const auto file = c10::make_tempfile();
  result->save(file.name);
  CHECK(std::filesystem::file_size(file.name) > 0);
}

TEST_CASE("gradients are checked and unscaled as gradient scalers of a program's own do") {
  const std::vector<torch::Tensor> gradients{torch::full({2}, 8.0), torch::full({1}, 4.0)};
  torch::Tensor found = torch::zeros({});
  at::_amp_foreach_non_finite_check_and_unscale_(gradients, found, torch::full({}, 0.25));
  CHECK(found.item<float>() == 0);
  CHECK(gradients[0][1].item<float>() == 2);
  gradients[1].fill_(INFINITY);
  at::_amp_foreach_non_finite_check_and_unscale_(gradients, found, torch::ones({}));
  CHECK(found.item<float>() == 1);
}

TEST_CASE("a number is written through a list of indices") {
  torch::Tensor x = torch::zeros({2, 3});
  const std::vector<torch::indexing::TensorIndex> row{1, torch::indexing::Slice()};
  x.index_put_(row, 2);
  CHECK(x.sum().item<double>() == 6);
  CHECK(torch::tensor(at::ArrayRef<bool>({true, false})).scalar_type() == torch::kBool);
  const int numbers[] = {3, 4};
  CHECK(torch::tensor(numbers).equal(torch::tensor({3, 4})));
  CHECK(torch::tensor(numbers, torch::kFloat).scalar_type() == torch::kFloat);
  CHECK(x.name().empty());
}

TEST_CASE("types, lists of dims and scalars answer by libtorch's names") {
  at::DeprecatedTypeProperties& floats = at::CPU(torch::kFloat);
  CHECK(&floats == &at::getDeprecatedTypeProperties(at::Backend::CPU, torch::kFloat));
  CHECK(floats.backend() == at::Backend::CPU);
  CHECK(torch::zeros({1}, floats).scalar_type() == torch::kFloat);
  const torch::Tensor x = torch::ones({2, 3});
  CHECK(std::vector<int64_t>(x.sizes().rbegin(), x.sizes().rend()) == std::vector<int64_t>{3, 2});
  CHECK(x[at::Scalar(1)].sum().item<int>() == 3);
  CHECK_THROWS_WITH(x[at::Scalar(1.5)], ContainsSubstring("integral"));
  CHECK(static_cast<float>(at::Scalar(0.5).toHalf()) == 0.5f);
  CHECK(at::Scalar(200).toByte() == 200);
  CHECK(torch::device_index(1).device() == torch::Device(torch::kCUDA, 1));
}
