// What calls do that are wrong or doubtful: libtorch's errors, in its words, and its warnings.
#include <torch/torch.h>

#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "test/catch.h"

using Catch::Matchers::ContainsSubstring;
namespace F = torch::nn::functional;

namespace {

struct Warnings : c10::WarningHandler {
  void process(const c10::Warning& warning) override { texts.push_back(warning.msg()); }
  std::vector<std::string> texts;
};

template <class Call>
std::vector<std::string> warnings_of(Call call) {
  Warnings heard;
  const c10::WarningUtils::WarningHandlerGuard guard(&heard);
  const c10::WarningUtils::WarnAlways always;
  call();
  return heard.texts;
}

template <class... Of>
struct Made : torch::nn::Module {};

struct Numbers : torch::data::datasets::Dataset<Numbers, int> {
  int get(size_t index) override { return static_cast<int>(index); }
  torch::optional<size_t> size() const override { return 8; }
};

}  // namespace

TEST_CASE("fresh results count no writes", "[compat]") {
  const torch::Tensor x = torch::rand({2, 3}), i = torch::tensor({1});
  for (const torch::Tensor& t :
       {torch::zeros({2}), torch::ones({2}), torch::full({2}, 3), torch::eye(3), torch::ones_like(x),
        torch::scalar_tensor(2), torch::arange(3), torch::randn({2}), torch::empty({2}), x.new_full({2}, 1),
        torch::one_hot(i, 3), x + x, x.clone(), x.index_put({i}, torch::tensor(1.f)),
        x.index_put({0}, torch::tensor(1.f)), x.masked_fill(x > 0.5, 1)})
    CHECK(t._version() == 0);
  const torch::Tensor w = torch::ones({2, 3}, torch::requires_grad()), y = w.exp(), z = y.index_put({i}, y[0].detach());
  CHECK(w._version() == 0);
  CHECK(z._version() == 0);
  (z * z).sum().backward();
  CHECK(torch::allclose(w.grad()[0], 2 * y[0] * y[0]));
  CHECK(torch::equal(w.grad()[1], torch::zeros({3})));
  torch::Tensor saved = torch::ones({2}), used = saved * w[0].slice(0, 0, 2);
  saved.add_(1);
  CHECK(saved._version() == 1);
  CHECK_THROWS_WITH(used.sum().backward(), ContainsSubstring("is at version 1") || ContainsSubstring("has version 1"));
}

TEST_CASE("the name of a module's class names libtorch's classes in template arguments", "[compat]") {
  CHECK_THAT(Made<torch::nn::Tanh>().name(), ContainsSubstring("Made<torch::nn::Tanh>"));
  CHECK_THAT((Made<int, torch::nn::LinearImpl, torch::Tensor>().name()),
             ContainsSubstring("Made<int, torch::nn::LinearImpl, at::Tensor>"));
}

TEST_CASE("of tensors written to an archive under one key the last stands", "[compat]") {
  torch::serialize::OutputArchive archive;
  archive.write("x", torch::ones({2}));
  archive.write("x", torch::zeros({3}));
  std::stringstream stream;
  archive.save_to(stream);
  torch::serialize::InputArchive saved;
  saved.load_from(stream);
  torch::Tensor x;
  saved.read("x", x);
  CHECK(torch::equal(x, torch::zeros({3})));
}

TEST_CASE("undefined tensors are passed over where tensors are joined", "[compat]") {
  const torch::Tensor x = torch::ones({2, 2}, torch::requires_grad()), nothing;
  const torch::Tensor y = torch::cat({x, nothing, x, nothing}, 1);
  CHECK(y.sizes() == torch::IntArrayRef({2, 4}));
  y.sum().backward();
  CHECK(torch::equal(x.grad(), torch::full({2, 2}, 2.f)));
  CHECK_THROWS_AS(torch::cat({nothing, x}), c10::Error);
  CHECK_THROWS_AS(torch::stack({nothing, x}), c10::Error);
}

TEST_CASE("open ends of a slice, empty lists of indices and empty memory are libtorch's", "[compat]") {
  using namespace torch::indexing;
  CHECK(Slice().start() == 0);
  CHECK(Slice(1, None, 2).stop() == INDEX_MAX);
  const torch::Tensor x = torch::arange(6);
  CHECK(x.index({Slice(None, None, 2)}).sizes() == torch::IntArrayRef({3}));
  CHECK_THROWS_WITH(x.index({}),
                    ContainsSubstring("Passing an empty index list to Tensor::index() is not valid syntax"));
  CHECK_THROWS_WITH(torch::ones({2}).index_put_({}, torch::tensor(1)), ContainsSubstring("Tensor::index_put_()"));
  CHECK(torch::empty({0}).data_ptr() == nullptr);
  CHECK(x.data_ptr() != nullptr);
}

