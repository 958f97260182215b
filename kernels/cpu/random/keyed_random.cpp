// CPU kernels of the random ops under explicit keys: Note [Keyed elements].
#include <algorithm>
#include <limits>
#include <vector>

#include "dispatcher/kernel.h"
#include "kernels/cpu/common/strided_copy.h"
#include "kernels/cpu/random/blocks.h"
#include "kernels/cpu/random/vec_threefry.h"
#include "ops/keyed_random_def.h"

namespace strata::cpu::random {
namespace {

/// Below this many elements under one key, each element brings its own.
constexpr int64_t kFew = 256;

/// The Threefry words of a block of elements; the end of a run of elements may be overwritten by the next.
struct Words {
  alignas(64) uint32_t b0[kRandomBlock + kRandomStep];
  alignas(64) uint32_t b1[kRandomBlock + kRandomStep];
};

/// Elements of a block that bring their own keys (two words each) and counters.
struct OwnKeys {
  alignas(64) uint32_t k0[kRandomBlock] = {};
  alignas(64) uint32_t k1[kRandomBlock] = {};
  alignas(64) uint32_t counter[kRandomBlock] = {};

  void set(int64_t i, const uint32_t* key, uint32_t count) {
    k0[i] = key[0];
    k1[i] = key[1];
    counter[i] = count;
  }
  void draw(int64_t count, Words& w) const { threefry_each(k0, k1, counter, made(count), w.b0, w.b1); }
};

/// `draw` for few elements under each key.
void draw_few(const uint32_t* keys, int64_t per_key, int64_t first, int64_t count, Words& w) {
  OwnKeys own;
  const uint32_t* key = keys + first / per_key * 2;
  int64_t at = first % per_key;
  for (int64_t i = 0; i < count; ++i) {
    own.set(i, key, static_cast<uint32_t>(at));
    if (++at < per_key) continue;
    at = 0;
    key += 2;
  }
  own.draw(count, w);
}

/// Words of the `count` elements from `first` on, `per_key` of which belong to each key.
void draw(const uint32_t* keys, int64_t per_key, int64_t first, int64_t count, Words& w) {
  if (per_key < kFew) return draw_few(keys, per_key, first, count, w);
  for (int64_t done = 0; done < count;) {
    const int64_t key = (first + done) / per_key, at = (first + done) % per_key;
    const int64_t n = std::min(count - done, per_key - at);
    threefry_counted(keys + 2 * key, at, made(n), w.b0 + done, w.b1 + done);
    done += n;
  }
}

/// Calls f(words, first element, count) for all elements under `keys`.
template <class F>
void for_drawn(const uint32_t* keys, int64_t per_key, int64_t n, F&& f) {
  for_blocks(n, [&](int64_t first, int64_t count) {
    Words w;
    draw(keys, per_key, first, count, w);
    f(w, first, count);
  });
}

const uint32_t* words_of(const Tensor& t, Tensor& holder) {
  return reinterpret_cast<const uint32_t*>(row_major(t, holder));
}

void store_pairs(const Words& w, int64_t count, uint32_t* to) {
  for (int64_t i = 0; i < count; ++i) {
    to[2 * i] = w.b0[i];
    to[2 * i + 1] = w.b1[i];
  }
}

void key_split_cpu(Tensors& out, Args in, const KeySplitParams& p) {
  Tensor holder;
  const uint32_t* keys = words_of(in[0], holder);
  write_row_major(out[0], [&](char* data) {
    auto* to = reinterpret_cast<uint32_t*>(data);
    for_drawn(keys, numel_of(p.sizes), out[0].numel() / 2,
              [&](const Words& w, int64_t first, int64_t count) { store_pairs(w, count, to + 2 * first); });
  });
}

/// `to[i]` = the key made of keys[i] and counter(i).
template <class C>
void fold(const uint32_t* keys, int64_t n, C counter, uint32_t* to) {
  for_blocks(n, [&](int64_t first, int64_t count) {
    OwnKeys own;
    Words w;
    for (int64_t i = 0; i < count; ++i) own.set(i, keys + 2 * (first + i), counter(first + i));
    own.draw(count, w);
    store_pairs(w, count, to + 2 * first);
  });
}

void key_fold_in_cpu(Tensors& out, Args in, const NoParams&) {
  Tensor key_holder, data_holder;
  const uint32_t *keys = words_of(in[0], key_holder), *data = words_of(in[1], data_holder);
  const auto counter = [=](int64_t i) { return data[i]; };
  write_row_major(out[0], [&](char* to) { fold(keys, in[1].numel(), counter, reinterpret_cast<uint32_t*>(to)); });
}

template <class U>
void store_bits(const Words& w, int64_t count, U* to) {
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (sizeof(U) == 8)
      to[i] = U{w.b0[i]} << 32 | w.b1[i];
    else
      to[i] = static_cast<U>(w.b0[i] ^ w.b1[i]);
  }
}

void key_bits_cpu(Tensors& out, Args in, const KeyParams& p) {
  Tensor holder;
  const uint32_t* keys = words_of(in[0], holder);
  visit_item(item_size(p.dtype), [&]<class U>() {
    write_row_major(out[0], [&](char* data) {
      for_drawn(keys, numel_of(p.sizes), out[0].numel(), [&](const Words& w, int64_t first, int64_t count) {
        store_bits(w, count, reinterpret_cast<U*>(data) + first);
      });
    });
  });
}

// ---- Floating point -------------------------------------------------------------------------------------------------

template <class T>
inline constexpr bool kIs16Bit = sizeof(T) == 2;
/// What values of T are computed in.
template <class T>
using Computed = std::conditional_t<kIs16Bit<T>, float, T>;

/// To T and back: JAX rounds 16-bit values after every step.
template <class T>
void round_to(Computed<T>* x, int64_t n) {
  if constexpr (kIs16Bit<T>)
    for (int64_t i = 0; i < n; ++i) x[i] = static_cast<T>(x[i]);
}

template <class T>
void unit(const Words& w, int64_t n, Computed<T>* x) {
  if constexpr (std::is_same_v<T, double>)
    unit_block(w.b0, w.b1, n, x);
  else
    unit_block(w.b0, w.b1, n,
               std::is_same_v<T, float>  ? 32
               : std::is_same_v<T, Half> ? 16
                                         : 8,
               std::is_same_v<T, float>  ? 23
               : std::is_same_v<T, Half> ? 10
                                         : 7,
               x);
}

/// From [0, 1) to [low, high).
template <class T>
void stretch(Computed<T>* x, int64_t n, double from, double to) {
  using C = Computed<T>;
  const C low = static_cast<T>(static_cast<C>(from)), high = static_cast<T>(static_cast<C>(to));
  const C width = static_cast<T>(high - low);
  if (low == 0 && width == 1) return;
  if constexpr (!kIs16Bit<T>) return scale_block(x, n, low, width);
  for (int64_t i = 0; i < n; ++i) {
    const C wide = static_cast<T>(x[i] * width), moved = static_cast<T>(wide + low);
    x[i] = std::max(low, moved);
  }
}

/// Samples of p.dtype: `finish<T>(x, n)` makes them from values in [0, 1).
template <class P, class F>
void sample(const Tensor& out, const Tensor& key, const P& p, F finish) {
  Tensor holder;
  const uint32_t* keys = words_of(key, holder);
  visit_dtype(p.dtype, [&]<class T>() {
    if constexpr (is_floating_point(dtype_of<T>))
      write_row_major(out, [&](char* data) {
        for_drawn(keys, numel_of(p.sizes), out.numel(), [&](const Words& w, int64_t first, int64_t count) {
          alignas(64) Computed<T> x[kRandomBlock];
          unit<T>(w, made(count), x);
          finish.template operator()<T>(x, made(count));
          std::copy_n(x, count, reinterpret_cast<T*>(data) + first);
        });
      });
  });
}

void key_uniform_cpu(Tensors& out, Args in, const KeyIntervalParams& p) {
  sample(out[0], in[0], p, [&]<class T>(Computed<T>* x, int64_t n) { stretch<T>(x, n, p.low, p.high); });
}

void key_normal_cpu(Tensors& out, Args in, const KeyIntervalParams& p) {
  sample(out[0], in[0], p, [&]<class T>(Computed<T>* x, int64_t n) {
    const Computed<T> root = static_cast<T>(static_cast<Computed<T>>(1.4142135623730951));
    stretch<T>(x, n, p.low, p.high);
    erf_inv_block(x, n, kIs16Bit<T> ? 1 : root);
    round_to<T>(x, n);
    if constexpr (kIs16Bit<T>)
      for (int64_t i = 0; i < n; ++i) x[i] *= root;
  });
}

void key_exponential_cpu(Tensors& out, Args in, const KeyParams& p) {
  sample(out[0], in[0], p, []<class T>(Computed<T>* x, int64_t n) { exponential_block(x, n); });
}

void key_gumbel_cpu(Tensors& out, Args in, const KeyParams& p) {
  sample(out[0], in[0], p, []<class T>(Computed<T>* x, int64_t n) {
    using C = Computed<T>;
    const C tiny = std::is_same_v<T, Half> ? C(0x1p-14) : std::numeric_limits<C>::min();
    for (int64_t i = 0; i < n; ++i) x[i] = std::max(x[i], tiny);
    neg_log_block(x, n);
    round_to<T>(x, n);
    neg_log_block(x, n);
  });
}

// ---- Integers -------------------------------------------------------------------------------------------------------

/// a % n without a division (Lemire, Kaser, Kurz: Faster remainder by direct computation); a itself for n = 0.
class Remainder32 {
 public:
  explicit Remainder32(uint32_t n) : n_(n), inverse_(n == 0 ? 0 : ~uint64_t{0} / n + 1) {}
  uint32_t operator()(uint32_t a) const {
    if (n_ == 0) return a;
    return static_cast<uint32_t>((static_cast<unsigned __int128>(inverse_ * a) * n_) >> 64);
  }

