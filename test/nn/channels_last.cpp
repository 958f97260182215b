// Images and volumes whose channels lie last in memory: PyTorch's strides, values and gradients.
#include <sstream>

#include "test/nn/reference.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;
namespace F = strata::nn::functional;

namespace {

constexpr MemoryFormat kLast = MemoryFormat::ChannelsLast, kLast3d = MemoryFormat::ChannelsLast3d,
                       kPreserve = MemoryFormat::Preserve;

const test::Reference channels_last_cases("channels_last.safetensors");

void check_strides(const std::string& name, const Tensor& t) {
  INFO(name);
  const Tensor expected = channels_last_cases(name).find("s");
  REQUIRE(expected.defined());
  CHECK(tensor(t.strides().vec()).equal(expected));
}

Tensor weight(const std::string& name) { return channels_last_cases("weights").find(name); }

void check_channels_last(const std::string& name, MemoryFormat format, const std::function<Tensor(const Tensor&)>& f) {
  INFO(name);
  const serialize::InputArchive r = channels_last_cases(name);
  const Tensor x = r.find("x").to(format).requires_grad_();
  const Tensor y = f(x);
  check_strides(name, y);
  test::check_close("y", y, r.find("y"), 1e-5, 1e-5);
  y.backward(r.find("gy").contiguous(format));
  test::check_close("gx", x.grad(), r.find("gx"), 1e-5, 1e-5);
  CHECK(x.grad().is_contiguous(format));
  // Row-major ones give the same numbers, and in double too, by plain loops.
  CHECK(f(r.find("x")).is_contiguous());
  CHECK(f(r.find("x")).allclose(y.detach(), 1e-5, 1e-5));
}

}  // namespace

TEST_CASE("memory formats lay tensors out as PyTorch's") {
  const Tensor x = arange(0, 120).view({2, 3, 4, 5});
  check_strides("empty", empty({2, 3, 4, 5}, kLast));
  check_strides("empty", empty({2, 3, 4, 5}, TensorOptions(kDouble).memory_format(kLast)));
  check_strides("empty", empty({2, 3, 4, 5}, kDouble, kLast));
  check_strides("contiguous", x.contiguous(kLast));
  check_strides("contiguous", x.to(kLast));
  check_strides("contiguous", x.to(kDouble, false, false, kLast));
  check_strides("one_channel", ones({2, 1, 4, 5}).contiguous(kLast));
  check_strides("one_pixel", empty({2, 3, 1, 1}, kLast));
  check_strides("volume", ones({2, 3, 4, 5, 6}).to(kLast3d));
  check_strides("preserved", empty_like(x.to(kLast), {}, kPreserve));
  check_strides("preserved_transposed", zeros_like(ones({4, 5, 6}).transpose(0, 2), {}, kPreserve));
  check_strides("preserved_gaps", empty_like(ones({4, 6, 6}).slice(2, 0, 6, 2).permute({2, 0, 1}), {}, kPreserve));
  check_strides("cloned", x.to(kLast).clone(kPreserve));
  CHECK(x.to(kLast).equal(x));
  CHECK(x.to(kLast).clone(kPreserve).equal(x));
  CHECK(x.to(kLast).contiguous().is_contiguous());
  CHECK(full_like(x, 3, {}, kLast).is_contiguous(kLast));
  CHECK(ones_like(x.to(kLast), {}, kPreserve).equal(ones_like(x)));
  const Tensor last = x.contiguous(kLast);
  CHECK(last.contiguous(kLast).is_same(last));
}

TEST_CASE("the format that a tensor suggests is PyTorch's") {
  const Tensor x = ones({2, 3, 4, 5});
  const auto check_suggested = [](const std::string& name, const Tensor& t) {
    INFO(name);
    const Tensor expected = channels_last_cases("suggest_" + name).find("t");
    CHECK((t.suggest_memory_format() == kLast) == expected[0].item<bool>());
    CHECK(t.is_contiguous() == expected[1].item<bool>());
    CHECK(t.is_contiguous(kLast) == expected[2].item<bool>());
  };
  check_suggested("plain", x);
  check_suggested("last", x.to(kLast));
  check_suggested("part", x.to(kLast).narrow(1, 0, 2).slice(3, 0, 5, 2));
  check_suggested("one_channel", ones({2, 1, 4, 5}));
  check_suggested("pixel", empty({2, 3, 1, 1}, kLast));
  check_suggested("pixel_plain", ones({2, 3, 1, 1}));
  check_suggested("one_of_all", ones({2, 1, 1, 1}));
  check_suggested("three", ones({3, 4, 5}).permute({2, 0, 1}));
  CHECK(ones({2, 3, 4, 5, 6}).to(kLast3d).suggest_memory_format() == kLast3d);
  CHECK(x.to(kLast).narrow(1, 0, 2).suggest_memory_format() == kLast);
  CHECK(x.to(kLast).narrow(1, 0, 2).suggest_memory_format(/*channels_last_strides_exact_match=*/true) ==
        MemoryFormat::Contiguous);
  std::ostringstream text;
  text << kLast << ' ' << MemoryFormat::Contiguous;
  CHECK(text.str() == "ChannelsLast Contiguous");
}

TEST_CASE("memory formats that a tensor cannot have are errors") {
  CHECK_THROWS_WITH(ones({2, 3}).contiguous(kLast), ContainsSubstring("required rank 4 tensor"));
  CHECK_THROWS_WITH(ones({2, 3, 4, 5}).to(kLast3d), ContainsSubstring("required rank 5 tensor"));
  CHECK_THROWS_WITH(empty({2, 3}, kLast), ContainsSubstring("required rank 4 tensor"));
  CHECK_THROWS_WITH(ones({2}).contiguous(kPreserve), ContainsSubstring("unsupported"));
  CHECK_THROWS_WITH(empty({2, 3, 1, 1}, kLast, kLast), ContainsSubstring("given twice"));
}

