// The non-tensor arguments of a call: one small typed struct per op, passed along without knowing its type.
#pragma once
#include <cstddef>
#include <new>

namespace strata {

/// How to copy and destroy a params struct that is known only by pointer; a node and a trace keep their own copy.
struct ParamsType {
  size_t size;
  void (*copy)(void* to, const void* from);
  void (*destroy)(void* p);
};

/// The params of ops that have none.
struct NoParams {};

template <class P>
inline constexpr ParamsType params_type = {sizeof(P),
                                           [](void* to, const void* from) { new (to) P(*static_cast<const P*>(from)); },
                                           [](void* p) { static_cast<P*>(p)->~P(); }};

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

 private:
  const void* data_;
  const ParamsType* type_;
};

}  // namespace strata
