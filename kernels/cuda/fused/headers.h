// The headers that generated sources include, as text: where a program runs there is no source tree.
#pragma once
#include <vector>

namespace strata::cuda::fused {

struct Header {
  const char* name;  ///< as an include line has it
  const char* text;
};
/// Made by headers.cmake.
const std::vector<Header>& headers();

}  // namespace strata::cuda::fused
