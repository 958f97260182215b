// Running a plan: a frame, its tensors bound to this run's memory, step by step.
#include "compile/plan.h"

#include <cstring>

#include "compile/nested.h"
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
    plan_.release(*frame_);
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
  frame->results.resize(is_direct_.size());
  frame->arena = Storage(IntrusivePtr<StorageImpl>::adopt(StorageImpl::create(static_cast<size_t>(arena_bytes_))));
  frame->slots.resize(source_.size() + 1);
  const Tensor arena = Tensor::adopt(new TensorImpl(kByte, kCPU, frame->arena));
  for (const Program::Constant& c : program_.constants())
    if (!c.captured) frame->slots[c.variable] = c.value;
  std::vector<Tensor> blocks;
  for (size_t i = 0; i < block_bytes_.size(); ++i) {
    frame->blocks.push_back(IntrusivePtr<StorageImpl>::adopt(StorageImpl::create(0)));
    blocks.push_back(Tensor::adopt(new TensorImpl(kByte, kCPU, frame->blocks.back())));
  }
  for (size_t v = 0; v < source_.size(); ++v)
    if (const Geometry& g = geometry_[v]; source_[v] == Source::arena)
      frame->slots[v] = tensor_of(g, g.block < 0 ? arena : blocks[static_cast<size_t>(g.block)]);
  for (size_t v = 0; v < source_.size(); ++v) {
    if (source_[v] != Source::view) continue;
    const Tensor& root = frame->slots[geometry_[v].root];
    if (root.defined()) frame->slots[v] = tensor_of(geometry_[v], root);
  }
  for (const Step& step : steps_) {
    if (const NestedStep* const n = std::get_if<NestedStep>(&step)) frame->nested.push_back(n->nested->make_frame());
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

/// A result, which has no bytes yet where it is large.
Tensor Plan::fresh(const Geometry& g) const {
  if (g.block >= 0) {
    const Storage empty(IntrusivePtr<StorageImpl>::adopt(StorageImpl::create(0)));
    return tensor_of(g, Tensor::adopt(new TensorImpl(kByte, kCPU, empty)));
  }
  return g.row_major ? empty_cpu(g.sizes, g.dtype) : dispatch::empty({g.dtype, kCPU, true, 0, g.sizes, g.strides});
}

void Plan::begin(Frame& frame, const Turn& turn) const {
  for (int32_t b : turn.take) frame.blocks[static_cast<size_t>(b)].resize_(static_cast<size_t>(block_bytes_[b]));
  for (Variable v : turn.fill) frame.slots[v].storage().resize_(static_cast<size_t>(block_bytes_[geometry_[v].block]));
}

void Plan::end(Frame& frame, const Turn& turn) const {
  for (int32_t b : turn.give) frame.blocks[static_cast<size_t>(b)].resize_(0);
  for (Variable v : turn.drop) frame.slots[v].reset();
}

void Plan::bind(Frame& frame, std::vector<Tensor> inputs) const {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (const Variable v = program_.inputs()[i]; v != Program::kNone) frame.slots[v] = std::move(inputs[i]);
  for (const Program::Constant& c : program_.constants())
    if (c.captured) frame.slots[c.variable] = c.value;
  for (Variable v : varying_) {
    const Geometry& g = geometry_[v];
    frame.slots[v] = source_[v] == Source::fresh ? fresh(g) : tensor_of(g, frame.slots[g.root]);
  }
}

void Plan::run_kernel(Frame& frame, const KernelStep& k, size_t number) const {
  dispatch::Tensors& outs = frame.outs[number];
  for (size_t i = 0; i < k.out.size(); ++i)
    if (source_[k.out[i]] != Source::arena) outs[i] = frame.slots[k.out[i]];
  if (k.draws) frame.params[static_cast<size_t>(k.draw)].redraw();
  const OwnedParams& params = k.draw < 0 ? k.params : frame.params[static_cast<size_t>(k.draw)];
  k.kernel(outs, frame.args[number], params.data());
  for (size_t i = 0; i < k.out.size(); ++i)  // over a donated argument, whose memory goes when its slot is dropped
    if (source_[k.out[i]] == Source::view) outs[i].reset();
}

void Plan::run_tape(const Frame& frame, const Tape& tape) const {
  char* data[kMostOperands];
  for (size_t m = 0; m < tape.memories.size(); ++m)
    data[m] = frame.slots[static_cast<size_t>(tape.memories[m].slot)].impl()->data();
  tape.run(data);
}

void Plan::run_strip(const Frame& frame, const Strip& strip) const {
  std::vector<char*> data;
  data.reserve(strip.memories());
  for (const Strip::Part& part : strip.parts)
    for (const Memory& m : part.memories())
      data.push_back(m.is_local ? nullptr : frame.slots[static_cast<size_t>(m.slot)].impl()->data());
  strip.run(data.data());
}

void Plan::run_nested(Frame& frame, const NestedStep& step, size_t number) const {
  List in, out;
  for (Variable v : step.in) in.push_back(frame.slots[v]);
  for (Variable v : step.out) out.push_back(frame.slots[v]);
  step.nested->run(*frame.nested[number], in, out);
}

void Plan::run_steps(Frame& frame) const {
  size_t kernels = 0, nested = 0;
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (!turns_.empty()) begin(frame, turns_[i]);
    if (const Tape* const tape = std::get_if<Tape>(&steps_[i])) {
      run_tape(frame, *tape);
    } else if (const Strip* const strip = std::get_if<Strip>(&steps_[i])) {
      run_strip(frame, *strip);
    } else if (const NestedStep* const n = std::get_if<NestedStep>(&steps_[i])) {
      run_nested(frame, *n, nested++);
    } else {
      run_kernel(frame, std::get<KernelStep>(steps_[i]), kernels++);
    }
    if (!turns_.empty()) end(frame, turns_[i]);
  }
}

