// Elements and blocks along diagonals of zeros: the ops with their rules.
#include "ops/diagonal_def.h"

#include "ops/rules.h"
#include "ops/shaping.h"
#include "ops/view.h"

namespace strata {

STRATA_OP(diagonal_backward_op) =
    op<LaidDiagonalParams>("diagonal_backward(Tensor x, int[] sizes, int offset, int dim1, int dim2) -> Tensor")
        .infer([](Args in, const LaidDiagonalParams& p) { return meta(p.sizes, in[0].dtype(), in[0].device()); })
        .vjp([](const Vjp& c, const LaidDiagonalParams& p) -> Tensors {
          return diagonal(c.grad(), p.offset, p.dim1, p.dim2);
        })
        .jvp(linear_rule)
        .batch([](const Batch& c, const LaidDiagonalParams& p) -> Tensors {
          LaidDiagonalParams b{p.sizes, p.offset, p.dim1 + 1, p.dim2 + 1};
          b.sizes.insert(0, c.size);
          return call1(c.op, {&c.in(0)}, b);
        })
        .dtypes(kAllTypes);

STRATA_OP(block_diag_op) = op("block_diag(Tensor[] blocks) -> Tensor")
                               .infer([](Args in) {
                                 DimVector sizes = in[0].sizes();
                                 const size_t rows = sizes.size() - 2, cols = rows + 1;
                                 for (size_t i = 1; i < in.size(); ++i) {
                                   sizes[rows] = checked_add(sizes[rows], in[i].sizes()[rows], "block_diag");
                                   sizes[cols] = checked_add(sizes[cols], in[i].sizes()[cols], "block_diag");
                                 }
                                 return meta(sizes, in[0].dtype(), in[0].device());
                               })
                               .vjp([](const Vjp& c) {
                                 Tensors grads = Tensors::undefined(c.arity());
                                 int64_t top = 0, left = 0;
                                 for (size_t i = 0; i < c.arity(); ++i) {
                                   const int64_t rows = c.in(i).size(-2), cols = c.in(i).size(-1);
                                   if (c.needs(i)) grads[i] = narrow(narrow(c.grad(), -2, top, rows), -1, left, cols);
                                   top += rows, left += cols;
                                 }
                                 return grads;
                               })
                               .saves(saves_shape(0, 1, 2, 3, 4, 5, 6, 7))
                               .jvp(linear_all)
                               .batch([](const Batch& c) { return rules::call_on_batched(c, Params::of(NoParams())); })
                               .autocast(AutocastPolicy::kWidest)
                               .dtypes(kAllTypes);

Tensor diagonal_backward(const Tensor& grad, IntArrayRef input_sizes, int64_t offset, int64_t dim1, int64_t dim2) {
  return call1(diagonal_backward_op, {&grad}, LaidDiagonalParams{input_sizes, offset, dim1, dim2});
}

}  // namespace strata
