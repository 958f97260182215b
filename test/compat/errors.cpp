// The classes of errors: programs tell a wrong index from a wrong shape by what they catch, so each is libtorch's own.
#include <torch/torch.h>

#include <functional>
#include <string>
#include <vector>

#include "test/catch.h"

namespace F = torch::nn::functional;

namespace {

/// The class of the error that a call throws: the most derived that programs can name.
std::string class_of_error(const std::function<void()>& call) {
  try {
    call();
  } catch (const c10::IndexError&) {
    return "IndexError";
  } catch (const c10::ValueError&) {
    return "ValueError";
  } catch (const c10::TypeError&) {
    return "TypeError";
  } catch (const c10::NotImplementedError&) {
    return "NotImplementedError";
  } catch (const c10::Error&) {
    return "Error";
  }
  return "none";
}

struct Mistake {
  const char* name;
  std::function<void()> call;
};

void all_are(const std::string& expected, const std::vector<Mistake>& mistakes) {
  for (const Mistake& m : mistakes) {
    INFO(m.name);
    CHECK(class_of_error(m.call) == expected);
  }
}

torch::Tensor longs(std::initializer_list<int64_t> values) { return torch::tensor(std::vector<int64_t>(values)); }

const torch::Tensor a = torch::ones({2, 3}), v = torch::ones({3}), none = torch::ones({0, 3}), i = longs({0, 1}),
                    matrix = torch::zeros({1, 1}, torch::kLong);

}  // namespace

TEST_CASE("indices of gather and scatter are no IndexError", "[compat]") {
  all_are("Error", {{"gather",
                     [] {
                       a.gather(0, longs({2, 0, 0}).unsqueeze(0));
                     }},
                    {"gather below 0", [] { a.gather(1, longs({-1}).unsqueeze(0)); }},
                    {"scatter a number", [] { v.scatter(0, longs({5}), 1); }},
                    {"scatter", [] { v.scatter(0, longs({5}), torch::ones(1)); }},
                    {"scatter_add along rows",
                     [] {
                       a.scatter_add(0, longs({5}).expand({1, 3}), torch::ones({1, 3}));
                     }},
                    {"scatter_add", [] { v.scatter_add(0, longs({5}), torch::ones(1)); }},
                    {"scatter_reduce", [] { v.scatter_reduce(0, longs({5}), torch::ones(1), "mean"); }},
                    {"one_hot", [] { torch::one_hot(longs({5}), 3); }},
                    {"embedding_bag",
                     [] {
                       torch::embedding_bag(a, longs({0, 7}), longs({0}));
                     }},
                    {"multi_margin_loss",
                     [] {
                       F::multi_margin_loss(a, longs({0, 5}));
                     }},
                    {"topk", [] { v.topk(9); }},
                    {"kthvalue", [] { v.kthvalue(0); }},
                    {"an empty list", [] { a.index(std::vector<torch::indexing::TensorIndex>{}); }},
                    {"ArrayRef", [] { torch::IntArrayRef().at(0); }}});
  all_are("IndexError", {{"index", [] { v.index({longs({5})}); }},
                         {"index_put", [] { v.index_put({longs({5})}, torch::ones(1)); }},
                         {"index_select", [] { v.index_select(0, longs({5})); }},
                         {"index_copy", [] { v.index_copy(0, longs({5}), torch::ones(1)); }},
                         {"index_fill", [] { v.index_fill(0, longs({5}), 1); }},
                         {"index_add", [] { v.index_add(0, longs({5}), torch::ones(1)); }},
                         {"take", [] { v.take(longs({5})); }},
                         {"put", [] { v.put(longs({5}), torch::ones(1)); }},
                         {"embedding", [] { torch::embedding(a, longs({5})); }},
                         {"kthvalue of nothing", [] { none.kthvalue(1, 0); }}});
}

TEST_CASE("an index of a wrong form is an IndexError", "[compat]") {
  all_are("IndexError", {{"index_select", [] { a.index_select(0, matrix); }},
                         {"index_add",
                          [] {
                            a.index_add(0, matrix, torch::ones({1, 3}));
                          }},
                         {"index_copy",
                          [] {
                            a.index_copy(0, matrix, torch::ones({1, 3}));
                          }},
                         {"index_reduce",
                          [] {
                            a.index_reduce(0, matrix, torch::ones({1, 3}), "prod");
                          }},
                         {"index_fill's dtype", [] { a.index_fill(0, torch::ones(1), 1); }},
                         {"put's length", [] { a.put(longs({0}), torch::ones(2)); }},
                         {"two lengths",
                          [] {
                            a.index({i, longs({0, 1, 2})});
                          }},
                         {"avg_pool2d's rank", [] { torch::avg_pool2d(a, 2); }},
                         {"group_norm of a vector", [] { torch::group_norm(v, 1); }},
                         {"cross_entropy of a number", [] { F::cross_entropy(torch::tensor(1.0), i); }}});
  all_are("Error", {{"index_fill", [] { a.index_fill(0, matrix, 1); }},
                    {"split", [] { torch::tensor(1.0).split(1); }},
                    {"hstack of nothing", [] { torch::hstack(std::vector<torch::Tensor>()); }},
                    {"vstack of nothing", [] { torch::vstack(std::vector<torch::Tensor>()); }},
                    {"chunk", [] { torch::tensor(1.0).chunk(1); }},
                    {"index_put's dtype", [] {
                       a.clone().index_put_({i}, torch::ones({2, 3}, torch::kDouble));
                     }}});
  using torch::indexing::Slice;
  all_are("ValueError",
          {{"step 0", [] { a.index({Slice(0, 2, 0)}); }}, {"step -1", [] { a.index({Slice(0, 2, -1)}); }}});
  torch::Tensor x = torch::zeros({2, 2});
  x.index_put_({torch::ones({2, 2}, torch::kBool)}, torch::tensor(3.0, torch::kDouble));
  x.index_put_({x > 3}, torch::ones({1}, torch::kDouble));
  CHECK(torch::equal(x, torch::full({2, 2}, 3.f)));
  x.index_put_({x > 2}, torch::full({1}, 4, torch::kDouble));
  CHECK(torch::equal(x, torch::full({2, 2}, 4.f)));
  x.index_put_({0}, torch::ones({2}, torch::kLong));
  CHECK(torch::equal(x, torch::tensor({{1.f, 1.f}, {4.f, 4.f}})));
}

