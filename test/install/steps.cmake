# Steps that the scripts beside this file share. They want BUILD_DIR, WORK_DIR, CXX and GENERATOR.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Fails unless the command does, with an output that matches.
function(run_to_fail pattern)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(result EQUAL 0)
    message(FATAL_ERROR "should have failed: ${ARGN}")
  endif()
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  if(NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "should have failed with \"${pattern}\": ${ARGN}\n${output}")
  endif()
endfunction()

# Configures the project in SOURCE into BUILD.
function(configure source build)
  run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${source} -B ${build} -D CMAKE_CXX_COMPILER=${CXX} ${ARGN})
endfunction()

# Builds and runs the foreign project beside this file against the installation in PREFIX.
function(use_from prefix)
  set(build ${WORK_DIR}/uses)
  configure(${CMAKE_CURRENT_LIST_DIR} ${build} -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_BUILD_TYPE=Release)
  run(${CMAKE_COMMAND} --build ${build} --parallel 2)
  run(${build}/uses_strata)
  run(${build}/own_op)
  run(${build}/uses_torch_names)
endfunction()

# Builds and runs a project for libtorch, by the package that stands in for it.
function(use_as_torch prefix)
  set(build ${WORK_DIR}/uses_as_torch)
  configure(${CMAKE_CURRENT_LIST_DIR}/torch ${build} -D CMAKE_PREFIX_PATH=${prefix}/share/strata/torch -D CMAKE_BUILD_TYPE=Release)
  run(${CMAKE_COMMAND} --build ${build} --parallel 2)
  run(${build}/example_app)
endfunction()

# Builds and runs programs by the flags of pkg-config alone.
function(use_by_pkg_config prefix)
  find_program(pkg_config pkg-config)
  if(NOT pkg_config)
    message("no pkg-config here, so strata.pc is not tried")
    return()
  endif()
  file(GLOB_RECURSE file ${prefix}/strata.pc)
  get_filename_component(folder ${file} DIRECTORY)
  get_filename_component(libraries ${folder} DIRECTORY)
  foreach(used strata:uses_strata strata-torch-compat:uses_torch_names)
    string(REPLACE ":" ";" used ${used})
    list(GET used 0 package)
    list(GET used 1 program)
    execute_process(COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${folder} ${pkg_config} --cflags --libs ${package}
      OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    run(${CXX} -std=c++20 -I${CMAKE_CURRENT_LIST_DIR} ${CMAKE_CURRENT_LIST_DIR}/${program}.cpp
      -o ${WORK_DIR}/${program}_by_pkg_config ${flags} -Wl,-rpath,${libraries})
    run(${WORK_DIR}/${program}_by_pkg_config)
  endforeach()
endfunction()
