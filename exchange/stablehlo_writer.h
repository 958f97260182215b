// What writes StableHLO: values, the text of a function, and one equation while it is written.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "equation_fields.h"

namespace strata::stablehlo {

using func::Program;

/// A value of the text, `%3`, and its type.
struct Operand {
  std::string name;
  DType dtype = DType::Undefined;
  DimVector sizes = {};

  int64_t dim() const { return static_cast<int64_t>(sizes.size()); }
};
using Operands = std::vector<Operand>;

/// `f32`, `ui8`, `complex<f64>`.
std::string element_type(DType dtype);
/// `tensor<2x3xf32>`.
std::string type_of(DType dtype, IntArrayRef sizes);
/// `1, 2, 3`.
std::string listed(IntArrayRef numbers);
/// `name = array<i64: 1, 2, 3>`, as attributes have it.
std::string array(const char* name, IntArrayRef numbers);

/// The lines of a function. Those of a region of an op stand deeper.
class Writer {
 public:
  /// `%3 = name operands attributes : types`, in the short form where all types are one and there are no attributes.
  Operand op(const std::string& name, const Operands& operands, DType dtype, IntArrayRef sizes,
             const std::string& attributes = "");
  /// An op whose regions are text that `lines` gave.
  Operands op(const std::string& name, const Operands& operands, const std::vector<std::string>& regions,
              const Operands& like, const std::string& attributes);
  Operand constant(const Tensor& value);
  /// A number in a dtype, repeated.
  Operand number(const Scalar& value, DType dtype, IntArrayRef sizes = {});

  Operand converted(const Operand& x, DType dtype);
  Operand reshaped(const Operand& x, IntArrayRef sizes);
  /// By the rule of element-wise ops: dims are lined up at the end.
  Operand broadcast(const Operand& x, IntArrayRef sizes);
  /// Dim i of x is dim dims[i] of the result.
  Operand broadcast_in_dim(const Operand& x, IntArrayRef sizes, IntArrayRef dims);
  Operand transposed(const Operand& x, IntArrayRef dims);
  /// 0, 1, 2, ... along a dim.
  Operand iota(DType dtype, IntArrayRef sizes, int64_t dim);
  Operand compared(const char* direction, const Operand& a, const Operand& b);
  Operand selected(const Operand& condition, const Operand& a, const Operand& b);
  /// Without the dims; `name` joins two elements and `init` is neutral to it.
  Operand reduced(const char* name, const Operand& x, const Operand& init, IntArrayRef dims);
  /// A region that joins two elements, as reductions and scatters have it.
  std::string joining(const char* name, DType dtype);

  /// The equations of a program on these operands.
  Operands program(const Program& p, const Operands& inputs);
  /// What `write` writes, as a region with these arguments; it returns the region's results.
  template <class F>
  std::string region(const Operands& arguments, F write) {
    std::string outer;
    std::swap(outer, text_);
    ++depth_;
    const Operands results = write();
    give_back("stablehlo.return", results);
    --depth_;
    std::swap(outer, text_);
    return region_text(arguments, outer);
  }
  Operand argument(DType dtype, IntArrayRef sizes) { return {fresh(), dtype, DimVector(sizes)}; }
  void give_back(const char* name, const Operands& results);

  const std::string& text() const { return text_; }
  /// Ops that there is nothing for.
  const std::set<std::string>& missing() const { return missing_; }

 private:
  std::string fresh() { return "%" + std::to_string(next_++); }
  void line(const std::string& text) { text_.append(2 * static_cast<size_t>(depth_), ' ').append(text) += '\n'; }
  std::string region_text(const Operands& arguments, const std::string& lines) const;
  Operands equation(const Program& p, const Program::Equation& e, Operands inputs);

  std::string text_;
  std::set<std::string> missing_;
  int64_t next_ = 0;
  int depth_ = 2;
};

/// One equation while it is written. Operands that were left out have no name.
struct Call {
  Writer& w;
  const Program::Equation& e;
  const func::EquationFields fields;
  const Operands in;
  const std::vector<Program::Type> out;

  bool has(size_t i) const { return i < in.size() && !in[i].name.empty(); }
  DType dtype() const { return out[0].dtype; }
  IntArrayRef sizes() const { return out[0].sizes; }
  int64_t integer(const char* name) const { return fields[name].toInt(); }
  bool flag(const char* name) const { return fields[name].toBool(); }
  std::vector<int64_t> integers(const char* name) const { return fields[name].toIntVector(); }
  /// An operand in the dtype and the shape of the result.
  Operand as_result(size_t i) const { return w.broadcast(w.converted(in[i], dtype()), sizes()); }
};

// In stablehlo_parts.cpp.
/// 0, 1, ..., n - 1.
DimVector counted(int64_t n);
/// A 0-dim tensor as one of one dim.
Operand with_dim(const Call& c, const Operand& x);
/// The first elements along each dim, as many as `sizes` says.
Operand beginning(const Call& c, const Operand& x, IntArrayRef sizes);
/// x with a number around it; negative padding leaves elements out.
Operand padded(const Call& c, const Operand& x, const Scalar& value, IntArrayRef low, IntArrayRef high,
               IntArrayRef sizes);
/// `padding = dense<[[1, 0], ...]> : tensor<2x2xi64>`, as ops with windows have it.
std::string padding_of_windows(IntArrayRef low, IntArrayRef high);
/// The complex conjugates.
Operand conjugated(const Call& c, const Operand& x);
/// Sums of 16-bit numbers are kept in float32, as the kernels keep them.
DType summed_in(DType dtype);
/// The least value of a dtype, or the greatest.
Scalar extreme(DType dtype, bool greatest);

/// Which of two values is better; NaN is better than any number. Of equal ones it is the first, or the last.
struct PairOrder {
  bool greatest;
  bool last_number = false, last_nan = false;
};
/// Element by element the better of (value, place) and (value, place).
Operands better_of(const Call& c, const Operands& one, const Operands& other, const PairOrder& order);
/// A region that joins (value, place) and (value, place): the better one.
std::string better_pair(const Call& c, DType dtype, const PairOrder& order);

/// x at the places that index has along a dim and its own in all others.
Operand gathered(const Call& c, const Operand& x, const Operand& index, int64_t dim);
/// x with the source written there, or joined by a region with what was there.
Operand scattered(const Call& c, const Operand& x, const Operand& index, const Operand& source, int64_t dim,
                  const std::string& joining);

// In stablehlo_windows.cpp.
Operands running_sum(const Call& c);
Operands running_product(const Call& c);
Operands running_maximum(const Call& c);
Operands running_minimum(const Call& c);
Operands max_pool(const Call& c);
Operands max_pool_values(const Call& c);
Operands max_pool_scatter(const Call& c);
Operands max_pool_gather(const Call& c);
Operands avg_pool(const Call& c);
Operands avg_pool_backward(const Call& c);

// In stablehlo_lines.cpp.
Operands sort(const Call& c);
Operands topk(const Call& c);
Operands fft_c2c(const Call& c);
Operands fft_r2c(const Call& c);
Operands fft_c2r(const Call& c);
Operands triangular_solve(const Call& c);

// In stablehlo_control.cpp.
Operands cond(const Call& c);
Operands while_loop(const Call& c);
Operands scan(const Call& c);

using Write = Operands (*)(const Call&);
/// Null where an op has no counterpart.
Write find_write(std::string_view op);

}  // namespace strata::stablehlo