 private:
  uint32_t n_;
  uint64_t inverse_;
};
struct Remainder64 {
  uint64_t n;
  uint64_t operator()(uint64_t a) const { return n == 0 ? a : a % n; }
};

/// `to[i]` = low + a 2^bits + b mod span, as far as U holds the products: Note [Keyed elements].
template <class U, class T, class R>
void store_integers(const U* a, const U* b, int64_t count, const R& rest, int64_t low, T* to) {
  const U root = rest(U{1} << (4 * sizeof(U))), shift = rest(static_cast<U>(root * root));
  for (int64_t i = 0; i < count; ++i) {
    const U offset = rest(static_cast<U>(rest(a[i]) * shift + rest(b[i])));
    to[i] = static_cast<T>(static_cast<uint64_t>(low) + offset);
  }
}

template <class T>
void draw_integers(const uint32_t* upper, const uint32_t* lower, int64_t n, const KeyRandintParams& p, T* to) {
  using U = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  using R = std::conditional_t<sizeof(T) == 8, Remainder64, Remainder32>;
  const R rest{static_cast<U>(p.span)};
  const int64_t per_key = numel_of(p.sizes);
  for_blocks(n, [&](int64_t first, int64_t count) {
    Words w;
    U a[kRandomBlock], b[kRandomBlock];
    draw(upper, per_key, first, count, w);
    store_bits(w, count, a);
    draw(lower, per_key, first, count, w);
    store_bits(w, count, b);
    store_integers(a, b, count, rest, p.low, to + first);
  });
}

void key_randint_cpu(Tensors& out, Args in, const KeyRandintParams& p) {
  Tensor holder;
  const uint32_t* keys = words_of(in[0], holder);
  const int64_t count = in[0].numel() / 2;
  std::vector<uint32_t> upper(2 * count), lower(2 * count);
  const auto split_off = [&](uint32_t number, std::vector<uint32_t>& to) {
    fold(
        keys, count, [=](int64_t) { return number; }, to.data());
  };
  split_off(0, upper);
  split_off(1, lower);
  visit_dtype(p.dtype, [&]<class T>() {
    if constexpr (is_integral(dtype_of<T>))
      write_row_major(out[0], [&](char* data) {
        draw_integers(upper.data(), lower.data(), out[0].numel(), p, reinterpret_cast<T*>(data));
      });
  });
}

}  // namespace

STRATA_KERNEL(key_split_op, CPU, key_split_cpu);
STRATA_KERNEL(key_fold_in_op, CPU, key_fold_in_cpu);
STRATA_KERNEL(key_bits_op, CPU, key_bits_cpu);
STRATA_KERNEL(key_uniform_op, CPU, key_uniform_cpu);
STRATA_KERNEL(key_normal_op, CPU, key_normal_cpu);
STRATA_KERNEL(key_exponential_op, CPU, key_exponential_cpu);
STRATA_KERNEL(key_gumbel_op, CPU, key_gumbel_cpu);
STRATA_KERNEL(key_randint_op, CPU, key_randint_cpu);

}  // namespace strata::cpu::random
