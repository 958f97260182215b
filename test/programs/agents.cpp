// Agents that learn from what they did: action values with a replay buffer, and an actor with a critic.
#include <algorithm>
#include <deque>
#include <random>

#include "test/programs/filling.h"
#include "test/programs/programs.h"

namespace programs {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;

/// A pole on a cart, as control problems are taught.
class CartPole {
 public:
  explicit CartPole(unsigned seed) : rng_(seed) { reset(); }
  torch::Tensor reset() {
    std::uniform_real_distribution<double> start(-0.05, 0.05);
    for (double& s : state_) s = start(rng_);
    steps_ = 0;
    return observation();
  }
  std::tuple<torch::Tensor, double, bool> step(int64_t action) {
    const double force = action == 1 ? 10.0 : -10.0, cosine = std::cos(state_[2]), sine = std::sin(state_[2]);
    const double temp = (force + 0.05 * state_[3] * state_[3] * sine) / 1.1;
    const double turn = (9.8 * sine - cosine * temp) / (0.5 * (4.0 / 3.0 - 0.1 * cosine * cosine / 1.1));
    const double push = temp - 0.05 * turn * cosine / 1.1;
    state_ = {state_[0] + 0.02 * state_[1], state_[1] + 0.02 * push, state_[2] + 0.02 * state_[3],
              state_[3] + 0.02 * turn};
    const bool done = std::abs(state_[0]) > 2.4 || std::abs(state_[2]) > 0.2 || ++steps_ >= 50;
    return {observation(), 1.0, done};
  }

 private:
  torch::Tensor observation() { return torch::from_blob(state_.data(), {4}, torch::kFloat64).clone(); }
  std::mt19937 rng_;
  std::array<double, 4> state_{};
  int steps_ = 0;
};

struct Transition {
  torch::Tensor state, next_state;
  int64_t action;
  double reward;
  bool done;
};

class ReplayBuffer {
 public:
  explicit ReplayBuffer(size_t capacity) : capacity_(capacity) {}
  void push(Transition t) {
    if (memory_.size() == capacity_) memory_.pop_front();
    memory_.push_back(std::move(t));
  }
  size_t size() const { return memory_.size(); }
  std::tuple<torch::Tensor, torch::Tensor, torch::Tensor, torch::Tensor, torch::Tensor> sample(
      size_t count, std::mt19937& rng) const {
    std::vector<torch::Tensor> states, next_states;
    std::vector<int64_t> actions;
    std::vector<double> rewards, dones;
    for (size_t i = 0; i < count; ++i) {
      const auto& t = memory_[rng() % memory_.size()];
      states.push_back(t.state);
      next_states.emplace_back(t.next_state);
      actions.push_back(t.action);
      rewards.push_back(t.reward);
      dones.push_back(t.done ? 1.0 : 0.0);
    }
    return std::make_tuple(torch::stack(states), torch::tensor(actions, torch::dtype(torch::kInt64)).unsqueeze(-1),
                           torch::tensor(rewards, torch::kFloat64), torch::stack(next_states),
                           torch::tensor(dones, torch::TensorOptions().dtype(torch::kFloat64)));
  }

