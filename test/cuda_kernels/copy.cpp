// Copies between layouts on a CUDA device: rows, transposed tiles, several dims, every element size.
#include "ops/view.h"
#include "test/cuda_kernels/both.h"

namespace strata::test {

TEST_CASE("transposed copies of every element size") {
  for (DType dtype : {kBool, kHalf, kFloat, kDouble})
    for (const auto& [rows, cols] : {std::pair(16, 16), {17, 40}, {33, 31}, {100, 64}, {15, 70}, {1, 50}}) {
      INFO(name(dtype) << ", " << rows << " x " << cols);
      check_both({random_tensor({rows, cols}, dtype), random_tensor({3, rows, 2, cols}, dtype)}, [](const List& t) {
        return List{t[0].t().contiguous(), t[1].transpose(1, 3).contiguous(), t[1].permute({3, 0, 1, 2}).contiguous(),
                    t[1].permute({2, 1, 0, 3}).contiguous()};
      });
    }
}

TEST_CASE("transposed copies into and from parts of tensors") {
  check_both({random_tensor({40, 50}), random_tensor({60, 70})}, [](const List& t) {
    Tensor whole = t[1].clone(), stepped = t[1].clone();
    whole.slice(0, 5, 55).slice(1, 7, 47).copy_(t[0].t());
    stepped.slice(0, 0, 50).slice(1, 0, 60, 2).copy_(t[0].slice(0, 0, 30).t());
    return List{whole, stepped};
  });
}

}  // namespace strata::test
