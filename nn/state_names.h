// What a module and a file do not have in common, for messages. Internal to loading modules.
#pragma once
#include <string>
#include <vector>

#include "state_dict.h"

namespace strata::nn::detail {

struct Differences {
  IncompatibleKeys keys;
  std::vector<std::string> shapes;  ///< a sentence for each tensor of another shape
  /// All of it as one line; without the names where they need not be the same. Empty when the file fits.
  std::string text(bool strict) const;
};

Differences differences(const OrderedDict<std::string, Tensor>& own, const serialize::InputArchive& archive);

}  // namespace strata::nn::detail
