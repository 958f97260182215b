# Finds what libstrata.so is built on (target strata_dependencies). All of it is private: users' code sees none of it.
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
find_package(hwy REQUIRED)
find_package(nlohmann_json REQUIRED)

# oneDNN by file: its own CMake package would ask for the OpenCL headers as well, which nothing here needs.
find_library(DNNL_LIBRARY dnnl REQUIRED)
find_path(DNNL_INCLUDE_DIR dnnl.hpp REQUIRED)

# OpenBLAS's OpenMP build shares its thread pool with oneDNN and with us; Debian keeps it in a folder of its own.
find_library(OPENBLAS_LIBRARY NAMES openblas openblaso PATH_SUFFIXES openblas-openmp REQUIRED)
find_path(OPENBLAS_INCLUDE_DIR cblas.h REQUIRED
  PATH_SUFFIXES openblas-openmp ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-openmp openblas)

# Fourier transforms: the part of kissfft that is a C++ header.
find_path(KISSFFT_INCLUDE_DIR kissfft/kissfft.hh REQUIRED)

add_library(strata_dependencies INTERFACE)
target_include_directories(strata_dependencies SYSTEM INTERFACE
  ${DNNL_INCLUDE_DIR} ${OPENBLAS_INCLUDE_DIR} ${KISSFFT_INCLUDE_DIR})
target_link_libraries(strata_dependencies INTERFACE
  ${DNNL_LIBRARY} ${OPENBLAS_LIBRARY} hwy::hwy fmt::fmt nlohmann_json::nlohmann_json ZLIB::ZLIB OpenMP::OpenMP_CXX Threads::Threads)

# Highway compiles each kernel once per instruction set: the baseline, SSE4, AVX2 and AVX-512 are enough.
# Which of the others exist depends on Highway's version. A sanitizer build is about the logic: two will do.
set(unwanted HWY_SSE2 HWY_SSSE3 HWY_AVX3_DL HWY_AVX3_ZEN4 HWY_AVX3_SPR HWY_AVX10_2)
if(STRATA_SANITIZE)
  list(APPEND unwanted HWY_SSE4 HWY_AVX3)
endif()
set(disabled 0)
find_path(HWY_INCLUDE_DIR hwy/detect_targets.h REQUIRED)
file(READ ${HWY_INCLUDE_DIR}/hwy/detect_targets.h targets)
foreach(target IN LISTS unwanted)
  if(targets MATCHES "#define ${target} ")
    string(APPEND disabled "|${target}")
  endif()
endforeach()
set(STRATA_KERNEL_DEFINITIONS "HWY_DISABLED_TARGETS=(${disabled})")
mark_as_advanced(DNNL_LIBRARY DNNL_INCLUDE_DIR OPENBLAS_LIBRARY OPENBLAS_INCLUDE_DIR
  KISSFFT_INCLUDE_DIR HWY_INCLUDE_DIR)
