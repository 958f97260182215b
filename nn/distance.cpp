// PairwiseDistance and CosineSimilarity.
#include "nn/distance.h"

#include <ostream>

#include "nn/detail.h"
#include "ops/distance.h"
#include "ops/loss.h"

namespace strata::nn {

Tensor functional::cosine_similarity(const Tensor& x1, const Tensor& x2, const CosineSimilarityFuncOptions& options) {
  return strata::cosine_similarity(x1, x2, options.dim(), options.eps());
}

Tensor functional::pairwise_distance(const Tensor& x1, const Tensor& x2, const PairwiseDistanceFuncOptions& options) {
  return strata::pairwise_distance(x1, x2, options.p(), options.eps(), options.keepdim());
}

Tensor functional::pdist(const Tensor& input, double p) { return strata::pdist(input, p); }

void CosineSimilarityImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "CosineSimilarity", {{"dim", options.dim()}, {"eps", options.eps()}});
}
Tensor CosineSimilarityImpl::forward(const Tensor& x1, const Tensor& x2) {
  return functional::cosine_similarity(x1, x2, options);
}

void PairwiseDistanceImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "PairwiseDistance",
               {{"p", options.p()}, {"eps", options.eps()}, {"keepdim", options.keepdim()}});
}
Tensor PairwiseDistanceImpl::forward(const Tensor& x1, const Tensor& x2) {
  return functional::pairwise_distance(x1, x2, options);
}

}  // namespace strata::nn
