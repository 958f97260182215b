// Gathering texts of different lengths.
#include "distributed/checkpoint_agreement.h"

#include <algorithm>
#include <cstring>
#include <exception>

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

std::vector<std::string> gather(const ProcessGroup& group, const std::string& text) {
  const Tensor lengths = all_gather_into_tensor(full({1}, static_cast<int64_t>(text.size()), kLong), group);
  const auto* const length = lengths.data_ptr<int64_t>();
  const auto ranks = static_cast<size_t>(group->size());
  const int64_t longest = *std::max_element(length, length + ranks);
  const Tensor mine = zeros({longest}, kByte);
  std::memcpy(mine.data_ptr(), text.data(), text.size());
  const Tensor all = all_gather_into_tensor(mine, group);
  std::vector<std::string> texts;
  for (size_t rank = 0; rank < ranks; ++rank)
    texts.emplace_back(static_cast<const char*>(all.data_ptr()) + rank * static_cast<size_t>(longest),
                       static_cast<size_t>(length[rank]));
  return texts;
}

}  // namespace

std::vector<std::string> agree(const ProcessGroup& group, const strata::detail::Function<std::string()>& make) {
  const NoGradGuard no_grad;
  std::vector<std::string> texts = gather(group, outcome_of(make));
  for (size_t rank = 0; rank < texts.size(); ++rank)
    if (texts[rank][0] == '!')
      throw AgreedError("checkpoint: rank " + std::to_string(rank) + ": " + texts[rank].substr(1));
  for (std::string& text : texts) text.erase(0, 1);
  return texts;
}

}  // namespace strata::distributed::checkpoint
