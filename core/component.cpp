// Finding libraries beside this one.
#include "core/component.h"

#include <dlfcn.h>

#include <string>

#include "core/error.h"

namespace strata::detail {
namespace {

/// The folder of this library, with a slash behind it; empty where it is not known.
std::string own_folder() {
  Dl_info info;
  const auto here = reinterpret_cast<const void*>(&load_component);
  const std::string path = dladdr(here, &info) && info.dli_fname ? info.dli_fname : "";
  return path.substr(0, path.rfind('/') + 1);
}

}  // namespace

void* load_component(const char* user, const char* file, const char* entry) {
  void* library = dlopen((own_folder() + file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  STRATA_CHECK(library, "{}: {} was not loaded: {}", user, file, dlerror());
  void* const function = dlsym(library, entry);
  STRATA_CHECK(function, "{}: {} is not one of this version", user, file);
  return function;
}

}  // namespace strata::detail
