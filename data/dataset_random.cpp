// The streams' seeds, drawn by Philox from the epoch's seed.
#include "data/dataset_random.h"

#include "core/parallel.h"

namespace strata::data::detail {
namespace {

thread_local BatchRandom* current = nullptr;

/// Example i of an epoch is counter 2 i, batch i is 2 i + 1. The key is not the epoch's own, so that no stream's seed
/// is a number that the program draws itself.
uint64_t stream_seed(Generator::Position epoch, uint64_t counter) {
  constexpr uint64_t kDatasets = 0x9E3779B97F4A7C15;
  const Philox4x32 draw = Philox4x32::at(epoch.seed ^ kDatasets, counter, epoch.offset);
  return uint64_t{draw.word[0]} << 32 | draw.word[1];
}

/// The batch's own numbers; of a program that asked for libtorch's, the default generator's, as there, but for batches
/// that are made by workers, whose order is any.
Generator& source_of(Generator& own) {
  if (in_parallel_region()) return own;
  Generator& common = default_generator();
  return common.draw_as_libtorch([](Mt19937&) {}) ? common : own;
}

}  // namespace

BatchRandom::BatchRandom(Generator::Position epoch, uint64_t batch)
    : epoch_(epoch), generator_(stream_seed(epoch, 2 * batch + 1)), guard_(source_of(generator_)), outer_(current) {
  current = this;
}
BatchRandom::~BatchRandom() { current = outer_; }

ExampleRandom::ExampleRandom() : batch_(current), saved_(batch_ ? batch_->generator_.state() : Generator::Position{}) {}
ExampleRandom::~ExampleRandom() {
  if (batch_) batch_->generator_.set_state(saved_);
}
void ExampleRandom::begin(size_t index) {
  if (batch_) batch_->generator_.set_current_seed(stream_seed(batch_->epoch_, 2 * uint64_t{index}));
}

}  // namespace strata::data::detail
