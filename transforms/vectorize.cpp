// Parsing a signature and splitting shapes into leading and core dimensions.
#include "transforms/vectorize.h"

#include <map>

#include "ops/view.h"

namespace strata::func::detail {
namespace {

using Names = std::vector<std::string>;

/// The names in each pair of parentheses before the arrow: `(n,m),(m)->(n)` gives {n, m}, {m}.
std::vector<Names> parse(const std::string& signature) {
  std::vector<Names> groups;
  bool open = false;
  for (size_t i = 0; i < signature.size() && signature.compare(i, 2, "->") != 0; ++i) {
    const char c = signature[i];
    if (c == ' ') continue;
    const bool fits = open ? c != '(' : c == '(' || (c == ',' && !groups.empty());
    STRATA_CHECK(fits, "vectorize: signature '{}' is not of the form (n,m),(m)->(n)", signature);
    if (c == '(') groups.emplace_back();
    if (c == '(' || c == ')')
      open = c == '(';
    else if (open && c == ',')
      groups.back().emplace_back();
    else if (open && groups.back().empty())
      groups.back().emplace_back(1, c);
    else if (open)
      groups.back().back() += c;
  }
  STRATA_CHECK(!open, "vectorize: signature '{}' lacks a closing parenthesis", signature);
  return groups;
}

DimVector concatenated(IntArrayRef a, IntArrayRef b) {
  DimVector sizes(a);
  for (int64_t s : b) sizes.push_back(s);
  return sizes;
}

void check_core(const Tensor& t, size_t argument, const Names& names, std::map<std::string, int64_t>& sizes) {
  const auto core = static_cast<int64_t>(names.size());
  STRATA_CHECK(t.dim() >= core, "vectorize: argument {} has shape {}, its signature {} core dims", argument, t.sizes(),
               core);
  for (int64_t d = 0; d < core; ++d) {
    const int64_t size = t.size(t.dim() - core + d);
    const auto [known, fresh] = sizes.emplace(names[d], size);
    STRATA_CHECK(fresh || known->second == size, "vectorize: core dim '{}' is {} and, in argument {}, {}", names[d],
                 known->second, argument, size);
  }
}

}  // namespace

Broadcasting::Broadcasting(const std::string& signature, const std::vector<Tensor>& arguments) : arguments_(arguments) {
  const std::vector<Names> groups = signature.empty() ? std::vector<Names>(arguments.size()) : parse(signature);
  STRATA_CHECK(groups.size() == arguments.size(), "vectorize: signature '{}' has {} arguments, {} were given",
               signature, groups.size(), arguments.size());
  std::map<std::string, int64_t> sizes;
  for (size_t i = 0; i < arguments.size(); ++i) {
    check_core(arguments[i], i, groups[i], sizes);
    core_.push_back(static_cast<int64_t>(groups[i].size()));
    const IntArrayRef all = arguments[i].sizes();
    leading_ = broadcast_shapes(leading_, all.slice(0, all.size() - core_[i]), "vectorize");
  }
}

Tensor Broadcasting::flat(size_t i) const {
  const Tensor& t = arguments_[i];
  const IntArrayRef core = t.sizes().slice(t.dim() - core_[i]);
  return expand(t, concatenated(leading_, core)).reshape(concatenated({numel_of(leading_)}, core));
}

Tensor Broadcasting::apart(const Tensor& result) const {
  return result.reshape(concatenated(leading_, result.sizes().slice(1)));
}

}  // namespace strata::func::detail
