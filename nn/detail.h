// What the sources of nn share: how modules print, how losses reduce and how weights start. Not included by public
// headers.
#pragma once
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "../core/naming.h"
#include "../core/tensor.h"
#include "enums.h"
#include "expanding_array.h"

namespace strata::nn {

/// One option as it prints, without `name=` where the name is empty: numbers, flags (true, false), lists ([2, 2]) and
/// choices (kZeros prints as zeros, and under libtorch's names as kZeros).
struct PrintedOption {
  const char* name;
  std::string value;
  bool is_flag = false;
  PrintedOption(const char* name, int64_t v) : name(name), value(std::to_string(v)) {}
  PrintedOption(const char* name, int v) : PrintedOption(name, int64_t{v}) {}
  PrintedOption(const char* name, double v);
  PrintedOption(const char* name, bool v) : name(name), value(v ? "true" : "false"), is_flag(true) {}
  PrintedOption(const char* name, IntArrayRef v);
  PrintedOption(const char* name, const std::vector<int64_t>& v) : PrintedOption(name, IntArrayRef(v)) {}
  /// A list of one prints as its number.
  template <size_t D>
  PrintedOption(const char* name, const ExpandingArray<D>& v)
      : PrintedOption(D == 1 ? PrintedOption(name, v[0]) : PrintedOption(name, IntArrayRef(v))) {}
  PrintedOption(const char* name, Choice v);
  PrintedOption(const char* name, const std::string& v) : name(name), value(v) {}
  template <class T>
  PrintedOption(const char* name, const std::optional<T>& v)
      : PrintedOption(v ? PrintedOption(name, *v) : PrintedOption(name, std::string("None"))) {}
};

/// Prints `strata::nn::Linear(in_features=4, out_features=5, bias=true)`. Under libtorch's names a flag leaves the
/// stream in std::boolalpha, as libtorch's printers do and its programs show.
void print_module(std::ostream& stream, const std::string& type, const std::vector<PrintedOption>& options = {});

/// `type` with its number of dims: MaxPool2d.
std::string type_of_dims(const char* type, size_t dims);

/// A type's name from typeid as it is written in C++, as libtorch has it under its names: torch::nn::LinearImpl.
std::string demangled(const char* type);

/// kNone, kMean or kSum as a Reduction.
int64_t reduction_code(Choice reduction);

/// Uniform in +-1/sqrt(fan_in), for the weight and, where there is one, the bias.
void init_uniform(Tensor& weight, Tensor& bias, int64_t fan_in);

}  // namespace strata::nn
