// Tests of both renderings; the expected texts were written by libtorch 2.15 and PyTorch 2.15.
#include "ops/print.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "core/naming.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/view.h"
#include "test/catch.h"

using namespace strata;

TEST_CASE("stream output is libtorch's") {
  CHECK(str(tensor({{1., 2.}, {3., 4.}})) == " 1  2\n 3  4\n[ CPUFloatType{2,2} ]");
  CHECK(str(tensor({{1.5, 2.}, {3., -4.}})) == " 1.5000  2.0000\n 3.0000 -4.0000\n[ CPUFloatType{2,2} ]");
  CHECK(str(tensor({1, 20, -300})) == "   1\n  20\n-300\n[ CPULongType{3} ]");
  CHECK(str(tensor({true, false})) == " 1\n 0\n[ CPUBoolType{2} ]");
  CHECK(str(tensor(3.14159265)) == "3.1415927410125732\n[ CPUFloatType{} ]");
  CHECK(str(tensor(0.1, kDouble)) == "0.1\n[ CPUDoubleType{} ]");
  CHECK(str(tensor(-1e10)) == "-10000000000\n[ CPUFloatType{} ]");
  CHECK(str(zeros({2, 0, 3})) == "[ CPUFloatType{2,0,3} ]");
  CHECK(str(Tensor()) == "[ Tensor (undefined) ]");
  CHECK(str(tensor({1.5}, kHalf).clone()) == " 1.5000\n[ CPUHalfType{1} ]");
  CHECK(str(tensor({1, 2}, kUInt32)) == " 1\n 2\n[ CPUUInt32Type{2} ]");
}

TEST_CASE("scales, exponents and special values on a stream") {
  CHECK(str(tensor({100000.5, 200000.5})) == "100000 *\n 1.0000\n 2.0000\n[ CPUFloatType{2} ]");
  CHECK(str(tensor({0.001, 0.002})) == "0.001 *\n 1.0000\n 2.0000\n[ CPUFloatType{2} ]");
  CHECK(str(tensor({1e-8, 1e3})) == " 1.0000e-08\n 1.0000e+03\n[ CPUFloatType{2} ]");
  CHECK(str(tensor({1e100, 1e-120}, kDouble)) == " 1.0000e+100\n 1.0000e-120\n[ CPUDoubleType{2} ]");
  CHECK(str(tensor({1234567890})) == " 1.2346e+09\n[ CPULongType{1} ]");
  CHECK(str(tensor({1234567, 1})) == "1.23457e+06\n       1\n[ CPULongType{2} ]");
  CHECK(str(tensor({static_cast<double>(INFINITY), static_cast<double>(NAN), 1.})) ==
        "inf\nnan\n 1\n[ CPUFloatType{3} ]");
  CHECK(str(tensor({{100000.5, 200000.25}, {300000., 400000.}}, kDouble)) ==
        "100000 *\n 1.0000  2.0000\n  3.0000  4.0000\n[ CPUDoubleType{2,2} ]");
}

TEST_CASE("matrices of more dims and wide columns on a stream") {
  CHECK(str(arange(12).reshape({2, 2, 3})) ==
        "(1,.,.) = \n 0  1  2\n  3  4  5\n\n(2,.,.) = \n  6   7   8\n   9  10  11\n[ CPULongType{2,2,3} ]");
  CHECK(str(arange(60, kFloat).reshape({2, 30})) ==
        "Columns 1 to 20  0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15  16  17  18  19\n"
        " 30  31  32  33  34  35  36  37  38  39  40  41  42  43  44  45  46  47  48  49\n"
        "\nColumns 21 to 30 20  21  22  23  24  25  26  27  28  29\n"
        " 50  51  52  53  54  55  56  57  58  59\n[ CPUFloatType{2,30} ]");
  const std::string four = str(arange(16, kFloat).div(3).reshape({2, 2, 2, 2}));
  CHECK(four.rfind("(1,1,.,.) = \n 0.0000  0.3333\n  0.6667  1.0000\n\n(2,1,.,.) = \n 2.6667  3.0000\n", 0) == 0);
}

TEST_CASE("a stream's own settings neither matter nor change") {
  std::ostringstream out;
  out << std::setprecision(10) << std::scientific << std::setw(3);
  out << tensor({1.5});
  CHECK(out.str() == " 1.5000\n[ CPUFloatType{1} ]");
  CHECK(out.precision() == 10);
  std::ostringstream sizes;
  sizes << zeros({2, 3}).sizes();
  CHECK(sizes.str() == "[2, 3]");
  std::ostringstream numbers;
  numbers << tensor(1.5).item() << ' ' << tensor(7).item() << ' ' << tensor(true).item();
  CHECK(numbers.str() == "1.5 7 true");
}

TEST_CASE("repr is Python's") {
  set_naming(Naming::kStrata);  // other tests of this program include libtorch's headers
  CHECK(repr(tensor({{1., 2.}, {3., 4.}})) == "tensor([[1., 2.],\n        [3., 4.]])");
  CHECK(repr(tensor({1e-8, 1e3})) == "tensor([1.0000e-08, 1.0000e+03])");
  CHECK(repr(tensor({static_cast<double>(INFINITY), -1.5, static_cast<double>(NAN)})) ==
        "tensor([    inf, -1.5000,     nan])");
  CHECK(repr(tensor({1, 20, -300})) == "tensor([   1,   20, -300])");
  CHECK(repr(tensor({true, false})) == "tensor([ True, False])");
  CHECK(repr(tensor(3.14159265)) == "tensor(3.1416)");
  CHECK(repr(zeros({2}, kDouble)) == "tensor([0., 0.], dtype=float64)");
  CHECK(repr(empty({2, 0})) == "tensor([], size=(2, 0))");
  CHECK(repr(empty({0}, kLong)) == "tensor([], dtype=int64)");
  CHECK(repr(tensor({1.5}).requires_grad_()) == "tensor([1.5000], requires_grad=True)");
  CHECK(repr(arange(2000, kFloat)) ==
        "tensor([0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 1.9970e+03, 1.9980e+03,\n        1.9990e+03])");
  CHECK(repr(arange(4).reshape({2, 1, 2})) == "tensor([[[0, 1]],\n\n        [[2, 3]]])");
  const std::string summary = repr(arange(2000).reshape({40, 50}));
  CHECK(summary.substr(0, 60) == "tensor([[   0,    1,    2,  ...,   47,   48,   49],\n        ");
  CHECK(std::count(summary.begin(), summary.end(), '\n') == 6);
}
