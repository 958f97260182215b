# What shows tensors in gdb and lldb. gdb loads FILE-gdb.py for a library FILE: in the build folder it stands beside it, and
# installed under /usr in the folder of such scripts that gdb trusts.
if(NOT STRATA_STATIC)
  file(GENERATE OUTPUT $<TARGET_FILE:strata>-gdb.py INPUT ${PROJECT_SOURCE_DIR}/debuggers/strata_debuggers.py)
endif()
if(STRATA_INSTALL)
  install(FILES debuggers/strata_debuggers.py DESTINATION ${CMAKE_INSTALL_DATADIR}/strata)
  if(NOT STRATA_STATIC)
    install(FILES $<TARGET_FILE:strata>-gdb.py
      DESTINATION ${CMAKE_INSTALL_DATADIR}/gdb/auto-load${CMAKE_INSTALL_FULL_LIBDIR})
  endif()
endif()
