// Einsum: the equation becomes labels per dim, and pairs of operands become one batched matrix product each.
#include "ops/einsum.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "core/called.h"
#include "ops/as_result.h"
#include "ops/linalg.h"
#include "ops/view.h"

namespace strata {
namespace {

// Labels 0 to 51 are the letters A-Z, a-z; 52 and up the dims of the ellipsis, counted from its last dim backwards.
using Labels = DimVector;
constexpr int64_t kEllipsis = 52, kLabels = kEllipsis + kMaxDims;

struct Term {
  Tensor value;
  Labels labels;
};

bool contains(const Labels& labels, int64_t l) { return std::find(labels.begin(), labels.end(), l) != labels.end(); }
int64_t position(const Labels& labels, int64_t l) {
  return std::find(labels.begin(), labels.end(), l) - labels.begin();
}

class Equation {
 public:
  Equation(std::string_view text, TensorList operands) : text_(text) {
    std::string clean;
    for (char c : text)
      if (c != ' ') clean.push_back(c);
    const size_t arrow = clean.find("->");
    parse_inputs(std::string_view(clean).substr(0, arrow), operands);
    if (arrow == std::string::npos) {
      infer_output();
    } else {
      output_ = parse(std::string_view(clean).substr(arrow + 2), ellipsis_dims_);
      check_output();
    }
  }
  std::vector<Term>& terms() { return terms_; }
  const Labels& output() const { return output_; }
  int64_t size(int64_t label) const { return sizes_[label]; }

 private:
  void parse_inputs(std::string_view text, TensorList operands) {
    std::vector<std::string_view> parts;
    for (size_t from = 0, to; from <= text.size(); from = to + 1) {
      to = std::min(text.find(',', from), text.size());
      parts.push_back(text.substr(from, to - from));
    }
    STRATA_CHECK(parts.size() == operands.size(), "einsum: '{}' names {} operands, got {}", text_, parts.size(),
                 operands.size());
    sizes_.fill(1);
    for (size_t i = 0; i < parts.size(); ++i) add_term(parts[i], operands[i]);
  }

  void add_term(std::string_view part, const Tensor& x) {
    const bool has_ellipsis = part.find("...") != std::string_view::npos;
    const int64_t named = static_cast<int64_t>(part.size()) - (has_ellipsis ? 3 : 0);
    STRATA_CHECK(has_ellipsis ? named <= x.dim() : named == x.dim(),
                 "einsum: '{}' names {} dims in '{}', but that operand has shape {}", text_, named, part, x.sizes());
    const Labels labels = parse(part, x.dim() - named);
    ellipsis_dims_ = std::max(ellipsis_dims_, has_ellipsis ? x.dim() - named : 0);
    for (size_t d = 0; d < labels.size(); ++d) {
      int64_t& size = sizes_[labels[d]];
      const int64_t mine = x.sizes()[d];
      STRATA_CHECK(size == mine || size == 1 || mine == 1, "einsum: '{}' gives one dim the sizes {} and {} (in '{}')",
                   text_, size, mine, part);
      if (size == 1) size = mine;
    }
    terms_.push_back({x, labels});
  }

  Labels parse(std::string_view part, int64_t ellipsis_dims) const {
    Labels labels;
    bool seen = false;
    for (size_t i = 0; i < part.size(); ++i) {
      if (part.substr(i, 3) == "..." && !seen) {
        for (int64_t d = ellipsis_dims; d-- > 0;) labels.push_back(kEllipsis + d);
        seen = true;
        i += 2;
        continue;
      }
      STRATA_CHECK(std::isalpha(static_cast<unsigned char>(part[i])),
                   "einsum: '{}' holds '{}' where a letter or one ... was expected", text_, part.substr(i, 1));
      labels.push_back(part[i] >= 'a' ? part[i] - 'a' + 26 : part[i] - 'A');
    }
    return labels;
  }

  void infer_output() {
    for (int64_t d = ellipsis_dims_; d-- > 0;) output_.push_back(kEllipsis + d);
    for (int64_t l = 0; l < kEllipsis; ++l) {
      int64_t times = 0;
      for (const Term& t : terms_) times += std::count(t.labels.begin(), t.labels.end(), l);
      if (times == 1) output_.push_back(l);
    }
  }

  void check_output() const {
    for (int64_t l : output_) {
      const auto has = [&](const Term& t) { return contains(t.labels, l); };
      STRATA_CHECK(std::count(output_.begin(), output_.end(), l) == 1, "einsum: '{}' repeats a dim in its output",
                   text_);
      STRATA_CHECK(l >= kEllipsis || std::any_of(terms_.begin(), terms_.end(), has),
                   "einsum: '{}' has a letter in its output that no operand has", text_);
    }
  }

