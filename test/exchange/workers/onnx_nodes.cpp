// Runs the cases of a file from a number on and prints a line for each before and after: onnx_nodes FILE [FIRST].
#include <algorithm>
#include <cstdio>
#include <string>

#include "test/exchange/onnx_cases.h"

int main(int count, char** arguments) {
  if (count < 2) return 2;
  const strata::onnx_cases::Cases cases(arguments[1]);
  for (size_t i = count > 2 ? std::stoul(arguments[2]) : 0; i < cases.names().size(); ++i) {
    const std::string& name = cases.names()[i];
    std::printf("run\t%zu\t%s\n", i, name.c_str());
    std::fflush(stdout);
    auto [wrong, traced] = cases.run(name);
    std::replace(wrong.begin(), wrong.end(), '\n', ' ');
    std::printf("%s\t%s\t%s\n", wrong.empty() ? "passes" : "fails", traced ? "traced" : "", wrong.c_str());
  }
}
