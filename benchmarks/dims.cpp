// Functions along each dim, of whole tensors and of operands that repeat, at the shapes of pictures, words, points and
// samples and in four dtypes: where a kernel is good for long rows of floats alone, it shows here.
#include <memory>
#include <string>
#include <vector>

#include "rows.h"

using torch::Tensor;

namespace {

enum Types : unsigned { kFloats = 1, kAll = 2 };

struct DType {
  const char* name;
  torch::Dtype dtype;
  bool is_float;
};
const DType kDTypes[] = {{"float32", torch::kFloat, true},
                         {"bfloat16", torch::kBFloat16, true},
                         {"float64", torch::kDouble, true},
                         {"int64", torch::kLong, false}};

using Sizes = std::vector<int64_t>;
const Sizes kShapes[] = {{8, 2048, 7, 7}, {8, 64, 56, 56}, {64, 8, 32, 32}, {2, 12, 512, 64}, {16, 197, 192},
                         {1000, 1000},    {4096, 64},      {65536, 10},     {100000, 3},      {1000000}};

struct Along {
  const char* name;
  Types types;
  Tensor (*run)(const Tensor& x, int64_t dim);
};
const Along kAlong[] = {
    {"sum", kAll, [](const Tensor& x, int64_t d) { return x.sum(d); }},
    {"mean", kFloats, [](const Tensor& x, int64_t d) { return x.mean(d); }},
    {"amax", kAll, [](const Tensor& x, int64_t d) { return x.amax(d); }},
    {"max", kAll, [](const Tensor& x, int64_t d) { return std::get<0>(x.max(d)); }},
    {"argmax", kAll, [](const Tensor& x, int64_t d) { return x.argmax(d); }},
    {"any", kAll, [](const Tensor& x, int64_t d) { return x.any(d); }},
    {"cumsum", kAll, [](const Tensor& x, int64_t d) { return x.cumsum(d); }},
    {"softmax", kFloats, [](const Tensor& x, int64_t d) { return x.softmax(d); }},
    {"log_softmax", kFloats, [](const Tensor& x, int64_t d) { return x.log_softmax(d); }},
    {"logsumexp", kFloats, [](const Tensor& x, int64_t d) { return x.logsumexp(d); }},
    {"norm", kFloats, [](const Tensor& x, int64_t d) { return x.norm(2, d); }},
    {"var", kFloats, [](const Tensor& x, int64_t d) { return x.var(torch::IntArrayRef{d}); }},
    {"sort", kAll, [](const Tensor& x, int64_t d) { return std::get<0>(x.sort(d)); }},
    {"flip", kAll, [](const Tensor& x, int64_t d) { return x.flip(d); }},
    {"roll", kAll, [](const Tensor& x, int64_t d) { return x.roll(1, d); }},
    {"cat", kAll,
     [](const Tensor& x, int64_t d) {
       return torch::cat({x, x}, d);
     }},
    {"stack", kAll,
     [](const Tensor& x, int64_t d) {
       return torch::stack({x, x}, d);
     }},
    {"diff", kFloats, [](const Tensor& x, int64_t d) { return x.diff(1, d); }},
    {"repeat_interleave", kAll, [](const Tensor& x, int64_t d) { return x.repeat_interleave(2, d); }},
    {"every second", kAll, [](const Tensor& x, int64_t d) { return x.slice(d, 0, x.size(d), 2).contiguous(); }},
};

struct Whole {
  const char* name;
  Types types;
  Tensor (*run)(const Tensor& x);
};
const Whole kWhole[] = {
    {"sum", kAll, [](const Tensor& x) { return x.sum(); }},
    {"max", kAll, [](const Tensor& x) { return x.max(); }},
    {"argmax", kAll, [](const Tensor& x) { return x.argmax(); }},
    {"masked_fill", kAll, [](const Tensor& x) { return x.masked_fill(x > 3, 0); }},
    {"masked_select", kAll, [](const Tensor& x) { return x.masked_select(x > 3); }},
    {"nonzero", kAll, [](const Tensor& x) { return x.nonzero(); }},
    {"to bfloat16", kAll, [](const Tensor& x) { return x.to(torch::kBFloat16, false, true); }},
    {"to int64", kAll, [](const Tensor& x) { return x.to(torch::kLong, false, true); }},
    {"to bool", kAll, [](const Tensor& x) { return x.to(torch::kBool); }},
    {"clamp", kAll, [](const Tensor& x) { return x.clamp(0, 1); }},
    {"== 1", kAll, [](const Tensor& x) { return x == 1; }},
    {"relu", kFloats, [](const Tensor& x) { return x.relu(); }},
    {"gelu", kFloats, [](const Tensor& x) { return torch::gelu(x); }},
    {"exp", kFloats, [](const Tensor& x) { return x.exp(); }},
    {"sqrt", kFloats, [](const Tensor& x) { return x.sqrt(); }},
    {"round", kFloats, [](const Tensor& x) { return x.round(); }},
    {"layer_norm", kFloats, [](const Tensor& x) { return torch::layer_norm(x, {x.size(-1)}); }},
};

struct Repeated {
  Sizes sizes, others;
};
const Repeated kRepeated[] = {{{8, 2048, 7, 7}, {2048, 1, 1}},
                              {{16, 64, 28, 28}, {16, 64, 1, 1}},
                              {{65536, 10}, {65536, 1}},
                              {{65536, 3}, {3}},
                              {{20000, 64}, {64}},
                              {{20000, 64}, {20000, 1}},
                              {{4, 12, 197, 197}, {4, 1, 1, 197}},
                              {{512, 512, 3}, {512, 512, 1}},
                              {{2000, 1, 3}, {1, 300, 3}},
                              {{64, 32, 16, 4}, {64, 32, 1, 4}}};
struct Both {
  const char* name;
  Types types;
  Tensor (*run)(const Tensor& x, const Tensor& y);
};
const Both kBoth[] = {
    {"mul", kAll, [](const Tensor& x, const Tensor& y) { return x * y; }},
    {"maximum", kAll, [](const Tensor& x, const Tensor& y) { return torch::maximum(x, y); }},
    {">", kAll, [](const Tensor& x, const Tensor& y) { return x > y; }},
    {"div", kFloats, [](const Tensor& x, const Tensor& y) { return x / y; }},
    {"pow", kFloats, [](const Tensor& x, const Tensor& y) { return torch::pow(x, y); }},
};

std::string text(const Sizes& sizes) {
  std::string all;
  for (const int64_t n : sizes) all += (all.empty() ? "" : "x") + std::to_string(n);
  return all;
}

/// Numbers from -2 to 6, made when the first row needs them.
class Numbers {
 public:
  Numbers(Sizes sizes, torch::Dtype dtype) : sizes_(std::move(sizes)), dtype_(dtype) {}
  const Tensor& operator()() {
    if (!made_.defined()) made_ = (torch::rand(sizes_) * 8 - 2).to(dtype_);
    return made_;
  }

