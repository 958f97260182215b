// Layers at the shapes that known networks have, each by itself: forward for one example as in serving, and a training
// pass, forward and the gradients of all operands, for a batch.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rows.h"

using torch::Tensor;
using Tensors = std::vector<Tensor>;

namespace {

using Make = std::function<Tensors()>;
using Call = std::function<Tensor(const Tensors&)>;

/// A call of inputs that are made when its row first runs, and let go of when the next row runs: all together would
/// not fit into memory.
class Operation {
 public:
  Operation(Make make, Call call) : make_(std::move(make)), call_(std::move(call)) {}

  void forward() {
    prepare(false);
    torch::NoGradGuard no_grad;
    benchmark::DoNotOptimize(call_(in()));
  }
  void train() {
    prepare(true);
    const Tensor out = call_(in());
    if (grad().sizes() != out.sizes()) grad() = torch::randn_like(out);
    Tensors wanted;
    for (const Tensor& x : in())
      if (x.requires_grad()) wanted.push_back(x);
    benchmark::DoNotOptimize(torch::autograd::grad({out}, wanted, {grad()}));
  }

 private:
  static Tensors& in() {
    static Tensors inputs;
    return inputs;
  }
  static Tensor& grad() {
    static Tensor of_output = torch::zeros({0});
    return of_output;
  }
  void prepare(bool needs_gradients) {
    static const void* last = nullptr;
    if (last == this) return;
    last = this;
    in() = make_();
    grad() = torch::zeros({0});
    if (!needs_gradients) return;
    for (Tensor& x : in())
      if (x.is_floating_point()) x.requires_grad_();
  }

  Make make_;
  Call call_;
};

void forward_row(const std::string& name, const Make& make, const Call& call) {
  for (const int threads : {1, 2}) row(name, threads, [o = std::make_shared<Operation>(make, call)] { o->forward(); });
}

void training_row(const std::string& name, const Make& make, const Call& call) {
  for (const int threads : {1, 2})
    row(name + ", training", threads, [o = std::make_shared<Operation>(make, call)] { o->train(); });
}

struct Convolution {
  const char* network;
  int64_t in, out, kernel, size, stride = 1, groups = 1, dilation = 1;
  bool is_transposed = false;

