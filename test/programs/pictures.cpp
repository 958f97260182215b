// Programs of computer vision: a U-Net, and regions and boxes of detectors.
#include <algorithm>

#include "test/programs/filling.h"
#include "test/programs/programs.h"

namespace programs {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;
using torch::indexing::Ellipsis;
using torch::indexing::None;
using torch::indexing::Slice;

struct DoubleConvImpl : nn::SequentialImpl {
  DoubleConvImpl(int64_t in, int64_t out)
      : nn::SequentialImpl(nn::Conv2d(nn::Conv2dOptions(in, out, /*kernel_size=*/3).padding(torch::kSame).bias(false)),
                           nn::BatchNorm2d(nn::BatchNorm2dOptions(out).momentum(0.2)),
                           nn::ReLU(nn::ReLUOptions().inplace(true)),
                           nn::Conv2d(nn::Conv2dOptions(out, out, 3).padding(1).padding_mode(torch::kReflect)),
                           nn::GroupNorm(2, out), nn::SiLU()) {}
  using nn::SequentialImpl::forward;
};
TORCH_MODULE(DoubleConv);

class UNetImpl : public nn::Module {
 public:
  UNetImpl(int64_t channels, int64_t classes, std::vector<int64_t> widths, bool bilinear) : bilinear_(bilinear) {
    int64_t in = channels;
    for (const auto width : widths) {
      down_->push_back(DoubleConv(in, width));
      in = width;
    }
    register_module("down", down_);
    for (size_t i = widths.size() - 1; i > 0; --i) {
      if (bilinear)
        up_->push_back(nn::Sequential(nn::Upsample(nn::UpsampleOptions()
                                                       .scale_factor(std::vector<double>({2, 2}))
                                                       .mode(torch::kBilinear)
                                                       .align_corners(true)),
                                      nn::Conv2d(nn::Conv2dOptions(widths[i], widths[i - 1], 1))));
      else
        up_->push_back(nn::ConvTranspose2d(nn::ConvTranspose2dOptions(widths[i], widths[i - 1], 2).stride(2)));
      join_->push_back(DoubleConv(widths[i], widths[i - 1]));
    }
    register_module("up", up_);
    register_module("join", join_);
    head_ = register_module("head", nn::Conv2d(nn::Conv2dOptions(widths.front(), classes, {1, 1})));
  }

  torch::Tensor forward(torch::Tensor x) {
    std::vector<torch::Tensor> skips;
    for (size_t i = 0; i < down_->size(); ++i) {
      x = down_[i]->as<DoubleConv>()->forward(x);
      if (i + 1 == down_->size()) break;
      skips.push_back(x);
      x = torch::max_pool2d(x, 2);
    }
    for (size_t i = 0; i < up_->size(); ++i) {
      if (bilinear_)
        x = up_->ptr<nn::SequentialImpl>(i)->forward(x);
      else
        x = up_->at<nn::ConvTranspose2dImpl>(i).forward(x);
      const auto& skip = skips[skips.size() - 1 - i];
      const int64_t dy = skip.size(2) - x.size(2), dx = skip.size(3) - x.size(3);
      x = F::pad(x, F::PadFuncOptions({dx / 2, dx - dx / 2, dy / 2, dy - dy / 2}).mode(torch::kConstant).value(0));
      x = std::static_pointer_cast<DoubleConvImpl>((*join_)[i])->forward(torch::cat({skip, x}, 1));
    }
    return head_(x);
  }

 private:
  bool bilinear_;
  nn::ModuleList down_, up_, join_;
  nn::Conv2d head_{nullptr};
};
TORCH_MODULE(UNet);

torch::Tensor dice_loss(const torch::Tensor& logits, const torch::Tensor& target, double smooth = 1.) {
  const auto p = F::softmax(logits, F::SoftmaxFuncOptions(1));
  const auto t = F::one_hot(target, logits.size(1)).permute({0, 3, 1, 2}).to(p.dtype());
  const auto both = (p * t).sum({0, 2, 3}), all = (p + t).sum(c10::IntArrayRef{0, 2, 3});
  return 1 - ((2 * both + smooth) / (all + smooth)).mean();
}

const Program unet("a U-Net that segments", [](std::ostream& out) {
  for (const bool bilinear : {false, true}) {
    UNet net(1, 3, std::vector<int64_t>{2, 4, 8}, bilinear);
    filled(net)->to(torch::kFloat64);
    torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.05).momentum(0.9).nesterov(true));
    const auto image = fine_waves({2, 1, 11, 9});
    const auto target = image.index({Slice(), 0}).mul(1.5).round().to(torch::kLong).clamp(-1, 1) + 1;
    const auto weights = torch::tensor({1.0, 2.0, 0.5}, image.options());
    for (int step = 0; step < 3; ++step) {
      optimizer.zero_grad();
      const auto logits = net->forward(image);
      const auto entropy =
          F::cross_entropy(logits, target, F::CrossEntropyFuncOptions().weight(weights).ignore_index(2));
      const auto loss = entropy + dice_loss(logits, target);
      loss.backward();
      optimizer.step();
      show(out, "loss", torch::stack({entropy, loss}));
    }
    net->eval();
    torch::InferenceMode guard;
    const auto mask = net(image).argmax(1);
    out << mask.sizes() << mask.eq(target).sum().item<int>() << ' ' << torch::bincount(mask.flatten(), {}, 3) << '\n';
    int64_t count = 0;
    for (const auto& p : net->named_parameters()) count += p.value().numel();
    out << count << ' ' << net->named_buffers().size() << ' ' << net->children().size() << '\n';
    if (bilinear) out << *net->named_children()["up"] << '\n' << *net->named_modules()["head"] << '\n';
  }
});

