// The non-tensor arguments of a call: one small typed struct per op, passed along without knowing its type.
#pragma once
#include <cstddef>
#include <memory>
#include <new>

#include "../core/error.h"
#include "../core/generator.h"
#include "fields.h"

namespace strata::dispatch {

/// How to copy, destroy and read a params struct that is known only by pointer; a node and a trace keep their own copy.
struct ParamsType {
  size_t size;
  void (*copy)(void* to, const void* from);
  void (*destroy)(void* p);
  void (*visit)(const void* p, FieldVisitor& visitor);  ///< shows each field in turn
  void (*read)(void* to, FieldReader& reader);          ///< makes params of their fields; null where they hold code
  void (*redraw)(void* p);  ///< takes new numbers from the default generator; null where none are drawn
};

/// Params of a random op: the place in the generator's numbers where its draw starts. A program that runs again moves
/// it on, so that every run draws anew.
template <class P>
concept Drawing = requires(P& p, uint64_t v) {
  p.seed = v;
  p.offset = v;
};

/// For params that draw: on the CPU unless they have a `device`.
template <Drawing P>
void redraw(void* params) {
  P& p = *static_cast<P*>(params);
  Device device = kCPU;
  if constexpr (requires { device = p.device; }) device = p.device;
  const Generator::Position at = default_generator().next(device);
  p.seed = at.seed;
  p.offset = at.offset;
}
template <class P>
constexpr auto redraw_of() -> void (*)(void*) {
  if constexpr (Drawing<P>)
    return &redraw<P>;
  else
    return nullptr;
}

/// The params of ops that have none.
struct NoParams {};

/// Params that are more than their fields, for example a function of the user's, say so by a `static constexpr bool
/// kHoldsCode = true`, and cannot be read back.
template <class P>
concept HoldsCode = P::kHoldsCode;

template <class P>
constexpr auto read_of() -> void (*)(void*, FieldReader&) {
  if constexpr (HoldsCode<P>)
    return nullptr;
  else
    return [](void* to, FieldReader& reader) {
      P p{};
      read(p, reader);
      new (to) P(std::move(p));
    };
}

template <class P>
inline constexpr ParamsType params_type = {sizeof(P),
                                           [](void* to, const void* from) { new (to) P(*static_cast<const P*>(from)); },
                                           [](void* p) { static_cast<P*>(p)->~P(); },
                                           [](const void* p, FieldVisitor& v) { visit(*static_cast<const P*>(p), v); },
                                           read_of<P>(),
                                           redraw_of<P>()};

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
  explicit OwnedParams(Params p) : OwnedParams(p.type(), [&](void* to) { p.type().copy(to, p.data()); }) {}
  /// Params of a type (an op's `params`) made of their fields, as `visit_fields` shows them. Throws what the reader
  /// throws, and for types that hold code.
  static OwnedParams read(const ParamsType& type, FieldReader& fields) {
    STRATA_CHECK(type.read, "params: these hold code, which cannot be read back");
    return OwnedParams(type, [&](void* to) { type.read(to, fields); });
  }
  operator Params() const { return {data_.get(), type_}; }
  /// Gives params that draw a place of their own in the generator's numbers.
  void redraw() { type_->redraw(data_.get()); }
  const void* data() const { return data_.get(); }

 private:
  template <class Make>
  OwnedParams(const ParamsType& type, Make make) : type_(&type) {
    std::unique_ptr<void, void (*)(void*)> room(::operator new(type.size), [](void* p) { ::operator delete(p); });
    make(room.get());
    data_ = std::shared_ptr<void>(room.release(), [type = type_](void* p) {
      type->destroy(p);
      ::operator delete(p);
    });
  }
  const ParamsType* type_;
  std::shared_ptr<void> data_;
};

}  // namespace strata::dispatch
