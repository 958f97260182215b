// Training steps whose forward and backward are programs made ahead of time, beside eager ones: time and peak memory.
// `aot [threads]`; memory is measured in a process of its own for each row, times in turns.
#include <fmt/format.h>
#include <strata/core/allocator.h>
#include <strata/strata.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

#include "../../examples/char_gpt/model.h"

using namespace strata;

namespace {

/// Eager code, or programs made ahead of time.
struct Kind {
  const char* name;
  bool ahead;
  AotOptions options;
};
const Kind kKinds[] = {{"eager", false, {}},
                       {"budget 1", true, {}},
                       {"budget 0.5", true, {.memory_budget = 0.5}},
                       {"budget 0.5, products again", true, {.memory_budget = 0.5, .recompute_products = true}}};
constexpr size_t kCount = std::size(kKinds);

struct Training {
  std::function<void()> step, zero_grad;
};
using Make = Training (*)(const Kind& kind);

template <class Loss, class Optimizer>
Training training_of(Loss loss, std::shared_ptr<Optimizer> optimizer, const Kind& kind) {
  std::function<Tensor()> run = loss;
  if (kind.ahead) run = aot(loss, kind.options);
  const auto step = [=] {
    optimizer->zero_grad();
    run().backward();
    optimizer->step();
  };
  return {step, [=] { optimizer->zero_grad(); }};
}

Training mlp(const Kind& kind) {
  manual_seed(0);
  const nn::Sequential net(nn::Linear(784, 512), nn::ReLU(), nn::Linear(512, 512), nn::ReLU(), nn::Linear(512, 10));
  const Tensor images = rand({128, 784}), labels = randint(10, {128}, kLong);
  const auto loss = [=] { return nn::functional::cross_entropy(nn::Sequential(net)->forward(images), labels); };
  return training_of(loss, std::make_shared<optim::SGD>(net->parameters(), optim::SGDOptions(0.01)), kind);
}

/// examples/char_gpt.cpp's model and batch.
Training char_gpt(const Kind& kind) {
  manual_seed(0);
  const gpt::Model model(gpt::ModelOptions(), 65);
  const Tensor text = randint(65, {16, 64}, kLong), next = randint(65, {16 * 64}, kLong);
  const auto loss = [=] { return nn::functional::cross_entropy(gpt::Model(model)(text).flatten(0, 1), next); };
  return training_of(loss, std::make_shared<optim::AdamW>(model->parameters(), optim::AdamWOptions(2e-3)), kind);
}

/// In MB: the most that is in use during a step, and what is there before one.
struct Memory {
  double peak = 0, before = 0;
};

/// Measured in a process of its own, whose peak is this training's.
Memory memory_of(Make make, const Kind& kind) {
  int ends[2];
  Memory result;
  if (pipe(ends) != 0) return result;
  if (const pid_t child = fork(); child != 0) {
    if (read(ends[0], &result, sizeof(result)) < 0) result = {};
    waitpid(child, nullptr, 0);
    return result;
  }
  const Training training = make(kind);
  for (int i = 0; i < 3; ++i) training.step();
  training.zero_grad();
  const MemoryStats stats = memory_stats();
  result = {static_cast<double>(stats.peak) / 1e6, static_cast<double>(stats.in_use) / 1e6};
  const bool is_written = write(ends[1], &result, sizeof(result)) > 0;
  _exit(is_written ? 0 : 1);
}

std::vector<Memory> memory_of_all(Make make) {
  std::vector<Memory> all;
  for (const Kind& kind : kKinds) all.push_back(memory_of(make, kind));
  return all;
}

void compare(const char* name, Make make, const std::vector<Memory>& memory, int threads) {
  std::vector<double> best(kCount, 1e9);
  set_num_threads(threads);
  std::vector<Training> trainings;
  for (const Kind& kind : kKinds) trainings.push_back(make(kind));
  for (int round = 0; round < 100; ++round)
    for (size_t i = 0; i < kCount; ++i) {
      const auto start = std::chrono::steady_clock::now();
      trainings[i].step();
      const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
      best[i] = std::min(best[i], took.count());
    }
  fmt::print("{}, {} threads\n", name, threads);
  for (size_t i = 0; i < kCount; ++i)
    fmt::print("  {:26}  {:8.3f} ms ({:.2f})  peak {:6.2f} MB ({:.2f}), of the step alone {:6.2f} MB ({:.2f})\n",
               kKinds[i].name, best[i], best[i] / best[0], memory[i].peak, memory[i].peak / memory[0].peak,
               memory[i].peak - memory[i].before,
               (memory[i].peak - memory[i].before) / (memory[0].peak - memory[0].before));
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 2;
  const std::vector<Memory> of_gpt = memory_of_all(char_gpt), of_mlp = memory_of_all(mlp);  // before others add to it
  compare("char-GPT step", char_gpt, of_gpt, threads);
  compare("MLP step b128", mlp, of_mlp, threads);
}
