// libtorch's regression example: fits a polynomial of degree four.
#include <torch/torch.h>

#include <cmath>
#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <utility>

static constexpr int POLY_DEGREE = 4;

// Builds features i.e. a matrix with columns [x, x^2, x^3, x^4].
torch::Tensor make_features(torch::Tensor x) {
  x = x.unsqueeze(1);
  std::vector<torch::Tensor> xs;
  for (int64_t i = 0; i < POLY_DEGREE; ++i) xs.push_back(x.pow(i + 1));
  return torch::cat(xs, 1);
}

// Approximated function.
torch::Tensor f(torch::Tensor x, torch::Tensor W_target, torch::Tensor b_target) {
  return x.mm(W_target) + b_target.item();
}

// Builds a batch i.e. (x, f(x)) pair.
std::pair<torch::Tensor, torch::Tensor> get_batch(torch::Tensor W_target, torch::Tensor b_target,
                                                  int32_t batch_size = 32) {
  torch::Tensor random = torch::randn({batch_size});
  torch::Tensor x = make_features(random);
  torch::Tensor y = f(x, W_target, b_target);
  return std::make_pair(x, y);
}

// Creates a string description of a polynomial.
std::string poly_desc(torch::Tensor W, torch::Tensor b) {
  std::string result = "y = ";
  for (int64_t i = 0; i < W.size(0); ++i) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%+.2f x^%ld ", W[i].item<float>(), W.size(0) - i);
    result += buffer;
  }
  return result + std::to_string(b[0].item<float>());
}

auto main() -> int {
  torch::manual_seed(0);
  torch::Tensor W_target = torch::randn({POLY_DEGREE, 1}) * 5;
  torch::Tensor b_target = torch::randn({1}) * 5;

  torch::nn::Linear fc(W_target.size(0), 1);
  torch::optim::SGD optim(fc->parameters(), .1);
  float loss = 0;
  int64_t batch_idx = 0;
  while (++batch_idx < 5000) {
    torch::Tensor batch_x, batch_y;
    std::tie(batch_x, batch_y) = get_batch(W_target, b_target);
    optim.zero_grad();
    torch::Tensor output = torch::smooth_l1_loss(fc(batch_x), batch_y);
    loss = output.item<float>();
    output.backward();
    optim.step();
    if (loss < 1e-3f) break;
  }
  std::cout << "Loss: " << loss << " after " << batch_idx << " batches" << std::endl;
  std::cout << "==> Learned function:\t" << poly_desc(fc->weight.view({-1}), fc->bias) << std::endl;
  std::cout << "==> Actual function:\t" << poly_desc(W_target.view({-1}), b_target) << std::endl;
  return loss < 0.1f ? 0 : 1;
}
