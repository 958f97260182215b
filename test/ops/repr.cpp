// Python's rendering of many tensors under many options, against what PyTorch itself prints (repr_torch.py, repr.txt).
#include <cmath>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>

#include "autograd/autograd.h"
#include "core/naming.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/complex.h"
#include "ops/creation.h"
#include "ops/print.h"
#include "ops/unary.h"
#include "ops/view.h"
#include "test/catch.h"
#include "test/error_of.h"
#include "test/source_dir.h"

using namespace strata;

namespace {

/// The tensors of repr_torch.py, by the same names.
std::map<std::string, Tensor> tensors() {
  const double inf = INFINITY, nan = NAN;
  const Tensor ramp = arange(4000, kFloat), big = (ramp.reshape({40, 100}) - 2000) / 7;
  const Tensor leaf = tensor({1.5, -2.25}).requires_grad_();
  const Tensor weights = ((arange(12, kFloat) - 5) / 8).reshape({3, 4}).requires_grad_();
  using C = Complex<float>;
  using D = Complex<double>;
  return {{"integers", tensor({1, 20, -300})},
          {"fractions", tensor({{0.5, 1.25}, {-3.125, 100.0}})},
          {"wide", arange(60, kFloat).reshape({2, 30}) / 3},
          {"whole", tensor({1., 2., -30.})},
          {"special", tensor({inf, -1.5, nan, -inf, 0.})},
          {"only special", tensor({inf, nan, 0.})},
          {"spread", tensor({1e-8, 1e3, 0., inf})},
          {"small", tensor({1e-5, 2e-5})},
          {"large whole", tensor({1e9, 2.})},
          {"million", tensor({1e6, 2e6})},
          {"zeros", zeros({3})},
          {"negative zero", tensor({-0., 1.})},
          {"scalar", tensor(3.14159265)},
          {"whole scalar", tensor(7.)},
          {"long scalar", tensor(7)},
          {"bools", tensor({true, false})},
          {"bytes", tensor({250, 3}, kUInt8)},
          {"unsigned", tensor({int64_t{-9223372036854775807 - 1} + 5, int64_t{1}}).view(kUInt64)},
          {"halves", tensor({0.1, 2.}, kHalf)},
          {"bfloats", tensor({0.1, 2.}, kBFloat16)},
          {"doubles", tensor({0.1, 2.}, kDouble)},
          {"complex", tensor({C(1, 2), C(-3.5, 4.25)})},
          {"complex doubles", tensor({{D(1, -2), D(1e10, 0.5)}})},
          {"empty", zeros({0})},
          {"empty matrix", zeros({2, 0})},
          {"empty longs", zeros({0}, kLong)},
          {"three dims", arange(8).reshape({2, 2, 2})},
          {"four dims", arange(8, kFloat).reshape({2, 1, 2, 2}) / 8},
          {"leaf", leaf},
          {"product", leaf * 2},
          {"relu", weights.relu()},
          {"view", weights.reshape({12})},
          {"double with grad_fn", leaf.to(kDouble).exp()},
          {"long line", arange(14, kFloat).requires_grad_() + 0.5},
          {"ramp", ramp},
          {"big", big},
          {"big longs", arange(4000).reshape({10, 20, 20})},
          {"big bools", (arange(1200) % 3 == 0).reshape({400, 3})},
          {"big narrow", (arange(1200, kFloat) / 8).reshape({2, 600})},
          {"big complex", complex(big, -big)},
          {"big with grad_fn", weights.reshape({12, 1}) * ramp.narrow(0, 0, 300)},
          {"just below", arange(1000)},
          {"just above", arange(1001)}};
}

const std::map<std::string, PrintOptions> kOptions = {
    {"default", {}},
    {"precise", {.precision = 8}},
    {"rough", {.precision = 0}},
    {"short", {.profile = "short"}},
    {"full", {.profile = "full"}},
    {"narrow", {.linewidth = 40}},
    {"edges", {.threshold = 5, .edgeitems = 1}},
    {"no edges", {.threshold = 5, .edgeitems = 0}},
    {"exponents", {.sci_mode = true}},
    {"no exponents", {.sci_mode = false}},
};

struct Expected {
  std::string option, name, text;
};
std::vector<Expected> recorded() {
  std::ifstream in(source_dir() + "/test/ops/repr.txt");
  std::vector<Expected> list;
  for (std::string line; std::getline(in, line);) {
    const size_t colon = line.find(": ");
    if (line.rfind("=== ", 0) == 0)
      list.push_back({line.substr(4, colon - 4), line.substr(colon + 2), ""});
    else if (!list.empty())
      list.back().text += list.back().text.empty() ? line : '\n' + line;
  }
  return list;
}

}  // namespace

