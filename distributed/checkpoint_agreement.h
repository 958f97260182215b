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

/// A text of each rank, of which many are equal: those are there once.
class Texts {
 public:
  size_t size() const { return places_.size(); }  ///< ranks
  const std::string& operator[](size_t rank) const { return distinct_[places_[rank]]; }
  /// The same number for ranks that have the same text, below `distinct().size()`.
  size_t place(size_t rank) const { return places_[rank]; }
  const std::vector<std::string>& distinct() const { return distinct_; }
  void add(std::string text);
  void drop_first_bytes();
  void add_equal(size_t rank) { places_.push_back(places_[rank]); }

 private:
  std::vector<std::string> distinct_;
  std::vector<size_t> places_;
};

/// Runs `make` on each rank and returns, on each, what all made, by rank; what several made travels once. Where some
/// threw, all throw the text of the lowest of these ranks, after `checkpoint: rank R: `. Collective, also for ranks
/// that have nothing to do: it is a barrier, too.
Texts agree(const ProcessGroup& group, const strata::detail::Function<std::string()>& make);

}  // namespace strata::distributed::checkpoint
