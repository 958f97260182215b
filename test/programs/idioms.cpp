// Programs of rarer idioms: headers by name, layouts, meta tensors, queues, lists of tensors at once.
#include <torch/torch.h>

#include <array>
#include <chrono>
#include <map>
#include <unordered_map>

#include "test/programs/programs.h"

namespace programs::idioms {
namespace {

#ifndef AWAITS_HEADERS
}  // namespace
}  // namespace programs::idioms

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/ivalue.h>
#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <c10/util/irange.h>
#include <torch/data/datasets/chunk.h>
#include <torch/nn/functional/conv.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/options/conv.h>
#include <torch/optim/adam.h>
#include <torch/serialize/archive.h>
#include <torch/utils.h>

namespace programs::idioms {
namespace {

const Program headers("headers by name", [](std::ostream& out) {
  const torch::nn::Conv2dOptions options(1, 2, 3);
  out << options.in_channels() << options.out_channels() << options.kernel_size()->size() << (*options.kernel_size())[0]
      << '\n';
  for (const auto i : c10::irange(2)) out << i;
  out << c10::ArrayRef<int>({1, 2}).size() << '\n';
});
#endif

#ifndef AWAITS_CHANNELS_LAST
const Program channels_last("channels last", [](std::ostream& out) {
  const auto x = torch::arange(24.f).view({1, 2, 3, 4});
  const auto y = x.contiguous(at::MemoryFormat::ChannelsLast);
  out << y.strides() << y.is_contiguous() << y.is_contiguous(at::MemoryFormat::ChannelsLast) << ' '
      << y.suggest_memory_format() << '\n';
  show(out, "y", y);
  auto conv = torch::nn::Conv2d(2, 1, 2);
  {
    torch::NoGradGuard guard;
    conv->weight.fill_(0.5);
    conv->bias.zero_();
  }
  show(out, "conv", conv(y));
  out << torch::empty({1, 2, 2, 2}, at::MemoryFormat::ChannelsLast).strides()
      << x.to(at::MemoryFormat::ChannelsLast).strides() << '\n';
});
#endif

#ifndef AWAITS_META
const Program meta("tensors without data", [](std::ostream& out) {
  const auto x = torch::empty({2, 3}, torch::device(torch::kMeta));
  out << x.device() << x.sizes() << x.is_meta() << '\n';
  const auto y = torch::matmul(x, torch::empty({3, 5}, torch::kMeta)) + 1;
  out << y.sizes() << y.dtype() << y.device() << '\n';
});
#endif

#ifndef AWAITS_FOREACH
const Program foreach ("lists of tensors at once", [](std::ostream& out) {
  std::vector<torch::Tensor> a = {torch::ones(2), torch::arange(3.f)};
  const std::vector<torch::Tensor> b = {torch::full({2}, 2.f), torch::ones(3)};
  for (const auto& t : torch::_foreach_add(a, b, 2)) show(out, t);
  for (const auto& t : torch::_foreach_mul(a, 3)) show(out, t);
  torch::_foreach_add_(a, 1);
  torch::_foreach_mul_(a, b);
  for (const auto& t : a) show(out, t);
  for (const auto& t : torch::_foreach_norm(a)) show(out, t);
  torch::_foreach_zero_(a);
  show(out, "zeroed", a[1]);
});
#endif

#ifndef AWAITS_QUEUES
const Program queues("queues and sequencers", [](std::ostream& out) {
  torch::data::detail::Queue<int> queue;
  queue.push(1);
  queue.push(2);
  out << queue.pop() << queue.pop() << '\n';
  fails<std::exception>(out, "empty", "Timeout", [&] { queue.pop(std::chrono::milliseconds(5)); });
  queue.push(3);
  out << queue.clear() << '\n';
});
#endif

#ifndef AWAITS_CONTAINER
const Program container("nested braces as values", [](std::ostream& out) {
  const torch::detail::TensorDataContainer data({{1, 2}, {3, 4}});
  out << data.sizes() << ' ' << data.is_init_list() << ' ' << data.scalar_type() << '\n' << data << '\n';
  show(out, "tensor", data.convert_to_tensor({}));
});
#endif

#ifndef AWAITS_VARIABLES
const Program variables("variables as of old", [](std::ostream& out) {
  const torch::autograd::Variable x = torch::autograd::make_variable(torch::ones(2), /*requires_grad=*/true);
  out << x.requires_grad() << '\n';
  x.sum().backward();
  show(out, "grad", x.grad());
});
#endif

#ifndef AWAITS_DATA_PARALLEL
}  // namespace
}  // namespace programs::idioms

#include <torch/nn/parallel/data_parallel.h>

