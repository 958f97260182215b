// Index arithmetic of the CUDA kernels, run on the host.
#include "kernels/cuda/common/strided.h"

#include <array>
#include <random>
#include <vector>

#include "test/catch.h"

using namespace strata;
using namespace strata::cuda;

namespace {

/// Offsets of all elements by counting indices up.
template <int N>
std::vector<std::array<int64_t, N>> counted(const DimVector& sizes, const std::array<DimVector, N>& strides) {
  std::vector<std::array<int64_t, N>> all;
  const int64_t n = numel_of(sizes);
  for (int64_t i = 0; i < n; ++i) {
    std::array<int64_t, N> at{};
    int64_t rest = i;
    for (size_t d = sizes.size(); d-- > 0; rest /= sizes[d])
      for (int k = 0; k < N; ++k) at[k] += rest % sizes[d] * strides[k][d];
    all.push_back(at);
  }
  std::sort(all.begin(), all.end());
  return all;
}

template <int N>
std::vector<std::array<int64_t, N>> walked(const Geometry<N>& g) {
  std::vector<std::array<int64_t, N>> all;
  for_each_piece(g, [&](const Strided<N>& piece, const int64_t(&first)[N]) {
    for (uint32_t i = 0; i < piece.numel; ++i) {
      const Offsets<N> at = piece.at(i);
      std::array<int64_t, N> where;
      for (int k = 0; k < N; ++k) where[k] = first[k] + at[k];
      all.push_back(where);
    }
  });
  std::sort(all.begin(), all.end());
  return all;
}

Geometry<2> collapsed(const DimVector& sizes, const DimVector& a, const DimVector& b) {
  const IntArrayRef strides[2] = {a, b};
  return collapse<2>(sizes, strides);
}

}  // namespace

TEST_CASE("division by multiplication is exact") {
  std::mt19937 random(1);
  std::vector<uint32_t> divisors = {1, 2, 3, 5, 7, 10, 641, 65535, 65536, 65537, (1u << 30) + 1, (1u << 31) - 1};
  for (int i = 0; i < 200; ++i) divisors.push_back((random() >> (1 + random() % 31)) | 1u);
  for (const uint32_t d : divisors) {
    const Divider divider(d);
    for (const uint32_t n : {0u, 1u, d - 1, d, std::min(d, 1u << 30) * 2 - 1, (1u << 31) - 1, (1u << 31) - 2}) {
      CAPTURE(d, n);
      REQUIRE(divider.quotient(n & 0x7fffffffu) == (n & 0x7fffffffu) / d);
    }
    for (int i = 0; i < 200; ++i) {
      const uint32_t n = random() >> 1;
      REQUIRE(divider.quotient(n) == n / d);
    }
  }
}

TEST_CASE("dimensions that follow each other become one") {
  const Geometry<2> row = collapsed({2, 3, 4}, {12, 4, 1}, {12, 4, 1});
  CHECK(row.rank == 1);
  CHECK(row.sizes[0] == 24);
  CHECK(row.in_a_row());
  CHECK(collapsed({2, 1, 4}, {4, 77, 1}, {4, 99, 1}).in_a_row());
  CHECK(collapsed({1, 1}, {5, 5}, {0, 3}).rank == 0);
  CHECK(collapsed({}, {}, {}).in_a_row());
  CHECK(collapsed({2, 3, 4}, {12, 4, 1}, {0, 0, 0}).is_constant(1));
  CHECK(collapsed({2, 3, 4}, {12, 4, 1}, {0, 4, 1}).rank == 2);
  CHECK(collapsed({5, 3}, {3, 1}, {1, 5}).rank == 2);
}

TEST_CASE("the walk follows the first tensor's memory, so that transposed tensors of one layout are a row") {
  const Geometry<2> both = collapsed({3, 4}, {1, 3}, {1, 3});
  CHECK(both.in_a_row());
  const Geometry<2> first = collapsed({3, 4}, {1, 3}, {4, 1});
  CHECK(first.strides[0][0] == 1);
  CHECK(first.strides[0][1] == 4);
}

