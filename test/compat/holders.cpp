// What programs hand to TorchScript and to CUDA, and the macros that save optimizers of their own.
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <strata/core/thread_generator.h>
#include <torch/custom_class.h>
#include <torch/torch.h>

#include <sstream>

#include "test/catch.h"

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

struct Stack : torch::CustomClassHolder {
  explicit Stack(std::vector<int64_t> items) : items(std::move(items)) { ++alive; }
  Stack(const Stack& other) : torch::CustomClassHolder(other), items(other.items) { ++alive; }
  ~Stack() override { --alive; }
  int64_t pop() {
    const int64_t top = items.back();
    items.pop_back();
    return top;
  }
  static inline int alive = 0;
  std::vector<int64_t> items;
};
class TensImpl : public torch::data::datasets::Dataset<TensImpl> {
 public:
  explicit TensImpl(size_t count) : count_(count) {}
  torch::data::Example<> get(size_t index) override {
    return {torch::full({}, static_cast<float>(index)), torch::zeros({})};
  }
  torch::optional<size_t> size() const override { return count_; }

 private:
  size_t count_;
};
TORCH_MODULE(Tens);

struct Deeper : Stack {
  Deeper() : Stack({9}) {}
};

TORCH_LIBRARY_FRAGMENT(holders, m) {
  m.class_<Stack>("Stack")
      .def(torch::init<std::vector<int64_t>>())
      .def("pop", &Stack::pop, "takes the last", {torch::arg("unused") = 1})
      .def("size", [](const c10::intrusive_ptr<Stack>& self) { return static_cast<int64_t>(self->items.size()); })
      .def_readwrite("items", &Stack::items)
      .def_pickle([](const c10::intrusive_ptr<Stack>& self) { return self->items; },
                  [](std::vector<int64_t> state) { return c10::make_intrusive<Stack>(std::move(state)); });
}
const auto registered = torch::class_<Stack>("holders", "Other").def(torch::init<std::vector<int64_t>>());

/// An optimizer whose options and state a program saves by libtorch's macros.
struct StepOptions : torch::optim::OptimizerCloneableOptions<StepOptions> {
  using Pair = std::tuple<double, double>;
  explicit StepOptions(double lr) : lr_(lr) {}
  TORCH_ARG(double, lr);
  TORCH_ARG(Pair, betas) = Pair(0.9, 0.99);
  TORCH_ARG(bool, flips) = false;
  TORCH_ARG(std::optional<double>, limit);
  TORCH_ARG(std::deque<int64_t>, recent);
  TORCH_ARG(torch::Tensor, mean);

 public:
  void serialize(torch::serialize::OutputArchive& archive) const override {
    _TORCH_OPTIM_SERIALIZE_TORCH_ARG(lr);
    _TORCH_OPTIM_SERIALIZE_TORCH_ARG(betas);
    _TORCH_OPTIM_SERIALIZE_TORCH_ARG(flips);
    _TORCH_OPTIM_SERIALIZE_TORCH_ARG(limit);
    _TORCH_OPTIM_SERIALIZE_TORCH_ARG_DEQUE(recent);
    _TORCH_OPTIM_SERIALIZE_TORCH_ARG(mean);
  }
  void serialize(torch::serialize::InputArchive& archive) override {
    _TORCH_OPTIM_DESERIALIZE_TORCH_ARG(double, lr);
    _TORCH_OPTIM_DESERIALIZE_TORCH_ARG(Pair, betas);
    _TORCH_OPTIM_DESERIALIZE_TORCH_ARG(bool, flips);
    _TORCH_OPTIM_DESERIALIZE_TORCH_ARG_OPTIONAL(double, limit);
    _TORCH_OPTIM_DESERIALIZE_TORCH_ARG_DEQUE(std::deque<int64_t>, recent);
    _TORCH_OPTIM_DESERIALIZE_TORCH_ARG(torch::Tensor, mean);
  }
};

void round_trip(const StepOptions& from, StepOptions& to) {
  std::stringstream file;
  torch::serialize::OutputArchive out;
  from.serialize(out);
  out.save_to(file);
  torch::serialize::InputArchive in;
  in.load_from(file);
  to.serialize(in);
}

