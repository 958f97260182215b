// Names and lines of return addresses, by elfutils' libdw where that is installed, else by the dynamic linker.
#include "core/stack.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "core/called.h"

#if __has_include(<elfutils/libdwfl.h>)
#include <elfutils/libdwfl.h>
#define STRATA_HAS_LIBDW 1
#else
#define STRATA_HAS_LIBDW 0
#endif

namespace strata {
namespace {

std::string demangled(const char* symbol) {
  int status = 0;
  char* const text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  std::string name = text ? text : symbol;
  std::free(text);
  return name;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// What is known of an address.
struct Place {
  std::string function, line;
};

#if STRATA_HAS_LIBDW
/// libdw is looked for when it is first needed, so that no program needs it to start.
class Libdw {
 public:
  static Libdw& get() {
    static Libdw& libdw = *new Libdw;
    return libdw;
  }
  Place find(void* address) const {
    Place place;
    const auto at = reinterpret_cast<Dwarf_Addr>(address) - 1;  // inside of the call, not behind it
    Dwfl_Module* const module = dwfl_ ? addrmodule_(dwfl_, at) : nullptr;
    if (!module) return place;
    if (const char* const symbol = addrname_(module, at)) place.function = demangled(symbol);
    int number = 0;
    Dwfl_Line* const line = getsrc_(module, at);
    const char* const file = line ? lineinfo_(line, nullptr, &number, nullptr, nullptr, nullptr) : nullptr;
    if (file) place.line = fmt::format("{}:{}", file_name(file), number);
    return place;
  }

 private:
  Libdw() {
    void* const library = ::dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    const auto load = [library](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
      return function != nullptr;
    };
    decltype(&dwfl_begin) begin = nullptr;
    decltype(&dwfl_linux_proc_report) report = nullptr;
    decltype(&dwfl_report_end) end = nullptr;
    static Dwfl_Callbacks callbacks = {};
    if (!load(begin, "dwfl_begin") || !load(report, "dwfl_linux_proc_report") || !load(end, "dwfl_report_end") ||
        !load(addrmodule_, "dwfl_addrmodule") || !load(addrname_, "dwfl_module_addrname") ||
        !load(getsrc_, "dwfl_module_getsrc") || !load(lineinfo_, "dwfl_lineinfo") ||
        !load(callbacks.find_elf, "dwfl_linux_proc_find_elf"))
      return;
    // Debug information that lies apart is not looked for: that may ask the network.
    callbacks.find_debuginfo = [](Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*, GElf_Word,
                                  char**) { return -1; };
    Dwfl* const dwfl = begin(&callbacks);
    if (dwfl && report(dwfl, ::getpid()) == 0 && end(dwfl, nullptr, nullptr) == 0) dwfl_ = dwfl;
  }
  Dwfl* dwfl_ = nullptr;
  decltype(&dwfl_addrmodule) addrmodule_ = nullptr;
  decltype(&dwfl_module_addrname) addrname_ = nullptr;
  decltype(&dwfl_module_getsrc) getsrc_ = nullptr;
  decltype(&dwfl_lineinfo) lineinfo_ = nullptr;
};
Place debug_place(void* address) { return Libdw::get().find(address); }
#else
Place debug_place(void*) { return {}; }
#endif

bool is_library_name(std::string_view function) {
  for (const std::string_view prefix :
       {"strata::", "std::", "__", "_start", "void strata::", "decltype(auto) strata::"})
    if (function.starts_with(prefix)) return true;
  return false;
}

/// Empty for what is not the user's.
std::string described(void* address) {
  Dl_info object{}, own{};
  ::dladdr(reinterpret_cast<void*>(&user_frames), &own);
  if (!::dladdr(address, &object)) return {};
  const std::string_view file = file_name(object.dli_fname ? object.dli_fname : "");
  const bool in_library = file.starts_with("libstrata") && object.dli_fbase == own.dli_fbase;
  if (in_library || file.starts_with("libc.") || file.starts_with("libstdc++") || file.starts_with("ld-")) return {};
  Place place = debug_place(address);
  if (place.function.empty() && object.dli_sname) place.function = demangled(object.dli_sname);
  if (is_library_name(place.function)) return {};
  if (place.function.empty()) return std::string(file);
  return place.function + " at " + (place.line.empty() ? std::string(file) : place.line);
}

/// `embedding` in `strata::embedding(strata::Tensor const&, ...)` and in `strata::Tensor::embedding(...) const`.
std::string public_name(std::string_view function) {
  std::string_view name = function.substr(0, function.find('('));
  if (!name.starts_with("strata::")) return {};
  name.remove_prefix(8);
  for (const std::string_view scope : {"Tensor::", "linalg::", "fft::", "special::", "nn::functional::"})
    if (name.starts_with(scope)) {
      name.remove_prefix(scope.size());
      break;
    }
  const bool is_plain = name.find_first_of(":<~ ") == std::string_view::npos && !name.starts_with("operator");
  for (const std::string_view own : {"called_function", "fail_undefined", "shape_of_undefined"})
    if (name == own) return {};
  return is_plain ? std::string(name) : std::string();
}

bool backtraces_wanted() {
  const char* const value = std::getenv("STRATA_BACKTRACE");
  return value && std::string_view(value) == "1";
}
std::atomic<bool>& backtraces_enabled() {
  static std::atomic<bool> on{backtraces_wanted()};
  return on;
}

}  // namespace

bool error_backtraces() noexcept { return backtraces_enabled().load(std::memory_order_relaxed); }
void set_error_backtraces(bool on) noexcept { backtraces_enabled() = on; }

std::string called_function() {
  if (const std::string_view name = Called::function(); !name.empty()) return std::string(name);
  Dl_info own{};
  ::dladdr(reinterpret_cast<void*>(&user_frames), &own);
  void* addresses[64];
  const int n = ::backtrace(addresses, 64);
  std::string name;
  for (int i = 1; i < n; ++i) {
    Dl_info object{};
    if (!::dladdr(addresses[i], &object) || object.dli_fbase != own.dli_fbase) break;
    if (!object.dli_sname) continue;
    if (std::string found = public_name(demangled(object.dli_sname)); !found.empty()) name = std::move(found);
  }
  return name;
}

std::vector<std::string> user_frames() {
  static std::mutex lock;  // libdw is not made for several threads
  static std::unordered_map<void*, std::string> known;
  void* addresses[64];
  const int n = ::backtrace(addresses, 64);
  std::vector<std::string> frames;
  const std::lock_guard guard(lock);
  for (int i = 1; i < n; ++i) {
    const auto [at, is_new] = known.try_emplace(addresses[i]);
    if (is_new) at->second = described(addresses[i]);
    if (!at->second.empty()) frames.push_back(at->second);
  }
  return frames;
}

}  // namespace strata
