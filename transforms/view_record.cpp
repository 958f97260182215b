// Plain aliases, as long as a transform runs on this thread.
#include "transforms/view_record.h"

#include <algorithm>
#include <iterator>

#include "dispatcher/names.h"
#include "dispatcher/transforms_end.h"

namespace strata::func::detail {
namespace {

std::vector<ShownAlias>& aliases() {
  thread_local std::vector<ShownAlias> all;
  return all;
}

[[maybe_unused]] const bool ends_with_transforms =
    (dispatch::at_end_of_transforms([] { std::vector<ShownAlias>().swap(aliases()); }), true);

auto find_alias(const Tensor& t) {
  return std::find_if(aliases().begin(), aliases().end(), [&](const ShownAlias& a) { return a.alias.is_same(t); });
}

}  // namespace

/// Those are forgotten that nobody else has any more.
void record_alias(const Tensor& alias, const Tensor& shown, const Op& op, Params params) {
  if (alias.is_view() || !alias.has_storage() || alias.storage() != shown.storage()) return;
  std::erase_if(aliases(), [](const ShownAlias& a) { return a.alias.use_count() == 1; });
  aliases().push_back({alias, std::make_unique<ViewRecord>(shown, Tensor(), op, params)});
}

const ViewRecord* record_of_alias(const Tensor& t) {
  const auto at = find_alias(t);
  return at == aliases().end() ? nullptr : at->record.get();
}

bool is_shown_otherwise(const Tensor& alias) {
  const auto shows_it = [&](const ShownAlias& a) { return a.alias.storage() == alias.storage(); };
  const Tensor& shown = record_of_alias(alias)->parent;
  const TensorImpl* const root = shown.is_view() ? shown.impl()->base() : shown.impl();
  return shown.use_count() > 1 || root->use_count() > 1 ||
         std::count_if(aliases().begin(), aliases().end(), shows_it) > 1;
}

void forget_alias(const Tensor& alias) { aliases().erase(find_alias(alias)); }

std::vector<ShownAlias> take_aliases(const Storage& memory) {
  std::vector<ShownAlias>& all = aliases();
  const auto first =
      std::stable_partition(all.begin(), all.end(), [&](const ShownAlias& a) { return a.alias.storage() != memory; });
  std::vector<ShownAlias> taken;
  std::move(first, all.end(), std::back_inserter(taken));
  all.erase(first, all.end());
  return taken;
}

}  // namespace strata::func::detail
