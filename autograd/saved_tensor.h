// A tensor kept for backward, and the hooks that may keep something else in its place.
#pragma once
#include <any>

#include "../core/function.h"
#include "node.h"

namespace strata::autograd {

class AccumulateGrad;

/// Keeps something in the place of a tensor that is saved for backward (a copy on another device, the name of a file)
/// and gives it back when backward needs it. After torch.autograd.graph.saved_tensors_hooks.
class SavedTensorHooks {
 public:
  virtual ~SavedTensorHooks() = default;
  /// `t` has no history and may not be written to.
  virtual std::any pack(const Tensor& t) = 0;
  /// A tensor of the packed one's shape, dtype and values.
  virtual Tensor unpack(const std::any& packed) = 0;
};

/// Until the scope ends, what this thread's eager code saves for backward goes through these hooks; of nested guards
/// the innermost counts. Functional transforms keep their tensors as they are. Tensors that went through hooks are not
/// checked for later in-place writes.
class SavedTensorHooksGuard {
 public:
  explicit SavedTensorHooksGuard(std::shared_ptr<SavedTensorHooks> hooks);
  /// `pack(Tensor) -> std::any` and `unpack(std::any) -> Tensor`.
  SavedTensorHooksGuard(strata::detail::Function<std::any(const Tensor&)> pack,
                        strata::detail::Function<Tensor(const std::any&)> unpack);
  ~SavedTensorHooksGuard();
  SavedTensorHooksGuard(const SavedTensorHooksGuard&) = delete;
  SavedTensorHooksGuard& operator=(const SavedTensorHooksGuard&) = delete;

 private:
  std::shared_ptr<SavedTensorHooks> previous_;
};

namespace detail {
/// Does this thread have hooks?
extern constinit thread_local bool has_saved_tensor_hooks;
}  // namespace detail

/// A tensor kept for backward, with the version its storage had. Sixteen bytes; what all nodes keep theirs in.
class SavedTensor {
 public:
  SavedTensor() = default;
  /// An input with its history, or a value below a transform's level.
  static SavedTensor of(const Tensor& t) {
    if (!t.defined()) return {};
    if (detail::has_saved_tensor_hooks) [[unlikely]]
      return of_through_hooks(t);
    t.impl()->retain();
    return {t.impl(), t.impl()->version(), Kind::kInput};
  }
  /// `leaf`, whose accumulator the saving node has an edge to. The edge keeps the leaf alive, so the leaf is not
  /// counted once more.
  static SavedTensor of_leaf(const Tensor& leaf, AccumulateGrad* accumulator) {
    return {accumulator, leaf.impl()->version(), Kind::kLeaf};
  }
  /// Shape and dtype only.
  static SavedTensor shape_of(const Tensor& t);
  /// An output of the node that saves it: without history, so that the node makes no cycle.
  static SavedTensor output(const Tensor& t);

  SavedTensor(SavedTensor&& o) noexcept : pointer_(o.pointer_), version_(o.version_), kind_(o.kind_) {
    o.kind_ = Kind::kNothing;
  }
  SavedTensor& operator=(SavedTensor&& o) noexcept {
    std::swap(pointer_, o.pointer_);
    std::swap(version_, o.version_);
    std::swap(kind_, o.kind_);
    return *this;
  }
  ~SavedTensor() { reset(); }

  explicit operator bool() const { return kind_ != Kind::kNothing; }
  /// Undefined if nothing was saved. Throws if the tensor was written to since; `node` is the node that saved it, whose
  /// output `output_nr` an output gets as its history again.
  Tensor unpack(Node& node, uint32_t output_nr = 0) const;
  void reset() {
    const Kind before = kind_;
    kind_ = Kind::kNothing;
    if (before >= Kind::kPackedInput) [[unlikely]]
      drop_packed();
    else if (before > Kind::kLeaf)
      impl()->release();
  }

 private:
  enum class Kind : uint8_t { kNothing, kLeaf, kInput, kShape, kOutput, kPackedInput, kPackedOutput };
  struct Packed;
  SavedTensor(void* pointer, uint32_t version, Kind kind) : pointer_(pointer), version_(version), kind_(kind) {}
  static SavedTensor of_through_hooks(const Tensor& t);
  static SavedTensor pack(const Tensor& t, Kind kind);
  Tensor unpack_packed(Node& node, uint32_t output_nr) const;
  Tensor unpack_leaf(const Node& node) const;
  TensorImpl* impl() const { return static_cast<TensorImpl*>(pointer_); }
  void drop_packed();

  void* pointer_ = nullptr;  ///< a TensorImpl, an accumulator, or what hooks made of a tensor
  uint32_t version_ = 0;
  Kind kind_ = Kind::kNothing;
};

}  // namespace strata::autograd