TEST_CASE("images and volumes keep their channels last through convolutions, norms and pools") {
  const Tensor w = weight("w"), b = weight("b"), w3 = weight("w3"), wt = weight("wt"), none;
  check_channels_last("conv", kLast, [&](const Tensor& x) { return conv2d(x, w, b, 2, 1); });
  check_channels_last("conv", kLast, [&](const Tensor& x) {
    return conv2d(x, w.to(kLast), b, 2, 1).contiguous(x.suggest_memory_format());
  });
  check_channels_last("conv_groups", kLast,
                      [&](const Tensor& x) { return conv2d(x, w3.select(2, 0), none, 1, 1, 1, 2); });
  check_channels_last("conv3d", kLast3d, [&](const Tensor& x) { return conv3d(x, w3, b, 1, 1, 1, 2); });
  check_channels_last("conv_transpose", kLast, [&](const Tensor& x) { return conv_transpose2d(x, wt, none, 2, 1, 1); });
  check_channels_last("batch_norm", kLast, [&](const Tensor& x) {
    return batch_norm(x, b.narrow(0, 0, 4), b.narrow(0, 2, 4), none, none, true, 0.1, 1e-5);
  });
  check_channels_last("max_pool", kLast, [](const Tensor& x) { return max_pool2d(x, 3, 2, 1); });
  check_channels_last("avg_pool", kLast, [](const Tensor& x) { return avg_pool2d(x, 2); });
  check_channels_last("adaptive_avg_pool", kLast, [](const Tensor& x) { return adaptive_avg_pool2d(x, {3, 2}); });
}

TEST_CASE("channels last: whichever operand, type, gradient and size") {
  const Tensor x = randn({3, 16, 9, 8}), w = randn({32, 16, 3, 3}), y = conv2d(x, w, {}, 1, 1);
  CHECK(conv2d(x, w.to(kLast), {}, 1, 1).is_contiguous(kLast));  // as PyTorch: either operand says so
  CHECK(conv2d(x, w.to(kLast), {}, 1, 1).allclose(y, 1e-4, 1e-4));
  const Tensor exact = conv2d(x.to(kDouble), w.to(kDouble), {}, 1, 1);
  for (const DType dtype : {kDouble, kHalf, kBFloat16}) {
    const Tensor of_type = conv2d(x.to(dtype).to(kLast), w.to(dtype), {}, 1, 1);
    CHECK(of_type.is_contiguous(kLast));
    CHECK(of_type.equal(conv2d(x.to(dtype), w.to(dtype), {}, 1, 1)));
  }
  CHECK(conv2d(empty({0, 16, 9, 8}, kLast), w).sizes() == IntArrayRef({0, 32, 7, 6}));
  // Weight gradients: 12 channels are fewer than the primitive's 16, 64 images are cut into pieces.
  for (const int64_t channels : {12, 16, 3}) {
    const Tensor images = randn({64, channels, 6, 6}), kernel = randn({32, channels, 3, 3});
    const auto gradient = [&](const Tensor& from, DType dtype) {
      const Tensor k = kernel.to(dtype).detach().requires_grad_();
      const Tensor out = conv2d(from.to(dtype).to(from.suggest_memory_format()), k, {}, 1, 1);
      out.square().sum().backward();
      return k.grad().to(kDouble);
    };
    const Tensor expected = gradient(images, kDouble);
    const double scale = expected.abs().max().item<double>();
    CHECK((gradient(images.to(kLast), kFloat) - expected).abs().max().item<double>() < 1e-5 * scale);
  }
  // Many channels of few pixels, and groups, are cut by channels.
  struct Wide {
    int64_t images, in, out, groups;
  };
  for (const Wide& c : {Wide{1, 64, 256, 1}, Wide{2, 128, 128, 8}, Wide{1, 256, 64, 1}}) {
    const auto results = [&](MemoryFormat format, DType dtype) {
      manual_seed(2);
      const Tensor images = randn({c.images, c.in, 4, 4}).to(dtype).to(format).requires_grad_(),
                   kernel = randn({c.out, c.in / c.groups, 3, 3}).to(dtype).requires_grad_();
      const Tensor result = conv2d(images, kernel, {}, 1, 1, 1, c.groups);
      CHECK(result.is_contiguous(format));
      result.square().sum().backward();
      return std::vector<Tensor>{result.detach(), images.grad(), kernel.grad()};
    };
    const auto expected = results(MemoryFormat::Contiguous, kDouble), got = results(kLast, kFloat);
    for (size_t i = 0; i < got.size(); ++i) {
      const double scale = expected[i].abs().max().item<double>();
      CHECK((got[i].to(kDouble) - expected[i]).abs().max().item<double>() < 1e-5 * scale);
    }
  }
  // A network as it is trained, and its transforms.
  nn::Sequential net(nn::Conv2d(3, 8, 3), nn::BatchNorm2d(8), nn::MaxPool2d(2), nn::Conv2d(8, 4, 2));
  const Tensor image = randn({2, 3, 10, 10});
  net->eval();
  const Tensor plain = net->forward(image), last = net->forward(image.to(kLast));
  CHECK(last.is_contiguous(kLast));
  CHECK(last.allclose(plain, 1e-4, 1e-5));
  const auto one = [&](const Tensor& t) { return conv2d(t.unsqueeze(0), w, {}, 1, 1).squeeze(0); };
  CHECK(func::vmap(one)(x.to(kLast)).allclose(y, 1e-4, 1e-4));
}
