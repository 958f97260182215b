// libtorch's names for generators, threads, gradient modes and devices.
#pragma once
#include <strata/strata.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "check.h"

namespace strata {

/// libtorch's CPU generator by its class's name, which `make_generator` is given.
using CPUGeneratorImpl = Generator;
namespace compat {
/// A generator that copies of the handle share, as at::Generator. One of the program's own draws libtorch's numbers.
class GeneratorHandle {
 public:
  GeneratorHandle() = default;
  explicit GeneratorHandle(uint64_t seed) : generator_(std::make_shared<Generator>(seed)) {
    generator_->use_mt19937(seed);
  }
  explicit GeneratorHandle(std::shared_ptr<Generator> generator) : generator_(std::move(generator)) {}
  operator Generator&() const { return *generator_; }
  operator OptionalGenerator() const { return generator_; }
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
  /// The default generator, which no handle owns.
  static GeneratorHandle of_default() {
    return GeneratorHandle(std::shared_ptr<Generator>(std::shared_ptr<void>(), &default_generator()));
  }
  /// The state as bytes on the CPU: libtorch's own where its numbers are drawn, else the seed and the offset.
  Tensor get_state() const;
  void set_state(const Tensor& state) const;
  const std::shared_ptr<Generator>& getIntrusivePtr() const { return generator_; }
  Generator* unsafeGetGeneratorImpl() const { return generator_.get(); }
  /// A generator of its own in the same state.
  GeneratorHandle clone() const { return GeneratorHandle(generator_->clone()); }
  Device device() const { return kCPU; }
  bool defined() const { return generator_ != nullptr; }
  std::mutex& mutex() const { return mutex_->lock; }
  friend bool operator==(const GeneratorHandle& a, const GeneratorHandle& b) { return a.generator_ == b.generator_; }