TEST_CASE("a transposed convolution with another padding mode is refused when it runs", "[compat]") {
  torch::nn::ConvTranspose2d layer(torch::nn::ConvTranspose2dOptions(1, 1, 2).padding_mode(torch::kCircular));
  CHECK_THROWS_WITH(layer(torch::ones({1, 1, 2, 2})),
                    ContainsSubstring("Only `zeros` padding mode is supported for ConvTranspose2d"));
}

TEST_CASE("functions refuse arguments in libtorch's words", "[compat]") {
  const auto fold = [](at::IntArrayRef sizes) {
    return F::fold(torch::ones(sizes), F::FoldFuncOptions({2, 2}, {2, 2}));
  };
  CHECK_THROWS_WITH(fold({1, 3, 2}), ContainsSubstring("divisible by the product of kernel_size, but got "
                                                       "input.size(1)=3 and kernel_size=(2, 2)"));
  CHECK_THROWS_WITH(fold({1, 4, 2}),
                    ContainsSubstring("Given output_size=(2, 2), kernel_size=(2, 2), dilation=(1, 1), padding=(0, 0), "
                                      "stride=(1, 1), expected size of input's dimension 2 to match the calculated "
                                      "number of sliding blocks 1 * 1 = 1, but got input.size(2)=2"));
  CHECK_THROWS_WITH(fold({1, 1, 4, 1}), ContainsSubstring("Input Error: Only unbatched (2D) or batched (3D) input "
                                                          "Tensors are supported (got 4D)"));
  const torch::Tensor image = torch::ones({1, 1, 2, 2});
  const auto resized = [](const torch::Tensor& x, const F::InterpolateFuncOptions& o) { return F::interpolate(x, o); };
  const std::vector<int64_t> four{4, 4}, three{4, 4, 4};
  CHECK_THROWS_WITH(resized(image, F::InterpolateFuncOptions()),
                    ContainsSubstring("either size or scale_factor should be defined"));
  CHECK_THROWS_WITH(resized(image, F::InterpolateFuncOptions().size(four).scale_factor(std::vector<double>{2, 2})),
                    ContainsSubstring("only one of size or scale_factor should be defined"));
  CHECK_THROWS_WITH(resized(image, F::InterpolateFuncOptions().size(three)),
                    ContainsSubstring("It is expected output_size equals to 2, but got size 3"));
  CHECK_THROWS_WITH(resized(image, F::InterpolateFuncOptions().size(four).align_corners(true)),
                    ContainsSubstring("align_corners option can only be set with the interpolating modes: linear | "
                                      "bilinear | bicubic | trilinear"));
  CHECK_THROWS_WITH(resized(image[0], F::InterpolateFuncOptions().size(four).mode(torch::kBilinear)),
                    ContainsSubstring("Got 3D input, but bilinear mode needs 4D input"));
  CHECK_THROWS_WITH(resized(image[0][0], F::InterpolateFuncOptions().size(four)),
                    ContainsSubstring("supported (got 2D) for the modes: nearest | linear | bilinear | bicubic | "
                                      "trilinear (got kNearest)"));
  CHECK_THROWS_WITH(
      F::affine_grid(torch::ones({1, 2, 2}), {1, 1, 2, 2}),
      ContainsSubstring("Expected a batch of 2D affine matrices of shape Nx2x3 for size [1, 1, 2, 2]. Got "
                        "[1, 2, 2]"));
  CHECK_THROWS_WITH(F::affine_grid(torch::ones({1, 2, 3}), {1, 1, 2}),
                    ContainsSubstring("affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, "
                                      "respectively. Got size [1, 1, 2]"));
  CHECK_THROWS_WITH(F::affine_grid(torch::ones({1, 2, 3}), {1, 1, 0, 2}),
                    ContainsSubstring("Expected non-zero, positive output size. Got [1, 1, 0, 2]"));
  CHECK_THROWS_WITH(F::ctc_loss(torch::rand({5, 2, 4}).log_softmax(2), torch::tensor({{1, 2}, {1, 2}}),
                                torch::tensor({6, 5}), torch::tensor({2, 2})),
                    ContainsSubstring("Expected input_lengths to have value at most 5, but got value 6"));
  torch::OrderedDict<std::string, int> dict;
  CHECK_THROWS_WITH(dict.front(), ContainsSubstring("Called front() on an empty OrderedDict"));
  CHECK_THROWS_WITH(dict[1], ContainsSubstring("Index 1 is out of bounds"));
}

