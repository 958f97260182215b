// The small vector of tensors that ops return and rules pass around.
#pragma once
#include <memory>
#include <utility>

#include "../core/tensor.h"

namespace strata::dispatch {

/// Up to kInline tensors inside the object, more on the heap. Entries may be undefined tensors.
class Tensors {
 public:
  static constexpr uint32_t kInline = 3;
  Tensors() = default;
  Tensors(Tensor t) : size_(1) { inline_[0] = std::move(t); }
  Tensors(Tensor a, Tensor b) : size_(2) {
    inline_[0] = std::move(a);
    inline_[1] = std::move(b);
  }
  Tensors(Tensor a, Tensor b, Tensor c) : size_(3) {
    inline_[0] = std::move(a);
    inline_[1] = std::move(b);
    inline_[2] = std::move(c);
  }
  /// n undefined tensors.
  static Tensors undefined(size_t n) {
    Tensors r;
    r.size_ = static_cast<uint32_t>(n);
    if (n > kInline) r.heap_ = std::make_unique<Tensor[]>(n);
    return r;
  }
  Tensors(Tensors&&) noexcept = default;
  Tensors& operator=(Tensors&&) noexcept = default;
  Tensors(const Tensors& o) : Tensors(undefined(o.size_)) {
    for (size_t i = 0; i < size_; ++i) (*this)[i] = o[i];
  }
  Tensors& operator=(const Tensors& o) { return *this = Tensors(o); }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Tensor* begin() { return heap_ ? heap_.get() : inline_; }
  Tensor* end() { return begin() + size_; }
  const Tensor* begin() const { return heap_ ? heap_.get() : inline_; }
  const Tensor* end() const { return begin() + size_; }
  Tensor& operator[](size_t i) { return begin()[i]; }
  const Tensor& operator[](size_t i) const { return begin()[i]; }
  operator TensorList() const { return {begin(), size_}; }
  void push_back(Tensor t) {
    if (size_ < kInline && !heap_) {
      inline_[size_++] = std::move(t);
      return;
    }
    Tensors bigger = undefined(size_ + 1);
    for (size_t i = 0; i < size_; ++i) bigger[i] = std::move((*this)[i]);
    bigger[size_] = std::move(t);
    *this = std::move(bigger);
  }

 private:
  uint32_t size_ = 0;
  Tensor inline_[kInline];
  std::unique_ptr<Tensor[]> heap_;
};

/// The tensors of a call, borrowed: `call(op, {&a, &b})`. Entries are never null pointers but may be undefined tensors.
class Args {
 public:
  Args() = default;
  // The list lives until the end of the full expression of the call: long enough for arguments.
  Args(std::initializer_list<const Tensor*> list) : Args(list.begin(), list.size()) {}
  Args(const Tensor* const* data, size_t size) : data_(data), size_(size) {}
  size_t size() const { return size_; }
  const Tensor& operator[](size_t i) const { return *data_[i]; }
  const Tensor* const* begin() const { return data_; }
  const Tensor* const* end() const { return data_ + size_; }

 private:
  const Tensor* const* data_ = nullptr;
  size_t size_ = 0;
};

/// Owns the pointer array that `Args` borrows, for lists whose length is known at run time (cat, index, rules).
class ArgList {
 public:
  ArgList() = default;
  ArgList(TensorList tensors) {
    for (const Tensor& t : tensors) push_back(t);
  }
  void push_back(const Tensor& t) {
    if (size_ < kInline) {
      inline_[size_++] = &t;
      return;
    }
    if (size_ == kInline) more_.assign(inline_, inline_ + kInline);
    more_.push_back(&t);
    ++size_;
  }
  operator Args() const { return {size_ <= kInline ? inline_ : more_.data(), size_}; }

 private:
  static constexpr size_t kInline = 8;
  const Tensor* inline_[kInline];
  std::vector<const Tensor*> more_;
  size_t size_ = 0;
};

}  // namespace strata::dispatch
