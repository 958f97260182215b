// Shapes: DimVector inside and beyond its inline room, checked products, strides, dims and broadcasting.
#include "core/shape.h"

#include "core/error.h"
#include "test/catch.h"

namespace strata {
namespace {

DimVector counted(size_t n) {
  DimVector v;
  for (size_t i = 0; i < n; ++i) v.push_back(static_cast<int64_t>(i));
  return v;
}

}  // namespace

TEST_CASE("DimVector copies, moves and grows on both sides of its inline capacity") {
  for (size_t n : {0, 1, 5, 6, 7, 8, 13, 64}) {
    INFO("n = " << n);
    const DimVector v = counted(n);
    CHECK(v.size() == n);
    DimVector copy = v;
    CHECK(copy == v);
    DimVector moved = std::move(copy);
    CHECK(moved == v);
    for (size_t m : {0, 3, 6, 7, 20}) {
      DimVector target = counted(m);
      target = v;
      CHECK(target == v);
      DimVector source = v, other = counted(m);
      other = std::move(source);
      CHECK(other == v);
      source = counted(m);  // a moved-from vector can be used again
      CHECK(source == counted(m));
    }
    moved.insert(0, -1);
    CHECK(moved.size() == n + 1);
    CHECK(moved[0] == -1);
    moved.erase(0);
    CHECK(moved == v);
  }
}

TEST_CASE("DimVector inserts and erases in the middle, fills with zeros, survives self-assignment") {
  DimVector v = counted(6);
  v.insert(3, 42);
  CHECK(v == DimVector{0, 1, 2, 42, 3, 4, 5});
  v.erase(3);
  CHECK(v == counted(6));
  v.resize(9);
  CHECK(v == DimVector{0, 1, 2, 3, 4, 5, 0, 0, 0});
  v.resize(2);
  v.resize(3);
  CHECK(v == DimVector{0, 1, 0});
  DimVector& same = v;
  v = same;
  CHECK(v == DimVector{0, 1, 0});
  CHECK(DimVector(3, 7) == DimVector{7, 7, 7});
  CHECK_FALSE(v == DimVector{0, 1});
}

TEST_CASE("ArrayRef borrows lists, vectors, arrays and single values") {
  const std::vector<int64_t> v = {1, 2, 3};
  const IntArrayRef r(v);
  CHECK(r.size() == 3);
  CHECK(r.front() == 1);
  CHECK(r.back() == 3);
  CHECK(r.slice(1).vec() == std::vector<int64_t>{2, 3});
  CHECK(r.slice(0, 2).vec() == std::vector<int64_t>{1, 2});
  CHECK(r == IntArrayRef(std::array<int64_t, 3>{1, 2, 3}));
  const int64_t one = 5;
  CHECK(IntArrayRef(one).size() == 1);
  CHECK(IntArrayRef().empty());
  const auto length = [](IntArrayRef a) { return a.size(); };
  CHECK(length({}) == 0);
  CHECK(length({4, 5}) == 2);
  CHECK_FALSE(r == IntArrayRef());
}

TEST_CASE("numel_of multiplies with overflow checks") {
  CHECK(numel_of({}) == 1);
  CHECK(numel_of({2, 3, 4}) == 24);
  CHECK(numel_of({2, 0, 4}) == 0);
  CHECK(numel_of({int64_t{1} << 62}) == int64_t{1} << 62);
  CHECK_THROWS_WITH(numel_of({int64_t{1} << 62, 2}), "shape (4611686018427387904, 2): too many elements");
  CHECK_THROWS_AS(numel_of({INT64_MAX, INT64_MAX, INT64_MAX}), Error);
  CHECK(numel_of({INT64_MAX, INT64_MAX, 0}) == 0);
  CHECK(numel_of({0, INT64_MAX, INT64_MAX}) == 0);
  CHECK_THROWS_WITH(numel_of({2, -1}), "shape (2, -1): sizes must not be negative");
  CHECK_THROWS_AS(numel_of({0, -1}), Error);
}

TEST_CASE("contiguous strides are row-major and recognised") {
  CHECK(contiguous_strides({2, 3, 4}) == DimVector{12, 4, 1});
  CHECK(contiguous_strides({}) == DimVector{});
  CHECK(contiguous_strides({2, 0, 4}) == DimVector{4, 4, 1});
  CHECK(contiguous_strides({0, INT64_MAX, INT64_MAX}).size() == 3);
  CHECK(is_contiguous({2, 3}, {3, 1}));
  CHECK_FALSE(is_contiguous({2, 3}, {1, 2}));
  CHECK_FALSE(is_contiguous({2, 3}, {6, 2}));
  CHECK_FALSE(is_contiguous({2, 3}, {0, 1}));
  CHECK(is_contiguous({1, 3}, {99, 1}));
  CHECK(is_contiguous({3, 1}, {1, 77}));
  CHECK(is_contiguous({2, 0}, {5, 5}));
  CHECK(is_contiguous({}, {}));
}

TEST_CASE("wrap_dim counts negative dims from the end and names the op in its errors") {
  CHECK(wrap_dim(0, 3, "sum") == 0);
  CHECK(wrap_dim(-1, 3, "sum") == 2);
  CHECK(wrap_dim(-3, 3, "sum") == 0);
  CHECK(wrap_dim(0, 0, "sum") == 0);
  CHECK(wrap_dim(-1, 0, "sum") == 0);
  CHECK_THROWS_AS(wrap_dim(3, 3, "sum"), IndexError);
  CHECK_THROWS_AS(wrap_dim(-4, 3, "sum"), IndexError);
  CHECK_THROWS_AS(wrap_dim(1, 0, "sum"), IndexError);
  CHECK_THROWS_WITH(wrap_dim(5, 2, "sum"),
                    "sum: dim 5 for 2 dims: Dimension out of range (expected to be in range of [-2, 1], but got 5)");
}

TEST_CASE("wrap_dims sorts, refuses repeats, and takes all where none is given") {
  CHECK(wrap_dims({}, 3, "sum") == DimVector{0, 1, 2});
  CHECK(wrap_dims({-1, 0}, 3, "sum") == DimVector{0, 2});
  CHECK(wrap_dims({0}, 0, "sum") == DimVector{});
  CHECK_THROWS_AS(wrap_dims({1, -2}, 3, "sum"), Error);
  CHECK_THROWS_AS(wrap_dims({3}, 3, "sum"), IndexError);
}

TEST_CASE("broadcasting aligns from the right; sizes of 1 and 0 behave") {
  CHECK(broadcast_shapes({2, 3}, {3}, "add") == DimVector{2, 3});
  CHECK(broadcast_shapes({3}, {2, 3}, "add") == DimVector{2, 3});
  CHECK(broadcast_shapes({2, 1}, {1, 3}, "add") == DimVector{2, 3});
  CHECK(broadcast_shapes({}, {2}, "add") == DimVector{2});
  CHECK(broadcast_shapes({}, {}, "add") == DimVector{});
  CHECK(broadcast_shapes({0}, {1}, "add") == DimVector{0});
  CHECK(broadcast_shapes({1}, {0}, "add") == DimVector{0});
  CHECK(broadcast_shapes({8, 1, 6, 1}, {7, 1, 5}, "add") == DimVector{8, 7, 6, 5});
  CHECK_THROWS_WITH(
      broadcast_shapes({2, 3}, {4}, "mul"),
      "mul: shapes (2, 3) and (4,) do not broadcast: the size of tensor a (3) must match the size of tensor b (4) "
      "at non-singleton dimension 1");
  CHECK_THROWS_WITH(
      broadcast_shapes({4}, {2, 3}, "mul"),
      "mul: shapes (4,) and (2, 3) do not broadcast: the size of tensor a (4) must match the size of tensor b (3) "
      "at non-singleton dimension 1");
  CHECK_THROWS_AS(broadcast_shapes({0}, {2}, "mul"), Error);
}

}  // namespace strata
