// Calling the host's compiler.
#include "test/cuda_emulator/host_kernels.h"

#include <dlfcn.h>

#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/error.h"

namespace strata::emulator {

struct HostKernel {
  std::string name, text;
  void* function = nullptr;
};

namespace {

std::deque<HostKernel> kernels;
bool collecting = false;

/// Removed at the end.
struct TemporaryFolder {
  std::string path = (std::filesystem::temp_directory_path() / "strata_kernels_XXXXXX").string();
  TemporaryFolder() { STRATA_CHECK(mkdtemp(path.data()), "the emulator cannot make a folder for kernels"); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
};

/// Kernels of one name get numbers.
std::string numbered(size_t i) { return kernels[i].name + "_" + std::to_string(i); }

void write_new_kernels(const std::string& path) {
  std::ofstream file(path);
  for (size_t i = 0; i < kernels.size(); ++i)
    if (const HostKernel& k = kernels[i]; !k.function)
      file << "#define " << k.name << " " << numbered(i) << "\n" << k.text << "#undef " << k.name << "\n";
}

void compile_new_kernels() {
  const TemporaryFolder folder;
  const std::string source = folder.path + "/kernels.cpp", library = folder.path + "/kernels.so";
  const std::string log = folder.path + "/log";
  write_new_kernels(source);
  const std::string command = STRATA_HOST_COMPILER " -o " + library + " " + source + " 2>" + log;
  if (const int status = std::system(command.c_str()); status != 0) {
    std::stringstream said;
    said << std::ifstream(log).rdbuf();
    STRATA_THROW("{}: status {}: {}", command, status, said.str());
  }
  void* const code = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  STRATA_CHECK(code, "{}", dlerror());
  for (size_t i = 0; i < kernels.size(); ++i)
    if (!kernels[i].function) kernels[i].function = dlsym(code, numbered(i).c_str());
}

}  // namespace

HostKernel* add_kernel(const std::string& name, const std::string& text) {
  return &kernels.emplace_back(HostKernel{name, text});
}

void* function_of(HostKernel* kernel) {
  if (!kernel->function) compile_new_kernels();
  return kernel->function;
}

void set_collecting(bool on) { collecting = on; }
bool is_collecting() { return collecting; }

}  // namespace strata::emulator
