# What script/setup would install on each system that it knows, as its /etc/os-release says what it is.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)
file(REMOVE_RECURSE ${WORK_DIR})

# Sets names in the caller to the packages on the system that `release` describes.
function(list_packages release)
  file(WRITE ${WORK_DIR}/os-release "${release}")
  execute_process(COMMAND ${CMAKE_COMMAND} -E env STRATA_OS_RELEASE=${WORK_DIR}/os-release ${SOURCE_DIR}/script/setup --list --ci
    OUTPUT_VARIABLE output OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" output "${output}")
  set(names "${output}" PARENT_SCOPE)
endfunction()
function(expect system)
  foreach(name IN LISTS ARGN)
    if(NOT name IN_LIST names)
      message(FATAL_ERROR "${system}: ${name} is not among ${names}")
    endif()
  endforeach()
endfunction()

list_packages("ID=debian\nVERSION_ID=\"12\"\n")
set(debian "${names}")
expect("Debian 12" g++ libdnnl-dev libopenblas-openmp-dev libgloo-dev clang-14)
list_packages("ID=ubuntu\nID_LIKE=debian\nVERSION_ID=\"24.04\"\n")
if(NOT names STREQUAL debian)
  message(FATAL_ERROR "Ubuntu 24.04 has Debian's names: ${names}")
endif()
list_packages("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\nVERSION_ID=\"22\"\n")
if(NOT names STREQUAL debian)
  message(FATAL_ERROR "what is like Debian has Debian's names: ${names}")
endif()

# GCC 11, Ubuntu 22.04's own, is too old.
list_packages("ID=ubuntu\nID_LIKE=debian\nVERSION_ID=\"22.04\"\n")
expect("Ubuntu 22.04" g++-12 libdnnl-dev)
list(TRANSFORM names REPLACE "^g\\+\\+-12$" "g++")
if(NOT names STREQUAL debian)
  message(FATAL_ERROR "Ubuntu 22.04 differs from Debian by more than the compiler: ${names}")
endif()

# Each package has a name on Fedora, where those of headers end in -devel.
list_packages("ID=fedora\nVERSION_ID=41\n")
expect(Fedora gcc-c++ onednn-devel openblas-devel highway-devel fmt-devel catch-devel)
list(LENGTH names count)
list(LENGTH debian wanted)
list(REMOVE_ITEM names dpkg-dev)  # is called so there too
if(NOT count EQUAL wanted OR "${names}" MATCHES "-dev(;|$)")
  message(FATAL_ERROR "Fedora has ${count} names for ${wanted} packages, or one of Debian's: ${names}")
endif()

# Elsewhere it says what to install, and is no error.
file(WRITE ${WORK_DIR}/os-release "ID=plan9\n")
execute_process(COMMAND ${CMAKE_COMMAND} -E env STRATA_OS_RELEASE=${WORK_DIR}/os-release ${SOURCE_DIR}/script/setup
  OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
if(NOT output MATCHES "for plan9 here, so please install these yourself: g\\+\\+ ")
  message(FATAL_ERROR "an unknown system gets: ${output}")
endif()
