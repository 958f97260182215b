// One number from which a run follows.
#pragma once

#include <cstdint>

namespace strata::train {

/// Seeds what weights, dropout, samplers and data loaders draw from, on every device, and the C library's `rand`.
/// `deterministic` also asks for algorithms that give the same bits in every run (core/deterministic.h). Keyed random
/// numbers (ops/keyed_random.h) need none of it. For ranks that are to draw different numbers add the rank.
void seed_everything(uint64_t seed, bool deterministic = false);

}  // namespace strata::train
