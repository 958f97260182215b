// Lists of indices, as samplers and loaders give them.
#pragma once
#include <cstddef>
#include <numeric>
#include <vector>

using Indices = std::vector<size_t>;

/// The numbers from 0 to `count`.
inline Indices range(size_t count) {
  Indices numbers(count);
  std::iota(numbers.begin(), numbers.end(), size_t{0});
  return numbers;
}

inline Indices joined(const std::vector<Indices>& parts) {
  Indices all;
  for (const Indices& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}
