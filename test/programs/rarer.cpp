// Programs of modules for three dims, and of layers that are rarer.
#include <torch/torch.h>

#include "test/programs/filling.h"
#include "test/programs/programs.h"

namespace programs {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;

#ifndef AWAITS_NN3D
const Program convolutions("convolutions of volumes", [](std::ostream& out) {
  auto conv = half_filled(nn::Conv3d(nn::Conv3dOptions(1, 2, {2, 2, 1}).stride(1).padding({1, 0, 0}).bias(false)));
  show(out, "Conv3d", conv(waves({1, 1, 2, 3, 2})));
  auto back = half_filled(nn::ConvTranspose3d(nn::ConvTranspose3dOptions(1, 1, 2).stride(2)));
  show(out, "ConvTranspose3d", back(waves({1, 1, 1, 2, 2})));
  show(out, "F", F::conv3d(waves({1, 1, 2, 2, 2}), waves({1, 1, 2, 2, 2})));
  out << conv << back << '\n';
});

const Program pools("pools of volumes", [](std::ostream& out) {
  const auto x = waves({1, 1, 2, 4, 4});
  show(out, "MaxPool3d", nn::MaxPool3d(2)(x));
  show(out, "AvgPool3d", nn::AvgPool3d(nn::AvgPool3dOptions(2).stride(1))(x));
  show(out, "AdaptiveAvgPool3d", nn::AdaptiveAvgPool3d(nn::AdaptiveAvgPool3dOptions({1, 2, 3}))(x));
  show(out, "AdaptiveMaxPool3d", nn::AdaptiveMaxPool3d(2)(x));
  out << nn::MaxPool3d(2) << nn::AvgPool3d(nn::AvgPool3dOptions(2).stride(1)) << '\n';
});

const Program pads("pads and norms of volumes", [](std::ostream& out) {
  const auto x = waves({1, 1, 1, 2, 2});
  show(out, "ConstantPad3d", nn::ConstantPad3d(nn::ConstantPad3dOptions(1, 0.5))(x));
  show(out, "ReplicationPad3d", nn::ReplicationPad3d(nn::ReplicationPad3dOptions({1, 0, 0, 1, 0, 0}))(x));
  show(out, "BatchNorm3d", nn::BatchNorm3d(2)(waves({1, 2, 1, 2, 2})));
  show(out, "InstanceNorm3d", nn::InstanceNorm3d(2)(waves({1, 2, 1, 2, 2})));
  nn::Dropout3d dropout(0.5);
  dropout->eval();
  show(out, "Dropout3d", dropout(x));
  out << nn::ConstantPad3d(nn::ConstantPad3dOptions(1, 0.5)) << nn::BatchNorm3d(2) << nn::Dropout3d(0.25) << '\n';
});
#endif

#ifndef AWAITS_ADAPTIVE_SOFTMAX
const Program adaptive("AdaptiveLogSoftmaxWithLoss", [](std::ostream& out) {
  auto layer =
      half_filled(nn::AdaptiveLogSoftmaxWithLoss(nn::AdaptiveLogSoftmaxWithLossOptions(4, 10, {3, 6}).div_value(2.)));
  const auto x = waves({3, 4});
  const auto result = layer(x, torch::tensor({1, 4, 9}));
  show(out, "output", result.output);
  out << result.loss << '\n';
  show(out, "log_prob", layer->log_prob(x));
  show(out, "predict", layer->predict(x));
  for (const auto& p : layer->named_parameters()) out << p.key() << p.value().sizes() << ' ';
  out << '\n';
});
#endif

const Program one_dim("layers of lines", [](std::ostream& out) {
  const auto x = waves({1, 2, 4});
  show(out, "ReflectionPad1d", nn::ReflectionPad1d(nn::ReflectionPad1dOptions({1, 2}))(x));
  show(out, "ConstantPad1d", nn::ConstantPad1d(nn::ConstantPad1dOptions({1, 2}, 7))(x));
  show(out, "BatchNorm1d", nn::BatchNorm1d(2)(x));
  show(out, "AdaptiveAvgPool1d", nn::AdaptiveAvgPool1d(3)(x));
  show(out, "AdaptiveMaxPool1d", std::get<1>(nn::AdaptiveMaxPool1d(2)->forward_with_indices(x)));
  nn::Dropout dropout(nn::DropoutOptions(0.3).inplace(true));
  out << dropout << nn::ReflectionPad1d(2) << nn::ConstantPad1d(3, 3.5) << '\n';
});

const Program planes("layers of planes", [](std::ostream& out) {
  const auto x = waves({1, 2, 3, 3});
  show(out, "ReplicationPad2d", nn::ReplicationPad2d(nn::ReplicationPad2dOptions({1, 0, 0, 2}))(x));
  show(out, "InstanceNorm2d", nn::InstanceNorm2d(nn::InstanceNorm2dOptions(2).affine(true))(x));
  show(out, "AdaptiveMaxPool2d", nn::AdaptiveMaxPool2d(2)(x));
  show(out, "MaxPool2d dilated", nn::MaxPool2d(nn::MaxPool2dOptions(2).stride(1).dilation(2))(x));
  out << nn::ReplicationPad2d(nn::ReplicationPad2dOptions({1, 0, 0, 2}))
      << nn::InstanceNorm2d(nn::InstanceNorm2dOptions(2).affine(true))
      << nn::MaxPool2d(nn::MaxPool2dOptions(2).stride(1).dilation(2)) << '\n';
});

struct BlockImpl : nn::Module {
  BlockImpl(int64_t in, int64_t planes, int64_t stride)
      : conv1(nn::Conv2dOptions(in, planes, 3).stride(stride).padding(1).bias(false)),
        bn1(planes),
        conv2(nn::Conv2dOptions(planes, planes, 3).padding(1).bias(false)),
        bn2(planes) {
    register_module("conv1", conv1);
    register_module("bn1", bn1);
    register_module("conv2", conv2);
    register_module("bn2", bn2);
    if (stride != 1 || in != planes) {
      shortcut = nn::Sequential(nn::Conv2d(nn::Conv2dOptions(in, planes, 1).stride(stride).bias(false)),
                                nn::BatchNorm2d(planes));
      register_module("shortcut", shortcut);
    }
  }
  torch::Tensor forward(torch::Tensor x) {
    auto y = torch::relu(bn1(conv1(x)));
    y = bn2(conv2(y));
    y += shortcut->is_empty() ? x : shortcut->forward(x);
    return torch::relu(y);
  }
  nn::Conv2d conv1;
  nn::BatchNorm2d bn1;
  nn::Conv2d conv2;
  nn::BatchNorm2d bn2;
  nn::Sequential shortcut;
};
TORCH_MODULE(Block);

const Program residual("a residual network", [](std::ostream& out) {
  nn::Sequential net(Block(1, 2, 1), Block(2, 3, 2), nn::AdaptiveAvgPool2d(1), nn::Flatten(), nn::Linear(3, 2));
  half_filled(net);
  net->eval();
  show(out, "y", net->forward(waves({2, 1, 6, 6})));
  out << net->parameters().size() << ' ' << net->buffers().size() << '\n';
  for (const auto& p : net->named_parameters()) out << p.key() << ' ';
  out << '\n' << net << '\n';
});

struct AutoencoderImpl : nn::Module {
  AutoencoderImpl() {
    encoder = register_module("encoder", nn::Sequential(nn::Linear(6, 4), nn::ReLU(), nn::Linear(4, 4)));
    decoder = register_module("decoder", nn::Sequential(nn::Linear(2, 4), nn::ReLU(), nn::Linear(4, 6), nn::Sigmoid()));
  }
  std::tuple<torch::Tensor, torch::Tensor, torch::Tensor> forward(const torch::Tensor& x, const torch::Tensor& noise) {
    const auto parts = encoder->forward(x).chunk(2, 1);
    const auto z = parts[0] + noise * (parts[1] / 2).exp();
    return {decoder->forward(z), parts[0], parts[1]};
  }
  nn::Sequential encoder{nullptr}, decoder{nullptr};
};
TORCH_MODULE(Autoencoder);

const Program convolutional_autoencoder("a variational autoencoder", [](std::ostream& out) {
  Autoencoder model;
  model->to(torch::kFloat64);
  half_filled(model);
  torch::optim::Adam optimizer(model->parameters(), 0.01);
  const auto x = waves({5, 6}).to(torch::kFloat64).abs(), noise = waves({5, 2}, 2.3).to(torch::kFloat64);
  for (int i = 0; i < 4; ++i) {
    const auto [y, mu, log_var] = model->forward(x, noise);
    const auto loss = F::binary_cross_entropy(y, x, F::BinaryCrossEntropyFuncOptions().reduction(torch::kSum)) -
                      0.5 * torch::sum(1 + log_var - mu.pow(2) - log_var.exp());
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    out << loss.item<double>() << '\n';
  }
});

const Program parallel("modules in parallel functions", [](std::ostream& out) {
  auto a = half_filled(nn::Linear(2, 2));
  std::vector<std::shared_ptr<nn::Module>> replicas;
  for (int i = 0; i < 3; ++i) replicas.push_back(a->clone());
  torch::Tensor sum = torch::zeros({1, 2});
  for (const auto& r : replicas) sum += r->as<nn::Linear>()->forward(waves({1, 2}));
  show(out, "sum", sum);
  show(out, "one", a(waves({1, 2})));
});

}  // namespace
}  // namespace programs
