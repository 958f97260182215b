// Programs whose modules are their own classes.
#include <torch/torch.h>

#include <sstream>

#include "test/programs/programs.h"

namespace programs::own_modules {
namespace {

void fill(torch::nn::Module& module) {
  torch::NoGradGuard guard;
  for (auto& p : module.parameters()) p.copy_(torch::sin(torch::arange(p.numel(), p.options())).view_as(p) / 2);
}

struct Net : torch::nn::Module {
  Net(int64_t n, int64_t m) : linear(register_module("linear", torch::nn::Linear(n, m))) {
    another_bias = register_parameter("b", torch::zeros(m));
  }
  torch::Tensor forward(torch::Tensor input) { return linear(input) + another_bias; }
  torch::nn::Linear linear;
  torch::Tensor another_bias;
};

const Program parameters("parameters of a module", [](std::ostream& out) {
  Net net(4, 5);
  for (const auto& p : net.parameters()) out << p.sizes() << ' ' << p.requires_grad() << '\n';
  for (const auto& pair : net.named_parameters()) out << pair.key() << ": " << pair.value().sizes() << '\n';
  for (const auto& pair : net.named_parameters(/*recurse=*/false)) out << pair.key() << '\n';
  fill(net);
  show(out, "forward", net.forward(torch::ones({2, 4})));
  auto named = net.named_parameters();
  out << named.size() << ' ' << named.contains("linear.weight") << named["b"].numel() << (named.find("no") == nullptr)
      << '\n';
});

struct LinearImpl : torch::nn::Module {
  explicit LinearImpl(int64_t in = 2) : weight(register_parameter("weight", torch::ones({in, in}))) {}
  torch::Tensor forward(const torch::Tensor& x) { return x.matmul(weight); }
  torch::Tensor weight;
};
TORCH_MODULE(Linear);

const Program holders("module holders", [](std::ostream& out) {
  Linear a(3), b, c = nullptr;
  out << a->weight.sizes() << b->weight.sizes() << a.is_empty() << c.is_empty() << bool(c) << '\n';
  Linear same = a;
  same->weight.data().fill_(2);
  show(out, "shared", a(torch::ones(3)));
  out << (same.ptr() == a.ptr()) << (a.get() == same.get()) << (*a).parameters().size() << '\n';
  std::shared_ptr<LinearImpl> pointer = b.ptr();
  show(out, "pointer", pointer->forward(torch::ones(2)));
  fails<c10::Error>(out, "empty", "empty ModuleHolder", [&] { c->forward(torch::ones(2)); });
});

struct Deep : torch::nn::Module {
  Deep() {
    first = register_module("first", torch::nn::Linear(2, 3));
    inner = register_module("inner", std::make_shared<Net>(3, 3));
    norm = register_module("norm", torch::nn::BatchNorm1d(3));
    steps = register_buffer("steps", torch::zeros({}, torch::kInt64));
  }
  torch::Tensor forward(torch::Tensor x) {
    steps += 1;
    return norm(inner->forward(torch::relu(first(x))));
  }
  torch::nn::Linear first{nullptr};
  std::shared_ptr<Net> inner;
  torch::nn::BatchNorm1d norm{nullptr};
  torch::Tensor steps;
};

const Program tree("the tree of modules", [](std::ostream& out) {
  auto deep = std::make_shared<Deep>();
  for (const auto& p : deep->named_parameters()) out << p.key() << ' ';
  out << '\n';
  for (const auto& p : deep->named_buffers()) out << p.key() << ' ';
  out << '\n';
  for (const auto& p : deep->named_modules()) out << '[' << p.key() << "] ";
  out << '\n';
  for (const auto& p : deep->named_children()) out << p.key() << ' ';
  out << '\n'
      << deep->modules().size() << deep->modules(/*include_self=*/false).size() << deep->children().size() << '\n';
  for (const auto& p : deep->named_modules("root", false)) out << p.key() << ' ';
  out << '\n';
});

const Program modes("train, eval, zero_grad", [](std::ostream& out) {
  auto deep = std::make_shared<Deep>();
  fill(*deep);
  const auto x = torch::linspace(-1, 1, 8).view({4, 2});
  out << deep->is_training() << deep->norm->is_training() << '\n';
  deep->forward(x).pow(2).sum().backward();
  out << deep->first->weight.grad().defined() << ' ' << deep->steps.item<int64_t>() << '\n';
  show(out, "mean", deep->norm->running_mean);
  deep->eval();
  out << deep->is_training() << deep->norm->is_training() << '\n';
  show(out, "eval", deep->forward(x));
  deep->zero_grad();
  out << deep->first->weight.grad().defined() << '\n';
  deep->train();
  out << deep->inner->linear->is_training() << '\n';
});

const Program applied("apply", [](std::ostream& out) {
  auto deep = std::make_shared<Deep>();
  deep->apply([](torch::nn::Module& module) {
    if (auto* linear = module.as<torch::nn::Linear>()) {
      torch::NoGradGuard guard;
      linear->weight.fill_(0.5);
      linear->bias.zero_();
    }
  });
  show(out, "weight", deep->inner->linear->weight);
  std::vector<std::string> names;
  deep->apply([&](const std::string& name, torch::nn::Module&) { names.push_back(name); });
  for (const auto& name : names) out << '[' << name << "] ";
  int count = 0;
  deep->apply([&](const std::shared_ptr<torch::nn::Module>&) { ++count; });
  out << count << '\n';
  out << (deep->first->as<torch::nn::LinearImpl>() != nullptr) << (deep->first->as<torch::nn::Conv2dImpl>() == nullptr)
      << '\n';
});

const Program dtype("to another dtype", [](std::ostream& out) {
  Net net(2, 2);
  net.to(torch::kFloat64);
  for (const auto& p : net.parameters()) out << p.dtype() << ' ';
  net.to(torch::kCPU, torch::kFloat32);
  net.to(torch::Device(torch::kCPU));
  out << net.another_bias.dtype() << ' ' << net.linear->weight.requires_grad() << '\n';
});

const Program registering("registering twice and wrongly", [](std::ostream& out) {
  struct Bare : torch::nn::Module {};
  Bare bare;
  bare.register_parameter("a", torch::ones(2));
  fails<c10::Error>(out, "twice", "already", [&] { bare.register_parameter("a", torch::ones(2)); });
  fails<c10::Error>(out, "a dot", "must not contain a dot", [&] { bare.register_buffer("a.b", torch::ones(2)); });
  fails<c10::Error>(out, "empty", "must not be empty", [&] { bare.register_parameter("", torch::ones(2)); });
  bare.register_module("m", torch::nn::Linear(1, 1));
  fails<c10::Error>(out, "module twice", "already", [&] { bare.register_module("m", torch::nn::Linear(1, 1)); });
  const auto undefined = bare.register_parameter("none", torch::Tensor(), /*requires_grad=*/false);
  out << undefined.defined() << ' ' << bare.parameters().size() << '\n';
  const auto frozen = bare.register_parameter("frozen", torch::ones(1), false);
  out << frozen.requires_grad() << '\n';
  bare.unregister_module("m");
  out << bare.children().size() << '\n';
});

const Program replaced("replaced modules", [](std::ostream& out) {
  struct Bare : torch::nn::Module {};
  Bare bare;
  bare.register_module("m", torch::nn::Linear(1, 1));
  bare.replace_module("m", torch::nn::Linear(2, 3));
  for (const auto& p : bare.named_parameters()) out << p.key() << p.value().sizes() << '\n';
  fails<c10::Error>(out, "no such", "", [&] { bare.replace_module("n", torch::nn::Linear(1, 1)); });
});

struct CloneMeImpl : torch::nn::Cloneable<CloneMeImpl> {
  explicit CloneMeImpl(int64_t n) : n(n) { reset(); }
  void reset() override {
    linear = register_module("linear", torch::nn::Linear(n, n));
    buffer = register_buffer("buffer", torch::ones({n}));
  }
  torch::Tensor forward(torch::Tensor x) { return linear(x) + buffer; }
  int64_t n;
  torch::nn::Linear linear{nullptr};
  torch::Tensor buffer;
};
TORCH_MODULE(CloneMe);

const Program cloned("clones", [](std::ostream& out) {
  CloneMe a(2);
  fill(*a);
  const auto b = std::dynamic_pointer_cast<CloneMeImpl>(a->clone());
  {
    torch::NoGradGuard guard;
    a->linear->weight.zero_();
    a->buffer.add_(1);
  }
  show(out, "a", a->forward(torch::ones(2)));
  show(out, "b", b->forward(torch::ones(2)));
  const auto linear = std::dynamic_pointer_cast<torch::nn::LinearImpl>(torch::nn::Linear(2, 4)->clone());
  out << linear->weight.sizes() << '\n';
  Net net(1, 1);
  fails<c10::Error>(out, "not cloneable", "clone() has not been implemented", [&] { net.clone(); });
});

const Program names("names and printing", [](std::ostream& out) {
  Net net(4, 5);
  out << torch::nn::Linear(1, 1)->name() << ' ' << (net.name().find("Net") != std::string::npos) << '\n';
  struct Printed : torch::nn::Module {
    Printed() : torch::nn::Module("Printed") {
      register_module("a", torch::nn::Linear(2, 3)), register_module("b", torch::nn::ReLU());
    }
    void pretty_print(std::ostream& stream) const override { stream << "Printed(of mine)"; }
  };
  out << Printed() << '\n';
  struct Plain : torch::nn::Module {
    Plain() : torch::nn::Module("Plain") {
      register_module("a", torch::nn::Linear(torch::nn::LinearOptions(2, 3).bias(false)));
      register_module("inner", std::make_shared<Printed>());
    }
  };
  out << Plain() << '\n';
});

const Program dictionary("an ordered dictionary", [](std::ostream& out) {
  torch::OrderedDict<std::string, int> dict;
  dict.insert("b", 2);
  dict.insert("a", 1);
  dict.update(torch::OrderedDict<std::string, int>({{"c", 3}}));
  for (const auto& item : dict) out << item.key() << '=' << item.value() << ' ';
  out << dict.size() << dict.contains("a") << dict.is_empty() << *dict.find("c") << dict.front().key()
      << dict[1].value() << '\n';
  for (const auto& key : dict.keys()) out << key;
  for (const int value : dict.values()) out << value;
  out << '\n';
  dict.erase("b");
  out << dict.back().key() << dict.pairs().size() << '\n';
  fails<c10::Error>(out, "no key", "is not defined", [&] { dict["z"]; });
  fails<c10::Error>(out, "twice", "already defined", [&] { dict.insert("a", 5); });
});

}  // namespace
}  // namespace programs::own_modules