struct Twin : torch::optim::SGD {
  using SGD::SGD;
  void save(torch::serialize::OutputArchive& archive) const override { serialize(*this, archive); }
  void load(torch::serialize::InputArchive& archive) override { serialize(*this, archive); }
  template <class Self, class Archive>
  static void serialize(Self& self, Archive& archive) {
    using torch::optim::SGDOptions;
    using torch::optim::SGDParamState;
    _TORCH_OPTIM_SERIALIZE_WITH_TEMPLATE_ARG(SGD);
  }
};

/// A function that programs have of their own; Strata has one of the name with the same arguments.
torch::Tensor cross_entropy(const torch::Tensor& y_hat, const torch::Tensor& y) {
  return -torch::log(y_hat.index({torch::arange(y.size(0)), y}));
}

/// And operators of their own for vectors.
template <class T>
std::ostream& operator<<(std::ostream& out, std::vector<T> items) {
  return out << "own " << items.size();
}

/// A dataset whose examples are drawn when they are asked for.
struct Noise : torch::data::datasets::Dataset<Noise> {
  torch::data::Example<> get(size_t /*index*/) override { return {torch::rand({2}), torch::rand({1})}; }
  std::optional<size_t> size() const override { return 4; }
};

/// An extension's function that keeps sizes and asks who needs gradients.
struct Spread : torch::autograd::Function<Spread> {
  static torch::Tensor forward(torch::autograd::AutogradContext* ctx, const torch::Tensor& x) {
    ctx->saved_data["sizes"] = x.sizes();
    return x.sum();
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 torch::autograd::variable_list grads) {
    const std::vector<int64_t> sizes = ctx->saved_data["sizes"].toIntList().vec();
    return {grads[0].expand(sizes)};
  }
};

}  // namespace

TEST_CASE("a holder makes and shares an object that is no module, as a dataset") {
  Tens tens(3), same = tens;
  CHECK(tens->get(2).data.item<float>() == 2);
  CHECK(same.get() == tens.get());
  auto stacked = tens->map(torch::data::transforms::Stack<>());
  CHECK(torch::equal(stacked.get_batch({0, 1}).data, torch::arange(2.f)));
}

TEST_CASE("a program's own cross_entropy is the one it calls") {
  const torch::Tensor p = torch::tensor({{0.5, 0.5}, {0.25, 0.75}});
  CHECK(torch::allclose(cross_entropy(p, torch::tensor({0, 1})), -torch::log(torch::tensor({0.5, 0.75}))));
  CHECK(strata::cross_entropy(p, torch::tensor({0, 1})).dim() == 0);
}

TEST_CASE("an extension's function asks libtorch's questions") {
  const torch::Tensor x = torch::ones({2, 3}).requires_grad_(), y = torch::ones({2});
  Spread::apply(x).backward();
  CHECK(torch::equal(x.grad(), torch::ones({2, 3})));
  CHECK(torch::autograd::any_variable_requires_grad({y, x}));
  CHECK_FALSE(torch::autograd::any_variable_requires_grad({y, torch::Tensor()}));
  CHECK(torch::autograd::compute_requires_grad(y, x));
  const torch::NoGradGuard off;
  CHECK_FALSE(torch::autograd::compute_requires_grad(y, x));
}

TEST_CASE("intrusive pointers share an object and let it go") {
  {
    auto first = c10::make_intrusive<Stack>(std::vector<int64_t>{1, 2});
    CHECK(first.unique());
    c10::intrusive_ptr<Stack> second = first;
    CHECK(first == second);
    CHECK(first.use_count() == 2);
    CHECK(second->pop() == 2);
    CHECK(first->items.size() == 1);
    const auto copied = c10::make_intrusive<Stack>(*first);  // a copy counts for itself
    CHECK(copied.use_count() == 1);
    CHECK(Stack::alive == 2);
    second.reset();
    CHECK_FALSE(second.defined());
    CHECK(second == nullptr);
    Stack* const owned = first.release();
    const auto again = c10::intrusive_ptr<Stack>::reclaim(owned);
    CHECK(again.use_count() == 1);
    const c10::intrusive_ptr<Stack> base = c10::make_intrusive<Deeper>();
    CHECK(c10::dynamic_intrusive_pointer_cast<Deeper>(base).use_count() == 2);
    CHECK_FALSE(c10::dynamic_intrusive_pointer_cast<Deeper>(again).defined());
    CHECK(std::unordered_set<c10::intrusive_ptr<Stack>>{base, base, again}.size() == 2);
  }
  CHECK(Stack::alive == 0);
  CHECK_THROWS_WITH(torch::class_<Stack>("", "Stack"), ContainsSubstring("namespace"));
}

