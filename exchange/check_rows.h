// How the tables say what an op asks of its arguments: Note [Arguments of ops].
#pragma once
#include <array>
#include <string_view>
#include <vector>

#include "../core/array_ref.h"
#include "../dispatcher/op.h"

namespace strata::func::exchange {

/// The inputs of a call and what a row's pattern found out about them.
class Arguments {
 public:
  Arguments(const dispatch::Op& op, dispatch::Args inputs) : op_(op), inputs_(inputs) {}
  const dispatch::Op& op() const { return op_; }
  /// Undefined where the call leaves the last ones out.
  const Tensor& operator[](size_t i) const { return i < inputs_.size() ? inputs_[i] : none_; }
  size_t count() const { return inputs_.size(); }

  /// The size that the pattern's letter stands for.
  int64_t size(char letter) const { return letters_[static_cast<size_t>(letter - 'a')]; }
  void set_size(char letter, int64_t size) { letters_[static_cast<size_t>(letter - 'a')] = size; }

  /// Throws with this said of the call unless it is so.
  void require(bool ok, const char* what) const;
  /// From low to high, both included.
  void require_between(int64_t value, int64_t low, int64_t high, const char* what) const;
  /// A dim of a tensor of so many dims.
  void require_dim(int64_t dim, int64_t dims) const { require_between(dim, 0, dims - 1, "dim"); }
  /// The same, where a tensor without dims is taken for one of one.
  void require_any_dim(int64_t dim, int64_t dims) const { require_dim(dim, dims > 0 ? dims : 1); }
  /// Distinct dims of a tensor of so many dims; in rising order if `sorted`.
  void require_dims(IntArrayRef dims_given, int64_t dims, bool sorted = true) const;
  /// Sizes of a tensor that can be.
  void require_sizes(IntArrayRef sizes) const;
  void require_shape(size_t i, IntArrayRef sizes) const;
  /// Of these dtypes.
  void require_dtype(DType dtype, DTypes taken) const;

 private:
  const dispatch::Op& op_;
  const dispatch::Args inputs_;
  const Tensor none_;
  std::array<int64_t, 26> letters_{};
};

/// One op. The pattern has a word for each input in the order of the schema: a dtype and sizes, `T[*,m,k] T[*,k,n]`.
/// A dtype is a capital letter, which stands for the same one throughout, or `.` for any that the op takes; a size is a
/// number, a letter, which stands for the same one throughout, `_` for any, or in front `*` for any number of dims, the
/// same throughout; `[.]` is any shape. An undefined input of the schema's `Tensor?` fits any word; one whose word ends
/// with `?` may be left out; a last word with a `+` is for all inputs that are left, one or more, and one with a `*` is
/// for none of them too.
struct CheckRow {
  std::string_view op, pattern;
  const dispatch::ParamsType* params;
  void (*check)(const Arguments&, const void* params);
};

/// A row with a check of params `(const Arguments& a, const P& p)`, a captureless lambda.
template <class P, class F>
constexpr CheckRow row(std::string_view op, std::string_view pattern, F) {
  return {op, pattern, &dispatch::params_type<P>,
          [](const Arguments& a, const void* p) { F{}(a, *static_cast<const P*>(p)); }};
}
/// A row of an op whose params, if it has any, may be anything.
template <class P = dispatch::NoParams>
constexpr CheckRow row(std::string_view op, std::string_view pattern) {
  return {op, pattern, &dispatch::params_type<P>, nullptr};
}

using CheckRows = ArrayRef<CheckRow>;
// The tables, in checks_*.cpp.
CheckRows rows_of_placement();  ///< views, ops that lay out and pick elements
CheckRows rows_of_sums();       ///< reductions, scans, sorts, products
CheckRows rows_of_matrices();   ///< factors of matrices, Fourier transforms
CheckRows rows_of_layers();     ///< convolutions, pools, norms, losses
CheckRows rows_of_sources();    ///< what makes numbers, draws them and changes dtypes
CheckRows rows_of_control();    ///< branches and loops, whose params hold programs

}  // namespace strata::func::exchange
