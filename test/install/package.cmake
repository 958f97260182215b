# Makes the Debian package of the build in BUILD_DIR, looks at what it says and holds, and uses it where it is unpacked.
include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)
file(REMOVE_RECURSE ${WORK_DIR})

get_filename_component(bin ${CMAKE_COMMAND} DIRECTORY)
run(${bin}/cpack -G DEB --config ${BUILD_DIR}/CPackConfig.cmake -B ${WORK_DIR})
file(GLOB package ${WORK_DIR}/strata_*.deb)

execute_process(COMMAND ${DPKG_DEB} --info ${package} OUTPUT_VARIABLE info COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${DPKG_DEB} --contents ${package} OUTPUT_VARIABLE content COMMAND_ERROR_IS_FATAL ANY)
set(wanted "Package: strata\n" "Version: [0-9.]+\n" "Description: ")
if(SHLIBDEPS)
  list(APPEND wanted "Depends: [^\n]*libc6 [^\n]*" "Depends: [^\n]*libhwy[^\n]*" "Depends: [^\n]*libgomp1[^\n]*")
  if(NOT SLIM)
    list(APPEND wanted "Depends: [^\n]*libdnnl[^\n]*" "Depends: [^\n]*libopenblas[^\n]*")
  elseif(info MATCHES "libdnnl|libopenblas")
    message(FATAL_ERROR "the package of a slim build depends on ${CMAKE_MATCH_0}:\n${info}")
  endif()
endif()
list(APPEND wanted "/usr/lib/[^\n]*libstrata.so.[0-9.]+\n" "/usr/lib/[^\n]*libstrata.so -> " "/usr/include/strata/strata.h\n"
  "/usr/include/strata/core/tensor_methods.inc\n" "/usr/include/strata/compat/torch/torch.h\n" "/strata-config.cmake\n"
  "/strata.pc\n" "/strata-torch-compat.pc\n")
foreach(pattern IN LISTS wanted)
  if(NOT "${info}${content}" MATCHES "${pattern}")
    message(FATAL_ERROR "the package has no ${pattern}:\n${info}${content}")
  endif()
endforeach()
if(content MATCHES "/usr/[^\n]*(kernels|test|\\.cpp)")
  message(FATAL_ERROR "the package holds ${CMAKE_MATCH_0}")
endif()

run(${DPKG_DEB} --extract ${package} ${WORK_DIR}/unpacked)
use_from(${WORK_DIR}/unpacked/usr)
