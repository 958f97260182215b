// libtorch's namespaces: programs reopen them, use them together, and find their own names beside Strata's.
#include <ATen/ATen.h>
#include <ATen/ops/abs.h>
#include <c10/util/irange.h>
#include <torch/csrc/api/include/torch/nn/modules/linear.h>
#include <torch/extension.h>
#include <torch/nn/functional/activation.h>
#include <torch/torch.h>

#include "test/catch.h"

namespace torch {
namespace nn {
/// A module of the program's own, written in libtorch's namespace.
class DoublingImpl : public Cloneable<DoublingImpl> {
 public:
  void reset() override { linear = register_module("linear", Linear(LinearOptions(2, 2).bias(false))); }
  DoublingImpl() { reset(); }
  Tensor forward(const Tensor& x) { return functional::relu(linear->forward(x)) * 2; }
  Linear linear{nullptr};
};
TORCH_MODULE(Doubling);
}  // namespace nn
inline Tensor twice(const Tensor& x) { return add(x, x); }
}  // namespace torch

namespace at {
inline Tensor thrice(const Tensor& x) { return mul(x, Scalar(3)); }
}  // namespace at
namespace c10 {
inline int64_t elements_of(IntArrayRef sizes) {
  int64_t n = 1;
  for (const auto i : irange(sizes.size())) n *= sizes[i];
  return n;
}
}  // namespace c10

namespace {

namespace F = torch::nn::functional;

double with_both_namespaces() {
  using namespace torch;
  using namespace at;
  nn::Linear linear(nn::LinearOptions(2, 1).bias(false));
  NoGradGuard guard;
  linear->weight.fill_(1);
  const Tensor x = ones({1, 2}, kFloat);
  optim::SGD optimizer(linear->parameters(), optim::SGDOptions(0.1));
  return linear(x.index({indexing::Slice()})).item<double>();
}

}  // namespace

TEST_CASE("programs add to libtorch's namespaces and use several at once") {
  const torch::Tensor x = torch::ones({2, 2});
  CHECK(torch::twice(x).sum().item<double>() == 8);
  CHECK(at::thrice(x).sum().item<double>() == 12);
  CHECK(c10::elements_of(x.sizes()) == 4);
  torch::nn::Doubling module;
  CHECK(module->parameters().size() == 1);
  CHECK(module(x).sizes() == x.sizes());
  CHECK(std::dynamic_pointer_cast<torch::nn::DoublingImpl>(module->clone())->linear->weight.sizes() == x.sizes());
  CHECK(F::relu(-x, F::ReLUFuncOptions().inplace(false)).sum().item<double>() == 0);
  CHECK(with_both_namespaces() == 2);
}

TEST_CASE("one type has one identity under all names") {
  STATIC_REQUIRE(std::is_same_v<at::Tensor, torch::Tensor>);
  STATIC_REQUIRE(std::is_same_v<c10::ScalarType, at::ScalarType>);
  STATIC_REQUIRE(
      std::is_same_v<c10::complex<float>,
                     std::decay_t<decltype(torch::zeros({1}, torch::kComplexFloat).item<c10::complex<float>>())>>);
  STATIC_REQUIRE(std::is_same_v<torch::autograd::Variable, at::Tensor>);
}

TEST_CASE("numbers keep their dtype where a program uses namespace torch", "[compat]") {
  using namespace torch;
  CHECK(tensor({0.5, 2.}).dtype() == kDouble);
  CHECK(tensor({1, 2}).dtype() == kInt);
  CHECK(tensor(2.5).dtype() == kDouble);
  CHECK(tensor(2.5).dim() == 1);
  CHECK(tensor({1, 2}, kFloat).dtype() == kFloat);
  CHECK(torch::tensor({0.5, 2.}).dtype() == kFloat);
  CHECK(torch::tensor(2.5).dim() == 0);
  CHECK(torch::thrice(ones({1})).item<float>() == 3);
}
