// The promotion lattice and the default dtype.
#include "core/dtype.h"

#include <algorithm>
#include <atomic>
#include <ostream>

#include "core/error.h"
#include "core/naming.h"
#include "core/scalar.h"

namespace strata {
namespace {
std::atomic<DType> default_dtype{kFloat};

bool is_unsigned(DType t) { return t == kByte || t == kUInt32; }

/// Both integers: the wider one, except that an unsigned next to a signed of no more bits needs the next wider signed.
DType promote_integers(DType a, DType b) {
  if (is_unsigned(a) == is_unsigned(b)) return item_size(a) >= item_size(b) ? a : b;
  const DType u = is_unsigned(a) ? a : b, s = is_unsigned(a) ? b : a;
  if (item_size(s) > item_size(u)) return s;
  return u == kByte ? kShort : kLong;
}
[[noreturn, gnu::cold]] void fail_promotion(const char* types, DType a, DType b) {
  STRATA_THROW(
      "promote_types: {} and {} have no common dtype: promotion for {} types is not supported; convert "
      "one by to(dtype)",
      name(a), name(b), types);
}

/// One of them is a dtype for storage.
DType promote_stored(DType a, DType b) {
  if (is_float8(a) || is_float8(b)) fail_promotion("float8", a, b);
  const DType other = kUnsignedStorageTypes.has(a) ? b : a;
  if (!is_floating_point(other)) fail_promotion("uint16 and uint64", a, b);
  return other;
}
}  // namespace

DType promote_types(DType a, DType b) {
  if (a == b) return a;
  if (a > kComplexDouble || b > kComplexDouble) [[unlikely]]
    return promote_stored(a, b);
  if (is_complex(a) || is_complex(b)) {
    const bool wide = std::max(item_size(to_real_dtype(a)), item_size(to_real_dtype(b))) == 8;
    return wide && (is_differentiable(a) && is_differentiable(b)) ? kComplexDouble : is_complex(a) ? a : b;
  }
  if (category(a) != category(b)) return category(a) > category(b) ? a : b;
  if (category(a) == 1) return promote_integers(a, b);
  // float16 and bfloat16 hold neither each other; otherwise the wider one.
  if (item_size(a) == item_size(b)) return kFloat;
  return item_size(a) > item_size(b) ? a : b;
}

DType get_default_dtype() { return default_dtype.load(std::memory_order_relaxed); }
void set_default_dtype(DType t) {
  STRATA_CHECK(is_floating_point(t) && !is_float8(t), "set_default_dtype: {} is not a floating point type", name(t));
  default_dtype.store(t, std::memory_order_relaxed);
}

void detail::fail_not_implemented(DType t) { STRATA_THROW_AS(NotImplementedError, "not implemented for {}", name(t)); }

namespace {
// In the order of the enum.
constexpr std::string_view kTypes[] = {"bool",
                                       "unsigned char",
                                       "signed char",
                                       "short int",
                                       "int",
                                       "unsigned int",
                                       "long int",
                                       "c10::Half",
                                       "c10::BFloat16",
                                       "float",
                                       "double",
                                       "c10::complex<float>",
                                       "c10::complex<double>",
                                       "short unsigned int",
                                       "long unsigned int",
                                       "c10::Float8_e5m2",
                                       "c10::Float8_e4m3fn",
                                       "c10::Float8_e5m2fnuz",
                                       "c10::Float8_e4m3fnuz",
                                       "nullptr (uninitialized)"};

/// As C and C++ name it, integers by their width.
std::string name_in_c(DType t) {
  if (t == kInt || !is_integral(t, false)) return std::string(kTypes[static_cast<int>(t)]);
  return std::string(name(t)) + "_t";
}
}  // namespace

void Scalar::fail_conversion(DType dtype) const {
  STRATA_CHECK(
      !is_complex() || imag_ == 0 || strata::is_complex(dtype),
      "value cannot be converted to type {} without overflow: {}{}{}j has an imaginary part, so it cannot become "
      "a real number",
      name_in_c(dtype), d_, imag_ < 0 ? "-" : "+", imag_ < 0 ? -imag_ : imag_);
  STRATA_THROW("value cannot be converted to type {} without overflow", name_in_c(dtype));
}

bool Scalar::fits(DType dtype) const {
  return visit_stored_dtype(dtype, [&]<class T>() { return fits<T>(); });
}

void Scalar::check_fits(const char* op, DType dtype) const {
  STRATA_CHECK(fits(dtype), "{}: value cannot be converted to type {} without overflow", op, name_in_c(dtype));
}

std::string_view TypeMeta::name() const { return kTypes[static_cast<int>(type_)]; }

const char* toString(DType t) { return libtorch_names() ? detail::kScalarTypeName[static_cast<int>(t)] : name(t); }
std::ostream& operator<<(std::ostream& out, DType t) { return out << toString(t); }
std::ostream& operator<<(std::ostream& out, TypeMeta t) { return libtorch_names() ? out << t.name() : out << DType(t); }

}  // namespace strata
