// Runs programs beside what PyTorch made of them and says where the results differ: `differential [--each] [--compiled]
// FILE...`.
// With --each, a line per program tells whoever started this how far it came, in case a program ends the process. With
// --compiled, each program is one compiled function, and its results are compared with those of eager code, bit for
// bit; what is refused inside of it alone is counted by its message.
#include <cstring>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <unordered_map>

#include "test/differential/compare.h"
#include "test/differential/compiled.h"

namespace differential {
namespace {

class SilentWarnings : public strata::WarningHandler {
  void process(const strata::Warning&) override {}
};

using Functions = std::unordered_map<std::string, std::vector<Overload>>;

Functions collect_functions() {
  Functions functions;
  for (auto family : {pointwise_rows, binary_rows, reduction_rows, view_rows, indexing_rows, network_rows, breadth_rows,
                      model_rows, form_rows, variant_rows, training_rows, write_rows, sample_rows, transform_rows})
    for (auto& row : family()) {
      if (row.plain.call) functions[row.name].push_back(row.plain);
      if (row.in_place.call) functions[std::string(row.name) + "_"].push_back(row.in_place);
    }
  return functions;
}

// The largest element of the operands, for sums that cancel.
double operands_magnitude(const List& arguments) {
  double largest = 1;
  for (const auto& value : arguments) {
    if (value.as<Tensor>()) largest = std::max(largest, magnitude_of(*value.as<Tensor>()));
    if (value.as<List>()) largest = std::max(largest, operands_magnitude(*value.as<List>()));
  }
  return largest;
}

List parse_arguments(const Statement& s, const Variables& variables) {
  List arguments;
  for (const auto& text : s.arguments) arguments.push_back(parse_value(text, variables));
  return arguments;
}

List call_with(const Statement& s, const List& arguments) {
  if (!s.no_grad) return call_by_name(s.function, arguments);
  strata::NoGradGuard guard;
  return call_by_name(s.function, arguments);
}

List run(const Statement& s, const Variables& variables, double& magnitude) {
  if (s.function == "leaf") return {make_leaf(s.arguments)};
  const List arguments = parse_arguments(s, variables);
  magnitude = operands_magnitude(arguments);
  return call_with(s, arguments);
}

// Runs a statement that is no leaf, without a look at values, which a trace does not have.
List call_statement(const Statement& s, const Variables& variables) {
  return call_with(s, parse_arguments(s, variables));
}

// The coarsest dtype among tensors that gradients go through.
strata::DType coarsest(const Variables& variables) {
  strata::DType found = strata::DType::Undefined;
  for (const auto& [name, tensor] : variables)
    if (tensor.requires_grad()) found = coarser(found, tensor.dtype());
  return found;
}

std::optional<std::string> compare_results(const Statement& s, const List& results, double magnitude,
                                           strata::DType through) {
  if (results.size() != s.expected.size())
    return "results: " + std::to_string(results.size()) + ", PyTorch's " + std::to_string(s.expected.size());
  for (size_t i = 0; i < results.size(); ++i)
    if (auto text = difference(*results[i].as<Tensor>(), s.expected[i], magnitude, through)) return text;
  return std::nullopt;
}

struct Outcome {
  std::optional<std::string> difference = {};
  bool is_end = false;  ///< both refuse, and nothing can be said of what follows
};

Outcome check(const Statement& s, Variables& variables) {
  List results;
  double magnitude = 1;
  try {
    results = run(s, variables, magnitude);
  } catch (const std::exception& e) {
    if (s.error || s.may_throw) return {.is_end = s.may_throw};
    return {std::string("throws: ") + e.what()};
  }
  if (s.error) return {"computes: PyTorch throws " + *s.error};
  const bool is_gradient = s.function == "grad" || s.function == "gradients";
  const auto through = is_gradient ? coarsest(variables) : strata::DType::Undefined;
  if (auto text = compare_results(s, results, magnitude, through)) return {text};
  for (size_t i = 0; i < results.size(); ++i) {
    const auto& tensor = *results[i].as<Tensor>();
    set_elements(tensor, s.expected[i]);
    if (i < s.outputs.size()) variables[s.outputs[i]] = tensor;
  }
  return {};
}

// Prints the first difference of a program; true if there is none.
bool check(const Program& program) {
  Variables variables;
  for (size_t i = 0; i < program.statements.size(); ++i) {
    const auto outcome = check(program.statements[i], variables);
    if (outcome.is_end) break;
    if (!outcome.difference) continue;
    std::cout << "differs " << program.name << " " << i << " " << *outcome.difference << "\n  in "
              << program.statements[i].text << std::endl;
    return false;
  }
  return true;
}

}  // namespace

strata::DType dtype_named(std::string_view word) {
  for (int i = 0; i < strata::kNumDTypes; ++i)
    if (word == strata::name(static_cast<strata::DType>(i))) return static_cast<strata::DType>(i);
  return strata::DType::Undefined;
}

List call_by_name(const std::string& name, const List& args) {
  static const Functions functions = collect_functions();
  if (auto found = functions.find(name); found != functions.end())
    for (const auto& overload : found->second)
      if (overload.fits(args)) return overload.call(args);
  throw std::logic_error("no function " + name + " of these " + std::to_string(args.size()) + " arguments");
}

}  // namespace differential

int main(int argc, char** argv) {
  using namespace differential;
  SilentWarnings silent;
  strata::WarningUtils::WarningHandlerGuard guard(&silent);
  int programs = 0, differing = 0;
  bool each = false, compiled = false;
  try {
    for (int i = 1; i < argc; ++i) {
      if (!std::strcmp(argv[i], "--each")) {
        each = true;
        continue;
      }
      if (!std::strcmp(argv[i], "--compiled")) {
        compiled = true;
        continue;
      }
      std::ifstream in(argv[i]);
      if (!in) throw std::runtime_error(std::string("cannot read ") + argv[i]);
      while (auto program = read_program(in)) {
        ++programs;
        const bool same = compiled ? check_compiled(*program, call_statement) : check(*program);
        if (!same) ++differing;
        if (same && each) std::cout << "agrees " << program->name << std::endl;
      }
    }
  } catch (const std::exception& e) {
    std::cerr << "differential: " << e.what() << "\n";
    return 2;
  }
  const int refused = report_refusals();
  if (refused) std::cout << refused << " programs are refused where eager code computes\n";
  std::cout << programs << " programs, " << differing << " differ from " << (compiled ? "eager code" : "PyTorch")
            << "\n";
  return differing || !programs;
}
