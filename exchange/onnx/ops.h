// The ops of ONNX's domains, and how they read what a node is given. Internal to libstrata_onnx.
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "core/error.h"
#include "core/scalar.h"
#include "exchange/onnx/graph.h"
#include "exchange/op_results.h"

namespace strata::onnx {

using Ints = std::vector<int64_t>;

/// What one node is given. Inputs go by position, attributes by name. What an op does not read is an error, so that an
/// attribute of a newer opset is never ignored.
class Arguments {
 public:
  Arguments(const Node& node, Values values, const Values& around)
      : node_(node), values_(std::move(values)), around_(around) {}

  int64_t opset() const { return node_.opset; }
  const std::string& op() const { return node_.op; }

  size_t size() const { return values_.size(); }
  bool has(size_t i) const { return i < values_.size() && !values_[i].isNone(); }
  /// Any value, or None.
  const Value& value(size_t i) const;
  const Tensor& operator[](size_t i) const { return tensor(i); }
  const Tensor& tensor(size_t i) const;
  OptionalTensorRef maybe_tensor(size_t i) const;
  /// Undefined where it is left out.
  Tensor tensor_or_none(size_t i) const { return has(i) ? tensor(i) : Tensor(); }
  /// All inputs.
  std::vector<Tensor> tensors() const;
  /// The values of an integer tensor, such as a shape.
  Ints ints_in(size_t i) const;
  int64_t int_in(size_t i) const;
  Scalar number_in(size_t i) const;
  bool flag_in(size_t i) const { return int_in(i) != 0; }

  bool has(std::string_view name) const { return find(name) != nullptr; }
  int64_t integer(std::string_view name, int64_t otherwise) const { return maybe_integer(name).value_or(otherwise); }
  int64_t integer(std::string_view name) const { return required(name).value.toInt(); }
  std::optional<int64_t> maybe_integer(std::string_view name) const;
  bool flag(std::string_view name, bool otherwise = false) const { return integer(name, otherwise) != 0; }
  double number(std::string_view name, double otherwise) const;
  std::string text(std::string_view name, const char* otherwise = "") const;
  Ints ints(std::string_view name, Ints otherwise) const;
  std::optional<Ints> maybe_ints(std::string_view name) const;
  std::vector<double> numbers(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  Tensor tensor(std::string_view name) const { return required(name).value.toTensor(); }
  std::optional<DType> dtype(std::string_view name) const;
  /// Axes as an input, or as an attribute of older opsets.
  std::optional<Ints> axes(size_t i) const;
  /// Reads attributes that say nothing here.
  void ignore(std::string_view name) const { find(name); }

  /// Is the first result of a Loop's body, by which it goes on, the condition that it was given?
  bool goes_on(std::string_view name) const;
  Values run_graph(std::string_view name, Values inputs) const { return run(graph(name), std::move(inputs), around_); }

  size_t outputs() const { return node_.outputs.size(); }
  bool wants(size_t i) const { return i < node_.outputs.size() && node_.outputs[i] != kNoSlot; }
  void check_all_read() const;

 private:
  const Attribute* find(std::string_view name) const;
  const Attribute& required(std::string_view name) const;
  const Graph& graph(std::string_view name) const;

  const Node& node_;
  const Values values_;
  const Values& around_;
  mutable uint64_t read_ = 0, read_attributes_ = 0;  // a bit for each
};

/// One op: its name and a lambda that calls public functions.
struct OpEntry {
  std::string_view name;
  Values (*run)(const Arguments&);

  template <class F>
  constexpr OpEntry(std::string_view op, F)
      : name(op), run([](const Arguments& a) {
          Values out;
          strata::detail::append(out, F()(a));
          return out;
        }) {}
};

std::span<const OpEntry> pointwise_ops();
std::span<const OpEntry> reducing_ops();
std::span<const OpEntry> shaping_ops();
std::span<const OpEntry> indexing_ops();
std::span<const OpEntry> layer_ops();
std::span<const OpEntry> pooling_ops();
std::span<const OpEntry> attention_ops();
std::span<const OpEntry> recurrent_ops();
std::span<const OpEntry> resampling_ops();
std::span<const OpEntry> quantized_ops();
std::span<const OpEntry> loss_ops();
std::span<const OpEntry> control_ops();
std::span<const OpEntry> signal_ops();
/// ai.onnx.preview.training.
std::span<const OpEntry> training_ops();

/// A tensor of a whole number, as ONNX writes sizes.
Tensor int64s(const Ints& values);
/// An axis from the front.
int64_t wrapped(int64_t axis, int64_t dims);
Ints wrapped(Ints axes, int64_t dims);
/// A cast; numbers too large for 8 bits become the largest, infinity with them, or infinity or NaN (table of Cast).
Tensor cast_to(const Tensor& x, DType dtype, bool saturates);
/// The same tensor; while a transform records, a copy that is made inside of it, so that what is computed of it is
/// known there and is no part of the program.
Tensor known_here(const Tensor& t);
/// Has it a value, or is it inside of a transform that hides it?
bool is_known(const Tensor& t);

}  // namespace strata::onnx
