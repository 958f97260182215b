// Programs that index, slice and reshape tensors.
#include <torch/torch.h>

#include "test/programs/programs.h"

namespace programs::indexing {
namespace {

using namespace torch::indexing;

torch::Tensor numbers(at::IntArrayRef shape) {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  return torch::arange(count).view(shape);
}

const Program brackets("brackets", [](std::ostream& out) {
  torch::Tensor x = numbers({3, 4});
  show(out, "row", x[1]);
  show(out, "element", x[1][2]);
  show(out, "last", x[-1][-1]);
  x[0] = 7;
  x[1][1] = torch::tensor(50);
  x[2] += 100;
  show(out, "x", x);
  show(out, "by tensor", x[torch::tensor(2)]);
  fails<c10::IndexError>(out, "past the end", "out of", [&] { x[3]; });
});

const Program slices("slices", [](std::ostream& out) {
  const torch::Tensor x = numbers({4, 5});
  show(out, "all", x.index({Slice()}));
  show(out, "rows", x.index({Slice(1, 3)}));
  show(out, "steps", x.index({Slice(None, None, 2), Slice(1, None, 2)}));
  show(out, "to the last", x.index({Slice(None, -1), -1}));
  show(out, "ellipsis", x.index({"...", 0}));
  show(out, "Ellipsis", x.index({Ellipsis, Slice(0, 2)}));
  show(out, "new dim", x.index({None, 0}));
  show(out, "empty", x.index({Slice(3, 1)}));
  show(out, "slice", x.slice(1, 0, 5, 3));
  out << Slice(1, 5, 2) << ' ' << Slice() << ' ' << TensorIndex(None) << ' ' << TensorIndex("...") << ' '
      << TensorIndex(3) << '\n';
});

const Program by_tensors("indices that are tensors", [](std::ostream& out) {
  const torch::Tensor x = numbers({3, 4});
  show(out, "rows", x.index({torch::tensor({2, 0})}));
  show(out, "pairs", x.index({torch::tensor({0, 1, 2}), torch::tensor({3, 2, 1})}));
  show(out, "mask", x.index({x > 6}));
  show(out, "rows of a mask", x.index({torch::tensor({true, false, true})}));
  show(out, "mixed", x.index({Slice(), torch::tensor({1, 1})}));
  show(out, "outer", x.index({torch::tensor({0, 2}).unsqueeze(1), torch::tensor({1, 3})}));
  show(out, "bool", x.index({true, 0}));
});

const Program put("writing by index", [](std::ostream& out) {
  torch::Tensor x = torch::zeros({3, 4});
  x.index_put_({0}, 1);
  x.index_put_({Slice(), 2}, torch::tensor({5., 6., 7.}));
  x.index_put_({Slice(1, None), Slice(None, 2)}, 9.5);
  show(out, "x", x);
  x.index_put_({x > 8}, -1);
  show(out, "masked", x);
  x.index_put_({torch::tensor({0, 0}), torch::tensor({3, 3})}, torch::ones(2), /*accumulate=*/true);
  show(out, "accumulated", x);
  x.index({Slice(), 0}) += 10;
  x.index({2}).fill_(3);
  show(out, "in views", x);
});

const Program gather("gather and scatter", [](std::ostream& out) {
  const torch::Tensor x = numbers({3, 4}).to(torch::kFloat32);
  const torch::Tensor index = torch::tensor({{0, 1, 2, 0}, {2, 2, 0, 1}});
  show(out, "gather", x.gather(0, index));
  show(out, "take", x.take(torch::tensor({0, 5, 11})));
  show(out, "take_along_dim", x.take_along_dim(x.argsort(1, true), 1));
  show(out, "scatter", torch::zeros({3, 4}).scatter(0, index, 1.5));
  show(out, "scatter of a tensor", torch::zeros({3, 4}).scatter_(0, index, x));
  show(out, "scatter_add", torch::ones({3, 4}).scatter_add_(0, index, x));
  show(out, "index_select", x.index_select(1, torch::tensor({3, 0})));
  show(out, "index_add", torch::zeros({3, 2}).index_add(0, torch::tensor({2, 2}), torch::ones({2, 2})));
  show(out, "index_copy", torch::zeros({3, 2}).index_copy(0, torch::tensor({1}), torch::ones({1, 2})));
  show(out, "index_fill", torch::zeros({3, 2}).index_fill(1, torch::tensor({0}), 4));
});

const Program masks("masks", [](std::ostream& out) {
  const torch::Tensor x = torch::linspace(-2, 2, 6).view({2, 3}), mask = x > 0;
  show(out, "masked_select", x.masked_select(mask));
  show(out, "masked_fill", x.masked_fill(mask, 0.5));
  show(out, "masked_scatter", x.masked_scatter(mask, torch::arange(6.f)));
  show(out, "where", torch::where(mask, x, -x));
  show(out, "nonzero", mask.nonzero());
  const auto where = torch::where(mask);
  out << where.size() << '\n';
  show(out, "columns", where[1]);
  show(out, "argwhere", torch::argwhere(mask));
  out << mask.any().item<bool>() << mask.all().item<bool>() << ' ' << torch::count_nonzero(mask).item<int64_t>()
      << '\n';
  show(out, "not", ~mask);
});

const Program shapes("shapes", [](std::ostream& out) {
  const torch::Tensor x = numbers({2, 3, 4});
  out << x.view({6, -1}).sizes() << x.reshape({-1}).sizes() << x.flatten(1).sizes() << x.permute({2, 0, 1}).sizes()
      << '\n';
  out << x.transpose(0, -1).sizes() << x.unsqueeze(1).sizes() << x.expand({2, 3, 4}).sizes()
      << x.unflatten(2, {2, 2}).sizes() << '\n';
  out << x.movedim(0, 2).sizes() << x.narrow(1, 1, 2).sizes() << x.swapaxes(0, 1).sizes()
      << x.view_as(x.reshape({4, 6})).sizes() << '\n';
  show(out, "permuted", x.permute({1, 2, 0}).index({0}));
  out << x.permute({1, 2, 0}).strides() << x.permute({1, 2, 0}).contiguous().strides() << '\n';
  out << x.mT().sizes() << numbers({2, 3}).t().sizes() << x.diagonal(0, 1, 2).sizes() << '\n';
  fails<c10::Error>(out, "view", "is invalid for input of size", [&] { x.view({5, 5}); });
});

const Program joining("joining and splitting", [](std::ostream& out) {
  const torch::Tensor a = numbers({2, 3}), b = a + 10;
  show(out, "cat", torch::cat({a, b}));
  show(out, "cat of columns", torch::cat({a, b}, 1));
  show(out, "stack", torch::stack({a, b}, 1));
  show(out, "hstack", torch::hstack({a, b}));
  show(out, "vstack", torch::vstack({a, b}));
  for (const auto& part : torch::arange(7).split(3)) show(out, part);
  for (const auto& part : torch::arange(7).chunk(3)) show(out, part);
  for (const auto& part : torch::arange(6).split_with_sizes({1, 2, 3})) show(out, part);
  const auto parts = a.unbind(1);
  out << parts.size() << ' ' << parts[2] << '\n';
  std::vector<torch::Tensor> list = {a, b, a};
  show(out, "list", torch::cat(list));
  show(out, "promoted", torch::cat({a, torch::ones({1, 3})}));
});

const Program repeating("repeating", [](std::ostream& out) {
  const torch::Tensor x = numbers({2, 2});
  show(out, "repeat", x.repeat({1, 2}));
  show(out, "tile", torch::tile(x, {2}));
  show(out, "repeat_interleave", x.repeat_interleave(2, 0));
  show(out, "of counts", torch::arange(3).repeat_interleave(torch::tensor({2, 0, 1})));
  show(out, "expand_as", torch::arange(2).expand_as(x));
  show(out, "broadcast_to", torch::broadcast_to(torch::tensor({{1}, {2}}), {2, 3}));
  const auto both = torch::broadcast_tensors({torch::arange(3), torch::arange(2).unsqueeze(1)});
  out << both[0].sizes() << both[1].sizes() << '\n';
  show(out, "roll", torch::arange(5).roll(2));
  show(out, "flip", x.flip({0, 1}));
  const auto grid = torch::meshgrid({torch::arange(2), torch::arange(3)}, "ij");
  show(out, "grid", grid[1]);
});

const Program views("views share memory", [](std::ostream& out) {
  torch::Tensor x = torch::zeros({3, 4});
  x.select(0, 1).fill_(1);
  x.narrow(1, 2, 2).add_(5);
  x.diagonal().mul_(2);
  x.t()[3][2] = -1;
  show(out, "x", x);
  auto strided = torch::as_strided(x, {2, 2}, {4, 2}, 1);
  show(out, "strided", strided);
  strided.zero_();
  show(out, "x after", x);
  out << x.unfold(1, 2, 1).sizes() << ' ' << x._version() << '\n';
  show(out, "windows", torch::arange(6).unfold(0, 3, 2));
});

const Program triangles("triangles and diagonals", [](std::ostream& out) {
  const torch::Tensor x = numbers({3, 3}) + 1;
  show(out, "tril", x.tril());
  show(out, "triu", x.triu(1));
  show(out, "diag", x.diag());
  show(out, "of a vector", torch::diag(torch::arange(2), 1));
  show(out, "trace", x.trace());
  show(out, "indices", torch::tril_indices(2, 3));
  show(out, "diag_embed", torch::diag_embed(torch::arange(2)));
  torch::Tensor y = torch::zeros({3, 3});
  y.fill_diagonal_(2);
  show(out, "filled", y);
  show(out, "lower mask", torch::ones({3, 3}).tril().to(torch::kBool));
});

const Program sorting("sorting", [](std::ostream& out) {
  const torch::Tensor x = torch::tensor({{3., 1., 2.}, {9., 7., 8.}});
  auto [values, indices] = x.sort(1);
  show(out, "values", values);
  show(out, "indices", indices);
  auto [top, where] = x.topk(2);
  show(out, "top", top);
  show(out, "where", where);
  const auto largest = torch::max(x, 1);
  show(out, "largest", std::get<0>(largest));
  show(out, "at", std::get<1>(largest));
  show(out, "argsort", x.argsort(-1, /*descending=*/true));
  show(out, "argmax", x.argmax());
  show(out, "argmin", x.argmin(1, true));
  auto [unique, inverse, counts] = torch::_unique2(torch::tensor({3, 1, 3, 2}), true, true, true);
  show(out, "unique", unique);
  show(out, "inverse", inverse);
  show(out, "counts", counts);
  show(out, "searchsorted", torch::searchsorted(torch::tensor({1, 3, 5}), torch::tensor({2, 5})));
  show(out, "bucketize", torch::bucketize(torch::tensor({2, 5}), torch::tensor({1, 3, 5}), false, true));
});

const Program resizing("resizing in place", [](std::ostream& out) {
  torch::Tensor x = torch::arange(6.f);
  x.resize_({2, 2});
  show(out, "smaller", x);
  x.resize_({6});
  show(out, "back", x);
  x.resize_as_(torch::zeros({3, 2}));
  out << x.sizes() << '\n';
  x.unsqueeze_(0);
  x.transpose_(1, 2);
  out << x.sizes() << x.strides() << '\n';
  x.squeeze_(0).t_();
  out << x.sizes() << '\n';
  torch::Tensor y = torch::zeros(1);
  y.set_(x);
  out << y.sizes() << y.is_alias_of(x) << '\n';
});

const Program const_handles("constant handles write", [](std::ostream& out) {
  const torch::Tensor x = torch::ones({2, 2});
  x.add_(1);
  x.mul_(torch::full({2}, 3));
  x[0].zero_();
  x.index({1, 1}).fill_(50);
  show(out, "x", x);
  const std::vector<torch::Tensor> list = {torch::zeros(1), torch::zeros(2)};
  for (const auto& t : list) t.fill_(4).sub_(1);
  show(out, "first", list[0]);
  show(out, "second", list[1]);
});

}  // namespace
}  // namespace programs::indexing
