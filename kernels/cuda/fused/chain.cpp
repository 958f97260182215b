// The CUDA kernel of chains: how their operands lie, and the kernel that is generated for that.
#include <cstdlib>
#include <map>
#include <mutex>
#include <tuple>

#include "core/warning.h"
#include "dispatcher/chain.h"
#include "dispatcher/kernel.h"
#include "kernels/cuda/common/strided.h"
#include "kernels/cuda/fused/formulas.h"
#include "kernels/cuda/fused/kernel.h"

namespace strata::cuda::fused {
namespace {

using dispatch::Chain;
using dispatch::chain_op;
using dispatch::ChainParams;
using Operands = Geometry<kMostOperands>;

static_assert(dispatch::kMostChainOperands <= kMostOperands);
static_assert(dispatch::kMostChainSteps * 3 <= kMostNumbers, "a formula has three numbers at most");

bool can_compile() {
  static const bool can = [] {
    if (!missing_compiler().empty()) warn("STRATA_CUDA_FUSION: chains run op by op: {}", missing_compiler());
    return missing_compiler().empty();
  }();
  return can;
}

bool takes(const Op& op, ArrayRef<DType> inputs, const void* params) {
  const char* const wanted = std::getenv("STRATA_CUDA_FUSION");
  return wanted && std::string_view(wanted) == "1" && formula_of(op, inputs, params) && can_compile();
}

/// Operands of a call: outputs, then inputs.
struct Call {
  size_t count = 0;
  char* data[kMostOperands];
  int64_t items[kMostOperands];
  Operands g;

  Call(const Tensors& out, Args in) {
    const DimVector nowhere(out[0].sizes().size(), 0);
    IntArrayRef strides[kMostOperands];
    std::fill(std::begin(strides), std::end(strides), IntArrayRef(nowhere));
    const auto add = [&](const Tensor& t) {
      data[count] = t.bytes();
      items[count] = static_cast<int64_t>(t.element_size());
      strides[count++] = t.strides();
    };
    for (const Tensor& t : out) add(t);
    for (const Tensor* t : in) add(*t);
    g = collapse<kMostOperands>(out[0].sizes(), strides);
  }

  template <class F>
  bool all_of(F holds) const {
    for (size_t k = 0; k < count; ++k)
      if (!holds(static_cast<int>(k))) return false;
    return true;
  }
  bool is_aligned(int k, int pack) const { return cuda::is_aligned(data[k], static_cast<size_t>(items[k] * pack)); }
};

/// For operands that lie in a row or are one value.
Layout layout_in_a_row(const Call& c, int widest) {
  Layout layout;
  for (size_t k = 0; k < c.count; ++k)
    if (!c.g.in_a_row(static_cast<int>(k))) layout.ones |= 1u << k;
  const auto is_one = [&](int k) { return layout.ones >> k & 1; };
  if (c.all_of([&](int k) { return is_one(k) || c.is_aligned(k, widest); })) layout.pack = widest;
  return layout;
}

/// For the others: packs where the innermost dim consists of them, and each is a row or one value in all operands.
Layout layout_over_strides(const Call& c, int widest) {
  const auto has_packs = [&](int k) {
    if (c.g.strides[0][k] == 0) return true;
    if (c.g.strides[0][k] != 1 || !c.is_aligned(k, widest)) return false;
    for (int d = 1; d < c.g.rank; ++d)
      if (c.g.strides[d][k] % widest != 0) return false;
    return true;
  };
  Layout layout;
  layout.is_strided = true;
  if (c.g.sizes[0] % widest != 0 || !c.all_of(has_packs)) return layout;
  layout.pack = widest;
  for (size_t k = 0; k < c.count; ++k)
    if (c.g.strides[0][k] == 0) layout.ones |= 1u << k;
  return layout;
}

/// What is known of a chain after its first run.
struct Prepared {
  explicit Prepared(const Chain& chain) : numbers(numbers_of(chain)), widest_pack(fused::widest_pack(chain)) {}
  const std::vector<double> numbers;
  const int widest_pack;
  std::map<std::tuple<int, bool, uint32_t, DeviceIndex>, void*> kernels = {};  ///< by layout
};

/// The kernels so far. They hold their chains, so that an address stands for one chain.
class Kernels {
 public:
  Prepared& prepared(const std::shared_ptr<const Chain>& chain) {
    const std::lock_guard lock(mutex_);
    return of_chain_.try_emplace(chain, *chain).first->second;
  }
  void* get(Prepared& prepared, const Chain& chain, const Layout& layout, DeviceIndex device) {
    const std::lock_guard lock(mutex_);
    void*& kernel = prepared.kernels[{layout.pack, layout.is_strided, layout.ones, device}];
    if (!kernel) kernel = load(source_of(chain, layout), device);
    return kernel;
  }

 private:
  /// Chains of several programs may have one source.
  void* load(const Source& source, DeviceIndex device) {
    void*& kernel = of_source_[{source.text, device}];
    if (!kernel) kernel = load_kernel(source, device);
    return kernel;
  }

  std::mutex mutex_;
  std::map<std::shared_ptr<const Chain>, Prepared> of_chain_;
  std::map<std::pair<std::string, DeviceIndex>, void*> of_source_;
};

Kernels& kernels() {
  static Kernels once;
  return once;
}

void start_pieces(void* kernel, Call& c, int pack, cudaStream_t stream, ChainData& data) {
  c.g.sizes[0] /= pack;
  for (size_t k = 0; k < c.count; ++k) c.g.strides[0][k] *= pack;
  for_each_piece(c.g, [&](const Strided<kMostOperands>& piece, const int64_t(&first)[kMostOperands]) {
    for (size_t k = 0; k < c.count; ++k) data.data[k] = c.data[k] + first[k] * c.items[k];
    data.walk = piece;
    start_kernel(kernel, "chain", grid(piece.numel), stream, data);
  });
}

void chain_cuda(Tensors& out, Args in, const ChainParams& p) {
  Call c(out, in);
  Prepared& prepared = kernels().prepared(p.chain);
  const bool in_a_row = c.all_of([&](int k) { return c.g.in_a_row(k) || c.g.is_constant(k); });
  const Layout layout =
      in_a_row ? layout_in_a_row(c, prepared.widest_pack) : layout_over_strides(c, prepared.widest_pack);
  void* const kernel = kernels().get(prepared, *p.chain, layout, out[0].device().index());
  ChainData data{};
  std::copy(prepared.numbers.begin(), prepared.numbers.end(), data.numbers);
  const cudaStream_t stream = stream_of(out[0]);
  if (!in_a_row) return start_pieces(kernel, c, layout.pack, stream, data);
  data.numel = out[0].numel();
  std::copy_n(c.data, c.count, data.data);
  start_kernel(kernel, "chain", grid((data.numel + layout.pack - 1) / layout.pack), stream, data);
}

STRATA_KERNEL(chain_op, CUDA, chain_cuda);
const bool registered = (dispatch::set_takes_step(DeviceType::CUDA, &takes), true);

}  // namespace
}  // namespace strata::cuda::fused