TEST_CASE("choices have libtorch's names", "[compat]") {
  CHECK(torch::enumtype::get_enum_name(torch::kLSTM) == std::string("kLSTM"));
  CHECK(torch::enumtype::get_enum_name(torch::kRNN_TANH) == std::string("kRNN_TANH"));
  CHECK(torch::enumtype::get_enum_name(torch::enumtype::kConvTranspose2D()) == std::string("kConvTranspose2D"));
  CHECK(torch::enumtype::get_enum_name(torch::kNearestExact) == std::string("kNearestExact"));
}

TEST_CASE("hooks are removed twice, but not if there never was one", "[compat]") {
  const torch::Tensor x = torch::ones({2}, torch::requires_grad());
  const unsigned handle = x.register_hook([](const torch::Tensor& g) { return g * 2; });
  x.remove_hook(handle);
  x.remove_hook(handle);
  CHECK_THROWS_WITH(x.remove_hook(handle + 1000000), ContainsSubstring("Invalid index, no hook at position"));
}

TEST_CASE("the gradient of what is no leaf, and a recorded backward into leaves, are warned of", "[compat]") {
  const torch::Tensor x = torch::ones({2}, torch::requires_grad()), y = x * x;
  const auto of_grad = warnings_of([&] { y.grad(); });
  REQUIRE(of_grad.size() == 1);
  CHECK_THAT(of_grad[0],
             ContainsSubstring("The .grad attribute of a Tensor that is not a leaf Tensor is being accessed"));
  CHECK(warnings_of([&] { x.grad(); }).empty());
  y.retain_grad();
  CHECK(warnings_of([&] { y.grad(); }).empty());
  const auto of_backward = warnings_of([&] { y.sum().backward({}, std::nullopt, true); });
  REQUIRE(of_backward.size() == 1);
  CHECK_THAT(of_backward[0],
             ContainsSubstring("Using backward() with create_graph=True will create a reference cycle"));
  x.mutable_grad() = torch::Tensor();
}

TEST_CASE("anomaly mode warns of its cost and tells which call failed", "[compat]") {
  const auto heard = warnings_of([] {
    const torch::Tensor x = torch::zeros({1}, torch::requires_grad()), before = x.sqrt();
    const torch::autograd::DetectAnomalyGuard guard;
    CHECK_THROWS_WITH((x.sqrt() * 0).sum().backward(),
                      ContainsSubstring("Function 'SqrtBackward0' returned nan values in its 0th output"));
    CHECK_THROWS((before * 0).sum().backward());
  });
  REQUIRE(heard.size() == 3);
  CHECK_THAT(heard[0], ContainsSubstring("This mode should be enabled only for debugging"));
  CHECK_THAT(heard[1], ContainsSubstring("Error detected in SqrtBackward0. Traceback of forward call that caused"));
  CHECK_THAT(heard[2], ContainsSubstring("No forward pass information available."));
}

TEST_CASE("a loader whose workers have batches ready begins no second epoch", "[compat]") {
  auto loader = torch::data::make_data_loader(Numbers(), torch::data::DataLoaderOptions(2).workers(1));
  {
    auto batch = loader->begin();
    CHECK_THROWS_WITH(loader->begin(), ContainsSubstring("Attempted to get a new DataLoader iterator while another "
                                                         "iterator is not yet exhausted"));
    for (int i = 0; i < 4; ++i) ++batch;
    CHECK(batch == loader->end());
  }
  size_t examples = 0;
  for (const auto& batch : *loader) examples += batch.size();
  CHECK(examples == 8);
  auto alone = torch::data::make_data_loader(Numbers(), torch::data::DataLoaderOptions(2));
  alone->begin();
  CHECK_NOTHROW(alone->begin());
}

TEST_CASE("an undefined tensor has the shape of nothing, and no function takes it", "[compat]") {
  const torch::Tensor nothing;
  CHECK(nothing.sizes() == torch::IntArrayRef{0});
  CHECK(nothing.dim() == 1);
  CHECK(nothing.size(0) == 0);
  CHECK(nothing.numel() == 0);
  const torch::Tensor x = torch::ones({2, 2});
  CHECK_THROWS(nothing.sum());
  CHECK_THROWS(nothing.view({-1}));
  CHECK_THROWS(nothing.relu());
  CHECK_THROWS(nothing.clone());
  CHECK_THROWS(nothing.dtype());
  CHECK_THROWS(nothing.data_ptr());
  CHECK_THROWS(x + nothing);
  CHECK_THROWS(nothing.matmul(x));
  CHECK_THROWS(torch::hstack({x, nothing}));
  CHECK_THROWS(torch::mse_loss(nothing, x));
  CHECK_THROWS(torch::nn::Linear(2, 2)(nothing));
  CHECK_THROWS(F::cross_entropy(nothing, torch::zeros({2}, torch::kLong)));
}

