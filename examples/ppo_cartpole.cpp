// Proximal policy optimisation (Schulman et al. 2017) of a cart that balances a pole (Barto, Sutton and Anderson 1983).
// `ppo_cartpole --help` says how.
#include <fmt/format.h>
#include <strata/strata.h>
#include <strata/train/interrupt.h>

#include "common/program.h"
#include "ppo_cartpole/carts.h"

using namespace strata;
using namespace strata::examples;
using ppo::Carts;

namespace {

struct Options {
  int64_t updates = 60, carts = 32, length = 128, passes = 4, batches = 4, seed = 0;
  double lr = 2e-3, discount = 0.99, lambda = 0.95, clip = 0.2, entropy = 0.01;
  std::string plot = "ppo_cartpole.svg";
};

/// Logits of the pushes, and what a state is worth.
struct ActorCriticImpl : nn::Module {
  std::pair<Tensor, Tensor> forward(const Tensor& states) {
    return {actor->forward(states), critic->forward(states).squeeze(-1)};
  }
  static nn::Sequential net(int64_t out) {
    return nn::Sequential(nn::Linear(4, 64), nn::Tanh(), nn::Linear(64, 64), nn::Tanh(), nn::Linear(64, out));
  }
  nn::Sequential actor = register_module("actor", net(2)), critic = register_module("critic", net(1));
};
STRATA_MODULE(ActorCritic);

/// What the carts went through: states `(T, N, 4)`, the others `(T, N)`.
struct Memory {
  Tensor states, pushes, log_chances, advantages, returns;
  std::vector<double> lengths;  ///< of the episodes that ended
};

/// Plays `length` steps and estimates advantages (Schulman et al. 2016). A step is worth 1 - discount, so that values
/// are from 0 to 1.
Memory play(ActorCritic& net, Carts& carts, const Options& o) {
  const NoGradGuard no_grad;
  std::vector<Tensor> states, pushes, log_chances, values, rewards, ended;
  Memory memory;
  for (int64_t t = 0; t < o.length; ++t) {
    states.push_back(carts.state());
    const auto [logits, value] = net(carts.state());
    const Tensor push = multinomial(logits.softmax(1), 1);
    log_chances.push_back(logits.log_softmax(1).gather(1, push).squeeze(1));
    pushes.push_back(push.squeeze(1));
    values.push_back(value);
    const Carts::Step step = carts.step(pushes.back().to(kFloat));
    // Who reached the end of time would have gone on: what that is worth belongs to the reward (Pardo et al. 2018).
    const Tensor timed_out = (step.ended & ~step.fell).to(kFloat);
    rewards.push_back(1 - o.discount + o.discount * timed_out * net(step.last).second);
    ended.push_back(step.ended.to(kFloat));
    for (const double length : train::to_vector(step.lengths)) memory.lengths.push_back(length);
  }
  Tensor next = net(carts.state()).second, advantage = zeros_like(next);
  std::vector<Tensor> advantages(states.size());
  for (size_t t = states.size(); t-- > 0;) {
    const Tensor goes_on = 1 - ended[t];
    advantage = rewards[t] + o.discount * goes_on * next - values[t] + o.discount * o.lambda * goes_on * advantage;
    advantages[t] = advantage;
    next = values[t];
  }
  memory.states = stack(states).flatten(0, 1), memory.pushes = stack(pushes).flatten();
  memory.log_chances = stack(log_chances).flatten(), memory.advantages = stack(advantages).flatten();
  memory.returns = memory.advantages + stack(values).flatten();
  return memory;
}

/// The clipped loss of the policy, the error of the values and the wish for entropy.
Tensor loss_of(ActorCritic& net, const Memory& m, const Tensor& places, const Options& o) {
  const auto pick = [&](const Tensor& all) { return all.index_select(0, places); };
  const auto [logits, values] = net(pick(m.states));
  const Tensor log_all = logits.log_softmax(1);
  const Tensor ratio = (log_all.gather(1, pick(m.pushes).unsqueeze(1)).squeeze(1) - pick(m.log_chances)).exp();
  const Tensor raw = pick(m.advantages), advantage = (raw - raw.mean()) / (raw.std() + 1e-8);
  const Tensor policy = -minimum(ratio * advantage, ratio.clamp(1 - o.clip, 1 + o.clip) * advantage).mean();
  const Tensor entropy = -(log_all.exp() * log_all).sum(1).mean();
  return policy + 0.5 * nn::functional::mse_loss(values, pick(m.returns)) - o.entropy * entropy;
}

void run(const Options& o) {
  manual_seed(static_cast<uint64_t>(o.seed));
  ActorCritic net;
  optim::Adam optimizer(net->parameters(), optim::AdamOptions(o.lr));
  optim::LinearLR schedule(optimizer, 1.0, 0.1, static_cast<unsigned>(o.updates));
  Carts carts(o.carts);
  const train::InterruptGuard guard;
  train::Progress progress(o.updates, "updates");
  std::vector<double> steps, lengths;
  for (int64_t update = 1; update <= o.updates && !train::InterruptGuard::interrupted(); ++update) {
    const Memory memory = play(net, carts, o);
    const int64_t count = memory.returns.size(0);
    for (int64_t pass = 0; pass < o.passes; ++pass)
      for (const Tensor& places : randperm(count).split(std::max<int64_t>(1, count / o.batches))) {
        optimizer.zero_grad();
        loss_of(net, memory, places, o).backward();
        nn::utils::clip_grad_norm_(net->parameters(), 0.5);
        optimizer.step();
      }
    schedule.step();
    if (!memory.lengths.empty()) {
      steps.push_back(static_cast<double>(update * count));
      lengths.push_back(tensor(memory.lengths).mean().item<double>());
    }
    const double mean = lengths.empty() ? 0 : lengths.back();
    progress.update(update, "learning", {{"episode", mean}});
    if (update % 10 == 0) progress.print_line(fmt::format("update {:4}  mean episode {:.1f} steps", update, mean));
  }
  save_plot(o.plot, "PPO balances a pole", {train::Curves{"Episodes", "steps", "mean length", steps, {{"", lengths}}}});
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  Program program("Learns to balance a pole on a cart for 500 steps, from trying alone.");
  program.option("--updates", o.updates, "times that the carts play and the network learns from it");
  program.option("--carts", o.carts, "carts that play at the same time");
  program.option("--length", o.length, "steps of each cart between two updates");
  program.option("--lr", o.lr, "learning rate of Adam, which falls to a tenth");
  program.option("--seed", o.seed, "what weights, starts and pushes are drawn from");
  program.plot_option(o.plot);
  return program.run(argc, argv, [&] { run(o); });
}