 private:
  size_t capacity_;
  std::deque<Transition> memory_;
};

struct DQN : nn::Module {
  DQN(int64_t inputs, int64_t actions)
      : fc1(register_module("fc1", nn::Linear(inputs, 8))),
        fc2(register_module("fc2", nn::Linear(nn::LinearOptions(8, 8).bias(true)))),
        value(register_module("value", nn::Linear(8, 1))),
        advantage(register_module("advantage", nn::Linear(8, actions))) {}
  torch::Tensor forward(torch::Tensor x) {
    x = fc2(fc1->forward(x).relu()).relu();
    const auto a = advantage->forward(x);
    return value->forward(x) + a - a.mean(/*dim=*/-1, /*keepdim=*/true);
  }
  nn::Linear fc1, fc2, value, advantage;
};

void copy_weights(const nn::Module& from, nn::Module& to) {
  torch::NoGradGuard no_grad;
  const auto source = from.named_parameters(true);
  for (auto& item : to.named_parameters(/*recurse=*/true)) item.value().copy_(source[item.key()]);
}

const Program dqn("a deep Q network with a replay buffer", [](std::ostream& out) {
  const torch::Device device(torch::kCPU);
  auto policy = filled(std::make_shared<DQN>(4, 2)), target = std::make_shared<DQN>(4, 2);
  policy->to(device, torch::kFloat64);
  target->to(device);
  target->to(torch::kF64);
  copy_weights(*policy, *target);
  target->eval();
  torch::optim::AdamW optimizer(policy->parameters(),
                                torch::optim::AdamWOptions(1e-2).amsgrad(true).weight_decay(1e-3));
  CartPole environment(3);
  ReplayBuffer buffer(64);
  std::mt19937 rng(17);
  std::uniform_real_distribution<double> uniform(0, 1);
  double epsilon = 1.0;
  int64_t steps = 0;
  for (int episode = 0; episode < 6; ++episode) {
    auto state = environment.reset();
    double total = 0, last_loss = 0;
    for (bool done = false; !done; ++steps) {
      int64_t action = 0;
      if (uniform(rng) < epsilon) {
        action = static_cast<int64_t>(rng() % 2);
      } else {
        torch::NoGradGuard guard;
        action = std::get<1>(policy->forward(state.unsqueeze(0)).max(1)).item().toLong();
      }
      torch::Tensor next;
      double reward = 0;
      std::tie(next, reward, done) = environment.step(action);
      buffer.push({state, next, action, reward, done});
      state = next;
      total += reward;
      if (buffer.size() < 16) continue;
      auto [states, actions, rewards, nexts, dones] = buffer.sample(8, rng);
      const auto q = policy->forward(states).gather(1, actions).squeeze(-1);
      torch::Tensor wanted;
      {
        torch::NoGradGuard guard;
        const auto best = policy->forward(nexts).argmax(1, true);
        wanted = rewards + 0.99 * (1.0 - dones) * target->forward(nexts).gather(1, best).squeeze(1);
      }
      auto loss = F::smooth_l1_loss(q, wanted, F::SmoothL1LossFuncOptions().reduction(torch::kMean).beta(1.0));
      optimizer.zero_grad();
      loss.backward();
      nn::utils::clip_grad_value_(policy->parameters(), 1.0);
      optimizer.step();
      last_loss = loss.item<double>();
      if (steps % 10 == 0) copy_weights(*policy, *target);
    }
    epsilon = std::max(0.1, epsilon * 0.8);
    out << "episode " << episode << " reward " << total << " loss " << last_loss << " epsilon " << epsilon << '\n';
  }
  show(out, "q", policy->forward(torch::zeros({1, 4}, torch::kDouble)));
});

/// Noise that drifts back to its mean.
class OUNoise {
 public:
  OUNoise(int64_t size, double mu, double theta, double sigma, unsigned seed)
      : mu_(torch::full({size}, mu, torch::kFloat64)), theta_(theta), sigma_(sigma), rng_(seed) {
    reset();
  }
  void reset() { state_ = mu_.clone(); }
  torch::Tensor sample() {
    std::normal_distribution<double> normal;
    auto draws = torch::empty_like(mu_);
    auto a = draws.accessor<double, 1>();
    for (int64_t i = 0; i < a.size(0); ++i) a[i] = normal(rng_);
    state_ += theta_ * (mu_ - state_) + sigma_ * draws;
    return state_.clone();
  }

