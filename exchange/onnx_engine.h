// What libstrata_onnx.so does for libstrata, which knows neither protobuf nor ONNX's ops. Internal to exchange.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "../core/value.h"
#include "../transforms/program.h"

namespace strata::onnx {

/// A size of an input: a number, a name that stands for one, or neither.
struct Size {
  int64_t value = -1;
  std::string symbol;
};

/// An input that the caller gives.
struct Input {
  std::string name;
  bool is_tensor = false;  ///< or a sequence, or what may be missing
  DType dtype = DType::Undefined;
  bool has_sizes = false;
  std::vector<Size> sizes;
};

/// A tensor that the file holds.
struct Initializer {
  std::string name;
  Tensor value;
  bool is_parameter = false;
};

/// A whole file; the library derives what runs from it.
struct Model {
  virtual ~Model() = default;
  std::vector<Input> inputs;
  std::vector<Initializer> initializers;
  std::vector<std::string> outputs;
};

class Engine {
 public:
  virtual std::shared_ptr<const Model> read(const std::string& path) const = 0;
  /// What the graph gives for inputs and values of the initializers, in the model's order.
  virtual std::vector<Value> run(const Model& model, std::vector<Value> inputs,
                                 const std::vector<Tensor>& initializers) const = 0;
  virtual void write(const func::Program& program, const std::string& path) const = 0;

 protected:
  ~Engine() = default;
};

/// What the library exports as `strata_onnx_entry`.
using EngineEntry = const Engine* (*)();

}  // namespace strata::onnx
