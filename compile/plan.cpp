// Running a plan: a frame, its tensors bound to this run's memory, step by step.
#include "compile/plan.h"

#include "core/storage.h"
#include "dispatcher/names.h"

namespace strata::func::compiling {

/// A frame for one run, with nothing left of the run afterwards.
class FrameLease {
 public:
  explicit FrameLease(const Plan& plan)
      : plan_(plan), frame_(plan.spare_.exchange(nullptr, std::memory_order_acquire)) {
    if (!frame_) frame_ = plan.make_frame();
  }
  ~FrameLease() {
    for (Variable v : plan_.bound_) frame_->slots[v].reset();
    plan_.forget_fresh(*frame_);
    delete plan_.spare_.exchange(frame_.release(), std::memory_order_acq_rel);
  }
  FrameLease(const FrameLease&) = delete;
  FrameLease& operator=(const FrameLease&) = delete;
  Frame& operator*() const { return *frame_; }

 private:
  const Plan& plan_;
  std::unique_ptr<Frame> frame_;
};

Plan::~Plan() { delete spare_.load(); }

Tensor Plan::tensor_of(const Geometry& g, const Tensor& root) const {
  auto* const impl = new TensorImpl(g.dtype, kCPU, root.storage());
  const int64_t first = root.storage_offset() * static_cast<int64_t>(root.element_size()) + g.offset;
  const auto item = static_cast<int64_t>(item_size(g.dtype));
  STRATA_CHECK(first % item == 0, "compile: a view of {} at byte {} of its storage, which is no multiple of {}",
               name(g.dtype), first, item);
  impl->set_geometry(g.sizes, g.strides, first / item);
  impl->set_inference(root.impl()->is_inference() && thread_state.inference_mode);
  return Tensor::adopt(impl);
}

std::unique_ptr<Frame> Plan::make_frame() const {
  auto frame = std::make_unique<Frame>();
  frame->arena = Storage(IntrusivePtr<StorageImpl>::adopt(StorageImpl::create(static_cast<size_t>(arena_bytes_))));
  frame->slots.resize(source_.size() + 1);
  const Tensor arena = Tensor::adopt(new TensorImpl(kByte, kCPU, frame->arena));
  for (const Program::Constant& c : program_.constants())
    if (!c.captured) frame->slots[c.variable] = c.value;
  for (size_t v = 0; v < source_.size(); ++v)
    if (source_[v] == Source::arena) frame->slots[v] = tensor_of(geometry_[v], arena);
  for (size_t v = 0; v < source_.size(); ++v) {
    if (source_[v] != Source::view) continue;
    const Tensor& root = frame->slots[geometry_[v].root];
    if (root.defined()) frame->slots[v] = tensor_of(geometry_[v], root);
  }
  for (const Step& step : steps_) {
    const KernelStep* const k = std::get_if<KernelStep>(&step);
    if (!k) continue;
    auto& args = frame->args.emplace_back();
    for (Variable v : k->in) args.push_back(frame->slots[v]);
    auto& outs = frame->outs.emplace_back(dispatch::Tensors::undefined(k->out.size()));
    for (size_t i = 0; i < k->out.size(); ++i) outs[i] = frame->slots[k->out[i]];
    if (k->draws) frame->params.push_back(OwnedParams(Params(k->params)));
  }
  return frame;
}

void Plan::bind(Frame& frame, TensorList inputs) const {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (const Variable v = program_.inputs()[i]; v != Program::kNone) frame.slots[v] = inputs[i];
  for (const Program::Constant& c : program_.constants())
    if (c.captured) frame.slots[c.variable] = c.value;
  for (Variable v : varying_) {
    const Geometry& g = geometry_[v];
    if (source_[v] == Source::fresh)
      frame.slots[v] =
          g.row_major ? empty_cpu(g.sizes, g.dtype) : dispatch::empty({g.dtype, kCPU, true, 0, g.sizes, g.strides});
    else
      frame.slots[v] = tensor_of(g, frame.slots[g.root]);
  }
}

void Plan::run_steps(Frame& frame) const {
  size_t kernels = 0, draws = 0;
  for (const Step& step : steps_) {
    if (const Tape* const tape = std::get_if<Tape>(&step)) {
      char* data[kMostOperands];
      for (size_t m = 0; m < tape->memories.size(); ++m)
        data[m] = frame.slots[static_cast<size_t>(tape->memories[m].slot)].impl()->data();
      tape->run(data);
      continue;
    }
    const KernelStep& k = std::get<KernelStep>(step);
    dispatch::Tensors& outs = frame.outs[kernels];
    for (size_t i = 0; i < k.out.size(); ++i)
      if (source_[k.out[i]] == Source::fresh) outs[i] = frame.slots[k.out[i]];
    if (k.draws) {
      OwnedParams& params = frame.params[draws++];
      params.redraw();
      k.kernel(outs, frame.args[kernels], params.data());
    } else {
      k.kernel(outs, frame.args[kernels], k.params.data());
    }
    ++kernels;
  }
}

void Plan::forget_fresh(Frame& frame) const {
  size_t kernels = 0;
  for (const Step& step : steps_) {
    const KernelStep* const k = std::get_if<KernelStep>(&step);
    if (!k) continue;
    for (size_t i = 0; i < k->out.size(); ++i)
      if (source_[k->out[i]] == Source::fresh) frame.outs[kernels][i].reset();
    ++kernels;
  }
}

/// Effects are written last, as a program does: values that show what is written to are copied before.
std::vector<Tensor> Plan::collect(Frame& frame) const {
  std::vector<Tensor> outputs;
  outputs.reserve(program_.outputs().size());
  for (Variable v : program_.outputs()) {
    if (v == Program::kNone) {
      outputs.emplace_back();
      continue;
    }
    const Source source = source_[geometry_[v].root];
    outputs.push_back(source == Source::constant ? frame.slots[v].clone() : frame.slots[v]);
  }
  program_.write_effects(frame.slots);
  return outputs;
}

std::vector<Tensor> Plan::run(TensorList inputs) const {
  const FrameLease frame(*this);
  bind(*frame, inputs);
  run_steps(*frame);
  return collect(*frame);
}

}  // namespace strata::func::compiling
