// A program may use all names of strata and have types of its own with the dispatcher's everyday names.
#include <strata/strata.h>

#include "test/catch.h"

struct Args {};
struct Batch {};
struct Call {};
struct Dual {};
struct Layer {};
struct Meta {};
struct Op {};
struct Params {
  strata::Tensor weight;
  auto fields() { return std::tie(weight); }
};
struct Saves {};
struct Values {};

using namespace strata;

TEST_CASE("everyday names are the program's") {
  [[maybe_unused]] const std::tuple<Args, Batch, Call, Dual, Layer, Meta, Op, Saves, Values> own;
  const Params gradient = grad([](Params p) { return p.weight.square().sum(); })(Params{ones({2})});
  CHECK(gradient.weight.equal(full({2}, 2.0)));
}
