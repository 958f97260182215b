// Tests of einsum: values against sums over all indices, every way to write an equation, errors.
#include "ops/einsum.h"

#include <map>
#include <string>

#include "ops/linalg.h"
#include "test/ops/matrices.h"

using namespace strata;
using namespace strata::test;

namespace {

/// A sum over every value of every letter, for equations of letters and an arrow only.
class NaiveSum {
 public:
  NaiveSum(const std::string& equation, const std::vector<Tensor>& operands) {
    const size_t arrow = equation.find("->");
    std::string inputs = equation.substr(0, arrow) + ",";
    for (size_t i = 0; i < operands.size(); ++i) {
      const std::string part = inputs.substr(0, inputs.find(','));
      inputs.erase(0, part.size() + 1);
      for (size_t d = 0; d < part.size(); ++d) size_[part[d]] = std::max(size_[part[d]], operands[i].size(d));
      operands_.push_back({part, operands[i].sizes().vec(), values_of(operands[i])});
    }
    output_ = equation.substr(arrow + 2);
    int64_t count = 1;
    for (char c : output_) {
      sizes_.push_back(size_[c]);
      count *= size_[c];
    }
    result_.assign(static_cast<size_t>(count), 0);
    visit(size_.begin());
  }
  const DimVector& sizes() const { return sizes_; }
  const std::vector<double>& result() const { return result_; }

 private:
  struct Operand {
    std::string labels;
    std::vector<int64_t> sizes;
    std::vector<double> values;
  };

  void visit(std::map<char, int64_t>::iterator letter) {
    if (letter == size_.end()) return add_term();
    const auto next = std::next(letter);
    for (int64_t i = 0; i < letter->second; ++i) {
      at_[letter->first] = i;
      visit(next);
    }
  }

  void add_term() {
    double term = 1;
    for (const Operand& x : operands_) {
      int64_t offset = 0;
      for (size_t d = 0; d < x.labels.size(); ++d)
        offset = offset * x.sizes[d] + (x.sizes[d] == 1 ? 0 : at_[x.labels[d]]);
      term *= x.values[static_cast<size_t>(offset)];
    }
    int64_t offset = 0;
    for (char c : output_) offset = offset * size_[c] + at_[c];
    result_[static_cast<size_t>(offset)] += term;
  }

  std::map<char, int64_t> size_, at_;
  std::vector<Operand> operands_;
  std::string output_;
  DimVector sizes_;
  std::vector<double> result_;
};

void check(const std::string& equation, const std::vector<DimVector>& shapes) {
  CAPTURE(equation);
  std::vector<Tensor> operands;
  for (const DimVector& s : shapes)
    operands.push_back(random_matrix(s, kDouble, static_cast<unsigned>(operands.size() + 1)));
  const NaiveSum naive(equation, operands);
  const Tensor y = einsum(equation, operands);
  REQUIRE(y.sizes() == IntArrayRef(naive.sizes()));
  const std::vector<double> got = values_of(y);
  for (size_t i = 0; i < got.size(); ++i) CHECK(std::abs(got[i] - naive.result()[i]) < 1e-12);
}

}  // namespace

TEST_CASE("einsum of one operand permutes, sums and takes diagonals") {
  check("ij->ji", {{2, 3}});
  check("ij->", {{2, 3}});
  check("ij->j", {{2, 3}});
  check("ii->i", {{3, 3}});
  check("ii->", {{3, 3}});
  check("iij->ji", {{3, 3, 2}});
  check("iijj->ij", {{3, 3, 2, 2}});
  check("iji->j", {{3, 2, 3}});
  check("iii->i", {{3, 3, 3}});
  check("abcd->dbca", {{2, 3, 4, 5}});
}

TEST_CASE("einsum of one operand that changes nothing is a view of it") {
  const Tensor x = arange(3, kFloat), y = einsum("a->a", {x});
  CHECK_FALSE(y.is_same(x));
  y.add_(1);
  CHECK(x.sum().item<double>() == 6);
}

TEST_CASE("einsum of two operands multiplies matrices, batches, vectors and elements") {
  check("ij,jk->ik", {{2, 3}, {3, 4}});
  check("ij,kj->ki", {{2, 3}, {4, 3}});
  check("bij,bjk->bik", {{2, 3, 4}, {2, 4, 5}});
  check("bij,bjk->ikb", {{2, 3, 4}, {2, 4, 5}});
  check("i,i->", {{5}, {5}});
  check("i,j->ij", {{2}, {3}});
  check("i,i->i", {{4}, {4}});
  check("ij,ij->ij", {{2, 3}, {2, 3}});
  check("ij,j->i", {{2, 3}, {3}});
  check("ij,->ij", {{2, 3}, {}});
  check("bhqd,bhkd->bhqk", {{2, 3, 4, 5}, {2, 3, 6, 5}});
  check("bqhd,bkhd->bhqk", {{2, 4, 3, 5}, {2, 6, 3, 5}});
  check("abcd,cdef->efab", {{2, 3, 4, 5}, {4, 5, 2, 3}});
  check("ijk,jil->kl", {{2, 3, 4}, {3, 2, 5}});
  check("ii,ij->j", {{3, 3}, {3, 4}});
  check("ab,cb->a", {{2, 3}, {4, 3}});
  check("ab,cd->", {{2, 3}, {4, 3}});
}

