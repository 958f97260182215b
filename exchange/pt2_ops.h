// The ops that exported programs call, by the names of ATen's schemas, and how they read what they are given. Internal
// to exchange.
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "op_results.h"
#include "pt2_graph.h"

namespace strata::pt2 {

/// What one node is given, by the names of the op's schema. A missing argument, None and a default are the same. What
/// an op does not read is an error, so that an argument of a newer schema is never ignored.
class Arguments {
 public:
  Arguments(const Node& node, Values values, Device device)
      : node_(node), values_(std::move(values)), device_(device) {}

  bool has(std::string_view name) const { return find(name) != nullptr; }
  const Tensor& tensor(std::string_view name) const;
  const Tensor& self() const { return tensor("self"); }
  OptionalTensorRef maybe_tensor(std::string_view name) const;
  /// Undefined where it is None.
  Tensor tensor_or_none(std::string_view name) const;
  std::vector<Tensor> tensors(std::string_view name) const;

  int64_t integer(std::string_view name) const { return required(name).toInt(); }
  int64_t integer(std::string_view name, int64_t otherwise) const { return maybe_integer(name).value_or(otherwise); }
  std::optional<int64_t> maybe_integer(std::string_view name) const;
  double number(std::string_view name, double otherwise) const { return maybe_number(name).value_or(otherwise); }
  std::optional<double> maybe_number(std::string_view name) const;
  bool flag(std::string_view name, bool otherwise = false) const;
  std::string text(std::string_view name, const char* otherwise = "") const;
  Scalar scalar(std::string_view name) const { return required(name).toScalar(); }
  Scalar scalar(std::string_view name, const Scalar& otherwise) const { return maybe_scalar(name).value_or(otherwise); }
  std::optional<Scalar> maybe_scalar(std::string_view name) const;
  std::vector<int64_t> ints(std::string_view name) const { return required(name).toIntVector(); }
  std::vector<int64_t> ints(std::string_view name, std::vector<int64_t> otherwise) const;
  std::optional<DimVector> maybe_ints(std::string_view name) const;
  std::vector<double> numbers(std::string_view name) const;
  std::optional<DType> maybe_dtype(std::string_view name = "dtype") const;

  /// A tensor or a number as a tensor: `use` is called with the tensor or the Scalar.
  template <class F>
  Tensor with_operand(std::string_view name, F&& use) const {
    const Value& v = required(name);
    return v.isTensor() ? use(v.toTensor()) : use(v.toScalar());
  }
  /// `f(self, other)` with a tensor or a number as `other`. As `self` a number becomes a tensor of the result's dtype.
  template <class F>
  Tensor with_other(F&& f) const {
    if (!required("self").isTensor()) return f(number_beside(tensor("other")), tensor("other"));
    return with_operand("other", [&](const auto& other) { return f(self(), other); });
  }

  /// For factories: the dtype that is asked for or that the file says came out, on the device of the run.
  TensorOptions options() const;

  /// For higher-order ops and those of Python, whose arguments have no names.
  size_t size() const { return values_.size(); }
  const Value& at(size_t i) const;
  /// All tensors and numbers from `i` on, in one list.
  Values rest(size_t i) const;
  Values run_graph(size_t i, Values inputs) const;

  /// Does anything read output `i`?
  bool wants(size_t i) const { return i < node_.outputs.size() && node_.outputs[i] != kNoSlot; }
  /// Throws where something was given that was not read.
  void check_all_read() const;

 private:
  const Value* find(std::string_view name) const;
  const Value& required(std::string_view name) const;
  Tensor number_beside(const Tensor& other) const;

  const Node& node_;
  const Values values_;
  const Device device_;
  mutable uint64_t read_ = 0;  // a bit for each input
};

/// One op: its name, the overloads that are written alike, and a lambda that calls public functions. The op in place
/// ("exp_") needs no entry of its own: its result is copied over its input.
struct OpEntry {
  std::string_view name, overloads;
  Values (*run)(const Arguments&);

  template <class F>
  constexpr OpEntry(std::string_view op, std::string_view overload_names, F)
      : name(op), overloads(overload_names), run([](const Arguments& a) { return results(F()(a)); }) {}

 private:
  template <class R>
  static Values results(const R& returned) {
    Values out;
    strata::detail::append(out, returned);
    return out;
  }
};

std::span<const OpEntry> pointwise_ops();
std::span<const OpEntry> reducing_ops();
std::span<const OpEntry> shaping_ops();
std::span<const OpEntry> layer_ops();
/// Numbers, assertions and higher-order ops, whose names stand in full.
std::span<const OpEntry> control_ops();

/// Looks a target up ("torch.ops.aten.add_.Tensor"); false where it is not known.
bool resolve(Node& node);

}  // namespace strata::pt2
