// How far or how alike vectors are: PairwiseDistance, CosineSimilarity.
#pragma once
#include "module.h"

namespace strata::nn {

struct CosineSimilarityOptions {
  STRATA_ARG(int64_t, dim) = 1;
  STRATA_ARG(double, eps) = 1e-8;
};

struct PairwiseDistanceOptions {
  STRATA_ARG(double, p) = 2.0;
  STRATA_ARG(double, eps) = 1e-6;
  STRATA_ARG(bool, keepdim) = false;
};

namespace functional {
using CosineSimilarityFuncOptions = CosineSimilarityOptions;
using PairwiseDistanceFuncOptions = PairwiseDistanceOptions;
Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, const CosineSimilarityFuncOptions& options = {});
/// The p-norm of `x1 - x2 + eps` over the last dim.
Tensor pairwise_distance(const Tensor& x1, const Tensor& x2, const PairwiseDistanceFuncOptions& options = {});
/// The p-distances between any two rows of `(N, D)`, in the order of the upper triangle: `(N (N - 1) / 2,)`.
Tensor pdist(const Tensor& input, double p = 2.0);
}  // namespace functional

/// The cosine of the angle between vectors along dim.
class CosineSimilarityImpl : public ModuleWithOptions<CosineSimilarityImpl, CosineSimilarityOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& x1, const Tensor& x2);
};
STRATA_MODULE(CosineSimilarity);

/// The distance between vectors in the last dim.
class PairwiseDistanceImpl : public ModuleWithOptions<PairwiseDistanceImpl, PairwiseDistanceOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& x1, const Tensor& x2);
};
STRATA_MODULE(PairwiseDistance);

}  // namespace strata::nn