 private:
  struct Lock {
    std::mutex lock;
  };
  std::shared_ptr<Generator> generator_;
  std::shared_ptr<Lock> mutex_ = std::make_shared<Lock>();
};
}  // namespace compat
constexpr uint64_t default_rng_seed_val = 67280421310721;
template <class Impl = CPUGeneratorImpl>
compat::GeneratorHandle make_generator(uint64_t seed = default_rng_seed_val) {
  return compat::GeneratorHandle(seed);
}
/// From here on `torch::manual_seed(seed)` and what draws without a generator give libtorch's own numbers for the seed,
/// which is libtorch's default one until the program sets another.
inline void use_libtorch_generator() { default_generator().use_mt19937(default_rng_seed_val); }
namespace detail {
inline compat::GeneratorHandle createCPUGenerator(uint64_t seed = default_rng_seed_val) {
  return compat::GeneratorHandle(seed);
}
inline compat::GeneratorHandle getDefaultCPUGenerator() { return compat::GeneratorHandle::of_default(); }
}  // namespace detail

/// What a tensor's functions run on: `x.toBackend(c10::Backend::CPU)`.
using Backend = DeviceType;
/// Sizes known while tracing are numbers here.
using SymInt = int64_t;
using SymIntArrayRef = IntArrayRef;
namespace compat {
template <class T>
struct OptionalArray {
  using Type = std::optional<ArrayRef<T>>;
};
template <>
struct OptionalArray<int64_t> {
  using Type = OptionalIntArrayRef;
};
}  // namespace compat
/// A list that may be left out.
template <class T>
using OptionalArrayRef = typename compat::OptionalArray<T>::Type;

/// Whether there are bytes, as libtorch's storages print.
inline std::ostream& operator<<(std::ostream& out, const Storage& storage) {
  return out << (storage && storage.data());
}

/// Which devices the program can use, by ATen's names.
inline bool hasCUDA() { return cuda::is_available(); }
inline bool hasCuDNN() { return cuda::is_available(); }
inline bool hasMPS() { return false; }
inline bool hasXPU() { return false; }
inline bool hasHIP() { return false; }
inline bool hasXLA() { return false; }
inline bool hasHPU() { return false; }
inline bool hasMTIA() { return false; }
inline bool hasMKL() { return false; }
inline bool hasMKLDNN() { return false; }
inline bool hasMAGMA() { return false; }
inline bool hasOpenMP() { return false; }
inline bool hasLAPACK() { return true; }
/// Threads that wait for work between ops: none, since a pool computes inside of ops alone.
inline int get_num_interop_threads() { return 1; }
inline void set_num_interop_threads(int threads) {
  TORCH_CHECK(threads > 0, "set_num_interop_threads: expected a positive number, got ", threads);
}
inline size_t getNumGPUs() { return static_cast<size_t>(cuda::device_count()); }
namespace cuda {
inline bool cudnn_is_available() { return is_available(); }
/// All devices draw from the seed of `torch::manual_seed`, which these set too.
inline void manual_seed(uint64_t seed) { strata::manual_seed(seed); }
inline void manual_seed_all(uint64_t seed) { strata::manual_seed(seed); }
}  // namespace cuda
/// Devices that programs look for and do not find.
namespace mps {
inline bool is_available() { return false; }
inline void manual_seed(uint64_t seed) { strata::manual_seed(seed); }
inline void synchronize() {}
}  // namespace mps
namespace xpu {
inline bool is_available() { return false; }
inline size_t device_count() { return 0; }
inline void manual_seed(uint64_t seed) { strata::manual_seed(seed); }
inline void manual_seed_all(uint64_t seed) { strata::manual_seed(seed); }
inline void synchronize(int64_t /*device*/ = -1) {}
}  // namespace xpu
/// The one kind of device beside the CPU, whichever it is: CUDA's, where there is one.
namespace accelerator {
inline std::optional<DeviceType> getAccelerator(bool checked = false) {
  if (cuda::is_available()) return kCUDA;
  TORCH_CHECK(!checked, "Cannot access accelerator device when none is available.");
  return std::nullopt;
}
inline bool isAccelerator(DeviceType device) { return device == kCUDA; }
inline DeviceIndex deviceCount() { return cuda::device_count(); }
inline DeviceIndex getDeviceIndex() { return cuda::current_device(); }
inline void setDeviceIndex(DeviceIndex device) { cuda::set_device(device); }
/// Goes to a device and says which one was current.
inline DeviceIndex exchangeDevice(DeviceIndex device) {
  const DeviceIndex previous = cuda::current_device();
  cuda::set_device(device);
  return previous;
}
inline DeviceIndex maybeExchangeDevice(DeviceIndex device) { return exchangeDevice(device); }
inline void synchronizeDevice(DeviceIndex device) { cuda::synchronize(device); }
inline void emptyCache() { cuda::empty_cache(); }
inline void resetPeakStats(DeviceIndex device) { cuda::reset_peak_memory_stats(device); }
}  // namespace accelerator
using accelerator::getAccelerator;
using accelerator::isAccelerator;
/// Device and dtype under their older name, `torch::CPU(torch::kFloat)`: one object for each pair, which stays.
inline DeprecatedTypeProperties& getDeprecatedTypeProperties(Backend backend, DType dtype) {
  static std::mutex mutex;
  static std::map<std::pair<Backend, DType>, DeprecatedTypeProperties> made;
  const std::lock_guard lock(mutex);
  return made.try_emplace({backend, dtype}, backend, dtype).first->second;
}
inline DeprecatedTypeProperties& CPU(DType dtype) { return getDeprecatedTypeProperties(kCPU, dtype); }
inline DeprecatedTypeProperties& CUDA(DType dtype) { return getDeprecatedTypeProperties(kCUDA, dtype); }

namespace internal {
/// From how many elements on libtorch splits work among threads.
inline constexpr int64_t GRAIN_SIZE = 32768;
}  // namespace internal
/// Quotient rounded up, of numbers that are not negative.
inline int64_t divup(int64_t x, int64_t y) { return (x + y - 1) / y; }
inline void init_num_threads() {}
/// Which libraries compute with how many threads, as text.
inline std::string get_parallel_info() {
  return str("Strata's pool, at::get_num_threads() : ", get_num_threads(), "\n");
}

/// Inside, tensors are computed with without records.
using AutoDispatchBelowAutograd = NoGradGuard;
using AutoDispatchBelowADInplaceOrView = NoGradGuard;

namespace autograd {
using AutoGradMode = ::strata::AutoGradMode;
using InferenceMode = ::strata::InferenceMode;
using GradMode = ::strata::GradMode;
namespace profiler {
using RecordProfile = ::strata::profiler::profile;
}
/// Whether there is a node, as libtorch's pointers to nodes print.
inline std::ostream& operator<<(std::ostream& out, const Node* node) { return out << (node != nullptr); }

/// Does any of the tensors require a gradient?
inline bool any_variable_requires_grad(const std::vector<Tensor>& tensors) {
  return std::any_of(tensors.begin(), tensors.end(), [](const Tensor& t) { return t.requires_grad(); });
}
/// The same where gradients are recorded at all; undefined tensors require none.
template <class... T>
bool compute_requires_grad(const T&... tensors) {
  return GradMode::is_enabled() && (Tensor(tensors).requires_grad() || ...);
}
/// The tensors of all arguments in one list: tensors, optional ones where they are there, and lists of tensors.
template <class... T>
variable_list flatten_tensor_args(const T&... arguments) {
  variable_list all;
  const auto add = [&]<class A>(const A& argument) {
    if constexpr (std::is_same_v<A, std::optional<Tensor>>) {
      if (argument) all.push_back(*argument);
    } else {
      const TensorList tensors = argument;
      all.insert(all.end(), tensors.begin(), tensors.end());
    }
  };
  (add(arguments), ...);
  return all;
}
/// `data` as a leaf that may require a gradient.
inline Variable make_variable(const Tensor& data, bool requires_grad = false,
                              bool /*allow_tensor_metadata_change*/ = true) {
  Variable leaf = data.detach();
  leaf.set_requires_grad(requires_grad);
  return leaf;
}
}  // namespace autograd

}  // namespace strata

