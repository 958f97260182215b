// Reading the fields of a params struct in order, so that a call can be printed and compared without knowing its type.
#pragma once
#include <array>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "../core/device.h"
#include "../core/dtype.h"
#include "../core/scalar.h"
#include "../core/shape.h"

namespace strata::dispatch {

/// Is shown each field of a params struct in the order of declaration.
class FieldVisitor {
 public:
  virtual ~FieldVisitor() = default;
  virtual void integer(int64_t v) = 0;
  virtual void real(double v) = 0;
  virtual void boolean(bool v) = 0;
  virtual void integers(IntArrayRef v) = 0;
  virtual void text(std::string_view v) = 0;
  virtual void complex_number(Complex<double> v) {
    real(v.real());
    real(v.imag());
  }
};

inline void visit(bool v, FieldVisitor& visitor) { visitor.boolean(v); }
inline void visit(double v, FieldVisitor& visitor) { visitor.real(v); }
inline void visit(int64_t v, FieldVisitor& visitor) { visitor.integer(v); }
inline void visit(uint64_t v, FieldVisitor& visitor) { visitor.integer(static_cast<int64_t>(v)); }
inline void visit(int v, FieldVisitor& visitor) { visitor.integer(v); }
inline void visit(DType v, FieldVisitor& visitor) { visitor.text(name(v)); }
inline void visit(const Device& v, FieldVisitor& visitor) { visitor.text(v.str()); }
inline void visit(const DimVector& v, FieldVisitor& visitor) { visitor.integers(v); }
template <size_t N>
void visit(const std::array<int64_t, N>& v, FieldVisitor& visitor) {
  visitor.integers({v.data(), N});
}
inline void visit(const Scalar& v, FieldVisitor& visitor) {
  if (v.is_complex()) return visitor.complex_number(v.toComplexDouble());
  v.is_floating_point() ? visitor.real(v.toDouble()) : visitor.integer(v.toLong());
}

namespace fields_detail {

/// Converts to whatever a field may be; used to count the fields of an aggregate.
struct AnyField {
  template <class T>
  operator T() const;
};
template <class P, class... A>
constexpr size_t count_fields() {
  if constexpr (sizeof...(A) <= 5 && requires { P{A{}..., AnyField{}}; })
    return count_fields<P, A..., AnyField>();
  else
    return sizeof...(A);
}

/// Calls `f` with all fields of a small aggregate; a longer one, or one with a base, names them itself.
template <class P, class F>
void with_fields(const P& p, F f) {
  constexpr size_t n = count_fields<P>();
  static_assert(n <= 5, "give the struct a member `auto fields() const { return std::tie(...); }`");
  if constexpr (n == 0) {
    f();
  } else if constexpr (n == 1) {
    const auto& [a] = p;
    f(a);
  } else if constexpr (n == 2) {
    const auto& [a, b] = p;
    f(a, b);
  } else if constexpr (n == 3) {
    const auto& [a, b, c] = p;
    f(a, b, c);
  } else if constexpr (n == 4) {
    const auto& [a, b, c, d] = p;
    f(a, b, c, d);
  } else {
    const auto& [a, b, c, d, e] = p;
    f(a, b, c, d, e);
  }
}

}  // namespace fields_detail

/// A struct: its `fields()` if it names them, else its members.
template <class P>
requires std::is_class_v<P>
void visit(const P& p, FieldVisitor& visitor) {
  const auto each = [&visitor](const auto&... field) { (visit(field, visitor), ...); };
  if constexpr (requires { p.fields(); })
    std::apply(each, p.fields());
  else
    fields_detail::with_fields(p, each);
}

}  // namespace strata::dispatch
