// An op: its schema, what it infers, how it differentiates and batches, and its kernel per backend, in one constinit
// object.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string_view>
#include <vector>

#include "params.h"
#include "tensors.h"

namespace strata {
class Communicator;  // core/communicator.h
}

namespace strata::dispatch {

struct Op;

/// What an output will be, without its data. `strided` outputs (views, and fresh ones in another order than row-major)
/// carry strides and, views, an offset relative to arg 0's
/// first element.
struct Meta {
  DType dtype = kFloat;
  Device device;
  bool strided = false;
  int64_t offset = 0;
  DimVector sizes;
  DimVector strides;
};

/// The outputs that `infer` describes. Made on every call: up to kInline lie inside, and entries beyond the size are
/// not even initialised; more are a vector.
class Metas {
 public:
  static constexpr size_t kInline = 3;
  Metas(Meta&& m) : size_(1) { new (&list_[0]) Meta(std::move(m)); }
  /// The one output that `make()` describes, which is built in its place.
  template <class F>
  requires std::is_same_v<std::invoke_result_t<F>, Meta>
  explicit Metas(F&& make) : size_(1) { new (&list_[0]) Meta(make()); }
  Metas(Meta&& a, Meta&& b) : size_(2) {
    new (&list_[0]) Meta(std::move(a));
    new (&list_[1]) Meta(std::move(b));
  }
  Metas(Meta&& a, Meta&& b, Meta&& c) : size_(3) {
    new (&list_[0]) Meta(std::move(a));
    new (&list_[1]) Meta(std::move(b));
    new (&list_[2]) Meta(std::move(c));
  }
  /// Descriptions of any number of outputs.
  Metas(std::vector<Meta> all) : size_(static_cast<uint32_t>(all.size())), is_vector_(true) {
    new (&vector_) std::vector<Meta>(std::move(all));
  }
  Metas(const Metas&) = delete;
  Metas& operator=(const Metas&) = delete;
  ~Metas() {
    if (is_vector_) [[unlikely]]
      vector_.~vector();
    else
      for (uint32_t i = 0; i < size_; ++i) list_[i].~Meta();
  }
  size_t size() const { return size_; }
  const Meta& operator[](size_t i) const { return is_vector_ ? vector_[i] : list_[i]; }

