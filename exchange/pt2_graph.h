// The graph of an exported program as it is run: what the file calls by name is here by number. Internal to exchange.
#pragma once
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../core/value.h"

namespace strata::pt2 {

class Arguments;
struct Graph;

using Values = std::vector<Value>;

/// The number of a value in a graph; `kNoSlot` is none.
using Slot = int32_t;
inline constexpr Slot kNoSlot = -1;

/// What a node is given: a value that the file holds, one that was made before, a list of these, or a graph to run.
struct Argument {
  std::string name;  ///< of the op's schema; empty for higher-order ops
  Value literal;
  Slot slot = kNoSlot;
  bool is_list = false;
  std::vector<Argument> items;
  std::shared_ptr<const Graph> graph;
};

/// The call of one op.
struct Node {
  std::string name, target;  ///< as in "linear_1" and "torch.ops.aten.linear.default"
  Values (*run)(const Arguments&) = nullptr;
  bool writes_self = false;  ///< `run` is the op without the underscore, its result is written to the first input
  std::vector<Argument> inputs;
  std::vector<Slot> outputs;         ///< kNoSlot for those that nobody reads
  DType dtype = DType::Undefined;    ///< of the first output, where that is a tensor
  std::vector<Slot> last_uses = {};  ///< what nothing reads after this node
};

struct Graph {
  std::vector<Slot> inputs;
  std::vector<Node> nodes;
  std::vector<Argument> outputs;
  size_t slots = 0;
};

/// A size as the file states it: a number, or a symbol together with the size that it had when exported.
struct Size {
  int64_t value = 0;
  std::string symbol;
};

/// What a tensor was when the program was exported.
struct TensorType {
  DType dtype = DType::Undefined;
  std::vector<Size> sizes;
};

struct Input {
  enum class Kind { user, parameter, buffer, constant, literal };
  Kind kind = Kind::user;
  std::string name;        ///< of the argument, or the full name of a parameter, a buffer or a constant
  bool persistent = true;  ///< is the buffer part of the module's state dict?
  bool is_tensor = false;
  TensorType type;
  Value literal;
};

struct Output {
  bool is_result = true;  ///< or what is written to an input once all nodes have run
  size_t target = 0;      ///< the number of that input
};

/// What a symbol may be, both included.
struct Range {
  int64_t least = 0, most = std::numeric_limits<int64_t>::max();
};

/// A whole file.
struct Model {
  Graph graph;
  std::vector<Input> inputs;  ///< one for each of the graph's
  std::vector<Output> outputs;
  std::map<std::string, Range> ranges;    ///< of symbols
  std::map<std::string, Tensor> tensors;  ///< parameters, buffers and constants by full name; tied ones are one tensor
};

/// How a tensor lies in the bytes of its record.
struct Layout {
  DType dtype = DType::Undefined;
  DimVector sizes, strides;
  int64_t offset = 0;
  bool requires_grad = false;

  bool operator==(const Layout&) const = default;
};

/// A tensor that an archive holds.
struct Payload {
  std::string name, record;  ///< its full name, and that of its file in the archive's folder
  Layout layout;
};

/// Reads a graph (models/NAME.json) and checks all that it refers to. Throws one Error with all ops that are not known
/// here; `what` is what messages call the text.
Model parse_model(const std::string& text, const std::string& what);

/// Reads where tensors lie (data/weights/NAME_weights_config.json and its like).
std::vector<Payload> parse_payloads(const std::string& text, const std::string& what);

/// Reads an archive.
Model read_model(const std::string& path);

/// What a graph gives for these inputs. New tensors are made on `device`.
Values run(const Graph& graph, Values inputs, Device device);

}  // namespace strata::pt2
