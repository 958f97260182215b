// Gathering texts of different lengths.
#include "distributed/checkpoint_agreement.h"

#include <cstring>
#include <exception>
#include <functional>
#include <map>

#include "core/grad_mode.h"
#include "ops/collective.h"
#include "ops/creation.h"

namespace strata::distributed::checkpoint {
namespace {

/// A byte that says whether it is an error, and the text.
std::string outcome_of(const strata::detail::Function<std::string()>& make) {
  try {
    return "." + make();
  } catch (const std::exception& e) {
    return std::string("!") + e.what();
  }
}

/// The lowest rank whose text has the same length and hash, for each rank. `keys` has the two of all.
std::vector<size_t> owners_of(const Tensor& keys) {
  const auto* const key = keys.data_ptr<int64_t>();
  std::vector<size_t> owners;
  std::map<std::pair<int64_t, int64_t>, size_t> lowest;
  for (size_t rank = 0; rank < static_cast<size_t>(keys.size(0)); ++rank)
    owners.push_back(lowest.try_emplace({key[2 * rank], key[2 * rank + 1]}, rank).first->second);
  return owners;
}

/// Each owner puts its text into its place among zeros, and the sum has them all.
Texts gather(const ProcessGroup& group, const std::string& text) {
  const Tensor own = full({1, 2}, static_cast<int64_t>(text.size()), kLong);
  own[0][1].fill_(static_cast<int64_t>(std::hash<std::string>()(text)));
  const Tensor keys = all_gather_into_tensor(own, group);
  const std::vector<size_t> owners = owners_of(keys);
  const auto length = [&](size_t rank) { return keys.data_ptr<int64_t>()[2 * rank]; };
  std::vector<int64_t> begins = {0};
  for (size_t rank = 0; rank < owners.size(); ++rank)
    begins.push_back(begins.back() + (owners[rank] == rank ? length(rank) : 0));

  Tensor bytes = zeros({begins.back()}, kByte);
  const auto me = static_cast<size_t>(group->rank());
  if (owners[me] == me) std::memcpy(static_cast<char*>(bytes.data_ptr()) + begins[me], text.data(), text.size());
  all_reduce_(bytes, ReduceOp::SUM, group);

  Texts texts;
  const auto* const all = static_cast<const char*>(bytes.data_ptr());
  for (size_t rank = 0; rank < owners.size(); ++rank)
    owners[rank] == rank ? texts.add(std::string(all + begins[rank], static_cast<size_t>(length(rank))))
                         : texts.add_equal(owners[rank]);
  STRATA_CHECK(texts[me] == text, "checkpoint: two texts have one hash");  // not in a lifetime
  return texts;
}

}  // namespace

void Texts::add(std::string text) {
  places_.push_back(distinct_.size());
  distinct_.push_back(std::move(text));
}

void Texts::drop_first_bytes() {
  for (std::string& text : distinct_) text.erase(0, 1);
}

Texts agree(const ProcessGroup& group, const strata::detail::Function<std::string()>& make) {
  const NoGradGuard no_grad;
  Texts outcomes = gather(group, outcome_of(make));
  for (size_t rank = 0; rank < outcomes.size(); ++rank)
    if (outcomes[rank][0] == '!')
      throw AgreedError("checkpoint: rank " + std::to_string(rank) + ": " + outcomes[rank].substr(1));
  outcomes.drop_first_bytes();
  return outcomes;
}

}  // namespace strata::distributed::checkpoint
