// The state of a generator in the layout of libtorch's, so that a file of one library goes on in the other.
#include "compat/parts/runtime.h"

#include <strata/core/mt19937.h>

#include <cstring>

namespace strata {
namespace {

/// at::CPUGeneratorImpl's state: its layout before version 1.6, and the float32 number that may be left over, which
/// here never is.
struct TwisterBytes {
  uint64_t seed;
  int32_t left;  // words until the next round, that word among them
  int32_t seeded;
  uint64_t next;
  uint64_t words[Mt19937::kWords];
  double unused_x, normal, unused_rho;
  int32_t has_normal;
  float float_normal;
  bool has_float_normal;
};
static_assert(sizeof(TwisterBytes) == 5056);

struct PhiloxBytes {
  uint64_t seed, offset;
};

template <class Bytes>
Tensor tensor_of(const Bytes& bytes) {
  Tensor out = empty({static_cast<int64_t>(sizeof bytes)}, TensorOptions(kByte));
  std::memcpy(out.data_ptr(), &bytes, sizeof bytes);
  return out;
}
template <class Bytes>
Bytes bytes_of(const Tensor& state) {
  TORCH_CHECK_TYPE(state.dtype() == kByte, "set_state: RNG state must be a torch.ByteTensor, got ", state.dtype());
  TORCH_CHECK(state.device().is_cpu() && state.is_contiguous() && state.numel() == static_cast<int64_t>(sizeof(Bytes)),
              "set_state: expected a CPU tensor of ", sizeof(Bytes), " bytes, got ", state.numel(), " of ",
              state.dtype());
  Bytes bytes;
  std::memcpy(&bytes, state.data_ptr(), sizeof bytes);
  return bytes;
}

}  // namespace

Tensor compat::GeneratorHandle::get_state() const {
  Tensor out;
  const bool is_libtorchs = generator_->draw_as_libtorch([&](const Mt19937& source) {
    const Mt19937::State now = source.state();
    TwisterBytes bytes{};
    bytes.seeded = 1;
    const bool is_used_up = now.used == Mt19937::kWords;
    bytes.left = is_used_up ? 1 : static_cast<int32_t>(Mt19937::kWords - now.used + 1);
    bytes.next = is_used_up ? 0 : now.used;
    for (size_t i = 0; i < Mt19937::kWords; ++i) bytes.words[i] = now.words[i];
    bytes.normal = now.normal.value_or(0);
    bytes.has_normal = now.normal.has_value();
    out = tensor_of(bytes);
  });
  const Generator::Position at = generator_->state();
  if (!is_libtorchs) return tensor_of(PhiloxBytes{at.seed, at.offset});
  std::memcpy(out.data_ptr(), &at.seed, sizeof at.seed);
  return out;
}

void compat::GeneratorHandle::set_state(const Tensor& state) const {
  const bool is_libtorchs = generator_->draw_as_libtorch([&](Mt19937& source) {
    const auto bytes = bytes_of<TwisterBytes>(state);
    Mt19937::State now{{}, bytes.left == 1 ? Mt19937::kWords : static_cast<size_t>(bytes.next), {}};
    for (size_t i = 0; i < Mt19937::kWords; ++i) now.words[i] = static_cast<uint32_t>(bytes.words[i]);
    if (bytes.has_normal) now.normal = bytes.normal;
    source.set_state(now);
  });
  if (is_libtorchs) {
    uint64_t seed = 0;
    std::memcpy(&seed, state.data_ptr(), sizeof seed);
    return generator_->set_state({seed, 0});
  }
  const auto bytes = bytes_of<PhiloxBytes>(state);
  generator_->set_state({bytes.seed, bytes.offset});
}

}  // namespace strata
