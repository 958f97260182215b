// Calling NVRTC, which is loaded on first use, with the headers that sources include.
#include "kernels/cuda/fused/nvrtc.h"

#include <dlfcn.h>

#include <vector>

#include "core/error.h"
#include "kernels/cuda/fused/headers.h"

namespace strata::cuda::fused {
namespace {

// NVRTC's functions as its header declares them, which is not needed so.
using Program = struct NvrtcProgram*;
using Result = int;  // 0 is success

struct Nvrtc {
  Result (*version)(int* major, int* minor) = nullptr;
  Result (*create)(Program*, const char* source, const char* name, int count, const char* const* headers,
                   const char* const* names) = nullptr;
  Result (*compile)(Program, int count, const char* const* options) = nullptr;
  Result (*log_size)(Program, size_t*) = nullptr;
  Result (*log)(Program, char*) = nullptr;
  Result (*code_size)(Program, size_t*) = nullptr;
  Result (*code)(Program, char*) = nullptr;
  Result (*destroy)(Program*) = nullptr;
  const char* (*error)(Result) = nullptr;
  std::string problem = {};
};

void* open_library() {
#ifdef STRATA_NVRTC_LIBRARY
  if (void* const library = dlopen(STRATA_NVRTC_LIBRARY, RTLD_NOW | RTLD_LOCAL)) return library;
#endif
  for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12"})
    if (void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  return nullptr;
}

Nvrtc load() {
  Nvrtc n;
  void* const library = open_library();
  if (!library) {
    n.problem = std::string("NVRTC was not found: ") + dlerror();
    return n;
  }
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
    if (!function) n.problem = std::string("NVRTC has no ") + name;
  };
  find(n.version, "nvrtcVersion");
  find(n.create, "nvrtcCreateProgram");
  find(n.compile, "nvrtcCompileProgram");
  find(n.log_size, "nvrtcGetProgramLogSize");
  find(n.log, "nvrtcGetProgramLog");
  find(n.code_size, "nvrtcGetCUBINSize");
  find(n.code, "nvrtcGetCUBIN");
  find(n.destroy, "nvrtcDestroyProgram");
  find(n.error, "nvrtcGetErrorString");
  return n;
}

const Nvrtc& library() {
  static const Nvrtc once = load();
  return once;
}
const Nvrtc& nvrtc() {
  STRATA_CHECK(library().problem.empty(), "{}", library().problem);
  return library();
}

/// A program that is being compiled.
class Compilation {
 public:
  explicit Compilation(const std::string& source) {
    std::vector<const char*> texts, names;
    for (const Header& h : headers()) texts.push_back(h.text), names.push_back(h.name);
    check(nvrtc().create(&program_, source.c_str(), "chain.cu", static_cast<int>(names.size()), texts.data(),
                         names.data()));
  }
  ~Compilation() { nvrtc().destroy(&program_); }
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  void compile(const std::vector<const char*>& options) {
    const Result result = nvrtc().compile(program_, static_cast<int>(options.size()), options.data());
    STRATA_CHECK(result == 0, "NVRTC: {}\n{}", nvrtc().error(result), log());
  }
  std::string code() const {
    size_t size = 0;
    check(nvrtc().code_size(program_, &size));
    std::string code(size, '\0');
    check(nvrtc().code(program_, code.data()));
    return code;
  }

 private:
  static void check(Result result) { STRATA_CHECK(result == 0, "NVRTC: {}", nvrtc().error(result)); }
  std::string log() const {
    size_t size = 0;
    check(nvrtc().log_size(program_, &size));
    std::string log(size, '\0');
    check(nvrtc().log(program_, log.data()));
    return log;
  }
  Program program_ = nullptr;
};

}  // namespace

const std::string& nvrtc_problem() { return library().problem; }

std::string nvrtc_version() {
  int major = 0, minor = 0;
  nvrtc().version(&major, &minor);
  return std::to_string(major) + "." + std::to_string(minor);
}

std::string compile_source(const std::string& source, const std::string& architecture) {
  const std::string gpu = "--gpu-architecture=" + architecture;
  Compilation compilation(source);
  // As the other kernels are compiled: a product and a sum are rounded one after the other.
  compilation.compile({gpu.c_str(), "--std=c++20", "--fmad=false", "--device-as-default-execution-space"});
  return compilation.code();
}

}  // namespace strata::cuda::fused
