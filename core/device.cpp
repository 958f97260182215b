// Device names.
#include "core/device.h"

#include <charconv>
#include <ostream>

#include "core/error.h"

namespace strata {

Device::Device(std::string_view text) : type_(kCPU), index_(-1) {
  const size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  STRATA_CHECK(kind == "cpu" || kind == "cuda", "device '{}': expected cpu, cuda or cuda:N", text);
  type_ = kind == "cpu" ? kCPU : kCUDA;
  if (colon == std::string_view::npos) return;
  const std::string_view digits = text.substr(colon + 1);
  int index = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  STRATA_CHECK(error == std::errc() && end == digits.data() + digits.size() && index >= 0 && index < 128,
               "device '{}': expected a number after the colon", text);
  index_ = static_cast<DeviceIndex>(index);
}

std::string Device::str() const {
  const std::string kind = is_cpu() ? "cpu" : "cuda";
  return has_index() ? kind + ":" + std::to_string(index_) : kind;
}

std::ostream& operator<<(std::ostream& out, Device d) { return out << d.str(); }
std::ostream& operator<<(std::ostream& out, DeviceType d) { return out << Device(d).str(); }

}  // namespace strata
