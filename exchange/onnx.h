// load_onnx and save_onnx: models of the Open Neural Network Exchange (https://onnx.ai).
#pragma once
#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../core/value.h"
#include "../nn/module.h"
#include "../transforms/trace.h"

namespace strata {

namespace onnx {
struct Model;
}

/// The graph of an ONNX file as a module. Initializers of floating point are its parameters, running statistics of
/// batch norms and all other initializers its buffers, under the file's names, so optimizers train it, `save` and
/// `load` keep its state, and `functional_call` makes a function of it. It runs eagerly, node by node by public
/// functions, so it records gradients and works under every transform and under `compile`; there, inputs whose values
/// say how large something is (the shape of a Reshape) must be known, as initializers and what is computed of sizes
/// are.
///
/// Sizes are those that the file states, where it states any; a name stands for one size in all inputs.
class OnnxModelImpl : public nn::Module {
 public:
  /// Reads a file; see load_onnx.
  explicit OnnxModelImpl(const std::string& path);
  ~OnnxModelImpl() override;

  /// The one result. Throws where there are more or where an argument is not as the file says.
  template <std::convertible_to<Tensor>... T>
  Tensor forward(const T&... inputs) {
    return only(forward(std::vector<Tensor>{inputs...}));
  }
  /// All results. Throws where one is no tensor.
  std::vector<Tensor> forward(std::vector<Tensor> inputs);
  /// For models that take or give sequences, which are lists of tensors, and optional values, which may be None.
  std::vector<Value> run(std::vector<Value> inputs);

  /// The names of the arguments, without those that initializers give.
  std::vector<std::string> input_names() const;
  std::vector<std::string> output_names() const;
  /// The equations for the sizes in the file, or for those of `inputs`; of these shapes and dtypes alone count.
  /// Parameters and buffers are captured. Throws where the file leaves a size open.
  func::Program program() const;
  func::Program program(const std::vector<Tensor>& inputs) const;

  void pretty_print(std::ostream& stream) const override;

 private:
  static Tensor only(std::vector<Tensor> results);
  void register_state();
  void check_inputs(const std::vector<Value>& inputs) const;
  std::vector<Value> results(std::vector<Value> inputs) const;

  struct State {
    std::string name;  // in the tree of modules
    bool is_parameter;
  };

  std::shared_ptr<const onnx::Model> model_;
  std::vector<State> state_;  // of each initializer
};
STRATA_MODULE(OnnxModel);

/// Reads an ONNX file (opsets 7 to 25 of ai.onnx), with weights in it or beside it. Throws one Error for what is
/// damaged or not known here, which names all ops that are missing, and where Strata was built without ONNX.
///
///     OnnxModel model = load_onnx("model.onnx");
///     Tensor y = model(x);
OnnxModel load_onnx(const std::string& path);

/// Writes a program as an ONNX file of opset 17, its constants as initializers. Sizes are those of the trace. Throws
/// where an equation has no counterpart in ONNX, naming all such ops, and where Strata was built without ONNX.
///
///     save_onnx(trace([&](Tensor x) { return net->forward(x); })(ones({1, 3, 32, 32})), "net.onnx");
void save_onnx(const func::Program& program, const std::string& path);
template <class Out, class... A>
void save_onnx(const func::Traced<Out, A...>& traced, const std::string& path) {
  save_onnx(traced.program(), path);
}

}  // namespace strata
