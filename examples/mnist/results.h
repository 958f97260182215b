// What a run reports: a line per epoch, a table, a plot.
#pragma once
#include <strata/train/plot.h>

#include <cstdint>
#include <string>
#include <vector>

namespace mnist {

/// One epoch. Loss and accuracy in training are those of the batches as they came, each before its step and with
/// dropout.
struct EpochResult {
  double train_loss = 0, train_accuracy = 0;
  double test_loss = 0, test_accuracy = 0;
  double train_seconds = 0, test_seconds = 0;
};

/// "epoch 3/10   train loss 0.05120313  ..."
std::string format_line(size_t epoch, int64_t epochs, const EpochResult& result);

std::string format_results(const std::vector<EpochResult>& results);

/// Losses and accuracies over the epochs.
std::vector<strata::train::Panel> plot_results(const std::vector<EpochResult>& results);

}  // namespace mnist
