// Compiled programs beside eager ones.
#include "test/differential/compiled.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "autograd/autograd.h"
#include "compile/aot.h"
#include "compile/compile.h"
#include "ops/creation.h"
#include "ops/shaping.h"
#include "test/same_bits.h"
#include "transforms/jvp.h"
#include "transforms/vjp.h"
#include "transforms/vmap.h"

namespace differential {
namespace {

using Tensors = std::vector<Tensor>;

// --- what is refused

/// How many programs were refused in one way, and the first of them.
struct Refusal {
  int count = 0;
  std::string program;
};

std::map<std::string, Refusal>& refusals() {
  static std::map<std::string, Refusal> all;
  return all;
}
std::set<std::string>& refused_programs() {
  static std::set<std::string> names;
  return names;
}

/// A message's first line without shapes and numbers, by which alike ones are counted.
std::string kind_of(const std::string& message) {
  static const std::regex shape(R"(\((\d+,?( \d+)*)*\))"), number(R"(\b\d+\b)");
  const std::string line = message.substr(0, message.find('\n'));
  return std::regex_replace(std::regex_replace(line, shape, "(...)"), number, "#");
}

void note_refusal(const Program& program, const char* how, const std::string& message) {
  Refusal& r = refusals()[std::string(how) + ": " + kind_of(message)];
  if (r.count++ == 0) r.program = program.name;
  refused_programs().insert(program.name);
}

// --- running a program

bool is_leaf(const Statement& s) { return s.function == "leaf"; }

/// The results of the first `length` statements; where one throws, `length` becomes how many came before it.
Tensors run(const Program& program, CallStatement call, const Tensors& leaves, size_t& length) {
  Variables variables;
  Tensors results;
  size_t leaf = 0;
  const size_t wanted = length;
  for (length = 0; length < wanted; ++length) {
    const Statement& s = program.statements[length];
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
Tensors run_all(const Program& program, CallStatement call, const Tensors& leaves) {
  size_t length = program.statements.size();
  return run(program, call, leaves, length);
}

Program shortened(const Program& program, size_t length) {
  return {program.name, {program.statements.begin(), program.statements.begin() + static_cast<int64_t>(length)}};
}

template <class Test>
Program before(const Program& program, Test is_the_end) {
  const auto end = std::find_if(program.statements.begin(), program.statements.end(), is_the_end);
  return shortened(program, static_cast<size_t>(end - program.statements.begin()));
}

// --- comparing

Tensors detached(const Tensors& tensors) {
  Tensors plain;
  for (const Tensor& t : tensors) plain.push_back(t.defined() ? t.detach() : t);
  return plain;
}

/// A tensor on one line, or what it has instead of elements.
std::string shown(const Tensors& tensors, size_t at) {
  if (at >= tensors.size()) return "absent";
  if (!tensors[at].defined()) return "undefined";
  std::ostringstream out;
  out << std::setprecision(17) << tensors[at];
  std::string text = out.str();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// Where two lists differ, in words; empty if they do not.
std::string difference_in(const char* what, const Tensors& got, const Tensors& expected) {
  const Tensors a = detached(got), b = detached(expected);
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    if (i >= a.size() || i >= b.size() || !same_bits(a[i], b[i]))
      return std::string("in ") + what + " " + std::to_string(i) + ": " + shown(a, i) + ", eager code's " + shown(b, i);
  return {};
}

/// The argument that a result is; null for what is none.
const Tensor* argument_of(const Tensor& t, const Tensors& leaves) {
  const auto at = std::find_if(leaves.begin(), leaves.end(), [&](const Tensor& l) { return l.is_same(t); });
  return at == leaves.end() ? nullptr : &*at;
}

/// What a run has: its arguments, of which the function may write to some, and its results.
struct CompiledRun {
  Tensors leaves, results;
  std::string what_argument_is(size_t result) const {
    const Tensor* const argument = argument_of(results[result], leaves);
    return argument ? "argument " + std::to_string(argument - leaves.data()) : "no argument";
  }
};

std::string difference_in_identity(const CompiledRun& got, const CompiledRun& expected) {
  for (size_t i = 0; i < expected.results.size(); ++i) {
    const std::string a = got.what_argument_is(i), b = expected.what_argument_is(i);
    if (a != b) return "in identity of result " + std::to_string(i) + ": " + a + ", eager code's " + b;
  }
  return {};
}

std::string difference_in_requires_grad(const Tensors& got, const Tensors& expected) {
  for (size_t i = 0; i < expected.size(); ++i) {
    if (!got[i].defined() || got[i].requires_grad() == expected[i].requires_grad()) continue;
    return "in requires_grad of result " + std::to_string(i) + ": " + (got[i].requires_grad() ? "true" : "false");
  }
  return {};
}

Tensors gradients_of(const Tensors& leaves) {
  Tensors gradients;
  for (const Tensor& t : leaves) gradients.push_back(t.grad());
  return gradients;
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

/// False where a value that backward needs was written to.
bool goes_back(const Tensors& results, const Tensors& others) {
  try {
    go_back(results, others);
    return true;
  } catch (const strata::Error&) {
    return false;
  }
}

// --- ways to compile

/// Parameters and gradients of its own, and custom functions that write, are refused in a trace; a program counts
/// strides in row-major elements.
bool trains(const Statement& s) {
  static const std::set<std::string> kNames = {"optimizer", "lbfgs", "clip_grad_norm", "custom_doubled"};
  return kNames.contains(s.function) || s.function.starts_with("as_strided");
}
/// Without gradients there are none to ask for.
bool wants_gradients(const Statement& s) { return trains(s) || s.function == "grad" || s.function == "requires_grad_"; }
/// Where backward runs outside, a function is what a program does before it says anything of gradients.
bool is_about_gradients(const Statement& s) {
  static const std::set<std::string> kNames = {"backward", "backward_again", "gradients", "retain_grad", "hook"};
  return wants_gradients(s) || kNames.contains(s.function);
}

/// Where a transform is around it: what is written without being recorded keeps a history in some cases there.
bool ends_history(const Statement& s) { return is_about_gradients(s) || s.no_grad || s.function == "detach"; }

using Compiled = std::function<Tensors(Tensors)>;

struct Way {
  const char* name;
  bool (*is_the_end)(const Statement&);
  bool records;    ///< do leaves that require gradients do so here?
  bool goes_back;  ///< from outside of the function
  Compiled (*compile)(const Compiled& f);
  Compiled (*around)(const Compiled& f);  ///< a transform of the function, compiled or not
};

// --- transforms around

bool has_slope(const Tensor& t) { return t.defined() && strata::is_differentiable(t.dtype()); }
Tensor slope_of(const Tensor& t) { return has_slope(t) ? strata::ones_like(t) : Tensor(); }
Tensors slopes_of(const Tensors& tensors) {
  Tensors slopes;
  for (const Tensor& t : tensors) slopes.push_back(slope_of(t));
  return slopes;
}

Compiled plain(const Compiled& f) { return f; }
/// The results and the gradients of all arguments.
Compiled inside_vjp(const Compiled& f) {
  return [f](const Tensors& leaves) {
    auto [all, pull] = strata::func::vjp([&](const Tensors& x) { return f(x); }, leaves);
    const Tensors gradients = pull(slopes_of(all));
    all.insert(all.end(), gradients.begin(), gradients.end());
    return all;
  };
}
/// The results and their derivatives along ones.
Compiled inside_jvp(const Compiled& f) {
  return [f](const Tensors& leaves) {
    auto [all, derivatives] = strata::func::jvp([&](const Tensors& x) { return f(x); }, leaves, slopes_of(leaves));
    all.insert(all.end(), derivatives.begin(), derivatives.end());
    return all;
  };
}
/// The results for two examples.
Compiled inside_vmap(const Compiled& f) {
  return [f](const Tensors& leaves) {
    Tensors pairs;
    for (const Tensor& t : leaves)
      pairs.push_back(strata::stack({t, t.flip(0 == t.dim() ? strata::IntArrayRef() : strata::IntArrayRef{0})}));
    const strata::func::VmapOptions options{.randomness = strata::func::Randomness::different};
    return strata::func::vmap([&](const Tensors& x) { return f(x); }, options)(pairs);
  };
}

Compiled by_compile(const Compiled& f) {
  return strata::compile([f](const Tensors& leaves) { return f(leaves); });
}
Compiled by_aot(const Compiled& f) {
  return strata::aot([f](const Tensors& leaves) { return f(leaves); });
}

constexpr Way kWays[] = {{"compiled", &wants_gradients, false, false, &by_compile, &plain},
                         {"compiled with backward", &trains, true, false, &by_compile, &plain},
                         {"compiled with backward outside", &is_about_gradients, true, true, &by_compile, &plain},
                         {"ahead of time", &is_about_gradients, true, true, &by_aot, &plain},
                         {"compiled inside of vjp", &ends_history, false, false, &by_compile, &inside_vjp},
                         {"compiled inside of jvp", &ends_history, false, false, &by_compile, &inside_jvp},
                         {"compiled inside of vmap", &ends_history, false, false, &by_compile, &inside_vmap}};

Tensors make_leaves(const Program& program, const Way& way) {
  Tensors leaves;
  for (const Statement& s : program.statements)
    if (is_leaf(s)) leaves.push_back(way.records ? make_leaf(s.arguments) : make_leaf(s.arguments).detach());
  return leaves;
}

/// Values cannot be read in a trace, nor shapes that depend on them.
bool asks_for_values(const std::string& error) {
  const auto says = [&](const char* words) { return error.find(words) != error.npos; };
  return says("inside trace a tensor has no value") || says("the shape of its result is not known") ||
         says("cannot be read");
}

/// The statements that eager code takes.
Program accepted(const Program& program, const Way& way, CallStatement call) {
  size_t length = 0;
  try {
    way.around([&](const Tensors& leaves) {
      length = program.statements.size();
      return run(program, call, leaves, length);
    })(make_leaves(program, way));
  } catch (const strata::Error&) {
  }
  return shortened(program, length);
}

/// The statements that can be traced as well; those that are refused, but for reading values, are noted.
Program traceable(Program program, const Way& way, CallStatement call) {
  while (true) {
    size_t length = program.statements.size();
    const auto f = [&](const Tensors& leaves) { return run(program, call, leaves, length); };
    const Compiled compiled = way.around(way.compile(f));
    try {
      compiled(make_leaves(program, way));
      return program;
    } catch (const strata::Error& e) {
      if (length == program.statements.size()) return program;  // what is wrong with all of it, check() tells
      if (!asks_for_values(e.what())) note_refusal(program, way.name, e.what());
      program = shortened(program, length);
    }
  }
}

/// What eager code gives; nothing where a transform around refuses its derivative.
std::optional<CompiledRun> run_eagerly(const Program& program, const Way& way, CallStatement call) {
  CompiledRun run{make_leaves(program, way), {}};
  try {
    run.results = way.around([&](const Tensors& leaves) { return run_all(program, call, leaves); })(run.leaves);
  } catch (const strata::Error&) {
    return std::nullopt;
  }
  return run;
}

/// What differs in one call, in words; empty if nothing does.
std::string difference_in_call(const Program& program, const Way& way, CompiledRun expected, const Compiled& compiled) {
  CompiledRun got{make_leaves(program, way), {}};
  got.results = compiled(got.leaves);
  std::string what = difference_in("result", got.results, expected.results);
  if (what.empty()) what = difference_in("leaf", got.leaves, expected.leaves);
  if (what.empty()) what = difference_in_identity(got, expected);
  if (!what.empty()) return what;
  // Where eager code refuses, a program gives the gradient for the value that was kept.
  if (!way.goes_back || goes_back(expected.results, got.results)) {
    if (way.goes_back) go_back(got.results, expected.results);
    what = difference_in("gradient", gradients_of(got.leaves), gradients_of(expected.leaves));
  }
  return what.empty() ? difference_in_requires_grad(got.results, expected.results) : what;
}

bool check(const Program& whole, const Way& way, CallStatement call) {
  const Program program = traceable(accepted(before(whole, way.is_the_end), way, call), way, call);
  const Compiled compiled =
      way.around(way.compile([&](const Tensors& leaves) { return run_all(program, call, leaves); }));
  for (int time = 0; time < 3; ++time) {
    std::string what;
    std::optional<CompiledRun> expected = run_eagerly(program, way, call);
    if (!expected) return true;
    try {
      what = difference_in_call(program, way, *std::move(expected), compiled);
    } catch (const strata::Error& e) {
      note_refusal(program, way.name, e.what());
      return true;
    }
    if (what.empty()) continue;
    std::cout << "differs " << program.name << " " << way.name << ", call " << time << ", " << what << std::endl;
    for (const Statement& s : program.statements) std::cout << "  " << s.text << "\n";
    return false;
  }
  return true;
}

}  // namespace

bool check_compiled(const Program& program, CallStatement call) {
  bool agrees = true;
  for (const Way& way : kWays) {
    std::optional<strata::NoGradGuard> no_grad;
    if (!way.records && way.around == &plain) no_grad.emplace();
    agrees = check(program, way, call) && agrees;
  }
  return agrees;
}

int report_refusals() {
  std::vector<std::pair<std::string, Refusal>> kinds(refusals().begin(), refusals().end());
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const auto& a, const auto& b) { return a.second.count > b.second.count; });
  for (const auto& [kind, r] : kinds)
    std::cout << "refused " << r.count << " " << kind << " (program " << r.program << ")\n";
  return static_cast<int>(refused_programs().size());
}

}  // namespace differential
