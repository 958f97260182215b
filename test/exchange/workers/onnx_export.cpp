// Writes the program of an exported model as an ONNX file, without what it writes to its buffers: onnx_export PT2 ONNX.
#include <strata/exchange/onnx.h>
#include <strata/exchange/pt2.h>

#include <iostream>

int main(int count, char** arguments) {
  if (count != 3) return 2;
  try {
    auto body = strata::load_pt2(arguments[1])->program().body();
    body.effects.clear();
    strata::save_onnx(strata::func::Program(std::move(body)), arguments[2]);
  } catch (const std::exception& e) {
    std::cerr << e.what() << "\n";
    return 1;
  }
}
