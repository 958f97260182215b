// Prints modules' options and the names of choices; the usual start of weights.
#include "nn/detail.h"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <sstream>

#include "nn/init.h"

namespace strata {

#define STRATA_CHOICE(Name, printed) printed,
const char* name(Choice choice) {
  constexpr const char* kPrinted[] = {STRATA_FORALL_CHOICES(STRATA_CHOICE)};
  return kPrinted[static_cast<size_t>(choice)];
}
#undef STRATA_CHOICE

#define STRATA_CHOICE(Name, printed) "k" #Name,
const char* constant_name(Choice choice) {
  constexpr const char* kConstants[] = {STRATA_FORALL_CHOICES(STRATA_CHOICE)};
  return kConstants[static_cast<size_t>(choice)];
}
#undef STRATA_CHOICE

size_t detail::index_of(Choice choice, std::initializer_list<Choice> accepted) {
  const Choice* const found = std::find(accepted.begin(), accepted.end(), choice);
  if (found != accepted.end()) return found - accepted.begin();
  std::string list;
  for (const Choice c : accepted) list += (list.empty() ? "" : ", ") + std::string(constant_name(c));
  STRATA_CHECK(false, "expected one of {}, got {}", list, constant_name(choice));
}

namespace nn {

PrintedOption::PrintedOption(const char* name, double v) : name(name) {
  std::ostringstream text;
  text << v;
  value = text.str();
}

PrintedOption::PrintedOption(const char* name, Choice v)
    : name(name), value(libtorch_names() ? constant_name(v) : strata::name(v)) {}

PrintedOption::PrintedOption(const char* name, IntArrayRef v) : name(name), value("[") {
  for (size_t i = 0; i < v.size(); ++i) value += (i ? ", " : "") + std::to_string(v[i]);
  value += "]";
}

std::string type_of_dims(const char* type, size_t dims) { return type + std::to_string(dims) + "d"; }

void print_module(std::ostream& stream, const std::string& type, const std::vector<PrintedOption>& options) {
  stream << module_prefix() << type << '(';
  const char* separator = "";
  for (const PrintedOption& option : options) {
    if (option.is_flag && libtorch_names()) stream << std::boolalpha;
    stream << separator << option.name << (*option.name ? "=" : "") << option.value;
    separator = ", ";
  }
  stream << ')';
}

void init_uniform(Tensor& weight, Tensor& bias, int64_t fan_in) {
  const double bound = fan_in > 0 ? 1 / std::sqrt(static_cast<double>(fan_in)) : 0;
  init::uniform_(weight, -bound, bound);
  if (bias.defined()) init::uniform_(bias, -bound, bound);
}

}  // namespace nn
}  // namespace strata
