// Saving, unpacking and running recorded ops.
#include "autograd/op_node.h"

#include <algorithm>
#include <cctype>

#include "autograd/meta.h"
#include "core/allocator.h"
#include "core/grad_mode.h"

namespace strata::autograd {
namespace {

constexpr size_t align_up(size_t n) { return (n + 15) & ~size_t{15}; }

char* allocate_block(size_t bytes) {
  return static_cast<char*>(bytes <= kSmallBlock ? small_alloc(bytes) : buffer_alloc(bytes));
}
void free_block(void* p, size_t bytes) { bytes <= kSmallBlock ? small_free(p, bytes) : buffer_free(p, bytes); }

}  // namespace

size_t OpNode::block_size(size_t inputs, size_t params) {
  return align_up(sizeof(OpNode)) + inputs * (sizeof(Edge) + sizeof(SavedTensor)) + align_up(params);
}

OpNode::OpNode(const Op& op, Params params, uint32_t inputs, char* block)
    : Node(reinterpret_cast<Edge*>(block + align_up(sizeof(OpNode))), inputs, 1),
      op_(op),
      params_type_(&params.type()) {
  char* at = block + align_up(sizeof(OpNode));
  for (uint32_t i = 0; i < inputs; ++i, at += sizeof(Edge)) new (at) Edge();
  saved_ = reinterpret_cast<SavedTensor*>(at);
  for (uint32_t i = 0; i < inputs; ++i, at += sizeof(SavedTensor)) new (at) SavedTensor();
  params_ = at;
  params_type_->copy(params_, params.data());
}

IntrusivePtr<OpNode> OpNode::create(const Op& op, Args inputs, Params params, const Tensor* self) {
  const auto n = static_cast<uint32_t>(inputs.size());
  // Edges first: they make accumulators, whose numbers have to be below this node's.
  Edge few[4];
  std::vector<Edge> many(n > 4 ? n : 0);
  Edge* const edges = n > 4 ? many.data() : few;
  for (uint32_t i = 0; i < n; ++i) {
    if (inputs[i].requires_grad()) edges[i] = gradient_edge(inputs[i]);
  }
  return create(op, inputs, params, edges, self);
}

IntrusivePtr<OpNode> OpNode::create(const Op& op, Args inputs, Params params, Edge* edges, const Tensor* self) {
  STRATA_CHECK(op.vjp || inputs.size() == 0, "{}: has no derivative", op.name());
  const auto n = static_cast<uint32_t>(inputs.size());
  char* const block = allocate_block(block_size(n, params.type().size));
  auto* node = new (block) OpNode(op, params, n, block);
  for (uint32_t i = 0; i < n; ++i) node->edge(i) = std::move(edges[i]);
  auto owned = IntrusivePtr<OpNode>::adopt(node);
  node->save_inputs(inputs, self);
  return owned;
}

OpNode::~OpNode() {
  for (uint32_t i = 0; i < num_inputs(); ++i) {
    saved_[i].~SavedTensor();
    edge(i).~Edge();
  }
  params_type_->destroy(params_);
}

void OpNode::destroy() {
  const size_t bytes = block_size(num_inputs(), params_type_->size);
  this->~OpNode();
  free_block(this, bytes);
}

std::string OpNode::name() const {
  std::string camel;
  bool upper = true;
  for (char c : op_.name()) {
    if (c == '_') {
      upper = true;
      continue;
    }
    camel += upper ? static_cast<char>(std::toupper(c)) : c;
    upper = false;
  }
  return camel + "Backward0";
}

void OpNode::save_inputs(Args inputs, const Tensor* self) {
  for (uint32_t i = 0; i < num_inputs(); ++i)
    if (edge(i)) saves_ = saves_ | op_.saves_for(i);
  if (!(saves_.inputs | saves_.input_metas)) return;
  for (uint32_t i = 0; i < num_inputs(); ++i) {
    const Tensor& t = inputs[i];
    if (!t.defined()) continue;
    if (saves_.inputs & Saves::bit(i)) {
      STRATA_CHECK(!t.is_inference(),
                   "{}: a tensor made in InferenceMode cannot be saved for backward; clone() it outside first",
                   op_.name());
      const bool overwritten = self && self->has_storage() && t.has_storage() && self->storage() == t.storage();
      std::construct_at(&saved_[i], SavedTensor::of(overwritten ? t.clone() : t));  // the place was empty
    } else if (saves_.input_metas & Saves::bit(i)) {
      std::construct_at(&saved_[i], SavedTensor::shape_of(t));
    }
  }
}

/// Makes room for what is saved of `n` outputs; false if nothing is.
bool OpNode::count_outputs(size_t n) {
  set_num_outputs(static_cast<uint32_t>(n));
  if (n > kInlineOutputs) more_saved_outputs_ = std::make_unique<SavedTensor[]>(n - kInlineOutputs);
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

void OpNode::free_saved() {
  for (uint32_t i = 0; i < num_inputs(); ++i) saved_[i].reset();
  for (uint32_t i = 0; i < num_outputs(); ++i) saved_output(i).reset();
}

Tensors OpNode::apply(Tensors grads) {
  const bool saved_anything = saves_.inputs | saves_.input_metas | saves_.outputs | saves_.output_metas;
  if (saved_anything) check_not_released();
  const uint32_t n = num_inputs();
  if (n == 0) return {};
  Tensors inputs = Tensors::undefined(n), outputs = Tensors::undefined(num_outputs());
  for (uint32_t i = 0; i < n; ++i) inputs[i] = saved_[i].unpack(*this);
  for (uint32_t i = 0; i < num_outputs(); ++i) outputs[i] = saved_output(i).unpack(*this, i);
  bool few[8];
  const auto many = n > 8 ? std::make_unique<bool[]>(n) : nullptr;
  bool* const wanted = many ? many.get() : few;
  for (uint32_t i = 0; i < n; ++i) wanted[i] = static_cast<bool>(edge(i));
  if (std::none_of(wanted, wanted + n, [](bool w) { return w; })) return Tensors::undefined(n);
  const ArgList in(inputs), out(outputs), cotangents(grads);
  return op_.vjp({{op_, in, out}, cotangents, wanted}, params_);
}

}  // namespace strata::autograd
