// Results as text and as a plot.
#include "mnist/results.h"

#include <fmt/format.h>

#include "common/plot.h"
#include "common/table.h"

namespace mnist {
namespace {

using strata::examples::Series;

/// One value of each epoch.
template <class F>
Series series(const std::string& name, const std::vector<EpochResult>& results, F value) {
  Series s{name, {}};
  for (const EpochResult& result : results) s.y.push_back(value(result));
  return s;
}

}  // namespace

std::string format_line(size_t epoch, int64_t epochs, const EpochResult& r) {
  return fmt::format(
      "epoch {:>2}/{}  train loss {:.8f}  accuracy {:.4f}  test loss {:.8f}  accuracy {:.4f}  {:.2f} s + {:.2f} s",
      epoch, epochs, r.train.loss(), r.train.accuracy(), r.test.loss(), r.test.accuracy(), r.train_seconds,
      r.test_seconds);
}

std::string format_results(const std::vector<EpochResult>& results) {
  std::vector<strata::examples::Row> rows;
  for (const EpochResult& r : results) {
    rows.push_back({fmt::format("{}", rows.size() + 1), fmt::format("{:.6f}", r.train.loss()),
                    fmt::format("{:.4f}", r.train.accuracy()), fmt::format("{:.6f}", r.test.loss()),
                    fmt::format("{:.4f}", r.test.accuracy()), fmt::format("{:.2f}", r.train_seconds),
                    fmt::format("{:.2f}", r.test_seconds)});
  }
  return strata::examples::format_table(
      {"epoch", "train loss", "train accuracy", "test loss", "test accuracy", "train s", "test s"}, rows);
}

std::string plot_results(const std::string& title, const std::vector<EpochResult>& results) {
  std::vector<double> epochs;
  for (size_t i = 1; i <= results.size(); ++i) epochs.push_back(static_cast<double>(i));
  return strata::examples::svg_plot(
      title, {{"Loss",
               "epoch",
               "loss",
               epochs,
               {series("train", results, [](const EpochResult& r) { return r.train.loss(); }),
                series("test", results, [](const EpochResult& r) { return r.test.loss(); })}},
              {"Accuracy",
               "epoch",
               "share of digits read right",
               epochs,
               {series("train", results, [](const EpochResult& r) { return r.train.accuracy(); }),
                series("test", results, [](const EpochResult& r) { return r.test.accuracy(); })}}});
}

}  // namespace mnist
