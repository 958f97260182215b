// The fields of a params struct in order, shown or read back, so that a call can be printed, compared, saved and loaded
// without knowing its type.
#pragma once
#include <algorithm>
#include <array>
#include <string>
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
  /// A number of any type; in the place of two numbers where it is complex and this is left as it is.
  virtual void number(const Scalar& v) {
    if (v.is_complex()) {
      real(v.toComplexDouble().real());
      return real(v.toComplexDouble().imag());
    }
    v.is_floating_point() ? real(v.toDouble()) : integer(v.wrapped_to<int64_t>());
  }
};

/// Gives the fields of a params struct in the order that a FieldVisitor is shown them. Each function throws Error where
/// the next field is of another kind or there is none.
class FieldReader {
 public:
  virtual ~FieldReader() = default;
  virtual int64_t integer() = 0;
  virtual double real() = 0;
  virtual bool boolean() = 0;
  virtual DimVector integers() = 0;
  virtual std::string text() = 0;
  virtual Scalar number() = 0;
};

/// Several members that are shown as one list: `fields()` has `group(ih, iw)` among its fields.
template <size_t N>
struct Group {
  std::array<const int64_t*, N> members;
};
template <class... I>
Group<sizeof...(I)> group(const I&... members) {
  return {{&members...}};
}

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
template <size_t N>
void visit(const Group<N>& v, FieldVisitor& visitor) {
  std::array<int64_t, N> values;
  for (size_t i = 0; i < N; ++i) values[i] = *v.members[i];
  visitor.integers({values.data(), N});
}
inline void visit(const Scalar& v, FieldVisitor& visitor) { visitor.number(v); }
template <class E>
requires std::is_enum_v<E>
void visit(E v, FieldVisitor& visitor) { visitor.integer(static_cast<int64_t>(v)); }

inline void read(bool& v, FieldReader& reader) { v = reader.boolean(); }
inline void read(double& v, FieldReader& reader) { v = reader.real(); }
inline void read(int64_t& v, FieldReader& reader) { v = reader.integer(); }
inline void read(uint64_t& v, FieldReader& reader) { v = static_cast<uint64_t>(reader.integer()); }
inline void read(DimVector& v, FieldReader& reader) { v = reader.integers(); }
inline void read(Scalar& v, FieldReader& reader) { v = reader.number(); }
inline void read(Device& v, FieldReader& reader) { v = Device(reader.text()); }
void read(int& v, FieldReader& reader);
void read(DType& v, FieldReader& reader);
template <class E>
requires std::is_enum_v<E>
void read(E& v, FieldReader& reader) { v = static_cast<E>(reader.integer()); }

namespace fields_detail {
/// The next field, `count` integers.
DimVector read_integers(size_t count, FieldReader& reader);
}  // namespace fields_detail

template <size_t N>
void read(std::array<int64_t, N>& v, FieldReader& reader) {
  const DimVector values = fields_detail::read_integers(N, reader);
  std::copy(values.begin(), values.end(), v.begin());
}
/// `fields()` is a const member; what is read belongs to whoever reads.
template <size_t N>
void read(Group<N>& v, FieldReader& reader) {
  const DimVector values = fields_detail::read_integers(N, reader);
  for (size_t i = 0; i < N; ++i) const_cast<int64_t&>(*v.members[i]) = values[i];
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
void with_members(P& p, F f) {
  constexpr size_t n = count_fields<std::remove_const_t<P>>();
  static_assert(n <= 5, "give the struct a member `auto fields() const { return std::tie(...); }`");
  if constexpr (n == 0) {
    f();
  } else if constexpr (n == 1) {
    auto& [a] = p;
    f(a);
  } else if constexpr (n == 2) {
    auto& [a, b] = p;
    f(a, b);
  } else if constexpr (n == 3) {
    auto& [a, b, c] = p;
    f(a, b, c);
  } else if constexpr (n == 4) {
    auto& [a, b, c, d] = p;
    f(a, b, c, d);
  } else {
    auto& [a, b, c, d, e] = p;
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
    fields_detail::with_members(p, each);
}
namespace fields_detail {
template <class T>
inline constexpr bool shows_member = std::is_lvalue_reference_v<T>;
template <size_t N>
inline constexpr bool shows_member<Group<N>> = true;
/// A copy among the fields would be read, and the member not.
template <class... T>
constexpr bool all_members(const std::tuple<T...>*) {
  return (shows_member<T> && ...);
}
}  // namespace fields_detail

template <class P>
requires std::is_class_v<P>
void read(P& p, FieldReader& reader) {
  const auto each = [&reader](auto&... field) {
    (read(const_cast<std::remove_const_t<std::remove_reference_t<decltype(field)>>&>(field), reader), ...);
  };
  if constexpr (requires { p.fields(); }) {
    auto fields = p.fields();
    static_assert(fields_detail::all_members(static_cast<decltype(fields)*>(nullptr)),
                  "fields() must give references to members, by std::tie and group(...)");
    std::apply(each, fields);
  } else {
    fields_detail::with_members(p, each);
  }
}

}  // namespace strata::dispatch
