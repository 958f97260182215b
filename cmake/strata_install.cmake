# `cmake --install` and find_package(strata): the library, the public headers under include/strata, exported targets.
include(CMakePackageConfigHelpers)

# Where the library finds OpenBLAS's OpenMP build, even if another build of OpenBLAS is the system's default.
get_filename_component(openblas_folder ${OPENBLAS_LIBRARY} DIRECTORY)
set_target_properties(strata PROPERTIES INSTALL_RPATH ${openblas_folder})

install(TARGETS strata strata_torch_compat EXPORT strata_targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${STRATA_PUBLIC_FOLDERS} compat DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/strata
  FILES_MATCHING PATTERN "*.h" PATTERN "*.inc")
install(FILES strata.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/strata)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/strata)
install(EXPORT strata_targets NAMESPACE strata:: FILE strata-targets.cmake DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/strata-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/strata-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/strata-config-version.cmake
  DESTINATION ${package_folder})