namespace {

/// Gives an object back to backward, which pops of it.
struct Popping : torch::autograd::Function<Popping> {
  static torch::Tensor forward(torch::autograd::AutogradContext* ctx, torch::Tensor x, c10::IValue stack) {
    ctx->saved_data["stack"] = stack;
    return x * stack.toCustomClass<Stack>()->items.back();
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 torch::autograd::variable_list grads) {
    const auto stack = ctx->saved_data["stack"].toCustomClass<Stack>();
    return {grads[0] * stack->pop(), torch::Tensor()};
  }
};

}  // namespace

TEST_CASE("values hold objects of custom classes") {
  {
    const auto stack = torch::make_intrusive<Stack>(std::vector<int64_t>{1, 2, 3});
    const c10::IValue value(stack), copy = value;
    CHECK(value.isCustomClass());
    CHECK_FALSE(value.isTensor());
    CHECK(value.tagKind() == "Object");
    CHECK(copy.toCustomClass<Stack>() == stack);
    CHECK(copy.to<c10::intrusive_ptr<Stack>>() == stack);
    CHECK(c10::IValue(c10::intrusive_ptr<Stack>()).isNone());
    CHECK(torch::make_custom_class<Stack>(std::vector<int64_t>{7}).toCustomClass<Stack>()->pop() == 7);
    CHECK_THROWS_WITH(value.toCustomClass<Deeper>(), ContainsSubstring("toCustomClass: the object is not one of"));
    CHECK_THROWS_WITH(c10::IValue(2).toCustomClass<Stack>(), ContainsSubstring("wanted an object, it is an integer"));
    CHECK_THROWS_WITH(torch::pickle_save(value), ContainsSubstring("cannot be saved"));
    const auto x = torch::ones({2}, torch::requires_grad());
    Popping::apply(x, value).sum().backward();
    CHECK(x.grad().equal(torch::full({2}, 3.f)));
    CHECK(stack->items.size() == 2);
  }
  CHECK(Stack::alive == 0);
}

TEST_CASE("options saved by libtorch's macros come back") {
  StepOptions from(0.5), to(1);
  from.betas({0.8, 0.7}).flips(true).limit(2.5).recent({3, 4}).mean(torch::arange(3));
  round_trip(from, to);
  CHECK(to.lr() == 0.5);
  CHECK(to.betas() == std::tuple(0.8, 0.7));
  CHECK(to.flips());
  CHECK(to.limit() == 2.5);
  CHECK(to.recent() == std::deque<int64_t>{3, 4});
  CHECK(torch::equal(to.mean(), torch::arange(3)));
  round_trip(StepOptions(0.1), to);
  CHECK_FALSE(to.limit().has_value());
  CHECK_FALSE(to.mean().defined());
  torch::serialize::InputArchive empty;
  CHECK_THROWS_WITH(to.serialize(empty), ContainsSubstring("lr"));
}

TEST_CASE("an optimizer saved by libtorch's macro goes on where it was") {
  const torch::Tensor p = torch::ones({2}).requires_grad_();
  p.mutable_grad() = torch::ones({2});
  Twin first({p}, torch::optim::SGDOptions(0.5).momentum(0.5)), second({p}, torch::optim::SGDOptions(1));
  first.step();
  std::stringstream file;
  torch::save(first, file);
  torch::load(second, file);
  second.step();
  CHECK(torch::allclose(p, torch::full({2}, 1 - 0.5 - 0.5 * 1.5)));
}

