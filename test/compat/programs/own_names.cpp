// A program with names of its own that Strata has and libtorch has not: in libtorch's namespaces, and in its own beside
// using-directives for libtorch's.
#include <torch/torch.h>

#include <algorithm>
#include <string>
#include <vector>

namespace torch {
namespace nn {
struct RMSNormImpl : Module {
  Tensor forward(const Tensor& x) { return x * (x.pow(2).mean(-1, true) + 1e-6).rsqrt(); }
};
TORCH_MODULE(RMSNorm);
}  // namespace nn
namespace optim {
struct RAdam : SGD {
  using SGD::SGD;
};
}  // namespace optim
namespace data {
namespace datasets {
struct CIFAR10 : Dataset<CIFAR10> {
  Example<> get(size_t i) override { return {torch::full({3}, static_cast<int64_t>(i)), torch::zeros({})}; }
  std::optional<size_t> size() const override { return 4; }
};
}  // namespace datasets
}  // namespace data
}  // namespace torch

using namespace torch;
using namespace torch::nn;
using namespace torch::optim;
using namespace std;

struct Value {
  float of;
};
struct HardswishImpl : nn::Module {
  Tensor forward(const Tensor& x) { return x * functional::relu6(x + 3) / 6; }
};
TORCH_MODULE(Hardswish);
struct LambdaLR {};
struct Engine {};
string name = "mine";
int version = 3, category = 1, tree = 4;
float hint = 0;
Tensor scan(const Tensor& x) { return x.cumsum(0); }
Tensor grad(const Tensor& x) { return 2 * x; }
int compile() { return 5; }

int main() {
  const Value value{2};
  nn::RMSNorm norm;
  Hardswish activation;
  optim::RAdam optimizer(vector<Tensor>{torch::ones({1}, torch::requires_grad())}, optim::SGDOptions(0.1));
  const auto row = data::datasets::CIFAR10().get(3).data;
  vector<int> numbers{1, 1, 2};
  numbers.erase(unique(numbers.begin(), numbers.end()), numbers.end());
  const bool is_right = norm(torch::full({4}, 3.0)).allclose(torch::ones({4}), 1e-4) && numbers.size() == 2 &&
                        activation(torch::full({1}, 6.0)).item<float>() == 6 && row.sum().item<float>() == 9 &&
                        scan(torch::ones({3}))[2].item<float>() == 3 && grad(torch::ones({})).item<float>() == 2 &&
                        name.size() == 4 && version + category + tree + compile() + hint + value.of == 15;
  return is_right ? 0 : 1;
}
