// How values come to the places that indices name: written there, or joined with what is there.
#pragma once
#include <cstdint>
#include <type_traits>

#include "kernels/cpu/common/elementwise.h"
#include "kernels/cpu/common/strided_copy.h"
#include "kernels/cpu/common/vec_move.h"

namespace strata::cpu::indexing {

/// In the place of what is there.
struct Replace {
  template <class T>
  void one(T& to, T from) const {
    to = from;
  }
  template <class T>
  void run(T* to, const T* from, int64_t n) const {
    copy_run(to, from, n);
  }
};

/// Joined with what is there: by `loop`, unless it is null or a run is short, else by `Join`, which gives the same.
template <class Join>
struct JoinBy {
  Loop loop;

  template <class T>
  void one(T& to, T from) const {
    to = Join()(from, to);
  }
  template <class T>
  void run(T* to, const T* from, int64_t n) const {
    constexpr int64_t kShort = 16;
    if (n >= kShort && loop) return loop(LoopArgs{to, {from, to}, {1, 1}, n, nullptr, false});
    for (int64_t i = 0; i < n; ++i) one(to[i], from[i]);
  }
};

struct Sum {
  template <class T>
  T operator()(T from, T to) const {
    return sum_of(to, from);
  }
};
using Accumulate = JoinBy<Sum>;

/// What a walk along the lines of an index does to elements of `to`, given those of `from`.
template <class T, class Write>
struct WriteLines {
  T* to;
  const T* from;
  Write write;

  void one(int64_t to_at, int64_t from_at) const { write.one(to[to_at], from[from_at]); }
  void run(int64_t to_at, int64_t from_at, int64_t n) const { write.run(to + to_at, from + from_at, n); }
};

}  // namespace strata::cpu::indexing
