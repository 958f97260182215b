// Programs in the manner of examples that come with libtorch's extensions: numbers, modules in maps, streams, kernels.
#include <sstream>

#include "test/programs/filling.h"
#include "test/programs/programs.h"

namespace programs::further {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;

struct GateImpl : nn::Cloneable<GateImpl> {
  explicit GateImpl(int64_t width) : width(width) { reset(); }
  void reset() override {
    weight = register_parameter("weight", torch::ones({width}));
    count = register_buffer("count", torch::zeros({1}, torch::kLong));
  }
  void pretty_print(std::ostream& out) const override { out << "Gate(width=" << width << ")"; }
  torch::Tensor forward(const torch::Tensor& x, double power = 1, bool count_it = true) {
    if (count_it) count += 1;
    return x * weight.pow(power);
  }
  int64_t width;
  torch::Tensor weight, count;

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, nn::AnyValue(1.0)}, {2, nn::AnyValue(true)})
};
TORCH_MODULE(Gate);

struct SplitImpl : nn::Module {
  std::vector<torch::Tensor> forward(torch::Tensor x) { return x.chunk(2, -1); }
};
TORCH_MODULE(Split);
struct JoinImpl : nn::Module {
  torch::Tensor forward(std::vector<torch::Tensor> parts) { return parts[0] * parts[1].sigmoid(); }
};
TORCH_MODULE(Join);

const Program anything("modules that take and give anything", [](std::ostream& out) {
  nn::Sequential net(Split(), Join(), nn::Functional([](torch::Tensor x) { return x * 2; }));
  show(out, "net", net->forward(waves({2, 4})));
  nn::AnyModule gate(Gate(2));
  gate.get<Gate>()->weight.data().fill_(3);
  show(out, "one", gate.forward(torch::ones(2)));
  show(out, "two", gate.forward(torch::ones(2), 2.0));
  show(out, "three", gate.forward(torch::ones(2), 2.0, false));
  show(out, "count", gate.get<GateImpl>().count);
  nn::AnyModule parts{Split()};
  out << parts.forward<std::vector<torch::Tensor>>(waves({1, 2})).size() << *gate.ptr() << '\n';
  parts = std::make_shared<JoinImpl>();
  out << (parts.type_info() == typeid(JoinImpl)) << '\n';
  nn::Sequential defaults(Gate(2), nn::ReLU());
  show(out, "defaults", defaults->forward(torch::ones(2)));
  fails<c10::Error>(out, "too few", "", [&] { nn::AnyModule(nn::Bilinear(1, 1, 1)).forward(torch::ones({1, 1})); });
});

const Program copies("copies of modules", [](std::ostream& out) {
  Gate gate(2);
  const auto copy = std::dynamic_pointer_cast<GateImpl>(gate->clone());
  gate->weight.data().fill_(4);
  show(out, "copy", copy->weight);
  out << *copy << gate << '\n';
  gate->to(torch::kFloat64);
  out << gate->weight.dtype() << gate->count.dtype() << '\n';
  for (const auto& b : gate->named_buffers()) out << b.key() << b.value().sizes() << '\n';
});

const Program printed("dtypes, options and lists on a stream", [](std::ostream& out) {
  std::ostringstream text;
  const auto x = torch::ones({2}, torch::kHalf);
  text << x.dtype() << ' ' << x.scalar_type() << ' ' << x.options() << '\n';
  text << torch::TensorOptions().dtype(torch::kBFloat16).device(torch::kCPU) << '\n';
  text << std::vector<double>{0.5, 1.5} << ' ' << at::ArrayRef<double>({0.25, 2.}) << ' ' << x.type() << '\n';
  text << torch::kInt8 << torch::kBool << torch::kComplexDouble << ' ' << torch::Device("cuda:2") << torch::kCPU
       << '\n';
  text << c10::IValue(3) << ' ' << c10::IValue(2.5) << ' ' << c10::IValue(true) << ' ' << c10::IValue() << ' '
       << c10::IValue("word") << ' ' << c10::IValue(std::vector<int64_t>{1, 2}) << '\n';
  out << text.str();
});

const Program own_numbers("numbers of libtorch's generator", [](std::ostream& out) {
  auto generator = torch::make_generator<at::CPUGeneratorImpl>(42);
  show(out, "rand", torch::rand({3}, generator));
  show(out, "randn", torch::randn({5}, generator));
  show(out, "double", torch::randn({20}, generator, torch::kFloat64));
  show(out, "perm", torch::randperm(6, generator));
  show(out, "int", torch::randint(10, {5}, generator));
  show(out, "bernoulli", torch::empty({6}).bernoulli_(0.5, generator));
  show(out, "normal", torch::normal(1.0, 2.0, {4}, generator));
  show(out, "across", torch::empty({2, 2}).t().uniform_(0, 1, generator));
});

