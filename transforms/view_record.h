// How views inside of transforms were made, of wrappers and of plain tensors that may become wrappers.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "level.h"

namespace strata::func::detail {

/// What a view of a wrapper remembers, or a plain alias: Note [In-place inside transforms], Note [Plain aliases inside
/// transforms].
struct ViewRecord final : ViewRecordBase {
  ViewRecord(Tensor parent, Tensor place, const Op& op, Params params)
      : parent(std::move(parent)),
        place(std::move(place)),
        version(this->parent.impl()->version()),
        op(op),
        params(params) {}
  bool is_detached() const { return op.is(dispatch::kNotDifferentiable); }
  Tensor parent, place;  // the second is the number that says what index_op shows, else undefined
  uint32_t version;
  const Op& op;
  dispatch::OwnedParams params;
  bool recording = GradMode::is_enabled();
  /// Of a tensor whose shape was changed in place: the body that has what it was before, and its first version since.
  struct Moved {
    Tensor before;
    uint32_t since = 0;
  } moved;
};

/// That of a wrapper; null for what is no view.
inline ViewRecord* record_of(const Tensor& t) {
  return t.impl()->wrapper() ? static_cast<ViewRecord*>(t.impl()->wrapper()->view) : nullptr;
}

/// Makes a view of what nobody else has a tensor like others.
inline void forget_record(const Tensor& t) {
  if (WrapperBase* const w = t.impl()->wrapper()) delete std::exchange(w->view, nullptr);
}

/// The body that has what a tensor was before its shape was changed in place; the tensor itself where it was not.
inline Tensor before_moves(Tensor t) {
  for (const ViewRecord* r = record_of(t); r && r->moved.before.defined(); r = record_of(t))
    t = Tensor(r->moved.before);
  return t;
}

/// Note [Plain aliases inside transforms]
/// `detach` gives a tensor that shows memory of another one and is no view of it, so nothing leads from either to the
/// other. Where both are plain, a write may make wrappers of them, so how the alias was made is remembered until the
/// outermost transform ends. A plain tensor that becomes a wrapper takes the aliases of its memory with it, and a write
/// to an alias is one to what it shows.

/// Remembers that `alias`, a plain tensor, shows memory of another one that it is no view of.
void record_alias(const Tensor& alias, const Tensor& shown, const Op& op, Params params);
/// Null for what is no plain alias.
const ViewRecord* record_of_alias(const Tensor& t);
/// Does anybody have what a plain alias shows, or another alias of that?
bool is_shown_otherwise(const Tensor& alias);
void forget_alias(const Tensor& alias);

struct ShownAlias {
  Tensor alias;
  std::unique_ptr<ViewRecord> record;
};
/// The aliases of this memory in the order in which they were made, which are plain no longer.
std::vector<ShownAlias> take_aliases(const Storage& memory);

}  // namespace strata::func::detail
