// Float convolution: plans of single-threaded oneDNN primitives over fixed pieces of the problem, cached by shape.
#include <algorithm>
#include <array>
#include <dnnl.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

#include "core/allocator.h"
#include "core/error.h"
#include "core/parallel.h"
#include "kernels/cpu/common/one_thread.h"
#include "kernels/cpu/common/onednn_end.h"
#include "kernels/cpu/conv/conv.h"
#include "kernels/cpu/conv/conv_own.h"
#include "kernels/cpu/conv/conv_pointwise.h"

namespace strata::cpu::conv {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;

enum class Pass : uint8_t { kForward, kBackwardInput, kBackwardWeight };

struct PlanKey {
  ConvShape shape;
  Pass pass;
  bool bias;
  friend bool operator==(const PlanKey&, const PlanKey&) = default;
};

struct PlanKeyHash {
  size_t operator()(const PlanKey& k) const {
    const ConvShape& s = k.shape;
    uint64_t h = static_cast<uint64_t>(k.pass) * 4 + k.bias * 2 + s.channels_last;
    for (int64_t v : {s.n,  s.groups, s.ic, s.oc, s.id, s.ih, s.iw, s.od, s.oh, s.ow, s.kd,
                      s.kh, s.kw,     s.sd, s.sh, s.sw, s.pd, s.ph, s.pw, s.dd, s.dh, s.dw})
      h = (h ^ static_cast<uint64_t>(v)) * 0x9E3779B97F4A7C15ull, h ^= h >> 29;
    return h;
  }
};

const dnnl::engine& engine() {
  // Never destroyed: threads may still compute while the process exits.
  static const auto& e = *new dnnl::engine(dnnl::engine::kind::cpu, 0);
  return e;
}

/// Floats from the caching allocator.
class Buffer {
 public:
  explicit Buffer(size_t bytes) : bytes_(bytes), data_(bytes ? static_cast<char*>(buffer_alloc(bytes)) : nullptr) {}
  ~Buffer() {
    if (data_) buffer_free(data_, bytes_);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  char* data() const { return data_; }

 private:
  size_t bytes_;
  char* data_;
};

size_t aligned(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

/// One array as the user holds it and as the primitive wants it; `reorder` is absent when the two agree.
struct Operand {
  memory::desc user, packed;
  std::optional<dnnl::reorder> reorder;
  bool written = false;

  void connect() {
    if (user == packed) return;
    const auto& [from, to] = written ? std::tie(packed, user) : std::tie(user, packed);
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    dnnl::reorder::primitive_desc pd(engine(), from, engine(), to, attr);
    scratch = pd.scratchpad_desc();
    reorder.emplace(pd);
  }
  memory::desc scratch;
  size_t scratch_bytes() const { return aligned(scratch.get_size()); }
};

/// `front`, and the numbers of the spatial dims, of which convolutions of two have no depth.
memory::dims dims_of(const ConvShape& s, memory::dims front, int64_t depth, int64_t height, int64_t width) {
  if (!s.is_flat()) front.push_back(depth);
  front.push_back(height);
  front.push_back(width);
  return front;
}

memory::dims weight_dims(const ConvShape& s) {
  if (s.groups == 1) return dims_of(s, {s.oc, s.ic}, s.kd, s.kh, s.kw);
  return dims_of(s, {s.groups, s.oc / s.groups, s.ic / s.groups}, s.kd, s.kh, s.kw);
}

memory::desc any(const memory::dims& dims) { return {dims, memory::data_type::f32, Tag::any}; }

/// One oneDNN primitive for `images` images of one channel part, with the reorders around it.
struct Stage {
  Operand x, w, y;
  dnnl::primitive conv;
  memory::desc scratch;

  template <class Desc>
  void adopt(const Desc& pd) {
    conv = dnnl::primitive(pd);
    scratch = pd.scratchpad_desc();
    x.connect();
    y.connect();
    w.connect();
  }
};

struct Descs {
  memory::desc x, w, y, bias;
  memory::dims stride, dilation, pad, pad_end;
};

constexpr auto kAlgorithm = dnnl::algorithm::convolution_direct;
constexpr auto kKind = dnnl::prop_kind::forward_training;
using Forward = dnnl::convolution_forward;
using BackwardInput = dnnl::convolution_backward_data;
using BackwardWeight = dnnl::convolution_backward_weights;

// oneDNN 3 (2022) has no descriptors of operations any more: what described one goes to the primitive's.
#if DNNL_VERSION_MAJOR >= 3
Forward::primitive_desc describe_forward(const Descs& d, bool bias, const dnnl::primitive_attr& attr) {
  if (bias) return {engine(), kKind, kAlgorithm, d.x, d.w, d.bias, d.y, d.stride, d.dilation, d.pad, d.pad_end, attr};
  return {engine(), kKind, kAlgorithm, d.x, d.w, d.y, d.stride, d.dilation, d.pad, d.pad_end, attr};
}
template <class Backward>
typename Backward::primitive_desc describe_backward(const Descs& d, const dnnl::primitive_attr& attr) {
  const auto hint = describe_forward(d, false, attr);
  return {engine(), kAlgorithm, d.x, d.w, d.y, d.stride, d.dilation, d.pad, d.pad_end, hint, attr};
}
#else
Forward::primitive_desc describe_forward(const Descs& d, bool bias, const dnnl::primitive_attr& attr) {
  const Forward::desc desc =
      bias ? Forward::desc(kKind, kAlgorithm, d.x, d.w, d.bias, d.y, d.stride, d.dilation, d.pad, d.pad_end)
           : Forward::desc(kKind, kAlgorithm, d.x, d.w, d.y, d.stride, d.dilation, d.pad, d.pad_end);
  return {desc, attr, engine()};
}
template <class Backward>
typename Backward::primitive_desc describe_backward(const Descs& d, const dnnl::primitive_attr& attr) {
  const auto hint = describe_forward(d, false, attr);
  return {{kAlgorithm, d.x, d.w, d.y, d.stride, d.dilation, d.pad, d.pad_end}, attr, engine(), hint};
}
#endif

void make_stage(Stage& st, const Descs& d, Pass pass, bool bias) {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (pass == Pass::kForward) {
    const auto pd = describe_forward(d, bias, attr);
    st.x.packed = pd.src_desc(), st.w.packed = pd.weights_desc(), st.y.packed = pd.dst_desc();
    return st.adopt(pd);
  }
  if (pass == Pass::kBackwardInput) {
    const auto pd = describe_backward<BackwardInput>(d, attr);
    st.x.packed = pd.diff_src_desc(), st.w.packed = pd.weights_desc(), st.y.packed = pd.diff_dst_desc();
    return st.adopt(pd);
  }
  const auto pd = describe_backward<BackwardWeight>(d, attr);
  st.x.packed = pd.src_desc(), st.w.packed = pd.diff_weights_desc(), st.y.packed = pd.diff_dst_desc();
  st.adopt(pd);
}

/// oneDNN zeroes the padded area of a blocked layout whenever a memory object is given its data, so those are made
/// rarely.
memory view(const memory::desc& d, const void* data) { return memory(d, engine(), const_cast<void*>(data)); }

void execute(const dnnl::primitive& p, const dnnl::stream& stream, ArrayRef<dnnl_exec_arg_t> args) {
  const auto status = dnnl_primitive_execute(p.get(), stream.get(), static_cast<int>(args.size()), args.data());
  STRATA_CHECK(status == dnnl_success, "convolution: oneDNN failed with status {}", static_cast<int>(status));
}

/// Moves one operand between the user's layout and the primitive's.
void move(const Operand& o, const dnnl::stream& stream, const memory& from, const memory& to, char* scratch) {
  memory pad = view(o.scratch, scratch);
  const dnnl_exec_arg_t args[] = {
      {DNNL_ARG_FROM, from.get()}, {DNNL_ARG_TO, to.get()}, {DNNL_ARG_SCRATCHPAD, pad.get()}};
  execute(*o.reorder, stream, args);
}

/// The argument ids of x, w and y in each pass.
struct ArgIds {
  int x, w, y;
};
constexpr ArgIds kArgs[] = {{DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST},
                            {DNNL_ARG_DIFF_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_DST},
                            {DNNL_ARG_SRC, DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_DIFF_DST}};

/// Work below this many operations is not worth a piece of its own.
constexpr double kPieceFlops = 2e6;
constexpr int64_t kPieces = 16;
/// Channels of a oneDNN block, and how many blocks its kernels like to compute at once.
constexpr int64_t kChannels = 16, kWideChannels = 64;
/// Partial weight gradients together stay below this many floats.
constexpr int64_t kPartialFloats = int64_t{1} << 24;

/// How a convolution is cut: `batch_parts` runs of images, and `channel_parts` of the groups, or of the output
/// channels of the pass.
struct Cut {
  int64_t chunk, batch_parts, channel_parts;
};

int64_t largest_divisor(int64_t n, int64_t limit) {
  int64_t d = std::clamp<int64_t>(limit, 1, n);
  while (n % d) --d;
  return d;
}

/// oneDNN has faster code for small kernels over several images than over one, where the output channels are few. Pairs
/// of images must leave some pieces for the threads.
bool wants_pairs(const ConvShape& s, Pass pass) {
  constexpr int64_t kManyImages = 8;
  const bool is_small = s.is_flat() && s.kh == 3 && s.kw == 3 && s.sw == 1 && s.oc <= kWideChannels;
  return pass == Pass::kForward && s.groups == 1 && is_small && s.n >= kManyImages;
}

/// Channel parts, at most `limit`.
int64_t cut_channels(const ConvShape& s, Pass pass, int64_t limit) {
  const int64_t channels = pass == Pass::kBackwardInput ? s.ic : s.oc;
  // Forward passes to few channels are as fast block by block, and an image alone gives all threads something to do.
  const bool by_wide = channels % kWideChannels == 0 && (pass != Pass::kForward || channels > 2 * kWideChannels);
  const int64_t blocks = channels / (by_wide ? kWideChannels : kChannels);
  return largest_divisor(s.groups > 1 ? s.groups : channels % kChannels == 0 ? blocks : 1, limit);
}

Cut cut_images(const ConvShape& s, int64_t limit, int64_t channel_parts) {
  const int64_t chunk = (s.n + limit - 1) / limit;
  return {chunk, (s.n + chunk - 1) / chunk, channel_parts};
}

/// A run of images reads all weights, or adds to all of their gradient; a channel part reads all images. Whichever is
/// smaller is read again.
Cut cut(const ConvShape& s, Pass pass) {
  const int64_t pieces = std::clamp<int64_t>(static_cast<int64_t>(s.flops() / kPieceFlops), 1, kPieces);
  int64_t most = std::min(wants_pairs(s, pass) ? (s.n + 1) / 2 : s.n, pieces);
  if (pass == Pass::kBackwardWeight) most = std::clamp<int64_t>(kPartialFloats / s.w_size(), 1, most);
  if (s.w_size() > s.n * (pass == Pass::kBackwardInput ? s.y_image() : s.x_image())) {
    const int64_t parts = cut_channels(s, pass, pieces);
    return cut_images(s, parts * 2 < pieces ? std::min(most, pieces / parts) : 1, parts);
  }
  Cut c = cut_images(s, most, 1);
  if (c.batch_parts * 2 <= pieces) c.channel_parts = cut_channels(s, pass, pieces / c.batch_parts);
  return c;
}

/// What all pieces of one call work on.
struct Arrays {
  const float *x, *w, *y;
  /// By piece where gradients are written, else by channel part; empty where each piece packs its own.
  std::vector<memory> weights;
  /// One for each part of the output channels.
  std::vector<memory> bias;
  /// By batch part: the operand that all channel parts read, in the primitive's layout.
  std::vector<memory> shared;
};

/// Everything that depends on shapes alone.
class Plan {
 public:
  Plan(const ConvShape& s, Pass pass, bool bias);
  void run(const float* x, const float* w, const float* bias, const float* y) const;

 private:
  Stage build(int64_t images, const memory::desc* packed_w) const;
  template <class F>
  void for_channel_parts(F f) const;
  void move_weights(int64_t part, const float* w, const memory& packed, const dnnl::stream& stream,
                    char* scratch) const;
  void pack_weights(const float* w, const std::vector<memory>& packed) const;
  void reduce_weights(float* partials, float* w) const;
  std::vector<memory> pack_shared(const float* data, const Buffer& buffer) const;
  void run_pieces(int64_t begin, int64_t end, const Arrays& arrays) const;
  bool writes_weights() const { return pass_ == Pass::kBackwardWeight; }
  const Stage& stage(int64_t batch_part) const { return (batch_part + 1) * cut_.chunk > s_.n ? tail_ : full_; }

  ConvShape s_;
  Pass pass_;
  bool bias_;
  Cut cut_;
  // Sizes of a channel part, and how far apart two parts lie in the user's arrays (0: every part uses all of it).
  int64_t part_ic_, part_oc_, part_groups_, x_step_, y_step_, w_step_;
  Stage full_, tail_;
  // The operand that every channel part reads whole, brought into the primitive's layout once for all of them.
  Operand Stage::*shared_;
  bool packs_shared_;
  // With one batch part, a channel part's weights are packed, or their gradient unpacked, by the piece that uses them.
  bool packs_weights_apart_;
  size_t w_bytes_, x_bytes_, y_bytes_, scratch_bytes_;
};

Plan::Plan(const ConvShape& s, Pass pass, bool bias) : s_(s), pass_(pass), bias_(bias), cut_(cut(s, pass)) {
  OneThread one;
  const int64_t parts = cut_.channel_parts;
  const bool grouped = s.groups > 1;
  part_groups_ = grouped ? s.groups / parts : 1;
  part_ic_ = grouped || pass == Pass::kBackwardInput ? s.ic / parts : s.ic;
  part_oc_ = grouped || pass != Pass::kBackwardInput ? s.oc / parts : s.oc;
  x_step_ = part_ic_ == s.ic ? 0 : part_ic_ * (s.channels_last ? 1 : s.x_channel());
  y_step_ = part_oc_ == s.oc ? 0 : part_oc_ * (s.channels_last ? 1 : s.y_channel());
  w_step_ = part_oc_ == s.oc ? part_ic_ * s.taps() : s.w_size() / parts;
  full_ = build(std::min(cut_.chunk, s.n), nullptr);
  const int64_t rest = s.n % cut_.chunk;
  tail_ = rest ? build(rest, &full_.w.packed) : full_;
  w_bytes_ = aligned(full_.w.packed.get_size());
  x_bytes_ = full_.x.reorder ? aligned(full_.x.packed.get_size()) : 0;
  y_bytes_ = full_.y.reorder ? aligned(full_.y.packed.get_size()) : 0;
  shared_ = pass == Pass::kBackwardInput ? &Stage::y : &Stage::x;
  packs_shared_ = parts > 1 && !grouped && (full_.*shared_).reorder && (tail_.*shared_).reorder;
  packs_weights_apart_ = cut_.batch_parts > 1 && (writes_weights() || full_.w.reorder);
  scratch_bytes_ = 0;
  for (const Stage* st : {&full_, &tail_})
    for (const memory::desc* d : {&st->scratch, &st->x.scratch, &st->y.scratch, &st->w.scratch})
      scratch_bytes_ = std::max(scratch_bytes_, aligned(d->get_size()));
}

Stage Plan::build(int64_t images, const memory::desc* packed_w) const {
  constexpr auto f32 = memory::data_type::f32;
  ConvShape p = s_;
  p.n = images, p.ic = part_ic_, p.oc = part_oc_, p.groups = part_groups_;
  const auto spatial = [&](memory::dims front, int64_t d, int64_t h, int64_t w) {
    return dims_of(s_, std::move(front), d, h, w);
  };
  const memory::dims xd = spatial({images, p.ic}, p.id, p.ih, p.iw), yd = spatial({images, p.oc}, p.od, p.oh, p.ow),
                     wd = weight_dims(p);
  const int64_t row = s_.ic / s_.groups * s_.taps();
  memory::dims ws = spatial({row, s_.taps()}, s_.kh * s_.kw, s_.kw, 1);
  if (p.groups > 1) ws.insert(ws.begin(), row * (p.oc / p.groups));
  Stage st;
  const auto strides = [&](int64_t c, int64_t d, int64_t h, int64_t w) {
    return s_.channels_last ? spatial({c * d * h * w, 1}, c * h * w, c * w, c)
                            : spatial({c * d * h * w, d * h * w}, h * w, w, 1);
  };
  st.x.user = {xd, f32, strides(s_.ic, s_.id, s_.ih, s_.iw)};
  st.y.user = {yd, f32, strides(s_.oc, s_.od, s_.oh, s_.ow)};
  st.w.user = {wd, f32, ws};
  st.x.written = pass_ == Pass::kBackwardInput;
  st.w.written = pass_ == Pass::kBackwardWeight;
  st.y.written = pass_ == Pass::kForward;
  // Whole images with their channels last are read and written as they are.
  const bool as_given = s_.channels_last && cut_.channel_parts == 1;
  const Descs d{as_given ? st.x.user : any(xd),   packed_w ? *packed_w : any(wd),
                as_given ? st.y.user : any(yd),   {{p.oc}, f32, Tag::x},
                spatial({}, s_.sd, s_.sh, s_.sw), spatial({}, s_.dd - 1, s_.dh - 1, s_.dw - 1),
                spatial({}, s_.pd, s_.ph, s_.pw), spatial({}, s_.end_pd(), s_.end_ph(), s_.end_pw())};
  make_stage(st, d, pass_, bias_);
  return st;
}

/// One thread's memory objects for a stage: blocked copies of x and y that every piece uses again.
class Runner {
 public:
  /// `shared`, of the stage or null, is an operand whose packed copy each call of `run` is given.
  Runner(const Stage& st, Pass pass, const Operand* shared, char* packed_x, char* packed_y, char* scratch)
      : st_(st),
        packs_x_(st.x.reorder && &st.x != shared),
        packs_y_(st.y.reorder && &st.y != shared),
        ids_(kArgs[static_cast<int>(pass)]),
        stream_(engine()),
        scratch_(scratch),
        user_x_(view(st.x.user, nullptr)),
        user_y_(view(st.y.user, nullptr)),
        x_(packs_x_ ? view(st.x.packed, packed_x) : user_x_),
        y_(packs_y_ ? view(st.y.packed, packed_y) : user_y_),
        conv_scratch_(view(st.scratch, scratch)) {}

  /// Computes the piece at `x` and `y`; `bias` and `shared` may be null.
  void run(const float* x, const memory& w, const memory* bias, const float* y, const memory* shared) const {
    user_x_.set_data_handle(const_cast<float*>(x));
    user_y_.set_data_handle(const_cast<float*>(y));
    if (packs_x_ && !st_.x.written) move(st_.x, stream_, user_x_, x_, scratch_);
    if (packs_y_ && !st_.y.written) move(st_.y, stream_, user_y_, y_, scratch_);
    const memory &x_used = st_.x.reorder && !packs_x_ ? *shared : x_,
                 &y_used = st_.y.reorder && !packs_y_ ? *shared : y_;
    const dnnl_exec_arg_t args[] = {{ids_.x, x_used.get()},
                                    {ids_.w, w.get()},
                                    {ids_.y, y_used.get()},
                                    {DNNL_ARG_SCRATCHPAD, conv_scratch_.get()},
                                    {DNNL_ARG_BIAS, bias ? bias->get() : nullptr}};
    execute(st_.conv, stream_, {args, bias ? 5u : 4u});
    if (packs_x_ && st_.x.written) move(st_.x, stream_, x_, user_x_, scratch_);
    if (packs_y_ && st_.y.written) move(st_.y, stream_, y_, user_y_, scratch_);
  }
  const dnnl::stream& stream() const { return stream_; }

 private:
  const Stage& st_;
  bool packs_x_, packs_y_;
  const ArgIds& ids_;
  dnnl::stream stream_;
  char* scratch_;
  mutable memory user_x_, user_y_;
  memory x_, y_, conv_scratch_;
};

/// Calls f(part, stream, scratch) for every channel part, to reorder its weights.
template <class F>
void Plan::for_channel_parts(F f) const {
  parallel_for(0, cut_.channel_parts, 1, [&](int64_t begin, int64_t end) {
    OneThread one;
    dnnl::stream stream(engine());
    Buffer scratch(full_.w.scratch_bytes());
    for (int64_t q = begin; q < end; ++q) f(q, stream, scratch.data());
  });
}

/// Brings one channel part's weights into the primitive's layout, or its gradient into the user's.
void Plan::move_weights(int64_t part, const float* w, const memory& packed, const dnnl::stream& stream,
                        char* scratch) const {
  const memory user = view(full_.w.user, w + part * w_step_);
  writes_weights() ? move(full_.w, stream, packed, user, scratch) : move(full_.w, stream, user, packed, scratch);
}

void Plan::pack_weights(const float* w, const std::vector<memory>& packed) const {
  for_channel_parts(
      [&](int64_t q, const dnnl::stream& stream, char* scratch) { move_weights(q, w, packed[q], stream, scratch); });
}

/// Adds the partial weight gradients of the batch parts in order and brings the sums into the user's layout.
void Plan::reduce_weights(float* partials, float* w) const {
  const int64_t part = static_cast<int64_t>(w_bytes_ / sizeof(float)), all = part * cut_.channel_parts;
  parallel_for(0, all, 16384, [&](int64_t begin, int64_t end) {
    for (int64_t p = 1; p < cut_.batch_parts; ++p) {
      const float* term = partials + p * all;
      for (int64_t i = begin; i < end; ++i) partials[i] += term[i];
    }
  });
  for_channel_parts([&](int64_t q, const dnnl::stream& stream, char* scratch) {
    const float* from = partials + q * part;
    if (full_.w.reorder)
      move_weights(q, w, view(full_.w.packed, from), stream, scratch);
    else
      std::copy_n(from, full_.w.packed.get_size() / sizeof(float), w + q * w_step_);
  });
}

/// The shared operand in the primitive's layout, by batch part.
std::vector<memory> Plan::pack_shared(const float* data, const Buffer& buffer) const {
  const size_t bytes = shared_ == &Stage::x ? x_bytes_ : y_bytes_;
  const int64_t image = shared_ == &Stage::x ? s_.x_image() : s_.y_image();
  std::vector<memory> packed;
  for (int64_t p = 0; p < cut_.batch_parts; ++p)
    packed.push_back(view((stage(p).*shared_).packed, buffer.data() + p * bytes));
  parallel_for(0, cut_.batch_parts, 1, [&](int64_t begin, int64_t end) {
    OneThread one;
    dnnl::stream stream(engine());
    Buffer scratch(scratch_bytes_);
    for (int64_t p = begin; p < end; ++p) {
      const Operand& o = stage(p).*shared_;
      move(o, stream, view(o.user, data + p * cut_.chunk * image), packed[p], scratch.data());
    }
  });
  return packed;
}

void Plan::run_pieces(int64_t begin, int64_t end, const Arrays& a) const {
  OneThread one;
  const bool moves_weights = a.weights.empty() && full_.w.reorder;
  const size_t x_bytes = packs_shared_ && shared_ == &Stage::x ? 0 : x_bytes_;
  const size_t y_bytes = packs_shared_ && shared_ == &Stage::y ? 0 : y_bytes_;
  Buffer buffer(x_bytes + y_bytes + scratch_bytes_ + (moves_weights ? w_bytes_ : 0));
  char *const packed_y = buffer.data() + x_bytes, *const scratch = packed_y + y_bytes,
              *const packed_w = scratch + scratch_bytes_;
  std::optional<Runner> runner;
  const Stage* current = nullptr;
  for (int64_t i = begin; i < end; ++i) {
    const int64_t p = i / cut_.channel_parts, q = i % cut_.channel_parts, image = p * cut_.chunk;
    const Stage& st = stage(p);
    if (&st != current) {
      runner.emplace(st, pass_, packs_shared_ ? &(st.*shared_) : nullptr, buffer.data(), packed_y, scratch);
      current = &st;
    }
    const memory w = !a.weights.empty() ? a.weights[writes_weights() ? i : q]
                     : moves_weights    ? view(full_.w.packed, packed_w)
                                        : view(full_.w.packed, a.w + q * w_step_);
    if (moves_weights && !writes_weights()) move_weights(q, a.w, w, runner->stream(), scratch);
    runner->run(a.x + image * s_.x_image() + q * x_step_, w, bias_ ? &a.bias[q] : nullptr,
                a.y + image * s_.y_image() + q * y_step_, packs_shared_ ? &a.shared[p] : nullptr);
    if (moves_weights && writes_weights()) move_weights(q, a.w, w, runner->stream(), scratch);
  }
}

/// Memory objects for `count` consecutive blocks.
std::vector<memory> views(const memory::desc& d, const void* data, int64_t count, size_t step) {
  std::vector<memory> all;
  all.reserve(count);
  for (int64_t i = 0; i < count; ++i) all.push_back(view(d, static_cast<const char*>(data) + i * step));
  return all;
}

void Plan::run(const float* x, const float* w, const float* bias, const float* y) const {
  const int64_t parts = cut_.channel_parts, pieces = cut_.batch_parts * parts;
  const int64_t copies = packs_weights_apart_ ? (writes_weights() ? pieces : parts) : 0;
  Buffer own_weights(w_bytes_ * copies);
  Buffer own_shared(packs_shared_ ? cut_.batch_parts * (shared_ == &Stage::x ? x_bytes_ : y_bytes_) : 0);
  Arrays a{x, w, y, views(full_.w.packed, own_weights.data(), copies, w_bytes_), {}, {}};
  if (bias) a.bias = views({{part_oc_}, memory::data_type::f32, Tag::x}, bias, parts, part_oc_ * sizeof(float));
  if (packs_weights_apart_ && !writes_weights()) pack_weights(w, a.weights);
  if (packs_shared_) a.shared = pack_shared(shared_ == &Stage::x ? x : y, own_shared);
  parallel_for(0, pieces, 1, [&](int64_t begin, int64_t end) { run_pieces(begin, end, a); });
  if (packs_weights_apart_ && writes_weights())
    reduce_weights(reinterpret_cast<float*>(own_weights.data()), const_cast<float*>(w));
}

/// Plans by shape; readers share the lock.
class PlanCache {
 public:
  std::shared_ptr<const Plan> find(const PlanKey& key) {
    {
      std::shared_lock lock(mutex_);
      if (auto it = plans_.find(key); it != plans_.end()) return it->second;
    }
    auto plan = std::make_shared<const Plan>(key.shape, key.pass, key.bias);
    std::unique_lock lock(mutex_);
    if (plans_.size() >= kMost) plans_.clear();
    return plans_.emplace(key, std::move(plan)).first->second;
  }

 private:
  /// A program that meets more shapes than this starts over, so that the cache stays small.
  static constexpr size_t kMost = 1024;
  std::shared_mutex mutex_;
  std::unordered_map<PlanKey, std::shared_ptr<const Plan>, PlanKeyHash> plans_;
};

void run_plan(const ConvShape& s, Pass pass, const float* x, const float* w, const float* bias, const float* y) {
  // Never destroyed, like the engine.
  static auto& cache = *new PlanCache;
  try {
    cache.find({s, pass, bias != nullptr})->run(x, w, bias, y);
    [[maybe_unused]] static const bool watched = watch_for_the_end_of_onednn();
  } catch (const dnnl::error& e) {
    STRATA_THROW("convolution: oneDNN refused this shape: {}", e.what());
  }
}

/// oneDNN's weight gradient has no AVX-512 code for 9 to 15 input channels; elsewhere it rounds them up to 16 itself.
bool wants_16_channels(const ConvShape& s) {
  return !s.channels_last && s.groups == 1 && s.ic > 8 && s.ic < 16 && s.oc >= 16;
}

/// The weight gradient with input channels of zeros added up to 16.
void backward_weight_padded(const ConvShape& s, const float* gy, const float* x, float* gw) {
  ConvShape wide = s;
  wide.ic = 16;
  const Buffer x_buffer(static_cast<size_t>(s.n * wide.x_image()) * sizeof(float));
  const Buffer w_buffer(static_cast<size_t>(wide.w_size()) * sizeof(float));
  float *const xs = reinterpret_cast<float*>(x_buffer.data()), *const ws = reinterpret_cast<float*>(w_buffer.data());
  parallel_for(0, s.n, 1 + 16384 / wide.x_image(), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      float* image = std::copy_n(x + i * s.x_image(), s.x_image(), xs + i * wide.x_image());
      std::fill_n(image, wide.x_image() - s.x_image(), 0.0f);
    }
  });
  run_plan(wide, Pass::kBackwardWeight, xs, ws, nullptr, gy);
  const int64_t from = wide.ic * s.taps(), to = s.ic * s.taps();
  for (int64_t o = 0; o < s.oc; ++o) std::copy_n(ws + o * from, to, gw + o * to);
}

}  // namespace