TEST_CASE("dropout of a recurrent layer alone is warned of", "[compat]") {
  namespace nn = torch::nn;
  const auto heard = warnings_of([] {
    nn::LSTM(nn::LSTMOptions(2, 3).dropout(0.2));
    nn::GRU(nn::GRUOptions(2, 3).dropout(0.2));
    nn::RNN(nn::RNNOptions(2, 3).dropout(0.2));
    nn::LSTM(nn::LSTMOptions(2, 3).dropout(0.2).num_layers(2));
    nn::LSTM(nn::LSTMOptions(2, 3));
  });
  REQUIRE(heard.size() == 3);
  CHECK_THAT(heard[0], ContainsSubstring("dropout falls between layers"));
}

TEST_CASE("what interpolation takes where nothing is said is warned of, and dims that numpy_T reverses", "[compat]") {
  const auto heard = warnings_of([] {
    const torch::Tensor image = torch::ones({1, 1, 4, 4});
    const auto half = F::InterpolateFuncOptions().scale_factor(std::vector<double>{0.5, 0.5});
    F::interpolate(image, F::InterpolateFuncOptions().size(std::vector<int64_t>{2, 2}).mode(torch::kBilinear));
    F::interpolate(image, half);
    F::interpolate(image, F::InterpolateFuncOptions(half).recompute_scale_factor(true));
    F::interpolate(image, F::InterpolateFuncOptions().scale_factor(std::vector<double>{2, 2}));
    at::upsample_bilinear2d(image, std::nullopt, false, std::vector<double>{0.5, 0.5});
    image.numpy_T();
    image[0][0].numpy_T();
    image.sum().numpy_T();
  });
  REQUIRE(heard.size() == 3);
  CHECK_THAT(heard[0], ContainsSubstring("align_corners is false"));
  CHECK_THAT(heard[1], ContainsSubstring("recompute_scale_factor"));
  CHECK_THAT(heard[2], ContainsSubstring("numpy_T"));
}

TEST_CASE("instances of one element are normalised to nothing", "[compat]") {
  const torch::Tensor x = torch::tensor({{{3.f}, {-2.f}}}).requires_grad_(), bias = torch::tensor({5.f, 6.f});
  const torch::Tensor y = torch::instance_norm(x, torch::ones({2}), bias, {}, {}, true, 0.1, 1e-5, false);
  CHECK(torch::equal(y, bias.view({1, 2, 1})));
  y.sum().backward();
  CHECK(torch::equal(x.grad(), torch::zeros({1, 2, 1})));
  CHECK_NOTHROW(torch::nn::InstanceNorm2d(2)(torch::ones({1, 2, 1, 1})));
}

TEST_CASE("a module takes what it has of a file that has more", "[compat]") {
  namespace nn = torch::nn;
  std::stringstream file;
  nn::Sequential whole(nn::Linear(3, 4), nn::Linear(4, 2)), part(nn::Linear(3, 4)), other(nn::Conv2d(1, 1, 1));
  torch::save(whole, file);
  torch::load(part, file);
  CHECK(torch::equal(part->parameters()[0], whole->parameters()[0]));
  file.seekg(0);
  CHECK_THROWS(torch::load(other, file));
}

TEST_CASE("a plateau tells a new rate as streams print it", "[compat]") {
  torch::optim::SGD optimizer({torch::ones({1}, torch::requires_grad())}, 0.1);
  using Plateau = torch::optim::ReduceLROnPlateauScheduler;
  Plateau plateau(optimizer, Plateau::SchedulerMode::min, 0.5, 0, 1e-4, Plateau::ThresholdMode::rel, 0, {}, 1e-8, true);
  std::ostringstream printed;
  std::streambuf* const before = std::cout.rdbuf(printed.rdbuf());
  for (int i = 0; i < 3; ++i) plateau.step(1);
  std::cout.rdbuf(before);
  CHECK(printed.str() ==
        "Epoch 2: reducing learning rate of group 0 to 0.05\nEpoch 3: reducing learning rate of group 0 to 0.025\n");
}
