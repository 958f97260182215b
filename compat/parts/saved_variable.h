// A tensor that a node of the program's own keeps for its backward pass, by libtorch's name.
#pragma once
#include <strata/strata.h>

#include <memory>

#include "check.h"

namespace strata::autograd {

/// Keeps a tensor from forward to backward, and finds out whether it was written to in between.
class SavedVariable {
 public:
  SavedVariable() = default;
  /// An output of the node that keeps it is kept without its history, so that the node does not keep itself.
  SavedVariable(const Tensor& variable, bool is_output, bool /*is_inplace_on_view*/ = false)
      : kept_(is_output && variable.defined() ? variable.detach() : variable),
        version_(variable.defined() ? variable._version() : 0) {}
  SavedVariable(const std::optional<Tensor>& variable, bool is_output, bool is_inplace_on_view = false)
      : SavedVariable(variable.value_or(Tensor()), is_output, is_inplace_on_view) {}

  /// The tensor; undefined where none was kept. Throws where it was modified in place since.
  template <class SavedFor = std::nullptr_t>
  Tensor unpack(const SavedFor& /*node*/ = nullptr) const {
    TORCH_CHECK(!kept_.defined() || kept_._version() == version_, "SavedVariable: a tensor of shape ", kept_.sizes(),
                " that backward needs was modified in place since (it "
                "has been modified by an inplace operation: it has version ",
                kept_._version(), ", expected ", version_, ")");
    return kept_;
  }
  /// Lets go of the tensor.
  void reset_data() { kept_ = Tensor(); }

 private:
  Tensor kept_;
  int64_t version_ = 0;
};

}  // namespace strata::autograd
