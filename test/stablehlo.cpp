// Every call of the op table that StableHLO has a counterpart for.
#include <set>

#include "test/catch.h"
#include "test/op_samples.h"
#include "test/stablehlo_files.h"

namespace strata::test {

TEST_CASE("calls of the op table are written as StableHLO") {
  const NoGradGuard no_grad;
  std::set<std::string> known;
  int count = 0;
  for (const Row& row : table()) {
    for (const Sample& s : row.samples) {
      for (const bool narrow : {false, true}) {
        List inputs = s.inputs;
        for (Tensor& x : inputs)
          if (narrow && x.defined() && x.dtype() == kDouble) x = x.to(kFloat);
        try {
          const func::Program program = func::trace(s.f)(inputs).program();
          if (program.equations().empty()) continue;
          write_stablehlo(row.op + "_" + std::to_string(count), program, inputs, program(inputs));
          ++count;
          known.insert(row.op);
        } catch (const Error&) {  // has no counterpart, or cannot be traced
        }
      }
    }
  }
  INFO(known.size() << " ops, " << count << " calls");
  CHECK(known.size() >= 125);
}

}  // namespace strata::test
