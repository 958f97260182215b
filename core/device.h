// Where a tensor's data lives.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace strata {

/// PrivateUse1 is for a backend of somebody else's, as in libtorch: see device_backend.h. Tensors of Meta have a shape
/// and a dtype and no memory: ops on them say what shape and dtype would come out. Those from MPS on are names that
/// programs ask for where they find the device; nothing computes on them, and no tensor is made there.
enum class DeviceType : int8_t {
  CPU = 0,
  CUDA = 1,
  PrivateUse1 = 2,
  Meta = 3,
  MPS = 4,
  XPU = 5,
  HIP = 6,
  XLA = 7,
  HPU = 8,
  MTIA = 9,
  Vulkan = 10,
  MKLDNN = 11,
  OPENGL = 12,
  OPENCL = 13,
  IDEEP = 14,
  FPGA = 15,
  MAIA = 16,
  Metal = 17,
  VE = 18,
  Lazy = 19,
  IPU = 20,
  COMPILE_TIME_MAX_DEVICE_TYPES = 21  ///< how many there are
};
using DeviceIndex = int8_t;
/// Of the kinds that tensors live on.
inline constexpr int kNumDeviceTypes = 4;
inline constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA, kPrivateUse1 = DeviceType::PrivateUse1,
                            kMeta = DeviceType::Meta, kMPS = DeviceType::MPS, kXPU = DeviceType::XPU,
                            kHIP = DeviceType::HIP, kXLA = DeviceType::XLA, kHPU = DeviceType::HPU,
                            kMTIA = DeviceType::MTIA, kVulkan = DeviceType::Vulkan, kFPGA = DeviceType::FPGA,
                            kMAIA = DeviceType::MAIA, kMetal = DeviceType::Metal, kVE = DeviceType::VE,
                            kLazy = DeviceType::Lazy, kIPU = DeviceType::IPU;
inline constexpr int COMPILE_TIME_MAX_DEVICE_TYPES = static_cast<int>(DeviceType::COMPILE_TIME_MAX_DEVICE_TYPES);

/// Lower-case: "cpu", "cuda", "meta", "mps", "xpu", ...; for PrivateUse1 the name it was given.
std::string name(DeviceType type);
/// Gives PrivateUse1 a name in place of "privateuseone", for good: lower-case letters, digits and `_`, and not the name
/// of another device (libtorch's function). Throws for other names, and when it has another one already.
void register_privateuse1_backend(std::string_view name);
/// The name that PrivateUse1 was given, or "privateuseone".
std::string get_privateuse1_backend();

/// A kind of device and its number; -1 means the current one.
class Device {
 public:
  using Type = DeviceType;
  constexpr Device(DeviceType type = kCPU, DeviceIndex index = -1) : type_(type), index_(index) {}
  /// "cpu", "cuda", "cuda:1", "meta", "privateuseone" or the name that this was given.
  Device(std::string_view text);
  Device(const char* text) : Device(std::string_view(text)) {}
  Device(const std::string& text) : Device(std::string_view(text)) {}
  constexpr DeviceType type() const { return type_; }
  constexpr DeviceIndex index() const { return index_; }
  constexpr void set_index(DeviceIndex index) { index_ = index; }
  constexpr bool has_index() const { return index_ >= 0; }
  constexpr bool is_cpu() const { return type_ == kCPU; }
  constexpr bool is_cuda() const { return type_ == kCUDA; }
  constexpr bool is_meta() const { return type_ == kMeta; }
  constexpr bool is_privateuseone() const { return type_ == kPrivateUse1; }
  constexpr bool is_mps() const { return type_ == kMPS; }
  constexpr bool is_xpu() const { return type_ == kXPU; }
  constexpr bool is_hip() const { return type_ == kHIP; }
  constexpr bool is_xla() const { return type_ == kXLA; }
  constexpr bool is_hpu() const { return type_ == kHPU; }
  constexpr bool is_mtia() const { return type_ == kMTIA; }
  constexpr bool is_vulkan() const { return type_ == kVulkan; }
  constexpr bool is_metal() const { return type_ == kMetal; }
  constexpr bool is_maia() const { return type_ == kMAIA; }
  constexpr bool is_ve() const { return type_ == kVE; }
  constexpr bool is_lazy() const { return type_ == kLazy; }
  constexpr bool is_ipu() const { return type_ == kIPU; }
  /// Whether its tensors may have any strides.
  constexpr bool supports_as_strided() const { return !is_ipu() && !is_xla() && !is_lazy(); }
  std::string str() const;
  friend constexpr bool operator==(Device a, Device b) {
    return a.type_ == b.type_ && (a.index_ == b.index_ || a.is_cpu() || a.is_meta());
  }

 private:
  DeviceType type_;
  DeviceIndex index_;
};

namespace cuda {
/// Is there a CUDA device, and were the CUDA kernels built?
bool is_available();
DeviceIndex device_count();
}  // namespace cuda

std::ostream& operator<<(std::ostream& out, Device d);
std::ostream& operator<<(std::ostream& out, DeviceType d);

}  // namespace strata
