// Reading and writing by index tensors and masks, and autograd's own steps.
#include "test/differential/names.h"

namespace differential {
namespace {

using Indices = std::vector<strata::indexing::TensorIndex>;

// What a program says about gradients: it runs backward from some tensors, and looks at the leaves' gradients.
Rows gradient_rows() {
  return {
      {"backward",
       [](Tensors tensors, Tensors grads) {
         strata::autograd::backward(tensors, grads);
         return Tensors();
       }},
      {"backward_again",
       [](Tensors roots, Tensors grads) {
         strata::autograd::backward(roots, grads, /*keep_graph=*/true);
         return Tensors{};
       }},
      {"hook",
       [](T x, double factor) {
         x.register_hook([factor](const Tensor& grad) { return grad * factor; });
         return Tensors{};
       }},
      {"grad", [](T x) { return x.grad(); }},
      {"show", [](T x) { return x; }},
      {"retain_grad",
       [](T x) {
         x.retain_grad();
         return Tensors();
       }},
  };
}

Rows index_rows() {
  return {
      {"index", [](T x, Indices indices) { return x.index(indices); }},
      {"index_put", [](T x, Indices indices, T values, bool add) { return x.index_put(indices, values, add); },
       [](Tensor& x, Indices indices, T values, bool add) { return x.index_put_(indices, values, add); }},
      {"gather", [](T x, int64_t d, T index) { return x.gather(d, index); }},
      {"scatter", [](T x, I dim, T index, T source) { return x.scatter(dim, index, source); },
       [](Tensor& x, I dim, T index, T source) { return x.scatter_(dim, index, source); }},
      {"scatter", [](T x, I dim, T index, S value) { return x.scatter(dim, index, value); },
       [](Tensor& x, I dim, T index, S value) { return x.scatter_(dim, index, value); }},
      {"scatter_add", &Tensor::scatter_add, &Tensor::scatter_add_},
      {"index_select", &Tensor::index_select},
      {"index_add", &Tensor::index_add, &Tensor::index_add_},
      {"index_copy", &Tensor::index_copy, &Tensor::index_copy_},
      {"index_fill", [](T x, I dim, T index, S value) { return x.index_fill(dim, index, value); },
       [](Tensor& x, I dim, T index, S value) { return x.index_fill_(dim, index, value); }},
      {"index_fill", [](T x, I dim, T index, T value) { return x.index_fill(dim, index, value); },
       [](Tensor& x, I dim, T index, T value) { return x.index_fill_(dim, index, value); }},
      {"masked_fill", [](T x, T mask, S value) { return x.masked_fill(mask, value); },
       [](Tensor& x, T mask, S value) { return x.masked_fill_(mask, value); }},
      {"masked_fill", [](T x, T mask, T value) { return x.masked_fill(mask, value); },
       [](Tensor& x, T mask, T value) { return x.masked_fill_(mask, value); }},
      {"masked_select", &Tensor::masked_select},
      {"masked_scatter", &Tensor::masked_scatter, &Tensor::masked_scatter_},
      {"nonzero", &Tensor::nonzero},
      {"take", &Tensor::take},
      {"take_along_dim", &Tensor::take_along_dim},
      {"embedding", [](T weight, T indices, I padding,
                       bool by_freq) { return strata::embedding(weight, indices, padding, by_freq); }},
      {"one_hot", [](T x, I classes) { return strata::one_hot(x, classes); }},
  };
}

}  // namespace

Rows indexing_rows() {
  Rows rows = index_rows();
  for (auto& row : gradient_rows()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace differential