  std::string name(int64_t batch) const {
    std::string text = std::string(network) + ": conv " + std::to_string(in) + "-" + std::to_string(out) + " " +
                       std::to_string(kernel) + "x" + std::to_string(kernel);
    if (stride > 1) text += " by " + std::to_string(stride);
    if (groups > 1) text += ", " + std::to_string(groups) + " groups";
    if (dilation > 1) text += ", dilated " + std::to_string(dilation);
    if (is_transposed) text += ", transposed";
    return text + ", " + std::to_string(batch) + " of " + std::to_string(size);
  }
  void rows(int64_t training_batch, torch::Dtype dtype = torch::kFloat) const {
    const auto make = [c = *this, dtype](int64_t batch) {
      const int64_t other = (c.is_transposed ? c.out : c.in) / c.groups;
      return Tensors{torch::randn({batch, c.in, c.size, c.size}).to(dtype),
                     torch::randn({c.is_transposed ? c.in : c.out, other, c.kernel, c.kernel}).to(dtype)};
    };
    const auto call = [c = *this](const Tensors& in) {
      if (c.is_transposed) return torch::conv_transpose2d(in[0], in[1], {}, c.stride);
      return torch::conv2d(in[0], in[1], {}, c.stride, c.kernel / 2 * c.dilation, c.dilation, c.groups);
    };
    const std::string suffix = dtype == torch::kBFloat16 ? ", bfloat16" : "";
    forward_row(
        name(1) + suffix, [=] { return make(1); }, call);
    training_row(
        name(training_batch) + suffix, [=] { return make(training_batch); }, call);
  }
};

constexpr Convolution kConvolutions[] = {
    {"ResNet", 3, 64, 7, 224, 2},
    {"ResNet", 64, 64, 1, 56},
    {"ResNet", 64, 64, 3, 56},
    {"ResNet", 64, 256, 1, 56},
    {"ResNet", 256, 128, 1, 56},
    {"ResNet", 128, 128, 3, 56, 2},
    {"ResNet", 128, 512, 1, 28},
    {"ResNet", 256, 512, 1, 56, 2},
    {"ResNet", 256, 256, 3, 14},
    {"ResNet", 1024, 256, 1, 14},
    {"ResNet", 512, 512, 3, 7},
    {"ResNet", 512, 2048, 1, 7},
    {"ResNeXt", 128, 128, 3, 56, 1, 32},
    {"MobileNet", 3, 32, 3, 224, 2},
    {"MobileNet", 32, 32, 3, 112, 1, 32},
    {"MobileNet", 96, 96, 3, 112, 2, 96},
    {"MobileNet", 144, 144, 3, 56, 1, 144},
    {"MobileNet", 144, 24, 1, 56},
    {"MobileNet", 384, 384, 3, 14, 1, 384},
    {"MobileNet", 960, 960, 3, 7, 1, 960},
    {"MobileNet", 320, 1280, 1, 7},
    {"EfficientNet", 240, 240, 5, 28, 1, 240},
    {"ConvNeXt", 96, 96, 7, 56, 1, 96},
    {"ViT", 3, 768, 16, 224, 16},
    {"VGG", 64, 64, 3, 112},
    {"U-Net", 128, 64, 2, 56, 2, 1, 1, true},
    {"DCGAN", 512, 256, 4, 8, 2, 1, 1, true},
    {"DeepLab", 256, 256, 3, 28, 1, 1, 2},
    {"LeNet", 1, 6, 5, 28},
    {"digits", 16, 32, 3, 14},
};

struct Linear {
  const char* network;
  int64_t in, out;
};
constexpr Linear kLinears[] = {
    {"digits", 784, 128},  {"GPT-2", 768, 2304},   {"GPT-2", 768, 3072}, {"GPT-2", 3072, 768}, {"BERT", 768, 768},
    {"Llama", 2048, 5632}, {"ResNet", 2048, 1000}, {"ViT", 192, 576},    {"policy", 64, 64},   {"classifier", 512, 10}};

void linear_rows() {
  for (const Linear& l : kLinears)
    for (const auto dtype : {torch::kFloat, torch::kBFloat16, torch::kDouble}) {
      if (dtype != torch::kFloat && l.in != 768) continue;
      for (const int64_t rows : {1, 16, 256}) {
        const std::string name = std::string(l.network) + ": linear " + std::to_string(l.in) + "-" +
                                 std::to_string(l.out) + " of " + std::to_string(rows) +
                                 (dtype == torch::kBFloat16 ? ", bfloat16"
                                  : dtype == torch::kDouble ? ", double"
                                                            : "");
        const auto make = [=] {
          return Tensors{torch::randn({rows, l.in}).to(dtype), torch::randn({l.out, l.in}).to(dtype),
                         torch::randn({l.out}).to(dtype)};
        };
        const auto call = [](const Tensors& in) { return torch::linear(in[0], in[1], in[2]); };
        forward_row(name, make, call);
        if (rows > 1) training_row(name, make, call);
      }
    }
}

void attention_rows() {
  struct Attention {
    const char* name;
    int64_t batch, heads, queries, keys, width;
    bool is_causal;
  };
  for (const Attention& a :
       {Attention{"GPT-2: attention, 12 heads of 64, 512 tokens, causal", 1, 12, 512, 512, 64, true},
        {"GPT-2: attention, 1 token of 512", 1, 12, 1, 512, 64, false},
        {"BERT: attention, 12 heads of 64, 128 tokens, batch 8", 8, 12, 128, 128, 64, false},
        {"ViT: attention, 3 heads of 64, 197 tokens, batch 8", 8, 3, 197, 197, 64, false},
        {"Llama: attention, 16 heads of 128, 256 tokens, causal", 1, 16, 256, 256, 128, true}}) {
    const auto make = [=] {
      return Tensors{torch::randn({a.batch, a.heads, a.queries, a.width}),
                     torch::randn({a.batch, a.heads, a.keys, a.width}),
                     torch::randn({a.batch, a.heads, a.keys, a.width})};
    };
    const auto call = [=](const Tensors& in) {
      return torch::scaled_dot_product_attention(in[0], in[1], in[2], {}, 0.0, a.is_causal);
    };
    forward_row(a.name, make, call);
    training_row(a.name, make, call);
  }
}

void norm_rows() {
  for (const int64_t width : {192, 768, 4096}) {
    const std::string of = " of " + std::to_string(width) + ", 512 rows";
    const auto make = [=] { return Tensors{torch::randn({512, width}), torch::randn({width}), torch::randn({width})}; };
    const auto both = [&](const std::string& name, const Make& inputs, const Call& call) {
      forward_row(name, inputs, call);
      training_row(name, inputs, call);
    };
    both("layer_norm" + of, make, [=](const Tensors& in) { return torch::layer_norm(in[0], {width}, in[1], in[2]); });
    both(
        "rms_norm" + of,
        [=] {
          return Tensors{torch::randn({512, width}), torch::randn({width})};
        },
        [=](const Tensors& in) { return torch::rms_norm(in[0], {width}, in[1]); });
    const auto one = [=] { return Tensors{torch::randn({512, width})}; };
    both("gelu" + of, one, [](const Tensors& in) { return torch::gelu(in[0]); });
    both("silu" + of, one, [](const Tensors& in) { return torch::silu(in[0]); });
    both("softmax" + of, one, [](const Tensors& in) { return torch::softmax(in[0], -1); });
  }
  struct Maps {
    int64_t channels, size;
  };
  for (const Maps& m : {Maps{64, 112}, {256, 56}, {1024, 14}, {2048, 7}}) {
    const std::string of =
        " of 8x" + std::to_string(m.channels) + "x" + std::to_string(m.size) + "x" + std::to_string(m.size);
    const auto make = [=] {
      return Tensors{torch::randn({8, m.channels, m.size, m.size}), torch::randn({m.channels}),
                     torch::randn({m.channels})};
    };
    const auto mean = torch::zeros({m.channels}), var = torch::ones({m.channels});
    training_row("batch_norm" + of, make, [=](const Tensors& in) {
      return torch::batch_norm(in[0], in[1], in[2], mean, var, true, 0.1, 1e-5, false);
    });
    forward_row("batch_norm" + of + ", evaluated", make, [=](const Tensors& in) {
      return torch::batch_norm(in[0], in[1], in[2], mean, var, false, 0.1, 1e-5, false);
    });
    training_row("group_norm" + of, make,
                 [=](const Tensors& in) { return torch::group_norm(in[0], 32, in[1], in[2]); });
    const auto one = [=] { return Tensors{torch::randn({8, m.channels, m.size, m.size})}; };
    training_row("relu" + of, one, [](const Tensors& in) { return torch::relu(in[0]); });
    training_row("mean over pictures" + of, one, [](const Tensors& in) { return in[0].mean({2, 3}); });
    training_row("max_pool2d 3x3 by 2" + of, one, [](const Tensors& in) { return torch::max_pool2d(in[0], 3, 2, 1); });
  }
}

void word_rows() {
  const auto tokens = [](int64_t rows) { return torch::randint(50257, {rows}, torch::kLong); };
  const auto table = [=] { return Tensors{torch::randn({50257, 256}), tokens(1024)}; };
  training_row("embedding 50257x256 of 1024 words", table,
               [](const Tensors& in) { return torch::embedding(in[0], in[1]); });
  training_row(
      "cross_entropy of 256 words of 50257",
      [=] {
        return Tensors{torch::randn({256, 50257}), tokens(256)};
      },
      [](const Tensors& in) { return torch::cross_entropy_loss(in[0], in[1]); });
  training_row(
      "cross_entropy of 128 of 10",
      [] {
        return Tensors{torch::randn({128, 10}), torch::randint(10, {128}, torch::kLong)};
      },
      [](const Tensors& in) { return torch::cross_entropy_loss(in[0], in[1]); });
  struct Recurrent {
    int64_t in, hidden, steps, batch;
  };
  for (const Recurrent& r : {Recurrent{64, 128, 100, 1}, {256, 512, 32, 16}, {1, 32, 50, 64}}) {
    const std::string of = " " + std::to_string(r.in) + "-" + std::to_string(r.hidden) + ", " +
                           std::to_string(r.steps) + " steps, batch " + std::to_string(r.batch);
    const auto make = [=](int64_t gates) {
      return Tensors{torch::randn({r.steps, r.batch, r.in}), torch::zeros({1, r.batch, r.hidden}),
                     torch::randn({gates * r.hidden, r.in}) * 0.1, torch::randn({gates * r.hidden, r.hidden}) * 0.1};
    };
    const auto lstm = [](const Tensors& in) {
      return std::get<0>(torch::lstm(in[0], {in[1], in[1]}, {in[2], in[3]}, false, 1, 0, true, false, false));
    };
    const auto gru = [](const Tensors& in) {
      return std::get<0>(torch::gru(in[0], in[1], {in[2], in[3]}, false, 1, 0, true, false, false));
    };
    forward_row(
        "lstm" + of, [=] { return make(4); }, lstm);
    training_row(
        "lstm" + of, [=] { return make(4); }, lstm);
    forward_row(
        "gru" + of, [=] { return make(3); }, gru);
    training_row(
        "gru" + of, [=] { return make(3); }, gru);
  }
}

}  // namespace

int main(int argc, char** argv) {
  torch::manual_seed(0);
  for (const Convolution& c : kConvolutions) c.rows(c.size > 100 ? 4 : 16);
  for (const Convolution& c : kConvolutions)
    if (c.in == 256 || c.in == 144) c.rows(16, torch::kBFloat16);
  linear_rows();
  attention_rows();
  norm_rows();
  word_rows();
  return run_rows(argc, argv);
}