TEST_CASE("every element is visited once, whatever the strides") {
  std::mt19937 random(2);
  for (int round = 0; round < 500; ++round) {
    const size_t rank = random() % 11;
    DimVector sizes(rank, 1);
    for (size_t d = 0; d < rank; ++d) sizes[d] = 1 + random() % (rank > 6 ? 2 : 4);
    std::array<DimVector, 3> strides;
    for (DimVector& s : strides) {
      s.resize(rank);
      std::vector<size_t> order(rank);
      for (size_t d = 0; d < rank; ++d) order[d] = d;
      if (random() % 2) std::shuffle(order.begin(), order.end(), random);
      int64_t step = 1 + random() % 2;
      for (size_t d = rank; d-- > 0;) {
        s[order[d]] = step;
        step *= sizes[order[d]];
      }
      if (&s != &strides[0])
        for (size_t d = 0; d < rank; ++d)
          if (random() % 4 == 0) s[d] = random() % 2 ? 0 : -s[d];
    }
    const IntArrayRef refs[3] = {strides[0], strides[1], strides[2]};
    REQUIRE(walked(collapse<3>(sizes, refs)) == counted<3>(sizes, strides));
  }
}

TEST_CASE("what does not fit 32 bits is cut into pieces that cover it exactly") {
  const int64_t many = int64_t{5} << 30;
  int64_t elements = 0, pieces = 0, highest = 0;
  for_each_piece(collapsed({3, many}, {1, 3}, {0, 1}), [&](const Strided<2>& piece, const int64_t(&first)[2]) {
    elements += piece.numel;
    ++pieces;
    const Offsets<2> last = piece.at(piece.numel - 1);
    CHECK(last[0] >= 0);
    highest = std::max(highest, first[0] + last[0]);
  });
  CHECK(elements == 3 * many);
  CHECK(pieces > 1);
  CHECK(highest == 3 * many - 1);
}

TEST_CASE("empty tensors have no piece") {
  for_each_piece(collapsed({3, 0}, {1, 1}, {1, 1}), [](const Strided<2>&, const int64_t(&)[2]) { FAIL("a piece"); });
}

TEST_CASE("accesses are as wide as rows, steps and addresses allow") {
  alignas(16) char memory[32];
  const auto width = [&](const DimVector& sizes, const DimVector& a, const DimVector& b, size_t item, int shift) {
    Geometry<2> g = collapsed(sizes, a, b);
    const int64_t before = g.numel() * static_cast<int64_t>(item);
    const size_t bytes = widen(g, item, {memory, memory + shift});
    CHECK(g.numel() * static_cast<int64_t>(bytes) == before);
    return bytes;
  };
  CHECK(width({64}, {1}, {1}, 1, 0) == 16);
  CHECK(width({64}, {1}, {1}, 1, 8) == 8);
  CHECK(width({64}, {1}, {1}, 1, 1) == 1);
  CHECK(width({6}, {1}, {1}, 4, 0) == 8);
  CHECK(width({5}, {1}, {1}, 4, 0) == 4);
  CHECK(width({8}, {1}, {2}, 4, 0) == 4);
  CHECK(width({8}, {1}, {0}, 4, 0) == 4);
  CHECK(width({4, 8}, {8, 1}, {16, 1}, 2, 0) == 16);
  CHECK(width({4, 8}, {8, 1}, {12, 1}, 2, 0) == 8);
  CHECK(width({3, 2}, {2, 1}, {4, 1}, 8, 0) == 16);
  CHECK(width({}, {}, {}, 4, 0) == 4);
}

TEST_CASE("wide accesses visit the same bytes") {
  alignas(16) char memory[16];
  const DimVector sizes = {3, 2, 8}, a = {16, 8, 1}, b = {32, 8, 1};
  Geometry<2> g = collapsed(sizes, a, b);
  REQUIRE(widen(g, 4, {memory, memory}) == 16);
  std::vector<std::array<int64_t, 2>> single;
  for (const auto& at : walked(g))
    for (int64_t i = 0; i < 4; ++i) single.push_back({at[0] * 4 + i, at[1] * 4 + i});
  CHECK(single == counted<2>(sizes, {a, b}));
}
