// dtypes: sizes, names, categories and the whole promotion table.
#include "core/dtype.h"

#include <cmath>
#include <cstring>
#include <sstream>

#include "core/error.h"
#include "core/scalar.h"
#include "test/catch.h"

namespace strata {
namespace {

using Catch::Matchers::ContainsSubstring;

constexpr DType kAll[] = {kBool, kByte,     kChar,  kShort,  kInt,          kUInt32,       kLong,
                          kHalf, kBFloat16, kFloat, kDouble, kComplexFloat, kComplexDouble};
constexpr DType kStored[] = {kUInt16, kUInt64, kFloat8_e5m2, kFloat8_e4m3fn, kFloat8_e5m2fnuz, kFloat8_e4m3fnuz};

// PyTorch's table, rows and columns in the order of kAll. uint32 with a signed type, which PyTorch refuses, gives
// int64.
constexpr const char* kPromotion[] = {"? u8 i8 i16 i32 u32 i64 f16 bf16 f32 f64 c64 c128",
                                      "u8 u8 i16 i16 i32 u32 i64 f16 bf16 f32 f64 c64 c128",
                                      "i8 i16 i8 i16 i32 i64 i64 f16 bf16 f32 f64 c64 c128",
                                      "i16 i16 i16 i16 i32 i64 i64 f16 bf16 f32 f64 c64 c128",
                                      "i32 i32 i32 i32 i32 i64 i64 f16 bf16 f32 f64 c64 c128",
                                      "u32 u32 i64 i64 i64 u32 i64 f16 bf16 f32 f64 c64 c128",
                                      "i64 i64 i64 i64 i64 i64 i64 f16 bf16 f32 f64 c64 c128",
                                      "f16 f16 f16 f16 f16 f16 f16 f16 f32 f32 f64 c64 c128",
                                      "bf16 bf16 bf16 bf16 bf16 bf16 bf16 f32 bf16 f32 f64 c64 c128",
                                      "f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f64 c64 c128",
                                      "f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 c128 c128",
                                      "c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c128 c64 c128",
                                      "c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128"};
constexpr const char* kShortName[] = {"?",   "u8",   "i8",  "i16", "i32", "u32", "i64",
                                      "f16", "bf16", "f32", "f64", "c64", "c128"};

}  // namespace

TEST_CASE("promotion follows the table") {
  for (size_t i = 0; i < std::size(kPromotion); ++i) {
    std::istringstream row(kPromotion[i]);
    for (size_t j = 0; j < std::size(kPromotion); ++j) {
      std::string expected;
      row >> expected;
      INFO(name(kAll[i]) << " with " << name(kAll[j]));
      CHECK(kShortName[static_cast<int>(promote_types(kAll[i], kAll[j]))] == expected);
    }
  }
}

TEST_CASE("dtypes for storage are promoted where PyTorch does it and refused elsewhere") {
  for (int i = 0; i < kNumDTypes; ++i)
    for (DType stored : kStored) {
      const DType other = static_cast<DType>(i);
      INFO(name(stored) << " with " << name(other));
      const bool takes_other = !is_float8(stored) && is_floating_point(other) && !is_float8(other);
      if (other == stored || takes_other) {
        CHECK(promote_types(stored, other) == other);
        CHECK(promote_types(other, stored) == other);
      } else {
        CHECK_THROWS_WITH(promote_types(stored, other), ContainsSubstring("is not supported"));
        CHECK_THROWS_WITH(promote_types(other, stored), ContainsSubstring("is not supported"));
      }
    }
  CHECK_THROWS_WITH(
      promote_types(kInt, kUInt16),
      "promote_types: int32 and uint16 have no common dtype: promotion for uint16 and uint64 types is not "
      "supported; convert one by to(dtype)");
}

TEST_CASE("promotion is commutative, idempotent and, within PyTorch's exceptions, associative") {
  for (DType a : kAll)
    for (DType b : kAll) {
      CHECK(promote_types(a, b) == promote_types(b, a));
      CHECK(promote_types(a, promote_types(a, b)) == promote_types(a, b));
    }
}

TEST_CASE("each dtype's size, name and category agree with its C++ type") {
  for (int i = 0; i < kNumDTypes; ++i) {
    const DType t = static_cast<DType>(i);
    INFO(name(t));
    CHECK(visit_stored_dtype(t, []<class T>() { return sizeof(T); }) == item_size(t));
    CHECK(visit_stored_dtype(t, []<class T>() { return dtype_of<T>; }) == t);
    CHECK(category(t) == (t == kBool ? 0 : is_complex(t) ? 3 : is_floating_point(t) ? 2 : 1));
    CHECK(is_differentiable(t) == (category(t) >= 2));
    CHECK(is_integral(t) == (category(t) == 1));
    CHECK(is_integral(t, true) == (category(t) < 2));
    std::ostringstream out;
    out << t;
    CHECK(out.str() == name(t));
  }
  CHECK(std::string(name(kBFloat16)) == "bfloat16");
  CHECK(!is_integral(DType::Undefined, true));
  CHECK(!is_differentiable(DType::Undefined));
  CHECK_THROWS_WITH(visit_dtype(kComplexFloat, []<class T>() {}), "not implemented for complex64");
}

TEST_CASE("the default dtype can be changed to a floating point type only") {
  CHECK(get_default_dtype() == kFloat);
  set_default_dtype(kDouble);
  CHECK(get_default_dtype() == kDouble);
  set_default_dtype(kFloat);
  CHECK_THROWS_WITH(set_default_dtype(kFloat8_e5m2), ContainsSubstring("is not a floating point type"));
  CHECK_THROWS_WITH(set_default_dtype(kLong), "set_default_dtype: int64 is not a floating point type");
  CHECK(get_default_dtype() == kFloat);
}

TEST_CASE("a Scalar keeps its category and converts without undefined behaviour") {
  CHECK(Scalar(true).type() == kBool);
  CHECK(Scalar(3).type() == kLong);
  CHECK(Scalar(uint8_t{3}).type() == kLong);
  CHECK(Scalar(3.0f).type() == kDouble);
  CHECK(Scalar(Half(1.5f)).toDouble() == 1.5);
  CHECK(Scalar(BFloat16(-2.5f)).toDouble() == -2.5);
  CHECK(Scalar().toLong() == 0);
  CHECK(Scalar(int64_t{1} << 62).toLong() == int64_t{1} << 62);
  CHECK(Scalar(2.9).toLong() == 2);
  CHECK(Scalar(-2.9).toLong() == -2);
  CHECK(Scalar(NAN).wrapped_to<int64_t>() == 0);
  CHECK(Scalar(INFINITY).wrapped_to<int64_t>() == INT64_MAX);
  CHECK(Scalar(-INFINITY).wrapped_to<int64_t>() == INT64_MIN);
  CHECK(Scalar(1e30).wrapped_to<int64_t>() == INT64_MAX);
  CHECK(Scalar(-9223372036854775808.0).toLong() == INT64_MIN);
  CHECK(Scalar(300).wrapped_to<uint8_t>() == 44);
  CHECK_THROWS_AS(Scalar(1e30).toLong(), Error);
  CHECK_THROWS_AS(Scalar(300).to<uint8_t>(), Error);
  CHECK(Scalar(-1).to<uint8_t>() == 255);
  CHECK(Scalar(0.5).toBool());
  CHECK(Scalar(NAN).toBool());
  CHECK(!Scalar(-0.0).toBool());
  CHECK(static_cast<float>(Scalar(2.5).to<Half>()) == 2.5f);
}

TEST_CASE("a Scalar holds what uint64 holds") {
  const Scalar big(UINT64_MAX - 4);
  CHECK(big.type() == kUInt64);
  CHECK(big.isIntegral(false));
  CHECK(big.to<uint64_t>() == UINT64_MAX - 4);
  CHECK(big.toDouble() == 18446744073709551616.0);
  CHECK(big.toBool());
  CHECK(!(big == Scalar(-5)));
  CHECK(big == Scalar(UINT64_MAX - 4));
  CHECK(Scalar(uint64_t{5}).type() == kLong);
  CHECK(Scalar(Float8_e4m3fn(1.5f)).toDouble() == 1.5);
  CHECK(static_cast<float>(Scalar(2.5).to<Float8_e5m2>()) == 2.5f);
}

TEST_CASE("Scalars compare by value") {
  CHECK(Scalar(1) == Scalar(1.0));
  CHECK(Scalar(true) == Scalar(1));
  CHECK(!(Scalar(1) == Scalar(1.5)));
  CHECK(!(Scalar(NAN) == Scalar(NAN)));
  CHECK(!(Scalar((int64_t{1} << 53) + 1) == Scalar(int64_t{1} << 53)));
}

}  // namespace strata
