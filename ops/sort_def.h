// Params and ops of sorting.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

struct SortParams {
  int64_t dim = 0;
  bool descending = false;
};
struct TopkParams {
  int64_t dim = 0;
  int64_t k = 0;
  bool largest = true;
};
/// What a NaN does to the places of its line: it sorts last; the first NaN stands at all of them; or, `places` being
/// empty, the one element chosen is the middle of the numbers, the lower of two, and NaN only where there is no number.
enum class NanPlace : int64_t { kLast, kChosen, kLeftOut };
struct PlacesParams {
  int64_t dim = 0;
  DimVector places;
  NanPlace nan = NanPlace::kLast;
};
struct MedianParams {
  int64_t dim = 0;
  NanPlace nan = NanPlace::kChosen;
};
struct SearchParams {
  bool right = false;
};

extern Op sort_op;
extern Op topk_op;
/// (values, indices) of the elements that stand at the places, from 0, of the sorted lines; `dim` has one element each.
extern Op at_places_op;
std::tuple<Tensor, Tensor> at_places(const Tensor& x, const PlacesParams& p);
/// The same of a single place, without `dim` unless `keepdim`.
std::tuple<Tensor, Tensor> at_place(const Tensor& x, const PlacesParams& p, bool keepdim);
/// The middle elements along `dim`, which is left out. Unlike those of `at_places`, whose gradient goes to the one
/// element that it names, their gradient is shared evenly by all elements of the line that are equal to them.
extern Op median_op;
/// (sorted (B, n), values (B, m)) -> int64 positions (B, m).
extern Op searchsorted_op;
/// x (n) -> (distinct values, inverse, counts)
extern Op unique_op;

}  // namespace strata
