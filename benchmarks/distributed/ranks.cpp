// What ranks on one machine pay for each other: raw all-reduces, and a training step of a perceptron with 784, 512, 512
// and 10 units on 64 examples a rank, alone and data-parallel. benchmarks/distributed/run.py starts it and its twin for
// PyTorch, peer.py, in turn. Rank 0 prints seconds by row, as JSON.
//
//     ranks [ROUNDS [PART_OF_A_ROW'S_NAME]]
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

using namespace strata;

namespace {

double seconds_of(const std::function<void()>& f, int times) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / times;
}

struct Row {
  std::string name;
  int times;  ///< in a round
  std::function<void()> f;
  std::vector<double> seconds = {};
};

/// Rounds go over all rows, so that what else the machine does falls on all of them.
void measure(std::vector<Row>& rows, int rounds) {
  for (int round = 0; round <= rounds; ++round)
    for (Row& row : rows) {
      distributed::barrier();
      const double seconds = seconds_of(row.f, row.times);
      if (round > 0) row.seconds.push_back(seconds);  // the first one warms up
    }
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

nn::Sequential perceptron() {
  return nn::Sequential(nn::Linear(784, 512), nn::ReLU(), nn::Linear(512, 512), nn::ReLU(), nn::Linear(512, 10));
}

template <class Net>
std::function<void()> step_of(Net& net, optim::SGD& optimizer) {
  const Tensor x = randn({64, 784}), y = randint(10, {64}, kLong);
  return [&net, &optimizer, x, y] {
    optimizer.zero_grad();
    nn::functional::cross_entropy(net->forward(x), y).backward();
    optimizer.step();
  };
}

void run(int rounds, const std::string& part_of_name) {
  manual_seed(0);
  nn::Sequential alone = perceptron(), wrapped = perceptron();
  nn::parallel::DistributedDataParallel ddp(wrapped);
  optim::SGD of_alone(alone->parameters(), optim::SGDOptions(0.01).momentum(0.9));
  optim::SGD of_wrapped(wrapped->parameters(), optim::SGDOptions(0.01).momentum(0.9));
  int64_t count = 0;
  for (const Tensor& p : alone->parameters()) count += p.numel();
  const auto all_reduce = [](int64_t numbers) {
    return [x = zeros({numbers})]() mutable { distributed::all_reduce_(x); };
  };
  std::vector<Row> rows = {{"all_reduce 4 B", 500, all_reduce(1)},
                           {"all_reduce 1 MB", 50, all_reduce(1 << 18)},
                           {"all_reduce 64 MB", 1, all_reduce(1 << 24)},
                           {"perceptron, all_reduce alone", 50, all_reduce(count)},
                           {"perceptron, step alone", 50, step_of(alone, of_alone)},
                           {"perceptron, data-parallel step", 50, step_of(ddp, of_wrapped)}};
  std::erase_if(rows, [&](const Row& row) { return row.name.find(part_of_name) == row.name.npos; });
  measure(rows, rounds);
  if (distributed::get_rank() > 0) return;
  for (size_t i = 0; i < rows.size(); ++i)
    std::printf("%s\"%s\": %.9g%s", i == 0 ? "{" : ", ", rows[i].name.c_str(), median(rows[i].seconds),
                i + 1 == rows.size() ? "}\n" : "");
}

}  // namespace

int main(int argc, char** argv) {
  distributed::init_process_group();
  run(argc > 1 ? std::atoi(argv[1]) : 15, argc > 2 ? argv[2] : "");
  distributed::destroy_process_group();
}
