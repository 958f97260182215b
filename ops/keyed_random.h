// Random tensors as functions of explicit keys: JAX's jax.random, number for number.
#pragma once
#include <optional>

#include "../core/tensor.h"

/// Nothing here has state: equal keys give equal numbers, on any number of threads and under every transform. A key is
/// a uint32 tensor of shape (2,); functions that say `(*K, 2)` also take a batch of keys and put the dims K in front of
/// the result. Each key is used once, then split:
///
///     Tensor keys = random::split(random::key(42), 2);
///     Tensor noise = random::normal(keys[0], {3, 4}), order = random::permutation(keys[1], 10);
///
/// The numbers equal those of jax.random with its default generator (threefry2x32, partitionable), as docs/random.md
/// lists. Errors: a key of another dtype or shape, a dtype of the wrong kind.
namespace strata::random {

/// `(2,)`: the upper and lower 32 bits of the seed.
///
///     Tensor key = random::key(42);
Tensor key(int64_t seed);
/// `(*K, 2)` keys of the integer seeds `(*K)`; seeds of less than 64 bits leave the upper word 0.
///
///     Tensor many = random::key(arange(5));  // (5, 2)
Tensor key(const Tensor& seed);
/// `(*K, num, 2)` or `(*K, *shape, 2)` independent keys from `(*K, 2)`; key i equals `fold_in(key, i)`.
///
///     Tensor keys = random::split(key, 3), grid = random::split(key, {2, 3});  // (3, 2), (2, 3, 2)
Tensor split(const Tensor& key, int64_t num = 2);
Tensor split(const Tensor& key, IntArrayRef shape);
/// The key `(*K, 2)` that belongs to `data`, 32 bits; a tensor of integers broadcasts against K and wraps around.
///
///     Tensor of_step = random::fold_in(key, 1000);
Tensor fold_in(const Tensor& key, int64_t data);
Tensor fold_in(const Tensor& key, const Tensor& data);

/// `(*K, *shape)` integers of any dtype but bool whose bits are all random; a signed dtype holds the bits of JAX's
/// unsigned one of its size.
///
///     Tensor words = random::bits(key, {4});
Tensor bits(const Tensor& key, IntArrayRef shape = {}, DType dtype = kUInt32);

struct UniformOptions {
  double minval = 0, maxval = 1;
  std::optional<DType> dtype = std::nullopt;  ///< the default floating point type where none is given
};
/// `(*K, *shape)` uniform on [minval, maxval).
///
///     Tensor u = random::uniform(keys, {4}, {.minval = -1});  // keys (3, 2): (3, 4)
Tensor uniform(const Tensor& key, IntArrayRef shape = {}, UniformOptions options = {});
Tensor uniform(const Tensor& key, IntArrayRef shape, DType dtype, double minval = 0, double maxval = 1);
/// `(*K, *shape)` normal with mean 0 and deviation 1.
///
///     Tensor z = random::normal(key, {2, 3}, kDouble);
Tensor normal(const Tensor& key, IntArrayRef shape = {}, std::optional<DType> dtype = std::nullopt);
/// `(*K, *shape)` normal given that it lies in (lower, upper).
///
///     Tensor near = random::truncated_normal(key, -2, 2, {5});
Tensor truncated_normal(const Tensor& key, double lower, double upper, IntArrayRef shape = {},
                        std::optional<DType> dtype = std::nullopt);
/// `(*K, *shape)` with density exp(-x) for x >= 0.
///
///     Tensor waits = random::exponential(key, {5});
Tensor exponential(const Tensor& key, IntArrayRef shape = {}, std::optional<DType> dtype = std::nullopt);
/// `(*K, *shape)` with density exp(-(x + exp(-x))).
///
///     Tensor g = random::gumbel(key, {5});
Tensor gumbel(const Tensor& key, IntArrayRef shape = {}, std::optional<DType> dtype = std::nullopt);
/// `(*K, *shape)` integers minval, ..., maxval - 1, bounds clipped to the dtype's range; minval where that is empty.
/// Slightly biased, as JAX says, unless the range is a power of 2.
///
///     Tensor dice = random::randint(key, {10}, 1, 7);
Tensor randint(const Tensor& key, IntArrayRef shape, int64_t minval, int64_t maxval, DType dtype = kInt);

/// bool `(*K, *shape)`, true with probability p.
///
///     Tensor keep = random::bernoulli(key, 0.9, {5});
Tensor bernoulli(const Tensor& key, double p = 0.5, IntArrayRef shape = {});
/// The same for one key and floating point probabilities that broadcast to `shape`, or of their own shape.
///
///     Tensor spikes = random::bernoulli(key, rates);  // like rates
Tensor bernoulli(const Tensor& key, const Tensor& p);
Tensor bernoulli(const Tensor& key, const Tensor& p, IntArrayRef shape);
/// int64 `(*K, n)`: 0, ..., n - 1 in random order.
///
///     Tensor order = random::permutation(key, 10);
Tensor permutation(const Tensor& key, int64_t n);
/// x with its slices along `axis` in random order; `independent`: each line along the axis in an order of its own.
///
///     Tensor shuffled = random::permutation(key, x), columns = random::permutation(key, x, 0, true);
Tensor permutation(const Tensor& key, const Tensor& x, int64_t axis = 0, bool independent = false);
/// int64 `shape` of 0, ..., n - 1, or slices of x along `axis`, `(x.sizes before axis, *shape, x.sizes after)`; with
/// the probabilities p, `(n,)`, which should add up to 1, or all alike. Throws when there are too few to replace none.
///
///     Tensor drawn = random::choice(key, 10, {3}, false);  // three of 0, ..., 9, each at most once
Tensor choice(const Tensor& key, int64_t n, IntArrayRef shape = {}, bool replace = true, const Tensor& p = {});
Tensor choice(const Tensor& key, const Tensor& x, IntArrayRef shape = {}, bool replace = true, const Tensor& p = {},
              int64_t axis = 0);
/// int64 numbers of categories, drawn with probabilities softmax(logits, axis). The shape is that of the logits without
/// the axis, or any that this broadcasts to; without replacement, `(*prefix, *that)` draws differ along the prefix.
///
///     Tensor tokens = random::categorical(key, logits);  // logits (B, C): (B,)
Tensor categorical(const Tensor& key, const Tensor& logits, int64_t axis = -1);
Tensor categorical(const Tensor& key, const Tensor& logits, int64_t axis, IntArrayRef shape, bool replace = true);

}  // namespace strata::random