TEST_CASE("a saved variable tells a write in between") {
  const torch::Tensor x = torch::ones({2}).requires_grad_(), y = x * 2;
  torch::autograd::SavedVariable input(y, /*is_output=*/false), output(y, /*is_output=*/true);
  CHECK(input.unpack().grad_fn() == y.grad_fn());
  CHECK(output.unpack().grad_fn() == nullptr);
  CHECK_FALSE(torch::autograd::SavedVariable().unpack().defined());
  y.detach().add_(1);
  CHECK_THROWS_WITH(input.unpack(), ContainsSubstring("modified by an inplace operation"));
  input.reset_data();
  CHECK_FALSE(input.unpack().defined());
}

TEST_CASE("streams of CUDA have libtorch's names") {
  if (!torch::cuda::is_available()) {
    CHECK_THROWS(c10::cuda::getCurrentCUDAStream());
    const at::cuda::OptionalCUDAGuard nothing;
    return;
  }
  const c10::cuda::CUDAGuard device(0);
  const at::cuda::CUDAStream other = at::cuda::getStreamFromPool();
  {
    const c10::cuda::CUDAStreamGuard here(other);
    CHECK(at::cuda::getCurrentCUDAStream() == other);
    CHECK(at::cuda::getCurrentCUDAStream().stream() == other.stream());
  }
  CHECK(at::cuda::getCurrentCUDAStream() == at::cuda::getDefaultCUDAStream());
  c10::cuda::CUDACachingAllocator::emptyCache();
}

TEST_CASE("samplers and dropout of one example draw libtorch's numbers") {
  strata::Generator source;
  source.use_mt19937(7);
  const strata::ThreadGenerator here(source);
  torch::data::samplers::RandomSampler sampler(10);  // torch.randperm(10) in PyTorch, twice
  CHECK(sampler.next(10) == std::vector<size_t>{5, 0, 3, 4, 1, 7, 9, 6, 8, 2});
  sampler.reset();
  CHECK(sampler.next(10) == std::vector<size_t>{1, 8, 9, 5, 7, 4, 0, 3, 6, 2});

  // torch.feature_dropout(torch.ones(1, 16, 2, 2), 0.3, True) in PyTorch
  const torch::Tensor kept = torch::tensor({1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0}, torch::kFloat);
  const torch::Tensor expected = (kept / 0.7).reshape({16, 1, 1});
  const torch::nn::Dropout2d planes(0.3);
  torch::manual_seed(7);
  CHECK(torch::allclose(planes.ptr()->forward(torch::ones({16, 2, 2})), expected.expand({16, 2, 2})));
  torch::manual_seed(7);
  CHECK(torch::allclose(planes.ptr()->forward(torch::ones({1, 16, 2, 2})), expected.expand({1, 16, 2, 2})));
  torch::manual_seed(7);
  torch::nn::Dropout3d volumes(torch::nn::Dropout3dOptions(0.3).inplace(true));
  torch::Tensor x = torch::ones({16, 1, 2, 2});
  volumes(x);
  CHECK(torch::allclose(x, expected.unsqueeze(1).expand({16, 1, 2, 2})));
}

TEST_CASE("datasets draw libtorch's numbers one after the other") {
  strata::Generator source;
  source.use_mt19937(7);
  const strata::ThreadGenerator here(source);
  const torch::Tensor all = torch::rand({12});
  torch::manual_seed(7);
  const auto loader = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(
      Noise().map(torch::data::transforms::Stack<>()), 2);
  std::vector<torch::Tensor> drawn;
  for (const auto& batch : *loader) drawn.push_back(torch::cat({batch.data, batch.target}, 1).flatten());
  CHECK(torch::equal(torch::cat(drawn), all));
}

TEST_CASE("with workers, datasets draw numbers of their own, the same for any number of them") {
  strata::Generator source;
  source.use_mt19937(7);
  const strata::ThreadGenerator here(source);
  const auto drawn_by = [](size_t workers) {
    torch::manual_seed(7);
    const auto loader = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(
        Noise().map(torch::data::transforms::Stack<>()),
        torch::data::DataLoaderOptions().batch_size(2).workers(workers));
    std::vector<torch::Tensor> drawn;
    for (const auto& batch : *loader) drawn.push_back(torch::cat({batch.data, batch.target}, 1).flatten());
    return torch::cat(drawn);
  };
  const torch::Tensor one = drawn_by(1);
  for (size_t workers : {1, 2, 3}) CHECK(torch::equal(drawn_by(workers), one));
}

