# Installs the build in BUILD_DIR under WORK_DIR, builds the foreign project beside this file against it and runs it:
# cmake -D BUILD_DIR=... -D WORK_DIR=... -D CXX=... -D GENERATOR=... -P run.cmake
file(REMOVE_RECURSE ${WORK_DIR})
set(prefix ${WORK_DIR}/prefix)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK_DIR}/build -D CMAKE_PREFIX_PATH=${prefix}
  -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build --parallel 2)
run(${WORK_DIR}/build/uses_strata)
run(${WORK_DIR}/build/uses_torch_names)
