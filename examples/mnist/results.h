// What a run reports: a line per epoch, a table, a plot.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace mnist {

/// Loss and accuracy over some digits.
struct Score {
  double loss_sum = 0;
  int64_t correct = 0;
  int64_t count = 0;

  void add(double mean_loss, int64_t right, int64_t digits) {
    loss_sum += mean_loss * static_cast<double>(digits);
    correct += right;
    count += digits;
  }
  double loss() const { return loss_sum / static_cast<double>(count); }
  double accuracy() const { return static_cast<double>(correct) / static_cast<double>(count); }
};

/// One epoch. The score in training is that of the batches as they came, each before its step and with dropout.
struct EpochResult {
  Score train;
  Score test;
  double train_seconds = 0;
  double test_seconds = 0;
};

/// "epoch 3/10   train loss 0.05120313  ..."
std::string format_line(size_t epoch, int64_t epochs, const EpochResult& result);

std::string format_results(const std::vector<EpochResult>& results);

/// An SVG document with losses and accuracies over the epochs.
std::string plot_results(const std::string& title, const std::vector<EpochResult>& results);

}  // namespace mnist
