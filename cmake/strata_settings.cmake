# Compiler settings that all of Strata's own code shares (target strata_settings), and the build type by default.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)  # a new libstrata.so needs no new link of the programs that use it

find_program(CCACHE_PROGRAM ccache)
mark_as_advanced(CCACHE_PROGRAM)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

set(optimize -O2)
if(STRATA_SANITIZE)
  set(optimize -O1)
  # GCC warns of uninitialised values where the sanitizers' own code only looks like reading them.
  add_compile_options(-Wno-maybe-uninitialized -fsanitize=${STRATA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${STRATA_SANITIZE})
endif()

# No contraction to FMA behind our back: the same expression gives the same bits on every path.
add_library(strata_settings INTERFACE)
target_compile_features(strata_settings INTERFACE cxx_std_20)
target_compile_options(strata_settings INTERFACE
  -Wall -Wextra $<$<BOOL:${STRATA_WERROR}>:-Werror> $<$<CONFIG:Release>:${optimize}> -fno-math-errno -ffp-contract=off)

# Kernels: loops that Highway does not write are vectorized by the compiler where it pays.
set(STRATA_KERNEL_OPTIONS)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(STRATA_KERNEL_OPTIONS -ftree-vectorize -fvect-cost-model=dynamic)
endif()
