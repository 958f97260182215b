// Ops that make numbers, draw them and change dtypes, and element-wise ones of several dtypes or with params to check.
#include <cmath>

#include "exchange/check_rows.h"
#include "ops/cast_def.h"
#include "ops/creation_def.h"
#include "ops/keyed_random_def.h"
#include "ops/random_def.h"
#include "ops/special_def.h"
#include "ops/unary_def.h"

namespace strata::func::exchange {
namespace {

template <class P>
void check_made(const Arguments& a, const P& p, DTypes types) {
  a.require_sizes(p.sizes);
  a.require_dtype(p.dtype, types);
}
constexpr auto drawn = [](const Arguments& a, const auto& p) { check_made(a, p, kFloatingTypes); };
constexpr auto drawn_integers = [](const Arguments& a, const auto& p) { check_made(a, p, kRealTypes); };
template <class P>
void check_counted(const Arguments& a, const P& p, double first, double last) {
  constexpr double kMost = 9e18;  // what an int64 holds
  a.require_sizes(p.count);
  a.require_dtype(p.dtype, kRealTypes);
  a.require(is_differentiable(p.dtype) || (std::abs(first) < kMost && std::abs(last) < kMost),
            "the numbers are too large for integers");
}

constexpr DTypes kBits(kByte, kChar, kShort, kInt, kUInt32, kLong, kUInt16, kUInt64);

constexpr CheckRow kSourceRows[] = {
    row<RandomParams>("uniform", "", drawn),
    row<RandomParams>("normal", "", drawn),
    row<RandomParams>("bernoulli", "",
                      [](const Arguments& a, const RandomParams& p) {
                        drawn_integers(a, p);
                        a.require(p.a >= 0 && p.a <= 1, "the probability is not from 0 to 1");
                      }),
    row<RandintParams>("randint", "", drawn_integers),
    row<RandomParams>("randperm", "",
                      [](const Arguments& a, const RandomParams& p) {
                        drawn_integers(a, p);
                        a.require(!p.sizes.empty(), "a permutation has a dim");
                      }),
    row<KeySplitParams>("key_split", ".[*,2]",
                        [](const Arguments& a, const KeySplitParams& p) { a.require_sizes(p.sizes); }),
    row("key_fold_in", "T[*,2] T[*]"),
    row<KeyParams>("key_bits", ".[*,2]", [](const Arguments& a, const KeyParams& p) { check_made(a, p, kBits); }),
    row<KeyIntervalParams>("key_uniform", ".[*,2]", drawn),
    row<KeyIntervalParams>("key_normal", ".[*,2]", drawn),
    row<KeyParams>("key_exponential", ".[*,2]", drawn),
    row<KeyParams>("key_gumbel", ".[*,2]", drawn),
    row<KeyRandintParams>("key_randint", ".[*,2]",
                          [](const Arguments& a, const KeyRandintParams& p) { check_made(a, p, kBits); }),
    row("poisson", "T[*] S[*]"),
    row("binomial", "T[*] T[*] S[*]"),
    row<ArangeParams>("arange", "",
                      [](const Arguments& a, const ArangeParams& p) {
                        const double start = p.start.toDouble(), step = p.step.toDouble();
                        check_counted(a, p, start, start + step * static_cast<double>(p.count));
                      }),
    row<LinspaceParams>("linspace", "",
                        [](const Arguments& a, const LinspaceParams& p) { check_counted(a, p, p.start, p.end); }),
    row<TransferParams>("transfer", ".[.]"),
    row("polar", "T[*] T[*]"),

    row<CastParams>("cast", ".[.]",
                    [](const Arguments& a, const CastParams& p) {
                      a.require_dtype(p.dtype, kStoredTypes);
                      a.require(is_differentiable(p.dtype), "it casts to floating point numbers");
                    }),
    row<CastParams>("cast_to_integer", ".[.]",
                    [](const Arguments& a, const CastParams& p) {
                      a.require_dtype(p.dtype, kIntegralTypes | kUnsignedStorageTypes);
                    }),
    row("where", "C[*] T[*] T[*]"),
    row<MaskedScaleParams>("masked_scale", "T[*] M[*]"),
    row<PolygammaParams>(
        "polygamma", ".[.]",
        [](const Arguments& a, const PolygammaParams& p) { a.require_between(p.n, 1, INT32_MAX, "n"); }),
    row<BesselParams>("bessel", ".[.]",
                      [](const Arguments& a, const BesselParams& p) {
                        a.require_between(static_cast<int64_t>(p.kind), 0, static_cast<int64_t>(Bessel::kAirySlope),
                                          "kind");
                      }),
    row<PolynomialParams>("polynomial", "T[*] T[*]",
                          [](const Arguments& a, const PolynomialParams& p) {
                            a.require_between(static_cast<int64_t>(p.kind), 0,
                                              static_cast<int64_t>(Polynomial::kLegendreP), "kind");
                          }),
};

}  // namespace

CheckRows rows_of_sources() { return kSourceRows; }

}  // namespace strata::func::exchange
