// Tests of the Threefry block function where no tensor is large enough to reach: any counter of 64 bits.
#include "kernels/cpu/random/vec_threefry.h"
#include "kernels/cpu/random/blocks.h"

#include <array>

#include "test/catch.h"

using namespace strata;

TEST_CASE("Threefry gives the known answers of Random123") {
  const auto check = [](std::array<uint32_t, 2> key, uint64_t counter, uint32_t first, uint32_t second) {
    uint32_t b0[cpu::random::kRandomStep], b1[cpu::random::kRandomStep];
    cpu::random::threefry_counted(key.data(), counter, cpu::random::kRandomStep, b0, b1);
    CHECK(b0[0] == first);
    CHECK(b1[0] == second);
  };
  check({0, 0}, 0, 0x6b200159, 0x99ba4efe);
  check({0xffffffff, 0xffffffff}, ~0ull, 0x1cb996fc, 0xbb002be7);
  check({0x13198a2e, 0x03707344}, 0x243f6a8885a308d3, 0xc4923a9c, 0x483df7a0);
}

TEST_CASE("counters carry into their upper word") {
  const uint32_t key[2] = {1, 2};
  uint32_t b0[2][cpu::random::kRandomStep], b1[2][cpu::random::kRandomStep];
  cpu::random::threefry_counted(key, 0x2fffffff9, cpu::random::kRandomStep, b0[0], b1[0]);
  for (int i = 0; i < cpu::random::kRandomStep; ++i) {
    cpu::random::threefry_counted(key, 0x2fffffff9 + i, cpu::random::kRandomStep, b0[1], b1[1]);
    CHECK(b0[0][i] == b0[1][0]);
    CHECK(b1[0][i] == b1[1][0]);
  }
}