torch::Tensor box_area(const torch::Tensor& boxes) {
  return (boxes.select(1, 2) - boxes.select(1, 0)) * (boxes.index({"...", 3}) - boxes.index({"...", 1}));
}
torch::Tensor box_iou(const torch::Tensor& a, const torch::Tensor& b) {
  const auto left =
      torch::max(a.index({Slice(), None, Slice(None, 2)}), b.index({Slice(), Slice(torch::indexing::None, 2)}));
  const auto right = torch::min(a.index({Slice(), None, Slice(2)}), b.index({Ellipsis, Slice(2, None)}));
  const auto sides = (right - left).clamp_min(0);
  const auto shared = sides.index({Slice(), Slice(), 0}) * sides.index({Slice(), Slice(), 1});
  return shared / (box_area(a).unsqueeze(1) + box_area(b) - shared);
}

/// Greedy suppression over the memory itself, as kernels write it.
template <typename scalar_t>
torch::Tensor nms_kernel(const torch::Tensor& dets, const torch::Tensor& scores, double threshold) {
  TORCH_CHECK(dets.dim() == 2 && dets.size(1) == 4, "boxes should be (N, 4), got ", dets.sizes());
  TORCH_CHECK_EQ(dets.size(0), scores.size(0));
  if (dets.numel() == 0) return at::empty({0}, dets.options().dtype(at::kLong));
  const auto x1 = dets.select(1, 0).contiguous(), y1 = dets.select(1, 1).contiguous(),
             x2 = dets.select(1, 2).contiguous(), y2 = dets.select(1, 3).contiguous();
  const at::Tensor areas = (x2 - x1) * (y2 - y1);
  const auto order = std::get<1>(scores.sort(/*stable=*/true, /*dim=*/0, /*descending=*/true));
  const auto n = dets.size(0);
  at::Tensor suppressed = at::zeros({n}, dets.options().dtype(at::kByte)), keep = at::zeros({n}, at::kLong);
  auto* gone = suppressed.data_ptr<uint8_t>();
  auto* kept = keep.data_ptr<int64_t>();
  const auto* ranks = order.const_data_ptr<int64_t>();
  const scalar_t *left = x1.data_ptr<scalar_t>(), *top = y1.data_ptr<scalar_t>(), *right = x2.data_ptr<scalar_t>(),
                 *bottom = y2.data_ptr<scalar_t>(), *area = areas.data_ptr<scalar_t>();
  int64_t count = 0;
  for (const auto i : c10::irange(n)) {
    const auto a = ranks[i];
    if (gone[a]) continue;
    kept[count++] = a;
    for (const auto j : c10::irange(i + 1, n)) {
      const auto b = ranks[j];
      const auto width = std::max<scalar_t>(0, std::min(right[a], right[b]) - std::max(left[a], left[b]));
      const auto height = std::max<scalar_t>(0, std::min(bottom[a], bottom[b]) - std::max(top[a], top[b]));
      const auto shared = width * height;
      if (shared / (area[a] + area[b] - shared) > threshold) gone[b] = 1;
    }
  }
  return keep.narrow(/*dim=*/0, /*start=*/0, /*length=*/count);
}
torch::Tensor nms(const torch::Tensor& dets, const torch::Tensor& scores, double threshold) {
  auto result = at::empty({0}, dets.options());
  AT_DISPATCH_FLOATING_TYPES(dets.scalar_type(), "nms",
                             [&] { result = nms_kernel<scalar_t>(dets, scores, threshold); });
  return result;
}
torch::Tensor batched_nms(const torch::Tensor& boxes, const torch::Tensor& scores, const torch::Tensor& labels,
                          double t) {
  const auto offsets = labels.to(boxes) * (boxes.max() + torch::tensor(1.0).to(boxes));
  return nms(boxes + offsets.index({Slice(), None}), scores, t);
}
/// The mean of `samples` bilinear looks into each bin of each box.
torch::Tensor roi_align(const torch::Tensor& input, const torch::Tensor& rois, double scale, int64_t bins) {
  const auto boxes = rois.index({Slice(), Slice(1, 5)}) * scale - 0.5;
  const auto steps = (torch::arange(bins, input.options()) + 0.5) / bins;
  const auto x = boxes.index({Slice(), Slice(0, 1)}) +
                 (boxes.index({Slice(), 2}) - boxes.index({Slice(), 0})).unsqueeze(1) * steps;
  const auto y = boxes.index({Slice(), Slice(1, 2)}) +
                 (boxes.index({Slice(), 3}) - boxes.index({Slice(), 1})).unsqueeze(-1) * steps;
  const double width = input.size(-1), height = input.size(-2);
  const auto grid = torch::stack({((x * 2 + 1) / width - 1).unsqueeze(1).expand({-1, bins, -1}),
                                  ((y * 2 + 1) / height - 1).unsqueeze(2).expand({-1, -1, bins})},
                                 -1);
  const auto images = input.index({rois.select(1, 0).to(torch::kInt64)});
  return F::grid_sample(
      images, grid,
      F::GridSampleFuncOptions().mode(torch::kBilinear).padding_mode(torch::kBorder).align_corners(false));
}

