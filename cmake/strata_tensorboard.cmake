# TensorBoard's event files: a library that libstrata loads on first use, where protobuf and its compiler are found.
if(NOT STRATA_TENSORBOARD STREQUAL "OFF" AND NOT STRATA_STATIC AND NOT CMAKE_CROSSCOMPILING)  # libstrata.a loads no libraries
  find_package(Protobuf QUIET)
  if(Protobuf_FOUND AND TARGET protobuf::protoc AND TARGET protobuf::libprotobuf-lite)
    add_subdirectory(train/tensorboard)
  elseif(STRATA_TENSORBOARD STREQUAL "ON")
    message(FATAL_ERROR "STRATA_TENSORBOARD=ON wants protobuf (Debian: libprotobuf-dev protobuf-compiler)")
  endif()
endif()
