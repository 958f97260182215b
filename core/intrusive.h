// Atomic reference counts for objects that carry their own count.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

namespace strata {

/// Has this process had one thread only so far? Then nobody else can be touching a count, and a locked instruction,
/// which costs as much as twenty others, can be left out, as libstdc++'s shared_ptr does.
inline bool is_single_threaded() {
#if __has_include(<sys/single_threaded.h>)
  return __libc_single_threaded;
#else
  return false;
#endif
}

/// A count that starts at one; `release()` says whether the caller dropped the last reference. References of several
/// kinds may be counted in one word, each kind by a power of two of its own.
template <class Word>
class BasicRefCount {
 public:
  void retain(Word one = 1) {
    if (is_single_threaded())
      count_.store(count_.load(std::memory_order_relaxed) + one, std::memory_order_relaxed);
    else
      count_.fetch_add(one, std::memory_order_relaxed);
  }
  bool release(Word one = 1) {
    const Word before = count_.load(std::memory_order_acquire);
    if (before == one) return true;  // a sole owner: nobody else can be touching the count
    if (!is_single_threaded()) return count_.fetch_sub(one, std::memory_order_acq_rel) == one;
    count_.store(before - one, std::memory_order_relaxed);
    return false;
  }
  /// Takes a reference only if the object is still alive (for weak pointers guarded by a lock).
  bool try_retain() {
    Word n = count_.load(std::memory_order_relaxed);
    while (n != 0)
      if (count_.compare_exchange_weak(n, n + 1, std::memory_order_acq_rel)) return true;
    return false;
  }
  /// After `release()` said true, under the lock that guards the weak references: has `try_retain` made a new owner
  /// meanwhile? Then the object lives on without the caller.
  bool taken_back() {
    return count_.load(std::memory_order_acquire) > 1 && count_.fetch_sub(1, std::memory_order_acq_rel) != 1;
  }
  Word count() const { return count_.load(std::memory_order_acquire); }

 private:
  std::atomic<Word> count_{1};
};
using RefCount = BasicRefCount<uint32_t>;

/// How a pointer of the standard library's lets go of an object that counts for itself.
struct ReleaseReference {
  template <class T>
  void operator()(T* p) const {
    p->release();
  }
};

/// Owning pointer to a T with members `retain()` and `release()` (which destroys it at zero).
template <class T>
class IntrusivePtr {
 public:
  IntrusivePtr() = default;
  IntrusivePtr(std::nullptr_t) {}
  /// Takes over a reference that the caller owned.
  static IntrusivePtr adopt(T* p) {
    IntrusivePtr r;
    r.p_ = p;
    return r;
  }
  /// Shares ownership of `p`: its count goes up by one.
  static IntrusivePtr share(T* p) {
    if (p) p->retain();
    return adopt(p);
  }
  IntrusivePtr(const IntrusivePtr& o) : p_(o.p_) {
    if (p_) p_->retain();
  }
  IntrusivePtr(IntrusivePtr&& o) noexcept : p_(o.p_) { o.p_ = nullptr; }
  IntrusivePtr& operator=(IntrusivePtr o) noexcept {
    T* mine = p_;
    p_ = o.p_;
    o.p_ = mine;
    return *this;
  }
  ~IntrusivePtr() {
    if (p_) p_->release();
  }
  T* get() const { return p_; }
  T* operator->() const { return p_; }
  T& operator*() const { return *p_; }
  explicit operator bool() const { return p_ != nullptr; }
  /// A pointer that keeps one reference.
  operator std::shared_ptr<T>() const {
    return p_ ? std::shared_ptr<T>(share(p_).detach(), ReleaseReference()) : nullptr;
  }
  /// Gives the reference to the caller.
  T* detach() {
    T* p = p_;
    p_ = nullptr;
    return p;
  }
  friend bool operator==(const IntrusivePtr& a, const IntrusivePtr& b) { return a.p_ == b.p_; }

 private:
  T* p_ = nullptr;
};

}  // namespace strata
