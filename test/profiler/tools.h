// Looking into a profile by name.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "profiler/profiler.h"

namespace strata::test {

using Names = std::vector<std::string>;

inline Names names(const profiler::Profiler& p) {
  Names list;
  for (const auto& e : p.events()) list.push_back(e.name);
  return list;
}

inline size_t count(const Names& list, const std::string& name) { return std::count(list.begin(), list.end(), name); }

/// The first row of a name.
inline size_t find(const profiler::Profiler& p, const std::string& name) {
  const Names list = names(p);
  const auto it = std::find(list.begin(), list.end(), name);
  return it == list.end() ? profiler::kNoEvent : static_cast<size_t>(it - list.begin());
}

}  // namespace strata::test
