// Casts to and from uint16, uint64 and the 8-bit floating point types against checksums of PyTorch's results over every
// pattern of up to 16 bits and every tie of the wider types: casts_torch.txt, which casts_torch.py made and explains.
#include <array>
#include <fstream>
#include <map>
#include <string>

#include "ops/binary.h"
#include "ops/complex.h"
#include "test/catch.h"
#include "test/ops/tools.h"
#include "test/source_dir.h"

using namespace strata;
using namespace strata::test;

namespace {

uint64_t mix(uint64_t k) {  // splitmix64
  uint64_t z = (k + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

std::vector<uint64_t> patterns_of(DType t) {
  const size_t size = item_size(t);
  std::vector<uint64_t> bits;
  if (t == kBool) return {0, 1};
  if (size <= 2) {
    for (uint64_t b = 0; b < uint64_t{1} << 8 * size; ++b) bits.push_back(b);
  } else if (is_floating_point(t)) {
    const uint64_t low = 8 * size - 16;
    for (uint64_t top = 0; top < 65536; ++top)
      for (uint64_t rest : {uint64_t{0}, uint64_t{1}, (uint64_t{1} << low) - 1}) bits.push_back(top << low | rest);
  } else {
    for (uint64_t k = 0; k < 4096; ++k) bits.push_back(k / 64 % 2 ? -(mix(k) >> k % 64) : mix(k) >> k % 64);
  }
  return bits;
}

Tensor inputs_of(DType t) {
  if (is_complex(t)) {
    const Tensor parts = inputs_of(to_real_dtype(t)).slice(0, 0, std::nullopt, 3);
    return complex(parts.contiguous(), parts.flip({0}));
  }
  const std::vector<uint64_t> bits = patterns_of(t);
  const Tensor x = empty({static_cast<int64_t>(bits.size())}, t);
  for (size_t i = 0; i < bits.size(); ++i) std::memcpy(x.bytes() + i * item_size(t), &bits[i], item_size(t));
  return x;
}

/// The elements' bytes in row-major order.
std::string bytes(const Tensor& t) {
  const Tensor c = t.contiguous();
  return {c.bytes(), c.bytes() + c.nbytes()};
}

uint32_t crc32(const std::string& bytes) {
  uint32_t crc = 0xffffffffu;
  for (const char c : bytes) {
    crc ^= static_cast<uint8_t>(c);
    for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ (crc & 1u ? 0xedb88320u : 0);
  }
  return ~crc;
}

uint32_t checksum(Tensor t) {
  if (t.is_complex()) t = view_as_real(t);
  if (t.is_floating_point() && t.element_size() > 1) t = t.masked_fill(t.isnan(), kNaN);
  return crc32(bytes(t));
}

}  // namespace

TEST_CASE("casts of dtypes for storage are PyTorch's, bit by bit") {
  std::ifstream file(source_dir() + "/test/ops/casts_torch.txt");
  std::map<DType, Tensor> inputs;
  std::string from, to, sum;
  int64_t count = 0;
  int pairs = 0;
  for (; file >> from >> to >> count >> sum; ++pairs) {
    INFO(from << " to " << to);
    Tensor& all = inputs[dtype_named(from)];
    if (!all.defined()) all = inputs_of(dtype_named(from));
    Tensor x = all;
    CHECK(x.numel() == count);
    if (from.ends_with("fnuz") && to.find("int") != to.npos)
      x = x.masked_fill(x.isnan(), 0);  // casts_torch.py says why
    const Tensor y = x.to(dtype_named(to));
    CHECK(checksum(y) == static_cast<uint32_t>(std::stoul(sum, nullptr, 16)));
    const Tensor apart = x.view({2, -1}).t();  // by blocks of strided elements
    CHECK(bytes(apart.to(dtype_named(to))) == bytes(y.view({2, -1}).t()));
    CHECK(bytes(x.slice(0, 0, 1).expand({70}).to(dtype_named(to))) == bytes(y.slice(0, 0, 1).expand({70})));
  }
  CHECK(pairs == 186);
}
