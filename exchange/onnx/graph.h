// The graph of an ONNX file as it is run: what the file calls by name is here by number. Internal to libstrata_onnx.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "exchange/onnx_engine.h"

namespace strata::onnx {

class Arguments;
struct Graph;

using Values = std::vector<Value>;

/// The number of a value in a graph; `kNoSlot` is none.
using Slot = int32_t;
inline constexpr Slot kNoSlot = -1;

/// A number, a text, a tensor, a list of one of these, or a graph.
struct Attribute {
  std::string name;
  Value value;
  std::shared_ptr<const Graph> graph;
};

/// The call of one op.
struct Node {
  std::string name, domain, op;
  int64_t opset = 0;                          ///< of its domain
  Values (*run)(const Arguments&) = nullptr;  ///< or `function` is run
  std::shared_ptr<const Graph> function;
  std::vector<Slot> inputs, outputs;  ///< kNoSlot for those left out
  std::vector<Attribute> attributes;
  std::vector<Slot> last_uses = {};  ///< what nothing reads after this node, not even in graphs inside
};

struct Graph {
  std::vector<Slot> inputs, outputs;
  std::vector<std::pair<Slot, Slot>> captures;  ///< slots of the graph around it, and here
  std::vector<std::pair<Slot, Tensor>> constants;
  std::vector<Node> nodes;
  size_t slots = 0;
};

/// A whole file, with what runs: the inputs of `graph` are those of the model and then its initializers.
struct RunnableModel final : Model {
  Graph graph;
  std::vector<bool> decides;  ///< of each initializer: do its values say what is computed, as a shape does?
};

/// What a graph gives. `around` are the values of the graph around it, where it reads from there.
Values run(const Graph& graph, Values inputs, const Values& around);

/// Looks up what runs an op of a domain ("" is ai.onnx); nullptr where it is not known.
Values (*find_op(const std::string& domain, const std::string& op))(const Arguments&);

/// The largest opset of a domain that is known here, and the smallest; zeros for a domain that is not.
std::pair<int64_t, int64_t> known_opsets(const std::string& domain);

/// The dtype of ONNX's number for it (TensorProto.DataType). Throws where there is none here, as for text and 4 bits.
DType dtype_of_number(int64_t number);
/// ONNX's number for a dtype.
int64_t number_of_dtype(DType dtype);

/// Reads a file.
std::shared_ptr<const RunnableModel> read_model(const std::string& path);

/// Writes a program.
void write_model(const func::Program& program, const std::string& path);

}  // namespace strata::onnx
