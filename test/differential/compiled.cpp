// Compiled programs beside eager ones.
#include "test/differential/compiled.h"

#include <cstring>
#include <iostream>

#include "compile/compile.h"

namespace differential {
namespace {

using Tensors = std::vector<Tensor>;

bool is_leaf(const Statement& s) { return s.function == "leaf"; }
/// Leaves do not require gradients here, so there are none to ask for; a program counts strides in row-major elements.
bool is_the_end(const Statement& s) {
  return s.function == "grad" || s.function == "requires_grad_" || s.function.starts_with("as_strided");
}

Tensors make_leaves(const Program& program) {
  Tensors leaves;
  for (const Statement& s : program.statements)
    if (is_leaf(s)) leaves.push_back(make_leaf(s.arguments).detach());
  return leaves;
}

/// The results of the first `length` statements; `length` becomes shorter where one is refused.
Tensors run(const Program& program, CallStatement call, const Tensors& leaves, size_t length) {
  Variables variables;
  Tensors results;
  size_t leaf = 0;
  for (size_t i = 0; i < length; ++i) {
    const Statement& s = program.statements[i];
    if (is_leaf(s)) {
      variables[s.outputs.at(0)] = leaves[leaf++];
      continue;
    }
    const List values = call(s, variables);
    for (size_t k = 0; k < values.size(); ++k) {
      results.push_back(*values[k].as<Tensor>());
      if (k < s.outputs.size()) variables[s.outputs[k]] = results.back();
    }
  }
  return results;
}

/// How many statements run, in eager code and in a trace.
size_t length_of(const Program& program, CallStatement call) {
  size_t length = 0;
  while (length < program.statements.size() && !is_the_end(program.statements[length])) ++length;
  for (size_t n = 1; n <= length; ++n) {
    if (is_leaf(program.statements[n - 1])) continue;
    try {
      run(program, call, make_leaves(program), n);
      strata::trace([&](const Tensors& leaves) { return run(program, call, leaves, n); })(make_leaves(program));
    } catch (const strata::Error&) {
      return n - 1;
    }
  }
  return length;
}

bool same_bits(const Tensor& a, const Tensor& b) {
  if (a.defined() != b.defined()) return false;
  if (!a.defined()) return true;
  if (a.dtype() != b.dtype() || a.sizes() != b.sizes()) return false;
  const Tensor x = a.contiguous(), y = b.contiguous();
  return x.numel() == 0 || std::memcmp(x.bytes(), y.bytes(), x.nbytes()) == 0;
}

bool all_same(const Tensors& a, const Tensors& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_bits);
}

}  // namespace

bool check_compiled(const Program& program, CallStatement call) {
  const strata::NoGradGuard no_grad;
  const size_t length = length_of(program, call);
  Program shorter{program.name,
                  {program.statements.begin(), program.statements.begin() + static_cast<int64_t>(length)}};
  const Tensors written = make_leaves(shorter), expected = run(shorter, call, written, length);
  const auto compiled = strata::compile([&](const Tensors& leaves) { return run(shorter, call, leaves, length); });
  for (int time = 0; time < 3; ++time) {
    const Tensors leaves = make_leaves(shorter);
    const char* what = nullptr;
    try {
      const Tensors results = compiled(leaves);
      if (!all_same(results, expected)) what = "in a result";
      if (!all_same(leaves, written)) what = "in a leaf";
    } catch (const strata::Error& e) {
      what = e.what();
      std::cout << "differs " << program.name << " compiled, throws: " << what << std::endl;
      return false;
    }
    if (!what) continue;
    std::cout << "differs " << program.name << " compiled, call " << time << ", " << what << std::endl;
    for (const Statement& s : shorter.statements) std::cout << "  " << s.text << "\n";
    return false;
  }
  return true;
}

}  // namespace differential
