# Compiler settings that all of Strata's own code shares (target strata_settings), and the build type by default.

# A project that adds Strata as a folder decides its build type, and lends it no flag, definition or include folder of its
# own: of the flags, only those count that were given to CMake itself (a command line, an environment, a toolchain).
if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
else()
  set_directory_properties(PROPERTIES COMPILE_OPTIONS "" COMPILE_DEFINITIONS "" INCLUDE_DIRECTORIES "" LINK_OPTIONS ""
    LINK_DIRECTORIES "" LINK_LIBRARIES "")
  foreach(config "" _DEBUG _RELEASE _RELWITHDEBINFO _MINSIZEREL)
    foreach(kind CXX SHARED_LINKER EXE_LINKER)
      set(CMAKE_${kind}_FLAGS${config} "$CACHE{CMAKE_${kind}_FLAGS${config}}")
    endforeach()
  endforeach()
  foreach(setting COMPILE_WARNING_AS_ERROR UNITY_BUILD VISIBILITY_INLINES_HIDDEN CXX_VISIBILITY_PRESET CXX_CLANG_TIDY
      CXX_CPPCHECK CXX_CPPLINT CXX_INCLUDE_WHAT_YOU_USE LINK_WHAT_YOU_USE INTERPROCEDURAL_OPTIMIZATION)
    unset(CMAKE_${setting})
  endforeach()
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)  # a new libstrata.so needs no new link of the programs that use it

find_program(CCACHE_PROGRAM ccache)
mark_as_advanced(CCACHE_PROGRAM)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Clones of the same sources share what was compiled, but for debug information, which names the folder. What used a
  # precompiled header is kept only if ccache is told so.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_SLOPPINESS=pch_defines,time_macros)
  if(STRATA_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL Release)
    list(APPEND CMAKE_CXX_COMPILER_LAUNCHER CCACHE_NOHASHDIR=1)
  endif()
  list(APPEND CMAKE_CXX_COMPILER_LAUNCHER ${PROJECT_SOURCE_DIR}/cmake/cached ${CCACHE_PROGRAM})
endif()

set(optimize -O2)
if(STRATA_SANITIZE)
  set(optimize -O1)
  add_compile_options(-fsanitize=${STRATA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # it warns of values that only the sanitizers' own code looks like reading
    add_compile_options(-Wno-maybe-uninitialized)
  elseif(STRATA_SANITIZE MATCHES "address")  # GCC says so itself
    add_compile_definitions(__SANITIZE_ADDRESS__)
  elseif(STRATA_SANITIZE STREQUAL "thread")
    add_compile_definitions(__SANITIZE_THREAD__)
  endif()
  add_link_options(-fsanitize=${STRATA_SANITIZE})
endif()

# A target of the property STRATA_SMALL is as small as the compiler can make it. Of several -O the last one counts, and a
# target's own options come before these, so it cannot say so by them.
set(optimize $<IF:$<BOOL:$<TARGET_PROPERTY:STRATA_SMALL>>,-Os,${optimize}>)

# No contraction to FMA behind our back: the same expression gives the same bits on every path.
add_library(strata_settings INTERFACE)
target_compile_features(strata_settings INTERFACE cxx_std_20)
target_compile_options(strata_settings INTERFACE
  -Wall -Wextra $<$<BOOL:${STRATA_WERROR}>:-Werror> $<$<OR:$<CONFIG:Release>,$<CONFIG:>>:${optimize}>
  -fno-math-errno -ffp-contract=off)

# Kernels: loops that Highway does not write are vectorized by the compiler where it pays.
# What kernels define is for the library alone, which their objects say themselves: cmake/exports.map says the rest.
set(STRATA_KERNEL_OPTIONS -fvisibility=hidden)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND STRATA_KERNEL_OPTIONS -ftree-vectorize -fvect-cost-model=dynamic)
  # GCC's idea of an average processor reads a vector of 64 bytes anew at each use in place of keeping it; with that of
  # this one and its vectors of 32 bytes, what is stored in halves is read whole, which waits for the store.
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND STRATA_KERNEL_OPTIONS -mtune=skylake-avx512 -mprefer-vector-width=512)
  endif()
endif()
