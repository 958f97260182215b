// Makes programs written for libtorch's C++ frontend build with Strata: its names, and the headers it brings along.
#pragma once

// libtorch's umbrella brings these, and its programs count on them.
#include <algorithm>
#include <array>
#include <atomic>
#include <bitset>
#include <cassert>
#include <cfloat>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#if __cplusplus >= 202002L
#include <strata/core/naming.h>

#include "../parts/names.h"

namespace strata::compat {
/// Chosen when the program starts, by including this header; the library's own sources do not include it.
[[maybe_unused]] inline const bool prints_as_libtorch = (set_naming(Naming::kLibtorch), true);
}  // namespace strata::compat

namespace torch {
using Generator = strata::compat::GeneratorHandle;
/// Integers in the shape and dtype of `self`: from [from, to), or all that the dtype holds.
inline Tensor random(const Tensor& self, int64_t from, std::optional<int64_t> to, strata::OptionalGenerator g = {}) {
  Tensor out = empty_like(self);
  return random_out(out, self, from, to, g);
}
inline Tensor random(const Tensor& self, int64_t to, strata::OptionalGenerator generator = {}) {
  return random(self, 0, to, generator);
}
inline Tensor random(const Tensor& self, strata::OptionalGenerator generator = {}) {
  Tensor out = empty_like(self);
  return random_out(out, self, generator);
}
inline strata::TypeMeta get_default_dtype() { return strata::TypeMeta(strata::get_default_dtype()); }
/// An IValue, whose dict has entries with key() and value(): what programs read Python's state_dict with.
inline IValue pickle_load(const std::vector<char>& data) { return strata::pickle_load(data); }
inline std::vector<char> pickle_save(const IValue& value) { return strata::pickle_save(value); }
namespace jit {
using torch::pickle_load;
using torch::pickle_save;
}  // namespace jit
namespace optim {
using strata::compat::LRScheduler;
using strata::compat::StepLR;
}  // namespace optim
namespace utils {
using strata::flatten_dense_tensors;
using strata::unflatten_dense_tensors;
}  // namespace utils
namespace data {
using strata::data::datasets::BatchDataset;
using strata::data::datasets::Dataset;
namespace transforms {
/// A template of this very namespace, which programs specialise for examples of their own.
template <class T = Example<>>
struct Stack : strata::data::transforms::Stack<T> {};
}  // namespace transforms
}  // namespace data
}  // namespace torch

// Qualified names of all three find Strata's, and programs may add their own to each.
namespace at {
using namespace torch;
/// Numbers in a tensor of one dim and of their own dtype; torch::tensor makes a tensor of dim 0 of one, and floats. No
/// templates, so that they are preferred where a program uses namespace torch: `tensor({0.5, 2.})` is of doubles there.
#define STRATA_COMPAT_TENSOR(T)                                                                                      \
  inline Tensor tensor(ArrayRef<T> values, const TensorOptions& options) { return strata::tensor(values, options); } \
  inline Tensor tensor(ArrayRef<T> values) { return strata::tensor(values, TensorOptions(strata::dtype_of<T>)); }    \
  inline Tensor tensor(std::initializer_list<T> values, const TensorOptions& options) {                              \
    return at::tensor(ArrayRef<T>(values), options);                                                                 \
  }                                                                                                                  \
  inline Tensor tensor(std::initializer_list<T> values) { return at::tensor(ArrayRef<T>(values)); }                  \
  inline Tensor tensor(T value, const TensorOptions& options) { return at::tensor(ArrayRef<T>(value), options); }    \
  inline Tensor tensor(T value) { return at::tensor(ArrayRef<T>(value)); }
STRATA_COMPAT_TENSOR(uint8_t)
STRATA_COMPAT_TENSOR(int8_t)
STRATA_COMPAT_TENSOR(int16_t)
STRATA_COMPAT_TENSOR(int)
STRATA_COMPAT_TENSOR(int64_t)
STRATA_COMPAT_TENSOR(float)
STRATA_COMPAT_TENSOR(double)
STRATA_COMPAT_TENSOR(bool)
STRATA_COMPAT_TENSOR(strata::Half)
STRATA_COMPAT_TENSOR(strata::BFloat16)
STRATA_COMPAT_TENSOR(strata::Complex<float>)
STRATA_COMPAT_TENSOR(strata::Complex<double>)
#undef STRATA_COMPAT_TENSOR
template <class T, class... Options>
Tensor tensor(const std::vector<T>& values, const Options&... options) {
  return at::tensor(ArrayRef<T>(values), options...);
}
namespace native {
using namespace torch;  // functions as the CPU's kernels are called
}
}  // namespace at
namespace torch {
using namespace at;  // as libtorch's does: what programs add to `at` is found here too
}
namespace c10 {
using namespace torch;
template <class T>
using complex = strata::Complex<T>;  // in torch it is the function that joins two parts
// What the standard library had not when libtorch was written for C++14; programs of that time use it still.
using std::bad_variant_access;
using std::get;
using std::get_if;
using std::holds_alternative;
using std::monostate;
using std::variant;
using std::visit;
namespace guts {
using std::apply;
using std::conjunction;
using std::disjunction;
using std::make_unique;
using std::negation;
using std::to_string;
template <bool B>
using bool_constant = std::bool_constant<B>;
}  // namespace guts
}  // namespace c10
namespace caffe2 {
using strata::TypeMeta;
}
namespace ska {
/// The map that libtorch's optimizers keep their states in.
template <class K, class V>
using flat_hash_map = std::unordered_map<K, V>;
}  // namespace ska
#else
#include <strata/strata.h>  // says what is missing
#endif
