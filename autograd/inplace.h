// What a recorded in-place write asks of a tensor, and what it makes of a base's history.
#pragma once
#include <string_view>

#include "meta.h"

namespace strata::autograd {

/// Throws where a write to `self` that `who` wants recorded has no clear meaning: to leaves that require grad, views of
/// such, and views made while recording was off.
void check_inplace_allowed(std::string_view who, const Tensor& self);

/// Makes the old value of `view`, where the op about to write to it reads that, a part of its base and of nothing
/// between the two: Note [In-place on views].
void show_from_base(const Tensor& view, Args args);

/// Before `t` is asked for its history: a view inside of a transform is made anew if its base was written to since.
void refresh(const Tensor& t);

/// Makes `view` output `nr` of `node`, and its base what that makes of it: Note [In-place on views].
void rebase(const Tensor& view, const IntrusivePtr<Node>& node, uint32_t nr);

}  // namespace strata::autograd
