// Every family of operations on what fills a processor's caches: 4096 x 1024 floats where a row does not say otherwise.
#include "families.h"

using torch::Tensor;
namespace F = torch::nn::functional;

namespace {

Inputs matrix() { return {torch::randn({4096, 1024})}; }
Inputs positive() { return {torch::rand({4096, 1024}) + 0.5}; }
Inputs two_matrices() { return {torch::randn({4096, 1024}), torch::randn({4096, 1024})}; }
Inputs integers() { return {torch::randint(-1000, 1000, {4096, 1024}, torch::kLong)}; }
Inputs two_integers() { return {integers()[0], integers()[0]}; }
Inputs images() { return {torch::randn({8, 64, 56, 56})}; }
/// Values, places in 4096 rows, and a source of the same shape.
Inputs places_by_element() {
  return {torch::randn({4096, 1024}), torch::randint(4096, {4096, 1024}, torch::kLong), torch::randn({4096, 1024})};
}
/// The same with one place per row.
Inputs places_by_row() {
  return {torch::randn({4096, 1024}), torch::randint(4096, {4096}, torch::kLong), torch::randn({4096, 1024})};
}

constexpr Operation kPointwise[] = {
    {"add", kForward, two_matrices, [](const Inputs& in) { return in[0] + in[1]; }},
    {"add, one transposed", kForward,
     [] {
       return Inputs{torch::randn({4096, 1024}), torch::randn({1024, 4096})};
     },
     [](const Inputs& in) { return in[0] + in[1].t(); }},
    {"add, a row to every row", kForward | kBackward,
     [] {
       return Inputs{torch::randn({1024}), torch::randn({4096, 1024})};
     },
     [](const Inputs& in) { return in[0] + in[1]; }},
    {"mul, a number to every channel, 8x2048x7x7", kForward,
     [] {
       return Inputs{torch::randn({8, 2048, 7, 7}), torch::randn({2048, 1, 1})};
     },
     [](const Inputs& in) { return in[0] * in[1]; }},
    {"sub, a number from every row of 10", kForward,
     [] {
       return Inputs{torch::randn({65536, 10}), torch::randn({65536, 1})};
     },
     [](const Inputs& in) { return in[0] - in[1]; }},
    {"add, int64", kForward, two_integers, [](const Inputs& in) { return in[0] + in[1]; }},
    {"where", kForward, two_matrices, [](const Inputs& in) { return torch::where(in[0] > 0, in[0], in[1]); }},
    {"pow 3", kForward | kBackward, matrix, [](const Inputs& in) { return torch::pow(in[0], 3); }},
    {"pow 1.7", kForward | kBackward, positive, [](const Inputs& in) { return torch::pow(in[0], 1.7); }},
    {"exp", kForward, matrix, [](const Inputs& in) { return torch::exp(in[0]); }},
    {"log", kForward, positive, [](const Inputs& in) { return torch::log(in[0]); }},
    {"tanh", kForward | kBackward, matrix, [](const Inputs& in) { return torch::tanh(in[0]); }},
    {"relu", kForward | kBackward, matrix, [](const Inputs& in) { return torch::relu(in[0]); }},
    {"prelu, a weight for each column", kForward | kBackward,
     [] {
       return Inputs{torch::randn({4096, 1024}), torch::full({1024}, 0.25)};
     },
     [](const Inputs& in) { return torch::prelu(in[0], in[1]); }},
    {"gelu", kForward | kBackward, matrix, [](const Inputs& in) { return torch::gelu(in[0]); }},
    {"softplus", kForward | kBackward, matrix, [](const Inputs& in) { return torch::softplus(in[0]); }},
    {"to bfloat16", kForward, matrix, [](const Inputs& in) { return in[0].to(torch::kBFloat16); }},
    {"smooth_l1_loss", kForward | kBackward, two_matrices,
     [](const Inputs& in) { return torch::smooth_l1_loss(in[0], in[1]); }},
    {"cross_entropy", kForward | kBackward,
     [] {
       return Inputs{torch::randn({4096, 1024}), torch::randint(1024, {4096}, torch::kLong)};
     },
     [](const Inputs& in) { return F::cross_entropy(in[0], in[1]); }},
};

constexpr Operation kShaping[] = {
    {"t().contiguous()", kForward, matrix, [](const Inputs& in) { return in[0].t().contiguous(); }},
    {"t().contiguous(), int64", kForward, integers, [](const Inputs& in) { return in[0].t().contiguous(); }},
    {"t().contiguous(), bfloat16", kForward, [] { return Inputs{matrix()[0].to(torch::kBFloat16)}; },
     [](const Inputs& in) { return in[0].t().contiguous(); }},
    {"t().contiguous(), uint8", kForward,
     [] {
       return Inputs{torch::randint(255, {4096, 1024}, torch::kByte)};
     },
     [](const Inputs& in) { return in[0].t().contiguous(); }},
    {"NCHW to NHWC, 8x64x56x56", kForward, images,
     [](const Inputs& in) {
       return in[0].permute({0, 2, 3, 1}).contiguous();
     }},
    {"heads to the front, 8x512x16x64", kForward,
     [] {
       return Inputs{torch::randn({8, 512, 16, 64})};
     },
     [](const Inputs& in) {
       return in[0].permute({0, 2, 1, 3}).contiguous();
     }},
    {"dims reversed, 64x64x32x32", kForward,
     [] {
       return Inputs{torch::randn({64, 64, 32, 32})};
     },
     [](const Inputs& in) {
       return in[0].permute({3, 2, 1, 0}).contiguous();
     }},
    {"cat", kForward | kBackward, two_matrices,
     [](const Inputs& in) {
       return torch::cat({in[0], in[1]}, 1);
     }},
    {"flip of dim 0", kForward | kBackward, matrix, [](const Inputs& in) { return in[0].flip({0}); }},
    {"flip of dim 1", kForward | kBackward, matrix, [](const Inputs& in) { return in[0].flip({1}); }},
    {"roll by 5 along dim 0", kForward | kBackward, matrix, [](const Inputs& in) { return in[0].roll({5}, {0}); }},
    {"roll by 5 along dim 1", kForward | kBackward, matrix, [](const Inputs& in) { return in[0].roll({5}, {1}); }},
    {"roll by 5 along both dims", kForward | kBackward, matrix,
     [](const Inputs& in) {
       return in[0].roll({5, 5}, {0, 1});
     }},
    {"pad by 3, zeros, 8x64x56x56", kForward | kBackward, images,
     [](const Inputs& in) {
       return F::pad(in[0], F::PadFuncOptions({3, 3, 3, 3}));
     }},
    {"pad by 3, reflected, 8x64x56x56", kForward | kBackward, images,
     [](const Inputs& in) {
       return F::pad(in[0], F::PadFuncOptions({3, 3, 3, 3}).mode(torch::kReflect));
     }},
    {"tril", kForward, matrix, [](const Inputs& in) { return in[0].tril(); }},
};

constexpr Operation kReductions[] = {
    {"sum", kForward | kBackward, matrix, [](const Inputs& in) { return in[0].sum(); }},
    {"sum over dim 0", kForward, matrix, [](const Inputs& in) { return in[0].sum(0); }},
    {"sum over dim 1", kForward, matrix, [](const Inputs& in) { return in[0].sum(1); }},
    {"sum, int64", kForward, integers, [](const Inputs& in) { return in[0].sum(); }},
    {"sum over dim 0, int64", kForward, integers, [](const Inputs& in) { return in[0].sum(0); }},
    {"sum over dim 1, int64", kForward, integers, [](const Inputs& in) { return in[0].sum(1); }},
    {"max", kForward | kBackward, matrix, [](const Inputs& in) { return in[0].max(); }},
    {"max, int64", kForward, integers, [](const Inputs& in) { return in[0].max(); }},
    {"max with index over dim 0", kForward, matrix, [](const Inputs& in) { return std::get<1>(in[0].max(0)); }},
    {"max with index over dim 1", kForward | kBackward, matrix,
     [](const Inputs& in) { return std::get<0>(in[0].max(1)); }},
    {"max with index over dim 1, int64", kForward, integers,
     [](const Inputs& in) { return std::get<1>(in[0].max(1)); }},
    {"amax", kForward | kBackward, matrix, [](const Inputs& in) { return in[0].amax(); }},
    {"amax over dim 0", kForward | kBackward, matrix, [](const Inputs& in) { return in[0].amax(0); }},
    {"amin over dim 1", kForward | kBackward, matrix, [](const Inputs& in) { return in[0].amin(1); }},
    {"prod over dim 1", kForward | kBackward, positive, [](const Inputs& in) { return in[0].prod(1); }},
    {"var over dim 0", kForward | kBackward, matrix,
     [](const Inputs& in) { return in[0].var({0}, /*unbiased=*/true); }},
    {"var over dim 1", kForward | kBackward, matrix,
     [](const Inputs& in) { return in[0].var({1}, /*unbiased=*/true); }},
    {"logsumexp over dim 1", kForward | kBackward, matrix, [](const Inputs& in) { return in[0].logsumexp(1); }},
    {"norm", kForward | kBackward, matrix, [](const Inputs& in) { return in[0].norm(); }},
    {"cumsum over dim 0", kForward | kBackward, matrix, [](const Inputs& in) { return in[0].cumsum(0); }},
    {"cumsum over dim 1", kForward | kBackward, matrix, [](const Inputs& in) { return in[0].cumsum(1); }},
    {"cumsum over dim 0, int64", kForward, integers, [](const Inputs& in) { return in[0].cumsum(0); }},
    {"cumprod over dim 1", kForward | kBackward, positive, [](const Inputs& in) { return in[0].cumprod(1); }},
    {"softmax over dim 0", kForward | kBackward, matrix, [](const Inputs& in) { return torch::softmax(in[0], 0); }},
    {"softmax over dim 1", kForward | kBackward, matrix, [](const Inputs& in) { return torch::softmax(in[0], 1); }},
    {"log_softmax over dim 0", kForward | kBackward, matrix,
     [](const Inputs& in) { return torch::log_softmax(in[0], 0); }},
    {"log_softmax over dim 1", kForward | kBackward, matrix,
     [](const Inputs& in) { return torch::log_softmax(in[0], 1); }},
};

constexpr Operation kIndexing[] = {
    {"gather along dim 0", kForward | kBackward, places_by_element,
     [](const Inputs& in) { return in[0].gather(0, in[1]); }},
    {"gather along dim 1", kForward | kBackward,
     [] {
       return Inputs{torch::randn({4096, 1024}), torch::randint(1024, {4096, 1024}, torch::kLong)};
     },
     [](const Inputs& in) { return in[0].gather(1, in[1]); }},
    {"scatter_add along dim 0", kForward | kBackward, places_by_element,
     [](const Inputs& in) { return in[0].scatter_add(0, in[1], in[2]); }},
    {"scatter_add along dim 1", kForward | kBackward,
     [] {
       return Inputs{torch::randn({4096, 1024}), torch::randint(1024, {4096, 1024}, torch::kLong),
                     torch::randn({4096, 1024})};
     },
     [](const Inputs& in) { return in[0].scatter_add(1, in[1], in[2]); }},
    {"index_add along dim 0", kForward | kBackward, places_by_row,
     [](const Inputs& in) { return in[0].index_add(0, in[1], in[2]); }},
    {"index_add along dim 1", kForward,
     [] {
       return Inputs{torch::randn({4096, 1024}), torch::randint(1024, {1024}, torch::kLong),
                     torch::randn({4096, 1024})};
     },
     [](const Inputs& in) { return in[0].index_add(1, in[1], in[2]); }},
    {"index_select along dim 0", kForward | kBackward, places_by_row,
     [](const Inputs& in) { return in[0].index_select(0, in[1]); }},
    {"embedding, 4096 of 4096x1024", kForward | kBackward, places_by_row,
     [](const Inputs& in) { return torch::embedding(in[0], in[1]); }},
    {"masked_fill", kForward | kBackward, two_matrices,
     [](const Inputs& in) { return in[0].masked_fill(in[1] > 0, 1.0); }},
    {"nonzero", kForward, two_matrices, [](const Inputs& in) { return (in[0] > 0).nonzero(); }},
    {"sort along dim 1", kForward, matrix, [](const Inputs& in) { return std::get<0>(in[0].sort(1)); }},
    {"topk 10 along dim 1", kForward, matrix, [](const Inputs& in) { return std::get<0>(in[0].topk(10, 1)); }},
};

}  // namespace

int main(int argc, char** argv) {
  torch::manual_seed(0);
  for (const Operation& o : kPointwise) rows_of(o);
  for (const Operation& o : kShaping) rows_of(o);
  for (const Operation& o : kReductions) rows_of(o);
  for (const Operation& o : kIndexing) rows_of(o);
  return run_rows(argc, argv);
}
