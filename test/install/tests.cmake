# The tests that see Strata from outside, each a script run by CMake: an installation, a Debian package and a wheel of it, and a project
# that has Strata as a folder, with the static library.
function(add_script_test name script)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -D SOURCE_DIR=${PROJECT_SOURCE_DIR} -D BUILD_DIR=${PROJECT_BINARY_DIR}
    -D WORK_DIR=${CMAKE_CURRENT_BINARY_DIR}/${name} -D CXX=${CMAKE_CXX_COMPILER} -D GENERATOR=${CMAKE_GENERATOR}
    -D CUDA=$<TARGET_EXISTS:strata_cuda> ${ARGN} -P ${CMAKE_CURRENT_SOURCE_DIR}/install/${script}.cmake)
endfunction()

add_script_test(install run)
add_script_test(setup_names setup)
find_program(ABIDIFF abidiff)
mark_as_advanced(ABIDIFF)
if(ABIDIFF)
  add_script_test(abi abi)
else()
  message(STATUS "No test abi: it wants abidiff (Debian: abigail-tools)")
endif()
find_program(DPKG_DEB dpkg-deb)
mark_as_advanced(DPKG_DEB)
if(DPKG_DEB AND NOT STRATA_STATIC)
  add_script_test(package package -D DPKG_DEB=${DPKG_DEB} -D SHLIBDEPS=${DPKG_SHLIBDEPS} -D SLIM=${STRATA_SLIM}
    -D IMAGES=$<TARGET_EXISTS:strata_images>)
endif()
# CMake's own Python3_EXECUTABLE is the one that has peers to compare with; any Python makes and takes a wheel.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND AND NOT STRATA_STATIC)
  add_script_test(wheel wheel -D PYTHON=${Python3_EXECUTABLE})
  set_tests_properties(wheel PROPERTIES SKIP_REGULAR_EXPRESSION "the wheel is not tried: ")
endif()
# The project takes the objects of this build where it would compile the same.
if(NOT STRATA_STATIC AND NOT STRATA_SLIM AND CMAKE_BUILD_TYPE STREQUAL Release)
  add_script_test(parent_project parent -D WERROR=${STRATA_WERROR} -D TARGETS=${STRATA_TARGETS})
  set_tests_properties(parent_project PROPERTIES TIMEOUT 1500)
else()
  message(STATUS "No test parent_project: it wants a shared library that is not slim, and a Release build")
endif()
