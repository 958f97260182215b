// Programs as StableHLO files beside their inputs and results, which exchange/stablehlo.py has JAX compile and run.
#pragma once
#include <strata/strata.h>

#include <cstdlib>
#include <fstream>

namespace strata::test {

/// Writes them where STRATA_STABLEHLO names a folder; else the text alone is made.
inline std::string write_stablehlo(const std::string& name, const func::Program& program, const std::vector<Tensor>& in,
                                   const std::vector<Tensor>& out) {
  const std::string text = to_stablehlo(program);
  const char* const folder = std::getenv("STRATA_STABLEHLO");
  if (!folder) return text;
  const std::string path = std::string(folder) + "/" + name;
  TensorMap tensors;
  for (size_t i = 0; i < in.size(); ++i) tensors.insert("in." + std::to_string(i), in[i].detach().contiguous());
  for (size_t i = 0; i < out.size(); ++i) tensors.insert("out." + std::to_string(i), out[i].detach().contiguous());
  save_file(tensors, path + ".safetensors");
  std::ofstream(path + ".mlir") << text;
  return text;
}

}  // namespace strata::test
