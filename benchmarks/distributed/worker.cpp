// A rank whose job is measured from outside: it says what it has done and when, by the clock that all processes of a
// machine share. benchmarks/distributed/run.py starts it and its twin for PyTorch, worker.py, and stops and kills them.
//
//     worker start          joins its group and makes one data-parallel step
//     worker train [stay]   reduces until that throws, and then exits or stays; no SIGTERM ends it sooner
//     worker elastic        makes steps until it is killed, beside whatever ranks there are
//     worker state          says how many bytes its training state takes, data-parallel and sharded
//     worker bits sgd|adam  makes 50 steps of eight logical shards, and says which bits the weights have then
//     worker replicas N     says how long a sharded step with N examples takes, by itself and with either save of its
//     state
//                           to the other ranks
//     worker overlap N      says how long a step with N examples, an all_reduce of its gradients and both together take
//
// A line is "at NANOSECONDS rank RANK pid PID EVENT", and what there is to say about the event.
#include <torch/torch.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

using namespace strata;
using nn::parallel::DistributedDataParallel;

namespace {

constexpr std::chrono::milliseconds kComputing{2};  // what a rank does between two steps, beside others on few cores

std::string variable(const char* name) {
  const char* const text = std::getenv(name);
  return text ? text : "0";
}

void say(const char* event, std::string text = "") {
  std::replace(text.begin(), text.end(), '\n', ' ');
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  std::printf("at %lld rank %s pid %d %s %s\n", static_cast<long long>(now.count()), variable("RANK").c_str(), getpid(),
              event, text.c_str());
  std::fflush(stdout);
}

template <class Net>
void step_of(Net& net, optim::Optimizer& optimizer, const Tensor& x) {
  optimizer.zero_grad();
  net.forward(x).square().mean().backward();
  optimizer.step();
}

void start() {
  distributed::init_process_group();
  say("joined");
  nn::Sequential net(nn::Linear(784, 512), nn::ReLU(), nn::Linear(512, 512), nn::ReLU(), nn::Linear(512, 10));
  DistributedDataParallel ddp(net);
  optim::SGD optimizer(net->parameters(), 0.01);
  step_of(ddp, optimizer, randn({64, 784}));
  say("stepped");
  distributed::destroy_process_group();
}

void train(bool stays) {
  std::signal(SIGTERM, SIG_IGN);
  distributed::init_process_group();
  Tensor x = zeros({1000});
  distributed::all_reduce_(x);
  say("ready");
  try {
    for (;; std::this_thread::sleep_for(kComputing)) distributed::all_reduce_(x);
  } catch (const std::exception& error) {
    say("thrown", error.what());
    if (stays) std::this_thread::sleep_for(std::chrono::hours(1));  // so that the others find out by themselves
    throw;
  }
}

/// Their hash, FNV-1a.
std::string bits_of(const std::vector<Tensor>& tensors) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const Tensor& t : tensors)
    for (size_t i = 0; i < t.nbytes(); ++i)
      hash = (hash ^ static_cast<const unsigned char*>(t.data_ptr())[i]) * 0x100000001b3;
  return std::to_string(hash);
}

/// Examples that depend on nothing but the step and whose part of it they are.
Tensor examples(int64_t step, int64_t part, int64_t features) {
  return random::normal(random::fold_in(random::fold_in(random::key(0), step), part), {16, features});
}

void train_elastically() {
  manual_seed(0);
  nn::Linear net(8, 1);
  optim::Adam optimizer(net->parameters(), 0.01);
  int64_t step = 0;
  distributed::elastic::State state;
  state.add(*net).add(optimizer).add(step);
  distributed::elastic::run(state, [&] {
    for (DistributedDataParallel ddp(net);; std::this_thread::sleep_for(kComputing)) {
      step_of(ddp, optimizer, examples(step, distributed::get_rank(), 8));
      ++step;
      say("stepped", variable("STRATA_GENERATION") + " " + std::to_string(step) + " " + bits_of(net->parameters()));
      state.commit();
    }
  });
}

nn::Sequential layers() {
  nn::Sequential net;
  for (int i = 0; i < 16; ++i) net->push_back(nn::Linear(256, 256));
  return net;
}

/// Of parameters, gradients and what Adam knows of them, after two steps.
template <class Net>
size_t bytes_in_training(Net& net, const std::vector<Tensor>& parameters) {
  optim::Adam optimizer(parameters, 0.001);
  for (int i = 0; i < 2; ++i) step_of(net, optimizer, randn({16, 256}));
  size_t bytes = 0;
  for (const Tensor& p : parameters) {
    const auto& state = static_cast<const optim::AdamParamState&>(*optimizer.state().at(p.unsafeGetTensorImpl()));
    bytes += p.nbytes() + p.grad().nbytes() + state.exp_avg().nbytes() + state.exp_avg_sq().nbytes();
  }
  return bytes;
}

size_t bytes_replicated() {
  const nn::Sequential net = layers();
  DistributedDataParallel ddp(net);
  return bytes_in_training(ddp, net->parameters());
}

