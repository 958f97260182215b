// What the functions of lists of tensors share. Not included by public headers.
#pragma once
#include <vector>

#include "../core/tensor.h"

namespace strata::foreach {

template <class List>
void check_length(const char* name, TensorList tensors, const List& others) {
  STRATA_CHECK(tensors.size() == others.size(), "{}: Tensor lists must have the same number of tensors, got {} and {}",
               name, tensors.size(), others.size());
}
/// The results of `f(i)` for each place of the list.
template <class F>
std::vector<Tensor> each(const char* name, TensorList tensors, F f) {
  STRATA_CHECK(!tensors.empty(), "{}: Tensor list must have at least one tensor.", name);
  std::vector<Tensor> out;
  out.reserve(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) out.push_back(f(i));
  return out;
}
template <class F>
void each_in_place(const char* name, TensorList tensors, F f) {
  STRATA_CHECK(!tensors.empty(), "{}: Tensor list must have at least one tensor.", name);
  for (size_t i = 0; i < tensors.size(); ++i) f(i);
}

}  // namespace strata::foreach
