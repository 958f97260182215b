// Node tests of the onnx package, packed by onnx_nodes.py: a model each, with inputs and what is expected.
#pragma once
#include <strata/strata.h>

#include <string>
#include <vector>

namespace strata::onnx_cases {

/// What one case's model gives against what is expected: empty, or what is wrong. Cases whose inputs are tensors alone
/// are traced as well, if they can be; then, the program has to give the same, bit for bit.
struct Outcome {
  std::string wrong;
  bool traced = false;
};

/// A file of cases.
class Cases {
 public:
  explicit Cases(const std::string& path);
  const std::vector<std::string>& names() const { return names_; }
  Outcome run(const std::string& name) const;
  /// The bytes of a case's file.
  Tensor model(const std::string& name) const { return tensors_[name + "/model"]; }

 private:
  std::vector<Value> values(const std::string& prefix, const std::string& kind) const;

  TensorMap tensors_;
  std::vector<std::string> names_;
};

}  // namespace strata::onnx_cases
