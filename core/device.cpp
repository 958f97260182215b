// Device names.
#include "core/device.h"

#include <charconv>
#include <iterator>
#include <mutex>
#include <ostream>

#include "core/error.h"

namespace strata {
namespace {

std::mutex mutex;
std::string& private_name() {
  static std::string name;
  return name;
}

bool is_word(std::string_view s) {
  return !s.empty() && s.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

DeviceType type_named(std::string_view kind, std::string_view text) {
  for (int i = 0; i < COMPILE_TIME_MAX_DEVICE_TYPES; ++i)
    if (const auto type = static_cast<DeviceType>(i); kind == name(type)) return type;
  STRATA_CHECK(kind == "privateuseone", "device '{}': expected cpu, cuda or {}, with or without a number (cuda:1)",
               text, name(kPrivateUse1));
  return kPrivateUse1;
}

}  // namespace

std::string get_privateuse1_backend() {
  const std::lock_guard lock(mutex);
  return private_name().empty() ? "privateuseone" : private_name();
}

void register_privateuse1_backend(std::string_view name) {
  STRATA_CHECK(is_word(name) && name != "cpu" && name != "cuda" && name != "meta",
               "register_privateuse1_backend: '{}' is no name for a device; take lower-case letters, digits and _",
               name);
  const std::lock_guard lock(mutex);
  STRATA_CHECK(private_name().empty() || private_name() == name,
               "register_privateuse1_backend: the device is called '{}' already", private_name());
  private_name() = name;
}

std::string name(DeviceType type) {
  static constexpr const char* names[] = {"cpu",   "cuda", "",     "meta",   "mps",    "xpu",    "hip",
                                          "xla",   "hpu",  "mtia", "vulkan", "mkldnn", "opengl", "opencl",
                                          "ideep", "fpga", "maia", "metal",  "ve",     "lazy",   "ipu"};
  static_assert(std::size(names) == COMPILE_TIME_MAX_DEVICE_TYPES);
  const auto at = static_cast<size_t>(type);
  return type == kPrivateUse1 || at >= std::size(names) ? get_privateuse1_backend() : names[at];
}

Device::Device(std::string_view text) : type_(kCPU), index_(-1) {
  const size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  type_ = type_named(kind, text);
  if (colon == std::string_view::npos) return;
  const std::string_view digits = text.substr(colon + 1);
  int index = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  STRATA_CHECK(error == std::errc() && end == digits.data() + digits.size() && index >= 0 && index < 128,
               "device '{}': expected a number after the colon", text);
  index_ = static_cast<DeviceIndex>(index);
}

std::string Device::str() const { return has_index() ? name(type_) + ":" + std::to_string(index_) : name(type_); }

std::ostream& operator<<(std::ostream& out, Device d) { return out << d.str(); }
std::ostream& operator<<(std::ostream& out, DeviceType d) { return out << Device(d).str(); }

}  // namespace strata
