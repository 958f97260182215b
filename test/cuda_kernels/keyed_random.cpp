// Random numbers under explicit keys on a CUDA device: the CPU's.
#include "ops/keyed_random.h"

#include "ops/view.h"
#include "test/cuda_kernels/near.h"

namespace strata::test {

TEST_CASE("keyed integers and uniform values have the CPU's bits") {
  check_both({random::key(42)}, [](const List& t) {
    const Tensor &key = t[0], keys = random::split(key, 5);
    List out{keys, random::fold_in(key, 7), random::split(key, {2, 3})};
    for (DType dtype : {kByte, kShort, kInt, kLong}) {
      out.push_back(random::bits(key, {1000}, dtype));
      out.push_back(random::randint(key, {3, 500}, -100, 27, dtype == kByte ? kChar : dtype));
    }
    for (DType dtype : kFloatTypes) {
      out.push_back(random::uniform(key, {1500}, dtype));
      out.push_back(random::uniform(keys, {30}, dtype, -3, 5));
    }
    return out;
  });
}

TEST_CASE("keyed samples through logarithms have the CPU's bits in float") {
  check_both({random::key(3)}, [](const List& t) {
    List out;
    for (DType dtype : {kFloat, kHalf, kBFloat16}) {
      out.push_back(random::normal(t[0], {4000}, dtype));
      out.push_back(random::exponential(t[0], {4000}, dtype));
      out.push_back(random::gumbel(t[0], {4000}, dtype));
    }
    return out;
  });
}

TEST_CASE("keyed samples through the logarithm of double are near the CPU's") {
  check_near({random::key(3)}, [](const List& t) {
    return List{random::normal(t[0], {4000}, kDouble), random::exponential(t[0], {4000}, kDouble),
                random::gumbel(t[0], {4000}, kDouble)};
  });
}

}  // namespace strata::test
