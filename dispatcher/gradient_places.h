// Where the vjp rule that runs on this thread may make its results: autograd's Note [Gradient buffers].
#pragma once
#include "../core/tensor.h"

namespace strata::dispatch {

/// By input of the op; null where no input has a place. A rule that is called by something other than a backward pass
/// which accumulates sees null.
inline constinit thread_local const Tensor* gradient_places = nullptr;

/// Row-major memory in which a rule may make the cotangent of input i, to return it; undefined where there is none. A
/// rule may ignore it.
inline Tensor gradient_place(size_t i) { return gradient_places ? gradient_places[i] : Tensor(); }

/// Sets the places until the end of the scope.
class GradientPlacesGuard {
 public:
  explicit GradientPlacesGuard(const Tensor* places) : previous_(gradient_places) { gradient_places = places; }
  ~GradientPlacesGuard() { gradient_places = previous_; }
  GradientPlacesGuard(const GradientPlacesGuard&) = delete;
  GradientPlacesGuard& operator=(const GradientPlacesGuard&) = delete;

 private:
  const Tensor* const previous_;
};

}  // namespace strata::dispatch
