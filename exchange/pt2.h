// load_pt2: runs, differentiates and trains what PyTorch's torch.export saved.
#pragma once
#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../core/value.h"
#include "../nn/module.h"
#include "../transforms/program.h"

namespace strata {

namespace pt2 {
struct Model;
}

/// The program of a `.pt2` file as a module. Its parameters and buffers are ordinary ones under the names that they
/// have in PyTorch, so optimizers train it, `save` and `load` keep its state and read the state dicts of the model that
/// was exported, and `functional_call` makes a function of it. It runs eagerly, op by op by public functions, so it
/// records gradients and works under every transform and under `compile`.
///
/// Arguments and results are flat: the tensors among the arguments of the exported `forward` in order, those inside of
/// lists and dicts one after the other, and all that it returns; numbers come back as tensors without dims, None as an
/// undefined tensor. Sizes are those of the export, or within the range of their symbol where it was exported with
/// `dynamic_shapes`. Dropout and batch norm do what they did when exported: `train()` and `eval()` change nothing. What
/// the file says of devices does not count: all is computed where the parameters and the arguments are.
class ExportedProgramImpl : public nn::Module {
 public:
  /// Reads a file; see load_pt2.
  explicit ExportedProgramImpl(const std::string& path);
  ~ExportedProgramImpl() override;

  /// The one result. Throws where there are more or where an argument is not as exported.
  template <std::convertible_to<Tensor>... T>
  Tensor forward(const T&... inputs) {
    return only(forward(std::vector<Tensor>{inputs...}));
  }
  /// All results.
  std::vector<Tensor> forward(std::vector<Tensor> inputs);

  /// The names of the arguments.
  std::vector<std::string> input_names() const;
  /// The equations for the sizes that the arguments had when exported, or for those of `inputs`; of these shapes and
  /// dtypes alone count. Parameters and buffers are captured, and what is written to them stands as effects.
  func::Program program() const;
  func::Program program(const std::vector<Tensor>& inputs) const;

  using nn::Module::to;
  void to(Device device, DType dtype, bool non_blocking = false) override;
  void to(DType dtype, bool non_blocking = false) override;
  void to(Device device, bool non_blocking = false) override;
  void pretty_print(std::ostream& stream) const override;

 private:
  static Tensor only(std::vector<Tensor> results);
  void register_state();
  void check_inputs(const std::vector<Tensor>& inputs) const;
  std::vector<Tensor> run(const std::vector<Tensor>& inputs) const;
  void write(size_t target, const std::vector<Value>& inputs, const Tensor& value) const;
  void move_constants(std::optional<Device> device, std::optional<DType> dtype);

  std::shared_ptr<const pt2::Model> model_;
  std::vector<Tensor> state_;  // for each input of the graph: the parameter, buffer or constant, or undefined
};
STRATA_MODULE(ExportedProgram);

/// Reads a file that `torch.export.save` wrote (torch 2.8 or newer, schema 8), as `torch.export.export` gives it or
/// after `run_decompositions()`. There is no code in such a file, and none is run: it names ops of ATen, of which some
/// 420 are known. Throws one Error for what is damaged or not known here, which names all ops that are missing.
///
///     ExportedProgram model = load_pt2("model.pt2");
///     Tensor y = model(x);
///     optim::SGD optimizer(model->parameters(), 0.1);
ExportedProgram load_pt2(const std::string& path);

}  // namespace strata
