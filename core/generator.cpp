// The stateful generator's bookkeeping.
#include "core/generator.h"

namespace strata {

Generator::Position Generator::next() {
  const std::lock_guard lock(mutex_);
  return {seed_, offset_++};
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
  return generator;
}
void manual_seed(uint64_t seed) { default_generator().set_current_seed(seed); }

}  // namespace strata