namespace programs::idioms {
namespace {

const Program data_parallel("replicas and parallel_apply", [](std::ostream& out) {
  struct Plus : torch::nn::Cloneable<Plus> {
    void reset() override {}
    torch::Tensor forward(torch::Tensor x) { return x + 1; }
  };
  auto module = std::make_shared<Plus>();
  const auto replicas = torch::nn::parallel::replicate<Plus>(module, {torch::kCPU, torch::kCPU});
  out << replicas.size() << '\n';
  std::vector<torch::nn::ModuleHolder<Plus>> modules;
  for (const auto& replica : replicas) modules.emplace_back(replica);
  std::vector<torch::Tensor> inputs = {torch::zeros(2), torch::ones(2)};
  for (const auto& y : torch::nn::parallel::parallel_apply(modules, inputs)) show(out, "y", y);
});
#endif

#ifndef AWAITS_UNSAFE
const Program unsafe("names of the unsafe", [](std::ostream& out) {
  const auto x = torch::arange(6).view({2, 3});
  out << (x.unsafeGetTensorImpl() != nullptr) << x.use_count() << x.has_storage() << ' ' << x.storage().nbytes()
      << '\n';
  for (const auto& t : x.unsafe_split(1, 0)) show(out, t);
  for (const auto& t : x.unsafe_chunk(2, 1)) show(out, t);
});
#endif

#ifndef AWAITS_HASH
const Program hashes("hashes", [](std::ostream& out) {
  std::unordered_map<std::tuple<int, std::string>, int, c10::hash<std::tuple<int, std::string>>> map;
  map[{1, "a"}] = 5;
  out << map.size() << map.count({1, "a"}) << '\n';
  std::unordered_map<torch::Device, int> devices;
  devices[torch::kCPU] = 3;
  out << devices.at(torch::Device("cpu")) << '\n';
});
#endif

#ifndef AWAITS_JIT
}  // namespace
}  // namespace programs::idioms

#include <torch/script.h>

namespace programs::idioms {
namespace {

const Program script("a script that is not there", [](std::ostream& out) {
  fails<c10::Error>(out, "load", "", [] { torch::jit::load("/no/such/file.pt"); });
});
#endif

const Program lists_of_dims("lists of dims in all forms", [](std::ostream& out) {
  const auto x = torch::ones({2, 3, 4});
  const std::vector<int64_t> dims = {0, 2};
  const std::array<int64_t, 2> pair = {0, 1};
  const c10::optional<int64_t> one = 1;
  out << x.sum(dims).sizes() << x.mean(pair).sizes() << x.sum({1}).sizes() << x.sum(at::IntArrayRef(dims)).sizes()
      << x.sum(*one).sizes() << '\n';
  out << torch::zeros(std::vector<int64_t>{1, 2}).sizes() << torch::zeros(pair).sizes()
      << torch::zeros(x.sizes()).sizes() << torch::zeros(3).sizes() << '\n';
  int64_t n = 2;
  out << torch::zeros({n, n + 1}).sizes() << torch::zeros({static_cast<long>(dims.size()), 5}).sizes()
      << x.reshape({n, -1}).sizes() << '\n';
});

const Program optional_arguments("optional arguments", [](std::ostream& out) {
  const auto x = torch::linspace(0, 1, 5);
  show(out, "clamp", x.clamp(c10::nullopt, 0.5));
  show(out, "clamp_max", torch::clamp(x, 0.25));
  show(out, "sum", torch::sum(x, 0, false, torch::kDouble));
  show(out, "norm", torch::norm(x, 2));
  show(out, "cumsum", torch::cumsum(x, 0, torch::kFloat64));
  show(out, "batch_norm", torch::batch_norm(x.view({5, 1}), {}, {}, {}, {}, true, 0.1, 1e-5, false));
  show(out, "argmax", torch::argmax(x, c10::nullopt));
  show(out, "std", torch::std(x, {0}, false, true));
});

const Program moved("handles that move and swap", [](std::ostream& out) {
  torch::Tensor a = torch::ones(1), b = torch::zeros(2);
  std::swap(a, b);
  out << a.sizes() << b.sizes() << '\n';
  torch::Tensor c = std::move(a);
  out << a.defined() << c.defined() << '\n';
  c = c + 1;
  c = torch::Tensor();
  out << c.defined() << '\n';
  std::map<std::string, torch::Tensor> named;
  named["x"] = b;
  named.emplace("y", torch::arange(2));
  for (const auto& [name, tensor] : named) out << name << tensor.sizes() << ' ';
  out << b.use_count() << '\n';
});

const Program set_data("set_data and data", [](std::ostream& out) {
  auto x = torch::ones({2}, torch::requires_grad());
  x.set_data(torch::full({3}, 2.f));
  out << x.sizes() << x.requires_grad() << x.is_leaf() << '\n';
  x.data().fill_(5);
  show(out, "x", x);
  out << x.data().requires_grad() << x.tensor_data().sizes() << x.variable_data().norm().item<float>() << ' '
      << x.data().is_alias_of(x) << '\n';
  auto y = x.detach();
  y.zero_();
  show(out, "after", x);
});

const Program aliases("names that torch and at share", [](std::ostream& out) {
  const at::Tensor a = torch::ones(1);
  const torch::Tensor b = at::ones(1);
  const at::TensorList list = {a, b};
  const torch::TensorList same = list;
  const c10::IntArrayRef shape = {1, 2};
  const torch::IntArrayRef other = shape;
  out << list.size() << same.size() << other.size() << (std::is_same<torch::Tensor, at::Tensor>::value)
      << (std::is_same<torch::Device, c10::Device>::value) << (std::is_same<torch::Scalar, c10::Scalar>::value)
      << (std::is_same<torch::Dtype, c10::ScalarType>::value) << (std::is_same<c10::ScalarType, at::ScalarType>::value)
      << '\n';
  const torch::autograd::variable_list variables = {a};
  out << variables.size() << (torch::kCPU == at::kCPU) << (at::kFloat == torch::kFloat32)
      << (c10::kCUDA == torch::kCUDA) << '\n';
});

}  // namespace
}  // namespace programs::idioms