 private:
  uint32_t size_;
  bool is_vector_ = false;
  union {
    Meta list_[kInline];
    std::vector<Meta> vector_;
  };
};

/// Note [Channels last]
/// Images `(N, C, H, W)` and volumes whose channels lie last in memory (MemoryFormat::ChannelsLast) are convolved,
/// normalised and pooled into such ones, as in PyTorch: `infer` says so, and the kernels write to the strides that they
/// are given. Element-wise results lie as their operands do: Note [Order of dims]. On other devices and for all other
/// ops results are row-major.
inline bool has_channels_last(const Tensor& t) {
  return t.defined() && (t.dim() == 4 || t.dim() == 5) && t.device().is_cpu() &&
         looks_channels_last(t.sizes(), t.strides());
}

/// A fresh row-major output.
inline Meta meta(IntArrayRef sizes, DType dtype, Device device) { return {dtype, device, false, 0, sizes, {}}; }
/// Like `t`, row-major.
inline Meta meta_like(const Tensor& t) { return meta(t.sizes(), t.dtype(), t.device()); }
inline Meta meta_like(const Tensor& t, DType dtype) { return meta(t.sizes(), dtype, t.device()); }
/// Of the sizes, row-major, or with the channels last where `like` lies so on the CPU: Note [Channels last].
inline Meta meta_in_order(const Tensor& like, IntArrayRef sizes) {
  if (!has_channels_last(like) || sizes.size() != like.sizes().size()) [[likely]]
    return meta(sizes, like.dtype(), like.device());
  return {like.dtype(), like.device(), true, 0, sizes, channels_last_strides(sizes)};
}
/// The infer rule of most element-wise ops: one output like input 0. The dispatcher knows it and skips the description.
Metas infer_like_first(Args in, const void* params);
/// A view of `t`: geometry only, the offset counts elements from t's first.
inline Meta view_meta(const Tensor& t, IntArrayRef sizes, IntArrayRef strides, int64_t offset) {
  return {t.dtype(), t.device(), true, offset, sizes, strides};
}

/// Which tensors a backward needs; bit i is input (output) i, bit 7 stands for all from the eighth on.
struct Saves {
  uint8_t inputs = 0;       ///< with their data, checked for later in-place writes
  uint8_t input_metas = 0;  ///< shape and dtype only: the rule sees a tensor without storage
  uint8_t outputs = 0;
  uint8_t output_metas = 0;
  constexpr Saves operator|(Saves o) const {
    return std::bit_cast<Saves>(std::bit_cast<uint32_t>(*this) | std::bit_cast<uint32_t>(o));
  }
  static constexpr uint8_t bit(size_t i) { return static_cast<uint8_t>(1u << (i < 7 ? i : 7)); }
};
/// `saves_in(0, 1)`, `saves_shape(0)`, `saves_out(0)`, joined by `|`.
template <class... I>
constexpr Saves saves_in(I... i) {
  return {static_cast<uint8_t>((0 | ... | Saves::bit(static_cast<size_t>(i)))), 0, 0, 0};
}
template <class... I>
constexpr Saves saves_shape(I... i) {
  return {0, static_cast<uint8_t>((0 | ... | Saves::bit(static_cast<size_t>(i)))), 0, 0};
}
template <class... I>
constexpr Saves saves_out(I... i) {
  return {0, 0, static_cast<uint8_t>((0 | ... | Saves::bit(static_cast<size_t>(i)))), 0};
}
inline constexpr Saves kSavesNothing{};

/// What every derivative rule sees. `in(i)` is the input if the op saves it, a shape-only tensor if it saves that, else
/// undefined.
struct Primals {
  const Op& op;
  Args inputs;
  Args outputs;
  const Tensor& in(size_t i) const { return inputs[i]; }
  const Tensor& out(size_t i = 0) const { return outputs[i]; }
};

/// Context of a vjp rule: cotangents of the outputs (undefined = zero; never all undefined) and which inputs want one.
struct Vjp : Primals {
  Args grads;
  const bool* wanted = nullptr;
  const Tensor& grad(size_t i = 0) const { return grads[i]; }
  bool needs(size_t i) const { return wanted[i]; }
  size_t arity() const { return inputs.size(); }
};

/// Context of a jvp rule: tangents of the inputs (undefined = zero; never all undefined). All inputs and outputs are
/// there.
struct Jvp : Primals {
  Args tangents;
  const Tensor& tangent(size_t i = 0) const { return tangents[i]; }
};

/// Context of a batch rule: a batched input carries its batch dimension in front. The rule's outputs must all do so.
struct Batch {
  const Op& op;
  Args inputs;
  const bool* is_batched = nullptr;
  int64_t size = 0;
  const Communicator* axis = nullptr;  ///< collectives of this group run over the batch dimension; null for none
  const Tensor& in(size_t i) const { return inputs[i]; }
  bool batched(size_t i) const { return is_batched[i]; }
  size_t arity() const { return inputs.size(); }
};

using InferFn = Metas (*)(Args in, const void* params);
using VjpFn = Tensors (*)(const Vjp& c, const void* params);
using JvpFn = Tensors (*)(const Jvp& c, const void* params);
using BatchFn = Tensors (*)(const Batch& c, const void* params);
using KernelFn = void (*)(Tensors& out, Args in, const void* params);
using ViewGeometry = TensorImpl::ViewGeometry;
/// Writes what a view of `x` shows. It may read x's geometry, not its data.
using ViewFn = void (*)(const Tensor& x, const void* params, ViewGeometry& g);

/// Context of a replay rule: what a traced program does to run a call again, where that is more than the call (views of
/// tensors that may have other strides now, random ops that draw anew).
struct Replay {
  const Op& op;
  Args inputs;
  const Tensor& in(size_t i) const { return inputs[i]; }
};
using ReplayFn = Tensors (*)(const Replay& c, const void* params);
/// The op written with other ops, for devices that have no kernel of it. The calls that it makes run below autograd and
/// the transforms, which have seen the op already.
using DecomposeFn = Tensors (*)(Args in, const void* params);

enum OpFlag : uint32_t {
  kView = 1,           ///< output 0 aliases input 0; a view rule in place of a kernel
  kDataDependent = 2,  ///< result shape depends on data: no infer, the kernel makes its outputs
  kPointwise = 4,      ///< output element i depends on input elements i alone: in-place may alias any input exactly
  kUpdatesInput0 = 8,  ///< the kernel works when output 0 is input 0 (scatter_, index_put_, …)
  kNotDifferentiable = 16,  ///< outputs never require grad (comparisons, argmax, random, …)
  kRandom = 32,
  kCustom = 64,            ///< runs a rule of the user's that its params hold: Note [Custom rules]
  kMovesDevice = 128,      ///< its output may be on another device than its input
  kDetaches = 256,         ///< its output is a constant for the transform that interprets it, and for no other
  kShowsMemory = 512,      ///< a view by strides and offset, which a traced program has none of
  kUpdatesInputs = 1024,   ///< the kernel writes to more inputs than the one that is output 0 (optimizer steps)
  kRepeats = 2048,         ///< a view some of whose elements share memory, so that nothing can be written to it
  kCollective = 4096,      ///< other ranks wait for it, so a program keeps it though nothing needs its result
  kRowMajor = 16384,       ///< element-wise, yet its result is row-major: Note [Order of dims]
  kKeepsOrder = 32768,     ///< not element-wise, yet its result lies as if it were
  kNeedsLapack = 65536,    ///< its kernel is LAPACK's, so a slim build has none of it
  kNamedByDims = 131072,   ///< libtorch has several nodes for it, by the dims of the operands
  kSameOnAllRanks = 8192,  ///< of collectives: over a mapped dim the batch rule's result has no batch dimension
};

/// In which precision autocast runs an op.
enum class AutocastPolicy : uint8_t {
  kAsGiven,  ///< no cast
  kLower,    ///< the 16-bit type of autocast
  kFloat32,
  kWidest,  ///< the widest floating point type among the operands, for ops that want one type
};

/// All that is known of one op. Made by the builders in ops/rules.h, placed before any static initialiser runs; kernels
/// register themselves into it. An op is known by its address, which is one in the whole process: a program that names
/// an op of a library may own the memory, and the library's own code, which goes through the same symbol, follows.
struct alignas(64) Op {
  // What every call reads lies in one cache line.
  InferFn infer = nullptr;
  KernelFn kernels[kNumBackends] = {};
  uint32_t flags = 0;
  /// Of input 0, 1, and of 2 and later; a call with others is refused before anything runs.
  DTypes dtypes[3] = {kRealTypes, kRealTypes, kRealTypes};
  AutocastPolicy autocast = AutocastPolicy::kAsGiven;
  Saves saves[3] = {};  ///< what the gradient of input 0, 1, and of 2 and later, needs
  VjpFn vjp = nullptr;
  const char* schema = nullptr;
  const ParamsType* params = nullptr;  ///< of its calls: how to copy, show and read them
  ViewFn view = nullptr;
  JvpFn jvp = nullptr;
  BatchFn batch = nullptr;
  ReplayFn replay = nullptr;
  DecomposeFn decompose = nullptr;
  const Op* next = nullptr;  ///< of `all_ops()`

