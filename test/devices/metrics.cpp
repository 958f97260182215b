// Metrics and plots of tensors whose memory the host may not touch.
#include <strata/strata.h>
#include <strata/train/train.h>

#include "test/catch.h"
#include "test/devices/arena.h"

using namespace strata;

TEST_CASE("metrics on a device equal those on the host") {
  const Device device = (test::arena(), Device("arena"));
  const Tensor scores = random::normal(random::key(1), {40, 4}), target = arange(40, kLong) % 4;
  const auto both = [&](auto metric, auto update, auto read) {
    auto there = metric;
    for (int i = 0; i < 2; ++i) {
      update(metric, scores, target);
      update(there, scores.to(device), target.to(device));
    }
    CHECK(read(there) == read(metric));
  };
  const auto update = [](auto& m, const Tensor& s, const Tensor& t) { m.update(s, t); };
  const auto first = [](auto& m, const Tensor& s, const Tensor& t) { m.update(s.select(1, 0), t > 1); };
  const auto values = [](auto& m, const Tensor& s, const Tensor&) { m.update(s); };
  const auto compute = [](const auto& m) { return m.compute(); };
  both(train::Accuracy(), update, compute);
  both(train::Accuracy(2), update, compute);
  both(train::ConfusionMatrix(4), update, [](const auto& m) { return m.f1(); });
  both(train::Mean(), values, compute);
  both(train::MeanStd(), values, [](const auto& m) { return m.std() + m.max(); });
  both(train::BinaryScores(), first, [](const auto& m) { return m.roc_auc(); });
  both(
      train::R2(), [](auto& m, const Tensor& s, const Tensor&) { m.update(s, s * 2 + 1); }, compute);
  const auto panel = [](const Tensor& t) { return train::svg_plot("", {train::histogram("", "", {{"", t}})}); };
  CHECK(panel(scores.to(device)) == panel(scores));
}
