// Joining, padding, flipping, cutting and geometries over a base on a CUDA device.
#include "ops/shaping.h"

#include "test/cuda_kernels/both.h"

namespace strata::test {

TEST_CASE("cat joins many tensors of any width") {
  for (DType dtype : {kBool, kHalf, kFloat, kDouble})
    for (int64_t step : {1, 4, 16}) {
      INFO(name(dtype) << ", step " << step);
      List inputs;
      for (int64_t i = 0; i < 150; ++i)
        inputs.push_back(random_tensor({3, i % 5 * step, 2}, dtype, static_cast<unsigned>(i)));
      check_both(inputs, [](const List& t) {
        return List{cat(t, 1), cat({t[1], t[6]}, 0), cat({t[4], t[9], t[4]}, 2), cat({t[3]}, 1)};
      });
    }
}

TEST_CASE("cat takes strided tensors among others") {
  check_both({random_tensor({4, 6}), random_tensor({6, 4}), random_tensor({4, 1}), random_tensor({4, 12})},
             [](const List& t) {
               Tensor strided = zeros({23, 4}, t[0].options()).t();
               const Tensor wide = t[2].expand({4, 5}), every = t[3].slice(1, 1, 13, 2);
               return List{cat({t[0], t[1].t(), t[0], wide, every}, 1), cat({t[1], t[0].t(), every.t()}, 0),
                           strided.copy_(cat({t[0], t[0], t[1].t(), wide}, 1))};
             });
}

TEST_CASE("pad adds and cuts, flip turns, tril and triu cut") {
  for (DType dtype : {kByte, kBFloat16, kFloat, kDouble}) {
    check_both({random_tensor({3, 5, 7}, dtype, 2, -3, 3), random_tensor({2, 64, 64}, dtype, 3, -3, 3)},
               [](const List& t) {
                 List out{pad(t[0], {1, 2}, "constant", 3),
                          pad(t[0], {-1, 2, 3, -2, 1, 1}),
                          pad(t[0], {-7, 0}),
                          pad(t[0].transpose(0, 2), {0, 1, 2, 0}),
                          flip(t[0], {0, 2}),
                          flip(t[0].transpose(1, 2), {1}),
                          flip(t[1], {0, 1, 2})};
                 for (int64_t diagonal : {-100, -5, -1, 0, 1, 3, 100}) {
                   out.push_back(tril(t[0], diagonal));
                   out.push_back(triu(t[0].transpose(0, 1), diagonal));
                   out.push_back(triu(t[1], diagonal));
                 }
                 out.push_back(tril(t[0], INT64_MIN));
                 out.push_back(triu(t[0], INT64_MAX));
                 return out;
               });
  }
}

TEST_CASE("pad of rows of any width, alignment and strides writes every element in one launch") {
  for (DType dtype : {kByte, kBFloat16, kFloat, kDouble}) {
    check_both(
        {random_tensor({3, 6, 16}, dtype, 2, -3, 3), random_tensor({2, 3, 4, 2, 5, 2, 3, 2, 2, 2, 2}, dtype, 3, -3, 3)},
        [](const List& t) {
          const Tensor part = t[0].narrow(2, 1, 8);
          return List{pad(t[0], {4, 4}, "constant", 2),
                      pad(t[0], {16, 0, 1, 2}),
                      pad(t[0], {0, 0, 1, 2, 2, 1}, "constant", -1),
                      pad(t[0], {0, 0, 0, 0, 1, 1}),
                      pad(part, {1, 0, 1, 0}),
                      pad(part, {0, 0, -1, 3}, "constant", 5),
                      pad(t[0].select(2, 3).unsqueeze(2).expand({3, 6, 4}), {1, 2, -1, 0}),
                      pad(t[0].select(0, 1), {300, 301}),
                      pad(t[0], {-10, 30}),
                      pad(t[1], {1, 1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0})};
        });
  }
  if (!emulated) return;
  const Tensor x = random_tensor({2, 3, 8, 8}).to(kCUDA);
  const int64_t before = launches();
  pad(x, {1, 1, 1, 1}, "constant", 7);
  CHECK(launches() - before == 1);
}

TEST_CASE("gradients of overlapping views are summed in the CPU's order") {
  for (DType dtype : {kShort, kLong, kHalf, kBFloat16, kFloat, kDouble})
    check_both({random_tensor({3, 8, 5}, dtype, 2, -9, 9), random_tensor({40, 4}, dtype, 3, -9, 9)}, [](const List& t) {
      return List{as_strided_backward(t[0], {4, 30}, {2, 3, 1}, 1),
                  as_strided_backward(t[0], {20}, {0, 1, 2}, 0),
                  as_strided_backward(t[0], {3, 8, 5}, {40, 5, 1}, 0),
                  as_strided_backward(t[0], {200}, {1, 3, 24}, 7),
                  unfold_backward(t[1], {43}, 0, 4, 1),
                  as_strided_backward(t[1].t(), {4, 40}, {40, 1}, 0)};
    });
}

TEST_CASE("geometries over a base that is not row-major") {
  check_both({random_tensor({6, 8}), random_tensor({3, 4})}, [](const List& t) {
    return List{as_strided_copy(t[0].t(), {3, 4}, {2, 5}, 3), as_strided_copy(t[0], {5, 5}, {0, 2}, 1),
                as_strided_scatter(t[0].t(), t[1], {3, 4}, {9, 2}, 2), as_strided_copy(t[0], {0, 5}, {1, 2}, 0)};
  });
}

TEST_CASE("the last of overlapping elements stays in deterministic mode") {
  const Deterministic mode;
  check_both({random_tensor({30}), random_tensor({4, 6, 3})}, [](const List& t) {
    return List{as_strided_scatter(t[0], t[1], {4, 6, 3}, {2, 1, 4}, 1)};
  });
}

}  // namespace strata::test
