// libtorch's names for generators, threads, gradient modes and files of TorchScript.
#pragma once
#include <strata/strata.h>

#include "check.h"

namespace strata {

/// libtorch's CPU generator by its class's name, which `make_generator` is given.
using CPUGeneratorImpl = Generator;
/// A generator of the program's own, shared by its copies.
class GeneratorHandle {
 public:
  explicit GeneratorHandle(uint64_t seed) : generator_(std::make_shared<Generator>(seed)) {}
  operator Generator&() const { return *generator_; }
  operator std::optional<Generator*>() const { return generator_.get(); }
  Generator* operator->() const { return generator_.get(); }
  void set_current_seed(uint64_t seed) const { generator_->set_current_seed(seed); }
  uint64_t current_seed() const { return generator_->current_seed(); }
  std::mutex& mutex() const { return mutex_->lock; }

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
namespace detail {
inline GeneratorHandle createCPUGenerator(uint64_t seed = default_rng_seed_val) { return GeneratorHandle(seed); }
inline Generator& getDefaultCPUGenerator() { return default_generator(); }
/// Tensors of nested braces, as `torch::tensor` takes them.
using TensorDataContainer = TensorData;
}  // namespace detail

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