TEST_CASE("nodes and values that are no number print as libtorch's") {
  const auto text_of = [](const auto& value) {
    std::ostringstream text;
    text << value;
    return text.str();
  };
  const torch::Tensor x = torch::ones({2, 2}).requires_grad_();
  CHECK(text_of((x * 2).grad_fn()) == "1");
  CHECK(text_of(x.grad_fn()) == "0");
  CHECK_THAT(Spread::apply(x).grad_fn()->name(), StartsWith("torch::autograd::CppNode<"));
  const torch::Tensor negative = -torch::full({1}, std::numeric_limits<float>::quiet_NaN());
  CHECK(text_of(torch::sqrt(torch::tensor({-1.0, 2.0}))) == "    nan\n 1.4142\n[ CPUFloatType{2} ]");
  CHECK(text_of(torch::copysign(negative, torch::tensor(-1.0)).abs().neg()) == "nan\n[ CPUFloatType{1} ]");
  CHECK(text_of(torch::sqrt(torch::tensor(-1.0))) == "nan\n[ CPUFloatType{} ]");
}

TEST_CASE("older switches of autocast and paddings with a value") {
  CHECK(torch::equal(torch::pad(torch::ones({1}), {1, 0}, "constant", 2), torch::tensor({2.0, 1.0})));
  CHECK(torch::equal(torch::pad(torch::ones({1}), {1, 0}, "constant", std::optional<double>(3)),
                     torch::tensor({3.0, 1.0})));
  CHECK(torch::pad(torch::ones({1}), {1, 0}, "constant", std::nullopt).sum().item<float>() == 1);
  CHECK_THROWS_WITH(torch::pad(torch::ones({1, 2}), {1, 0}, "reflect", std::optional<double>(3)),
                    ContainsSubstring("doesn't take in value argument"));
  at::autocast::set_enabled(true);
  CHECK(at::autocast::is_autocast_enabled(torch::kCUDA));
  at::autocast::set_enabled(false);
  CHECK_FALSE(at::autocast::is_enabled());
  CHECK(at::autocast::increment_nesting() == 1);
  CHECK(at::autocast::decrement_nesting() == 0);
}

TEST_CASE("a program's own operator prints its vectors") {
  std::ostringstream text;
  text << std::vector<float>{1, 2} << '|' << std::map<int, int>{{1, 2}} << '|' << std::set<int>{3, 4};
  CHECK(text.str() == "own 2|(1, 2)|3 4");
}

TEST_CASE("storages and optional lists go by libtorch's names") {
  const torch::Tensor x = torch::ones({2, 3}), y = x.t();
  CHECK(x.storage().data_ptr() == y.storage().data_ptr());
  CHECK(x.storage().data_ptr().get() == x.data_ptr());
  std::ostringstream text;
  text << x.storage();
  CHECK(text.str() == "1");
  const std::vector<int64_t> last{-1};
  const c10::OptionalArrayRef<int64_t> dims = last;
  CHECK(x.sum(dims).size(0) == 2);
  CHECK_FALSE(c10::OptionalArrayRef<double>().has_value());
  CHECK(torch::getNumGPUs() == static_cast<size_t>(torch::cuda::device_count()));
  CHECK(at::get_num_interop_threads() == 1);
  CHECK(at::divup(7, 3) == 3);
  const torch::nn::functional::GridSampleFuncOptions::mode_t mode = torch::kNearest;
  CHECK(torch::nn::functional::GridSampleFuncOptions().mode(mode).mode() == torch::kNearest);
  const torch::nn::MSELossOptions::reduction_t sum = torch::kSum;
  CHECK(torch::nn::MSELoss(torch::nn::MSELossOptions(sum))->forward(x, x + 2).item<float>() == 24);
  const std::vector<int64_t> padding{1, 2};
  torch::nn::Conv2d conv(torch::nn::Conv2dOptions(1, 1, {3, 5}).padding(padding));
  CHECK(conv->forward(torch::ones({1, 1, 4, 4})).sizes() == torch::IntArrayRef({1, 1, 4, 4}));
}