namespace strata {

/// Where a tensor, or the first of several, lies: what guards of devices are told in the first line of an extension.
inline std::optional<Device> device_of(const Tensor& tensor) {
  return tensor.defined() ? std::optional(tensor.device()) : std::nullopt;
}
inline std::optional<Device> device_of(const std::optional<Tensor>& tensor) {
  return tensor ? device_of(*tensor) : std::nullopt;
}
inline std::optional<Device> device_of(TensorList tensors) {
  return tensors.empty() ? std::nullopt : device_of(tensors.front());
}

/// A guard that is set once a device is known, which may be never.
class OptionalDeviceGuard {
 public:
  OptionalDeviceGuard() = default;
  explicit OptionalDeviceGuard(std::optional<Device> device) {
    if (device) guard_.emplace(*device);
  }
  void reset_device(Device device) {
    guard_.reset();
    guard_.emplace(device);
  }

 private:
  std::optional<DeviceGuard> guard_;
};

/// The modes of the thread that makes it, which a guard gives to a thread that works for it.
struct ThreadLocalState : ThreadState {
  ThreadLocalState() : ThreadState(thread_state) {}
};
using ThreadLocalStateGuard = ThreadStateGuard;

/// "CUDA", or "cuda".
inline std::string DeviceTypeName(DeviceType type, bool lower_case = false) {
  std::string text = name(type);
  if (!lower_case)
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

}  // namespace strata

/// libtorch's macro that gives a scope a row in the profile.
#define RECORD_FUNCTION(name, ...) STRATA_RECORD_FUNCTION(name)
