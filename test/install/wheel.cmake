# Makes the wheel of the build in BUILD_DIR, installs it into a Python environment of its own and uses it from outside.
include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)
file(REMOVE_RECURSE ${WORK_DIR})

execute_process(COMMAND ${PYTHON} -m venv ${WORK_DIR}/environment RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
set(python ${WORK_DIR}/environment/bin/python)
if(result EQUAL 0)
  execute_process(COMMAND ${python} -m pip --version RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
endif()
if(NOT result EQUAL 0)
  message("the wheel is not tried: ${PYTHON} has no venv or no pip (Debian: python3-venv)")
  return()
endif()

run(${PYTHON} ${SOURCE_DIR}/script/wheel --build ${BUILD_DIR} --out ${WORK_DIR} --native)
file(GLOB wheel ${WORK_DIR}/strata_cpp-*.whl)
run(${python} -m pip install --quiet --disable-pip-version-check --no-index --no-deps ${wheel})
foreach(folder include lib cmake prefix)
  execute_process(COMMAND ${python} -m strata_cpp --${folder} OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY WORKING_DIRECTORY ${WORK_DIR})
  if(NOT IS_DIRECTORY ${path})
    message(FATAL_ERROR "python -m strata_cpp --${folder} says ${path}, which is no folder")
  endif()
endforeach()
run_to_fail("required" ${python} -m strata_cpp)

configure(${CMAKE_CURRENT_LIST_DIR}/wheel ${WORK_DIR}/uses -D PYTHON=${python} -D CMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/uses --parallel 2)
run(${WORK_DIR}/uses/uses_strata)

# pip finds nothing amiss, and takes away all that it brought.
run(${python} -m pip check)
run(${python} -m pip uninstall --quiet --yes strata-cpp)
if(EXISTS ${path})
  file(GLOB_RECURSE left ${path}/*.h ${path}/*.so*)
  if(left)
    message(FATAL_ERROR "pip uninstall leaves ${left}")
  endif()
endif()
