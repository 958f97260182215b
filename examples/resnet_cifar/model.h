// The residual networks that He et al. (2016) trained on CIFAR-10.
#pragma once
#include <strata/strata.h>

namespace cifar {

namespace nn = strata::nn;
using strata::Tensor;

/// Two convolutions around which the input goes as well; where the shape changes, through a 1x1 convolution.
struct BlockImpl : nn::Module {
  BlockImpl(int64_t in, int64_t out, int64_t stride)
      : body(register_module("body", nn::Sequential(conv(in, out, 3, stride), nn::BatchNorm2d(out), nn::ReLU(),
                                                    conv(out, out, 3, 1), nn::BatchNorm2d(out)))) {
    if (in != out || stride != 1)
      shortcut = register_module("shortcut", nn::Sequential(conv(in, out, 1, stride), nn::BatchNorm2d(out)));
  }
  static nn::Conv2d conv(int64_t in, int64_t out, int64_t kernel, int64_t stride) {
    return nn::Conv2d(nn::Conv2dOptions(in, out, kernel).stride(stride).padding(kernel / 2).bias(false));
  }
  Tensor forward(const Tensor& x) { return strata::relu(body->forward(x) + (shortcut ? shortcut->forward(x) : x)); }

  nn::Sequential body, shortcut = nullptr;
};
STRATA_MODULE(Block);

/// Pictures `(N, 3, 32, 32)` to the logits of ten classes: `blocks` blocks at each of three sizes.
struct ResNetImpl : nn::Module {
  ResNetImpl(int64_t blocks, int64_t width) {
    net->push_back(BlockImpl::conv(3, width, 3, 1));
    net->push_back(nn::BatchNorm2d(width));
    net->push_back(nn::ReLU());
    int64_t in = width;
    for (const int64_t out : {width, 2 * width, 4 * width})
      for (int64_t i = 0; i < blocks; ++i) {
        net->push_back(Block(in, out, i == 0 && out != width ? 2 : 1));
        in = out;
      }
    net->push_back(nn::AdaptiveAvgPool2d(1));
    net->push_back(nn::Flatten());
    net->push_back(nn::Linear(in, 10));
  }
  Tensor forward(const Tensor& pictures) { return net->forward(pictures); }

  nn::Sequential net = register_module("net", nn::Sequential());
};
STRATA_MODULE(ResNet);

}  // namespace cifar