TEST_CASE("reductions of nothing name the dim only where one was given", "[compat]") {
  all_are("Error", {{"max", [] { none.max(); }},
                    {"min", [] { none.min(); }},
                    {"amax", [] { none.amax(); }},
                    {"amin", [] { none.amin(); }},
                    {"aminmax", [] { torch::aminmax(none); }}});
  all_are("IndexError", {{"max", [] { none.max(0); }},
                         {"amin", [] { none.amin(0); }},
                         {"argmax", [] { none.argmax(); }},
                         {"aminmax", [] { none.aminmax(0); }}});
}

TEST_CASE("a dtype without a kernel is a NotImplementedError", "[compat]") {
  const auto of_longs = torch::dtype(torch::kLong);
  all_are("NotImplementedError",
          {{"rand", [&] { torch::rand({2}, of_longs); }},
           {"randn", [&] { torch::randn({2}, of_longs); }},
           {"uniform_", [] { i.clone().uniform_(); }},
           {"normal_", [] { i.clone().normal_(); }},
           {"bernoulli", [] { torch::bernoulli(i); }},
           {"bincount", [] { torch::bincount(v); }},
           {"gcd", [] { torch::gcd(v, v); }},
           {"complex", [] { torch::complex(i, i); }},
           {"nanmean", [] { i.nanmean(); }},
           {"repeat_interleave", [] { torch::repeat_interleave(v); }},
           {"dispatch", [] { AT_DISPATCH_FLOATING_TYPES(torch::kLong, "f", [] {}); }},
           {"dispatch on integers", [] { AT_DISPATCH_INTEGRAL_TYPES(torch::kFloat, "f", [] {}); }}});
  all_are("Error", {{"exponential_", [] { i.clone().exponential_(); }},
                    {"multinomial", [] { torch::multinomial(i, 1); }},
                    {"addcdiv", [] { torch::addcdiv(i, i, i); }},
                    {"complex of two dtypes", [] { torch::complex(v, v.to(torch::kDouble)); }}});
  auto generator = torch::make_generator<at::CPUGeneratorImpl>();
  all_are("TypeError", {{"set_state", [&] { generator.set_state(v); }}});
}

TEST_CASE("what libtorch refuses is refused", "[compat]") {
  const auto cube = torch::ones({2, 2, 2});
  const auto d = v.to(torch::kDouble);
  all_are("Error", {{"lerp", [&] { torch::lerp(v, d, 0.5); }},
                    {"lerp to a number", [&] { torch::lerp(v, d[0], 0.5); }},
                    {"lerp by weights", [&] { torch::lerp(v, v, d); }},
                    {"lerp_", [&] { v.clone().lerp_(d, 0.5); }},
                    {"norm", [&] { torch::linalg_norm(cube, "fro"); }},
                    {"frobenius_norm",
                     [&] {
                       torch::frobenius_norm(cube, {0, 1, 2});
                     }},
                    {"meshgrid", [] { torch::meshgrid(std::vector<torch::Tensor>{}, "ij"); }},
                    {"dropout", [] { torch::nn::LSTM(torch::nn::LSTMOptions(4, 4).num_layers(2).dropout(2)); }}});
  CHECK(torch::equal(torch::lerp(v, 3 * v, torch::tensor(0.5, torch::kDouble)), 2 * v));
}

TEST_CASE("tensors of two dtypes may be equal", "[compat]") {
  CHECK(torch::equal(v, v.to(torch::kDouble)));
  CHECK(torch::equal(v, v.to(torch::kLong)));
  CHECK_FALSE(torch::equal(v, 2 * v.to(torch::kDouble)));
  CHECK_FALSE(torch::equal(v, torch::ones({2}, torch::kDouble)));
}

TEST_CASE("a gradient that a tensor's shape expands to is summed", "[compat]") {
  const auto w = torch::ones({2, 3}, torch::requires_grad());
  w.sum().backward(torch::ones({1}));
  CHECK(torch::equal(w.grad(), torch::ones({2, 3})));
  w.backward(torch::ones({4, 2, 3}));
  CHECK(torch::equal(w.grad(), torch::full({2, 3}, 5.f)));
  CHECK(torch::equal(torch::autograd::grad({w.sum()}, {w}, {torch::ones({2})})[0], torch::full({2, 3}, 2.f)));
  all_are("Error", {{"a row", [&] { w.backward(torch::ones({3})); }}, {"another shape", [&] {
                                                                         w.backward(torch::ones({3, 2}));
                                                                       }}});
}

TEST_CASE("tensors without elements that are taken out of a flat one grow alone", "[compat]") {
  const auto flat = torch::arange(3);
  const auto parts =
      torch::utils::unflatten_dense_tensors(flat, {torch::ones({0}), torch::ones({3}), torch::ones({0})});
  parts[0].resize_({1}).fill_(7);
  CHECK(torch::equal(flat, torch::arange(3)));
  CHECK(torch::equal(parts[1], torch::arange(3)));
}
