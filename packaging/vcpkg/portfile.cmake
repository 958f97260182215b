# An overlay port: `vcpkg install strata --overlay-ports=packaging/vcpkg` from a checkout, which is what it builds.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)

if("libraries" IN_LIST FEATURES)
  set(slim OFF)
else()
  set(slim ON)
endif()

string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" "static" static)

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS
  -DSTRATA_SLIM=${slim} -DSTRATA_STATIC=${static} -DSTRATA_BUILD_TESTS=OFF -DSTRATA_BUILD_EXAMPLES=OFF
  -DSTRATA_DISTRIBUTED=OFF -DSTRATA_CUDA=OFF -DSTRATA_WERROR=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/strata)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
