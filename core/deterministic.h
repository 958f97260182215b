// Whether a program asks for the same bits in every run.
#pragma once
namespace strata {

/// Asks that every op gives the same bits in every run. On the CPU all do anyway. On CUDA devices it changes these:
/// sums of float32 and float64 at indices (scatter_add, index_add and the gradient of gather) are taken in the order of
/// the elements instead of any; of several elements that are written to one place the last one stays; and convolutions
/// and attention use no algorithm of cuDNN's that adds in changing order.
void use_deterministic_algorithms(bool wanted);
/// What was asked last; at first no.
bool are_deterministic_algorithms_enabled();

/// Asks the same of cuDNN's convolutions alone, at::Context::setDeterministicCuDNN.
void set_deterministic_cudnn(bool wanted);
/// Whether either was asked.
bool deterministic_cudnn();

}  // namespace strata
