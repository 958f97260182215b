// The steps of an LSTM at sizes where the recurrent weight is packed, beside the same in double, which packs nothing.
#include "ops/rnn.h"

#include <vector>

#include "core/parallel.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/random.h"
#include "ops/reduce.h"
#include "ops/unary.h"
#include "ops/view.h"
#include "test/catch.h"

namespace {

using namespace strata;

std::vector<Tensor> run(const std::vector<Tensor>& in, DType dtype, bool reverse) {
  const auto [hidden, cells] =
      lstm_sequence(in[0].to(dtype), in[1].to(dtype), in[2].to(dtype), in[3].to(dtype), reverse);
  return {hidden, cells};
}

double greatest_error(const Tensor& a, const Tensor& b) { return (a.to(kDouble) - b).abs().max().item<double>(); }

}  // namespace

TEST_CASE("lstm: packed weights give what double gives, in the same bits on any number of threads", "[rnn]") {
  struct Size {
    int64_t steps, rows, n;
  };
  const int before = get_num_threads();
  // Full and partial panels of rows and of units, weights deeper and shorter than a panel is wide, and the edges of
  // what is packed.
  for (const Size& s : {Size{32, 4, 16}, Size{16, 8, 64}, Size{10, 13, 37}, Size{5, 32, 96}, Size{3, 61, 33},
                        Size{2, 96, 100}, Size{2, 97, 40}, Size{6, 25, 300}}) {
    for (const bool reverse : {false, true}) {
      CAPTURE(s.steps, s.rows, s.n, reverse);
      manual_seed(7);
      const std::vector<Tensor> in = {randn({s.steps, s.rows, 4 * s.n}), randn({4 * s.n, s.n}) * 0.2,
                                      randn({s.rows, s.n}), randn({s.rows, s.n})};
      set_num_threads(1);
      const auto one = run(in, kFloat, reverse), exact = run(in, kDouble, reverse);
      CHECK(greatest_error(one[0], exact[0]) < 2e-5);
      CHECK(greatest_error(one[1], exact[1]) < 5e-5);
      set_num_threads(3);
      const auto three = run(in, kFloat, reverse);
      CHECK(equal(one[0], three[0]));
      CHECK(equal(one[1], three[1]));
      // What is recorded keeps the sums of all steps.
      const auto recorded = run({in[0].clone().requires_grad_(), in[1], in[2], in[3]}, kFloat, reverse);
      CHECK(equal(one[0], recorded[0]));
      CHECK(equal(one[1], recorded[1]));
    }
  }
  set_num_threads(before);
}

TEST_CASE("lstm: a row's states do not depend on its place in a packed batch", "[rnn]") {
  manual_seed(8);
  const int64_t steps = 12, rows = 29, n = 48;
  const Tensor gates = randn({steps, rows, 4 * n}), weight = randn({4 * n, n}) * 0.2, hidden = randn({rows, n}),
               cell = randn({rows, n});
  const auto [all, cells] = lstm_sequence(gates, weight, hidden, cell, false);
  const auto [some, some_cells] =
      lstm_sequence(gates.narrow(1, 5, 14).contiguous(), weight, hidden.narrow(0, 5, 14), cell.narrow(0, 5, 14), false);
  CHECK(equal(all.narrow(1, 5, 14), some));
  CHECK(equal(cells.narrow(1, 5, 14), some_cells));
}
