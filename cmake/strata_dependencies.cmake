# Finds what libstrata is built on (target strata_dependencies). All of it is private: users' code sees none of it.
include(strata_link)
find_package(nlohmann_json REQUIRED)
find_path(BOOST_GRAPH_INCLUDE_DIR boost/graph/boykov_kolmogorov_max_flow.hpp REQUIRED)  # headers alone
set(libraries_folders)
if(NOT STRATA_SLIM)
  find_path(DNNL_INCLUDE_DIR dnnl.hpp REQUIRED)
  find_path(OPENBLAS_INCLUDE_DIR cblas.h REQUIRED
    PATH_SUFFIXES openblas-openmp ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-openmp openblas)
  set(libraries_folders ${DNNL_INCLUDE_DIR} ${OPENBLAS_INCLUDE_DIR})
endif()

add_library(strata_dependencies INTERFACE)
target_include_directories(strata_dependencies SYSTEM INTERFACE
  ${libraries_folders} ${BOOST_GRAPH_INCLUDE_DIR})
target_link_libraries(strata_dependencies INTERFACE strata_link nlohmann_json::nlohmann_json)

# Highway compiles each kernel once per instruction set: on x86 the baseline, AVX2 and AVX-512 are enough, on ARM NEON is.
# Which of the others exist depends on Highway's version. Builds that stay on this machine want no AVX-512 where it has none;
# those that are about the logic take one set. (The baseline of others cannot be AVX2: GCC before 12.3 then makes FMA of
# products of complex numbers in loops that it vectorizes, -ffp-contract=off or not, its bug 107647.)
set(unwanted HWY_SSE2 HWY_SSSE3 HWY_SSE4 HWY_AVX3_DL HWY_AVX3_ZEN4 HWY_AVX3_SPR HWY_AVX10_2 HWY_SVE HWY_SVE2 HWY_SVE_256
  HWY_SVE2_128)
if(NOT STRATA_TARGETS MATCHES "^(ALL|NATIVE|ONE)$")
  message(FATAL_ERROR "STRATA_TARGETS is ALL, NATIVE or ONE, not ${STRATA_TARGETS}")
elseif(STRATA_TARGETS STREQUAL "ONE" OR STRATA_SLIM)
  list(APPEND unwanted HWY_AVX3)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND STRATA_KERNEL_OPTIONS -march=haswell -maes)  # makes AVX2 the baseline
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12.3)
      list(APPEND STRATA_KERNEL_OPTIONS -fno-tree-loop-vectorize)  # bug 107647, as above
    endif()
  endif()
elseif(STRATA_TARGETS STREQUAL "NATIVE" AND EXISTS /proc/cpuinfo)
  file(STRINGS /proc/cpuinfo processor REGEX "^flags.* avx512f " LIMIT_COUNT 1)
  if(NOT processor)
    list(APPEND unwanted HWY_AVX3)
  endif()
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
mark_as_advanced(DNNL_INCLUDE_DIR BOOST_GRAPH_INCLUDE_DIR OPENBLAS_INCLUDE_DIR HWY_INCLUDE_DIR)
