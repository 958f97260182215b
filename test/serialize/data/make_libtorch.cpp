// Writes the archives of libtorch that test/serialize reads: compiled against the torch wheel, run in this folder.
#include <torch/torch.h>

using namespace torch;

struct NetImpl : nn::Module {
  NetImpl() {
    first = register_module("first", nn::Linear(3, 2));
    parts = register_module("parts", nn::Sequential(nn::BatchNorm1d(2), nn::Linear(2, 1)));
  }
  Tensor forward(Tensor x) { return parts->forward(first(x)); }
  nn::Linear first = nullptr;
  nn::Sequential parts = nullptr;
};
TORCH_MODULE(Net);

template <class Optimizer>
void write_optimizer(const char* path, Net& net, Optimizer optimizer) {
  for (int i = 1; i <= 2; ++i) {
    optimizer.zero_grad();
    net(torch::arange(6, kFloat).reshape({2, 3}) * i).square().sum().backward();
    optimizer.step();
  }
  torch::save(optimizer, path);
}

int main() {
  Net net;
  {
    NoGradGuard no_grad;
    double k = 0.125;
    for (auto& p : net->parameters()) {
      p.copy_(torch::arange(p.numel(), kFloat).reshape(p.sizes()).mul(k).sub(0.25));
      k *= 1.5;
    }
  }
  torch::save(net, "libtorch_module.pt");
  write_optimizer("libtorch_adam.pt", net,
                  optim::AdamW(net->parameters(), optim::AdamWOptions(0.01).betas({0.8, 0.95})));
  torch::save(net, "libtorch_module_adam.pt");
  write_optimizer("libtorch_sgd.pt", net, optim::SGD(net->parameters(), optim::SGDOptions(0.02).momentum(0.9)));
  torch::save(net, "libtorch_module_sgd.pt");
  torch::save(torch::arange(6, kFloat).reshape({2, 3}), "libtorch_tensor.pt");
  torch::save(std::vector<Tensor>{torch::arange(3, kLong), torch::ones({2}, kDouble)}, "libtorch_tensors.pt");
  serialize::OutputArchive archive, nested;
  nested.write("pi", IValue(3.5));
  archive.write("epoch", IValue(7));
  archive.write("name", IValue("run"));
  archive.write("flag", IValue(true));
  archive.write("list", IValue(std::vector<int64_t>{1, 2, 3}));
  archive.write("nested", nested);
  archive.save_to("libtorch_values.pt");
}
