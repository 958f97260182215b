// The body of a tensor: geometry, dtype, keys and the optional autograd and transform attachments.
#pragma once
#include "dtype.h"
#include "keys.h"
#include "shape.h"
#include "storage.h"
#include "thread_state.h"

namespace strata {

/// What autograd hangs on a tensor; its contents are known to autograd/ alone.
struct AutogradMetaBase {
  virtual ~AutogradMetaBase() = default;
};

class TensorImpl;

/// How a view inside a transform was made, so that it can be made anew; known to transforms/ alone.
struct ViewRecordBase {
  virtual ~ViewRecordBase() = default;
};

/// What a transform hangs on a tensor that stands for a wrapped value of one level; its kinds are known to transforms/
/// alone.
struct WrapperBase {
  static void* operator new(size_t bytes);
  static void operator delete(void* p, size_t bytes) noexcept;
  explicit WrapperBase(uint64_t of_level) : level(of_level) {}
  virtual ~WrapperBase();
  /// The wrapped tensor where it has the same elements (grad, jvp); throws where there are no numbers to read (vmap,
  /// trace): `who` wanted them.
  virtual TensorImpl* concrete(const char* who) const = 0;
  const uint64_t level;
  uint32_t version = 0;          ///< counts in-place writes, as a storage does
  bool unrecorded_view = false;  ///< made by a rule: shows another value, but `view` does not say how
  ViewRecordBase* view = nullptr;
};

/// Reference-counted body of a Tensor. A tensor without storage is a meta tensor (shape and dtype only) or a
/// transform's wrapper.
class TensorImpl final {
 public:
  TensorImpl(DType dtype, Device device, Storage storage)
      : dtype_(dtype),
        device_(device),
        keys_(backend_key(device.type())),
        born_(thread_state.level),
        storage_(std::move(storage)) {}
  /// A view of `from`, still without geometry. Its base is `base`, or it has none: Note [Borrowed storages].
  TensorImpl(const TensorImpl& from, TensorImpl* base)
      : dtype_(from.dtype_),
        device_(from.device_),
        keys_(backend_key(from.device_.type())),
        borrows_(base && !base->keeps_ && base->storage_ == from.storage_),
        born_(thread_state.level),
        storage_(Storage::adopt(from.storage_.get())),
        base_(base) {
    if (!borrows_ && storage_) storage_->retain();
    if (base) base->refs_.retain(borrows_ ? kBorrower : 1);
  }
  static void* operator new(size_t bytes);
  static void operator delete(void* p, size_t bytes) noexcept;

  DType dtype() const { return dtype_; }
  Device device() const { return device_; }
  KeySet keys() const { return keys_; }
  void add_key(Key k) { keys_ = keys_ | k; }
  void remove_key(Key k) { keys_ = keys_ - k; }

  const DimVector& sizes() const { return sizes_; }
  const DimVector& strides() const { return strides_; }
  int64_t dim() const { return static_cast<int64_t>(sizes_.size()); }
  int64_t numel() const { return numel_; }
  bool is_contiguous() const { return contiguous_; }
  /// First element; null without data.
  char* data() const {
    char* const bytes = storage_ ? storage_->data() : nullptr;
    return bytes ? bytes + offset_ : nullptr;
  }
  /// Is there memory for the elements? Not without a storage, nor while that is freed.
  bool has_data() const { return storage_ && (storage_->data() || numel_ == 0); }
  /// Distance of the first element from the start of the storage, in elements.
  int64_t storage_offset() const { return storage_ ? offset_ / static_cast<int64_t>(item_size(dtype_)) : 0; }
  const Storage& storage() const { return storage_; }

  /// Row-major over `sizes` from the start of the storage.
  void set_contiguous(IntArrayRef sizes, int64_t numel) {
    sizes_.assign(sizes);
    set_contiguous_strides(sizes, strides_);
    numel_ = numel;
    contiguous_ = true;
    offset_ = 0;
  }
  /// Any geometry; the caller has checked that it stays inside the storage.
  void set_geometry(IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset);
  /// The geometry of a view while the rule of its op writes it: straight into the new tensor, since most of what a
  /// view costs is its sizes and strides. They start empty, the dtype as the viewed tensor's.
  struct ViewGeometry {
    DimVector& sizes;
    DimVector& strides;
    DType& dtype;
    int64_t offset = 0;  ///< of the first element from the viewed tensor's first, in elements of `dtype`
    /// Says that all elements of a row-major tensor are shown in row-major order, which then need not be found out.
    bool is_whole = false;
  };
  /// What the rule writes to, of a tensor just made.
  ViewGeometry geometry() { return {sizes_, strides_, dtype_}; }
  /// The rest of a view of `from`, once its sizes, strides and dtype are written.
  void finish_view(const TensorImpl& from, const ViewGeometry& g) {
    numel_ = g.is_whole ? from.numel_ : numel_of(sizes_, strides_, contiguous_);
    const int64_t bytes = checked_mul(g.offset, static_cast<int64_t>(item_size(dtype_)), "storage offset");
    offset_ = checked_add(from.offset_, bytes, "storage offset");
  }
  /// The sizes and strides of `other` from dimension `first` on.
  void copy_geometry(const TensorImpl& other, int64_t first = 0);
  /// Replaces data and geometry by another tensor's, keeping identity and autograd state (`set_data`).
  void take_data(const TensorImpl& other);
  /// Exchanges everything but identity and reference count with `other`.
  void swap_contents(TensorImpl& other);

