// Options, layouts and memory formats as text.
#include "core/options.h"

#include <ostream>

#include "core/error.h"

namespace strata {
namespace {

const char* mark(bool given) { return given ? "" : " (default)"; }
const char* text(bool on) { return on ? "true" : "false"; }

}  // namespace

const char* name(Layout layout) {
  static constexpr const char* kNames[] = {"Strided",   "Sparse",    "SparseCsr", "SparseCsc",
                                           "SparseBsr", "SparseBsc", "Mkldnn",    "Jagged"};
  return kNames[static_cast<size_t>(layout)];
}
std::ostream& operator<<(std::ostream& out, Layout layout) { return out << name(layout); }

bool TensorOptions::check_strided(Layout layout) {
  STRATA_CHECK(layout == kStrided, "TensorOptions: every tensor has the layout Strided here, got {}", name(layout));
  return true;
}

const char* name(MemoryFormat format) {
  static constexpr const char* kNames[] = {"Contiguous", "Preserve", "ChannelsLast", "ChannelsLast3d"};
  return kNames[static_cast<size_t>(format)];
}
std::ostream& operator<<(std::ostream& out, MemoryFormat format) { return out << name(format); }

std::ostream& operator<<(std::ostream& out, const TensorOptions& o) {
  out << "TensorOptions(dtype=" << o.dtype() << mark(o.has_dtype()) << ", device=" << o.device() << mark(o.has_device())
      << ", layout=" << o.layout() << mark(o.has_layout()) << ", requires_grad=" << text(o.requires_grad())
      << mark(o.has_requires_grad()) << ", pinned_memory=" << text(o.pinned_memory()) << mark(o.has_pinned_memory())
      << ", memory_format=";
  if (o.has_memory_format())
    out << *o.memory_format_opt();
  else
    out << "(nullopt)";
  return out << ')';
}

}  // namespace strata
