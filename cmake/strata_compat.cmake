# strata::torch_compat makes `#include <torch/torch.h>` mean Strata, as it does every header of libtorch that programs
# include: compat/headers.txt lists their paths, and each is made here as a link to one file of one line. Files of their own
# would take a block of the disk each, three quarters of what an installation takes up.
set(compat_list_file ${CMAKE_CURRENT_SOURCE_DIR}/compat/headers.txt)
file(STRINGS ${compat_list_file} compat_headers)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${compat_list_file})
set(doorways ${CMAKE_CURRENT_BINARY_DIR}/compat)
file(MD5 ${compat_list_file} compat_list)
set(compat_list links-${compat_list})
if(NOT EXISTS ${doorways}/${compat_list})
  file(REMOVE_RECURSE ${doorways})
  file(WRITE ${doorways}/doorway.h "#pragma once\n#include <torch/torch.h>\n")
  foreach(header IN LISTS compat_headers)
    if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/compat/${header})  # where it gives no more than torch.h
      get_filename_component(folder ${doorways}/${header} DIRECTORY)
      file(MAKE_DIRECTORY ${folder})
      file(RELATIVE_PATH to_doorway ${folder} ${doorways}/doorway.h)
      file(CREATE_LINK ${to_doorway} ${doorways}/${header} SYMBOLIC)
    endif()
  endforeach()
  file(WRITE ${doorways}/${compat_list} "")
endif()

# ATen's functions that Strata has under other names or not at all are compiled into the library, from what users include.
set(compat_sources ${sources})
list(FILTER compat_sources INCLUDE REGEX "compat/parts/")
set_source_files_properties(${compat_sources} PROPERTIES INCLUDE_DIRECTORIES ${CMAKE_CURRENT_BINARY_DIR}/include)

add_library(strata_torch_compat INTERFACE)
add_library(strata::torch_compat ALIAS strata_torch_compat)
set_target_properties(strata_torch_compat PROPERTIES EXPORT_NAME torch_compat)
target_link_libraries(strata_torch_compat INTERFACE strata)
target_include_directories(strata_torch_compat ${system} INTERFACE $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/compat>
  $<BUILD_INTERFACE:${doorways}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/strata/compat>)
