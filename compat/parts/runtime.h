// libtorch's names for generators, threads, gradient modes and files of TorchScript.
#pragma once
#include <strata/strata.h>

#include <memory>
#include <mutex>
#include <random>
#include <string>

#include "check.h"

namespace strata {

/// libtorch's CPU generator by its class's name, which `make_generator` is given.
using CPUGeneratorImpl = Generator;
/// A generator that copies of the handle share, as at::Generator. One of the program's own draws libtorch's numbers.
class GeneratorHandle {
 public:
  explicit GeneratorHandle(uint64_t seed) : generator_(std::make_shared<Generator>(seed)) {
    generator_->use_mt19937(seed);
  }
  explicit GeneratorHandle(std::shared_ptr<Generator> generator) : generator_(std::move(generator)) {}
  operator Generator&() const { return *generator_; }
  operator OptionalGenerator() const { return *generator_; }
  Generator* operator->() const { return generator_.get(); }
  void set_current_seed(uint64_t seed) const { generator_->set_current_seed(seed); }
  uint64_t current_seed() const { return generator_->current_seed(); }
  /// A seed of the system's, which is set and given back.
  uint64_t seed() const {
    std::random_device source;
    const uint64_t seed = uint64_t{source()} << 32 | source();
    set_current_seed(seed);
    return seed;
  }
  /// A generator of its own in the same state.
  GeneratorHandle clone() const { return GeneratorHandle(generator_->clone()); }
  Device device() const { return kCPU; }
  bool defined() const { return true; }
  std::mutex& mutex() const { return mutex_->lock; }
  friend bool operator==(const GeneratorHandle& a, const GeneratorHandle& b) { return a.generator_ == b.generator_; }

 private:
  struct Lock {
    std::mutex lock;
  };
  std::shared_ptr<Generator> generator_;
  std::shared_ptr<Lock> mutex_ = std::make_shared<Lock>();
};
constexpr uint64_t default_rng_seed_val = 67280421310721;
template <class Impl = CPUGeneratorImpl>
GeneratorHandle make_generator(uint64_t seed = default_rng_seed_val) {
  return GeneratorHandle(seed);
}
/// From here on `torch::manual_seed(seed)` and what draws without a generator give libtorch's own numbers for the seed,
/// which is libtorch's default one until the program sets another.
inline void use_libtorch_generator() { default_generator().use_mt19937(default_rng_seed_val); }
namespace detail {
inline GeneratorHandle createCPUGenerator(uint64_t seed = default_rng_seed_val) { return GeneratorHandle(seed); }
/// The default generator, which no handle owns.
inline GeneratorHandle getDefaultCPUGenerator() {
  return GeneratorHandle(std::shared_ptr<Generator>(std::shared_ptr<void>(), &default_generator()));
}
}  // namespace detail

/// Which devices the program can use, by ATen's names.
inline bool hasCUDA() { return cuda::is_available(); }
inline bool hasCuDNN() { return cuda::is_available(); }
inline bool hasMPS() { return false; }
inline bool hasXPU() { return false; }
inline bool hasHIP() { return false; }
inline bool hasMKL() { return false; }
/// Device and dtype under their older name: `torch::CPU(torch::kFloat)`.
inline DeprecatedTypeProperties CPU(DType dtype) { return {kCPU, dtype}; }
inline DeprecatedTypeProperties CUDA(DType dtype) { return {kCUDA, dtype}; }

inline void init_num_threads() {}
/// Which libraries compute with how many threads, as text.
inline std::string get_parallel_info() {
  return str("Strata's pool, at::get_num_threads() : ", get_num_threads(), "\n");
}

/// Inside, tensors are computed with without records.
using AutoDispatchBelowAutograd = NoGradGuard;
using AutoDispatchBelowADInplaceOrView = NoGradGuard;

namespace autograd {
namespace profiler {
using RecordProfile = ::strata::profiler::profile;
}
/// `data` as a leaf that may require a gradient.
inline Variable make_variable(const Tensor& data, bool requires_grad = false,
                              bool /*allow_tensor_metadata_change*/ = true) {
  Variable leaf = data.detach();
  leaf.set_requires_grad(requires_grad);
  return leaf;
}
}  // namespace autograd

/// TorchScript, which is deprecated and which Strata does not run: `load` says what to do instead.
namespace jit {
struct Module {};
namespace script {
using Module = jit::Module;
}
[[noreturn]] inline void refuse() {
  throw NotImplementedError(
      "torch::jit::load: TorchScript is deprecated and not run here; export the model with torch.export and read it by "
      "Program::load_pt2, or save its state_dict as safetensors and load it into a module by strata::load");
}
inline Module load(const std::string& /*filename*/, std::optional<Device> /*device*/ = std::nullopt) { refuse(); }
inline Module load(std::istream& /*in*/, std::optional<Device> /*device*/ = std::nullopt) { refuse(); }
}  // namespace jit

}  // namespace strata

/// libtorch's macro that gives a scope a row in the profile.
#define RECORD_FUNCTION(name, ...) STRATA_RECORD_FUNCTION(name)
