// Compiled programs beside eager ones.
#include "test/differential/compiled.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <optional>
#include <set>
#include <sstream>
#include <string>

#include "autograd/autograd.h"
#include "compile/aot.h"
#include "compile/compile.h"
#include "ops/creation.h"
#include "test/same_bits.h"

namespace differential {
namespace {

using Tensors = std::vector<Tensor>;

bool is_leaf(const Statement& s) { return s.function == "leaf"; }
/// Parameters and gradients of its own, and custom functions that write, are refused in a trace.
bool trains(const Statement& s) {
  static const std::set<std::string> kNames = {"optimizer", "lbfgs", "clip_grad_norm", "custom_doubled"};
  return kNames.contains(s.function);
}
/// There are no gradients yet to ask for; a program counts strides in row-major elements.
bool is_the_end(const Statement& s) {
  return s.function == "grad" || s.function == "requires_grad_" || s.function.starts_with("as_strided") || trains(s);
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

/// The number of the first that differs.
std::optional<size_t> first_difference(const Tensors& a, const Tensors& b) {
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    if (i >= a.size() || i >= b.size() || !same_bits(a[i], b[i])) return i;
  return std::nullopt;
}

/// A tensor on one line, or what it has instead of elements.
std::string shown(const Tensors& tensors, size_t at) {
  if (at >= tensors.size()) return "absent";
  if (!tensors[at].defined()) return "undefined";
  std::ostringstream out;
  out << std::setprecision(17) << tensors[at].detach();
  std::string text = out.str();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// What of two lists differs, in words; empty if nothing does.
std::string difference_in(const char* what, const Tensors& a, const Tensors& b) {
  const std::optional<size_t> at = first_difference(a, b);
  if (!at) return {};
  return std::string("in ") + what + " " + std::to_string(*at) + ": " + shown(a, *at) + ", eager code's " +
         shown(b, *at);
}

/// The leaves as the program has them, some of which require gradients.
Tensors make_recorded_leaves(const Program& program) {
  Tensors leaves;
  for (const Statement& s : program.statements)
    if (is_leaf(s)) leaves.push_back(make_leaf(s.arguments));
  return leaves;
}

/// A program counts strides in row-major elements.
bool counts_strides(const Statement& s) { return s.function.starts_with("as_strided") || trains(s); }

/// The statements that eager code takes, backward passes and what they leave in leaves among them.
Program accepted(const Program& program, CallStatement call) {
  size_t length = 0;
  while (length < program.statements.size() && !counts_strides(program.statements[length])) ++length;
  for (; length > 0; --length) {
    Program shorter{program.name,
                    {program.statements.begin(), program.statements.begin() + static_cast<int64_t>(length)}};
    try {
      run(shorter, call, make_recorded_leaves(shorter), length);
      return shorter;
    } catch (const strata::Error&) {
    }
  }
  return {program.name, {}};
}

Tensors run_recorded(const Program& program, CallStatement call, const Tensors& leaves) {
  Tensors results = run(program, call, leaves, program.statements.size());
  for (Tensor& t : results)
    if (t.defined()) t = t.detach();
  return results;
}

Tensors gradients_of(const Tensors& leaves) {
  Tensors gradients;
  for (const Tensor& t : leaves) gradients.push_back(t.grad());
  return gradients;
}

/// Values cannot be read in a trace, nor shapes that depend on them, and no shape changes in place.
bool cannot_be_traced(const std::string& error) {
  const auto says = [&](const char* words) { return error.find(words) != error.npos; };
  return says("inside trace") || says("cannot be read") || says("cannot change in place");
}

/// The program with its backward passes as one compiled function.
bool check_backward(const Program& whole, CallStatement call) {
  const Program program = accepted(whole, call);
  const Tensors eager = make_recorded_leaves(program);
  const Tensors expected = run_recorded(program, call, eager);
  const auto compiled = strata::compile([&](const Tensors& leaves) { return run_recorded(program, call, leaves); });
  for (int time = 0; time < 2; ++time) {
    const Tensors leaves = make_recorded_leaves(program);
    std::string what;
    try {
      const Tensors results = compiled(leaves);
      what = difference_in("result", results, expected);
      if (what.empty()) what = difference_in("gradient", gradients_of(leaves), gradients_of(eager));
    } catch (const strata::Error& e) {
      if (cannot_be_traced(e.what())) return true;
      what = std::string("throws: ") + e.what();
    }
    if (what.empty()) continue;
    std::cout << "differs " << program.name << " compiled with backward, call " << time << ", " << what << std::endl;
    for (const Statement& s : program.statements) std::cout << "  " << s.text << "\n";
    return false;
  }
  return true;
}

/// aot makes the backward pass itself, so it takes what a program does before it says anything of gradients.
bool is_about_gradients(const Statement& s) {
  return is_the_end(s) || s.function == "backward" || s.function == "backward_again" || s.function == "gradients" ||
         s.function == "retain_grad" || s.function == "hook";
}
Program before_gradients(const Program& program) {
  const auto end = std::find_if(program.statements.begin(), program.statements.end(), is_about_gradients);
  return {program.name, {program.statements.begin(), end}};
}

/// Goes back from the results that require a gradient in both lists.
void go_back(const Tensors& results, const Tensors& others) {
  Tensors roots, gradients;
  for (size_t i = 0; i < results.size(); ++i) {
    const Tensor& t = results[i];
    if (!t.defined() || !t.requires_grad() || !others[i].requires_grad()) continue;
    roots.push_back(t);
    gradients.push_back(strata::ones_like(t.detach()));
  }
  if (!roots.empty()) strata::autograd::backward(roots, gradients);
}

bool goes_back(const Tensors& results) {
  try {
    go_back(results, results);
    return true;
  } catch (const strata::Error&) {
    return false;  // a value that backward needs was written to
  }
}

/// The program's forward and backward made ahead of time.
bool check_ahead(const Program& whole, CallStatement call) {
  const Program program = accepted(before_gradients(whole), call);
  const auto f = [&](const Tensors& leaves) { return run(program, call, leaves, program.statements.size()); };
  const auto ahead = strata::aot(f);
  for (int time = 0; time < 2; ++time) {
    const Tensors eager = make_recorded_leaves(program), expected = f(eager), leaves = make_recorded_leaves(program);
    std::string what;
    try {
      const Tensors results = ahead(leaves);
      what = difference_in("result", results, expected);
      if (what.empty()) {
        go_back(results, expected);
        go_back(expected, results);
        what = difference_in("gradient", gradients_of(leaves), gradients_of(eager));
      }
    } catch (const strata::Error& e) {
      const std::string error = e.what();
      // What is differentiated is the program, for which an index is a tensor like others.
      const bool lost = error.find("was modified in place since") != error.npos;
      if (cannot_be_traced(error) || error.starts_with("aot: ") || lost || !goes_back(expected)) return true;
      what = "throws: " + error;
    }
    if (what.empty()) continue;
    std::cout << "differs " << program.name << " ahead of time, call " << time << ", " << what << std::endl;
    for (const Statement& s : program.statements) std::cout << "  " << s.text << "\n";
    return false;
  }
  return true;
}

}  // namespace

bool check_compiled(const Program& program, CallStatement call) {
  std::optional<strata::NoGradGuard> no_grad(std::in_place);
  const size_t length = length_of(program, call);
  Program shorter{program.name,
                  {program.statements.begin(), program.statements.begin() + static_cast<int64_t>(length)}};
  const Tensors written = make_leaves(shorter), expected = run(shorter, call, written, length);
  const auto compiled = strata::compile([&](const Tensors& leaves) { return run(shorter, call, leaves, length); });
  for (int time = 0; time < 3; ++time) {
    const Tensors leaves = make_leaves(shorter);
    std::string what;
    try {
      const Tensors results = compiled(leaves);
      what = difference_in("result", results, expected);
      if (what.empty()) what = difference_in("leaf", leaves, written);
    } catch (const strata::Error& e) {
      what = std::string("throws: ") + e.what();
    }
    if (what.empty()) continue;
    std::cout << "differs " << program.name << " compiled, call " << time << ", " << what << std::endl;
    for (const Statement& s : shorter.statements) std::cout << "  " << s.text << "\n";
    return false;
  }
  no_grad.reset();
  const bool backward_agrees = check_backward(program, call);
  return check_ahead(program, call) && backward_agrees;
}

}  // namespace differential