TEST_CASE("einsum broadcasts dims of size 1") {
  check("ij,jk->ik", {{2, 1}, {3, 4}});
  check("bij,bjk->bik", {{1, 3, 4}, {2, 4, 5}});
  check("ij,ij->ij", {{1, 3}, {2, 1}});
  check("i,i->i", {{1}, {4}});
}

TEST_CASE("einsum contracts chains of operands from left to right") {
  check("ij,jk,kl->il", {{2, 3}, {3, 4}, {4, 5}});
  check("bi,oij,bj->bo", {{4, 2}, {3, 2, 5}, {4, 5}});
  check("a,b,c->cab", {{2}, {3}, {4}});
  check("ij,jk,ki->", {{2, 3}, {3, 4}, {4, 2}});
  check("ab,ab,ab->b", {{2, 3}, {2, 3}, {2, 3}});
}

TEST_CASE("einsum without an arrow keeps the letters that appear once in alphabetical order") {
  const Tensor a = random_matrix({2, 3}, kDouble, 1), b = random_matrix({3, 4}, kDouble, 2);
  CHECK(difference(einsum("ij,jk", {a, b}), mm(a, b)) < 1e-14);
  CHECK(difference(einsum("ba", {a}), t(a)) == 0);
  CHECK(difference(einsum("bA", {a}), t(a)) == 0);
  CHECK(difference(einsum(" i j , j k -> k i ", {a, b}), t(mm(a, b))) < 1e-14);
}

TEST_CASE("einsum's ellipsis stands for broadcast dims") {
  const Tensor a = random_matrix({2, 3, 4, 5}, kDouble, 1), b = random_matrix({3, 5, 6}, kDouble, 2);
  CHECK(difference(einsum("...ij,...jk->...ik", {a, b}), matmul(a, b)) < 1e-13);
  CHECK(difference(einsum("...ij,...jk", {a, b}), matmul(a, b)) < 1e-13);
  CHECK(difference(einsum("...ij->...ji", {a}), transpose(a, 2, 3)) == 0);
  CHECK(difference(einsum("i...->...", {a}), a.sum({0})) < 1e-13);
  CHECK(difference(einsum("...", {a}), a) == 0);
  CHECK(difference(einsum("i...j->j...i", {a}), transpose(a, 0, 3)) == 0);
  CHECK(difference(einsum("...i,i->...", {a, random_matrix({5}, kDouble, 3)}),
                   matmul(a, random_matrix({5}, kDouble, 3))) < 1e-13);
  CHECK(difference(einsum("ij...,...->ij...", {a, random_matrix({5}, kDouble, 3)}),
                   a.mul(random_matrix({5}, kDouble, 3))) == 0);
}

TEST_CASE("einsum works on empty dims and on every number type") {
  CHECK(einsum("ij,jk->ik", {zeros({0, 3}), zeros({3, 2})}).sizes() == IntArrayRef({0, 2}));
  CHECK(values_of(einsum("ij,jk->ik", {zeros({2, 0}), zeros({0, 1})})) == std::vector<double>{0, 0});
  const Tensor a = random_matrix({3, 4}, kLong, 1), b = random_matrix({4, 2}, kLong, 2);
  CHECK(difference(einsum("ij,jk->ik", {a, b}), mm(a, b)) == 0);
}

TEST_CASE("wrong equations are explained") {
  const Tensor m = zeros({2, 3});
  CHECK_THROWS_AS(einsum("ij", {}), Error);
  CHECK_THROWS_AS(einsum("ij,jk->ik", {m}), Error);
  CHECK_THROWS_AS(einsum("ijk->i", {m}), Error);
  CHECK_THROWS_AS(einsum("i->i", {m}), Error);
  CHECK_THROWS_AS(einsum("ij,jk->ik", {m, m}), Error);
  CHECK_THROWS_AS(einsum("ij->ii", {m}), Error);
  CHECK_THROWS_AS(einsum("ij->ik", {m}), Error);
  CHECK_THROWS_AS(einsum("i1->i", {m}), Error);
  CHECK_THROWS_AS(einsum("i.j->i", {m}), Error);
  CHECK_THROWS_AS(einsum("......ij->i", {m}), Error);
  CHECK_THROWS_AS(einsum("", {m}), Error);
}