TEST_CASE("repr writes what Python's PyTorch prints") {
  const auto all = tensors();
  const std::vector<Expected> expected = recorded();
  REQUIRE(expected.size() > 400);
  set_naming(Naming::kLibtorch);  // which has torch.float64 as there
  for (const Expected& e : expected) {
    INFO(e.option << ": " << e.name);
    const PrintOptionsGuard defaults({.profile = "default"});
    const PrintOptionsGuard guard(kOptions.at(e.option));
    CHECK(repr(all.at(e.name)) == e.text);
  }
  set_naming(Naming::kStrata);
  CHECK(repr(zeros({1}, kDouble)) == "tensor([0.], dtype=float64)");
}

TEST_CASE("print options are kept, restored and checked") {
  {
    const PrintOptionsGuard guard({.precision = 2, .sci_mode = true});
    CHECK(repr(tensor({0.5})) == "tensor([5.00e-01])");
    set_printoptions({.edgeitems = 7});  // as in Python, sci_mode goes back and the rest stays
    CHECK(get_printoptions().precision == 2);
    CHECK(!get_printoptions().sci_mode);
  }
  CHECK(repr(tensor({0.5})) == "tensor([0.5000])");
  CHECK(get_printoptions().edgeitems == 3);
  CHECK(error_of([] { set_printoptions({.precision = -1}); }) ==
        "set_printoptions: precision must be at least 0, got -1");
  CHECK(error_of([] { set_printoptions({.profile = "long"}); }) ==
        "set_printoptions: profile must be default, short or full, got long");
}

TEST_CASE("print writes a line to standard output") {
  std::ostringstream out;
  std::streambuf* const before = std::cout.rdbuf(out.rdbuf());
  print(tensor({1.5}));
  std::cout.rdbuf(before);
  CHECK(out.str() == "tensor([1.5000])\n");
}

TEST_CASE("streams shorten big tensors, but not where libtorch's headers are included") {
  set_naming(Naming::kStrata);  // other tests of this program include libtorch's headers
  const PrintOptionsGuard guard({.threshold = 10, .edgeitems = 1});
  CHECK(str(arange(11)) == "  0\n ...\n 10\n[ CPULongType{11} ]");
  CHECK(str(arange(12).reshape({3, 4})) == "  0  ...   3\n ...\n  8  ...  11\n[ CPULongType{3,4} ]");
  CHECK(str(arange(16).reshape({8, 2}) / 2.) == " 0.0000  0.5000\n ...\n 7.0000  7.5000\n[ CPUFloatType{8,2} ]");
  CHECK(str(arange(24).reshape({4, 3, 2})) ==
        "(1,.,.) = \n 0  1\n  ...\n  4  5\n\n...\n\n(4,.,.) = \n 18  19\n  ...\n  22  23\n[ CPULongType{4,3,2} ]");
  CHECK(str(zeros({11, 0})) == "[ CPUFloatType{11,0} ]");
  const Tensor wide = arange(4'000'000, kFloat).reshape({2000, 2000});
  CHECK(str(wide).size() < 100);
  set_naming(Naming::kLibtorch);
  const std::string whole = str(arange(11));
  set_naming(Naming::kStrata);
  CHECK(whole == "  0\n  1\n  2\n  3\n  4\n  5\n  6\n  7\n  8\n  9\n 10\n[ CPULongType{11} ]");
}

TEST_CASE("streams follow precision and sci_mode") {
  const PrintOptionsGuard guard({.precision = 2});
  CHECK(str(tensor({1.5, 2.25})) == " 1.50\n 2.25\n[ CPUFloatType{2} ]");
  set_printoptions({.sci_mode = true});
  CHECK(str(tensor({1.5, 2.25})) == " 1.50e+00\n 2.25e+00\n[ CPUFloatType{2} ]");
}
