// What compiled functions write to: in eager code a view, a copy or the tensor itself, and the same in a program.
#include <strata/strata.h>

#include "test/catch.h"
#include "test/error_of.h"

namespace strata {
namespace {

using Tensors = std::vector<Tensor>;

bool same_with_strides(const Tensor& a, const Tensor& b) {
  if (!a.defined() || !b.defined()) return a.defined() == b.defined();
  return a.dtype() == b.dtype() && a.strides() == b.strides() && a.equal(b);
}

Tensor low_wave(IntArrayRef sizes) { return (arange(numel_of(sizes), kFloat) / 7 - 1).sin().view(sizes); }

/// Results, the argument and its gradient after two calls of each on arguments made anew.
template <class F, class Make>
void check_writes(const F& f, const Make& make) {
  const auto compiled = compile(f);
  for (int time = 0; time < 2; ++time) {
    const Tensor x = make(), y = make();
    const Tensors expected = f(x), got = compiled(y);
    REQUIRE(got.size() == expected.size());
    for (size_t i = 0; i < got.size(); ++i) {
      CAPTURE(time, i);
      CHECK(same_with_strides(got[i].detach(), expected[i].detach()));
    }
    CHECK(same_with_strides(x.detach(), y.detach()));
    CHECK(x.grad().defined() == y.grad().defined());
    if (x.grad().defined()) CHECK(x.grad().equal(y.grad()));
  }
}

Tensor row_major() { return low_wave({3, 4}); }
Tensor transposed() { return low_wave({4, 3}).t(); }
Tensor leaf() { return low_wave({3, 4}).requires_grad_(); }

}  // namespace

TEST_CASE("what a tensor without dims shows of another is a view inside of compile") {
  const auto written = [](Tensor x) {
    const Tensor i = tensor(int64_t{1}), h = x * 2, row = h.index({i});
    row.mul_(3);
    const Tensor element = h.index({indexing::Slice(), i}).index({i + 1});
    h.add_(1);
    i.add_(1);
    const Tensor kept = row.clone();
    element.neg_();
    return Tensors{h, row, kept, element, h.index({indexing::None, i, indexing::Slice(0, 2)})};
  };
  check_writes(written, row_major);
  check_writes(written, transposed);
  check_writes(
      [](Tensor x) {
        x.index({tensor(int64_t{-1})}).fill_(5);
        return Tensors{x + 1};
      },
      row_major);
  check_writes(
      [](Tensor x) {
        const Tensor h = x * 2;
        h.index({tensor(int64_t{2})}).mul_(x[0]);
        (h.index({tensor(int64_t{0})}) * h).sum().backward();
        return Tensors{h};
      },
      leaf);
}

TEST_CASE("take by an index without dims is a copy inside of compile") {
  check_writes(
      [](Tensor x) {
        const Tensor h = x * 2, taken = take(h, tensor(int64_t{1}));
        taken.add_(2);
        const Tensor kept = take(x, tensor(int64_t{5}));
        x.neg_();
        return Tensors{h, taken, kept};
      },
      row_major);
}

TEST_CASE("strides of dims of one element are part of a compiled function's arguments") {
  const Tensor rows = low_wave({2, 1, 3, 2});
  const auto norm = [](Tensor x) { return Tensors{batch_norm(x, {}, {}, {}, {}, true, 0.1, 1e-5, false)}; };
  const auto compiled = compile(norm);
  for (const Tensor& x : {rows, rows.as_strided({2, 1, 3, 2}, {6, 1, 2, 1}), rows})
    CHECK(same_with_strides(compiled(x)[0], norm(x)[0]));
}

TEST_CASE("an index without dims stands where select's does, beside indices with dims") {
  const Tensor x = low_wave({3, 4, 5}), i = tensor(int64_t{1}), rows = tensor({int64_t{2}, int64_t{0}});
  const auto f = [&](Tensor t) { return t.index({i, indexing::Slice(), rows}); };
  CHECK(same_with_strides(compile(f)(x), f(x)));
  CHECK(f(x).sizes() == IntArrayRef({4, 2}));
}

TEST_CASE("contiguous, reshape and ravel of an argument copy or show as they do in eager code") {
  const auto written = [](Tensor x) {
    x.contiguous().add_(1);
    x.reshape({12}).mul_(2);
    x.ravel().neg_();
    return Tensors{x * 2, x.contiguous(), x.reshape({2, 6})};
  };
  check_writes(written, row_major);
  check_writes(written, transposed);
  check_writes(
      [](Tensor x) {
        const Tensor h = x > 0, c = h.contiguous();
        c.logical_not_();
        return Tensors{h, c};
      },
      transposed);
}

TEST_CASE("a write leaves a tensor its layout inside of compile, and sums their order") {
  const auto sums = [](Tensor x) {
    const Tensor h = x * 2, mask = (row_major() > 0);
    h.masked_fill_(mask, 0.1).add_(row_major());
    h.index({0}).copy_(row_major()[1]);
    return Tensors{h, h.sum(), h.log_softmax(1), h.contiguous().add_(1), h};
  };
  check_writes(sums, transposed);
  check_writes(sums, row_major);
}

TEST_CASE("a reversed tensor lies as its operand does, and so does its copy, inside of compile") {
  const auto f = [](Tensor x) {
    const Tensor copied = x.tanh().flip(-1).clone();
    return std::tuple(copied, copied.sum(1));
  };
  const Tensor x = low_wave({5000, 63}).t();
  const auto [copied, sums] = f(x);
  const auto [compiled, compiled_sums] = compile(f)(x);
  CHECK(compiled.strides() == copied.strides());
  CHECK(compiled.equal(copied));
  CHECK(compiled_sums.equal(sums));
}

TEST_CASE("detached tensors may be written to inside of compile") {
  check_writes(
      [](Tensor x) {
        const Tensor h = x * 2, d = h.detach(), row = d[1];
        d.mul_(3);
        row.add_(1);
        const Tensor before = h.clone();
        h.sum().backward();
        d.add_(x);
        d.square().sum().backward();
        return Tensors{before.detach(), h.detach(), d.detach(), row.detach()};
      },
      leaf);
  check_writes(
      [](Tensor x) {
        x.detach().clamp_(-0.5, 0.5);
        return Tensors{x * 2};
      },
      leaf);
}

TEST_CASE("a write to an argument with gaps between its elements leaves it these inside of compile") {
  check_writes(
      [](Tensor x) {
        x.mul_(2);
        const Tensor c = x.contiguous();
        c.neg_();
        return Tensors{x + 1, c};
      },
      [] {
        return low_wave({3, 8}).slice(1, 0, 8, 2);
      });
}

TEST_CASE("gradients of a written view and of its siblings add up in eager's order inside of compile") {
  check_writes(
      [](Tensor x) {
        const Tensor h = x.mean(), before = h.unsqueeze(0), written = h.view({1, 1});
        const Tensor other = h * 0.3;
        written.sin_();
        autograd::backward({h, before, written, other},
                           {tensor(0.1f), tensor({0.7f}), tensor({-1.7f}).view({1, 1}), tensor(1e-3f)});
        return Tensors{h, before, written};
      },
      leaf);
}

TEST_CASE("a view that is written to without recording is a part of its base from then on, as in eager code") {
  const Tensor weights = tensor({3.25, -3.118272019648531}, kDouble),
               table = tensor({-4.0, 3.25, -3.375, 4.0, 0.5, 0.3763208879737485, 3.0, 3.017004944924733, -1.0, -3.25,
                               2.75, 0.0},
                              kDouble)
                           .view({2, 1, 6})
                           .slice(2, 0, 6, 2),
               gradient = (arange(24, kDouble) * 0.37 - 4).sin().view({3, 1, 2, 4}).slice(3, 0, 4, 2);
  check_writes(
      [&](Tensor x) {
        const Tensor h = einsum("d,dbc,a->cbda", {weights, table, x});
        {
          const NoGradGuard no_grad;
          h.triu_(1);
        }
        autograd::backward({h, x.dot(x)}, {gradient, tensor(0.05252272573720118, kDouble)});
        return Tensors{h};
      },
      [] {
        return tensor({3.375, -4.0}, kDouble).requires_grad_();
      });
  check_writes(
      [](Tensor x) {
        const Tensor h = (x * 2).t(), part = h.slice(0, 1, 3), row = part.select(1, 1);
        row.mul_(x.select(1, 0)[0]);
        part.add_(1);
        autograd::backward({row, h}, {low_wave({2}), low_wave({4, 3}) * 2});
        return Tensors{h, part, row};
      },
      leaf);
}

TEST_CASE("what an index without dims shows under NoGradGuard passes no gradient on, as in eager code") {
  check_writes(
      [](Tensor x) {
        const Tensor h = x * 2, i = tensor(int64_t{1});
        Tensor row;
        {
          const NoGradGuard no_grad;
          row = h.index({i});
        }
        autograd::backward({row.unsqueeze(0), h}, {low_wave({1, 4}), low_wave({3, 4})});
        return Tensors{row.unsqueeze(0)};
      },
      leaf);
}

TEST_CASE("an expanded tensor without repetitions may be written to inside of compile") {
  check_writes(
      [](Tensor x) {
        const Tensor wide = x.expand({1, 3, 4});
        wide.mul_(2);
        return Tensors{wide, x};
      },
      row_major);
  const auto f = compile([](Tensor x) { return x.expand({2, 3, 4}).add_(1); });
  CHECK(error_of([&] { f(row_major()); }).find("in-place on an expanded tensor") != std::string::npos);
}

TEST_CASE("views of a constant show it in its layout after it was written to inside of compile") {
  const auto f = [](Tensor x) {
    const Tensor base = zeros_like(x), row = base.select(-2, 0), column = base.select(-1, 0);
    base.add_(x);
    column.mul_(3);
    return Tensors{base, (row + 1).contiguous(), column.contiguous()};
  };
  check_writes(f, [] { return low_wave({4, 3, 2}).transpose(0, 1); });
  check_writes(f, [] { return low_wave({4, 3, 2}); });
}

TEST_CASE("a detached constant and what it shows are one memory inside of compile") {
  check_writes(
      [](Tensor x) {
        const Tensor c = full({3, 4}, 2.f), d = c.detach(), row = c[1], again = d.t().detach();
        d.copy_(x);
        const Tensor before = c.clone();
        row.add_(1);
        again[2].neg_();
        c.mul_(2);
        return Tensors{before, c, d, row, again.contiguous(), c.detach() + 1};
      },
      row_major);
  check_writes(
      [](Tensor x) {
        const Tensor c = zeros({4, 3}).t(), part = c.detach(), h = x * 2;
        part[0].add_(h[0]);
        ((c * h).sum() + part.square().sum()).backward();
        return Tensors{c.detach().contiguous(), part.detach().contiguous()};
      },
      leaf);
}

TEST_CASE("linear copies rows that are no view, recorded for its weight, inside of compile as well") {
  const Tensor weight = (low_wave({5, 4}) * 0.7).requires_grad_();
  check_writes(
      [&](Tensor x) {
        weight.mutable_grad() = Tensor();
        const Tensor wide = x.unsqueeze(1).expand({3, 2, 4}).transpose(0, 1);
        const Tensor y = linear(wide, weight);
        y.square().sum().backward();
        return Tensors{y.detach(), weight.grad().clone()};
      },
      row_major);
}

TEST_CASE("log_softmax of an argument with gaps that was written to has eager's layout inside of compile") {
  check_writes(
      [](Tensor x) {
        x.mul_(2);
        const Tensor y = x.log_softmax(1);
        return Tensors{y, y.sum(), y.sum(0), x.softmax(0).sum(1)};
      },
      [] {
        return low_wave({3, 5, 8}).slice(2, 0, 8, 2);
      });
}

TEST_CASE("what a function makes as a view of its own is no view for others inside of compile") {
  const Tensor m = wave({3, 3}), a = wave({3});
  const std::vector<std::function<Tensor(Tensor)>> functions = {
      [&](Tensor w) { return addmv(a, m, w); },
      [&](Tensor w) {
        return std::get<0>(mode(w.view({3, 1}) * m, 0));
      },
      [&](Tensor w) {
        return conv_transpose1d(w.view({1, 1, 3}), m.view({1, 1, 9}))[0][0].slice(0, 0, 3) * w;
      },
      [&](Tensor w) {
        return conv_transpose1d(w.view({1, 1, 3}), m.view({1, 1, 9}));
      }};
  for (const auto& f : functions) {
    const auto gradient_by = [&](auto make, bool is_inside) {
      const Tensor w = wave({3}).requires_grad_();
      const auto function = make([&](Tensor x) {
        const Tensor y = f(x);
        y.copy_(a[0]);
        if (is_inside) y.sum().backward();
        return y;
      });
      const Tensor y = function(w);
      if (!is_inside) y.sum().backward();
      return w.grad();
    };
    for (const bool is_inside : {false, true}) {
      const Tensor expected = gradient_by([](auto g) { return g; }, is_inside);
      CHECK(same(gradient_by([](auto g) { return compile(g); }, is_inside), expected));
    }
  }
}

TEST_CASE("a write to a view without elements leaves its base as it is inside of compile") {
  check_writes(
      [](Tensor x) {
        const Tensor none = x.expand({0, 3, 4});
        none.copy_(none * 2);
        return Tensors{none, x};
      },
      row_major);
}

TEST_CASE("a write to a view without elements of an expanded tensor writes nothing inside of transforms") {
  const auto f = [](Tensor x) {
    const Tensor h = x * 2, none = h.expand({1, 2, 3}).diagonal(-1, -3, 2);
    none.pow_(none);
    return h + 1;
  };
  const Tensor x = wave({2, 3}), expected = f(x);
  CHECK(same(vmap(f)(x.unsqueeze(0))[0], expected));
  CHECK(same(jvp(f, x, x).first, expected));
  CHECK(same(compile(f)(x), expected));
}

TEST_CASE("a write through overlapping windows reaches the memory that they show inside of compile") {
  const auto f = [](Tensor x) {
    const Tensor h = x * 2, turned = h.t(), windows = turned.unfold(0, 3, 1);
    windows.select(-1, 1).mul_(3);
    windows[0].slice(1, 1, 3).add_(1);
    return std::vector<Tensor>{h, windows * 1, turned.sin()};
  };
  const Tensor x = wave({4, 6}).requires_grad_(), y = wave({4, 6}).requires_grad_();
  const std::vector<Tensor> expected = f(x), got = compile(f)(y);
  for (size_t i = 0; i < got.size(); ++i) CHECK(same(got[i].detach(), expected[i].detach()));
  (expected[0].square().sum() + expected[1].sum()).backward();
  (got[0].square().sum() + got[1].sum()).backward();
  CHECK(same(y.grad(), x.grad()));
  const auto loss = [&](Tensor t) {
    const std::vector<Tensor> all = f(t);
    return all[0].square().sum() + all[1].sum();
  };
  const Tensor plain = x.detach();
  CHECK(same(grad(loss)(plain), x.grad()));
  CHECK(same(vmap([&](Tensor t) { return f(t)[0]; })(plain.unsqueeze(0))[0], expected[0].detach()));
}

TEST_CASE("what is written to one of the elements that share memory is written to all inside of compile") {
  const auto expanded = [] { return (low_wave({3, 1}) * 1).expand({3, 4}); };
  check_writes(
      [](Tensor x) {
        const Tensor before = x.clone(), column = x.select(1, 2);
        column.mul_(-0.0);
        x.slice(0, 1, 2).slice(1, 3, 4).add_(5);
        x.slice(1, 0, 0).fill_(7);
        return Tensors{before, x * 2, column + 1};
      },
      expanded);
  check_writes(
      [](Tensor x) {
        const Tensor h = x * 2, wide = h.expand({2, 3, 4});
        wide[1].mul_(3).add_(x);
        return Tensors{h, wide + 1};
      },
      row_major);
  for (const auto& write : {+[](Tensor x) { return x.add_(1); }, +[](Tensor x) { return x.t().neg_(); },
                            +[](Tensor x) { return x.slice(1, 0, 2).mul_(2); }}) {
    const auto g = compile(write);
    CHECK(error_of([&] { g(expanded()); }).find("in-place on an expanded tensor") != std::string::npos);
    CHECK(error_of([&] { write(expanded()); }).find("in-place on an expanded tensor") != std::string::npos);
  }
}

}  // namespace strata
