// gradcheck and opcheck find what is wrong with an op, and pass what is right; an op without a batch rule runs example
// by example.
#include <strata/custom_op.h>
#include <strata/strata.h>

#include "core/warning.h"
#include "test/catch.h"
#include "test/transforms/square.h"

namespace strata {
namespace {

using namespace dispatch;
using Catch::Matchers::ContainsSubstring;

/// x^2 with all its rules; the ops below have one other rule each.
constexpr Builder<NoParams> square_of(const char* schema) {
  return op(schema)
      .infer([](Args in) { return meta_like(in[0]); })
      .vjp([](const Vjp& c) -> Tensors { return 2 * c.in(0) * c.grad(); })
      .saves(saves_in(0))
      .jvp([](const Jvp& c) -> Tensors { return 2 * c.in(0) * c.tangent(0); })
      .batch(pointwise_batch);
}
STRATA_OP(right_op) = square_of("test_square(Tensor x) -> Tensor");
STRATA_KERNEL(right_op, CPU, square_cpu);

STRATA_OP(wrong_vjp_op) = square_of("test_wrong_vjp(Tensor x) -> Tensor").vjp([](const Vjp& c) -> Tensors {
  return 3 * c.in(0) * c.grad();
});
STRATA_KERNEL(wrong_vjp_op, CPU, square_cpu);

STRATA_OP(wrong_jvp_op) = square_of("test_wrong_jvp(Tensor x) -> Tensor").jvp([](const Jvp& c) -> Tensors {
  return 3 * c.in(0) * c.tangent(0);
});
STRATA_KERNEL(wrong_jvp_op, CPU, square_cpu);

STRATA_OP(wrong_batch_op) = square_of("test_wrong_batch(Tensor x) -> Tensor").batch([](const Batch& c) -> Tensors {
  return c.in(0).flip({0}) * c.in(0).flip({0});
});
STRATA_KERNEL(wrong_batch_op, CPU, square_cpu);

STRATA_OP(writing_op) = square_of("test_writing(Tensor x) -> Tensor");
void write_cpu(Tensors& out, Args in, const NoParams& p) {
  square_cpu(out, in, p);
  Tensor input = in[0];
  input.zero_();
}
STRATA_KERNEL(writing_op, CPU, write_cpu);

STRATA_OP(row_major_op) = square_of("test_row_major(Tensor x) -> Tensor");
void row_major_cpu(Tensors& out, Args in, const NoParams&) {
  const double* const x = in[0].data_ptr<double>();
  for (int64_t i = 0; i < in[0].numel(); ++i) out[0].data_ptr<double>()[i] = x[i] * x[i];
}
STRATA_KERNEL(row_major_op, CPU, row_major_cpu);

STRATA_OP(wrong_decomposition_op) =
    square_of("test_wrong_decomposition(Tensor x) -> Tensor").decompose([](Args in) -> Tensors { return in[0] * 5; });
STRATA_KERNEL(wrong_decomposition_op, CPU, square_cpu);

/// x^2 and x^3, of which the derivative of the second is wrong.
STRATA_OP(powers_op) = op("test_powers(Tensor x) -> (Tensor, Tensor)")
                           .infer([](Args in) { return Metas(meta_like(in[0]), meta_like(in[0])); })
                           .vjp([](const Vjp& c) -> Tensors {
                             Tensor gradient = zeros_like(c.in(0));
                             if (c.grad(0).defined()) gradient = gradient + 2 * c.in(0) * c.grad(0);
                             if (c.grad(1).defined()) gradient = gradient + 4 * c.in(0).square() * c.grad(1);
                             return gradient;
                           })
                           .saves(saves_in(0));
void powers_cpu(Tensors& out, Args in, const NoParams&) {
  out[0].copy_(in[0] * in[0]);
  out[1].copy_(in[0] * in[0] * in[0]);
}
STRATA_KERNEL(powers_op, CPU, powers_cpu);

STRATA_OP(loop_op) = op("test_loop(Tensor x) -> Tensor").infer([](Args in) { return meta_like(in[0]); });
STRATA_KERNEL(loop_op, CPU, square_cpu);

STRATA_OP(no_infer_op) = op("test_vmap_no_infer(Tensor x) -> Tensor");
STRATA_KERNEL(no_infer_op, CPU, square_cpu);

struct Listener : WarningHandler {
  void process(const Warning& warning) override { heard.push_back(warning.msg()); }
  std::vector<std::string> heard;
};

TEST_CASE("opcheck passes a right op and names the rule that is wrong") {
  const Tensor x = six_numbers();
  func::opcheck(right_op, {x});
  CHECK_THROWS_WITH(func::opcheck(wrong_vjp_op, {x}), ContainsSubstring("gradient of input 0 at element 0 is"));
  CHECK_THROWS_WITH(func::opcheck(wrong_jvp_op, {x}), ContainsSubstring("test_wrong_jvp: its jvp rule gives"));
  CHECK_THROWS_WITH(func::opcheck(wrong_batch_op, {x}),
                    ContainsSubstring("test_wrong_batch: under vmap output 0 differs"));
  CHECK_THROWS_WITH(func::opcheck(writing_op, {x.clone()}), ContainsSubstring("test_writing changes its input 0"));
  CHECK_THROWS_WITH(func::opcheck(row_major_op, {x}),
                    ContainsSubstring("test_row_major gives other values of output 0 with strided inputs"));
  CHECK_THROWS_WITH(func::opcheck(wrong_decomposition_op, {x}),
                    ContainsSubstring("test_wrong_decomposition: its decomposition gives another output 0"));
  CHECK_THROWS_WITH(func::opcheck(powers_op, {x}), ContainsSubstring("gradient of input 0 at element 0 is"));
  CHECK_THROWS_WITH(func::opcheck(right_op, {x.to(kFloat)}), ContainsSubstring("one input at least must be float64"));
}

TEST_CASE("gradcheck compares with differences") {
  const Tensor x = six_numbers();
  const Tensor leaf = x.clone().requires_grad_();
  func::gradcheck([](const std::vector<Tensor>& in) { return sin(in[0]) * in[0]; }, {leaf});
  CHECK_THROWS_WITH(func::gradcheck([](const std::vector<Tensor>& in) { return in[0].detach() * in[0]; }, {leaf}),
                    ContainsSubstring("gradcheck: the gradient of input 0"));
  CHECK_THROWS_WITH(func::gradcheck([](const std::vector<Tensor>& in) { return in[0]; },
                                    {ones({2}, kFloat).clone().requires_grad_()}),
                    ContainsSubstring("wants float64"));
  CHECK_THROWS_WITH(func::gradcheck([](const std::vector<Tensor>& in) { return in[0]; }, {x}),
                    ContainsSubstring("no input requires grad"));
}

TEST_CASE("an op without a batch rule runs once for each example and warns once") {
  const Tensor x = six_numbers();
  Listener listener;
  const WarningUtils::WarningHandlerGuard guard(&listener);
  const auto f = [](const Tensor& t) { return call1(loop_op, {&t}); };
  CHECK(vmap(f)(x).equal(x * x));
  CHECK(vmap(f)(x.narrow(0, 0, 0)).sizes() == IntArrayRef({0, 3}));
  REQUIRE(listener.heard.size() == 1);
  CHECK_THAT(listener.heard[0], ContainsSubstring("test_loop has no batch rule"));
  CHECK_THROWS_WITH(vmap([](const Tensor& t) { return call1(no_infer_op, {&t}); })(x),
                    ContainsSubstring("test_vmap_no_infer: has no infer rule"));
  CHECK_THROWS_WITH(trace([](const Tensor& t) { return call1(no_infer_op, {&t}); })(x),
                    ContainsSubstring("test_vmap_no_infer: has no infer rule"));
}

}  // namespace
}  // namespace strata
