// Results as text and as a plot.
#include "mnist/results.h"

#include <fmt/format.h>
#include <strata/train/table.h>

namespace mnist {
namespace {

using strata::train::Curves;
using strata::train::Series;

/// One value of each epoch.
Series series(const std::string& name, const std::vector<EpochResult>& results, double EpochResult::*value) {
  Series s{name, {}};
  for (const EpochResult& result : results) s.y.push_back(result.*value);
  return s;
}

}  // namespace

std::string format_line(size_t epoch, int64_t epochs, const EpochResult& r) {
  return fmt::format(
      "epoch {:>2}/{}  train loss {:.8f}  accuracy {:.4f}  test loss {:.8f}  accuracy {:.4f}  {:.2f} s + {:.2f} s",
      epoch, epochs, r.train_loss, r.train_accuracy, r.test_loss, r.test_accuracy, r.train_seconds, r.test_seconds);
}

std::string format_results(const std::vector<EpochResult>& results) {
  std::vector<strata::train::Row> rows;
  for (const EpochResult& r : results) {
    rows.push_back({fmt::format("{}", rows.size() + 1), fmt::format("{:.6f}", r.train_loss),
                    fmt::format("{:.4f}", r.train_accuracy), fmt::format("{:.6f}", r.test_loss),
                    fmt::format("{:.4f}", r.test_accuracy), fmt::format("{:.2f}", r.train_seconds),
                    fmt::format("{:.2f}", r.test_seconds)});
  }
  return strata::train::format_table(
      {"epoch", "train loss", "train accuracy", "test loss", "test accuracy", "train s", "test s"}, rows);
}

std::vector<strata::train::Panel> plot_results(const std::vector<EpochResult>& results) {
  const auto epochs = strata::train::counted(1, static_cast<int64_t>(results.size()));
  return {
      Curves{"Loss",
             "epoch",
             "loss",
             epochs,
             {series("train", results, &EpochResult::train_loss), series("test", results, &EpochResult::test_loss)}},
      Curves{"Accuracy",
             "epoch",
             "share of digits read right",
             epochs,
             {series("train", results, &EpochResult::train_accuracy),
              series("test", results, &EpochResult::test_accuracy)}}};
}

}  // namespace mnist