size_t bytes_sharded() {
  nn::parallel::FullyShardedDataParallel fsdp(layers(),
                                              {.auto_wrap_policy = nn::parallel::module_wrap_policy<nn::Linear>()});
  const size_t shards = bytes_in_training(fsdp, fsdp.parameters());
  return shards + static_cast<size_t>(fsdp.sharder().gathered_bytes());
}

void compare_states() {
  distributed::init_process_group();
  const size_t replicated = bytes_replicated();
  say("state", std::to_string(replicated) + " " + std::to_string(bytes_sharded()));
  distributed::destroy_process_group();
}

void train_to_bits(const std::string& name) {
  constexpr int64_t kShards = 8;
  distributed::init_process_group();
  manual_seed(0);
  nn::Sequential net(nn::Linear(20, 32), nn::Tanh(), nn::Linear(32, 1));
  DistributedDataParallel ddp(net, {.logical_shards = kShards});
  std::unique_ptr<optim::Optimizer> optimizer;
  if (name == "sgd") optimizer = std::make_unique<optim::SGD>(net->parameters(), optim::SGDOptions(0.05).momentum(0.9));
  if (name == "adam") optimizer = std::make_unique<optim::Adam>(net->parameters(), 0.01);
  const int64_t each = kShards / distributed::get_world_size(), first = distributed::get_rank() * each;
  for (int64_t step = 0; step < 50; ++step) {
    optimizer->zero_grad();
    for (int64_t shard = first; shard < first + each; ++shard) {
      const Tensor x = examples(step, shard, 20);
      (ddp(x) - x.sum(1, true).sin()).square().mean().backward();
    }
    optimizer->step();
  }
  say("weights", bits_of(net->parameters()));
  distributed::destroy_process_group();
}

/// The median of some calls that all ranks begin together.
template <class F>
double seconds_of(const F& f) {
  std::vector<double> seconds;
  for (int i = 0; i < 6; ++i) {
    distributed::barrier();
    const auto begin = std::chrono::steady_clock::now();
    f();
    if (i > 0) seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

/// Eight equal layers, each of which fills a bucket: its gradients can travel while those of the others are computed.
void overlap(int64_t examples) {
  distributed::init_process_group();
  nn::Sequential net, wrapped;
  for (int i = 0; i < 8; ++i) net->push_back(nn::Linear(512, 512)), wrapped->push_back(nn::Linear(512, 512));
  DistributedDataParallel ddp(wrapped, {.bucket_cap_mb = 1});
  optim::SGD alone(net->parameters(), 0.001), together(wrapped->parameters(), 0.001);
  const Tensor x = randn({examples, 512});
  Tensor gradients = zeros({8 * (512 * 512 + 512)});
  const double local = seconds_of([&] { step_of(*net, alone, x); });
  const double reduced = seconds_of([&] { distributed::all_reduce_(gradients); });
  const double step = seconds_of([&] { step_of(ddp, together, x); });
  say("overlapped", std::to_string(local) + " " + std::to_string(reduced) + " " + std::to_string(step));
  distributed::destroy_process_group();
}

/// The same layers sharded, each a unit. A step that saves beside the next one waits for the save of the step before.
void replicate(int64_t examples) {
  distributed::init_process_group();
  nn::Sequential net;
  for (int i = 0; i < 8; ++i) net->push_back(nn::Linear(512, 512));
  nn::parallel::FullyShardedDataParallel fsdp(net,
                                              {.auto_wrap_policy = nn::parallel::module_wrap_policy<nn::Linear>()});
  optim::Adam optimizer(fsdp.parameters(), 0.001);
  distributed::checkpoint::State state;
  state.add("model", fsdp).add("optim", optimizer);
  distributed::checkpoint::Replicas replicas;
  const Tensor x = randn({examples, 512});
  const auto step = [&] { step_of(fsdp, optimizer, x); };
  const double plain = seconds_of(step);
  const double waiting = seconds_of([&] { step(), replicas.save(state); });
  const double beside = seconds_of([&] { step(), replicas.async_save(state); });
  replicas.wait();
  say("replicated", std::to_string(plain) + " " + std::to_string(waiting) + " " + std::to_string(beside));
  distributed::destroy_process_group();
}

}  // namespace

int main(int argc, char** argv) {
  say("main");
  const std::string what = argc > 1 ? argv[1] : "", how = argc > 2 ? argv[2] : "";
  try {
    if (what == "start") return start(), 0;
    if (what == "train") return train(how == "stay"), 0;
    if (what == "elastic") return train_elastically(), 0;
    if (what == "state") return compare_states(), 0;
    if (what == "bits" && (how == "sgd" || how == "adam")) return train_to_bits(how), 0;
    if (what == "replicas") return replicate(std::atoll(how.c_str())), 0;
    if (what == "overlap") return overlap(std::atoll(how.c_str())), 0;
    std::fprintf(stderr,
                 "worker: start, train, elastic, state, bits sgd, bits adam, replicas N or overlap N, not '%s %s'\n",
                 what.c_str(), how.c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 1;
}