  bool is(OpFlag f) const { return flags & f; }
  /// Null where the device has none.
  KernelFn kernel(DeviceType device) const { return kernels[static_cast<int>(device)]; }
  const Saves& saves_for(size_t input) const { return saves[input < 2 ? input : 2]; }
  DTypes dtypes_for(size_t input) const { return dtypes[input < 2 ? input : 2]; }
  /// The schema up to the parenthesis.
  std::string_view name() const {
    const std::string_view s(schema);
    return s.substr(0, s.find('('));
  }
};

/// Puts an op on the list of `all_ops()` while the library or program that defines it is loaded.
class OpRegistrar {
 public:
  explicit OpRegistrar(Op& op);
  ~OpRegistrar();
  OpRegistrar(const OpRegistrar&) = delete;
  OpRegistrar& operator=(const OpRegistrar&) = delete;

 private:
  Op& op_;
};

/// The ops of every library that is loaded, in no particular order.
class OpList {
 public:
  class iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Op;
    using difference_type = std::ptrdiff_t;
    using pointer = const Op*;
    using reference = const Op&;
    explicit iterator(const Op* at = nullptr) : at_(at) {}
    const Op& operator*() const { return *at_; }
    const Op* operator->() const { return at_; }
    iterator& operator++() {
      at_ = at_->next;
      return *this;
    }
    friend bool operator==(iterator, iterator) = default;

   private:
    const Op* at_;
  };
  explicit OpList(const Op* first) : first_(first) {}
  iterator begin() const { return iterator(first_); }
  iterator end() const { return iterator(); }
  size_t size() const { return static_cast<size_t>(std::distance(begin(), end())); }

 private:
  const Op* first_;
};
OpList all_ops();

/// Defines an op and registers it: `STRATA_OP(sin_op) = pointwise(…);`.
#define STRATA_OP(name)                                                 \
  extern ::strata::dispatch::Op name;                                   \
  static const ::strata::dispatch::OpRegistrar name##_registrar_(name); \
  constinit ::strata::dispatch::Op name

}  // namespace strata::dispatch
