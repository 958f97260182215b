// Cutting ranges of numbers into boxes, and boxes by boxes.
#include "distributed/checkpoint_box.h"

#include <algorithm>

#include "core/error.h"
#include "ops/shaping.h"
#include "ops/view.h"

namespace strata::distributed::checkpoint {
namespace {

int64_t product(const Sizes& sizes, size_t from = 0) {
  int64_t numbers = 1;
  for (size_t d = from; d < sizes.size(); ++d) numbers *= sizes[d];
  return numbers;
}

/// Sizes may be from a file.
int64_t checked_product(const std::string& name, const Sizes& sizes) {
  int64_t numbers = 1;
  for (const int64_t size : sizes)
    STRATA_CHECK(!__builtin_mul_overflow(numbers, size, &numbers), "checkpoint: tensor '{}' is too large: {}", name,
                 IntArrayRef(sizes));
  return numbers;
}

/// Cuts a range of the numbers below one index of the first dims.
class Cutter {
 public:
  Cutter(const std::string& name, const Sizes& sizes, int64_t start) : name_(name), sizes_(sizes), start_(start) {}

  /// The numbers `begin` to `end` of what lies below the index `at`.
  void cut(Sizes at, int64_t begin, int64_t end) {
    if (begin == end) return;
    const size_t dim = at.size();
    if (dim == sizes_.size()) return add(at, 1);
    const int64_t row = product(sizes_, dim + 1);
    if (begin % row == 0 && end % row == 0) {
      at.push_back(begin / row);
      return add(at, (end - begin) / row);
    }
    const int64_t first = begin / row, last = end / row;
    if (first == last) return below(at, first, begin % row, end % row);
    if (begin % row != 0) below(at, first, begin % row, row);
    cut(at, (begin + row - 1) / row * row, last * row);
    below(at, last, 0, end % row);
  }
  std::vector<Block> take() { return std::move(blocks_); }

 private:
  void below(Sizes at, int64_t index, int64_t begin, int64_t end) {
    at.push_back(index);
    cut(std::move(at), begin, end);
  }
  /// `rows` of the last dim of `at`, and all of the dims behind it.
  void add(const Sizes& at, int64_t rows) {
    Box box{at, Sizes(at.size(), 1)};
    if (!at.empty()) box.shape.back() = rows;
    for (size_t d = at.size(); d < sizes_.size(); ++d) box.offsets.push_back(0), box.shape.push_back(sizes_[d]);
    const int64_t numbers = box.numel();
    blocks_.push_back({name_, sizes_, std::move(box), start_});
    start_ += numbers;
  }

  const std::string& name_;
  const Sizes& sizes_;
  int64_t start_;
  std::vector<Block> blocks_;
};

}  // namespace

int64_t Box::numel() const { return product(shape); }

Box whole_box(const Sizes& sizes) { return {Sizes(sizes.size(), 0), sizes}; }

Box intersection(const Box& a, const Box& b) {
  Box both;
  for (size_t d = 0; d < a.shape.size(); ++d) {
    const int64_t begin = std::max(a.offsets[d], b.offsets[d]);
    const int64_t end = std::min(a.offsets[d] + a.shape[d], b.offsets[d] + b.shape[d]);
    both.offsets.push_back(begin);
    both.shape.push_back(std::max<int64_t>(end - begin, 0));
  }
  return both;
}

Tensor part_of(const Tensor& outer_tensor, const Box& outer, const Box& part) {
  Tensor t = outer_tensor;
  for (size_t d = 0; d < part.shape.size(); ++d)
    t = t.narrow(static_cast<int64_t>(d), part.offsets[d] - outer.offsets[d], part.shape[d]);
  return t;
}

Tensor view_of(const Tensor& local, const Block& block) {
  if (local.sizes() == IntArrayRef(block.box.shape) && block.start == 0) return local;
  return local.narrow(0, block.start, block.box.numel()).view(block.box.shape);
}

std::vector<Block> blocks_of_range(const std::string& name, const Sizes& sizes, int64_t begin, int64_t end,
                                   int64_t start) {
  Cutter cutter(name, sizes, start);
  cutter.cut({}, begin, end);
  return cutter.take();
}

Box box_of(const Sizes& sizes, const DeviceMesh& mesh, const Placements& placements) {
  Box box = whole_box(sizes);
  const std::vector<int64_t> place = mesh.get_coordinate(), shape = mesh.shape();
  for (size_t axis = 0; axis < placements.size(); ++axis) {
    STRATA_CHECK(!placements[axis].is_partial(), "checkpoint: a Partial cannot be saved or loaded: redistribute it");
    if (!placements[axis].is_shard()) continue;
    const auto dim = static_cast<size_t>(placements[axis].dim());
    box.shape[dim] /= shape[axis];
    box.offsets[dim] += place[axis] * box.shape[dim];
  }
  return box;
}

void check_cover(const std::string& name, const Sizes& sizes, const std::vector<Box>& boxes) {
  const int64_t all = checked_product(name, sizes);
  int64_t covered = 0;
  for (size_t i = 0; i < boxes.size(); ++i) {
    covered += boxes[i].numel();
    for (size_t j = 0; j < i; ++j)
      STRATA_CHECK(boxes[i].shape.empty() || intersection(boxes[i], boxes[j]).numel() == 0,
                   "checkpoint: two parts of tensor '{}' overlap: those at {} and at {}", name,
                   IntArrayRef(boxes[j].offsets), IntArrayRef(boxes[i].offsets));
  }
  STRATA_CHECK(covered == all && !(sizes.empty() && boxes.size() > 1),
               "checkpoint: the parts of tensor '{}' of shape {} have {} of its {} numbers", name, IntArrayRef(sizes),
               covered, all);
}

}  // namespace strata::distributed::checkpoint
