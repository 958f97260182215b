// Where the pictures come from, and what is done to them.
#pragma once
#include <strata/strata.h>

#include <string>
#include <tuple>
#include <vector>

namespace cifar {

using strata::Tensor;

/// Pictures as they lie in files, and their classes.
class Pictures {
 public:
  /// `(N, 3, 32, 32)` uint8 and `(N,)` int64.
  Pictures(Tensor pictures, Tensor classes) : pictures_(std::move(pictures)), classes_(std::move(classes)) {}

  int64_t count() const { return pictures_.size(0); }
  /// Float pictures of about mean 0 and deviation 1.
  Tensor batch(const Tensor& places) const;
  Tensor classes(const Tensor& places) const { return classes_.index_select(0, places); }

 private:
  Tensor pictures_, classes_;
};

/// Pictures to learn from (at most so many), pictures to test with, and what they are: CIFAR-10 from `folder` (it must
/// be there then), from $STRATA_DATA or from data, else the digits that are part of the program, coloured at random.
std::tuple<Pictures, Pictures, std::string> load_pictures(const std::string& folder, int64_t images);

/// Each picture moved by up to four pixels and mirrored or not, as the paper does it.
Tensor augmented(const Tensor& pictures);

/// The names of the ten classes of what `load_pictures` found.
std::vector<std::string> class_names(const std::string& source);

}  // namespace cifar
