# Writes fused_headers.cpp into the build folder: the headers that generated CUDA kernels include, as text. The names of
# the C++ library's all stand for rtc_std.h, and nothing that a kernel does is an error that it could throw.
set(headers core/complex.h core/half.h kernels/host_device.h kernels/convert.h kernels/arithmetic.h
  kernels/arithmetic_complex.h kernels/arithmetic_special.h kernels/special_gamma.h kernels/formulas-inl.h
  kernels/activation_formulas-inl.h kernels/special_formulas-inl.h kernels/special_series-inl.h
  kernels/special_terms-inl.h kernels/special_bessel-inl.h kernels/special_erf-inl.h kernels/special_polynomials-inl.h
  kernels/special_gamma-inl.h kernels/cuda/common/walk.h kernels/cuda/fused/chain_data.h kernels/cuda/fused/chain.cuh
  kernels/cuda/fused/rtc_std.h)
set(text "// The headers of generated kernels.\n#include \"kernels/cuda/fused/headers.h\"\n
namespace strata::cuda::fused {
const std::vector<Header>& headers() {
  static const std::vector<Header> all = {\n")
foreach(header IN LISTS headers)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${header})
  file(READ ${PROJECT_SOURCE_DIR}/${header} content)
  string(APPEND text "    {\"${header}\", R\"STRATA(${content})STRATA\"},\n")
endforeach()
foreach(name bit cmath concepts cstdint limits math.h numbers type_traits)
  string(APPEND text "    {\"${name}\", \"#include \\\"kernels/cuda/fused/rtc_std.h\\\"\\n\"},\n")
endforeach()
string(APPEND text "    {\"core/error.h\", \"\"},\n  };\n  return all;\n}\n}  // namespace strata::cuda::fused\n")
set(fused_headers ${CMAKE_CURRENT_BINARY_DIR}/fused_headers.cpp)
file(GENERATE OUTPUT ${fused_headers} CONTENT "${text}")
