# ONNX files: a library that libstrata loads on first use, where ONNX's messages and protobuf are found.
if(NOT STRATA_ONNX STREQUAL "OFF" AND NOT STRATA_STATIC AND NOT CMAKE_CROSSCOMPILING)  # libstrata.a loads no libraries
  find_path(ONNX_INCLUDE_DIR onnx/onnx_pb.h)
  find_library(ONNX_PROTO_LIBRARY onnx_proto)
  mark_as_advanced(ONNX_INCLUDE_DIR ONNX_PROTO_LIBRARY)
  find_package(Protobuf QUIET)
  if(ONNX_INCLUDE_DIR AND ONNX_PROTO_LIBRARY AND Protobuf_FOUND)
    add_subdirectory(exchange/onnx)
  elseif(STRATA_ONNX STREQUAL "ON")
    message(FATAL_ERROR "STRATA_ONNX=ON wants ONNX's messages and protobuf (Debian: libonnx-dev libprotobuf-dev)")
  endif()
endif()