TEST_CASE("devices in braces, layouts and places in lists are checked") {
  const torch::Tensor x = torch::ones({2});
  CHECK(x.to({torch::kCPU, 0}).device() == torch::kCPU);
  CHECK(torch::TensorOptions({torch::kCUDA, 1}).device() == torch::Device("cuda:1"));
  CHECK(torch::TensorOptions().device(torch::kCUDA, 1).device() == torch::Device("cuda:1"));
  CHECK(torch::TensorOptions("cuda:1").device() == torch::Device("cuda:1"));
  CHECK(x.layout() != torch::kSparse);
  CHECK_THROWS_WITH(torch::zeros({2}, torch::kSparse), ContainsSubstring("got Sparse"));
  CHECK(x.sizes().at(0) == 2);
  CHECK_THROWS_AS(x.sizes().at(1), c10::Error);
}

TEST_CASE("warnings that are given once can be given always") {
  struct Count : c10::WarningHandler {
    void process(const c10::Warning& /*warning*/) override { ++times; }
    int times = 0;
  } count;
  const c10::WarningUtils::WarningHandlerGuard hears(&count);
  for (int i = 0; i < 2; ++i) TORCH_WARN_ONCE("given once");
  CHECK(count.times == 1);
  {
    const c10::WarningUtils::WarnAlways always;
    for (int i = 0; i < 2; ++i) TORCH_WARN_ONCE("given once");
  }
  TORCH_WARN_ONCE("given once");
  CHECK(count.times == 3);
}

TEST_CASE("lists and dicts of parameters take in others") {
  torch::nn::ParameterList list(torch::ones({1})), more(torch::ones({2}), torch::ones({3}));
  *list += *more;
  list->extend(std::vector<torch::Tensor>{torch::ones({4})});
  CHECK(list->size() == 4);
  CHECK(list[2].numel() == 3);
  torch::nn::ParameterDict dict, other;
  dict->insert("a", torch::ones({1}));
  other->insert("a", torch::zeros({1}));
  dict->update(*other);
  CHECK(dict["a"].item<float>() == 0);
  other->insert("b", torch::zeros({1}));
  CHECK_THROWS_WITH(dict->update(*other), ContainsSubstring("'b' is not defined"));
}

TEST_CASE("a transformer's activation is a choice or a function") {
  const torch::Tensor x = torch::arange(12.).view({3, 1, 4});
  const auto run = [&](torch::nn::TransformerEncoderLayerOptions::activation_t activation) {
    const auto options = torch::nn::TransformerEncoderLayerOptions(4, 2).dropout(0).activation(activation);
    torch::manual_seed(0);
    return torch::nn::TransformerEncoderLayer(options)->forward(x);
  };
  const torch::Tensor with_gelu = run([](const torch::Tensor& t) { return torch::gelu(t); });
  CHECK(torch::allclose(with_gelu, run(torch::kGELU)));
  CHECK_FALSE(torch::allclose(with_gelu, run(torch::kReLU)));
  CHECK_THROWS_WITH(run(torch::kTanh), ContainsSubstring("got tanh"));
}

TEST_CASE("choices are types too") {
  const torch::enumtype::kSum sum;
  const torch::Tensor x = torch::ones({2});
  CHECK(torch::nn::MSELoss(torch::nn::MSELossOptions().reduction(sum))->forward(x, 3 * x).item<float>() == 8);
  CHECK(sum == torch::kSum);
}

TEST_CASE("options of recurrent layers and of LBFGS compare by libtorch's names") {
  torch::nn::LSTM lstm(torch::nn::LSTMOptions(2, 3).proj_size(1));
  CHECK(lstm->options_base.proj_size() == 1);
  lstm->options_base.dropout(0.5);
  CHECK(lstm->options.dropout() == 0.5);
  CHECK(torch::optim::LBFGSOptions(1) == torch::optim::LBFGSOptions());
  CHECK_FALSE(torch::optim::LBFGSOptions().max_iter(3) == torch::optim::LBFGSOptions());
  const ska::flat_hash_map<std::string, int> counts{{c10::to_string(2), 2}};
  CHECK(counts.at("2") == 2);
}

