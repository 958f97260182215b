// Memory formats: the strides of a tensor whose channels lie innermost.
#pragma once
#include "../core/tensor.h"

namespace strata {

/// The strides of a new tensor in this format. Throws where channels are to lie last and there are not four dims
/// (ChannelsLast) or five (ChannelsLast3d).
DimVector strides_in(IntArrayRef sizes, MemoryFormat format);

}  // namespace strata
