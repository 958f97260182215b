// In-place updates inside transforms give what their out-of-place counterparts give, through views too.
#include <strata/strata.h>
#include "test/catch.h"

namespace strata {
namespace {

using Pair = std::pair<Tensor, Tensor>;
using Binary = Tensor (*)(Tensor x, Tensor y);
using indexing::None;
using indexing::Slice;

Tensor values(IntArrayRef sizes, double from) {
  const int64_t n = numel_of(sizes);
  return (arange(n, kDouble) * 0.37 + from).sin().add(1.5).reshape(sizes);
}
Tensor mask() { return tensor({1, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 0}).reshape({3, 4}) > 0; }
Tensor index() { return tensor({2, 0}).to(kLong); }
/// A constant `(3, 4)` that lies so in memory.
Tensor lying(IntArrayRef strides) { return empty_strided({3, 4}, strides, kDouble).fill_(1.5); }
/// What `x` and `y` are of: see "views of a constant".
Tensor write_constant(const Tensor& c, const Tensor& x, const Tensor& y) {
  const Tensor row = c[1], column = c.t()[2], corner = c.narrow(0, 1, 2).narrow(1, 2, 2);
  c.mul_(x);
  row.add_(y[0]);
  corner.mul_(2);
  return c * row + column.sum() * corner[1][0];
}
Tensor written_constant(Tensor x, Tensor y) {
  const Tensor c = 1.5 * x, two = tensor({1.0, 1.0, 2.0, 2.0}, kDouble);
  const Tensor z = stack({c[0], (c[1] + y[0]) * two, c[2] * two});
  return z * z[1] + z.narrow(1, 2, 1).sum() * z[2][2];
}

/// `inplace(x, y)` works on a clone of x or on x itself; `plain` writes to nothing.
struct Case {
  const char* name;
  Binary inplace, plain;
};

// clang-format off
const Case kElementwise[] = {
    {"add_", [](Tensor x, Tensor y) { return x.clone().add_(y, 3); }, [](Tensor x, Tensor y) { return x + 3 * y; }},
    {"sub_", [](Tensor x, Tensor y) { return x.clone().sub_(y); }, [](Tensor x, Tensor y) { return x - y; }},
    {"mul_", [](Tensor x, Tensor y) { return x.clone().mul_(y); }, [](Tensor x, Tensor y) { return x * y; }},
    {"mul_ by itself", [](Tensor x, Tensor y) { x = x * y; return x.mul_(x); }, [](Tensor x, Tensor y) { return (x * y).square(); }},
    {"div_ by a row", [](Tensor x, Tensor y) { return x.clone().div_(y[1]); }, [](Tensor x, Tensor y) { return x / y[1]; }},
    {"pow_", [](Tensor x, Tensor y) { return (x * y).pow_(2); }, [](Tensor x, Tensor y) { return (x * y).square(); }},
    {"relu_", [](Tensor x, Tensor y) { return (x - y).relu_(); }, [](Tensor x, Tensor y) { return relu(x - y); }},
    {"exp_, tanh_, neg_", [](Tensor x, Tensor y) { return (x - y).exp_().tanh_().neg_(); }, [](Tensor x, Tensor y) { return -tanh(exp(x - y)); }},
    {"clamp_", [](Tensor x, Tensor y) { return (x * y).clamp_(1, 3); }, [](Tensor x, Tensor y) { return clamp(x * y, 1, 3); }},
    {"lerp_", [](Tensor x, Tensor y) { return x.clone().lerp_(y, 0.3); }, [](Tensor x, Tensor y) { return x + 0.3 * (y - x); }},
    {"addcmul_", [](Tensor x, Tensor y) { return x.clone().addcmul_(x, y, 2); }, [](Tensor x, Tensor y) { return x + 2 * x * y; }},
    {"addmm_", [](Tensor x, Tensor y) { return x.clone().addmm_(x.mm(y.t()), y); }, [](Tensor x, Tensor y) { return x + x.mm(y.t()).mm(y); }},
    {"copy_", [](Tensor x, Tensor y) { return x.clone().copy_(y); }, [](Tensor, Tensor y) { return y; }},
    {"copy_ of a row", [](Tensor x, Tensor y) { return x.clone().copy_(y[0] * x[1]); }, [](Tensor x, Tensor y) { return (y[0] * x[1]).expand({3, 4}); }},
    {"copy_ of another type", [](Tensor x, Tensor y) { return x.clone().copy_(y.to(kFloat)) * x; }, [](Tensor x, Tensor y) { return y.to(kFloat).to(kDouble) * x; }},
    {"fill_ and zero_", [](Tensor x, Tensor y) { Tensor z = x.clone().fill_(2); return z.mul_(y) + y.clone().zero_(); }, [](Tensor, Tensor y) { return 2 * y; }},
    {"operators", [](Tensor x, Tensor y) { Tensor z = x.clone(); z += y; z *= x; z -= 1; z /= y; return z; }, [](Tensor x, Tensor y) { return ((x + y) * x - 1) / y; }},
    {"the argument itself", [](Tensor x, Tensor y) { x.mul_(y); y.add_(x); return x.mul_(y); }, [](Tensor x, Tensor y) { return x * y * (y + x * y); }},
    {"an accumulator", [](Tensor x, Tensor y) { Tensor sum = zeros({4}, kDouble); for (int i = 0; i < 3; ++i) sum.add_(x[i] * y[i]); return sum; },
     [](Tensor x, Tensor y) { return (x * y).sum(0); }},
    {"a product in a loop", [](Tensor x, Tensor y) { Tensor p = ones({4}, kDouble); for (int i = 0; i < 3; ++i) p.mul_(x[i]).add_(y[i]); return p; },
     [](Tensor x, Tensor y) { return ((x[0] + y[0]) * x[1] + y[1]) * x[2] + y[2]; }},
};

const Case kIndexed[] = {
    {"masked_fill_", [](Tensor x, Tensor y) { return (x * y).masked_fill_(mask(), 7); }, [](Tensor x, Tensor y) { return masked_fill(x * y, mask(), 7); }},
    {"masked_fill_ by a tensor", [](Tensor x, Tensor y) { return (x * y).masked_fill_(mask(), y[0][1]); }, [](Tensor x, Tensor y) { return where(mask(), y[0][1], x * y); }},
    {"masked_fill_ where", [](Tensor x, Tensor y) { return (x * y).masked_fill_(x > y, 0); }, [](Tensor x, Tensor y) { return where(x > y, zeros_like(x), x * y); }},
    {"scatter_", [](Tensor x, Tensor y) { return x.clone().scatter_(0, index().reshape({2, 1}), y); }, [](Tensor x, Tensor y) { return scatter(x, 0, index().reshape({2, 1}), y); }},
    {"scatter_add_", [](Tensor x, Tensor y) { return x.clone().scatter_add_(0, index().reshape({2, 1}), y); }, [](Tensor x, Tensor y) { return scatter_add(x, 0, index().reshape({2, 1}), y); }},
    {"index_add_", [](Tensor x, Tensor y) { return x.clone().index_add_(0, index(), y.narrow(0, 0, 2)); }, [](Tensor x, Tensor y) { return stack({x[0] + y[1], x[1], x[2] + y[0]}); }},
    {"index_copy_", [](Tensor x, Tensor y) { return x.clone().index_copy_(0, index(), y.narrow(0, 0, 2)); }, [](Tensor x, Tensor y) { return stack({y[1], x[1], y[0]}); }},
    {"index_fill_", [](Tensor x, Tensor y) { return (x * y).index_fill_(0, index(), 3); }, [](Tensor x, Tensor y) { return stack({full({4}, 3, kDouble), x[1] * y[1], full({4}, 3, kDouble)}); }},
    {"index_put_ of a row", [](Tensor x, Tensor y) { return x.clone().index_put_({1}, y[0]); }, [](Tensor x, Tensor y) { return stack({x[0], y[0], x[2]}); }},
    {"index_put_ of a slice", [](Tensor x, Tensor y) { return x.clone().index_put_({Slice(), Slice(1, None)}, y.narrow(1, 0, 3)); },
     [](Tensor x, Tensor y) { return cat({x.narrow(1, 0, 1), y.narrow(1, 0, 3)}, 1); }},
    {"index_put_ by a tensor", [](Tensor x, Tensor y) { return x.clone().index_put_({index()}, y.narrow(0, 0, 2)); }, [](Tensor x, Tensor y) { return stack({y[1], x[1], y[0]}); }},
    {"index_put_ by a mask", [](Tensor x, Tensor y) { return (x * y).index_put_({mask()}, 5); }, [](Tensor x, Tensor y) { return masked_fill(x * y, mask(), 5); }},
    {"tril_ and triu_", [](Tensor x, Tensor y) { return (x * y).tril_().triu_(-1); }, [](Tensor x, Tensor y) { return triu(tril(x * y), -1); }},
    {"fill_diagonal_", [](Tensor x, Tensor y) { return (x * y).fill_diagonal_(2); }, [](Tensor x, Tensor y) { return where(eye(3, 4) > 0, full({}, 2, kDouble), x * y); }},
};

const Case kViews[] = {
    {"a row", [](Tensor x, Tensor y) { Tensor z = x.clone(); z[0] = y[1]; return z; }, [](Tensor x, Tensor y) { return stack({y[1], x[0 + 1], x[2]}); }},
    {"an element", [](Tensor x, Tensor y) { Tensor z = x[0].clone(); z[1] = y[0][0] * z[2]; return z; }, [](Tensor x, Tensor y) { return stack({x[0][0], y[0][0] * x[0][2], x[0][2], x[0][3]}); }},
    {"rows of zeros", [](Tensor x, Tensor y) { Tensor z = zeros({3, 4}, kDouble); z[0] = x[1]; z[2].add_(y[0]); return z; }, [](Tensor x, Tensor y) { return stack({x[1], zeros({4}, kDouble), y[0]}); }},
    {"a column", [](Tensor x, Tensor y) { Tensor z = x.clone(); z.select(1, 2).mul_(y.select(1, 0)); return z; },
     [](Tensor x, Tensor y) { return cat({x.narrow(1, 0, 2), x.narrow(1, 2, 1) * y.narrow(1, 0, 1), x.narrow(1, 3, 1)}, 1); }},
    {"transpose", [](Tensor x, Tensor y) { Tensor z = x.clone(); z.t().mul_(y.t()); return z; }, [](Tensor x, Tensor y) { return x * y; }},
    {"permute and unsqueeze", [](Tensor x, Tensor y) { Tensor z = x.clone(); z.unsqueeze(0).permute({2, 0, 1}).mul_(y.t().unsqueeze(1)); return z; }, [](Tensor x, Tensor y) { return x * y; }},
    {"diagonal", [](Tensor x, Tensor y) { Tensor z = x.clone(); z.diagonal().mul_(y.select(1, 1)); return z; },
     [](Tensor x, Tensor y) { return where(eye(3, 4) > 0, x * y.narrow(1, 1, 1), x); }},
    {"a slice with steps", [](Tensor x, Tensor y) { Tensor z = x.clone(); z.slice(1, 0, 4, 2).copy_(y.narrow(1, 0, 2)); return z; },
     [](Tensor x, Tensor y) { return stack({y.select(1, 0), x.select(1, 1), y.select(1, 1), x.select(1, 3)}, 1); }},
    {"reshape and view", [](Tensor x, Tensor y) { Tensor z = x.clone(); z.reshape({12}).mul_(y.reshape({12})); z.view({2, 6})[1].mul_(2); return z; },
     [](Tensor x, Tensor y) { return (x * y).reshape({2, 6}).mul(tensor({1.0, 2.0}).to(kDouble).reshape({2, 1})).reshape({3, 4}); }},
    {"a view of a view of a view", [](Tensor x, Tensor y) { Tensor z = x.clone(); z.t().narrow(0, 1, 2)[1].add_(y.select(1, 0)); return z; },
     [](Tensor x, Tensor y) { return stack({x.select(1, 0), x.select(1, 1), x.select(1, 2) + y.select(1, 0), x.select(1, 3)}, 1); }},
    {"squeeze and flatten", [](Tensor x, Tensor y) { Tensor z = x.clone(); z.unsqueeze(1).squeeze(1).flatten().add_(y.flatten()); return z; }, [](Tensor x, Tensor y) { return x + y; }},
    {"split", [](Tensor x, Tensor y) { Tensor z = x.clone(); auto parts = z.split(2, 1); parts[0].mul_(y.narrow(1, 0, 2)); parts[1].add_(parts[0]); return z; },
     [](Tensor x, Tensor y) { const Tensor a = x.narrow(1, 0, 2) * y.narrow(1, 0, 2); return cat({a, x.narrow(1, 2, 2) + a}, 1); }},
    {"an older view reads the base", [](Tensor x, Tensor y) { Tensor z = x.clone(), row = z[1], part = row.narrow(0, 1, 2); z.mul_(y); return part * row.sum(); },
     [](Tensor x, Tensor y) { return (x * y)[1].narrow(0, 1, 2) * (x * y)[1].sum(); }},
    {"two views that overlap", [](Tensor x, Tensor y) { Tensor z = x.clone(), row = z[1], column = z.select(1, 1); row.mul_(y[0]); column.add_(row[2]); return z * row; },
     [](Tensor x, Tensor y) {
       const Tensor row = x[1] * y[0], z = stack({x[0], row, x[2]}), column = z.narrow(1, 1, 1) + row[2];
       const Tensor out = cat({z.narrow(1, 0, 1), column, z.narrow(1, 2, 2)}, 1);
       return out * out[1];
     }},
    {"a view written after its base", [](Tensor x, Tensor y) { Tensor z = x.clone(), row = z[0]; z.mul_(2); row.copy_(y[0]); z.add_(x); return z; },
     [](Tensor x, Tensor y) { return stack({y[0] + x[0], 3 * x[1], 3 * x[2]}); }},
    {"a view of an argument", [](Tensor x, Tensor y) { x[1].mul_(y[1]); return x * y; }, [](Tensor x, Tensor y) { return stack({x[0], x[1] * y[1], x[2]}) * y; }},
    {"views of a constant", [](Tensor x, Tensor y) { return write_constant(lying({4, 1}), x, y); }, written_constant},
    {"views of a constant in another order", [](Tensor x, Tensor y) { return write_constant(lying({1, 3}), x, y); }, written_constant},
    {"views of a constant with gaps", [](Tensor x, Tensor y) { return write_constant(lying({2, 7}), x, y); }, written_constant},
    {"views of a detached part of a constant", [](Tensor x, Tensor y) { const Tensor c = lying({1, 3}).repeat({1, 2}).t().narrow(0, 3, 4).t().detach(); return write_constant(c, x, y); }, written_constant},
    {"a view of a constant in another order is written to first", [](Tensor x, Tensor y) { const Tensor c = lying({1, 3}), row = c[1]; c[2].mul_(x[0]); row.copy_(y[0]); return c * row; },
     [](Tensor x, Tensor y) { return stack({lying({4, 1})[0], y[0], 1.5 * x[0]}) * y[0]; }},
    {"a clone is no view", [](Tensor x, Tensor y) { Tensor z = x.clone(), row = z[0].clone(); z.mul_(y); return z * row; }, [](Tensor x, Tensor y) { return x * y * x[0]; }},
};

const Case kShapes[] = {
    {"t_", [](Tensor x, Tensor y) { Tensor z = x * y; z.t_(); return z.mul_(y.t()).t_(); }, [](Tensor x, Tensor y) { return x * y * y; }},
    {"the argument itself", [](Tensor x, Tensor y) { x.t_(), y.transpose_(0, 1); return x.mul_(y) + y; }, [](Tensor x, Tensor y) { return (x * y + y).t(); }},
    {"of a clone", [](Tensor x, Tensor y) { Tensor z = x.clone(), row = z[1]; z.t_(); z.mul_(y.t()); return z + row[2]; }, [](Tensor x, Tensor y) { Tensor z = x * y; return z.t() + z[1][2]; }},
    {"views of before and after", [](Tensor x, Tensor y) {
       Tensor z = x * y, row = z[1];
       z.transpose_(0, 1);
       const Tensor column = z[2];
       z.mul_(y.t()), row.add_(x[0]), column.mul_(2);
       return z * column + row.unsqueeze(1);
     }, [](Tensor x, Tensor y) {
       const Tensor z = x * y * y, rows = stack({z[0], z[1] + x[0], z[2]}), two = tensor({1.0, 1.0, 2.0, 1.0}, kDouble);
       const Tensor w = rows * two;
       return w.t() * w.t()[2] + w[1].unsqueeze(1);
     }},
    {"of a view", [](Tensor x, Tensor y) {
       Tensor z = x.clone(), row = z[1];
       row.unsqueeze_(0).mul_(y.narrow(0, 0, 1));
       row.squeeze_(0).add_(1);
       return z * row;
     }, [](Tensor x, Tensor y) { const Tensor row = x[1] * y[0] + 1; return stack({x[0], row, x[2]}) * row; }},
    {"again and again", [](Tensor x, Tensor y) {
       Tensor z = x * y, first = z.narrow(1, 0, 2);
       z.t_();
       Tensor second = z.narrow(0, 1, 2);
       z.unsqueeze_(1).transpose_(0, 2).squeeze_();
       Tensor third = z[0];
       z.mul_(2), first.add_(x.narrow(1, 0, 2)), second.mul_(y.t().narrow(0, 1, 2)), third.sub_(y[2]);
       return z * third + first.sum() * second[1][2];
     }, [](Tensor x, Tensor y) {
       const Tensor a = 2 * x * y + cat({x.narrow(1, 0, 2), zeros({3, 2}, kDouble)}, 1);
       const Tensor b = cat({a.narrow(1, 0, 1), (a * y).narrow(1, 1, 2), a.narrow(1, 3, 1)}, 1);
       const Tensor c = stack({b[0] - y[2], b[1], b[2]});
       return c * c[0] + c.narrow(1, 0, 2).sum() * c[2][2];
     }},
    {"that stays as it is", [](Tensor x, Tensor y) { Tensor z = x * y, v = x[0] * y[0]; return z.squeeze_().mul_(y) + v.t_().mul_(2); }, [](Tensor x, Tensor y) { return x * y * y + 2 * x[0] * y[0]; }},
};
// clang-format on

Tensor weights(const Tensor& like) { return values(like.sizes(), 0.3); }

/// What each transform makes of `f`, given x and y and directions for both.
std::vector<Tensor> transformed(Binary f, const Pair& in, const Pair& t) {
  std::vector<Tensor> all;
  const auto add = [&all](const Tensor& x) { all.push_back(x); };
  const auto add_both = [&](const Pair& p) { add(p.first), add(p.second); };
  const auto fresh = [](const Pair& p) { return Pair(p.first.clone(), p.second.clone()); };
  const auto loss = [f](const Pair& p) {
    const Tensor out = f(p.first, p.second);
    return (out * out * weights(out)).sum();
  };
  const auto gradient = grad(loss);
  const auto second = [&](const Pair& p, const Pair& d) { return jvp(gradient, p, d).second; };
  const Pair one(in.first[0], in.second[0]), along(t.first[0], t.second[0]);
  add(f(one.first.clone(), one.second.clone()));
  add_both(gradient(fresh(one)));
  add(jvp(f, std::tuple(one.first.clone(), one.second.clone()), std::tuple(along.first, along.second)).second);
  add_both(second(fresh(one), along));
  add(vmap(f)(in.first.clone(), in.second.clone()));
  add(vmap(f, {.in_dims = {-1, 1}})(in.first.movedim(0, -1).clone(), in.second.movedim(0, 1).clone()));
  add_both(vmap(gradient)(fresh(in)));
  add_both(grad([&](const Pair& p) { return vmap(loss)(p).sum(); })(fresh(in)));
  add_both(vmap(second)(fresh(in), t));
  add(trace(f)(one.first.clone(), one.second.clone())(in.first[1].clone(), in.second[1].clone()));
  add_both(trace(gradient)(fresh(one))(Pair(in.first[1].clone(), in.second[1].clone())));
  add_both(trace(vmap(second))(fresh(in), t)(fresh(in), t));
  const auto cloned = [f](Tensor x, Tensor y) { return f(x.clone(), y.clone()); };  // the other argument is a constant
  add(jacrev(cloned)(one.first, one.second));
  add(jacfwd<1>(cloned)(one.first, one.second));
  return all;
}

/// With one of the arguments a constant of vmap: a clone of it is plain until a batched value is written to it.
std::vector<Tensor> half_mapped(Binary f, const Pair& in) {
  const auto cloned = [f](Tensor x, Tensor y) { return f(x.clone(), y.clone()); };
  return {vmap(cloned, {.in_dims = {0, nullopt}})(in.first, in.second[1]),
          vmap(cloned, {.in_dims = {nullopt, 0}})(in.first[1], in.second),
          grad([&](Tensor y) { return cloned(in.first[1], y).square().sum(); })(in.second[0]),
          grad([&](Tensor x) { return cloned(x, in.second[1]).square().sum(); })(in.first[0])};
}

template <class Cases>
void check(const Cases& cases) {
  const Pair in(values({2, 3, 4}, 0), values({2, 3, 4}, 2)), t(values({2, 3, 4}, 5), values({2, 3, 4}, 9));
  for (const Case& c : cases) {
    INFO(c.name);
    const auto compare = [](const std::vector<Tensor>& got, const std::vector<Tensor>& expected) {
      for (size_t i = 0; i < expected.size(); ++i) {
        INFO("result " << i << ": " << got[i].sub(expected[i]).abs().max().item<double>());
        CHECK(got[i].sizes() == expected[i].sizes());
        CHECK(allclose(got[i], expected[i], 1e-12, 1e-12));
      }
    };
    CHECK_NOTHROW(compare(transformed(c.inplace, in, t), transformed(c.plain, in, t)));
    CHECK_NOTHROW(compare(half_mapped(c.inplace, in), half_mapped(c.plain, in)));
  }
}

TEST_CASE("element-wise in-place forms under transforms") { check(kElementwise); }
TEST_CASE("writing to indices under transforms") { check(kIndexed); }
TEST_CASE("writing through views under transforms") { check(kViews); }
TEST_CASE("shapes that change in place under transforms") { check(kShapes); }

/// The message of the error that `f` throws; empty if it throws none.
template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST_CASE("a tensor captured from outside of a transform cannot take an inner value") {
  Tensor outer = zeros({3, 4}, kDouble), row = outer[1];
  const Tensor x = values({3, 4}, 0), batch = values({2, 3, 4}, 0);
  const std::pair<const char*, std::function<void(const Tensor&)>> writes[] = {
      {"add", [&](const Tensor& t) { outer.add_(t); }},
      {"copy", [&](const Tensor& t) { outer.copy_(t); }},
      {"copy", [&](const Tensor& t) { outer[2] = t[0]; }},
      {"mul", [&](const Tensor& t) { row.mul_(t[0]); }},
      {"index_put", [&](const Tensor& t) { outer.index_put_({index()}, t[0]); }},
      {"masked_fill", [&](const Tensor& t) { outer.masked_fill_(mask(), t[0][0]); }},
  };
  for (const auto& [name, write] : writes) {
    INFO(name);
    const auto f = [&write = write](Tensor t) {
      write(t);
      return t.sum();
    };
    for (const std::string& message : {message_of([&] { grad(f)(x); }), message_of([&] { jvp(f, x, x); }),
                                       message_of([&] { vmap(f)(batch); }), message_of([&] { vmap(grad(f))(batch); }),
                                       message_of([&] { grad([&](Tensor t) { return grad(f)(x) * t; })(x); })}) {
      INFO(message);
      CHECK(message.find("captured") != std::string::npos);
    }
    CHECK(outer.equal(zeros({3, 4}, kDouble)));
  }
}

TEST_CASE("an outer level's tensor cannot take an inner level's value, but its clone can") {
  const Tensor x = values({2, 4}, 0), y = values({2, 4}, 3);
  const auto through = [](bool clone) {
    return [clone](Tensor a, Tensor b) {
      return grad([a, clone](Tensor t) {
        Tensor z = clone ? a.clone() : a;
        z[1] = t[0];
        return (z.mul_(t) * z).sum();
      })(b);
    };
  };
  const auto plain = [](Tensor a, Tensor b) {
    return grad([a](Tensor t) { return (stack({a[0], t[0], a[2], a[3]}) * t).square().sum(); })(b);
  };
  CHECK(allclose(vmap(through(true))(x, y), vmap(plain)(x, y)));
  const auto second = [&](auto f) { return grad([&](Tensor a) { return f(a, y[0]).sum(); })(x[0]); };
  CHECK(allclose(second(through(true)), second(plain)));
  CHECK(message_of([&] { vmap(through(false))(x, y); }).find("captured") != std::string::npos);
  CHECK(message_of([&] { second(through(false)); }).find("captured") != std::string::npos);
}

TEST_CASE("a captured tensor takes outer values for real") {
  Tensor calls = zeros({}, kDouble);
  const auto f = [&](Tensor x) {
    calls.add_(1);
    return (x * x).sum();
  };
  grad(f)(values({3}, 0));
  vmap(f)(values({2, 3}, 0));
  jvp(f, values({3}, 0), values({3}, 1));
  CHECK(calls.item<double>() == 3);
}

TEST_CASE("a mapped value cannot be written into an expanded tensor, nor change a shape") {
  const Tensor x = values({3, 4}, 0);
  const auto expanded = [](Tensor t) { return t.clone().unsqueeze(0).expand({2, 4}).mul_(t).sum(); };
  const std::string refused = "mul_: in-place on an expanded tensor of shape (2, 4) (several elements share";
  CHECK(message_of([&] { vmap(expanded)(x); }).find(refused) != std::string::npos);
  CHECK(message_of([&] { grad(expanded)(x[0]); }).find(refused) != std::string::npos);
  const auto wrong = [](Tensor t) { return t.clone().add_(t.unsqueeze(0).expand({2, 4})).sum(); };
  CHECK_FALSE(message_of([&] { vmap(wrong)(x); }).empty());
}

TEST_CASE("a captured tensor whose shape a transform changes has that shape after it") {
  const Tensor x = values({2, 4}, 0), expected = grad([](Tensor t) { return t.square().sum(); })(x);
  Tensor outer;
  const auto f = [&](Tensor t) {
    outer = t * 1;
    const Tensor row = outer[0], g = grad([&](Tensor u) { return (outer.t_() * u.t()).sum(); })(t);
    CHECK(outer.sizes() == IntArrayRef({4, 2}));
    outer.mul_(2);
    CHECK(row.sizes() == IntArrayRef({4}));
    return (g * outer.t()).sum() / 2 + 0 * row.sum();
  };
  CHECK(grad(f)(x).allclose(expected, 1e-12, 1e-12));
  // A graph inside that saved it with its old shape says so.
  const auto saved = [&](Tensor t) {
    outer = t * 1;
    return grad([&](Tensor u) {
             const Tensor y = outer * u;
             outer.t_();
             return y.sum();
           })(t)
        .sum();
  };
  CHECK(message_of([&] { grad(saved)(x); }).find("modified in place since") != std::string::npos);
  const auto unrecorded = [](Tensor t) {
    const NoGradGuard guard;
    return t.t_().sum();
  };
  CHECK(message_of([&] { grad(unrecorded)(x); }).find("t_: ") != std::string::npos);
}

TEST_CASE("views show what their bases hold wherever they leave a function or enter one") {
  const Tensor x = values({2, 4}, 0);
  const auto stale = [](Tensor t) {
    Tensor z = t.clone(), part = z.narrow(0, 1, 2).unsqueeze(0);
    part.sum();
    z.mul_(3);
    return part;
  };
  const Tensor expected = 3 * x.narrow(1, 1, 2).unsqueeze(1);
  CHECK(vmap(stale)(x).equal(expected));
  CHECK(jvp(stale, x[0], x[0]).first.equal(expected[0]));
  CHECK(vjp(stale, x[0]).first.equal(expected[0]));
  CHECK(trace(stale)(x[0])(x[1]).equal(expected[1]));
  const auto aux = [&](Tensor t) { return std::pair(t.sum(), stale(t)); };
  CHECK(grad(aux, {.has_aux = true})(x[0]).second.equal(expected[0]));
  const auto entering = [&](Tensor t) {
    const Tensor inner = vmap([](Tensor e) { return e * e; })(stale(t));
    return inner + grad([](Tensor e) { return e.square().sum() / 2; })(stale(t));
  };
  CHECK(allclose(vmap(entering)(x), expected.square() + expected));
  double read = 0;
  grad([&](Tensor t) {
    Tensor z = t.clone(), element = z[1];
    z.mul_(3);
    read = element.item<double>();
    return z.sum();
  })(x[0]);
  CHECK(read == 3 * x[0][1].item<double>());
}

TEST_CASE("a detached tensor inside vmap is not written to in silence") {
  const auto f = [](Tensor t) { return t.clone().detach().mul_(2); };
  CHECK(message_of([&] { vmap(f)(values({2, 3}, 0)); }).find("detached") != std::string::npos);
}

TEST_CASE("a detached constant shows what is written to the constant inside of transforms") {
  const auto f = [](Tensor x) {
    const Tensor c = zeros({4, 3}, kDouble).t(), d = c.detach(), row = d[1], again = d.narrow(0, 1, 2).detach();
    c.add_(x);
    return c + 2 * row + 3 * again[0];
  };
  const Tensor x = values({2, 3, 4}, 0), expected = x + 5 * x.narrow(1, 1, 1);
  CHECK(vmap(f)(x).allclose(expected, 1e-12, 1e-12));
  CHECK(trace(f)(x[0])(x[1]).allclose(expected[1], 1e-12, 1e-12));
  // A tensor of the level below could not follow.
  CHECK(message_of([&] { jvp(f, x[0], x[1]); }).find("detached tensor") != std::string::npos);
  CHECK(message_of([&] { vjp(f, x[0]); }).find("detached tensor") != std::string::npos);
}

TEST_CASE("a detached constant whose memory others show is not written to in silence") {
  const auto f = [](Tensor x) {
    const Tensor c = zeros({4}, kDouble);
    c.detach().copy_(x);
    return c * 1;
  };
  const auto alone = [](Tensor x) {
    const Tensor d = zeros({4}, kDouble).detach();
    return d.add_(x).add_(1);
  };
  const Tensor x = values({2, 4}, 0), captured = zeros({4}, kDouble);
  const auto outside = [&](Tensor t) { return captured.detach().copy_(t); };
  for (const auto& refused : {std::function<Tensor(Tensor)>(f), std::function<Tensor(Tensor)>(outside)}) {
    CHECK(message_of([&] { vmap(refused)(x); }).find("detached tensor") != std::string::npos);
    CHECK(message_of([&] { jvp(refused, x[0], x[1]); }).find("detached tensor") != std::string::npos);
  }
  CHECK(message_of([&] { trace(f)(x[0]); }).find("detached tensor") != std::string::npos);
  CHECK(vmap(alone)(x).equal(x + 1));
  CHECK(jvp(alone, x[0], x[1]).second.equal(x[1]));
}

TEST_CASE("a leaf that an in-place op makes a transform's value lives on in the graphs that used it") {
  const auto f = [](const Tensor& x) {
    Tensor w = ones({2}, kDouble).requires_grad_();
    const Tensor used = w * 3;
    w.add_(x);
    used.sum().backward();
    return (w * x).sum();
  };
  const Tensor g = func::grad(f)(tensor({1.0, 2.0}, kDouble));
  CHECK(g.allclose(tensor({3.0, 5.0}, kDouble)));
}

TEST_CASE("a leaf that a node saved and that became a transform's value is an error in backward") {
  const auto f = [](const Tensor& x) {
    Tensor w = ones({2}, kDouble).requires_grad_();
    const Tensor used = w * w;
    w.add_(x);
    const std::string message = message_of([&] { used.sum().backward(); });
    CHECK(message.find("modified in place since") != std::string::npos);
    return (w * x).sum();
  };
  CHECK(func::grad(f)(tensor({1.0, 2.0}, kDouble)).allclose(tensor({3.0, 5.0}, kDouble)));
}

TEST_CASE("a tensor whose transform is over cannot be written to or read") {
  Tensor leaked;
  vmap([&](Tensor t) {
    leaked = t * 2;
    return t;
  })(values({2, 3}, 0));
  CHECK(message_of([&] { leaked.add_(1); }).find("is over") != std::string::npos);
  CHECK(message_of([&] { zeros({3}, kDouble).add_(leaked); }).find("is over") != std::string::npos);
}

TEST_CASE("a write through an expanded view keeps the dtype of what it shows") {
  for (const DType type : {kInt, kBool, kLong}) {
    INFO(name(type));
    const auto f = [&](const Tensor& x) {
      const Tensor whole = x.ge(0).to(type);
      whole.expand({1, 2}).copy_(x.lt(0).to(type));
      return whole;
    };
    const Tensor x = tensor({1.0, -2.0, -3.0, 4.0}, kDouble).reshape({2, 2});
    CHECK(vmap(f)(x).equal(x.lt(0).to(type)));
    CHECK(vmap(f)(x).dtype() == type);
  }
}

}  // namespace
}  // namespace strata
