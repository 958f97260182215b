// Layers of networks, factors of matrices, Fourier transforms, and what views and recorded calls cost.
#include "families.h"

using torch::Tensor;
namespace F = torch::nn::functional;
namespace nn = torch::nn;

namespace {

Inputs images() { return {torch::randn({8, 64, 56, 56})}; }
Inputs matrix256() {
  const Tensor x = torch::randn({256, 256});
  return {torch::mm(x, x.t()) + torch::eye(256)};
}
Inputs tokens() { return {torch::randn({4096, 1024}), torch::ones({1024}), torch::zeros({1024})}; }

template <class Mode>
Tensor upsample(const Tensor& x, Mode mode) {
  return F::interpolate(x, F::InterpolateFuncOptions().scale_factor(std::vector<double>{2, 2}).mode(mode));
}

Inputs lstm_inputs() { return {torch::randn({64, 32, 128})}; }
Tensor lstm(const Inputs& in) {
  static nn::LSTM net(nn::LSTMOptions(128, 256));
  return std::get<0>(net->forward(in[0]));
}

constexpr Operation kLayers[] = {
    {"LSTM 128-256, 64 steps, batch 32", kForward | kBoth, lstm_inputs, lstm},
    {"bilinear upsampling x2 of 8x64x56x56", kForward | kBackward, images,
     [](const Inputs& in) { return upsample(in[0], torch::kBilinear); }},
    {"bicubic upsampling x2 of 8x64x56x56", kForward | kBackward, images,
     [](const Inputs& in) { return upsample(in[0], torch::kBicubic); }},
    {"nearest upsampling x2 of 8x64x56x56", kForward | kBackward, images,
     [](const Inputs& in) { return upsample(in[0], torch::kNearest); }},
    {"GroupNorm of 8 groups, 8x64x56x56", kForward | kBackward, images,
     [](const Inputs& in) { return F::group_norm(in[0], F::GroupNormFuncOptions(8)); }},
    {"batch_norm, training, 8x64x56x56", kForward | kBackward, images,
     [](const Inputs& in) { return torch::batch_norm(in[0], {}, {}, {}, {}, true, 0.1, 1e-5, false); }},
    {"layer_norm, 4096x1024", kForward | kBackward, tokens,
     [](const Inputs& in) { return torch::layer_norm(in[0], {1024}, in[1], in[2]); }},
    {"adaptive_avg_pool to 1, 8x64x56x56", kForward | kBackward, images,
     [](const Inputs& in) {
       return torch::adaptive_avg_pool2d(in[0], {1, 1});
     }},
    {"max_pool2d 3x3, 8x64x56x56", kForward | kBackward, images,
     [](const Inputs& in) {
       return torch::max_pool2d(in[0], {3, 3}, {2, 2}, {1, 1});
     }},
    {"avg_pool2d 2x2, 8x64x56x56", kForward | kBackward, images,
     [](const Inputs& in) {
       return torch::avg_pool2d(in[0], {2, 2});
     }},
    {"conv2d 512-512 3x3, 8x512x7x7", kForward | kBoth,
     [] {
       return Inputs{torch::randn({8, 512, 7, 7}), torch::randn({512, 512, 3, 3})};
     },
     [](const Inputs& in) { return torch::conv2d(in[0], in[1], {}, 1, 1); }},
    {"conv2d 64-64 3x3, 8x64x56x56", kForward | kBoth,
     [] {
       return Inputs{torch::randn({8, 64, 56, 56}), torch::randn({64, 64, 3, 3})};
     },
     [](const Inputs& in) { return torch::conv2d(in[0], in[1], {}, 1, 1); }},
    {"linear 1024-1024, batch 256", kForward | kBoth,
     [] {
       return Inputs{torch::randn({256, 1024}), torch::randn({1024, 1024}), torch::randn({1024})};
     },
     [](const Inputs& in) { return torch::linear(in[0], in[1], in[2]); }},
    {"attention, 8 heads of 64, 512 tokens, batch 4", kForward | kBoth,
     [] {
       return Inputs{torch::randn({4, 8, 512, 64}), torch::randn({4, 8, 512, 64}), torch::randn({4, 8, 512, 64})};
     },
     [](const Inputs& in) { return torch::scaled_dot_product_attention(in[0], in[1], in[2]); }},
};

constexpr Operation kNumbers[] = {
    {"eigh 256", kForward, matrix256, [](const Inputs& in) { return std::get<1>(torch::linalg_eigh(in[0])); }},
    {"qr 256", kForward, matrix256, [](const Inputs& in) { return std::get<0>(torch::linalg_qr(in[0])); }},
    {"svd 256", kForward, matrix256, [](const Inputs& in) { return std::get<1>(torch::linalg_svd(in[0])); }},
    {"cholesky 256", kForward | kBackward, matrix256, [](const Inputs& in) { return torch::linalg_cholesky(in[0]); }},
    {"solve 256", kForward | kBackward, matrix256, [](const Inputs& in) { return torch::linalg_solve(in[0], in[0]); }},
    {"rfft2 32x256x256", kForward,
     [] {
       return Inputs{torch::randn({32, 256, 256})};
     },
     [](const Inputs& in) { return torch::fft::rfft2(in[0]); }},
    {"fft 64x16384", kForward,
     [] {
       return Inputs{torch::randn({64, 16384}, torch::kComplexFloat)};
     },
     [](const Inputs& in) { return torch::fft::fft(in[0]); }},
    {"randn, 4M floats", kForward, [] { return Inputs{torch::zeros({1})}; },
     [](const Inputs&) {
       return torch::randn({4096, 1024});
     }},
    {"dropout", kForward,
     [] {
       return Inputs{torch::randn({4096, 1024})};
     },
     [](const Inputs& in) { return torch::dropout(in[0], 0.5, true); }},
};

/// Ten calls a measurement, so that the guard and the clock are not what is measured.
template <class Guard, class Call>
void call_row(const char* name, Call call) {
  row(
      name, 1,
      [=] {
        Guard guard;
        for (int i = 0; i < 10; ++i) benchmark::DoNotOptimize(call());
      },
      10);
}

void view_rows() {
  const Tensor m = torch::randn({8, 8});
  call_row<torch::NoGradGuard>("select, no grad", [=] { return m.select(0, 3); });
  call_row<torch::NoGradGuard>("transpose, no grad", [=] { return m.transpose(0, 1); });
  call_row<torch::NoGradGuard>("slice, no grad", [=] { return m.slice(0, 2, 6); });
  call_row<c10::InferenceMode>("view, inference mode", [=] { return m.view({64}); });
  call_row<c10::InferenceMode>("select, inference mode", [=] { return m.select(0, 3); });
}

}  // namespace

int main(int argc, char** argv) {
  torch::manual_seed(0);
  view_rows();
  for (const Operation& o : kLayers) rows_of(o);
  for (const Operation& o : kNumbers) rows_of(o);
  return run_rows(argc, argv);
}
