// Generators whose numbers no argument says.
#include "train/seed.h"

#include <cstdlib>

#include "core/deterministic.h"
#include "core/generator.h"

namespace strata::train {

void seed_everything(uint64_t seed, bool deterministic) {
  manual_seed(seed);
  std::srand(static_cast<unsigned>(seed));
  if (deterministic) use_deterministic_algorithms(true);
}

}  // namespace strata::train
