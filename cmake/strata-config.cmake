# What find_package(strata) reads: gives strata::strata and strata::torch_compat. The library's dependencies are its own.
include(${CMAKE_CURRENT_LIST_DIR}/strata-targets.cmake)
