// Mixed indexing: slices, integers and None become views, tensors one call of index or index_put.
#include "ops/tensor_index.h"

#include <algorithm>

#include "core/autocast.h"
#include "core/warning.h"
#include "ops/creation.h"
#include "ops/in_place.h"
#include "ops/index_dtypes.h"
#include "ops/indexing.h"
#include "ops/indexing_def.h"
#include "ops/rules.h"
#include "ops/shown_once.h"
#include "ops/ternary_def.h"
#include "ops/view.h"

namespace strata {
namespace {

using indexing::TensorIndex;

/// How far the views of an index list have come.
struct Sliced {
  Tensor view;
  int64_t dim = 0;              // of the view, where the next index applies
  int64_t dropped = 0;          // dims in front of it that integers took away
  std::vector<Tensor> indices;  // per dim of the view; undefined means the whole dim
  void set(int64_t at, const Tensor& index) {
    if (static_cast<int64_t>(indices.size()) <= at) indices.resize(at + 1);
    indices[at] = index;
  }
};

/// Dims of the indexed tensor that one index uses up.
int64_t dims_used(const TensorIndex& i) {
  if (i.is_integer() || i.is_slice()) return 1;
  if (!i.is_tensor()) return 0;
  return i.tensor().dtype() == kBool || i.tensor().dtype() == kByte ? i.tensor().dim() : 1;
}

int64_t total_dims_used(const Tensor& x, ArrayRef<TensorIndex> indices) {
  int64_t used = 0, ellipses = 0;
  for (const TensorIndex& i : indices) {
    used += dims_used(i);
    ellipses += i.is_ellipsis();
  }
  STRATA_CHECK_INDEX(used == 0 || x.dim() > 0, "index: invalid index of a 0-dim tensor; item() gives its number");
  STRATA_CHECK_INDEX(used <= x.dim(), "index: too many indices for tensor of dimension {}, got {}", x.dim(), used);
  STRATA_CHECK_INDEX(ellipses <= 1, "index: only one ellipsis is allowed, got {}", ellipses);
  return used;
}

void apply_integer(Sliced& s, int64_t index) {
  const int64_t n = s.view.sizes()[s.dim];
  STRATA_CHECK_INDEX(index >= -n && index < n, "index: index {} is out of bounds for dimension {} with size {}", index,
                     s.dim + s.dropped, n);
  ++s.dropped;
  s.view = select(s.view, s.dim, index);
}

void apply_slice(Sliced& s, const indexing::Slice& slice) {
  STRATA_CHECK_AS(ValueError, slice.step() != 0, "index: slice step cannot be zero");
  STRATA_CHECK_AS(ValueError, slice.step() > 0, "index: step must be greater than zero, got {}", slice.step());
  if (slice.start() != 0 || slice.stop() != indexing::INDEX_MAX || slice.step() != 1)
    s.view = strata::slice(s.view, s.dim, slice.start(), slice.stop(), slice.step());
  ++s.dim;
}

void check_mask(const Sliced& s, const Tensor& mask) {
  for (int64_t d = 0; d < mask.dim(); ++d)
    STRATA_CHECK_INDEX(mask.sizes()[d] == s.view.sizes()[s.dim + d],
                       "index: a mask of shape {} does not fit shape {} at dim {}", mask.sizes(), s.view.sizes(),
                       s.dim + d);
}

/// A mask stands for the index tensors of its true elements, one per dim.
void apply_mask(Sliced& s, const Tensor& mask) {
  if (mask.dim() == 0) {  // a new dim of size 1, kept or dropped
    s.view = unsqueeze(s.view, s.dim);
    s.set(s.dim++, reshape(nonzero(unsqueeze(mask, 0)), {-1}));
    return;
  }
  check_mask(s, mask);
  for (const Tensor& column : unbind(nonzero(mask), 1)) s.set(s.dim++, column);
}

/// As select does of a plain number: inside of transforms this counts as a view, see `record_view`.
void apply_kept_integer(Sliced& s, const Tensor& index) {
  const Tensor place = index.to(kLong);
  s.view = call1(index_op, {&s.view, &place}, IndexParams{s.dim, true});
}

/// What becomes of a number that a transform keeps the value of from us: a place of its own, or one index among others.
enum class KeptNumbers : bool { shown, collected };

void apply_tensor(Sliced& s, const Tensor& index, KeptNumbers kept) {
  if (index.dtype() == kBool) return apply_mask(s, index);
  if (index.dtype() == kByte) {
    warn("index: indexing with dtype torch.uint8 is now deprecated, give a mask of dtype bool");
    return apply_mask(s, index.to(kBool));
  }
  // A 0-dim integer is a plain one (and so gives a view), unless a transform keeps its value from us.
  const bool is_number = index.dim() == 0 && is_integral(index.dtype());
  STRATA_CHECK_INDEX(is_number || kIntOrLongIndex.has(index.dtype()),
                     "index: a tensor that indexes must be int32, int64, uint8 or bool, got {}", name(index.dtype()));
  if (is_number && !index.keys().has(Key::Transform)) return apply_integer(s, index.item<int64_t>());
  if (is_number && kept == KeptNumbers::shown) return apply_kept_integer(s, index);
  s.set(s.dim++, index.dtype() == kLong ? index : index.to(kLong));
}

Sliced apply_views(const Tensor& x, ArrayRef<TensorIndex> indices, KeptNumbers kept) {
  const int64_t used = total_dims_used(x, indices);
  Sliced s{x, 0, 0, {}};
  for (const TensorIndex& i : indices) {
    switch (i.kind()) {
      case TensorIndex::Kind::kNone:
        s.view = unsqueeze(s.view, s.dim++);
        break;
      case TensorIndex::Kind::kEllipsis:
        s.dim += x.dim() - used;
        break;
      case TensorIndex::Kind::kInteger:
        apply_integer(s, i.integer());
        break;
      case TensorIndex::Kind::kSlice:
        apply_slice(s, i.slice());
        break;
      case TensorIndex::Kind::kBool:
        apply_mask(s, full({}, i.boolean(), TensorOptions(kBool).device(x.device())));
        break;
      case TensorIndex::Kind::kTensor:
        apply_tensor(s, i.tensor(), kept);
        break;
    }
  }
  return s;
}

/// The view with its indexed dims side by side, and the broadcast indices.
struct Advanced {
  Tensor view;
  std::vector<Tensor> indices;
  int64_t first = 0;
  DimVector result_sizes() const {
    DimVector sizes(view.sizes().slice(0, first));
    for (int64_t n : indices[0].sizes()) sizes.push_back(n);
    for (int64_t n : view.sizes().slice(first + indices.size())) sizes.push_back(n);
    return sizes;
  }
};

std::vector<Tensor> broadcast_indices(const std::vector<Tensor>& indices) {
  try {
    return broadcast_tensors(indices);
  } catch (const Error&) {
    std::string shapes;
    for (const Tensor& t : indices)
      shapes += (shapes.empty() ? "" : ", ") + strata::detail::format_message("{}", {t.sizes()});
    STRATA_THROW_AS(IndexError,
                    "index: shape mismatch: indexing tensors could not be broadcast together with shapes {}", shapes);
  }
}

Advanced prepare(const Sliced& s) {
  Advanced a{s.view, {}, 0};
  DimVector indexed, others;
  for (int64_t d = 0; d < s.view.dim(); ++d) {
    const bool by_tensor = d < static_cast<int64_t>(s.indices.size()) && s.indices[d].defined();
    (by_tensor ? indexed : others).push_back(d);
    if (by_tensor) a.indices.push_back(s.indices[d].to(s.view.device()));
  }
  a.indices = broadcast_indices(a.indices);
  const bool is_empty = std::any_of(indexed.begin(), indexed.end(), [&](int64_t d) { return s.view.sizes()[d] == 0; });
  STRATA_CHECK_INDEX(!is_empty || a.indices[0].numel() == 0, "index: index is out of bounds for dimension with size 0");
  a.first = indexed[0];
  if (indexed.back() - indexed[0] + 1 == static_cast<int64_t>(indexed.size())) return a;
  // Indexed dims that stand apart give their result in front, as in NumPy.
  for (int64_t d : others) indexed.push_back(d);
  a.view = permute(s.view, indexed);
  a.first = 0;
  return a;
}

/// `values` with the leading dims of size 1 dropped that the place does not have, then broadcast.
Tensor fit_values(const Tensor& values, IntArrayRef sizes, const Tensor& x) {
  Tensor v = values.to(TensorOptions(x.dtype()).device(x.device()));
  const int64_t dims = static_cast<int64_t>(sizes.size());
  while (v.dim() > dims && v.sizes()[0] == 1) v = squeeze(v, 0);
  bool fits = v.dim() <= dims;
  for (int64_t d = 0; fits && d < v.dim(); ++d) {
    const int64_t n = v.sizes()[d];
    fits = n == 1 || n == sizes[dims - v.dim() + d];
  }
  STRATA_CHECK(fits,
               "index_put: shape mismatch: values of shape {} do not broadcast to the shape {} of the indexed places",
               values.sizes(), sizes);
  return expand(v, sizes);
}

/// x[mask] = one value: no place needs to be found.
bool is_fill(const Tensor& x, ArrayRef<TensorIndex> indices, const Tensor& values, bool accumulate) {
  if (accumulate || values.numel() != 1 || indices.size() != 1 || !indices[0].is_tensor()) return false;
  const Tensor& mask = indices[0].tensor();
  return mask.dtype() == kBool && mask.dim() > 0 && mask.dim() <= x.dim();
}
Tensor& fill_masked(Tensor& x, const Tensor& mask, const Tensor& value) {
  check_mask(Sliced{x, 0, 0, {}}, mask);
  DimVector sizes = mask.sizes();
  sizes.resize(x.sizes().size());
  for (int64_t d = mask.dim(); d < x.dim(); ++d) sizes[d] = 1;
  const Tensor where = expand(reshape(mask.to(x.device()), sizes), x.sizes()),
               filled = expand(value.to(TensorOptions(x.dtype()).device(x.device())), x.sizes());
  if (detail::has_repeated(x)) return x.masked_fill_(where, value);
  call_inplace(where_op, x, {&where, &filled, &x});
  return x;
}

/// Writes values to the indexed places of x.
Tensor& put(Tensor& x, ArrayRef<TensorIndex> indices, const Tensor& values, bool accumulate) {
  STRATA_CHECK(!indices.empty(), "Passing an empty index list to Tensor::index_put_() is not valid syntax");
  if (is_fill(x, indices, values, accumulate)) return fill_masked(x, indices[0].tensor(), reshape(values, {}));
  const Sliced s = apply_views(x, indices, KeptNumbers::collected);
  if (s.indices.empty()) {
    Tensor place = s.view;
    const Tensor fitted = fit_values(values, place.sizes(), x);
    accumulate ? place.add_(fitted) : place.copy_(fitted);
    return x;
  }
  STRATA_CHECK(
      values.dtype() == x.dtype() || autocast::active_dtype(x.device().type()),
      "index_put: Index put requires the source and destination dtypes match, got {} for the destination and {} "
      "for the source; convert one by to(dtype)",
      name(x.dtype()), name(values.dtype()));
  const Advanced a = prepare(s);
  Tensor place = a.view;
  const Tensor fitted = fit_values(values, a.result_sizes(), x);
  ArgList args;
  args.push_back(place);
  args.push_back(fitted);
  for (const Tensor& i : a.indices) args.push_back(i);
  call_inplace(index_put_op, place, args, IndexPutParams{a.first, true, accumulate});
  return x;
}

}  // namespace

Tensor index(const Tensor& x, ArrayRef<TensorIndex> indices) {
  STRATA_CHECK(!indices.empty(), "Passing an empty index list to Tensor::index() is not valid syntax");
  const Sliced s = apply_views(x, indices, KeptNumbers::shown);
  if (s.indices.empty()) return s.view.is_same(x) ? alias(x) : s.view;
  const Advanced a = prepare(s);
  ArgList args;
  args.push_back(a.view);
  for (const Tensor& i : a.indices) args.push_back(i);
  return call1(index_op, args, IndexParams{a.first, true});
}

Tensor& index_put_(Tensor& x, ArrayRef<TensorIndex> indices, const Tensor& values, bool accumulate) {
  return detail::in_place("index_put_", [&]() -> Tensor& { return put(x, indices, values, accumulate); });
}

Tensor index_put(const Tensor& x, ArrayRef<TensorIndex> indices, const Tensor& values, bool accumulate) {
  Tensor out = x.clone();
  put(out, indices, values, accumulate);
  if (out.has_storage()) out.storage()->set_version(0);  // none of the writes' gradients reads what was there
  return out;
}

Tensor Tensor::index(std::initializer_list<TensorIndex> indices) const { return strata::index(*this, indices); }
Tensor Tensor::index(ArrayRef<TensorIndex> indices) const { return strata::index(*this, indices); }
Tensor& Tensor::index_put_(std::initializer_list<TensorIndex> indices, const Tensor& value, bool accumulate) const {
  return strata::index_put_(self(), indices, value, accumulate);
}
Tensor& Tensor::index_put_(ArrayRef<TensorIndex> indices, const Tensor& value, bool accumulate) const {
  return strata::index_put_(self(), indices, value, accumulate);
}
Tensor Tensor::index_put(std::initializer_list<TensorIndex> indices, const Tensor& value, bool accumulate) const {
  return strata::index_put(*this, indices, value, accumulate);
}
Tensor Tensor::index_put(ArrayRef<TensorIndex> indices, const Tensor& value, bool accumulate) const {
  return strata::index_put(*this, indices, value, accumulate);
}
Tensor& Tensor::index_put_(std::initializer_list<TensorIndex> indices, const Scalar& value) const {
  return index_put_(ArrayRef<TensorIndex>(indices), value);
}
Tensor& Tensor::index_put_(ArrayRef<TensorIndex> indices, const Scalar& value) const {
  value.check_fits("index_put_", dtype());
  const auto is_view = [](const TensorIndex& i) { return !i.is_tensor() && !i.is_boolean(); };
  if (!indices.empty() && std::all_of(indices.begin(), indices.end(), is_view))
    return detail::in_place("index_put_", [&]() -> Tensor& {
      strata::index(self(), indices).fill_(value);
      return self();
    });
  return strata::index_put_(self(), indices, constant(value, dtype(), device(), {}));
}
Tensor Tensor::operator[](const Tensor& index) const { return strata::index(*this, {index}); }

}  // namespace strata
