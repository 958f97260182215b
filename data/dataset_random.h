// Where a dataset's random numbers come from: a stream for each example and each batch, whichever thread loads them.
#pragma once
#include <cstddef>
#include <cstdint>

#include "../core/generator.h"
#include "../core/thread_generator.h"

namespace strata::data::detail {

/// While it lives, what this thread draws are numbers of one batch: a function of the epoch's place in the random
/// sequence and the batch's number.
class BatchRandom {
 public:
  BatchRandom(Generator::Position epoch, uint64_t batch);
  ~BatchRandom();
  BatchRandom(const BatchRandom&) = delete;
  BatchRandom& operator=(const BatchRandom&) = delete;

 private:
  friend class ExampleRandom;
  const Generator::Position epoch_;
  Generator generator_;
  const ThreadGenerator guard_;
  BatchRandom* const outer_;
};

/// The same for single examples of the batch: after `begin(index)` the numbers are a function of the epoch and the
/// example's index. At the end of the scope the batch's own go on. Without a loader around it does nothing.
class ExampleRandom {
 public:
  ExampleRandom();
  ~ExampleRandom();
  ExampleRandom(const ExampleRandom&) = delete;
  ExampleRandom& operator=(const ExampleRandom&) = delete;
  void begin(size_t index);

 private:
  BatchRandom* const batch_;
  const Generator::Position saved_;
};

}  // namespace strata::data::detail
