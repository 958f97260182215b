# Finds cuDNN beside the CUDA toolkit or where the loader looks: cuDNN_FOUND, cuDNN_VERSION and the target cuDNN::cudnn.
find_path(cuDNN_INCLUDE_DIR cudnn.h HINTS ${CUDAToolkit_INCLUDE_DIRS} $ENV{CUDNN_PATH} PATH_SUFFIXES include)
find_library(cuDNN_LIBRARY cudnn HINTS ${CUDAToolkit_LIBRARY_DIR} ${CUDAToolkit_LIBRARY_ROOT} $ENV{CUDNN_PATH}
  PATH_SUFFIXES lib64 lib)
mark_as_advanced(cuDNN_INCLUDE_DIR cuDNN_LIBRARY)

if(cuDNN_INCLUDE_DIR AND EXISTS ${cuDNN_INCLUDE_DIR}/cudnn_version.h)
  foreach(part MAJOR MINOR PATCHLEVEL)
    file(STRINGS ${cuDNN_INCLUDE_DIR}/cudnn_version.h line REGEX "^#define CUDNN_${part} +[0-9]+")
    string(REGEX MATCH "[0-9]+$" number "${line}")
    list(APPEND cuDNN_VERSION ${number})
  endforeach()
  list(JOIN cuDNN_VERSION "." cuDNN_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(cuDNN REQUIRED_VARS cuDNN_LIBRARY cuDNN_INCLUDE_DIR VERSION_VAR cuDNN_VERSION)
if(cuDNN_FOUND AND NOT TARGET cuDNN::cudnn)
  add_library(cuDNN::cudnn UNKNOWN IMPORTED)
  set_target_properties(cuDNN::cudnn PROPERTIES
    IMPORTED_LOCATION ${cuDNN_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${cuDNN_INCLUDE_DIR})
endif()
