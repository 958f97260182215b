// Saving, unpacking and running recorded ops.
#include "autograd/op_node.h"

#include <algorithm>

#include "autograd/accumulate.h"
#include "autograd/engine.h"
#include "core/allocator.h"
#include "core/grad_mode.h"
#include "dispatcher/gradient_places.h"
#include "ops/number.h"

namespace strata::autograd {
namespace {

constexpr size_t align_up(size_t n) { return (n + 15) & ~size_t{15}; }

char* allocate_block(size_t bytes) {
  return static_cast<char*>(bytes <= kSmallBlock ? small_alloc(bytes) : buffer_alloc(bytes));
}
void free_block(void* p, size_t bytes) { bytes <= kSmallBlock ? small_free(p, bytes) : buffer_free(p, bytes); }

/// Does the op that writes to `self` overwrite `t`, an input whose old values are needed?
bool is_overwritten(const Tensor& t, const Tensor& self) {
  return self.has_storage() && t.has_storage() && self.storage() == t.storage();
}

/// The accumulator of `t` where that is what the edge leads to.
AccumulateGrad* accumulator_at(const Edge& edge, const Tensor& t) {
  const Meta* const meta = edge ? meta_of(t.impl()) : nullptr;
  const bool leads_there = meta && meta->accumulator == edge.function.get() && meta->accumulator->variable.is_same(t);
  return leads_there ? meta->accumulator : nullptr;
}

/// What a node of `op` keeps of an input, which the op may be about to overwrite as its `self`. `own_edge` leads to
/// where the input's gradient goes, unless that is to a transform's level.
SavedTensor saved_input(const Op& op, const Tensor& t, const Edge* own_edge, const Tensor* self) {
  if (!t.defined()) return {};
  STRATA_CHECK(!t.is_inference(),
               "{}: Inference tensors cannot be saved for backward. clone() those made in InferenceMode outside",
               op.name());
  if (self && is_overwritten(t, *self)) [[unlikely]]
    return SavedTensor::of(t.clone());
  AccumulateGrad* const accumulator =
      own_edge && !detail::has_saved_tensor_hooks ? accumulator_at(*own_edge, t) : nullptr;
  return accumulator ? SavedTensor::of_leaf(t, accumulator) : SavedTensor::of(t);
}

/// Of two operands.
NumberAt number_among(Args inputs) {
  const TensorImpl* const number = strata::detail::last_number();
  if (!number) return NumberAt::kNone;
  if (inputs[1].impl() == number) return NumberAt::kSecond;
  return inputs[0].impl() == number ? NumberAt::kFirst : NumberAt::kNone;
}

}  // namespace

size_t OpNode::block_size(size_t inputs, size_t params) {
  return align_up(sizeof(OpNode)) + inputs * (sizeof(Edge) + sizeof(SavedTensor)) + align_up(params);
}

/// The memory of a node while its edges are made in it.
class OpNode::Block {
 public:
  Block(size_t inputs, size_t params) : bytes_(block_size(inputs, params)), memory_(allocate_block(bytes_)) {}
  ~Block() {
    if (!memory_) return;
    std::destroy_n(edges(), made_);
    free_block(memory_, bytes_);
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  Edge* edges() const { return reinterpret_cast<Edge*>(memory_ + align_up(sizeof(OpNode))); }
  void add_edge(Edge edge) { std::construct_at(edges() + made_++, std::move(edge)); }
  /// The memory is the node's from now on.
  char* release() { return std::exchange(memory_, nullptr); }

 private:
  const size_t bytes_;
  char* memory_;
  uint32_t made_ = 0;
};

OpNode::OpNode(const Op& op, Params params, uint32_t inputs, Edge* edges)
    : BuiltinNode(edges, inputs, 1),
      op_(op),
      params_type_(&params.type()),
      params_(reinterpret_cast<SavedTensor*>(edges + inputs) + inputs),
      saved_(reinterpret_cast<SavedTensor*>(edges + inputs)) {
  std::uninitialized_value_construct_n(saved_, inputs);
  params_type_->copy(params_, params.data());
}

// Edges come first: they make accumulators, whose numbers have to be below the node's.
template <class EdgeOf>
IntrusivePtr<OpNode> OpNode::create_with(const Op& op, Args inputs, Params params, const Tensor* self, bool own_edges,
                                         EdgeOf edge_of) {
  STRATA_CHECK(op.vjp || inputs.size() == 0, "{}: has no derivative", op.name());
  const auto n = static_cast<uint32_t>(inputs.size());
  Block block(n, params.type().size);
  for (uint32_t i = 0; i < n; ++i) block.add_edge(edge_of(i));
  Edge* const edges = block.edges();
  auto node = IntrusivePtr<OpNode>::adopt(new (block.release()) OpNode(op, params, n, edges));
  node->save_inputs(inputs, self, own_edges);
  return node;
}

IntrusivePtr<OpNode> OpNode::create(const Op& op, Args inputs, Params params, const Tensor* self) {
  return create_with(op, inputs, params, self, true,
                     [&](uint32_t i) { return inputs[i].requires_grad() ? gradient_edge(inputs[i]) : Edge(); });
}

IntrusivePtr<OpNode> OpNode::create(const Op& op, Args inputs, Params params, Edge* edges, const Tensor* self) {
  return create_with(op, inputs, params, self, false, [&](uint32_t i) { return std::move(edges[i]); });
}

OpNode::~OpNode() {
  std::destroy_n(saved_, num_outputs());
  std::destroy_n(&edge(0), num_outputs());
  params_type_->destroy(params_);
}

void OpNode::destroy() {
  const size_t bytes = block_size(num_outputs(), params_type_->size);
  this->~OpNode();
  free_block(this, bytes);
}

std::string OpNode::name() const {
  return name_of_node({op_, params_, called_, number_, static_cast<uint8_t>(num_outputs()), {dims_[0], dims_[1]}});
}

void OpNode::save_inputs(Args inputs, const Tensor* self, bool own_edges) {
  Saves saves;
  const uint32_t n = num_outputs();
  for (uint32_t i = 0; i < n; ++i)
    if (edge(i)) saves = saves | op_.saves_for(i);
  saves_ = saves;
  for (uint32_t i = 0; i < std::min(n, 2u); ++i)
    dims_[i] = inputs[i].defined() ? static_cast<uint8_t>(inputs[i].dim()) : uint8_t{0};
  if (n == 2 && !(edge(0) && edge(1))) number_ = number_among(inputs);  // no gradient goes to a number
  if (!(saves.inputs | saves.input_metas)) return;
  for (uint32_t i = 0; i < n; ++i) {
    if (saves.inputs & Saves::bit(i))
      std::construct_at(&saved_[i], saved_input(op_, inputs[i], own_edges ? &edge(i) : nullptr, self));
    else if (saves.input_metas & Saves::bit(i))
      std::construct_at(&saved_[i], SavedTensor::shape_of(inputs[i]));
  }
}

/// Makes room for what is saved of `n` outputs; false if nothing is.
inline bool OpNode::count_outputs(size_t n) {
  set_num_inputs(static_cast<uint32_t>(n));
  if (n > kInlineOutputs) [[unlikely]]
    more_saved_outputs_ = std::make_unique<SavedTensor[]>(n - kInlineOutputs);
  return saves_.outputs | saves_.output_metas;
}

void OpNode::save_outputs(TensorList outputs) {
  if (!count_outputs(outputs.size())) return;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (saves_.outputs & Saves::bit(i))
      saved_output(i) = SavedTensor::output(outputs[i]);
    else if (saves_.output_metas & Saves::bit(i))
      saved_output(i) = SavedTensor::shape_of(outputs[i]);
  }
}

void OpNode::save_values(TensorList outputs) {
  if (!count_outputs(outputs.size())) return;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if ((saves_.outputs | saves_.output_metas) & Saves::bit(i)) saved_output(i) = SavedTensor::of(outputs[i]);
  }
}

