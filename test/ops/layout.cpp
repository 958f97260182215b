// In which order the dims of results lie in memory: PyTorch's strides, by layout_torch.py.
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <sstream>

#include "test/catch.h"
#include "test/source_dir.h"

#include <strata/strata.h>

using namespace strata;

namespace {

std::vector<int64_t> numbers(const std::string& word) {
  std::vector<int64_t> list;
  if (word == "-") return list;
  std::istringstream in(word);
  for (std::string part; std::getline(in, part, ',');) list.push_back(std::stoll(part));
  return list;
}

Tensor laid_out(const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides) {
  int64_t reach = 1;
  for (size_t d = 0; d < sizes.size(); ++d) reach += (sizes[d] - 1) * strides[d];
  return ones({reach}).as_strided(sizes, strides);
}

/// Strides as they tell: where there is one element, or none, along a dim its stride says nothing.
std::vector<int64_t> telling(IntArrayRef sizes, std::vector<int64_t> strides) {
  for (size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] == 1) strides[d] = 0;
  return strides;
}

using Operands = std::vector<Tensor>;
using FunctionOfOperands = std::function<Tensor(const Operands&)>;

Tensor normalized(const Tensor& x, bool training) {
  return batch_norm(x, {}, {}, training ? Tensor() : zeros({3}), training ? Tensor() : ones({3}), training, 0.1, 1e-5,
                    false);
}

const std::map<std::string, FunctionOfOperands> functions = {
    {"exp", [](const Operands& x) { return exp(x[0]); }},
    {"gelu", [](const Operands& x) { return gelu(x[0]); }},
    {"to_double", [](const Operands& x) { return x[0].to(kDouble); }},
    {"clone", [](const Operands& x) { return x[0].clone(); }},
    {"zeros_like", [](const Operands& x) { return zeros_like(x[0]); }},
    {"rand_like", [](const Operands& x) { return rand_like(x[0]); }},
    {"dropout", [](const Operands& x) { return dropout(x[0], 0.5, true); }},
    {"clamp", [](const Operands& x) { return clamp(x[0], -1, 1); }},
    {"add", [](const Operands& x) { return x[0] + x[1]; }},
    {"mul", [](const Operands& x) { return x[0] * x[1]; }},
    {"lt", [](const Operands& x) { return lt(x[0], x[1]); }},
    {"atan2", [](const Operands& x) { return atan2(x[0], x[1]); }},
    {"where", [](const Operands& x) { return where(x[0].to(kBool), x[1], x[2]); }},
    {"addcmul", [](const Operands& x) { return addcmul(x[0], x[1], x[2]); }},
    {"heaviside", [](const Operands& x) { return heaviside(x[0], x[1]); }},
    {"isreal", [](const Operands& x) { return isreal(x[0]); }},
    {"max_pool3d", [](const Operands& x) { return max_pool3d(x[0], 2); }},
    {"batch_norm", [](const Operands& x) { return normalized(x[0], true); }},
    {"batch_norm_eval", [](const Operands& x) { return normalized(x[0], false); }},
};

Tensor computed(const std::string& name, Operands operands) {
  const size_t end = name.find("_grad");
  if (end == std::string::npos) return functions.at(name)(operands);
  const Tensor x = operands[0] = operands[0].detach().requires_grad_();
  const Tensor y = functions.at(name.substr(0, end))(operands);
  return autograd::grad({y}, {x}, {ones_like(y)})[0];
}

}  // namespace

TEST_CASE("results lie in memory as their operands do") {
  std::ifstream in(source_dir() + "/test/ops/layout_torch.txt");
  REQUIRE(in);
  int cases = 0;
  for (std::string line; std::getline(in, line); ++cases) {
    INFO(line);
    std::istringstream stream(line);
    std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
    Operands operands;
    for (size_t i = 1; i + 2 < words.size(); i += 2)
      operands.push_back(laid_out(numbers(words[i]), numbers(words[i + 1])));
    const Tensor y = computed(words[0], operands);
    CHECK(telling(y.sizes(), y.strides().vec()) == telling(y.sizes(), numbers(words.back())));
  }
  CHECK(cases == 680);
}

TEST_CASE("what lies in another order has the same values") {
  const Tensor x = arange(24, kFloat).view({2, 3, 4}), y = x.permute({2, 0, 1});
  CHECK(y.exp().is_contiguous() == false);
  CHECK(y.exp().equal(y.contiguous().exp()));
  CHECK((y + ones({3})).equal(y.contiguous() + 1));
  CHECK(y.clone().equal(y));
  CHECK(y.contiguous().is_contiguous());
}

TEST_CASE("copies keep strides along dims of one element, which order results of them and larger tensors") {
  const Tensor x = ones({3}, kHalf).as_strided({3, 1, 1}, {1, 3, 3});
  for (const Tensor& copy : {x.to(kFloat), x.to(kInt), x.clone()})
    CHECK(copy.strides().vec() == std::vector<int64_t>{1, 3, 3});
  CHECK(x.expand({3, 1, 2}).to(kFloat).strides().vec() == std::vector<int64_t>{2, 6, 1});
  CHECK((x + ones({1, 3, 1})).strides().vec() == std::vector<int64_t>{1, 3, 9});
}

TEST_CASE("average pools keep the channels of volumes last") {
  const Tensor x = ones({2, 3, 4, 4, 4}).to(MemoryFormat::ChannelsLast3d);
  CHECK(avg_pool3d(x, 2).is_contiguous(MemoryFormat::ChannelsLast3d));
  CHECK(adaptive_avg_pool3d(x, 2).is_contiguous(MemoryFormat::ChannelsLast3d));
}
