// The stateful generator's bookkeeping.
#include "core/generator.h"

#include <sstream>

#include "core/cuda_backend.h"
#include "core/mt19937.h"
#include "core/thread_generator.h"

namespace strata {
namespace {

constinit thread_local Generator* thread_generator = nullptr;

}  // namespace

Generator::Generator(uint64_t seed) : seed_(seed) {}
Generator::~Generator() = default;

void Generator::use_mt19937(uint64_t seed) {
  const std::lock_guard lock(mutex_);
  seed_ = seed;
  mt19937_ = std::make_unique<Mt19937>(seed);
  is_libtorchs_ = true;
}

void Generator::set_current_seed(uint64_t seed) {
  const std::lock_guard lock(mutex_);
  seed_ = seed;
  offset_ = 0;
  if (mt19937_) *mt19937_ = Mt19937(seed);
}

std::shared_ptr<Generator> Generator::clone() const {
  auto copy = std::make_shared<Generator>();
  const std::lock_guard lock(mutex_);
  copy->seed_ = seed_;
  copy->offset_ = offset_;
  if (mt19937_) copy->mt19937_ = std::make_unique<Mt19937>(*mt19937_);
  copy->is_libtorchs_ = mt19937_ != nullptr;
  return copy;
}

// The standard library shows an engine's state as text alone: the words and, in GNU's library, how many are used.
Mt19937::State Mt19937::state() const {
  std::stringstream text;
  text << engine_;
  State now{{}, kWords, normal_};
  for (uint32_t& word : now.words) text >> word;
  text >> now.used;
  return now;
}
void Mt19937::set_state(const State& state) {
  std::stringstream text;
  for (const uint32_t word : state.words) text << word << ' ';
  text << state.used;
  text >> engine_;
  normal_ = state.normal;
}

Generator& OptionalGenerator::get() const { return generator_ ? *generator_ : default_generator(); }

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
