# Finds the libraries that libstrata links (target strata_link). It is installed with libstrata.a, whose users link them.
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
find_package(hwy 1.0 QUIET)
if(NOT hwy_FOUND)
  message(FATAL_ERROR "Strata needs Google Highway 1.0 or newer with its CMake package (Ubuntu 22.04 has 0.16, which is "
    "too old: build one from https://github.com/google/highway and name it by -Dhwy_DIR)")
endif()

set(strata_matrix_libraries)
if(NOT STRATA_SLIM)
  # oneDNN by file: its own CMake package would ask for the OpenCL headers as well, which nothing here needs.
  find_library(DNNL_LIBRARY dnnl REQUIRED)
  # OpenBLAS's OpenMP build shares its thread pool with oneDNN and with us; Debian keeps it in a folder of its own.
  find_library(OPENBLAS_LIBRARY NAMES openblas openblaso PATH_SUFFIXES openblas-openmp REQUIRED)
  mark_as_advanced(DNNL_LIBRARY OPENBLAS_LIBRARY)
  set(strata_matrix_libraries ${DNNL_LIBRARY} ${OPENBLAS_LIBRARY})
endif()

set(strata_image_libraries)
if(STRATA_IMAGES_INSIDE)
  find_package(JPEG REQUIRED)
  find_package(PNG REQUIRED)
  set(strata_image_libraries JPEG::JPEG PNG::PNG)
endif()

if(NOT TARGET strata_link)
  add_library(strata_link INTERFACE)
  target_link_libraries(strata_link INTERFACE
    ${strata_matrix_libraries} ${strata_image_libraries} hwy::hwy fmt::fmt ZLIB::ZLIB OpenMP::OpenMP_CXX Threads::Threads ${CMAKE_DL_LIBS})
endif()
