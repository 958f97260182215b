// The stateful generator's bookkeeping.
#include "core/generator.h"

#include "core/cuda_backend.h"
#include "core/thread_generator.h"

namespace strata {
namespace {

constinit thread_local Generator* thread_generator = nullptr;

}  // namespace

Generator::Position Generator::next(Device device) {
  const Position at = next();
  return device.is_cuda() ? cuda::position_for_draw(*this, at) : at;
}
Generator::Position Generator::advance(uint64_t draws) {
  const std::lock_guard lock(mutex_);
  const Position first{seed_, offset_};
  offset_ += draws;
  return first;
}
Generator::Position Generator::state() const {
  const std::lock_guard lock(mutex_);
  return {seed_, offset_};
}
void Generator::set_state(Position p) {
  const std::lock_guard lock(mutex_);
  seed_ = p.seed;
  offset_ = p.offset;
}

Generator& default_generator() {
  static Generator generator(67280421310721ull);  // PyTorch's default seed
  return thread_generator ? *thread_generator : generator;
}
void manual_seed(uint64_t seed) { default_generator().set_current_seed(seed); }

ThreadGenerator::ThreadGenerator(Generator& generator) : saved_(thread_generator) { thread_generator = &generator; }
ThreadGenerator::~ThreadGenerator() { thread_generator = saved_; }

}  // namespace strata
