// Programs that hold what libtorch has a type for: named choices, optional generators and formats, places of tensors.
#include <torch/torch.h>

#include <thread>
#include <variant>

#include "test/programs/filling.h"
#include "test/programs/programs.h"

namespace programs {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;

/// A loss of a program's own, whose choice is a variant as in libtorch's options.
struct ScaledLossOptions {
  using reduction_t = std::variant<torch::enumtype::kNone, torch::enumtype::kMean, torch::enumtype::kSum>;
  ScaledLossOptions(reduction_t reduction) : reduction_(reduction) {}
  TORCH_ARG(double, scale) = 2;
  TORCH_ARG(reduction_t, reduction) = torch::kMean;
};

const Program own_choices("choices in variants of a program's own", [](std::ostream& out) {
  std::variant<torch::enumtype::kMean, torch::enumtype::kSum> v = torch::kMean;
  out << v.index() << ' ' << torch::enumtype::get_enum_name(v);
  v = torch::kSum;
  out << ' ' << v.index() << ' ' << torch::enumtype::get_enum_name(v) << '\n';
  const torch::Tensor x = waves({3}), y = torch::zeros({3});
  for (const ScaledLossOptions::reduction_t& how :
       {ScaledLossOptions::reduction_t(torch::kNone), ScaledLossOptions::reduction_t(torch::kMean),
        ScaledLossOptions::reduction_t(torch::kSum)}) {
    const ScaledLossOptions options = ScaledLossOptions(how).scale(3);
    show(out, "loss",
         torch::mse_loss(x, y, torch::enumtype::reduction_get_enum(options.reduction())) * options.scale());
  }
  out << std::visit([](auto choice) { return std::is_same_v<decltype(choice), torch::enumtype::kSum>; }, v) << '\n';
  const std::variant<torch::enumtype::kNone, torch::enumtype::kMean, torch::enumtype::kSum, torch::enumtype::kZeros>
      other = torch::kZeros;
  fails(out, "zeros", "kZeros is not a valid value for reduction", [&] { torch::enumtype::reduction_get_enum(other); });
});

const Program asked_options("options asked for their choices", [](std::ostream& out) {
  const auto loss = nn::MSELoss(nn::MSELossOptions(torch::kSum));
  out << std::holds_alternative<torch::enumtype::kSum>(loss->options.reduction())
      << (std::get_if<torch::enumtype::kMean>(&loss->options.reduction()) == nullptr)
      << torch::enumtype::get_enum_name(loss->options.reduction()) << '\n';
  auto conv = nn::Conv2d(nn::Conv2dOptions(2, 3, 3).padding({1, 2}).padding_mode(torch::kReflect));
  if (const auto* sizes = std::get_if<torch::ExpandingArray<2>>(&conv->options.padding())) out << *sizes << '\n';
  out << (std::get_if<torch::enumtype::kZeros>(&conv->options.padding_mode()) == nullptr)
      << torch::enumtype::get_enum_name(conv->options.padding_mode()) << '\n';
  conv = nn::Conv2d(nn::Conv2dOptions(2, 3, 3).padding(torch::kSame));
  out << std::holds_alternative<torch::enumtype::kSame>(conv->options.padding())
      << std::holds_alternative<torch::enumtype::kValid>(conv->options.padding()) << '\n';
  const auto up =
      nn::Upsample(nn::UpsampleOptions().mode(torch::kBilinear).align_corners(true).size(std::vector<int64_t>{2, 2}));
  out << torch::enumtype::get_enum_name(up->options.mode()) << '\n';
  F::InterpolateFuncOptions::mode_t mode = torch::kNearest;
  mode = torch::kArea;
  show(out, "area",
       F::interpolate(waves({1, 1, 4}), F::InterpolateFuncOptions().size(std::vector<int64_t>{2}).mode(mode)));
  nn::init::NonlinearityType slope = torch::kLeakyReLU;
  out << nn::init::calculate_gain(slope, 0.1) << ' ' << nn::init::calculate_gain(torch::kTanh) << '\n';
});

const Program optional_generators("generators that may be missing", [](std::ostream& out) {
  std::optional<at::Generator> none, own = at::make_generator<at::CPUGeneratorImpl>(7);
  for (const auto& generator : {none, own}) {
    torch::Tensor x = torch::empty({4});
    x.uniform_(2, 3, generator);
    out << x.ge(2).all().item<bool>() << at::rand({2, 2}, generator).le(1).all().item<bool>()
        << at::randperm(4, generator).sum().item<int64_t>() << x.mul(0).bernoulli(1.0, generator).sum().item<float>()
        << at::bernoulli(torch::ones({3}), generator).sum().item<float>() << '\n';
  }
  const at::Generator undefined;
  out << undefined.defined() << own->defined() << '\n';
  show(out, "all", torch::zeros({3}).bernoulli(1.0));
});

const Program optional_formats("formats that may be missing", [](std::ostream& out) {
  const auto x = waves({1, 2, 2, 3});
  for (const std::optional<at::MemoryFormat>& format :
       {std::optional<at::MemoryFormat>(), std::optional(at::MemoryFormat::ChannelsLast)}) {
    torch::Tensor resized = torch::zeros({4});
    resized.resize_({1, 2, 2, 2}, format);
    torch::Tensor as = torch::zeros({1});
    as.resize_as_(x, format);
    out << x.clone(format).strides() << at::clone(x, format).strides() << resized.strides() << as.strides()
        << torch::rand_like(x, x.options(), format).strides() << torch::randn_like(x, {}, format).strides()
        << torch::randint_like(x, 5, {}, format).strides() << '\n';
  }
  fails(out, "resize_", "Unsupported memory format", [&] {
    torch::zeros({2}).resize_({2, 2}, at::MemoryFormat::Preserve);
  });
});

const Program flags("flags by position", [](std::ostream& out) {
  const auto x = waves({2, 3});
  show(out, "gather", x.gather(1, torch::tensor({{2}, {0}}), false));
  const std::optional<bool> stable = true;
  show(out, "sort", std::get<0>(x.sort(stable, 1, true)));
  const at::ITensorListRef list = std::vector<torch::Tensor>{x, x};
  out << at::cat(std::vector<torch::Tensor>{x, x}, 1).sizes() << list.size() << '\n';
});

const Program places("where tensors are", [](std::ostream& out) {
  const torch::Tensor x = torch::ones({2}), nothing;
  const std::optional<torch::Tensor> perhaps = x;
  out << device_of(x)->is_cpu() << at::device_of(nothing).has_value() << at::device_of(perhaps).has_value()
      << at::device_of(std::vector<torch::Tensor>{x, x})->is_cpu() << '\n';
  const c10::OptionalDeviceGuard guard(device_of(x)), without(device_of(nothing));
  out << c10::DeviceTypeName(torch::kCUDA) << ' ' << c10::DeviceTypeName(torch::kCPU, true) << '\n';
});

const Program modes_of_threads("modes given to a thread", [](std::ostream& out) {
  const auto x = torch::ones({2}, torch::requires_grad());
  bool with = true, without = true;
  {
    const torch::NoGradGuard no_grad;
    const at::ThreadLocalState state;
    std::thread([&] {
      without = (x * 2).requires_grad();
      const at::ThreadLocalStateGuard guard(state);
      with = (x * 2).requires_grad();
    }).join();
  }
  out << without << with << '\n';
});

const Program node_names("nodes of overloads", [](std::ostream& out) {
  const auto x = torch::ones({1, 2}, torch::requires_grad()), mask = torch::ones({1, 2}).to(torch::kBool),
             one = torch::tensor(1.0), first = torch::tensor({0});
  const auto written = [&](const char* name, auto write) {
    torch::Tensor y = x.clone();
    write(y);
    out << name << ' ' << y.grad_fn()->name() << '\n';
  };
  written("squeeze_", [](torch::Tensor& y) { y.squeeze_(); });
  written("squeeze_.dim", [](torch::Tensor& y) { y.squeeze_(0); });
  written("squeeze_.dims", [](torch::Tensor& y) { y.squeeze_(at::IntArrayRef({0, 1})); });
  written("squeeze", [](torch::Tensor& y) { y = y.squeeze(); });
  written("squeeze.dim", [](torch::Tensor& y) { y = y.squeeze(0); });
  written("squeeze.dim of two", [](torch::Tensor& y) { y = y.squeeze(1); });
  written("squeeze.dims", [](torch::Tensor& y) { y = y.squeeze(at::IntArrayRef({0, 1})); });
  written("masked_fill_", [&](torch::Tensor& y) { y.masked_fill_(mask, 1); });
  written("masked_fill_.Tensor", [&](torch::Tensor& y) { y.masked_fill_(mask, one); });
  written("masked_fill", [&](torch::Tensor& y) { y = y.masked_fill(mask, 1); });
  written("masked_fill.Tensor", [&](torch::Tensor& y) { y = y.masked_fill(mask, one); });
  written("index_fill_", [&](torch::Tensor& y) { y.index_fill_(0, first, 1); });
  written("index_fill_.Tensor", [&](torch::Tensor& y) { y.index_fill_(0, first, one); });
  written("index_fill.Tensor", [&](torch::Tensor& y) { y = y.index_fill(0, first, one); });
  written("fill_", [](torch::Tensor& y) { y.fill_(1); });
  written("fill_.Tensor", [&](torch::Tensor& y) { y.fill_(one); });
  written("bernoulli_", [](torch::Tensor& y) { y.bernoulli_(0.5); });
  written("bernoulli_.Tensor", [&](torch::Tensor& y) { y.bernoulli_(torch::full({1, 2}, 0.5)); });
  written("random_", [](torch::Tensor& y) { y.random_(); });
  written("random_.to", [](torch::Tensor& y) { y.random_(5); });
  written("random_.from", [](torch::Tensor& y) { y.random_(1, 5); });
  nn::LSTMCell cell(2, 3);
  out << std::get<0>(cell(x.detach())).grad_fn()->name() << '\n';
});

const Program phrases("words of errors", [](std::ostream& out) {
  nn::ParameterList list(torch::ones({1}));
  fails(out, "ParameterList", "Index out of range", [&] { list->at(4); });
  nn::AnyModule empty;
  fails(out, "AnyModule", "Cannot call ptr() on an empty AnyModule", [&] { empty.ptr<nn::LinearImpl>(); });
  fails(out, "AnyModule", "Cannot call ptr() on an empty AnyModule", [&] { empty.get<nn::Linear>(); });
  const nn::AnyModule linear(nn::Linear(2, 2));
  fails(out, "AnyModule", "Attempted to cast module of type torch::nn::LinearImpl to type torch::nn::Conv2dImpl",
        [&] { linear.get<nn::Conv2d>(); });
  fails(out, "AnyModule", "Expected argument #0 to be of type at::Tensor, but received value of type int",
        [&] { nn::AnyModule(nn::Linear(2, 2)).forward(1); });
  torch::serialize::OutputArchive written;
  written.write("weight", torch::ones({1}));
  std::stringstream stream;
  written.save_to(stream);
  torch::serialize::InputArchive archive, inner;
  archive.load_from(stream);
  torch::Tensor t;
  fails(out, "read", "No such serialized tensor 'bias'", [&] { archive.read("bias", t); });
  fails(out, "read", "No such serialized submodule: 'part'", [&] { archive.read("part", inner); });
  const torch::Tensor x = torch::ones({2, 3}), none = torch::ones({2, 0});
  fails(out, "index", "too many indices for tensor of dimension 2", [&] { x.index({0, "...", 0, 0}); });
  fails(out, "index", "too many indices for tensor of dimension 2", [&] { x.index({0, 0, 0}); });
  fails(out, "index", "index is out of bounds for dimension with size 0", [&] { none.index({0, torch::tensor({0})}); });
  fails(out, "index", "index 0 is out of bounds for dimension 1 with size 0", [&] { none.index({0, 0}); });
  fails(out, "select", "cannot be applied to a 0-dim tensor", [&] { x[0][0][0]; });
  fails(out, "index", "index 7 is out of bounds for dimension 0 with size 2", [&] { x.index({torch::tensor({7})}); });
  torch::autograd::DetectAnomalyGuard guard;
  const auto zero = torch::zeros({1}, torch::requires_grad());
  fails(out, "sqrt", "Function 'SqrtBackward0' returned nan values in its 0th output",
        [&] { (zero.sqrt() * 0).sum().backward(); });
});

}  // namespace
}  // namespace programs
