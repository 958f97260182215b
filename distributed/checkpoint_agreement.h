// Steps that all ranks take together: what each made reaches all, and so does what stopped one.
#pragma once
#include <string>
#include <vector>

#include "../core/communicator.h"
#include "../core/error.h"
#include "../core/function.h"

namespace strata::distributed::checkpoint {

/// An error that all ranks of a group throw with one text.
class AgreedError : public Error {
 public:
  using Error::Error;
};

/// Runs `make` on each rank and returns, on each, what all made, by rank. Where some threw, all throw the text of the
/// lowest of these ranks, after `checkpoint: rank R: `. Collective, also for ranks that have nothing to do: it is a
/// barrier, too.
std::vector<std::string> agree(const ProcessGroup& group, const strata::detail::Function<std::string()>& make);

}  // namespace strata::distributed::checkpoint
