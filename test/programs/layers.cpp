// Programs of the library's modules: containers, layers and what they print.
#include <torch/torch.h>

#include <sstream>

#include "test/programs/filling.h"
#include "test/programs/programs.h"

namespace programs::layers {
namespace {

namespace nn = torch::nn;

const Program sequential("Sequential", [](std::ostream& out) {
  auto net = half_filled(nn::Sequential(nn::Linear(3, 4), nn::ReLU(), nn::Linear(nn::LinearOptions(4, 2).bias(false))));
  show(out, "forward", net->forward(waves({2, 3})));
  out << net << '\n' << net->size() << ' ' << net->is_empty() << '\n';
  for (const auto& p : net->named_parameters()) out << p.key() << p.value().sizes() << '\n';
  out << net->at<nn::LinearImpl>(2).weight.sizes() << net[0]->name() << ' ' << net->ptr<nn::LinearImpl>(0)->bias.sizes()
      << '\n';
  net->push_back(nn::Tanh());
  net->push_back(nn::Functional(torch::relu));
  for (const auto& module : *net) out << module.ptr()->name() << '\n';
  fails<c10::Error>(out, "past the end", "out of range", [&] { net->ptr(17); });
});

const Program named("Sequential with names", [](std::ostream& out) {
  nn::Sequential net({{"first", nn::Linear(2, 3)}, {"act", nn::Sigmoid()}});
  net->push_back("last", nn::Linear(3, 1));
  half_filled(net);
  for (const auto& p : net->named_parameters()) out << p.key() << '\n';
  for (const auto& p : net->named_children()) out << p.key() << '\n';
  show(out, "forward", net->forward(waves({2, 2})));
  out << net << '\n';
  nn::Sequential more;
  more->extend(*net);
  out << more->size() << '\n';
  auto copy = std::dynamic_pointer_cast<nn::SequentialImpl>(net->clone());
  show(out, "copy", copy->forward(waves({2, 2})));
});

struct Adder : nn::Module {
  torch::Tensor forward(torch::Tensor a, torch::Tensor b) { return a + b; }
};
struct Counter : nn::Module {
  int forward(int x) { return x + 1; }
};

#ifndef AWAITS_ANY_MODULE
const Program several("Sequential with several inputs and other types", [](std::ostream& out) {
  nn::Sequential sum{Adder(), nn::ReLU()};
  show(out, "sum", sum->forward(torch::tensor({1., -5.}), torch::tensor({2., 3.})));
  nn::Sequential counters(Counter(), Counter(), std::make_shared<Counter>());
  out << counters->forward<int>(5) << '\n';
});
#endif

const Program lists("ModuleList", [](std::ostream& out) {
  nn::ModuleList list(nn::Linear(2, 3), nn::ReLU());
  list->push_back(nn::Linear(3, 1));
  list->insert(1, nn::Dropout(0.1));
  half_filled(list);
  auto x = waves({1, 2});
  list->eval();
  for (const auto& module : *list) {
    if (auto* linear = module->as<nn::Linear>()) x = linear->forward(x);
    if (module->as<nn::ReLU>()) x = torch::relu(x);
  }
  show(out, "x", x);
  out << list << '\n'
      << list->size() << list->is_empty() << ' ' << list[0]->name() << ' ' << list->at<nn::LinearImpl>(3).weight.sizes()
      << '\n';
  for (const auto& p : list->named_parameters()) out << p.key() << ' ';
  out << '\n';
});

const Program dicts("ModuleDict", [](std::ostream& out) {
  torch::OrderedDict<std::string, std::shared_ptr<nn::Module>> entries;
  entries.insert("linear", nn::Linear(2, 2).ptr());
  entries.insert("act", nn::Tanh().ptr());
  nn::ModuleDict dict(entries);
  out << dict->size() << dict->contains("act") << dict->contains("none") << '\n';
  for (const auto& key : dict->keys()) out << key << ' ';
  out << '\n' << dict << '\n';
  torch::OrderedDict<std::string, std::shared_ptr<nn::Module>> others;
  others.insert("more", nn::Linear(3, 4).ptr());
  dict->update(others);
  out << dict["more"]->as<nn::Linear>()->weight.sizes() << dict->at<nn::LinearImpl>("linear").bias.sizes() << '\n';
  const auto popped = dict->pop("act");
  out << popped->name() << dict->size() << '\n';
  for (const auto& p : dict->named_parameters()) out << p.key() << ' ';
  out << '\n';
  dict->clear();
  out << dict->empty() << '\n';
});

const Program parameter_lists("ParameterList and ParameterDict", [](std::ostream& out) {
  nn::ParameterList list(torch::ones(2), torch::zeros({2, 3}));
  list->append(torch::full({1}, 5));
  out << list << '\n' << list->size() << list->at(2).item<float>() << list[0].requires_grad() << '\n';
  for (const auto& p : list->named_parameters()) out << p.key() << p.value().sizes() << ' ';
  out << '\n';
  nn::ParameterDict dict;
  dict->insert("a", torch::ones({2}));
  dict->insert("b", torch::zeros({3}));
  out << dict << '\n' << dict->contains("a") << dict->size() << dict["b"].sizes() << '\n';
  for (const auto& key : dict->keys()) out << key << ' ';
  out << dict->pop("a").sizes() << dict->size() << '\n';
});

#ifndef AWAITS_ANY_MODULE
const Program any("AnyModule", [](std::ostream& out) {
  nn::AnyModule any(half_filled(nn::Linear(3, 1)));
  show(out, "forward", any.forward(waves({2, 3})));
  out << any.get<nn::Linear>()->weight.sizes() << any.is_empty() << nn::AnyModule().is_empty() << ' '
      << any.ptr()->name() << '\n';
  nn::AnyModule counter{Counter()};
  out << counter.forward<int>(3) << '\n';
  out << (counter.type_info() == typeid(Counter)) << '\n';
  fails<c10::Error>(out, "wrong type", "", [&] { counter.forward<torch::Tensor>(3); });
  fails<c10::Error>(out, "wrong argument", "", [&] { counter.forward<int>(std::string("x")); });
  fails<c10::Error>(out, "empty", "", [] { nn::AnyModule().forward(torch::ones(1)); });
  const auto copy = any.clone();
  out << (copy.ptr() == any.ptr()) << '\n';
});
#endif

const Program linear_layers("linear layers", [](std::ostream& out) {
  auto linear = half_filled(nn::Linear(3, 2));
  show(out, "Linear", linear(waves({2, 3})));
  show(out, "of three dims", linear(waves({2, 2, 3})));
  show(out, "Identity", nn::Identity()(waves({2})));
  auto bilinear = half_filled(nn::Bilinear(nn::BilinearOptions(2, 3, 2)));
  show(out, "Bilinear", bilinear(waves({2, 2}), waves({2, 3})));
  show(out, "Flatten", nn::Flatten()(waves({2, 2, 2})));
  show(out, "Flatten of some", nn::Flatten(nn::FlattenOptions().start_dim(0).end_dim(1))(waves({2, 2, 2})));
  show(out, "Unflatten", nn::Unflatten(nn::UnflattenOptions(1, {2, 2}))(waves({2, 4})));
  out << linear << '\n'
      << bilinear << '\n'
      << nn::Flatten() << '\n'
      << nn::Identity() << '\n'
      << nn::Unflatten(nn::UnflattenOptions(1, {2, 2})) << '\n';
});

const Program convolutions("convolutions", [](std::ostream& out) {
  auto conv1 = half_filled(nn::Conv1d(nn::Conv1dOptions(2, 3, 3).stride(2).padding(1)));
  show(out, "Conv1d", conv1(waves({1, 2, 6})));
  auto conv2 = half_filled(nn::Conv2d(nn::Conv2dOptions(2, 4, {3, 2}).groups(2).dilation({1, 2}).bias(false)));
  show(out, "Conv2d", conv2(waves({1, 2, 5, 5})));
  auto same = half_filled(nn::Conv2d(nn::Conv2dOptions(1, 1, 3).padding(torch::kSame)));
  show(out, "same", same(waves({1, 1, 3, 3})));
  auto reflect = half_filled(nn::Conv1d(nn::Conv1dOptions(1, 1, 3).padding(1).padding_mode(torch::kReflect)));
  show(out, "reflect", reflect(waves({1, 1, 4})));
  out << conv1 << '\n' << conv2 << '\n' << same << '\n' << reflect << '\n';
  fails<c10::Error>(out, "channels", "", [&] { conv2(waves({1, 3, 5, 5})); });
});

const Program transposed("transposed convolutions", [](std::ostream& out) {
  auto conv1 = half_filled(nn::ConvTranspose1d(nn::ConvTranspose1dOptions(2, 3, 3).stride(2)));
  show(out, "ConvTranspose1d", conv1(waves({1, 2, 3})));
  auto conv2 = half_filled(
      nn::ConvTranspose2d(nn::ConvTranspose2dOptions(2, 2, 3).stride(2).padding(1).output_padding(1).bias(false)));
  show(out, "ConvTranspose2d", conv2(waves({1, 2, 2, 2})));
  show(out, "output size", conv2->forward(waves({1, 2, 2, 2}), at::IntArrayRef{4, 4}));
  out << conv1 << '\n' << conv2 << '\n';
});

const Program pools("pooling", [](std::ostream& out) {
  show(out, "MaxPool1d", nn::MaxPool1d(2)(waves({1, 1, 6})));
  show(out, "MaxPool2d", nn::MaxPool2d(nn::MaxPool2dOptions(3).stride(2).padding(1))(waves({1, 1, 4, 4})));
  show(out, "ceil", nn::MaxPool2d(nn::MaxPool2dOptions({2, 2}).ceil_mode(true))(waves({1, 1, 3, 3})));
  show(out, "AvgPool1d",
       nn::AvgPool1d(nn::AvgPool1dOptions(3).stride(1).padding(1).count_include_pad(false))(waves({1, 1, 4})));
  show(out, "AvgPool2d", nn::AvgPool2d(nn::AvgPool2dOptions(2).divisor_override(3))(waves({1, 1, 4, 4})));
  show(out, "AdaptiveAvgPool2d", nn::AdaptiveAvgPool2d(nn::AdaptiveAvgPool2dOptions({2, 3}))(waves({1, 1, 5, 7})));
  show(out, "AdaptiveMaxPool1d", nn::AdaptiveMaxPool1d(2)(waves({1, 1, 5})));
  const auto [values, indices] = nn::MaxPool2d(2)->forward_with_indices(waves({1, 1, 4, 4}));
  show(out, "indices", indices);
  out << nn::MaxPool2d(nn::MaxPool2dOptions(3).stride(2).padding(1)) << '\n'
      << nn::AvgPool1d(3) << '\n'
      << nn::AdaptiveAvgPool2d(nn::AdaptiveAvgPool2dOptions({2, 3})) << '\n'
      << nn::AdaptiveMaxPool1d(2) << '\n';
});

const Program normalizations("normalizations", [](std::ostream& out) {
  auto batch = nn::BatchNorm1d(nn::BatchNorm1dOptions(3).eps(1e-3).momentum(0.2));
  show(out, "BatchNorm1d", batch(waves({4, 3})));
  show(out, "variance", batch->running_var);
  out << batch->num_batches_tracked.item<int64_t>() << '\n';
  auto plain = nn::BatchNorm2d(nn::BatchNorm2dOptions(2).affine(false).track_running_stats(false));
  show(out, "BatchNorm2d", plain(waves({1, 2, 2, 2})));
  show(out, "LayerNorm", nn::LayerNorm(nn::LayerNormOptions({2, 2}).elementwise_affine(false))(waves({2, 2, 2})));
  show(out, "GroupNorm", nn::GroupNorm(nn::GroupNormOptions(2, 4))(waves({1, 4, 3})));
  show(out, "InstanceNorm1d", nn::InstanceNorm1d(2)(waves({1, 2, 4})));
  out << batch << '\n'
      << plain << '\n'
      << nn::LayerNorm(nn::LayerNormOptions({2, 2})) << '\n'
      << nn::GroupNorm(nn::GroupNormOptions(2, 4)) << '\n'
      << nn::InstanceNorm1d(2) << '\n';
});

const Program activations("activations", [](std::ostream& out) {
  const auto x = torch::linspace(-3, 3, 7);
  show(out, "ELU", nn::ELU(nn::ELUOptions().alpha(0.5))(x));
  show(out, "SELU", nn::SELU()(x));
  show(out, "CELU", nn::CELU(nn::CELUOptions().alpha(2))(x));
  show(out, "LeakyReLU", nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.2))(x));
  show(out, "GELU", nn::GELU()(x));
  show(out, "GELU tanh", nn::GELU(nn::GELUOptions().approximate("tanh"))(x));
  show(out, "SiLU", nn::SiLU()(x));
  show(out, "Mish", nn::Mish()(x));
  show(out, "Hardtanh", nn::Hardtanh(nn::HardtanhOptions().min_val(-0.5).max_val(2))(x));
  show(out, "ReLU6", nn::ReLU6()(x * 3));
  show(out, "Softplus", nn::Softplus(nn::SoftplusOptions().beta(0.5).threshold(1))(x));
  show(out, "Softshrink", nn::Softshrink(0.6)(x));
  show(out, "Hardshrink", nn::Hardshrink(1.5)(x));
  show(out, "Threshold", nn::Threshold(0.1, 20)(x));
  show(out, "PReLU", nn::PReLU()(x));
  show(out, "Softsign", nn::Softsign()(x));
  show(out, "Tanhshrink", nn::Tanhshrink()(x));
  show(out, "LogSigmoid", nn::LogSigmoid()(x));
  show(out, "GLU", nn::GLU()(waves({2, 4})));
});

const Program softmaxes("softmax and its kin", [](std::ostream& out) {
  const auto x = waves({2, 3});
  show(out, "Softmax", nn::Softmax(1)(x));
  show(out, "Softmin", nn::Softmin(0)(x));
  show(out, "LogSoftmax", nn::LogSoftmax(nn::LogSoftmaxOptions(1))(x));
  show(out, "Softmax2d", nn::Softmax2d()(waves({1, 3, 1, 2})));
  out << nn::Softmax(1) << nn::Softmin(0) << nn::LogSoftmax(1) << nn::Softmax2d() << '\n';
  out << nn::ELU() << nn::SELU() << nn::CELU() << nn::LeakyReLU() << nn::GELU() << nn::SiLU() << nn::Mish()
      << nn::Hardtanh() << nn::ReLU6() << '\n';
  out << nn::Softplus() << nn::Softshrink() << nn::Hardshrink() << nn::Threshold(1, 2) << nn::PReLU() << nn::Softsign()
      << nn::Tanhshrink() << nn::LogSigmoid() << nn::GLU() << nn::RReLU() << nn::ReLU(true) << nn::Tanh()
      << nn::Sigmoid() << '\n';
});

}  // namespace
}  // namespace programs::layers
