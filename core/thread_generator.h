// A default generator of this thread's own, in place of the one that all threads share.
#pragma once
#include "generator.h"

namespace strata {

/// While it lives, `default_generator()` gives `generator` to this thread, and `manual_seed` seeds that.
class ThreadGenerator {
 public:
  explicit ThreadGenerator(Generator& generator);
  ~ThreadGenerator();
  ThreadGenerator(const ThreadGenerator&) = delete;
  ThreadGenerator& operator=(const ThreadGenerator&) = delete;

 private:
  Generator* saved_;
};

}  // namespace strata
