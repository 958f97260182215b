// How a table of operations becomes rows: each forward, backward or both, on one and on two threads.
#pragma once
#include <string>
#include <vector>

#include "rows.h"

using Inputs = std::vector<torch::Tensor>;

/// What of an operation a row measures: the call without recording, the gradients of a recorded call, or a recorded
/// call and its gradients.
enum Pass { kForward = 1, kBackward = 2, kBoth = 4 };

/// `make` gives the inputs, of which the first gets a gradient; `call` is what is measured.
struct Operation {
  const char* name;
  int passes;
  Inputs (*make)();
  torch::Tensor (*call)(const Inputs&);
};

/// The inputs of an operation, and for its backward the recorded result, made when its row first runs.
struct Prepared {
  Inputs in;
  torch::Tensor out, grad;

  void forward(const Operation& o) {
    if (in.empty()) in = o.make();
    torch::NoGradGuard no_grad;
    benchmark::DoNotOptimize(o.call(in));
  }
  void backward(const Operation& o) {
    if (in.empty()) {
      in = o.make();
      in[0].requires_grad_();
      out = o.call(in);
      grad = torch::randn_like(out);
    }
    benchmark::DoNotOptimize(torch::autograd::grad({out}, {in[0]}, {grad}, /*retain_graph=*/true));
  }
  void both(const Operation& o) {
    if (in.empty()) {
      in = o.make();
      in[0].requires_grad_();
    }
    benchmark::DoNotOptimize(torch::autograd::grad({o.call(in).sum()}, {in[0]}));
  }
};

inline void rows_of(const Operation& o) {
  for (const int threads : {1, 2}) {
    const std::string name = o.name;
    const auto add = [&](Pass pass, const char* suffix, void (Prepared::*run)(const Operation&)) {
      if (o.passes & pass) row(name + suffix, threads, [o, run, p = Prepared()]() mutable { (p.*run)(o); });
    };
    add(kForward, "", &Prepared::forward);
    add(kBackward, ", backward", &Prepared::backward);
    add(kBoth, ", forward + backward", &Prepared::both);
  }
}
