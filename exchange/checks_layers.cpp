// Convolutions, pools, norms, losses and the other ops of layers.
#include <algorithm>

#include "exchange/check_rows.h"
#include "ops/attention_def.h"
#include "ops/conv_def.h"
#include "ops/ctc_loss_def.h"
#include "ops/grid_sample_def.h"
#include "ops/loss.h"
#include "ops/loss_def.h"
#include "ops/norm_def.h"
#include "ops/pool_def.h"
#include "ops/resample_def.h"
#include "ops/rnn_def.h"

namespace strata::func::exchange {
namespace {

constexpr int64_t kMost = INT32_MAX;  // positions, steps and paddings of windows

/// `out` windows of `k` positions over `in` and its padding.
void check_windows(const Arguments& a, int64_t in, int64_t out, int64_t k, int64_t stride, int64_t padding,
                   int64_t dilation) {
  a.require_between(in, 0, kMost, "input");
  a.require_between(out, 0, kMost, "output");
  a.require_between(k, 1, kMost, "kernel");
  a.require_between(stride, 1, kMost, "stride");
  a.require_between(padding, 0, kMost, "padding");
  a.require_between(dilation, 1, kMost, "dilation");
}

/// The images or volumes `(n, c, ...)`, of which images have no depth.
void check_volume(const Arguments& a, size_t i, int64_t c, int64_t depth, int64_t h, int64_t w) {
  const DimVector volume = a[i].dim() == 5 ? DimVector{a[i].size(0), c, depth, h, w} : DimVector{a[i].size(0), c, h, w};
  a.require_shape(i, volume);
}

void check_conv(const Arguments& a, const ConvParams& p) {
  check_windows(a, p.id, p.od, p.kd, p.sd, p.pd, p.dd);
  check_windows(a, p.ih, p.oh, p.kh, p.sh, p.ph, p.dh);
  check_windows(a, p.iw, p.ow, p.kw, p.sw, p.pw, p.dw);
  a.require_between(p.groups, 1, kMost, "groups");
  for (size_t i = 0; i < 2; ++i) a.require(a[i].dim() == 4 || a[i].dim() == 5, "neither images nor volumes");
  a.require(a[0].dim() == a[1].dim(), "images with volumes");
  if (a[0].dim() == 4)
    a.require(p.id == 1 && p.od == 1 && p.kd == 1 && p.sd == 1 && p.pd == 0 && p.dd == 1, "images have no depth");
}
/// x and y have channels for all groups; w `(O, C / groups, ...)`.
void check_channels(const Arguments& a, const ConvParams& p, int64_t x_channels, int64_t y_channels) {
  a.require(x_channels % p.groups == 0 && y_channels % p.groups == 0, "channels do not fall into the groups");
}

void check_plane(const Arguments& a, size_t i, int64_t h, int64_t w) {
  a.require(a[i].dim() >= 2 && a[i].size(-2) == h && a[i].size(-1) == w, "a plane is not of the recorded size");
}
void check_pool(const Arguments& a, const PoolParams& p) {
  if (p.adaptive) {
    for (const int64_t n : {p.ih, p.iw, p.oh, p.ow}) a.require_between(n, 0, kMost, "a size");
    a.require((p.ih > 0 && p.iw > 0) || p.oh == 0 || p.ow == 0, "a window has no elements");
    return;
  }
  check_windows(a, p.ih, p.oh, p.kh, p.sh, p.ph, p.dh);
  check_windows(a, p.iw, p.ow, p.kw, p.sw, p.pw, p.dw);
  for (const auto& [in, out, k, s, pad, d] :
       {std::array{p.ih, p.oh, p.kh, p.sh, p.ph, p.dh}, std::array{p.iw, p.ow, p.kw, p.sw, p.pw, p.dw}}) {
    a.require(out == 0 || (out - 1) * s - pad < in, "a window lies behind the plane");
    a.require(out == 0 || (k - 1) * d >= pad, "a window lies before the plane");
  }
}
/// Pools over images whose channels lie last have a kernel of their own, which counts in int32.
constexpr auto pool_of_input = [](const Arguments& a, const auto& p) {
  check_pool(a, p);
  check_plane(a, 0, p.ih, p.iw);
};
constexpr auto pool_of_output = [](const Arguments& a, const auto& p) {
  check_pool(a, p);
  check_plane(a, 0, p.oh, p.ow);
};

/// How many elements weight and bias have.
int64_t affine_size(const Arguments& a, const NormalizeParams& p) {
  a.require_between(p.affine_dim, 1, 2, "affine_dim");
  if (p.channels == 0) return a.size(p.affine_dim == 1 ? 'c' : 's');
  a.require_between(p.channels, 1, kMost, "channels");
  a.require_between(p.groups, 1, p.channels, "groups");
  a.require(a.size('a') == 1 && a.size('c') % p.groups == 0 && p.channels % p.groups == 0 &&
                a.size('s') % (p.channels / p.groups) == 0,
            "groups and channels do not fit the shape");
  return p.channels;
}
void check_affine(const Arguments& a, size_t i, int64_t n) {
  if (a[i].defined()) a.require_shape(i, n);
}
DType compute_type(DType t) { return t == kHalf || t == kBFloat16 ? kFloat : t; }

/// x of `nll_loss` from its target.
DimVector with_classes(const Tensor& target, int64_t classes) {
  DimVector sizes = target.sizes();
  sizes.insert(target.dim() == 0 ? 0 : 1, classes);
  return sizes;
}
void check_nll(const Arguments& a, const NllParams& p) {
  a.require_between(p.reduction, 0, 2, "reduction");
  a.require_between(p.classes, 0, kMost, "classes");
  if (a[2].defined()) a.require_shape(2, p.classes);
}

void check_grid(const Arguments& a, const GridParams& p, bool of_image) {
  const auto dims = static_cast<int64_t>(p.image.size());
  a.require_between(dims, 2, 3, "the number of image's dims");
  a.require_between(static_cast<int64_t>(p.mode), 0, 2, "mode");
  a.require(p.mode != GridInterpolation::Bicubic || dims == 2, "bicubic interpolation is of images");
  a.require_between(static_cast<int64_t>(p.padding), 0, 2, "padding");
  for (const int64_t n : p.image) a.require_between(n, 1, kMost, "image");
  a.require(a[0].dim() == dims + 2 && a[1].dim() == dims + 2 && a[1].size(-1) == dims && a[0].size(0) == a[1].size(0),
            "input, grid and image do not fit");
  DimVector sizes{a[0].size(0), a[0].size(1)};
  for (const int64_t n : of_image ? IntArrayRef(p.image) : a[1].sizes().slice(1, p.image.size())) sizes.push_back(n);
  a.require_shape(0, sizes);
}

void check_resample(const Arguments& a, const ResampleParams& p) {
  a.require_between(p.count, 1, ResampleParams::kMostDims, "count");
  a.require_between(p.first, 0, a[0].dim() - p.count, "first");
  a.require(p.mode <= Resampling::Circular, "mode is out of range");
  for (int64_t d = 0; d < p.count; ++d) {
    a.require_between(p.dim(d).in, 0, kMost, "in");
    a.require_between(p.dim(d).out, 0, kMost, "out");
    a.require(is_valid(p.dim(d), p.mode), "a new position is none of the old ones");
    a.require(a[0].sizes()[p.first + d] == p.from(d), "a dim is not of the recorded size");
  }
}

constexpr auto four_gates = [](const Arguments& a, const auto&) {
  a.require(a.size('g') % 4 == 0 && a.size('g') / 4 == a.size('h'), "the gates are not four of a state's size");
};

constexpr CheckRow kLayerRows[] = {
    row<ConvParams>("convolution", "T[.] T[.] T[o]",
                    [](const Arguments& a, const ConvParams& p) {
                      check_conv(a, p);
                      check_volume(a, 0, a[0].size(1), p.id, p.ih, p.iw);
                      check_channels(a, p, a[0].size(1), a[1].size(0));
                      check_volume(a, 1, a[0].size(1) / p.groups, p.kd, p.kh, p.kw);
                      if (a[2].defined()) a.require_shape(2, a[1].size(0));
                    }),
    row<ConvParams>("convolution_backward_input", "T[.] T[.]",
                    [](const Arguments& a, const ConvParams& p) {
                      check_conv(a, p);
                      check_volume(a, 0, a[1].size(0), p.od, p.oh, p.ow);
                      check_channels(a, p, 0, a[0].size(1));
                      check_volume(a, 1, a[1].size(1), p.kd, p.kh, p.kw);
                      a.require_sizes({a[1].size(1), p.groups});
                    }),
    row<ConvParams>("convolution_backward_weight", "T[.] T[.]",
                    [](const Arguments& a, const ConvParams& p) {
                      check_conv(a, p);
                      a.require(a[0].size(0) == a[1].size(0), "batches of different sizes");
                      check_volume(a, 0, a[0].size(1), p.od, p.oh, p.ow);
                      check_volume(a, 1, a[1].size(1), p.id, p.ih, p.iw);
                      check_channels(a, p, a[1].size(1), a[0].size(1));
                    }),
    row<PoolParams>("max_pool", ".[.]", pool_of_input),
    row<PoolParams>("max_pool_values", ".[.]", pool_of_input),
    row<PoolParams>("max_pool_gather", ".[*,_,_] .[*,y,x]",
                    [](const Arguments& a, const PoolParams& p) {
                      pool_of_input(a, p);
                      check_plane(a, 1, p.oh, p.ow);
                    }),
    row<PoolParams>("max_pool_scatter", ".[*] .[*]", pool_of_output),
    row<AvgPoolParams>("avg_pool", ".[.]", pool_of_input),
    row<AvgPoolParams>("avg_pool_backward", ".[.]", pool_of_output),
    row<NormalizeParams>("normalize", "T[a,c,s] T[.] T[.]",
                         [](const Arguments& a, const NormalizeParams& p) {
                           const int64_t n = affine_size(a, p);
                           check_affine(a, 1, n);
                           check_affine(a, 2, n);
                         }),
    row<NormalizeParams>("normalize_backward", "T[a,c,s] T[a,c,s] M[c] M[c] T[.]",
                         [](const Arguments& a, const NormalizeParams& p) {
                           check_affine(a, 4, affine_size(a, p));
                           a.require(a[2].dtype() == compute_type(a[0].dtype()), "the means are of another dtype");
                         }),
    row<NllParams>("nll_loss", "T[.] .[.] T[.]",
                   [](const Arguments& a, const NllParams& p) {
                     check_nll(a, p);
                     a.require_shape(0, with_classes(a[1], p.classes));
                   }),
    row<NllParams>("nll_loss_backward", "T[.] .[.] T[.] T[]",
                   [](const Arguments& a, const NllParams& p) {
                     check_nll(a, p);
                     a.require_shape(0, p.reduction == Reduction::None ? a[1].sizes() : IntArrayRef());
                   }),
    row<CtcParams>(
        "ctc_loss", "T[t,n,c] .[n,s] .[n] .[n]",
        [](const Arguments& a, const CtcParams& p) { a.require_between(p.blank, 0, a.size('c') - 1, "blank"); }),
    row<CtcParams>("ctc_loss_slope", "T[t,n,c] T[n,t,z] .[n,s] .[n] .[n]",
                   [](const Arguments& a, const CtcParams& p) {
                     a.require_between(p.blank, 0, a.size('c') - 1, "blank");
                     a.require(a.size('z') == 2 * a.size('s') + 1, "log_alpha is not of 2 S + 1 states");
                   }),
    row<AttentionParams>("attention", "T[b,h,l,e] T[b,h,s,e] T[b,h,s,v]"),
    row<AttentionParams>(
        "attention_backward", "T[b,h,l,v] T[b,h,l,e] T[b,h,s,e] T[b,h,s,v] S[b,h,l] S[b,h,l] T[b,h,l,v]?",
        [](const Arguments& a, const AttentionParams&) {
          a.require(a[4].dtype() == attention_sum_dtype(a[0].dtype()), "logsumexp is of another dtype");
        }),
    row<dispatch::NoParams>("lstm_gates", "T[*,g] T[*,h]", four_gates),
    row<dispatch::NoParams>("lstm_gates_backward", "T[*,g] T[*,h] T[*,h] T[*,h]", four_gates),
    row<LstmParams>("lstm_sequence", "T[t,b,g] T[g,h] T[b,h] T[b,h]",
                    [](const Arguments& a, const LstmParams& p) {
                      four_gates(a, p);
                      a.require(p.keeps_sums, "a program keeps the sums");
                    }),
    row<GridParams>("grid_sample", "T[.] T[.]",
                    [](const Arguments& a, const GridParams& p) { check_grid(a, p, /*of_image=*/true); }),
    row<GridParams>("grid_sample_backward", "T[.] T[.]",
                    [](const Arguments& a, const GridParams& p) { check_grid(a, p, /*of_image=*/false); }),
    row<ResampleParams>("resample", ".[.]", [](const Arguments& a, const ResampleParams& p) { check_resample(a, p); }),
};

}  // namespace

CheckRows rows_of_layers() { return kLayerRows; }

}  // namespace strata::func::exchange
