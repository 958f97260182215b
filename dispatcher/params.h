// The non-tensor arguments of a call: one small typed struct per op, passed along without knowing its type.
#pragma once
#include <cstddef>
#include <memory>
#include <new>

#include "fields.h"

namespace strata::dispatch {

/// How to copy, destroy and read a params struct that is known only by pointer; a node and a trace keep their own copy.
struct ParamsType {
  size_t size;
  void (*copy)(void* to, const void* from);
  void (*destroy)(void* p);
  void (*visit)(const void* p, FieldVisitor& visitor);  ///< shows each field in turn
};

/// The params of ops that have none.
struct NoParams {};

template <class P>
inline constexpr ParamsType params_type = {sizeof(P),
                                           [](void* to, const void* from) { new (to) P(*static_cast<const P*>(from)); },
                                           [](void* p) { static_cast<P*>(p)->~P(); },
                                           [](const void* p, FieldVisitor& v) { visit(*static_cast<const P*>(p), v); }};

/// Borrowed params of a call; `as<P>()` trusts the op, whose rules were built with the same P.
class Params {
 public:
  template <class P>
  static Params of(const P& p) {
    return Params(&p, &params_type<P>);
  }
  Params(const void* data, const ParamsType* type) : data_(data), type_(type) {}
  template <class P>
  const P& as() const {
    return *static_cast<const P*>(data_);
  }
  const void* data() const { return data_; }
  const ParamsType& type() const { return *type_; }
  void visit_fields(FieldVisitor& visitor) const { type_->visit(data_, visitor); }

 private:
  const void* data_;
  const ParamsType* type_;
};

/// A copy of a call's params that lives as long as somebody holds it.
class OwnedParams {
 public:
  explicit OwnedParams(Params p) : type_(&p.type()) {
    void* const copy = ::operator new(type_->size);
    type_->copy(copy, p.data());
    data_ = std::shared_ptr<void>(copy, [type = type_](void* q) {
      type->destroy(q);
      ::operator delete(q);
    });
  }
  operator Params() const { return {data_.get(), type_}; }
  const void* data() const { return data_.get(); }

 private:
  const ParamsType* type_;
  std::shared_ptr<void> data_;
};

}  // namespace strata::dispatch
