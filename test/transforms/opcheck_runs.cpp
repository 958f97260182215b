// opcheck finds what is wrong with how an op runs: one op that is right and others that differ from it in one thing.
#include <strata/custom_op.h>
#include <strata/strata.h>

#include "test/catch.h"
#include "test/transforms/square.h"

namespace strata {
namespace {

using namespace dispatch;
using Catch::Matchers::ContainsSubstring;

/// Zeros where the input is of some kind.
template <bool (*kIsWrong)(const Tensor& x)>
void wrong_cpu(Tensors& out, Args in, const NoParams& p) {
  square_cpu(out, in, p);
  if (kIsWrong(in[0])) out[0].zero_();
}

constexpr Builder<NoParams> square_by_pointwise(const char* schema) {
  return pointwise(schema, [](const Primals& c) { return 2 * c.in(0); }).saves(saves_in(0));
}

STRATA_OP(right_run_op) = square_by_pointwise("test_right_run(Tensor x) -> Tensor").autocast(AutocastPolicy::kLower);
STRATA_KERNEL(right_run_op, CPU, square_cpu);

STRATA_OP(transposed_op) = square_by_pointwise("test_transposed(Tensor x) -> Tensor");
bool is_transposed(const Tensor& x) { return x.dim() == 2 && x.stride(0) != 0 && x.stride(0) < x.stride(1); }
STRATA_KERNEL(transposed_op, CPU, wrong_cpu<is_transposed>);

STRATA_OP(expanded_op) = square_by_pointwise("test_expanded(Tensor x) -> Tensor");
bool is_expanded(const Tensor& x) { return x.dim() == 2 && x.stride(0) == 0; }
STRATA_KERNEL(expanded_op, CPU, wrong_cpu<is_expanded>);

STRATA_OP(threads_op) = square_by_pointwise("test_threads(Tensor x) -> Tensor");
bool has_four_threads(const Tensor&) { return get_num_threads() == 4; }
STRATA_KERNEL(threads_op, CPU, wrong_cpu<has_four_threads>);

STRATA_OP(changing_op) = square_by_pointwise("test_changing(Tensor x) -> Tensor");
bool is_second_of_many(const Tensor& x) {
  static int runs = 0;
  return x.numel() > 1000 && ++runs == 2;
}
STRATA_KERNEL(changing_op, CPU, wrong_cpu<is_second_of_many>);

STRATA_OP(float_op) = square_by_pointwise("test_float(Tensor x) -> Tensor");
bool is_of_floats(const Tensor& x) { return x.dtype() == kFloat; }
STRATA_KERNEL(float_op, CPU, wrong_cpu<is_of_floats>);

STRATA_OP(autocast_op) =
    square_by_pointwise("test_autocast(Tensor x) -> Tensor").autocast(AutocastPolicy::kLower).dtypes(kSingleAndDouble);
STRATA_KERNEL(autocast_op, CPU, square_cpu);

STRATA_OP(wide_only_op) = square_by_pointwise("test_wide_only(Tensor x) -> Tensor");
void wide_only_cpu(Tensors& out, Args in, const NoParams& p) {
  visit_types<float, double>(in[0].dtype(), "test_wide_only", [&]<class T>() { square_cpu(out, in, p); });
}
STRATA_KERNEL(wide_only_op, CPU, wide_only_cpu);

STRATA_OP(not_empty_op) = square_by_pointwise("test_not_empty(Tensor x) -> Tensor");
void not_empty_cpu(Tensors& out, Args in, const NoParams& p) {
  STRATA_CHECK(in[0].numel() > 0, "no elements");
  square_cpu(out, in, p);
}
STRATA_KERNEL(not_empty_op, CPU, not_empty_cpu);

/// Reads any strides and writes as if the output were contiguous.
STRATA_OP(row_major_out_op) = square_by_pointwise("test_row_major_out(Tensor x) -> Tensor");
void row_major_out_cpu(Tensors& out, Args in, const NoParams&) {
  const Tensor y = (in[0] * in[0]).to(kDouble).contiguous();
  std::copy_n(y.data_ptr<double>(), y.numel(), out[0].data_ptr<double>());
}
STRATA_KERNEL(row_major_out_op, CPU, row_major_out_cpu);

/// `fields()` forgets a member.
struct ScaleParams {
  double by, and_by;
  auto fields() const { return std::tie(by); }
};
STRATA_OP(forgets_op) = op<ScaleParams>("test_forgets(Tensor x, float by) -> Tensor").infer([](Args in) {
  return meta_like(in[0]);
});
void forgets_cpu(Tensors& out, Args in, const ScaleParams& p) { out[0].copy_(in[0] * p.by * p.and_by); }
STRATA_KERNEL(forgets_op, CPU, forgets_cpu);

/// A product whose gradients save the wrong factor, which shows only where one of them is wanted alone.
STRATA_OP(wrong_saves_op) = pointwise(
                                "test_wrong_saves(Tensor a, Tensor b) -> Tensor",
                                [](const Primals& c) { return c.in(1); }, [](const Primals& c) { return c.in(0); })
                                .saves_for(0, saves_in(0))
                                .saves_for(1, saves_in(1));
void product_cpu(Tensors& out, Args in, const NoParams&) { out[0].copy_(in[0] * in[1]); }
STRATA_KERNEL(wrong_saves_op, CPU, product_cpu);

TEST_CASE("opcheck runs an op in any layout, in place and on nothing") {
  const Tensor x = six_numbers();
  func::opcheck(right_run_op, {x});
  CHECK_THROWS_WITH(func::opcheck(transposed_op, {x}),
                    ContainsSubstring("test_transposed gives other values of output 0 with transposed inputs"));
  CHECK_THROWS_WITH(func::opcheck(expanded_op, {x}),
                    ContainsSubstring("test_expanded gives other values of output 0 with expanded inputs"));
  CHECK_THROWS_WITH(func::opcheck(row_major_out_op, {x}),
                    ContainsSubstring("test_row_major_out gives other values of output 0 with transposed inputs"));
  CHECK_THROWS_WITH(func::opcheck(not_empty_op, {x}),
                    ContainsSubstring("test_not_empty of inputs without elements throws: no elements"));
}

TEST_CASE("opcheck compares the bits of runs and of threads") {
  const Tensor x = six_numbers();
  const int before = get_num_threads();
  CHECK_THROWS_WITH(func::opcheck(threads_op, {x}),
                    ContainsSubstring("test_threads gives other bits of output 0 in a run of 4 threads"));
  CHECK(get_num_threads() == before);
  CHECK_THROWS_WITH(func::opcheck(changing_op, {x}),
                    ContainsSubstring("test_changing gives other bits of output 0 in a second run"));
}

TEST_CASE("opcheck runs an op in its dtypes and under autocast") {
  const Tensor x = six_numbers();
  CHECK_THROWS_WITH(func::opcheck(float_op, {x}),
                    ContainsSubstring("test_float of float32, which it says it takes, is off by 9"));
  CHECK_THROWS_WITH(
      func::opcheck(wide_only_op, {x}),
      ContainsSubstring("test_wide_only of bool, which it says it takes, throws: test_wide_only: not implemented"));
  CHECK_THROWS_WITH(
      func::opcheck(autocast_op, {x}),
      ContainsSubstring("test_autocast under autocast to bfloat16 throws: test_autocast: not implemented for "
                        "bfloat16; it takes float32, float64"));
}

TEST_CASE("opcheck reads params back from their fields") {
  const Tensor x = six_numbers();
  func::opcheck(forgets_op, {x}, ScaleParams{2, 0});  // the forgotten one is what a new struct has
  CHECK_THROWS_WITH(
      func::opcheck(forgets_op, {x}, ScaleParams{2, 3}),
      ContainsSubstring("test_forgets: with its params read back from their fields it gives another output 0"));
}

TEST_CASE("opcheck asks for each gradient alone") {
  const Tensor x = six_numbers();
  CHECK_THROWS_WITH(func::opcheck(wrong_saves_op, {x, x + 1}),
                    ContainsSubstring("test_wrong_saves: the gradient of input 0 alone throws"));
}

}  // namespace
}  // namespace strata
