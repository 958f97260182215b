// Programs that open the library's namespaces, write functions as extensions do, and share memory with others.
#include <torch/torch.h>

#include <cmath>
#include <deque>

#include "test/programs/programs.h"

#ifndef AWAITS_DLPACK
#include <ATen/DLConvertor.h>
#endif

namespace programs::mixed {
namespace {

#ifndef AWAITS_NAMESPACES
}  // namespace
}  // namespace programs::mixed

namespace torch {
inline Tensor twice_of_programs(const Tensor& x) { return x + x; }
namespace nn {
struct ScaleOfProgramsImpl : public Cloneable<ScaleOfProgramsImpl> {
  void reset() override { factor = register_parameter("factor", torch::full({1}, 3.f)); }
  ScaleOfProgramsImpl() { reset(); }
  Tensor forward(const Tensor& x) { return x * factor; }
  Tensor factor;
};
TORCH_MODULE(ScaleOfPrograms);
}  // namespace nn
}  // namespace torch
namespace at {
inline Tensor plus_one_of_programs(const Tensor& x) { return at::add(x, 1); }
}  // namespace at
namespace c10 {
inline int answer_of_programs() { return 42; }
}  // namespace c10

namespace programs::mixed {
namespace {

const Program reopened("namespaces opened again", [](std::ostream& out) {
  show(out, "torch", torch::twice_of_programs(torch::ones(2)));
  show(out, "at", at::plus_one_of_programs(torch::ones(2)));
  torch::nn::ScaleOfPrograms scale;
  show(out, "nn", scale(torch::ones(2)));
  out << c10::answer_of_programs() << '\n';
});
#endif

/// The tutorial's LLTM cell, as an extension has it.
torch::Tensor d_sigmoid(torch::Tensor z) {
  auto s = torch::sigmoid(z);
  return (1 - s) * s;
}
torch::Tensor d_tanh(torch::Tensor z) { return 1 - z.tanh().pow(2); }
torch::Tensor d_elu(torch::Tensor z, torch::Scalar alpha = 1.0) {
  auto e = z.exp();
  auto mask = (alpha * (e - 1)) < 0;
  return (z > 0).type_as(z) + mask.type_as(z) * (alpha * e);
}
std::vector<at::Tensor> lltm_forward(torch::Tensor input, torch::Tensor weights, torch::Tensor bias,
                                     torch::Tensor old_h, torch::Tensor old_cell) {
  auto X = torch::cat({old_h, input}, /*dim=*/1);
  auto gate_weights = torch::addmm(bias, X, weights.transpose(0, 1));
  auto gates = gate_weights.chunk(3, /*dim=*/1);
  auto input_gate = torch::sigmoid(gates[0]);
  auto output_gate = torch::sigmoid(gates[1]);
  auto candidate_cell = torch::elu(gates[2], /*alpha=*/1.0);
  auto new_cell = old_cell + candidate_cell * input_gate;
  auto new_h = torch::tanh(new_cell) * output_gate;
  return {new_h, new_cell, input_gate, output_gate, candidate_cell, X, gate_weights};
}
std::vector<torch::Tensor> lltm_backward(torch::Tensor grad_h, torch::Tensor grad_cell,
                                         const std::vector<torch::Tensor>& saved, torch::Tensor weights) {
  const auto new_cell = saved[1], input_gate = saved[2], output_gate = saved[3], candidate_cell = saved[4],
             X = saved[5];
  auto d_output_gate = torch::tanh(new_cell) * grad_h;
  auto d_tanh_new_cell = output_gate * grad_h;
  auto d_new_cell = d_tanh(new_cell) * d_tanh_new_cell + grad_cell;
  auto d_candidate_cell = input_gate * d_new_cell;
  auto d_input_gate = candidate_cell * d_new_cell;
  auto gates = saved[6].chunk(3, 1);
  d_input_gate *= d_sigmoid(gates[0]);
  d_output_gate *= d_sigmoid(gates[1]);
  d_candidate_cell *= d_elu(gates[2]);
  auto d_gates = torch::cat({d_input_gate, d_output_gate, d_candidate_cell}, 1);
  auto d_weights = d_gates.t().mm(X);
  auto d_bias = d_gates.sum(0, /*keepdim=*/true);
  auto d_X = d_gates.mm(weights);
  const auto state_size = grad_h.size(1);
  return {d_X.slice(1, 0, state_size), d_X.slice(1, state_size), d_weights, d_bias, d_new_cell};
}

const Program lltm("an extension's cell against autograd", [](std::ostream& out) {
  const auto leaf = [](at::IntArrayRef shape, double step) {
    int64_t n = 1;
    for (const auto s : shape) n *= s;
    return torch::sin(torch::arange(n, torch::kFloat64) * step).view(shape).requires_grad_();
  };
  const auto input = leaf({2, 3}, 0.3), weights = leaf({6, 5}, 0.7), bias = leaf({1, 6}, 1.1), h = leaf({2, 2}, 1.3),
             cell = leaf({2, 2}, 1.7);
  const auto outputs = lltm_forward(input, weights, bias, h, cell);
  (outputs[0].sum() + 2 * outputs[1].sum()).backward();
  torch::NoGradGuard guard;
  const auto grads =
      lltm_backward(torch::ones({2, 2}, torch::kFloat64), torch::full({2, 2}, 2., torch::kFloat64), outputs, weights);
  show(out, "h", outputs[0]);
  out << torch::allclose(grads[0], h.grad()) << torch::allclose(grads[1], input.grad())
      << torch::allclose(grads[2], weights.grad()) << torch::allclose(grads[3], bias.grad())
      << torch::allclose(grads[4], cell.grad()) << '\n';
});

#ifndef AWAITS_DISPATCH
/// A kernel over raw memory, as extensions for the CPU are written.
torch::Tensor relu_by_hand(const torch::Tensor& x) {
  TORCH_CHECK(x.device().is_cpu(), "x must be on the CPU");
  TORCH_CHECK(x.is_contiguous(), "x must be contiguous");
  auto result = torch::empty_like(x);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "relu_by_hand", ([&] {
                               const scalar_t* in = x.data_ptr<scalar_t>();
                               scalar_t* to = result.data_ptr<scalar_t>();
                               for (int64_t i = 0; i < x.numel(); ++i) to[i] = in[i] > 0 ? in[i] : scalar_t(0);
                             }));
  return result;
}

const Program kernel("a kernel by hand", [](std::ostream& out) {
  const auto x = torch::linspace(-1, 1, 5);
  show(out, "float", relu_by_hand(x));
  show(out, "double", relu_by_hand(x.to(at::kDouble)));
  fails<c10::Error>(out, "not contiguous", "x must be contiguous", [&] { relu_by_hand(torch::ones({2, 3}).t()); });
  out << x.const_data_ptr<float>()[0] << ' ' << x.mutable_data_ptr<float>()[4] << ' ' << x.data_ptr<float>()[2] << '\n';
});
#endif

#ifndef AWAITS_AT_NAMES
const Program at_functions("functions of at", [](std::ostream& out) {
  at::Tensor a = at::ones({2, 2}, at::kInt), b = at::arange(4, at::dtype(at::kFloat)).view({2, 2});
  show(out, "sum", a + b);
  show(out, "native", at::matmul(b, b));
  show(out, "empty_like", at::zeros_like(b));
  out << a.type().toString() << ' ' << (a.scalar_type() == at::ScalarType::Int) << at::hasCUDA() << '\n';
  const at::TensorOptions options = at::device(at::kCPU).dtype(at::kDouble);
  show(out, "options", at::full({2}, 1.5, options));
  const at::IntArrayRef shape = b.sizes();
  show(out, "reshape", at::reshape(b, {shape[0] * shape[1]}));
  at::NoGradGuard guard;
  const at::AutoGradMode mode(true);
  out << at::GradMode::is_enabled() << '\n';
});
#endif

#ifndef AWAITS_DLPACK
const Program dlpack("DLPack", [](std::ostream& out) {
  auto x = torch::arange(6.f).view({2, 3});
  DLManagedTensor* managed = at::toDLPack(x);
  out << managed->dl_tensor.ndim << managed->dl_tensor.shape[1] << int(managed->dl_tensor.dtype.bits) << '\n';
  auto y = at::fromDLPack(managed);
  y[0][0] = 50;
  show(out, "x", x);
});
#endif

/// A pole on a cart, and a policy that learns to hold it by the gradient of its score; actions are drawn by a hash.
struct CartPole {
  double x = 0, v = 0, angle = 0.05, w = 0;
  bool step(int action) {
    const double force = action ? 10 : -10, sine = std::sin(angle), cosine = std::cos(angle);
    const double push = (force + 0.05 * w * w * sine) / 1.1;
    const double turn = (9.8 * sine - cosine * push) / (0.5 * (4. / 3 - 0.1 * cosine * cosine / 1.1));
    const double move = push - 0.05 * turn * cosine / 1.1;
    x += 0.02 * v, v += 0.02 * move, angle += 0.02 * w, w += 0.02 * turn;
    return std::abs(x) < 2.4 && std::abs(angle) < 0.2095;
  }
  torch::Tensor state() const { return torch::tensor({x, v, angle, w}, torch::kFloat64); }
};

const Program cartpole("a policy for a pole on a cart", [](std::ostream& out) {
  torch::nn::Linear policy(4, 2);
  policy->to(torch::kFloat64);
  {
    torch::NoGradGuard guard;
    policy->weight.copy_(torch::linspace(-0.5, 0.5, 8, torch::kFloat64).view({2, 4}));
    policy->bias.zero_();
  }
  torch::optim::Adam optimizer(policy->parameters(), 0.05);
  uint64_t hash = 1;
  for (int episode = 0; episode < 4; ++episode) {
    CartPole pole;
    std::vector<torch::Tensor> scores;
    for (int t = 0; t < 60; ++t) {
      const auto probabilities = torch::softmax(policy(pole.state()), -1);
      hash = hash * 6364136223846793005u + 1442695040888963407u;
      const int action = probabilities[1].item<double>() > static_cast<double>(hash >> 40) / (1 << 24);
      scores.push_back(probabilities[action].log());
      if (!pole.step(action)) break;
    }
    std::deque<double> returns;
    double sum = 0;
    for (size_t i = scores.size(); i-- > 0;) returns.push_front(sum = 1 + 0.99 * sum);
    auto weights = torch::tensor(std::vector<double>(returns.begin(), returns.end()), torch::kFloat64);
    weights = (weights - weights.mean()) / (weights.std() + 1e-9);
    const auto loss = -(torch::stack(scores) * weights).sum();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    out << scores.size() << ' ' << loss.item<double>() << '\n';
  }
  show(out, "policy", policy->weight);
});

const Program network_by_hand("a network of tensors alone", [](std::ostream& out) {
  const auto option = torch::dtype(torch::kFloat64).requires_grad(true);
  auto w1 = torch::linspace(-1, 1, 12, option).view({3, 4}).detach().requires_grad_();
  auto b1 = torch::zeros({4}, option), w2 = torch::linspace(1, -1, 4, option).view({4, 1}).detach().requires_grad_();
  const auto x = torch::sin(torch::arange(18, torch::kFloat64)).view({6, 3}),
             y = (x.sum(1, true) > 0).to(torch::kFloat64);
  std::vector<torch::Tensor> parameters{w1, b1, w2};
  for (int i = 0; i < 5; ++i) {
    const auto logits = torch::relu(x.mm(w1) + b1).mm(w2);
    const auto loss = torch::binary_cross_entropy_with_logits(logits, y);
    const auto grads = torch::autograd::grad({loss}, parameters);
    torch::NoGradGuard guard;
    for (size_t p = 0; p < parameters.size(); ++p) parameters[p].sub_(0.5 * grads[p]);
    out << loss.item<double>() << ' ';
  }
  out << '\n';
  show(out, "b1", b1);
});

const Program averages("moving averages of weights", [](std::ostream& out) {
  torch::nn::Linear model(2, 2), shadow(2, 2);
  torch::NoGradGuard guard;
  for (auto& p : model->parameters()) p.fill_(1);
  for (auto& p : shadow->parameters()) p.zero_();
  for (int i = 0; i < 3; ++i) {
    auto to = shadow->parameters();
    const auto from = model->parameters();
    for (size_t j = 0; j < to.size(); ++j) to[j].mul_(0.9).add_(from[j], 0.1);
  }
  show(out, "shadow", shadow->weight);
});

const Program confusion("a confusion matrix and accuracy", [](std::ostream& out) {
  const auto logits = torch::sin(torch::arange(24) * 1.7).view({8, 3});
  const auto target = torch::arange(8).remainder(3);
  const auto guess = std::get<1>(logits.max(1));
  auto matrix = torch::zeros({3, 3}, torch::kInt64);
  for (int64_t i = 0; i < 8; ++i) matrix[target[i].item<int64_t>()][guess[i].item<int64_t>()] += 1;
  show(out, "matrix", matrix);
  const auto correct = guess.eq(target).sum();
  out << correct.template item<int64_t>() << ' ' << 100. * correct.item<int64_t>() / target.size(0) << '\n';
  show(out, "top", std::get<1>(logits.topk(2, 1)));
});

const Program kmeans("clusters by k-means", [](std::ostream& out) {
  const auto angles = torch::arange(12, torch::kFloat64);
  const auto points =
      torch::stack({torch::cos(angles), torch::sin(angles * 1.3)}, 1) + (angles.remainder(3) * 4).unsqueeze(1);
  auto centers = points.slice(0, 0, 3).clone();
  torch::Tensor nearest;
  for (int i = 0; i < 5; ++i) {
    nearest = (points.unsqueeze(1) - centers.unsqueeze(0)).pow(2).sum(2).argmin(1);
    for (int64_t c = 0; c < 3; ++c) centers[c] = points.index({nearest == c}).mean(0);
  }
  show(out, "centers", centers);
  show(out, "nearest", nearest);
});

const Program newton("a root by Newton's method and a line by least squares", [](std::ostream& out) {
  auto x = torch::tensor({2.}, torch::dtype(torch::kFloat64).requires_grad(true));
  for (int i = 0; i < 6; ++i) {
    const auto y = x.pow(3) - 2 * x - 5;
    const auto slope = torch::autograd::grad({y}, {x})[0];
    x = (x - y / slope).detach().requires_grad_();
  }
  show(out, "root", x);
  const auto t = torch::linspace(0, 1, 9, torch::kFloat64), a = torch::stack({t, torch::ones(9, torch::kFloat64)}, 1);
  const auto b = 3 * t + 1 + torch::sin(t * 40) / 10;
  show(out, "line", torch::linalg_solve(a.t().mm(a), a.t().mv(b)));
});

const Program image("images by convolution", [](std::ostream& out) {
  auto image = torch::zeros({1, 1, 6, 6});
  image.index_put_({0, 0, torch::indexing::Slice(2, 4), torch::indexing::Slice(1, 5)}, 1);
  const auto sobel = torch::tensor({{1.f, 0.f, -1.f}, {2.f, 0.f, -2.f}, {1.f, 0.f, -1.f}}).view({1, 1, 3, 3});
  const auto edges = torch::conv2d(image, sobel, {}, /*stride=*/at::IntArrayRef{1}, /*padding=*/at::IntArrayRef{1});
  show(out, "edges", edges.squeeze());
  show(out, "bytes", (edges.abs() * 60).clamp(0, 255).to(torch::kUInt8).squeeze().permute({1, 0}).contiguous());
});

}  // namespace
}  // namespace programs::mixed
