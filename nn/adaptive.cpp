// A softmax over very many classes, of which few are frequent.
#include "nn/adaptive.h"

#include <cmath>
#include <ostream>

#include "core/naming.h"
#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/softmax.h"
#include "ops/view.h"

namespace strata::nn {

AdaptiveLogSoftmaxWithLossImpl::AdaptiveLogSoftmaxWithLossImpl(AdaptiveLogSoftmaxWithLossOptions options_)
    : options(std::move(options_)) {
  AdaptiveLogSoftmaxWithLossImpl::reset();
}

void AdaptiveLogSoftmaxWithLossImpl::reset() {
  cutoffs = options.cutoffs();
  bool rises = !cutoffs.empty() && cutoffs.front() > 0 && cutoffs.back() < options.n_classes();
  for (size_t i = 1; i < cutoffs.size(); ++i) rises = rises && cutoffs[i - 1] < cutoffs[i];
  STRATA_CHECK(rises, "AdaptiveLogSoftmaxWithLoss: cutoffs must rise, from 1 to {} at most, got {}",
               options.n_classes() - 1, IntArrayRef(options.cutoffs()));
  cutoffs.push_back(options.n_classes());
  shortlist_size = cutoffs[0];
  n_clusters = static_cast<int64_t>(cutoffs.size()) - 1;
  head_size = shortlist_size + n_clusters;
  head = register_module("head", Linear(LinearOptions(options.in_features(), head_size).bias(options.head_bias())));
  tail = register_module("tail", ModuleList());
  for (int64_t i = 0; i < n_clusters; ++i) {
    const auto features = static_cast<int64_t>(static_cast<double>(options.in_features()) /
                                               std::pow(options.div_value(), static_cast<double>(i + 1)));
    const int64_t classes = cutoffs[static_cast<size_t>(i) + 1] - cutoffs[static_cast<size_t>(i)];
    tail->push_back(Sequential(Linear(LinearOptions(options.in_features(), features).bias(false)),
                               Linear(LinearOptions(features, classes).bias(false))));
  }
}

void AdaptiveLogSoftmaxWithLossImpl::reset_parameters() {
  head->reset_parameters();
  for (const auto& cluster : *tail)
    for (const auto& layer : cluster->children()) layer->as<Linear>()->reset_parameters();
}

void AdaptiveLogSoftmaxWithLossImpl::pretty_print(std::ostream& stream) const {
  stream << module_prefix() << "AdaptiveLogSoftmaxWithLoss";
}

Tensor AdaptiveLogSoftmaxWithLossImpl::cluster_log_prob(int64_t cluster, const Tensor& input) {
  return log_softmax(tail->at<SequentialImpl>(static_cast<size_t>(cluster)).forward(input), 1);
}

ASMoutput AdaptiveLogSoftmaxWithLossImpl::forward(const Tensor& input, const Tensor& target) {
  if (input.dim() == 1 && target.dim() == 0) {
    const ASMoutput one = forward(input.unsqueeze(0), target.unsqueeze(0));
    return {as_result(one.output.squeeze(0)), one.loss};
  }
  STRATA_CHECK(input.dim() == 2 && target.dim() == 1 && target.size(0) == input.size(0),
               "AdaptiveLogSoftmaxWithLoss: expected input (N, {}) and target (N), or ({}) and (), got {} and {}",
               options.in_features(), options.in_features(), input.sizes(), target.sizes());
  const Tensor is_class = target.ge(0).logical_and(target.lt(options.n_classes()));
  STRATA_CHECK(is_class.all().item<bool>(), "AdaptiveLogSoftmaxWithLoss: targets must be in [0, {}), got {} to {}",
               options.n_classes(), target.min().item<int64_t>(), target.max().item<int64_t>());
  Tensor place = target;  // in the head
  Tensor within = strata::zeros({input.size(0)}, input.options());
  for (int64_t i = 0; i < n_clusters; ++i) {
    const int64_t low = cutoffs[static_cast<size_t>(i)], high = cutoffs[static_cast<size_t>(i) + 1];
    const Tensor is_here = target.ge(low).logical_and(target.lt(high));
    const Tensor rows = is_here.nonzero().squeeze(1);
    if (rows.numel() == 0) continue;
    const Tensor classes = target.index_select(0, rows).sub(low).unsqueeze(1);
    const Tensor found = cluster_log_prob(i, input.index_select(0, rows)).gather(1, classes).squeeze(1);
    within = within.index_copy(0, rows, found.to(within.dtype()));
    place = place.masked_fill(is_here, shortlist_size + i);
  }
  const Tensor of_head = log_softmax(head(input), 1).gather(1, place.unsqueeze(1)).squeeze(1);
  const Tensor output = within + of_head;
  return {output, -mean(output)};
}

Tensor AdaptiveLogSoftmaxWithLossImpl::_get_full_log_prob(const Tensor& input, const Tensor& head_output) {
  const Tensor of_head = log_softmax(head_output, 1);
  std::vector<Tensor> parts = {of_head.narrow(1, 0, shortlist_size)};
  for (int64_t i = 0; i < n_clusters; ++i)
    parts.push_back(cluster_log_prob(i, input) + of_head.narrow(1, shortlist_size + i, 1));
  return cat(parts, 1);
}

Tensor AdaptiveLogSoftmaxWithLossImpl::log_prob(const Tensor& input) { return _get_full_log_prob(input, head(input)); }

Tensor AdaptiveLogSoftmaxWithLossImpl::predict(const Tensor& input) {
  const Tensor head_output = head(input), chosen = argmax(head_output, 1);
  const Tensor rows = chosen.ge(shortlist_size).nonzero().squeeze(1);
  if (rows.numel() == 0) return chosen;
  const Tensor all = _get_full_log_prob(input.index_select(0, rows), head_output.index_select(0, rows));
  return chosen.index_copy(0, rows, argmax(all, 1));
}

}  // namespace strata::nn
