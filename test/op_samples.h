// The op table: what a row is, and the small tools that samples are made with. None of the tools calls an op of the
// library.
#pragma once
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "core/tensor.h"

namespace strata::test {

using List = std::vector<Tensor>;
using Function = std::function<List(const List&)>;

/// One call of a public function on given inputs, with an independent way to compute the same where there is one.
struct Sample {
  List inputs;
  Function f;
  Function reference = nullptr;  ///< naive loops in double; null when another row or test covers the values
  double tolerance = 1e-11;      ///< relative to the largest entry, in float64
  bool smooth = true;  ///< differentiable at the inputs with bounded third derivative: finite differences make sense
  size_t constants_from = 99;  ///< inputs from this one on get no gradient though they are floating point
};

/// What element types a function takes: the floating ones, all but bool, everything, integers and bool, or not swept.
enum class Takes { kFloating, kNumeric, kAll, kIntegral, kFixed };

/// A misuse and what its message must contain.
struct WrongCall {
  std::function<void()> call;
  std::string says;
};

/// All that the sweep knows about one op.
struct Row {
  std::string op;  ///< Op::name of the primitive that the samples are about; empty for composites of several
  std::vector<Sample> samples;
  Takes takes = Takes::kFixed;
  std::vector<WrongCall> errors = {};
  /// Element-wise functions: the value at one element, given the inputs there; checked at special values too.
  std::function<double(const double*)> scalar = nullptr;
  double ulps = 4;  ///< largest error of the scalar function in float32, in units of the last place
};

using Table = std::vector<Row>;
/// The table of all families.
const Table& table();

// One function per family, in samples_<family>.cpp.
void add_collective(Table& t);
void add_unary(Table& t);
void add_activation(Table& t);
void add_binary(Table& t);
void add_ternary(Table& t);
void add_optim(Table& t);
void add_cast(Table& t);
void add_view(Table& t);
void add_shaping(Table& t);
void add_indexing(Table& t);
void add_reduce(Table& t);
void add_softmax(Table& t);
void add_scan(Table& t);
void add_sort(Table& t);
void add_linalg(Table& t);
void add_factor(Table& t);
void add_functions(Table& t);
void add_attention(Table& t);
void add_conv(Table& t);
void add_pool(Table& t);
void add_norm(Table& t);
void add_loss(Table& t);
void add_structured(Table& t);
void add_random(Table& t);
void add_keyed_random(Table& t);
void add_creation(Table& t);
void add_fft(Table& t);
void add_complex(Table& t);
void add_special(Table& t);

// ---- Making tensors -------------------------------------------------------------------------------------------------

/// Values in [low, high) from a fixed sequence that `seed` picks.
Tensor uniform_values(IntArrayRef sizes, double low = -1, double high = 1, unsigned seed = 1, DType dtype = kDouble);
/// Integers in [low, high).
Tensor integers(IntArrayRef sizes, int64_t low, int64_t high, unsigned seed = 1, DType dtype = kLong);
/// Values that are all at least 0.1 apart, in scrambled order: no ties for max, sort and the like.
Tensor distinct(IntArrayRef sizes, unsigned seed = 1);
/// A tensor with these values in row-major order, two for each complex element.
Tensor from_values(const std::vector<double>& values, IntArrayRef sizes, DType dtype = kDouble);

// ---- Looking into tensors -------------------------------------------------------------------------------------------

/// How many numbers an element is: two where it is complex, real part first.
inline int64_t numbers_in(DType t) { return is_complex(t) ? 2 : 1; }
/// All elements in row-major order, whatever the strides; a complex one is two numbers.
std::vector<double> values(const Tensor& t);
/// The elements' bytes in row-major order.
std::string bytes(const Tensor& t);

// ---- The same values laid out differently ---------------------------------------------------------------------------

Tensor contiguous_copy(const Tensor& t);
/// Uninitialised memory (NaN where the type has it) with dims stored in reverse order.
Tensor reversed_like(const Tensor& t);
/// Every second element of a buffer, starting at element 3.
Tensor strided_like(const Tensor& t);
/// Copies element by element between any two layouts of equal shape, converting the type.
void copy_values(const Tensor& from, Tensor& to);
/// `t` in the layout of `like`.
Tensor in_layout(const Tensor& t, const Tensor& like);
/// A view of element 0 of each dim of `t` in `dims_mask`, repeated with stride 0.
Tensor expanded(const Tensor& t, unsigned dims_mask);
Tensor converted(const Tensor& t, DType dtype);

/// A tensor with a shape and dtype but no data, as rules see inputs that were not saved.
Tensor shape_only(const Tensor& t);

// ---- Naive references -----------------------------------------------------------------------------------------------

/// Calls `f(index)` for each multi-index of the shape in row-major order.
void for_each_index(IntArrayRef sizes, const std::function<void(const std::vector<int64_t>&)>& f);
/// Row-major position of an index.
int64_t flat(const std::vector<int64_t>& index, IntArrayRef sizes);
using Line = std::vector<double>;
inline double sum_of(const Line& v) { return std::accumulate(v.begin(), v.end(), 0.0); }
/// Applies `f` to each line of input 0 along `dim`; lines may change their length. The result has this dtype.
Function along(int64_t dim, std::function<Line(const Line&)> f, DType result = kDouble);
/// Reduces input 0 over the dims to `f` of the elements in row-major order; no dims means all.
Function over(DimVector dims, bool keepdim, std::function<double(const Line&)> f, DType result = kDouble);
/// The elements of input 0 that `source` names for each index of the result.
Function picks(DimVector sizes, std::function<std::vector<int64_t>(const std::vector<int64_t>&)> source);
/// Input 0 in another shape.
Function reshaped(DimVector sizes);

}  // namespace strata::test