 private:
  torch::Tensor mu_, state_;
  double theta_, sigma_;
  std::mt19937 rng_;
};

struct ActorImpl : nn::Module {
  ActorImpl(int64_t states, int64_t actions, double most) : most(most) {
    fc1 = register_module("fc1", nn::Linear(states, 6));
    norm = register_module("norm", nn::LayerNorm(nn::LayerNormOptions({6}).eps(1e-6)));
    fc2 = register_module("fc2", nn::Linear(6, actions));
    scale = register_buffer("scale", torch::full({actions}, most));
    nn::init::constant_(fc2->bias, 0.0);
  }
  torch::Tensor forward(const torch::Tensor& s) { return torch::tanh(fc2(torch::elu(norm(fc1(s))))) * scale; }
  double most;
  nn::Linear fc1{nullptr}, fc2{nullptr};
  nn::LayerNorm norm{nullptr};
  torch::Tensor scale;
};
TORCH_MODULE(Actor);

struct CriticImpl : nn::Module {
  CriticImpl(int64_t states, int64_t actions) {
    of_state = register_module("of_state", nn::Linear(states, 6));
    joined = register_module("joined", nn::Sequential(nn::Linear(6 + actions, 6),
                                                      nn::ReLU(nn::ReLUOptions().inplace(true)), nn::Linear(6, 1)));
  }
  torch::Tensor forward(torch::Tensor s, torch::Tensor a) {
    return joined->forward(torch::cat({of_state(s).relu_(), a}, 1));
  }
  nn::Linear of_state{nullptr};
  nn::Sequential joined{nullptr};
};
TORCH_MODULE(Critic);

template <class M>
void soft_update(M& from, M& to, double tau) {
  torch::NoGradGuard guard;
  auto a = from->parameters(), b = to->parameters();
  for (size_t i = 0; i < a.size(); ++i) b.at(i).data().copy_(tau * a[i].data() + (1.0 - tau) * b[i].data());
}

const Program actor_critic("an actor and a critic with Ornstein-Uhlenbeck noise", [](std::ostream& out) {
  Actor actor(3, 2, 2.0), actor_target(3, 2, 2.0);
  Critic critic(3, 2), critic_target(3, 2);
  for (auto& module :
       std::vector<std::shared_ptr<nn::Module>>{actor.ptr(), critic.ptr(), actor_target.ptr(), critic_target.ptr()})
    filled(module)->to(torch::kDouble);
  torch::optim::Adam of_actor(actor->parameters(), /*lr=*/1e-2), of_critic(critic->parameters(), 2e-2);
  OUNoise noise(2, 0.0, 0.15, 0.2, 5);
  auto state = torch::tensor({1.0, 0.0, -0.5}, torch::dtype<double>());
  std::vector<std::array<torch::Tensor, 4>> memory;
  for (int t = 0; t < 12; ++t) {
    torch::Tensor action;
    {
      torch::NoGradGuard guard;
      actor->eval();
      action = (actor(state.view({1, -1})).squeeze(0) + noise.sample()).clamp(-2, 2);
      actor->train();
    }
    const auto next = 0.9 * state + 0.1 * torch::nn::functional::pad(action, F::PadFuncOptions({0, 1}));
    const auto reward = -(next.square().sum() + 0.01 * action.pow(2).sum());
    memory.push_back({state, action, reward.reshape({1}), next});
    state = next;
    if (memory.size() < 4) continue;
    std::array<torch::Tensor, 4> batch;
    for (size_t k = 0; k < 4; ++k) {
      std::vector<torch::Tensor> column;
      std::transform(memory.end() - 4, memory.end(), std::back_inserter(column), [k](const auto& m) { return m[k]; });
      batch[k] = torch::stack(column, 0);
    }
    auto& [s, a, r, s2] = batch;
    const auto y = r + 0.95 * critic_target(s2, actor_target(s2)).detach();
    auto critic_loss = torch::mse_loss(critic(s, a), y);
    of_critic.zero_grad();
    critic_loss.backward();
    torch::nn::utils::clip_grad_norm_(critic->parameters(), 1.0, 2.0, /*error_if_nonfinite=*/true);
    of_critic.step();
    auto actor_loss = -critic(s, actor(s)).mean();
    of_actor.zero_grad();
    actor_loss.backward();
    of_actor.step();
    soft_update(actor, actor_target, 0.1);
    soft_update(critic, critic_target, 0.1);
    if (t % 4 == 3) show(out, "losses", torch::stack({critic_loss, actor_loss}).detach());
  }
  show(out, "state", state);
  out << actor << '\n' << critic << '\n';
});

}  // namespace
}  // namespace programs
