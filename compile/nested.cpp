// Planning branches and loops, and running them step by step.
#include "compile/nested.h"

#include <algorithm>

#include "compile/passes.h"
#include "dispatcher/layout.h"
#include "transforms/control_ops.h"

namespace strata::func::compiling {
namespace {

using control::CondParams;
using control::ScanParams;
using control::WhileParams;
using Body = std::unique_ptr<const Plan>;

constexpr size_t kAny = static_cast<size_t>(-1);  // row-major from this result on: none has to be

/// A tensor without memory that lies so.
Tensor shape_of(const Geometry& g) {
  auto* const impl = new TensorImpl(g.dtype, kCPU, Storage());
  impl->set_geometry(g.sizes, g.strides, 0);
  return Tensor::adopt(impl);
}
/// The elements of a tensor along its first dim lie so.
Tensor shape_of_element(const Tensor& xs) {
  return shape_of({xs.dtype(), IntArrayRef(xs.sizes()).slice(1), IntArrayRef(xs.strides()).slice(1)});
}
Geometry geometry_of(const Tensor& t) { return {t.dtype(), t.sizes(), t.strides()}; }
Geometry row_major(DType dtype, IntArrayRef sizes) {
  Geometry g{dtype, sizes, {}};
  set_contiguous_strides(g.sizes, g.strides);
  return g;
}

bool is_dense(const Geometry& g) { return dispatch::is_dense(g.sizes, g.strides); }
bool lie_alike(const Geometry& a, const Geometry& b) { return a.sizes == b.sizes && a.strides == b.strides; }
Tensor room_for(const Geometry& g) { return dispatch::empty({g.dtype, kCPU, true, 0, g.sizes, g.strides}); }

Body plan_body(const Program& program, const List& in, size_t first_row_major = kAny) {
  return Plan::make_body(passes::simplify(program), in, first_row_major);
}

/// What a body was bound to, until the end of a run.
class Bound {
 public:
  Bound(const Plan& plan, Frame& frame) : plan_(plan), frame_(frame) {}
  ~Bound() { plan_.release(frame_); }
  Bound(const Bound&) = delete;
  Bound& operator=(const Bound&) = delete;
  void input(size_t number, const Tensor& t) const { plan_.set_input(frame_, number, t); }
  void result(size_t number, const Tensor& t) const { plan_.set_result(frame_, number, t); }
  void run() const { plan_.run_body(frame_); }

 private:
  const Plan& plan_;
  Frame& frame_;
};

/// The tensors that carry a loop from step to step: what a step reads is one tensor, what it writes another, in turns,
/// so that the last step writes to the result of the loop where it is known which is the last.
class Carried {
 public:
  Carried(List init, const List& out, size_t size) : now_(std::move(init)), out_(out), spare_(size) {}
  const Tensor& now(size_t c) const { return now_[c]; }
  /// Where the next step writes it.
  const Tensor& next(size_t c, bool to_result, const Geometry& g) {
    if (to_result) return out_[c];
    if (!spare_[c].defined()) spare_[c] = room_for(g);
    return spare_[c];
  }
  void advance(size_t c, const Tensor& to) { now_[c] = to; }
  /// Brings all of it to the results of the loop.
  void finish() {
    for (size_t c = 0; c < spare_.size(); ++c)
      if (!now_[c].is_same(out_[c])) Tensor(out_[c]).copy_(now_[c]);
  }

 private:
  List now_;
  const List& out_;
  List spare_;
};

List part(const List& all, size_t first, size_t size) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

class NestedCond final : public Nested {
 public:
  bool plan(const CondParams& p, const List& in) {
    if (in[0].dtype() != kLong) return false;
    const List operands = part(in, 1, in.size() - 1);
    for (const Program& branch : p.branches) {
      Body body = plan_body(branch, operands);
      if (!body) return false;
      for (size_t i = 0; i < branch.outputs().size(); ++i) {
        if (branches_.empty()) results_.push_back(body->result(i));
        if (!is_dense(body->result(i)) || !lie_alike(body->result(i), results_[i])) return false;
      }
      branches_.push_back(std::move(body));
    }
    return true;
  }

  std::shared_ptr<NestedFrame> make_frame() const override {
    auto frame = std::make_shared<Frames>();
    for (const Body& b : branches_) frame->branches.push_back(b->make_frame());
    return frame;
  }

