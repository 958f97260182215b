// Programs that save and load: tensors, modules, optimizers and archives.
#include <torch/torch.h>

#include <sstream>

#include "test/programs/filling.h"
#include "test/programs/programs.h"

namespace programs::saving {
namespace {

namespace nn = torch::nn;

const Program tensor("a tensor there and back", [](std::ostream& out) {
  std::stringstream stream;
  torch::save(torch::arange(6.f).view({2, 3}), stream);
  torch::Tensor x;
  torch::load(x, stream);
  show(out, "x", x);
  for (const auto dtype : {torch::kInt8, torch::kInt64, torch::kBool, torch::kHalf, torch::kFloat64}) {
    std::stringstream each;
    torch::save(torch::tensor({0, 1, 1}).to(dtype), each);
    torch::Tensor y;
    torch::load(y, each);
    show(out, y);
  }
});

const Program odd_tensors("scalars, empty tensors and views", [](std::ostream& out) {
  const auto base = torch::arange(12).view({3, 4});
  for (const auto& t : {torch::tensor(5), torch::zeros({0, 2}), base.t(), base[1].slice(0, 1, 3)}) {
    std::stringstream stream;
    torch::save(t, stream);
    torch::Tensor x;
    torch::load(x, stream);
    show(out, x);
  }
});

const Program vectors("a vector of tensors", [](std::ostream& out) {
  std::stringstream stream;
  const std::vector<torch::Tensor> list = {torch::ones(2), torch::arange(3)};
  torch::save(list, stream);
  std::vector<torch::Tensor> back;
  torch::load(back, stream);
  out << back.size() << '\n';
  for (const auto& t : back) show(out, t);
});

const Program modules("a module", [](std::ostream& out) {
  auto a = half_filled(nn::Linear(3, 2));
  nn::Linear b(3, 2);
  std::stringstream stream;
  torch::save(a, stream);
  torch::load(b, stream);
  show(out, "weight", b->weight);
  out << torch::equal(a->bias, b->bias) << b->weight.requires_grad() << '\n';
});

const Program nets("a network with buffers", [](std::ostream& out) {
  const auto make = [] {
    return nn::Sequential(nn::Linear(2, 3), nn::BatchNorm1d(3), nn::Functional(torch::relu), nn::Linear(3, 1));
  };
  auto a = half_filled(make());
  const auto x = torch::linspace(-1, 1, 8).view({4, 2});
  a->forward(x);
  a->eval();
  auto b = make();
  std::stringstream stream;
  torch::save(a, stream);
  torch::load(b, stream);
  b->eval();
  show(out, "a", a->forward(x));
  show(out, "b", b->forward(x));
  for (const auto& buffer : b->named_buffers()) show(out, buffer.key().c_str(), buffer.value());
});

const Program checkpoints("an optimizer's state", [](std::ostream& out) {
  const auto steps = [](nn::Linear& model, torch::optim::Optimizer& optimizer, int n) {
    for (int i = 0; i < n; ++i) {
      optimizer.zero_grad();
      model(torch::ones({1, 2}, torch::kFloat64) * (i + 1)).pow(2).sum().backward();
      optimizer.step();
    }
  };
  auto a = half_filled(nn::Linear(2, 1));
  a->to(torch::kFloat64);
  torch::optim::Adam first(a->parameters(), torch::optim::AdamOptions(0.1).amsgrad(true));
  steps(a, first, 3);
  std::stringstream weights, state;
  torch::save(a, weights);
  torch::save(first, state);
  nn::Linear b(2, 1);
  b->to(torch::kFloat64);
  torch::optim::Adam second(b->parameters(), torch::optim::AdamOptions(0.1));
  torch::load(b, weights);
  torch::load(second, state);
  steps(a, first, 2);
  steps(b, second, 2);
  show(out, "a", a->weight);
  show(out, "b", b->weight);
  out << static_cast<torch::optim::AdamOptions&>(second.param_groups()[0].options()).amsgrad() << '\n';
});

const Program sgd_state("the state of SGD, Adagrad and RMSprop", [](std::ostream& out) {
  const auto round = [&](const char* name, auto make) {
    auto w = torch::ones({2}, torch::requires_grad());
    auto optimizer = make(w);
    (w * w).sum().backward();
    optimizer.step();
    std::stringstream stream;
    torch::save(optimizer, stream);
    auto v = w.detach().clone().requires_grad_();
    auto other = make(v);
    torch::load(other, stream);
    for (auto* x : {&w, &v}) {
      x->mutable_grad() = torch::tensor({1.f, -2.f});
      (x == &w ? optimizer : other).step();
      show(out, name, *x);
    }
  };
  round("SGD", [](torch::Tensor w) { return torch::optim::SGD({w}, torch::optim::SGDOptions(0.1).momentum(0.9)); });
  round("Adagrad", [](torch::Tensor w) { return torch::optim::Adagrad({w}, torch::optim::AdagradOptions(0.1)); });
  round("RMSprop",
        [](torch::Tensor w) { return torch::optim::RMSprop({w}, torch::optim::RMSpropOptions(0.1).momentum(0.5)); });
});

const Program archives("archives", [](std::ostream& out) {
  torch::serialize::OutputArchive archive;
  archive.write("x", torch::ones(2));
  archive.write("steps", torch::tensor(7), /*is_buffer=*/true);
  torch::serialize::OutputArchive inner;
  inner.write("y", torch::zeros(1));
  archive.write("inner", inner);
  std::stringstream stream;
  archive.save_to(stream);
  torch::serialize::InputArchive input;
  input.load_from(stream);
  torch::Tensor x, y;
  input.read("x", x);
  show(out, "x", x);
  torch::serialize::InputArchive nested;
  input.read("inner", nested);
  nested.read("y", y);
  show(out, "y", y);
  out << input.try_read("steps", x, true) << input.try_read("none", x) << '\n';
  fails<c10::Error>(out, "no such", "", [&] { input.read("none", x); });
});

struct Net : nn::Module {
  Net() : a(register_module("a", nn::Linear(2, 2))), scale(register_buffer("scale", torch::ones(1))) {}
  nn::Linear a;
  torch::Tensor scale;
};

const Program members("a module's own save and load", [](std::ostream& out) {
  auto first = std::make_shared<Net>(), second = std::make_shared<Net>();
  half_filled(first);
  first->scale.fill_(3);
  torch::serialize::OutputArchive archive;
  first->save(archive);
  std::stringstream stream;
  archive.save_to(stream);
  torch::serialize::InputArchive input;
  input.load_from(stream);
  second->load(input);
  show(out, "weight", second->a->weight);
  show(out, "scale", second->scale);
  std::stringstream again;
  torch::save(first, again);
  auto third = std::make_shared<Net>();
  torch::load(third, again);
  show(out, "third", third->scale);
});

const Program by_name("copying parameters by name", [](std::ostream& out) {
  auto a = half_filled(std::make_shared<Net>()), b = std::make_shared<Net>();
  torch::NoGradGuard guard;
  auto target = b->named_parameters(true);
  for (const auto& p : a->named_parameters()) target[p.key()].copy_(p.value());
  for (const auto& p : b->named_parameters()) show(out, p.key().c_str(), p.value());
});

#ifndef AWAITS_PICKLE
const Program pickled("pickle_save and pickle_load", [](std::ostream& out) {
  const auto bytes = torch::pickle_save(torch::arange(3));
  const c10::IValue value = torch::pickle_load(bytes);
  out << value.isTensor() << '\n';
  show(out, "x", value.toTensor());
});

const Program weights("weights of a pickled state_dict", [](std::ostream& out) {
  c10::Dict<std::string, torch::Tensor> saved;
  saved.insert("weight", torch::full({2, 3}, 0.5));
  saved.insert("bias", torch::arange(2.0));
  const std::vector<char> bytes = torch::pickle_save(saved);

  torch::nn::Linear model(3, 2);
  torch::NoGradGuard no_grad;
  auto parameters = model->named_parameters();
  const auto loaded = torch::pickle_load(bytes).toGenericDict();
  out << loaded.size() << '\n';
  for (auto const& entry : loaded) {
    const std::string name = entry.key().toStringRef();
    if (torch::Tensor* const parameter = parameters.find(name)) parameter->copy_(entry.value().toTensor());
  }
  const c10::Dict<c10::IValue, c10::IValue> again = torch::pickle_load(bytes).toGenericDict();
  show(out, "weight", model->weight);
  show(out, "bias", again.at("bias").toTensor());
});
#endif

}  // namespace
}  // namespace programs::saving
