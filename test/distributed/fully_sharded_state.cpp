// What ranks with sharded parameters hold of the optimizer's state, and how it is saved and taken up again.
#include <strata/strata.h>

#include <atomic>

#include "test/catch.h"
#include "test/distributed/cases.h"

namespace strata {
namespace {

using distributed::run_threads;
using nn::parallel::FullyShardedDataParallel;
using nn::parallel::FullyShardedDataParallelOptions;
using nn::parallel::module_wrap_policy;
using nn::parallel::ShardingStrategy;

/// A block of a transformer without its attention's mask, which makes no difference to bytes and names, and without a
/// bias of the keys: its gradient is rounding alone, which Adam would make as large as any.
struct BlockImpl : nn::Module {
  explicit BlockImpl(int64_t width) {
    norm1 = register_module("norm1", nn::LayerNorm(nn::LayerNormOptions({width})));
    norm2 = register_module("norm2", nn::LayerNorm(nn::LayerNormOptions({width})));
    qkv = register_module("qkv", nn::Linear(nn::LinearOptions(width, 3 * width).bias(false)));
    out = register_module("out", nn::Linear(width, width));
    up = register_module("up", nn::Linear(width, 4 * width));
    down = register_module("down", nn::Linear(4 * width, width));
  }
  Tensor forward(const Tensor& x) {
    const std::vector<Tensor> parts = qkv(norm1(x)).chunk(3, -1);
    const Tensor attention = softmax(matmul(parts[0], parts[1].mT()) / 4.0, -1);
    const Tensor h = x + out(matmul(attention, parts[2]));
    return h + down(gelu(up(norm2(h))));
  }
  nn::LayerNorm norm1{nullptr}, norm2{nullptr};
  nn::Linear qkv{nullptr}, out{nullptr}, up{nullptr}, down{nullptr};
};
STRATA_MODULE(Block);

struct GptImpl : nn::Module {
  explicit GptImpl(int64_t width, int64_t layers) {
    token = register_module("token", nn::Embedding(17, width));
    position = register_parameter("position", randn({9, width}));
    temperature = register_parameter("temperature", ones({}));
    blocks = register_module("blocks", nn::Sequential());
    for (int64_t i = 0; i < layers; ++i) blocks->push_back(Block(width));
    head = register_module("head", nn::Linear(width, 17));
    to(kDouble);
  }
  Tensor forward(const Tensor& text) { return head(blocks(token(text) + position)) * temperature; }
  nn::Embedding token{nullptr};
  nn::Sequential blocks{nullptr};
  nn::Linear head{nullptr};
  Tensor position, temperature;
};
STRATA_MODULE(Gpt);

/// The generator belongs to the process, so all nets are made before the ranks begin.
std::vector<Gpt> gpts(int64_t count, int64_t width = 8, int64_t layers = 2) {
  std::vector<Gpt> list;
  for (int64_t i = 0; i < count; ++i) {
    manual_seed(5);
    list.emplace_back(width, layers);
  }
  return list;
}
/// (12, 9) of 17 characters, and what follows each.
Tensor text() { return arange(108, kLong).reshape({12, 9}).mul(7).remainder(17); }
Tensor gpt_loss(const Tensor& scores, const Tensor& text) {
  return nn::functional::cross_entropy(scores.reshape({-1, 17}), text.mul(5).remainder(17).reshape({-1}));
}
Tensor own_part(const ProcessGroup& g) {
  const int64_t n = 12 / g->size();
  return text().narrow(0, g->rank() * n, n);
}

template <class Net, class Optimizer>
void train(Net& net, Optimizer& optimizer, const Tensor& part, int steps) {
  for (int step = 0; step < steps; ++step) {
    optimizer.zero_grad();
    gpt_loss(net->forward(part), part).backward();
    optimizer.step();
  }
}

FullyShardedDataParallelOptions by_blocks(ShardingStrategy strategy = ShardingStrategy::FULL_SHARD) {
  FullyShardedDataParallelOptions options;
  options.auto_wrap_policy = module_wrap_policy<Block>();
  options.sharding_strategy = strategy;
  return options;
}

using State = OrderedDict<std::string, Tensor>;
constexpr double kBeta = 0.85;
optim::AdamOptions adam() { return optim::AdamOptions(1e-2).betas({kBeta, 0.99}); }

/// State and parameters of four steps on so many ranks.
std::pair<State, State> saved_by(int64_t world, const FullyShardedDataParallelOptions& options) {
  std::pair<State, State> saved;
  const std::vector<Gpt> all = gpts(world);
  run_threads(world, [&](const ProcessGroup& g) {
    FullyShardedDataParallel fsdp(all[static_cast<size_t>(g->rank())], options);
    optim::Adam optimizer(fsdp.parameters(), adam());
    train(fsdp, optimizer, own_part(g), 4);
    State state = fsdp.full_optim_state_dict(optimizer), parameters = fsdp.full_state_dict();
    expect((state.size() > 0) == (g->rank() == 0), "a state on rank 0");
    if (g->rank() == 0) saved = {std::move(state), std::move(parameters)};
  });
  return saved;
}

void check_values(const State& got, const nn::Module& want) {
  for (const auto& item : want.named_parameters())
    expect(allclose(got[item.key()], item.value().detach(), 1e-11, 1e-12), "equal values of " + item.key());
}

std::vector<FullyShardedDataParallelOptions> gpt_ways() {
  FullyShardedDataParallelOptions low = by_blocks(ShardingStrategy::NO_SHARD);
  low.mixed_precision.reduce_dtype = kDouble;
  return {by_blocks(), {}, by_blocks(ShardingStrategy::SHARD_GRAD_OP), by_blocks(ShardingStrategy::NO_SHARD), low};
}

}  // namespace

TEST_CASE("the whole state of an optimizer of shards is that of one process, by the parameters' names") {
  Gpt alone = gpts(1)[0];
  optim::Adam one(alone->parameters(), adam());
  train(alone, one, text(), 4);
  for (int64_t world : {1, 2, 3, 4})
    for (const FullyShardedDataParallelOptions& way : gpt_ways()) {
      const State state = saved_by(world, way).first;
      CHECK(state.size() == alone->parameters().size() * 12);  // three fields and nine options
      for (const auto& item : alone->named_parameters()) {
        const auto& want =
            static_cast<const optim::AdamParamState&>(*one.state().at(item.value().unsafeGetTensorImpl()));
        const std::string prefix = "state." + item.key();
        CHECK(allclose(state[prefix + ".exp_avg"], want.exp_avg(), 1e-11, 1e-14));
        CHECK(allclose(state[prefix + ".exp_avg_sq"], want.exp_avg_sq(), 1e-11, 1e-16));
        CHECK(state[prefix + ".step"].item<int64_t>() == 4);
        CHECK(state["param_groups." + item.key() + ".lr"].item<double>() == 1e-2);
      }
    }
}

TEST_CASE("training goes on from a whole state on another number of ranks, with other units") {
  Gpt alone = gpts(1)[0];
  optim::Adam one(alone->parameters(), adam());
  train(alone, one, text(), 10);
  const auto saved = saved_by(3, by_blocks());
  const State &state = saved.first, &parameters = saved.second;
  for (int64_t world : {1, 2, 4})
    for (const FullyShardedDataParallelOptions& way : gpt_ways()) {
      const std::vector<Gpt> all = gpts(world);
      run_threads(world, [&](const ProcessGroup& g) {
        FullyShardedDataParallel fsdp(all[static_cast<size_t>(g->rank())], way);
        optim::Adam optimizer(fsdp.parameters(), optim::AdamOptions(5));  // the options are the state's
        fsdp.load_full_state_dict(g->rank() == 0 ? parameters : State());
        fsdp.load_full_optim_state_dict(optimizer, g->rank() == 0 ? state : State());
        train(fsdp, optimizer, own_part(g), 6);
        const State now = fsdp.full_state_dict();
        if (g->rank() == 0) check_values(now, *alone);
      });
    }
}

TEST_CASE("groups keep their options, and an optimizer without state of a parameter saves none") {
  const std::vector<Gpt> all = gpts(4);
  State saved;
  const auto on_ranks = [&](size_t first, bool loads) {
    run_threads(2, [&, first, loads](const ProcessGroup& g) {
      FullyShardedDataParallel fsdp(all[first + static_cast<size_t>(g->rank())], by_blocks());
      const std::vector<Tensor> shards = fsdp.parameters();
      const std::vector<Tensor> some(shards.begin(), shards.end() - 1), root(shards.end() - 1, shards.end());
      optim::SGD optimizer({optim::OptimizerParamGroup(some, std::make_unique<optim::SGDOptions>(loads ? 3 : 0.1)),
                            optim::OptimizerParamGroup(root, std::make_unique<optim::SGDOptions>(loads ? 3 : 0.2))},
                           optim::SGDOptions(1).momentum(0.9));
      if (loads) fsdp.load_full_optim_state_dict(optimizer, g->rank() == 0 ? saved : State());
      for (const Tensor& shard : some) shard.mutable_grad() = full_like(shard, 2.0);
      if (!loads) optimizer.step();
      const State state = fsdp.full_optim_state_dict(optimizer);
      if (g->rank() == 0 && !loads) saved = state;
      if (g->rank() == 0) {
        expect(state["param_groups.blocks.1.up.bias.lr"].item<double>() == 0.1, "the first group's rate");
        expect(state["param_groups.head.bias.lr"].item<double>() == 0.2, "the second one's");
        expect(state["state.blocks.1.up.weight.momentum_buffer"].equal(full({32, 8}, 2.0, kDouble)), "momentum");
        expect(!state.find("state.head.bias.momentum_buffer"), "none where there was no gradient");
      }
    });
  };
  on_ranks(0, false);
  on_ranks(2, true);
}

TEST_CASE("a state that does not fit is refused on all ranks") {
  const std::vector<Gpt> all = gpts(2);
  std::atomic<int> refused = 0;
  run_threads(2, [&](const ProcessGroup& g) {
    FullyShardedDataParallel fsdp(all[static_cast<size_t>(g->rank())], by_blocks());
    optim::Adam optimizer(fsdp.parameters(), adam());
    const auto load = [&](const State& state) -> std::string {
      try {
        fsdp.load_full_optim_state_dict(optimizer, g->rank() == 0 ? state : State());
      } catch (const Error& e) {
        ++refused;
        return e.what();
      }
      return "";
    };
    State wrong;
    wrong.insert("state.head.bias.exp_avg", zeros({3}, kDouble));
    expect(load(State()) == "load_full_optim_state_dict: the state has nothing of this module's parameters", "empty");
    const std::string error = load(wrong);
    expect(error == "load_full_optim_state_dict: state.head.bias.exp_avg has shape (3,), its parameter (17,)", error);
    expect(optimizer.state().empty(), "nothing was loaded");
    optim::Adam of_others({ones({4}).requires_grad_()}, adam());
    try {
      fsdp.full_optim_state_dict(of_others);
      expect(false, "an error");
    } catch (const Error& e) {
      expect(std::string(e.what()).ends_with("the optimizer has a parameter of shape (4,) that is no shard"), e.what());
    }
  });
  CHECK(refused == 4);
}

TEST_CASE("without sharding, parameters stay where they are and gradients are averaged") {
  const std::vector<Gpt> all = gpts(2);
  run_threads(2, [&](const ProcessGroup& g) {
    Gpt net = all[static_cast<size_t>(g->rank())];
    FullyShardedDataParallel fsdp(net, by_blocks(ShardingStrategy::NO_SHARD));
    int64_t numbers = 0, shards = 0;
    for (const Tensor& p : net->parameters()) numbers += p.numel();
    for (const Tensor& p : fsdp.parameters()) shards += p.numel();
    expect(numbers == shards, "all of it on each rank");
    const void* const place = net->head->weight.data_ptr();
    const Tensor part = own_part(g);
    gpt_loss(fsdp(part), part).backward();
    expect(net->head->weight.data_ptr() == place, "a parameter that can be used outside of a pass");
    const double norm = fsdp.clip_grad_norm_(1e9).item<double>();
    for (const Tensor& p : fsdp.parameters()) {
      const Tensor ranks = distributed::all_gather_into_tensor(p.grad().reshape({1, -1}));
      expect(same_bits(ranks[0], ranks[1]), "the same gradient on both ranks");
    }
    Gpt alone = net;  // the same parameters, by hand on the whole batch
    for (const Tensor& p : alone->parameters()) p.mutable_grad() = Tensor();
    Tensor squares = zeros({}, kDouble);
    for (const Tensor& slope : autograd::grad({gpt_loss(alone->forward(text()), text())}, alone->parameters()))
      squares = squares + slope.square().sum();
    expect(std::abs(norm - squares.sqrt().item<double>()) < 1e-12, "the norm of the whole batch's gradient");
  });
}

TEST_CASE("four ranks hold at most 0.30 of the bytes of data-parallel training each") {
  const std::vector<Gpt> sharded = gpts(4, 64, 4), replicated = gpts(4, 64, 4);
  const auto bytes_of = [](const std::vector<Tensor>& parameters, const optim::Adam& optimizer) {
    size_t bytes = 0;
    for (const Tensor& p : parameters) {
      bytes += p.nbytes() + (p.grad().defined() ? p.grad().nbytes() : 0);
      const auto& state = static_cast<const optim::AdamParamState&>(*optimizer.state().at(p.unsafeGetTensorImpl()));
      bytes += state.exp_avg().nbytes() + state.exp_avg_sq().nbytes();
    }
    return static_cast<double>(bytes);
  };
  std::vector<double> part(4), whole(4);
  run_threads(4, [&](const ProcessGroup& g) {
    const auto r = static_cast<size_t>(g->rank());
    nn::parallel::DistributedDataParallel ddp(replicated[r]);
    optim::Adam of_ddp(replicated[r]->parameters());
    train(ddp, of_ddp, own_part(g), 2);
    FullyShardedDataParallel fsdp(sharded[r], by_blocks());
    optim::Adam of_fsdp(fsdp.parameters());
    train(fsdp, of_fsdp, own_part(g), 2);
    for (const Tensor& p : sharded[r]->parameters()) expect(!p.grad().defined(), "no gradient beside the shards'");
    whole[r] = bytes_of(replicated[r]->parameters(), of_ddp);
    part[r] = bytes_of(fsdp.parameters(), of_fsdp) + static_cast<double>(fsdp.sharder().gathered_bytes());
  });
  for (size_t r = 0; r < 4; ++r) {
    CHECK(part[r] <= 0.30 * whole[r]);
    CHECK(part[r] >= 0.25 * whole[r]);  // nothing is left out
  }
  WARN("ZeRO-3 state per rank over DDP's, 4 ranks: " << part[0] / whole[0] << " (" << part[0] << " of " << whole[0]
                                                     << " bytes)");
}

}  // namespace strata
