// Type promotion of mixed operands against PyTorch's answers (promotion.txt, written by promotion_make.py).
#include "ops/promote.h"

#include <fstream>
#include <sstream>

#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/view.h"
#include "test/catch.h"
#include "test/ops/tools.h"
#include "test/source_dir.h"

using namespace strata;
using namespace strata::test;

namespace {

struct Operand {
  bool is_number = false;
  Tensor tensor;
  Scalar number;
};

Operand operand(const std::string& rank, const std::string& dtype) {
  Operand o;
  if (rank == "s") {
    o.is_number = true;
    o.number = dtype == "bool"      ? Scalar(true)
               : dtype == "int64"   ? Scalar(2)
               : dtype == "float64" ? Scalar(2.5)
                                    : Scalar(Complex<double>(2, 1));
  } else {
    INFO(dtype);
    REQUIRE(dtype_named(dtype) != DType::Undefined);
    o.tensor = ones(rank == "n" ? IntArrayRef({2}) : IntArrayRef(), dtype_named(dtype));
  }
  return o;
}

template <class F>
std::string dtype_of_result(F f) {
  try {
    return name(f().dtype());
  } catch (const Error&) {
    return "error";
  }
}

/// f(a, b) for whichever of the two are numbers.
template <class F>
std::string apply(const Operand& a, const Operand& b, F f) {
  return dtype_of_result([&] {
    if (a.is_number) return f(a.number, b.tensor);
    return b.is_number ? f(a.tensor, b.number) : f(a.tensor, b.tensor);
  });
}

template <class F>
std::string apply_in_place(const Operand& a, const Operand& b, F f) {
  if (a.is_number) return "error";
  return dtype_of_result([&] {
    Tensor t = a.tensor.clone();
    return b.is_number ? f(t, b.number) : f(t, b.tensor);
  });
}

}  // namespace

TEST_CASE("promotion follows PyTorch's table") {
  std::ifstream in(source_dir() + "/test/ops/promotion.txt");
  std::string line;
  std::getline(in, line);  // the heading
  int rows = 0;
  for (; std::getline(in, line); ++rows) {
    INFO(line);
    std::istringstream words(line);
    std::string rank_a, dtype_a, rank_b, dtype_b, sum, quotient, equal, sum_in_place, quotient_in_place;
    words >> rank_a >> dtype_a >> rank_b >> dtype_b >> sum >> quotient >> equal >> sum_in_place >> quotient_in_place;
    const Operand a = operand(rank_a, dtype_a), b = operand(rank_b, dtype_b);
    CHECK(apply(a, b, [](const auto& x, const auto& y) { return x + y; }) == sum);
    CHECK(apply(a, b, [](const auto& x, const auto& y) { return x / y; }) == quotient);
    CHECK(apply(a, b, [](const auto& x, const auto& y) { return x == y; }) == equal);
    if (sum_in_place == "shape") continue;
    CHECK(apply_in_place(a, b, [](Tensor& x, const auto& y) { return x.add_(y); }) == sum_in_place);
    CHECK(apply_in_place(a, b, [](Tensor& x, const auto& y) { return x.div_(y); }) == quotient_in_place);
  }
  CHECK(rows == 744);
}

TEST_CASE("uint32 promotes to a type that holds both") {
  CHECK(promote_types(kUInt32, kUInt32) == kUInt32);
  CHECK(promote_types(kUInt32, kInt) == kLong);
  CHECK(promote_types(kUInt32, kByte) == kUInt32);
  CHECK(promote_types(kUInt32, kFloat) == kFloat);
}

TEST_CASE("the default dtype decides what integers divide into") {
  const Tensor a = ones({2}, kLong);
  set_default_dtype(kDouble);
  const DType quotient = (a / a).dtype(), sum = (a + 1.5).dtype();
  set_default_dtype(kFloat);
  CHECK(quotient == kDouble);
  CHECK(sum == kDouble);
}