  /// The tensor whose storage a view shows (never itself a view); null for others. Note [Views and gradients].
  TensorImpl* base() const { return base_; }
  /// Makes a view a tensor like others, which has its storage together with what it was a view of.
  void forget_base();
  /// Note [Borrowed storages]
  /// A view keeps its base and its storage alive, and a count that another thread may be touching costs a locked
  /// instruction each time. Since the base has the storage too, the view counts once, as a borrower of the base, and
  /// the storage not at all. Before a body gets another storage, it comes to own the one that it has, and if others
  /// borrow that from it, it keeps it in memory for them and lends nothing more: see `release_storage`.
  bool borrows_storage() const { return borrows_; }
  /// Note [Views and gradients]
  /// A view carries the Autograd key whatever its base is: when the base comes to need gradients later (by an in-place
  /// op on it or on a sibling), the view needs them too. A view made while recording is off, and every view of it, says
  /// so and remembers its storage's version: it passes no gradient on to its base, an in-place op on it that would have
  /// to be recorded is an error, and so is a recorded use after the memory was written to.
  bool requires_grad() const {
    return keys_.has(Key::Autograd) && (!base_ || autograd_ || base_->keys_.has(Key::Autograd));
  }

  AutogradMetaBase* autograd() const { return autograd_; }
  void set_autograd(AutogradMetaBase* meta) { autograd_ = meta; }
  WrapperBase* wrapper() const { return wrapper_; }
  void set_wrapper(WrapperBase* w) {
    wrapper_ = w;
    keys_ = keys_ | KeySet(Key::Transform);
  }
  /// Counts a write to the memory that no op made.
  void bump_version() {
    if (storage_) storage_->bump_version();
  }
  /// Counts the writes to what this tensor shows, whether that is memory or a transform's value.
  uint32_t version() const { return storage_ ? storage_->version() : wrapper_ ? wrapper_->version : 0; }
  /// The transform level that ran when this tensor was made.
  uint64_t born() const { return born_; }
  /// How a view came to be.
  enum class Made : uint8_t { kRecorded, kNoGrad, kInference };
  Made view_made() const { return view_made_; }
  /// The storage's version when a view was made that is not recorded.
  uint32_t view_version() const { return view_version_; }
  void set_view_made(Made made) {
    view_made_ = made;
    view_version_ = version();
  }
  bool is_inference() const { return inference_; }
  void set_inference(bool on) { inference_ = on; }

  /// Handles and views.
  uint32_t use_count() const { return static_cast<uint32_t>(refs_.count()) + borrowers(); }
  void retain() { refs_.retain(); }
  void release() {
    if (refs_.release()) destroy();
  }

 private:
  static constexpr uint64_t kBorrower = uint64_t{1} << 32;
  ~TensorImpl() = default;
  uint32_t borrowers() const { return static_cast<uint32_t>(refs_.count() / kBorrower); }
  /// Counts base and storage each on its own.
  void own_storage();
  /// What comes before another storage takes the place of this one.
  void release_storage();
  /// With what hangs on it. Not inline, which keeps the code small of every place where a tensor may end.
  void destroy() noexcept;

  BasicRefCount<uint64_t> refs_;  ///< handles, and in the upper half borrowers
  DType dtype_;
  Device device_;
  KeySet keys_;
  bool contiguous_ = true;
  bool inference_ = false;
  bool borrows_ = false;  ///< the storage is counted by the base alone
  bool keeps_ = false;    ///< an earlier storage is kept for borrowers
  Made view_made_ = Made::kRecorded;
  uint32_t view_version_ = 0;
  uint64_t born_;
  Storage storage_;
  TensorImpl* base_ = nullptr;
  int64_t offset_ = 0;  ///< of the first element, in bytes from the start of the storage
  int64_t numel_ = 1;
  AutogradMetaBase* autograd_ = nullptr;
  WrapperBase* wrapper_ = nullptr;
  DimVector sizes_;
  DimVector strides_;
};

}  // namespace strata