  void run(NestedFrame& frame, const List& in, const List& out) const override {
    const int64_t last = static_cast<int64_t>(branches_.size()) - 1;
    const int64_t index = *reinterpret_cast<const int64_t*>(in[0].impl()->data());
    const auto chosen = static_cast<size_t>(std::clamp<int64_t>(index, 0, last));
    const Bound branch(*branches_[chosen], *static_cast<Frames&>(frame).branches[chosen]);
    for (size_t i = 1; i < in.size(); ++i) branch.input(i - 1, in[i]);
    for (size_t i = 0; i < out.size(); ++i) branch.result(i, out[i]);
    branch.run();
  }

 private:
  struct Frames final : NestedFrame {
    std::vector<std::unique_ptr<Frame>> branches;
  };
  std::vector<Body> branches_;
};

class NestedWhile final : public Nested {
 public:
  bool plan(const WhileParams& p, const List& in) {
    condition_consts_ = static_cast<size_t>(p.condition_consts);
    body_consts_ = static_cast<size_t>(p.body_consts);
    const size_t first = condition_consts_ + body_consts_;
    List tested = part(in, 0, condition_consts_);
    tested.insert(tested.end(), in.begin() + static_cast<std::ptrdiff_t>(first), in.end());
    condition_ = plan_body(p.condition, tested);
    body_ = plan_body(p.body, part(in, condition_consts_, in.size() - condition_consts_));
    if (!condition_ || !body_) return false;
    for (size_t c = first; c < in.size(); ++c) {
      const Geometry& after = body_->result(c - first);
      if (!is_dense(after) || !lie_alike(after, geometry_of(in[c]))) return false;
      results_.push_back(after);
    }
    return true;
  }

  std::shared_ptr<NestedFrame> make_frame() const override {
    auto frame = std::make_shared<Frames>();
    frame->condition = condition_->make_frame();
    frame->body = body_->make_frame();
    return frame;
  }

  void run(NestedFrame& nested, const List& in, const List& out) const override {
    auto& frames = static_cast<Frames&>(nested);
    const Bound condition(*condition_, *frames.condition), body(*body_, *frames.body);
    const Tensor go_on = dispatch::empty({kBool, kCPU, false, 0, {}, {}});
    for (size_t i = 0; i < condition_consts_; ++i) condition.input(i, in[i]);
    for (size_t i = 0; i < body_consts_; ++i) body.input(i, in[condition_consts_ + i]);
    condition.result(0, go_on);
    const size_t first = condition_consts_ + body_consts_, size = out.size();
    Carried carried(part(in, first, size), out, size);
    for (bool to_result = true;; to_result = !to_result) {
      for (size_t c = 0; c < size; ++c) condition.input(condition_consts_ + c, carried.now(c));
      condition.run();
      if (!*reinterpret_cast<const bool*>(go_on.impl()->data())) break;
      step(body, carried, to_result);
    }
    carried.finish();
  }

 private:
  struct Frames final : NestedFrame {
    std::unique_ptr<Frame> condition, body;
  };

  void step(const Bound& body, Carried& carried, bool to_result) const {
    for (size_t c = 0; c < results_.size(); ++c) {
      body.input(body_consts_ + c, carried.now(c));
      if (!body_->passes(body_consts_ + c, c)) body.result(c, carried.next(c, to_result, results_[c]));
    }
    body.run();
    for (size_t c = 0; c < results_.size(); ++c)
      if (!body_->passes(body_consts_ + c, c)) carried.advance(c, carried.next(c, to_result, results_[c]));
  }

  size_t condition_consts_ = 0, body_consts_ = 0;
  Body condition_, body_;
};

/// The carry may come in another layout than the one that steps give it: then the first step has a plan of its own.
class NestedScan final : public Nested {
 public:
  bool plan(const ScanParams& p, const List& in) {
    consts_ = static_cast<size_t>(p.consts);
    carry_ = static_cast<size_t>(p.carry);
    length_ = p.length;
    reverse_ = p.reverse;
    if (length_ == 0) return false;
    List of_step = part(in, 0, consts_ + carry_);
    for (size_t x = consts_ + carry_; x < in.size(); ++x) of_step.push_back(shape_of_element(in[x]));
    first_ = plan_body(p.body, of_step, carry_);
    if (!first_ || !find_results(p.body)) return false;
    bool is_like_first = true;
    for (size_t c = 0; c < carry_; ++c) {
      is_like_first = is_like_first && lie_alike(results_[c], geometry_of(in[consts_ + c]));
      of_step[consts_ + c] = shape_of(results_[c]);
    }
    if (is_like_first || length_ == 1) return true;
    rest_ = plan_body(p.body, of_step, carry_);
    if (!rest_) return false;
    for (size_t c = 0; c < carry_; ++c)
      if (!lie_alike(results_[c], rest_->result(c))) return false;
    return true;
  }