/// oneDNN wants every size positive and every stride's last window to touch the input.
bool is_for_onednn(const ConvShape& s) {
  if (onednn_is_gone()) return false;
  const bool sizes = s.n > 0 && s.x_image() > 0 && s.y_image() > 0;
  const bool front = s.pd >= 0 && s.ph >= 0 && s.pw >= 0;
  return sizes && front && s.end_pd() > -s.sd && s.end_ph() > -s.sh && s.end_pw() > -s.sw;
}

void conv_forward(const ConvShape& s, const float* x, const float* w, const float* bias, float* y) {
  if (!is_for_onednn(s)) return direct_forward(s, x, w, bias, y);
  if (pointwise_pays(s)) return pointwise_forward(s, x, w, bias, y);
  if (columns_pay(s)) return columns_forward(s, x, w, bias, y);
  run_plan(s, Pass::kForward, x, w, bias, y);
}

void conv_backward_input(const ConvShape& s, const float* gy, const float* w, float* gx) {
  if (!is_for_onednn(s)) return direct_backward_input(s, gy, w, gx);
  if (pointwise_pays(s)) return pointwise_backward_input(s, gy, w, gx);
  run_plan(s, Pass::kBackwardInput, gx, w, nullptr, gy);
}

void conv_backward_weight(const ConvShape& s, const float* gy, const float* x, float* gw) {
  if (!is_for_onednn(s)) return direct_backward_weight(s, gy, x, gw);
  if (s.n == 1 && pointwise_pays(s)) return pointwise_backward_weight(s, gy, x, gw);
  if (wants_16_channels(s)) return backward_weight_padded(s, gy, x, gw);
  run_plan(s, Pass::kBackwardWeight, x, gw, nullptr, gy);
}

}  // namespace strata::cpu::conv
