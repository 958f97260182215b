// Reductions, scans, orders and arrangements that breadth.cpp and families.cpp leave out, at sizes of real models: 4096
// x 1024 floats where a row does not say otherwise.
#include "families.h"

using torch::Tensor;

namespace {

Inputs matrix() { return {torch::randn({4096, 1024})}; }
Inputs positive() { return {torch::rand({4096, 1024}) + 0.5}; }
Inputs flags() { return {torch::randn({4096, 1024}) > -9}; }
Inputs integers() { return {torch::randint(1000, {4096, 1024}, torch::kLong)}; }
Inputs small_integers() { return {torch::randint(100, {4096, 1024}, torch::kInt)}; }
Inputs counts() { return {torch::randint(1000, {1 << 20}, torch::kLong)}; }
Inputs logits() { return {torch::randn({64, 50257})}; }
Inputs labelled() { return {torch::randn({4096, 1024}), torch::randint(1024, {4096}, torch::kLong)}; }
/// Values, places in 4096 rows for each element of a source, and that source.
Inputs places() {
  return {torch::randn({4096, 1024}), torch::randint(4096, {4096, 1024}, torch::kLong), torch::randn({4096, 1024})};
}
Inputs rows_to_join() {
  return {torch::randn({4096, 1024}), torch::randint(4096, {4096}, torch::kLong), torch::randn({4096, 1024})};
}

constexpr Operation kReductions[] = {
    {"var over both dims", kForward, matrix, [](const Inputs& in) { return in[0].var(); }},
    {"std over dim 0", kForward | kBackward, matrix,
     [](const Inputs& in) { return in[0].std({0}, /*unbiased=*/true); }},
    {"var_mean over dim 1", kForward, matrix,
     [](const Inputs& in) { return std::get<0>(torch::var_mean(in[0], {1}, /*unbiased=*/true)); }},
    {"logsumexp over dim 0", kForward, matrix, [](const Inputs& in) { return in[0].logsumexp(0); }},
    {"logsumexp of 64 x 50257", kForward, logits, [](const Inputs& in) { return in[0].logsumexp(1); }},
    {"norm 1 over dim 1", kForward | kBackward, matrix,
     [](const Inputs& in) { return torch::norm(in[0], 1, at::IntArrayRef{1}); }},
    {"norm 1 over dim 0", kForward, matrix, [](const Inputs& in) { return torch::norm(in[0], 1, at::IntArrayRef{0}); }},
    {"norm 2 over dim 0", kForward, matrix, [](const Inputs& in) { return torch::norm(in[0], 2, at::IntArrayRef{0}); }},
    {"norm inf over dim 1", kForward, matrix,
     [](const Inputs& in) { return torch::norm(in[0], INFINITY, at::IntArrayRef{1}); }},
    {"norm 0 over dim 1", kForward, matrix, [](const Inputs& in) { return torch::norm(in[0], 0, at::IntArrayRef{1}); }},
    {"norm 3 over dim 1", kForward, matrix, [](const Inputs& in) { return torch::norm(in[0], 3, at::IntArrayRef{1}); }},
    {"aminmax", kForward, matrix, [](const Inputs& in) { return std::get<0>(torch::aminmax(in[0])); }},
    {"aminmax over dim 1", kForward, matrix, [](const Inputs& in) { return std::get<0>(torch::aminmax(in[0], 1)); }},
    {"argmax over dim 1", kForward, matrix, [](const Inputs& in) { return in[0].argmax(1); }},
    {"argmax of 64 x 50257", kForward, logits, [](const Inputs& in) { return in[0].argmax(1); }},
    {"argmin over dim 0", kForward, matrix, [](const Inputs& in) { return in[0].argmin(0); }},
    {"all of bools", kForward, flags, [](const Inputs& in) { return in[0].all(); }},
    {"all of bools over dim 1", kForward, flags, [](const Inputs& in) { return in[0].all(1); }},
    {"all of bools over dim 0", kForward, flags, [](const Inputs& in) { return in[0].all(0); }},
    {"any of floats over dim 1", kForward, matrix, [](const Inputs& in) { return in[0].any(1); }},
    {"count_nonzero", kForward, matrix, [](const Inputs& in) { return in[0].count_nonzero(); }},
    {"count_nonzero over dim 1", kForward, matrix,
     [](const Inputs& in) { return in[0].count_nonzero(at::IntArrayRef{1}); }},
    {"sum of bools", kForward, flags, [](const Inputs& in) { return in[0].sum(); }},
    {"sum of bools over dim 1", kForward, flags, [](const Inputs& in) { return in[0].sum(1); }},
    {"sum of bools over dim 0", kForward, flags, [](const Inputs& in) { return in[0].sum(0); }},
    {"sum of int32 over dim 1", kForward, small_integers, [](const Inputs& in) { return in[0].sum(1); }},
    {"amax of int32 over dim 1", kForward, small_integers, [](const Inputs& in) { return in[0].amax(1); }},
    {"amax of int64 over dim 1", kForward, integers, [](const Inputs& in) { return in[0].amax(1); }},
    {"prod of int64 over dim 1", kForward, integers, [](const Inputs& in) { return in[0].prod(1); }},
    {"prod over dim 0", kForward, positive, [](const Inputs& in) { return in[0].prod(0); }},
    {"mean of bfloat16 over dim 1", kForward,
     [] {
       return Inputs{torch::randn({4096, 1024}).to(torch::kBFloat16)};
     },
     [](const Inputs& in) { return in[0].mean(1); }},
    {"nansum", kForward, matrix, [](const Inputs& in) { return torch::nansum(in[0]); }},
};

constexpr Operation kScans[] = {
    {"cumprod over dim 0", kForward, positive, [](const Inputs& in) { return in[0].cumprod(0); }},
    {"cumsum over dim 1, int64", kForward, integers, [](const Inputs& in) { return in[0].cumsum(1); }},
    {"cumsum of bools over dim 1", kForward, flags, [](const Inputs& in) { return in[0].cumsum(1); }},
    {"cumsum of 64 x 50257", kForward, logits, [](const Inputs& in) { return in[0].cumsum(1); }},
    {"logcumsumexp over dim 0", kForward, matrix, [](const Inputs& in) { return torch::logcumsumexp(in[0], 0); }},
    {"cummax over dim 0", kForward | kBackward, matrix,
     [](const Inputs& in) { return std::get<0>(torch::cummax(in[0], 0)); }},
};

constexpr Operation kOrders[] = {
    {"nanmedian over dim 1", kForward, matrix,
     [](const Inputs& in) { return std::get<0>(torch::nanmedian(in[0], 1)); }},
    {"nanquantile 0.3 over dim 1", kForward,
     [] {
       return Inputs{torch::randn({64, 4096})};
     },
     [](const Inputs& in) { return torch::nanquantile(in[0], 0.3, 1); }},
    {"topk 50 of 64 x 50257", kForward, logits, [](const Inputs& in) { return std::get<0>(in[0].topk(50)); }},
    {"topk 1000 of 64 x 50257", kForward, logits, [](const Inputs& in) { return std::get<0>(in[0].topk(1000)); }},
    {"topk 2 of 4096 x 64", kForward,
     [] {
       return Inputs{torch::randn({4096, 64})};
     },
     [](const Inputs& in) { return std::get<0>(in[0].topk(2)); }},
    {"sort of 64 x 50257, descending", kForward, logits,
     [](const Inputs& in) { return std::get<0>(in[0].sort(-1, true)); }},
    {"stable sort along dim 1, descending", kForward, matrix,
     [](const Inputs& in) { return std::get<0>(in[0].sort(/*stable=*/true, 1, true)); }},
    {"sort along dim 0", kForward,
     [] {
       return Inputs{torch::randn({4096, 256})};
     },
     [](const Inputs& in) { return std::get<0>(in[0].sort(0)); }},
    {"argsort of 1M int64", kForward, counts, [](const Inputs& in) { return in[0].argsort(); }},
    {"argsort of int64 along dim 1", kForward, integers, [](const Inputs& in) { return in[0].argsort(int64_t{1}); }},
    {"unique of 1M counts, inverse and counts", kForward, counts,
     [](const Inputs& in) { return std::get<1>(torch::_unique2(in[0], true, true, true)); }},
    {"unique_consecutive, inverse and counts", kForward, [] { return Inputs{std::get<0>(counts()[0].sort())}; },
     [](const Inputs& in) { return std::get<1>(torch::unique_consecutive(in[0], true, true)); }},
    {"mode of floats over dim 1", kForward,
     [] {
       return Inputs{torch::randn({1024, 1024})};
     },
     [](const Inputs& in) { return std::get<0>(torch::mode(in[0], 1)); }},
    {"pdist of 1000 in 64 dims", kForward | kBackward,
     [] {
       return Inputs{torch::randn({1000, 64})};
     },
     [](const Inputs& in) { return torch::pdist(in[0]); }},
};

constexpr Operation kArranging[] = {
    {"scatter_reduce sum along dim 1", kForward | kBackward,
     [] {
       return Inputs{torch::randn({4096, 1024}), torch::randint(1024, {4096, 1024}, torch::kLong),
                     torch::randn({4096, 1024})};
     },
     [](const Inputs& in) { return torch::scatter_reduce(in[0], 1, in[1], in[2], "sum"); }},
    {"scatter_reduce prod along dim 0", kForward, places,
     [](const Inputs& in) { return torch::scatter_reduce(in[0], 0, in[1], in[2], "prod"); }},
    {"scatter_reduce amin along dim 0", kForward, places,
     [](const Inputs& in) { return torch::scatter_reduce(in[0], 0, in[1], in[2], "amin"); }},
    {"index_reduce amax along dim 0", kForward | kBackward, rows_to_join,
     [](const Inputs& in) { return torch::index_reduce(in[0], 0, in[1], in[2], "amax"); }},
    {"index_reduce mean along dim 0", kForward, rows_to_join,
     [](const Inputs& in) { return torch::index_reduce(in[0], 0, in[1], in[2], "mean"); }},
    {"index_copy along dim 0", kForward, rows_to_join,
     [](const Inputs& in) { return torch::index_copy(in[0], 0, in[1], in[2]); }},
    {"index_fill along dim 0", kForward, labelled, [](const Inputs& in) { return in[0].index_fill(0, in[1], 0); }},
    {"gather of one label a row", kForward | kBackward, labelled,
     [](const Inputs& in) { return in[0].gather(1, in[1].unsqueeze(1)); }},
    {"masked_select", kForward | kBackward,
     [] {
       return Inputs{torch::randn({4096, 1024}), torch::randn({4096, 1024}) > 0};
     },
     [](const Inputs& in) { return in[0].masked_select(in[1]); }},
    {"nonzero of floats", kForward,
     [] {
       return Inputs{torch::randn({4096, 1024}).relu()};
     },
     [](const Inputs& in) { return in[0].nonzero(); }},
    {"repeat_interleave of given counts", kForward,
     [] {
       return Inputs{torch::randn({4096, 256}), torch::randint(4, {4096}, torch::kLong)};
     },
     [](const Inputs& in) { return in[0].repeat_interleave(in[1], 0); }},
    {"tril_indices 1024", kForward, matrix, [](const Inputs&) { return torch::tril_indices(1024, 1024); }},
    {"triu_indices 1024", kForward, matrix, [](const Inputs&) { return torch::triu_indices(1024, 1024); }},
    {"triu", kForward | kBackward, matrix, [](const Inputs& in) { return in[0].triu(1); }},
    {"tril of 64 x 256 x 256", kForward,
     [] {
       return Inputs{torch::randn({64, 256, 256})};
     },
     [](const Inputs& in) { return in[0].tril(); }},
    {"roll of all elements", kForward, matrix, [](const Inputs& in) { return in[0].roll({100}); }},
    {"one_hot of 4096 in 1024", kForward, labelled, [](const Inputs& in) { return torch::one_hot(in[1], 1024); }},
};

}  // namespace

int main(int argc, char** argv) {
  torch::manual_seed(0);
  for (const Operation& o : kReductions) rows_of(o);
  for (const Operation& o : kScans) rows_of(o);
  for (const Operation& o : kOrders) rows_of(o);
  for (const Operation& o : kArranging) rows_of(o);
  return run_rows(argc, argv);
}
