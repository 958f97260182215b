// Parts of tensors by their place in the whole: what a checkpoint calls saved_offsets.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "dtensor.h"

namespace strata::distributed::checkpoint {

using Sizes = std::vector<int64_t>;

/// The part of a tensor that starts at `offsets` and has this shape. One of no dims is a single number.
struct Box {
  Sizes offsets, shape;
  int64_t numel() const;
  bool operator==(const Box&) const = default;
};
/// All of a tensor.
Box whole_box(const Sizes& sizes);
/// What both have; numel() is 0 where that is nothing.
Box intersection(const Box& a, const Box& b);
/// A box's part of a tensor that is the box `outer`.
Tensor part_of(const Tensor& outer_tensor, const Box& outer, const Box& part);

/// A box of a named tensor of shape `sizes`, whose numbers lie row by row from element `start` of some memory.
struct Block {
  std::string name;
  Sizes sizes;
  Box box;
  int64_t start = 0;
};
/// The tensor of a block: all of `local`, or its part of a vector.
Tensor view_of(const Tensor& local, const Block& block);

/// The fewest boxes that the numbers `begin` to `end` (row by row) of a tensor are, in order: for a matrix the rest of
/// a row, rows, and the start of a row. The first begins at element `start` of the memory.
std::vector<Block> blocks_of_range(const std::string& name, const Sizes& sizes, int64_t begin, int64_t end,
                                   int64_t start);

/// Where the own part of a DTensor lies; `sizes` are the whole's. Throws for a Partial.
Box box_of(const Sizes& sizes, const DeviceMesh& mesh, const Placements& placements);

/// Throws unless the boxes cover a tensor of shape `sizes` once.
void check_cover(const std::string& name, const Sizes& sizes, const std::vector<Box>& boxes);

}  // namespace strata::distributed::checkpoint