TEST_CASE("a function asks whether any of its arguments needs a gradient") {
  struct Sum : torch::autograd::Function<Sum> {
    static torch::Tensor forward(torch::autograd::AutogradContext*, torch::Tensor a, torch::Tensor b) { return a + b; }
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list grad) {
      const torch::autograd::IndexRange first{0, 1}, second{1, 2};
      CHECK(context->needs_input_grad({first}));
      CHECK_FALSE(context->needs_input_grad({second}));
      CHECK(context->needs_input_grad({second, first}));
      return {grad[0], torch::Tensor()};
    }
  };
  const torch::Tensor x = torch::ones({1}, torch::requires_grad());
  Sum::apply(x, torch::ones({1})).backward();
  CHECK(x.grad().item<float>() == 1);
}

TEST_CASE("states of optimizers are read and compared by libtorch's names") {
  const torch::Tensor weight = torch::tensor({1., -2.}).requires_grad_();
  torch::optim::LBFGS optimizer({weight}, torch::optim::LBFGSOptions(0.1).max_iter(3));
  const auto closure = [&] {
    optimizer.zero_grad();
    const torch::Tensor loss = (weight * weight).sum();
    loss.backward();
    return loss;
  };
  optimizer.step(closure);
  const auto& state =
      static_cast<const torch::optim::LBFGSParamState&>(*optimizer.state().at(weight.unsafeGetTensorImpl()));
  CHECK(state.n_iter() == 2);  // three iterations may look at the loss three times, the first of which was before them
  CHECK(state.old_dirs().size() == state.ro().size());
  // Of a sum of squares the gradient changes by twice the step.
  CHECK(std::abs(state.H_diag().item<float>() - 0.5f) < 1e-5f);
  torch::optim::LBFGSParamState copy = state;
  CHECK(copy == state);
  copy.old_dirs().back() = copy.old_dirs().back() + 1;
  CHECK_FALSE(copy == state);
  torch::optim::AdamParamState a, b;
  CHECK(a == b);
  a.exp_avg(torch::ones({2}));
  CHECK_FALSE(a == b);
}

TEST_CASE("loaders say how long they wait, and queues between threads are libtorch's") {
  using namespace torch::data;
  CHECK_FALSE(FullDataLoaderOptions(DataLoaderOptions()).timeout.has_value());
  CHECK(FullDataLoaderOptions(DataLoaderOptions().timeout(std::chrono::seconds(2))).timeout->count() == 2000);
  detail::DataShuttle<int, int> shuttle;
  CHECK_FALSE(shuttle.pop_result().has_value());
  shuttle.push_job(1);
  shuttle.push_job(2);
  CHECK(shuttle.pop_job() == 1);
  shuttle.push_result(10);
  CHECK(shuttle.pop_result() == 10);
  CHECK_THROWS_WITH(shuttle.pop_result(std::chrono::milliseconds(1)), ContainsSubstring("Timeout"));
  shuttle.drain();
  CHECK(shuttle.in_flight_jobs() == 0);
}

TEST_CASE("names of libtorch's time before C++17 are there") {
  const c10::variant<int, std::string> either = std::string("text");
  CHECK(c10::get_if<int>(&either) == nullptr);
  CHECK(c10::get<std::string>(either) == "text");
  CHECK(c10::guts::to_string(3) == "3");
  const std::vector<torch::Tensor> parts{torch::ones({2}), torch::zeros({1, 3})};
  const auto back = torch::utils::unflatten_dense_tensors(torch::utils::flatten_dense_tensors(parts), parts);
  CHECK(torch::equal(back[1], parts[1]));
  CHECK(c10::str(torch::nn::RNNCell(torch::nn::RNNCellOptions(2, 1).nonlinearity(torch::kReLU))) ==
        "torch::nn::RNNCell(2, 1, nonlinearity=kReLU)");
}
