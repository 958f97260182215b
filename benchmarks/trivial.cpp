// The smallest program that uses the library: what it costs to start, to hold in memory and to exit.
#include <torch/torch.h>

int main() { return torch::ones({2, 2}).sum().item<float>() == 4 ? 0 : 1; }