void Plan::forget_fresh(Frame& frame) const {
  size_t kernels = 0;
  for (const Step& step : steps_) {
    const KernelStep* const k = std::get_if<KernelStep>(&step);
    if (!k) continue;
    for (size_t i = 0; i < k->out.size(); ++i)
      if (source_[k->out[i]] != Source::arena) frame.outs[kernels][i].reset();
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
  for (Variable v : written_) frame.slots[v].storage()->bump_version();
  Program::write_effects(effects_, frame.slots);
  return outputs;
}

void Plan::release(Frame& frame) const {
  for (Variable v : bound_) frame.slots[v].reset();
  for (const Storage& block : frame.blocks) block.resize_(0);  // where a step threw
  for (Tensor& place : frame.results) place.reset();
  forget_fresh(frame);
}

void Plan::set_input(Frame& frame, size_t number, const Tensor& value) const {
  if (const Variable v = program_.inputs()[number]; v != Program::kNone) frame.slots[v] = value;
}

void Plan::set_result(Frame& frame, size_t number, const Tensor& place) const {
  (is_direct_[number] ? frame.slots[program_.outputs()[number]] : frame.results[number]) = place;
}

namespace {

/// Does the tensor lie there already?
bool shows(const Tensor& view, const Tensor& root, const Geometry& g) {
  const char* const data = root.impl()->data();
  return view.defined() && view.storage() == root.storage() && data && view.impl()->data() == data + g.offset;
}

void copy_elements(const Tensor& from, const Tensor& to) {
  if (from.numel() == 0) return;
  if (from.is_contiguous() && to.is_contiguous())
    std::memcpy(to.impl()->data(), from.impl()->data(), static_cast<size_t>(from.numel()) * from.element_size());
  else
    Tensor(to).copy_(from);
}

}  // namespace

void Plan::run_body(Frame& frame) const {
  for (Variable v : varying_)
    if (const Tensor& root = frame.slots[geometry_[v].root]; !shows(frame.slots[v], root, geometry_[v]))
      frame.slots[v] = tensor_of(geometry_[v], root);
  run_steps(frame);
  for (size_t i = 0; i < frame.results.size(); ++i)
    if (frame.results[i].defined()) copy_elements(frame.slots[program_.outputs()[i]], frame.results[i]);
}

std::vector<Tensor> Plan::run(std::vector<Tensor> inputs) const {
  if (has_chains_) return program_(std::move(inputs));
  const FrameLease frame(*this);
  bind(*frame, std::move(inputs));
  run_steps(*frame);
  return collect(*frame);
}

}  // namespace strata::func::compiling