void OpNode::release_variables() {
  for (uint32_t i = 0; i < num_outputs(); ++i) saved_[i].reset();
  for (uint32_t i = 0; i < num_inputs(); ++i) saved_output(i).reset();
}

/// By input, where its gradient may be made: Note [Gradient buffers].
Tensors OpNode::offered_buffers() {
  Tensors places = Tensors::undefined(num_outputs());
  for (uint32_t i = 0; i < num_outputs(); ++i)
    if (auto* const leaf = dynamic_cast<AccumulateGrad*>(edge(i).function.get())) places[i] = leaf->offered_buffer();
  return places;
}

Tensors OpNode::run(Tensors grads) {
  const bool saved_anything = saves_.inputs | saves_.input_metas | saves_.outputs | saves_.output_metas;
  if (saved_anything) check_not_released();
  const uint32_t n = num_outputs();
  if (n == 0) return {};
  Tensors inputs = Tensors::undefined(n), outputs = Tensors::undefined(num_inputs());
  for (uint32_t i = 0; i < n; ++i) inputs[i] = saved_[i].unpack(*this);
  for (uint32_t i = 0; i < num_inputs(); ++i) outputs[i] = saved_output(i).unpack(*this, i);
  bool few[8];
  const auto many = n > 8 ? std::make_unique<bool[]>(n) : nullptr;
  bool* const wanted = many ? many.get() : few;
  for (uint32_t i = 0; i < n; ++i) wanted[i] = static_cast<bool>(edge(i));
  if (std::none_of(wanted, wanted + n, [](bool w) { return w; })) return Tensors::undefined(n);
  const ArgList in(inputs), out(outputs), cotangents(grads);
  if (AccumulateGrad::are_there_buffers()) [[unlikely]] {
    const Tensors places = accumulates_into_leaves() ? offered_buffers() : Tensors::undefined(n);
    const dispatch::GradientPlacesGuard guard(places.begin());
    return op_.vjp({{op_, in, out}, cotangents, wanted}, params_);
  }
  return op_.vjp({{op_, in, out}, cotangents, wanted}, params_);
}

}  // namespace strata::autograd
