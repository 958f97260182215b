# Installs the build in BUILD_DIR under WORK_DIR and uses it from outside, as it should be used and as it cannot be.
include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)
file(REMOVE_RECURSE ${WORK_DIR})
set(prefix ${WORK_DIR}/prefix)

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
use_from(${prefix})
use_as_torch(${prefix})
use_by_pkg_config(${prefix})

set(configure ${CMAKE_COMMAND} -G ${GENERATOR} -S ${CMAKE_CURRENT_LIST_DIR} -D CMAKE_CXX_COMPILER=${CXX}
  -D CMAKE_PREFIX_PATH=${prefix})
run_to_fail("component trees: there is no such component" ${configure} -B ${WORK_DIR}/no_trees -D STRATA_COMPONENTS=trees)
if(CUDA)
  run(${configure} -B ${WORK_DIR}/cuda -D STRATA_COMPONENTS=cuda)
else()
  run_to_fail("component cuda: no .*libstrata_cuda.so: this Strata was built without CUDA"
    ${configure} -B ${WORK_DIR}/no_cuda -D STRATA_COMPONENTS=cuda)
endif()

# Each header that programs include: no warning of a strict compiler, and one error of an old one.
foreach(header strata/strata.h strata/custom_op.h torch/torch.h)
  file(WRITE ${WORK_DIR}/use.cpp "#include <${header}>\nint main() {}\n")
  set(compile ${CXX} -fsyntax-only -I ${prefix}/include -I ${prefix}/include/strata/compat ${WORK_DIR}/use.cpp)
  run(${compile} -std=c++20 -Wall -Wextra -Wshadow -Wconversion -Wsign-conversion -Werror)
  execute_process(COMMAND ${compile} -std=c++17 ERROR_VARIABLE errors RESULT_VARIABLE result)
  string(REGEX MATCHALL "error: [^\n]*" errors "${errors}")
  if(result EQUAL 0 OR NOT errors MATCHES "^error: [^;]*Strata needs C..20[^;]*$")
    message(FATAL_ERROR "${header} with C++17 gives: ${errors}")
  endif()
endforeach()
