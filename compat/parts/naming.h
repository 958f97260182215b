// Gives streams what libtorch's headers give them.
#pragma once
#include <strata/strata.h>

#include <complex>
#include <iostream>
#include <map>
#include <ostream>
#include <set>
#include <utility>
#include <vector>

namespace strata {
namespace compat {

/// Up to a hundred elements with spaces between them.
template <class Container>
std::ostream& print_sequence(std::ostream& out, const Container& elements) {
  size_t left = 100;
  for (auto at = elements.begin(); at != elements.end(); ++at) {
    if (left-- == 0) return out << " ...";
    out << (at == elements.begin() ? "" : " ") << *at;
  }
  return out;
}

}  // namespace compat

/// To standard output, in lines of that many characters (ATen/core/Formatting.h).
inline void print(const Tensor& x, int64_t line_size) { print(std::cout, x, line_size); }

/// `[1, 2]`, as lists of dims print.
template <class T>
requires(!std::is_same_v<T, int64_t>) std::ostream& operator<<(std::ostream& out, ArrayRef<T> list) {
  const char* before = "[";
  for (const T& element : list) {
    out << before << element;
    before = ", ";
  }
  return out << (list.empty() ? "[]" : "]");
}
template <class T>
std::ostream& operator<<(std::ostream& out, const Complex<T>& z) {
  return out << std::complex<T>(z.real(), z.imag());
}

}  // namespace strata

// libtorch has these in std, where its programs find them; of containers as there with packs, so that a program's own
// operator for `vector<T>` is the closer one.
namespace std {
template <class... T>
ostream& operator<<(ostream& out, const vector<T...>& elements) {
  return strata::compat::print_sequence(out, elements);
}
template <class A, class B>
ostream& operator<<(ostream& out, const pair<A, B>& both) {
  return out << '(' << both.first << ", " << both.second << ')';
}
template <class... T>
ostream& operator<<(ostream& out, const map<T...>& entries) {
  return strata::compat::print_sequence(out, entries);
}
template <class... T>
ostream& operator<<(ostream& out, const set<T...>& elements) {
  return strata::compat::print_sequence(out, elements);
}
}  // namespace std
