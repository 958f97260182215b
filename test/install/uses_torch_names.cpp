// A program outside the repository that is written for libtorch.
#include <torch/torch.h>

#include <cstdio>

int main() {
  torch::Tensor x = torch::ones({2, 3}, torch::requires_grad());
  torch::Tensor loss = (x * 3).sum();
  loss.backward();
  bool good = x.grad().sum().item<float>() == 18;
  std::printf("torch names: %s\n", good ? "work" : "give wrong values");
  return good ? 0 : 1;
}