const Program at_once("lists of tensors in an optimizer's step", [](std::ostream& out) {
  std::vector<torch::Tensor> w = {waves({2}), waves({3}, 0.4)}, g = {waves({2}, 1.3), waves({3}, 0.8)};
  std::vector<torch::Tensor> m = {torch::zeros(2), torch::zeros(3)}, v = {torch::zeros(2), torch::zeros(3)};
  for (int i = 0; i < 2; ++i) {
    torch::_foreach_lerp_(m, g, 0.1);
    torch::_foreach_mul_(v, 0.99);
    torch::_foreach_addcmul_(v, g, g, 0.01);
    auto spread = torch::_foreach_sqrt(v);
    torch::_foreach_add_(spread, 1e-8);
    torch::_foreach_addcdiv_(w, m, spread, -0.01);
  }
  for (const auto& t : w) show(out, t);
  for (const auto& t : torch::_foreach_norm(g, 1)) show(out, "norm", t);
  for (const auto& t : torch::_foreach_clamp_max(w, 0.5)) show(out, "clamped", t);
  fails<c10::Error>(out, "lengths", "same number of tensors",
                    [&] { torch::_foreach_add(w, std::vector<torch::Tensor>{g[0]}); });
});

const Program complexes("complex numbers of c10", [](std::ostream& out) {
  const c10::complex<float> a(1, 2), b(3, -1);
  out << (a * b).real() << (a * b).imag() << ' ' << std::abs(a) << ' ' << std::real(b) << std::imag(b) << ' '
      << std::conj(a).imag() << ' ' << std::exp(c10::complex<double>(0, 0)).real() << ' ' << a << '\n';
  const auto z = torch::tensor({c10::complex<float>(1, 2), c10::complex<float>(0, 1)}, torch::kComplexFloat);
  out << z.dtype() << z[0].item<c10::complex<float>>().imag() << '\n';
  show(out, "z", z * torch::conj(z));
});

const Program contexts("errors that gather context", [](std::ostream& out) {
  try {
    try {
      TORCH_CHECK(1 > 2, "the first ", 1);
    } catch (c10::Error& e) {
      e.add_context("while reading");
      e.add_context("in a test");
      throw;
    }
  } catch (const c10::Error& e) {
    out << e.msg() << '|' << e.what_without_backtrace() << '|' << e.context().size() << '\n';
  }
});

const Program distillation("a small network learns from a large one", [](std::ostream& out) {
  nn::Sequential teacher(nn::Linear(3, 8), nn::GELU(), nn::Linear(8, 4)), student(nn::Linear(3, 4));
  filled(teacher, 0.8);
  filled(student);
  torch::optim::AdamW optimizer(student->parameters(), torch::optim::AdamWOptions(0.05).weight_decay(0.01));
  for (int i = 0; i < 3; ++i) {
    const auto x = waves({5, 3}, 0.2 * (i + 1));
    torch::Tensor wanted;
    {
      torch::NoGradGuard guard;
      wanted = F::softmax(teacher->forward(x) / 2.0, F::SoftmaxFuncOptions(-1));
    }
    const auto found = F::log_softmax(student->forward(x) / 2.0, F::LogSoftmaxFuncOptions(-1));
    const auto loss = F::kl_div(found, wanted, F::KLDivFuncOptions().reduction(torch::kBatchMean)) * 4;
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    show(out, "loss", (loss * 10000).round());  // its terms cancel, so float32 has few more digits
  }
  show(out, "bias", student[0]->as<nn::LinearImpl>()->bias);
});

const Program boxes("boxes that overlap", [](std::ostream& out) {
  const auto boxes = torch::tensor({{0.f, 0.f, 2.f, 2.f}, {1.f, 1.f, 3.f, 3.f}, {0.f, 0.f, 2.f, 1.9f}});
  const auto scores = torch::tensor({0.9f, 0.5f, 0.8f});
  const auto area = (boxes.select(1, 2) - boxes.select(1, 0)) * (boxes.select(1, 3) - boxes.select(1, 1));
  const auto corner = torch::max(boxes.unsqueeze(1).slice(2, 0, 2), boxes.unsqueeze(0).slice(2, 0, 2));
  const auto far = torch::min(boxes.unsqueeze(1).slice(2, 2, 4), boxes.unsqueeze(0).slice(2, 2, 4));
  const auto inside = (far - corner).clamp_min(0).prod(2);
  const auto overlap = inside / (area.unsqueeze(1) + area.unsqueeze(0) - inside);
  show(out, "overlap", overlap);
  std::vector<int64_t> kept;
  const auto order = std::get<1>(scores.sort(0, /*descending=*/true));
  for (int64_t i = 0; i < order.size(0); ++i) {
    const auto at = order[i].item<int64_t>();
    bool free = true;
    for (const auto k : kept) free = free && overlap[at][k].item<float>() < 0.5f;
    if (free) kept.push_back(at);
  }
  out << at::IntArrayRef(kept) << '\n';
});

}  // namespace
}  // namespace programs::further
