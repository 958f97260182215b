// A small net and its batches, for what trains on several ranks.
#pragma once
#include <strata/strata.h>

#include <string>
#include <vector>

#include "test/distributed/cases.h"

namespace strata {

struct NetImpl : nn::Module {
  NetImpl() {
    first = register_module("first", nn::Linear(6, 16));
    second = register_module("second", nn::Linear(16, 16));
    last = register_module("last", nn::Linear(16, 3));
    scale = register_parameter("scale", ones({}, kDouble));
    tied = first->weight;
    to(kDouble);
  }
  Tensor forward(const Tensor& x) {
    const Tensor h = tanh(first(x));
    return last(uses_second ? tanh(second(h)) : h) * scale + matmul(x, first->weight.t()).sum(1, true);
  }
  nn::Linear first{nullptr}, second{nullptr}, last{nullptr};
  Tensor scale, tied;
  bool uses_second = true;
};
STRATA_MODULE(Net);

inline Net make_net(uint64_t seed) {
  manual_seed(seed);
  return Net();
}

inline Tensor loss_of(const Tensor& y, const Tensor& target) { return nn::functional::mse_loss(y, target); }

struct Samples {
  Tensor x, y;
  Samples part(int64_t rank, int64_t world) const {
    const int64_t n = x.size(0) / world;
    return {x.narrow(0, rank * n, n), y.narrow(0, rank * n, n)};
  }
};
/// By keys, so that ranks that are threads may draw it.
inline Samples batch_of(uint64_t seed) {
  const Tensor keys = random::split(random::key(static_cast<int64_t>(seed)), 2);
  return {random::normal(keys[0], {12, 6}, kDouble), random::normal(keys[1], {12, 3}, kDouble)};
}
inline Samples batch(uint64_t seed) {
  manual_seed(seed);
  return {randn({12, 6}, kDouble), randn({12, 3}, kDouble)};
}

inline std::vector<Tensor> gradients(const nn::Module& m) {
  std::vector<Tensor> list;
  for (const Tensor& p : m.parameters()) list.push_back(p.grad().defined() ? p.grad().clone() : p.grad());
  return list;
}
inline void check_close(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  expect(a.size() == b.size(), "as many parameters");
  for (size_t i = 0; i < a.size(); ++i) {
    const std::string which = "of parameter " + std::to_string(i);
    expect(a[i].defined() == b[i].defined(), "a gradient where there should be one, " + which);
    if (a[i].defined()) expect(allclose(a[i], b[i], 1e-12, 1e-14), "equal values " + which);
  }
}

/// The gradients of the whole batch by a net that is not wrapped.
inline std::vector<Tensor> whole(const Samples& all, bool uses_second = true) {
  Net net = make_net(1);
  net->uses_second = uses_second;
  loss_of(net->forward(all.x), all.y).backward();
  return gradients(*net);
}

inline std::string error_of(int64_t world, const std::function<void(const ProcessGroup&)>& body) {
  try {
    distributed::run_threads(world, [&](const ProcessGroup& g) { body(g); });
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}
/// The generator belongs to the process, so ranks that are threads draw in turn.
inline Net make_net_on(const ProcessGroup& g, uint64_t seed) {
  Net net{nullptr};
  for (int64_t r = 0; r < g->size(); ++r) {
    if (r == g->rank()) net = make_net(seed);
    distributed::barrier(g);
  }
  return net;
}

inline std::vector<Tensor> clones(std::vector<Tensor> list) {
  for (Tensor& t : list) t = t.detach().clone();
  return list;
}

inline constexpr int64_t kShards = 8;

/// All losses of all shards, in order, and the weights after 50 steps.
struct Run {
  std::vector<Tensor> losses, weights;
};

template <class Optimizer, class Options, class RunRanks>
Run train_in_shards(int64_t world, const Options& how, double bucket_cap_mb, const RunRanks& run_ranks) {
  std::vector<Tensor> xs, ys;
  manual_seed(7);
  for (int step = 0; step < 50; ++step) xs.push_back(randn({32, 6})), ys.push_back(randn({32, 3}));
  Run result;
  run_ranks(world, [&](const ProcessGroup& g) {
    Net net = make_net_on(g, 1);
    net->to(kFloat);
    nn::parallel::DistributedDataParallelOptions options;
    options.logical_shards = kShards, options.bucket_cap_mb = bucket_cap_mb;
    nn::parallel::DistributedDataParallel ddp(net, options);
    Optimizer optimizer(net->parameters(), how);
    for (size_t step = 0; step < xs.size(); ++step) {
      optimizer.zero_grad();
      std::vector<Tensor> own;
      for (int64_t i = 0; i < kShards / world; ++i) {
        const int64_t shard = g->rank() * (kShards / world) + i;
        const Tensor loss = loss_of(ddp(xs[step].narrow(0, shard * 4, 4)), ys[step].narrow(0, shard * 4, 4));
        loss.backward();
        own.push_back(loss.detach());
      }
      optimizer.step();
      const Tensor all = distributed::all_gather_into_tensor(stack(own));
      if (g->rank() == 0) result.losses.push_back(all.reshape({-1}));
    }
    if (g->rank() == 0) result.weights = clones(net->parameters());
  });
  return result;
}

}  // namespace strata