const Program detection("boxes, suppression and regions of a detector", [](std::ostream& out) {
  auto anchors = std::vector<torch::Tensor>{};
  for (const float size : {2.f, 4.f})
    for (const float ratio : {0.5f, 1.f}) {
      const float w = size * std::sqrt(1 / ratio), h = size * std::sqrt(ratio);
      anchors.push_back(torch::tensor({-w / 2, -h / 2, w / 2, h / 2}));
    }
  const auto grids = torch::meshgrid({torch::arange(0, 9, 3), torch::arange(0, 9, 4)}, "ij");
  const auto shifts = torch::stack({grids[1], grids[0], grids[1], grids[0]}, 2).reshape({-1, 1, 4});
  auto boxes = (shifts + torch::stack(anchors).unsqueeze(0)).reshape({-1, 4}).to(torch::kFloat);
  const auto deltas = waves({boxes.size(0), 4}, 0.37) * 0.4;
  const auto sizes = boxes.index({Slice(), Slice(2)}) - boxes.index({Slice(), Slice(None, 2)});
  const auto centers = boxes.slice(1, 0, 2) + 0.5 * sizes + deltas.slice(1, 0, 2) * sizes;
  const auto extents = sizes * torch::exp(deltas.narrow(1, 2, 2).clamp_max(std::log(1000. / 16)));
  boxes = torch::cat({centers - extents / 2, centers + extents / 2}, -1);
  boxes.index({Ellipsis, Slice(0, None, 2)}).clamp_(0, 9);
  boxes.index({Ellipsis, Slice(1, None, 2)}).clamp_(0, 7);
  const auto large = torch::where(((boxes.index({Slice(), 2}) - boxes.index({Slice(), 0})) >= 1.0)
                                      .__and__((boxes.index({Slice(), 3}) - boxes.index({Slice(), 1})) >= 1.0))[0];
  boxes = boxes.index({large});
  const auto scores = torch::sigmoid(waves({boxes.size(0)}, 1.3) * 2);
  out << boxes.sizes() << large.numel() << '\n';
  const auto [best, order] = scores.topk(std::min<int64_t>(12, scores.numel()));
  const auto chosen = boxes.index_select(0, order);
  show(out, "best", best);
  show(out, "iou", box_iou(chosen.slice(0, 0, 3), chosen));
  show(out, "kept", order.index({nms(chosen, best, 0.3)}));
  const auto labels = torch::arange(chosen.size(0)).remainder(3);
  show(out, "by label", batched_nms(chosen.to(torch::kFloat64), best.to(torch::kFloat64), labels, 0.5));
  fails<c10::Error>(out, "nms", "boxes should be (N, 4)", [&] { nms(boxes.select(1, 0), scores, 0.5); });
  const auto truth = torch::tensor({{1.f, 1.f, 4.f, 4.f}, {3.f, 2.f, 8.f, 6.f}});
  auto [overlap, matches] = box_iou(truth, boxes).max(0);
  matches.masked_fill_(overlap < 0.3, -2);
  matches.index_put_({(overlap < 0.15)}, -1);
  show(out, "matches", matches);
  const auto [values, counts, _] = torch::unique_consecutive(std::get<0>(matches.sort()), false, true);
  out << values.sizes() << counts.sizes() << '\n';
  const auto features = waves({2, 3, 7, 9}).requires_grad_();
  const auto rois =
      torch::cat({torch::arange(4).remainder(2).to(torch::kFloat).unsqueeze(1), chosen.slice(0, 0, 4)}, 1);
  const auto pooled = roi_align(features, rois, 0.5, 2);
  show(out, "pooled", pooled.mean({2, 3}));
  pooled.square().sum().backward();
  show(out, "grad", features.grad().sum(0).index({0, Slice(0, 3)}));
});

}  // namespace
}  // namespace programs
