// Views, and functions that join, repeat and rearrange.
#include "test/differential/names.h"

namespace differential {
namespace {

Rows viewing_rows() {
  return {
      {"view", [](T x, IntArrayRef sizes) { return x.view(sizes); }},
      {"view_as", &Tensor::view_as},
      {"reshape", &Tensor::reshape},
      {"expand", [](T x, IntArrayRef sizes) { return x.expand(sizes); }},
      {"expand_as", &Tensor::expand_as},
      {"permute", &Tensor::permute},
      {"transpose", &Tensor::transpose},
      {"t", &Tensor::t},
      {"movedim", [](T x, IntArrayRef from, IntArrayRef to) { return x.movedim(from, to); }},
      {"squeeze", [](T x) { return x.squeeze(); }},
      {"squeeze", [](T x, I dim) { return x.squeeze(dim); }},
      {"squeeze", [](T x, IntArrayRef dims) { return x.squeeze(dims); }},
      {"unsqueeze", &Tensor::unsqueeze},
      {"flatten", &Tensor::flatten},
      {"unflatten", &Tensor::unflatten},
      {"ravel", &Tensor::ravel},
      {"select", &Tensor::select},
      {"slice", &Tensor::slice},
      {"narrow", [](T x, I dim, I start, I length) { return x.narrow(dim, start, length); }},
      {"diagonal", &Tensor::diagonal},
      {"unfold", &Tensor::unfold},
      {"as_strided", &Tensor::as_strided},
      {"chunk", &Tensor::chunk},
      {"split", [](T x, I size, I dim) { return x.split(size, dim); }},
      {"split", [](T x, IntArrayRef sizes, I dim) { return x.split(sizes, dim); }},
      {"unbind", &Tensor::unbind},
      {"broadcast_to", &Tensor::broadcast_to},
      {"broadcast_tensors", [](Tensors tensors) { return strata::broadcast_tensors(tensors); }},
      {"alias", &Tensor::alias},
  };
}

Rows shaping_rows() {
  return {
      {"cat", [](Tensors tensors, I dim) { return strata::cat(tensors, dim); }},
      {"stack", [](Tensors tensors, I dim) { return strata::stack(tensors, dim); }},
      {"hstack", [](Tensors tensors) { return strata::hstack(tensors); }},
      {"vstack", [](Tensors tensors) { return strata::vstack(tensors); }},
      {"constant_pad_nd", [](T x, IntArrayRef padding, S value) { return strata::constant_pad_nd(x, padding, value); }},
      {"pad", [](T x, IntArrayRef padding, Text mode) { return strata::pad(x, padding, mode); }},
      {"flip", &Tensor::flip},
      {"fliplr", &Tensor::fliplr},
      {"flipud", &Tensor::flipud},
      {"roll", &Tensor::roll},
      {"repeat", &Tensor::repeat},
      {"tile", &Tensor::tile},
      {"repeat_interleave", [](T x, I repeats, MaybeInt dim) { return x.repeat_interleave(repeats, dim); }},
      {"repeat_interleave", [](T x, T repeats, MaybeInt dim) { return x.repeat_interleave(repeats, dim); }},
      {"tril", &Tensor::tril, &Tensor::tril_},
      {"triu", &Tensor::triu, &Tensor::triu_},
      {"diag", &Tensor::diag},
      {"diag_embed", &Tensor::diag_embed},
      {"meshgrid", [](Tensors tensors, Text indexing) { return strata::meshgrid(tensors, indexing); }},
      {"fill_diagonal_", &Tensor::fill_diagonal_},
      {"select_scatter", &Tensor::select_scatter},
      {"slice_scatter", &Tensor::slice_scatter},
      {"diagonal_scatter", &Tensor::diagonal_scatter},
  };
}

}  // namespace

Rows view_rows() {
  Rows rows = viewing_rows();
  for (auto& row : shaping_rows()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace differential
