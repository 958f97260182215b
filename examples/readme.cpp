// The program that README.md shows: it learns to read 1,797 scanned digits of 8x8 pixels.
#include <strata/strata.h>

#include <cstdio>

using namespace strata;

struct Net : nn::Module {
  nn::Linear hidden = register_module("hidden", nn::Linear(64, 128));
  nn::Linear output = register_module("output", nn::Linear(128, 10));

  Tensor forward(const Tensor& images) { return output(relu(hidden(images.flatten(1)))); }
};

int main() {
  manual_seed(1);
  auto digits = data::datasets::embedded_digits();  // part of the library
  auto loader = data::make_data_loader(digits.map(data::transforms::Stack<>()), 64);
  Net net;
  optim::AdamW optimizer(net.parameters(), optim::AdamWOptions(3e-3));
  for (int epoch = 1; epoch <= 10; ++epoch) {
    double sum = 0;
    for (auto& batch : *loader) {
      optimizer.zero_grad();
      Tensor loss = nn::functional::cross_entropy(net.forward(batch.data), batch.target);
      loss.backward();
      optimizer.step();
      sum += loss.item<double>() * batch.target.size(0);
    }
    std::printf("epoch %2d  loss %.4f\n", epoch, sum / *digits.size());
  }
}