  std::string_view text_;
  std::vector<Term> terms_;
  Labels output_;
  int64_t ellipsis_dims_ = 0;
  std::array<int64_t, kLabels> sizes_;
};

/// Takes the diagonal of every label that appears twice.
void take_diagonals(Term& t) {
  for (size_t i = 0; i < t.labels.size();) {
    const int64_t label = t.labels[i];
    const auto next = std::find(t.labels.begin() + i + 1, t.labels.end(), label);
    if (next == t.labels.end()) {
      ++i;
      continue;
    }
    const size_t other = next - t.labels.begin();
    const int64_t size_i = t.value.sizes()[i], size_other = t.value.sizes()[other];
    if (size_i == size_other) {
      t.value = diagonal(t.value, 0, static_cast<int64_t>(i), static_cast<int64_t>(other));  // goes to the end
      t.labels.erase(other);
      t.labels.erase(i);
      t.labels.push_back(label);
    } else {  // one of them is 1 and broadcasts
      const size_t drop = size_i == 1 ? i : other;
      t.value = squeeze(t.value, static_cast<int64_t>(drop));
      t.labels.erase(drop);
    }
  }
}

/// Drops dims of size 1 whose label is larger elsewhere: they broadcast.
void drop_broadcast(Term& t, const Equation& eq) {
  for (size_t d = t.labels.size(); d-- > 0;) {
    if (t.value.sizes()[d] != 1 || eq.size(t.labels[d]) == 1) continue;
    t.value = squeeze(t.value, static_cast<int64_t>(d));
    t.labels.erase(d);
  }
}

void sum_out(Term& t, const Labels& keep) {
  DimVector dims;
  Labels left;
  for (size_t d = 0; d < t.labels.size(); ++d) {
    if (contains(keep, t.labels[d]))
      left.push_back(t.labels[d]);
    else
      dims.push_back(static_cast<int64_t>(d));
  }
  if (dims.empty()) return;
  t.value = t.value.sum(dims, false, t.value.dtype());
  t.labels = left;
}

Labels joined(const Labels& a, const Labels& b) {
  Labels out = a;
  for (int64_t l : b) out.push_back(l);
  return out;
}

Tensor arranged(const Term& t, const Labels& order) {
  if (t.labels == order) return t.value;
  DimVector dims;
  for (int64_t l : order) dims.push_back(position(t.labels, l));
  return permute(t.value, dims);
}

/// With the labels of `order` in that order, those that t lacks as dims of size 1.
Tensor aligned(const Term& t, const Labels& order) {
  Labels present;
  for (int64_t l : order)
    if (contains(t.labels, l)) present.push_back(l);
  Tensor x = arranged(t, present);
  for (size_t d = 0; d < order.size(); ++d)
    if (!contains(t.labels, order[d])) x = unsqueeze(x, static_cast<int64_t>(d));
  return x;
}

/// The labels of a pair by their part in the product.
struct Roles {
  Labels batch, rows, cols, summed;
};

Roles roles_of(const Term& a, const Term& b, const Labels& keep) {
  Roles r;
  for (int64_t l : a.labels) {
    if (!contains(b.labels, l))
      r.rows.push_back(l);
    else
      (contains(keep, l) ? r.batch : r.summed).push_back(l);
  }
  for (int64_t l : b.labels)
    if (!contains(a.labels, l)) r.cols.push_back(l);
  return r;
}

/// Batch dims stay apart (the product takes any strides there); the two groups that follow become one dim each.
Tensor as_matrices(const Term& t, const Labels& batch, const Labels& first, const Labels& second, const Equation& eq) {
  DimVector sizes;
  for (int64_t l : batch) sizes.push_back(eq.size(l));
  for (const Labels* group : {&first, &second}) {
    int64_t size = 1;
    for (int64_t l : *group) size *= eq.size(l);
    sizes.push_back(size);
  }
  const Tensor x = arranged(t, joined(joined(batch, first), second));
  return x.sizes().equals(sizes) ? x : reshape(x, sizes);
}

Term contract(Term a, Term b, const Labels& keep, const Equation& eq) {
  sum_out(a, joined(keep, b.labels));
  sum_out(b, joined(keep, a.labels));
  const Roles r = roles_of(a, b, keep);
  const Labels result = joined(joined(r.batch, r.rows), r.cols);
  if (r.summed.empty()) return {aligned(a, result).mul(aligned(b, result)), result};
  const Tensor y = matmul(as_matrices(a, r.batch, r.rows, r.summed, eq), as_matrices(b, r.batch, r.summed, r.cols, eq));
  DimVector sizes;
  for (int64_t l : result) sizes.push_back(eq.size(l));
  return {y.sizes().equals(sizes) ? y : reshape(y, sizes), result};
}

}  // namespace

Tensor einsum(std::string_view equation, TensorList operands) {
  const Called called;
  STRATA_CHECK(!operands.empty(), "einsum: expected at least one operand");
  Equation eq(equation, operands);
  std::vector<Term>& terms = eq.terms();
  for (Term& t : terms) {
    take_diagonals(t);
    drop_broadcast(t, eq);
  }
  Term result = terms[0];
  for (size_t i = 1; i < terms.size(); ++i) {
    Labels keep = eq.output();
    for (size_t j = i + 1; j < terms.size(); ++j) keep = joined(keep, terms[j].labels);
    result = contract(result, terms[i], keep, eq);
  }
  // Like sum, the sum of one operand's integers is int64; products keep their dtype.
  if (terms.size() == 1 && !is_differentiable(result.value.dtype()) && result.labels.size() > eq.output().size())
    result.value = result.value.to(kLong);
  sum_out(result, eq.output());
  const Tensor y = aligned(result, eq.output());
  if (operands.size() > 1) return as_result(y);
  return y.is_same(operands[0]) ? alias(y) : y;  // of one operand it is a view, as the caller asked for
}

}  // namespace strata