 private:
  Sizes sizes_;
  torch::Dtype dtype_;
  Tensor made_;
};

template <class F>
void one_thread(const std::string& name, F run) {
  row(name, 1, [run] {
    const torch::NoGradGuard guard;
    benchmark::DoNotOptimize(run());
  });
}

void rows_of(const Sizes& sizes, const DType& type) {
  const auto x = std::make_shared<Numbers>(sizes, type.dtype);
  const std::string of = " of " + std::string(type.name) + " " + text(sizes);
  for (const Along& f : kAlong)
    for (int64_t d = 0; d < static_cast<int64_t>(sizes.size()); ++d)
      if (f.types == kAll || type.is_float)
        one_thread(f.name + (" along " + std::to_string(d)) + of, [=, run = f.run] { return run((*x)(), d); });
  for (const Whole& f : kWhole)
    if (f.types == kAll || type.is_float) one_thread(f.name + of, [=, run = f.run] { return run((*x)()); });
  if (sizes.size() != 4) return;
  one_thread("sum of pictures" + of, [=] { return (*x)().sum({2, 3}); });
  one_thread("sum of channels" + of, [=] { return (*x)().sum({0, 2, 3}); });
  one_thread("pad" + of, [=] { return torch::constant_pad_nd((*x)(), {1, 1, 1, 1}, 0); });
  one_thread("channels last" + of, [=] { return (*x)().permute({0, 2, 3, 1}).contiguous(); });
}

void rows_of(const Repeated& r, const DType& type) {
  const auto x = std::make_shared<Numbers>(r.sizes, type.dtype), y = std::make_shared<Numbers>(r.others, type.dtype);
  for (const Both& f : kBoth)
    if (f.types == kAll || type.is_float)
      one_thread(std::string(f.name) + " of " + type.name + " " + text(r.sizes) + " and " + text(r.others),
                 [=, run = f.run] { return run((*x)(), (*y)()); });
}

}  // namespace

int main(int argc, char** argv) {
  for (const DType& type : kDTypes) {
    for (const Sizes& sizes : kShapes) rows_of(sizes, type);
    for (const Repeated& r : kRepeated) rows_of(r, type);
  }
  return run_rows(argc, argv);
}
