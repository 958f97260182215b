// Cutting a joint program, which gives a function's results and its gradients, into a forward and a backward program.
#pragma once
#include <vector>

#include "../transforms/program.h"

namespace strata::func::passes {

/// A function and its gradients as one program.
struct Joint {
  Program program;  ///< of primals and then cotangents; gives results and then gradients
  size_t primals;   ///< how many of its inputs are there before backward is
  size_t results;   ///< how many of its outputs forward gives
};

/// The two programs that a joint one is cut into. `forward` gives the results and then what is saved, `backward` takes
/// what is saved and then the cotangents.
struct Halves {
  Program forward, backward;
  int64_t saved_bytes;  ///< of what is neither a primal nor a captured tensor
};

/// Cuts where the least bytes have to be saved, among the cuts after which backward computes nothing twice but views
/// and element-wise equations. With a `budget` below 1 it may also compute other things again, the cheapest for their
/// bytes first, until that share of the bytes is left, or nothing more can be gained. Products, convolutions and
/// attention, random equations, collectives and custom rules are never computed twice; with `products` those products
/// may be of which no factor is a primal or a captured tensor (attention's scores). Primals and captured tensors count
/// no bytes, because who calls backward holds them anyway; what an effect of forward writes to is copied where it is
/// saved. After AOTAutograd's min_cut_rematerialization_partition.
Halves partition(const Joint& joint, double budget, bool products = false);

}  // namespace strata::func::passes
