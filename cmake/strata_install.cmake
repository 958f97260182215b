# `cmake --install`, find_package(strata) and `pkg-config strata`: the library, the public headers under include/strata,
# exported targets; and `cpack`, which makes a Debian package of them.
include(CMakePackageConfigHelpers)

# Where the library finds OpenBLAS's OpenMP build, even if another build of OpenBLAS is the system's default.
if(NOT STRATA_SLIM)
  get_filename_component(openblas_folder ${OPENBLAS_LIBRARY} DIRECTORY)
  set_target_properties(strata PROPERTIES INSTALL_RPATH ${openblas_folder})
endif()

install(TARGETS strata strata_torch_compat EXPORT strata_targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${STRATA_PUBLIC_FOLDERS} compat DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/strata
  FILES_MATCHING PATTERN "*.h" PATTERN "*.inc" PATTERN "distributed/nccl" EXCLUDE PATTERN "exchange/onnx" EXCLUDE
  PATTERN "data/images" EXCLUDE PATTERN "train/tensorboard" EXCLUDE)
install(DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/compat DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/strata FILES_MATCHING PATTERN "*.h")
install(FILES strata.h custom_op.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/strata)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/strata)
set(generated ${CMAKE_CURRENT_BINARY_DIR})
install(EXPORT strata_targets NAMESPACE strata:: FILE strata-targets.cmake DESTINATION ${package_folder})
set(PACKAGE_LIBDIR ${CMAKE_INSTALL_LIBDIR})
configure_package_config_file(cmake/strata-config.cmake.in ${generated}/strata-config.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS PACKAGE_LIBDIR NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${generated}/strata-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${generated}/strata-config.cmake ${generated}/strata-config-version.cmake DESTINATION ${package_folder})
# A prefix of its own, so that nobody who looks for libtorch finds Strata unless they ask for it.
install(FILES cmake/TorchConfig.cmake DESTINATION ${CMAKE_INSTALL_DATADIR}/strata/torch/share/cmake/Torch)
if(STRATA_STATIC)
  install(FILES cmake/strata_link.cmake DESTINATION ${package_folder})
  set(matrix_libraries)
  if(NOT STRATA_SLIM)
    get_filename_component(dnnl_folder ${DNNL_LIBRARY} DIRECTORY)
    set(matrix_libraries "-L${openblas_folder} -L${dnnl_folder} -ldnnl -lopenblas ")
  endif()
  set(image_libraries)
  if(STRATA_IMAGES_INSIDE)
    set(image_libraries "-ljpeg -lpng ")
  endif()
  set(static_libraries "${matrix_libraries}${image_libraries}-lhwy -lfmt -lz -lgomp -ldl -lpthread -lstdc++ -lm")
endif()

# pkg-config finds the rest from where the file lies, so an installation may be moved.
file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(name strata strata-torch-compat)
  configure_file(cmake/${name}.pc.in ${generated}/${name}.pc @ONLY)
  install(FILES ${generated}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_NAME strata)
  set(CPACK_PACKAGE_CONTACT "The Strata maintainers <maintainers@strata.invalid>")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
  find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)  # knows which packages hold the libraries that ours links
  mark_as_advanced(DPKG_SHLIBDEPS)
  if(DPKG_SHLIBDEPS)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  endif()
  include(CPack)
endif()