  std::shared_ptr<NestedFrame> make_frame() const override {
    auto frame = std::make_shared<Frames>();
    frame->first = first_->make_frame();
    if (rest_) frame->rest = rest_->make_frame();
    return frame;
  }

  void run(NestedFrame& nested, const List& in, const List& out) const override {
    auto& frames = static_cast<Frames&>(nested);
    Carried carried(part(in, consts_, carry_), out, carry_);
    const int64_t of_first = rest_ ? 1 : length_;
    run_steps(Bound(*first_, *frames.first), *first_, in, out, carried, 0, of_first);
    if (rest_) run_steps(Bound(*rest_, *frames.rest), *rest_, in, out, carried, 1, length_);
    carried.finish();
  }

 private:
  struct Frames final : NestedFrame {
    std::unique_ptr<Frame> first, rest;
  };

  bool find_results(const Program& body) {
    for (size_t i = 0; i < body.outputs().size(); ++i) {
      Geometry g = first_->result(i);
      if (i < carry_ && !is_dense(g)) return false;
      if (i >= carry_) {
        g.sizes.insert(0, length_);
        g = row_major(g.dtype, g.sizes);
      }
      results_.push_back(Geometry{g.dtype, g.sizes, g.strides});
    }
    return true;
  }

  void run_steps(const Bound& body, const Plan& plan, const List& in, const List& out, Carried& carried, int64_t begin,
                 int64_t end) const {
    const size_t first_x = consts_ + carry_;
    for (size_t i = 0; i < consts_; ++i) body.input(i, in[i]);
    List xs, ys;
    for (size_t x = first_x; x < in.size(); ++x) body.input(x, xs.emplace_back(element_of(in[x])));
    for (size_t y = carry_; y < out.size(); ++y) body.result(y, ys.emplace_back(element_of(out[y])));
    for (int64_t s = begin; s < end; ++s) {
      const int64_t place = reverse_ ? length_ - 1 - s : s;
      for (size_t x = 0; x < xs.size(); ++x) move_to(xs[x], in[first_x + x], place);
      for (size_t y = 0; y < ys.size(); ++y) move_to(ys[y], out[carry_ + y], place);
      step(body, plan, carried, (length_ - 1 - s) % 2 == 0);
    }
  }

  /// A tensor that shows one element after the other.
  static Tensor element_of(const Tensor& all) {
    auto* const impl = new TensorImpl(all.dtype(), kCPU, all.storage());
    const Tensor element = Tensor::adopt(impl);
    move_to(element, all, 0);
    return element;
  }
  static void move_to(const Tensor& element, const Tensor& all, int64_t place) {
    const IntArrayRef strides = all.strides();
    element.impl()->set_geometry(IntArrayRef(all.sizes()).slice(1), strides.slice(1),
                                 all.storage_offset() + place * strides[0]);
  }

  void step(const Bound& body, const Plan& plan, Carried& carried, bool to_result) const {
    for (size_t c = 0; c < carry_; ++c) {
      body.input(consts_ + c, carried.now(c));
      if (!plan.passes(consts_ + c, c)) body.result(c, carried.next(c, to_result, results_[c]));
    }
    body.run();
    for (size_t c = 0; c < carry_; ++c)
      if (!plan.passes(consts_ + c, c)) carried.advance(c, carried.next(c, to_result, results_[c]));
  }

  size_t consts_ = 0, carry_ = 0;
  int64_t length_ = 0;
  bool reverse_ = false;
  Body first_, rest_;
};

template <class N, class P>
std::shared_ptr<const Nested> planned(const P& params, const List& in) {
  auto nested = std::make_shared<N>();
  if (!nested->plan(params, in)) return nullptr;
  return nested;
}

}  // namespace

std::shared_ptr<const Nested> Nested::make(const Program::Equation& e, const List& in) {
  const Params params(e.params);
  if (control::is_cond(*e.op)) return planned<NestedCond>(params.as<CondParams>(), in);
  if (control::is_while(*e.op)) return planned<NestedWhile>(params.as<WhileParams>(), in);
  return planned<NestedScan>(params.as<ScanParams>(), in);
}

}  // namespace strata::func::compiling
