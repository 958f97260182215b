// What stands in a statement of a program: typed arguments, and functions that can be called with them by name.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "core/visit_types.h"
#include "strata.h"

namespace differential {

using strata::Tensor;
using strata::indexing::Slice;

struct Value;
using List = std::vector<Value>;
/// One argument: none, a flag, a number, a word (a dtype or a mode), a slice, a tensor, or a list of arguments.
struct Value
    : std::variant<std::monostate, bool, int64_t, double, strata::Complex<double>, std::string, Slice, Tensor, List> {
  using variant::variant;
  template <class T>
  const T* as() const {
    return std::get_if<T>(static_cast<const variant*>(this));
  }
  bool is_none() const { return as<std::monostate>(); }
};

/// How a parameter of C++ type T is read from a Value: `fits` says whether it can be, `get` gives something that
/// converts to T and lives until the end of the call.
template <class T>
struct Argument {
  static bool fits(const Value& v) { return v.as<T>(); }
  static const T& get(const Value& v) { return *v.as<T>(); }
};

template <>
struct Argument<Value> {
  static bool fits(const Value&) { return true; }
  static const Value& get(const Value& v) { return v; }
};

template <class T>
struct Argument<const T&> : Argument<T> {};
template <class T>
struct Argument<T&> : Argument<T> {
  static T& get(const Value& v) { return const_cast<T&>(*v.as<T>()); }
};

template <>
struct Argument<double> {
  static bool fits(const Value& v) { return v.as<double>() || v.as<int64_t>(); }
  static double get(const Value& v) { return v.as<double>() ? *v.as<double>() : static_cast<double>(*v.as<int64_t>()); }
};

template <>
struct Argument<strata::Scalar> {
  static bool fits(const Value& v) {
    return v.as<double>() || v.as<int64_t>() || v.as<bool>() || v.as<strata::Complex<double>>();
  }
  static strata::Scalar get(const Value& v) {
    if (v.as<bool>()) return *v.as<bool>();
    if (v.as<int64_t>()) return *v.as<int64_t>();
    if (v.as<double>()) return *v.as<double>();
    return *v.as<strata::Complex<double>>();
  }
};

/// Calls `f` with the C++ type of the dtype's elements.
template <class F>
void visit_elements(strata::DType dtype, F&& f) {
  strata::visit_types<bool, uint8_t, int8_t, int16_t, int32_t, uint32_t, int64_t, strata::Half, strata::BFloat16, float,
                      double, strata::Complex<float>, strata::Complex<double>>(dtype, "element", f);
}

/// The dtype of a name, "float32" and so on; Undefined for other words.
strata::DType dtype_named(std::string_view word);

template <>
struct Argument<strata::DType> {
  static bool fits(const Value& v) {
    return v.as<std::string>() && dtype_named(*v.as<std::string>()) != strata::DType::Undefined;
  }
  static strata::DType get(const Value& v) { return dtype_named(*v.as<std::string>()); }
};

template <>
struct Argument<std::string_view> : Argument<std::string> {};

template <>
struct Argument<strata::indexing::TensorIndex> {
  static bool fits(const Value& v) { return !v.as<double>() && !v.as<List>(); }
  static strata::indexing::TensorIndex get(const Value& v) {
    if (v.as<bool>()) return *v.as<bool>();
    if (v.as<int64_t>()) return *v.as<int64_t>();
    if (v.as<Slice>()) return *v.as<Slice>();
    if (v.as<Tensor>()) return *v.as<Tensor>();
    if (v.as<std::string>()) return strata::indexing::Ellipsis;
    return std::nullopt;
  }
};

template <class T>
struct Argument<std::vector<T>> {
  static bool fits(const Value& v) {
    if (!v.as<List>()) return false;
    for (const auto& item : *v.as<List>())
      if (!Argument<T>::fits(item)) return false;
    return true;
  }
  static std::vector<T> get(const Value& v) {
    std::vector<T> items;
    for (const auto& item : *v.as<List>()) items.push_back(Argument<T>::get(item));
    return items;
  }
};

template <class T>
struct Argument<strata::ArrayRef<T>> : Argument<std::vector<T>> {};

template <class T>
struct Argument<std::optional<T>> {
  static bool fits(const Value& v) { return v.is_none() || Argument<T>::fits(v); }
  static std::optional<T> get(const Value& v) {
    if (v.is_none()) return std::nullopt;
    return std::optional<T>(Argument<T>::get(v));
  }
};

template <>
struct Argument<strata::OptionalIntArrayRef> {
  struct Dims {
    std::optional<std::vector<int64_t>> dims;
    operator strata::OptionalIntArrayRef() const {
      if (!dims) return std::nullopt;
      return strata::OptionalIntArrayRef(*dims);
    }
  };
  static bool fits(const Value& v) { return Argument<std::optional<std::vector<int64_t>>>::fits(v); }
  static Dims get(const Value& v) { return {Argument<std::optional<std::vector<int64_t>>>::get(v)}; }
};

template <>
struct Argument<strata::OptionalTensorRef> {
  static bool fits(const Value& v) { return v.is_none() || v.as<Tensor>(); }
  static strata::OptionalTensorRef get(const Value& v) {
    if (v.is_none()) return {};
    return *v.as<Tensor>();
  }
};

/// What a call gives back, tensors only.
inline List results_of(const List& results) { return results; }
inline List results_of(const Tensor& t) { return {t}; }
inline List results_of(const std::vector<Tensor>& tensors) { return {tensors.begin(), tensors.end()}; }
template <class... T>
List results_of(const std::tuple<T...>& tensors) {
  return std::apply([](const auto&... t) { return List{t...}; }, tensors);
}

/// One overload under a name.
struct Overload {
  std::function<bool(const List&)> fits;
  std::function<List(const List&)> call;
};

template <class F, class... A, size_t... I>
Overload make_overload(F f, std::index_sequence<I...>) {
  return {[](const List& args) { return args.size() == sizeof...(A) && (Argument<A>::fits(args[I]) && ...); },
          [f](const List& args) { return results_of(std::invoke(f, Argument<A>::get(args[I])...)); }};
}
template <class R, class... A>
Overload overload(R (*f)(A...)) {
  return make_overload<decltype(f), A...>(f, std::index_sequence_for<A...>());
}
template <class R, class... A>
Overload overload(R (Tensor::*f)(A...) const) {
  return make_overload<decltype(f), const Tensor&, A...>(f, std::index_sequence_for<int, A...>());
}
template <class R, class... A>
Overload overload(R (Tensor::*f)(A...)) {
  return make_overload<decltype(f), Tensor&, A...>(f, std::index_sequence_for<int, A...>());
}

/// A row of a table: a name and a function, a method or a lambda that captures nothing; the second one, if given, is
/// the function that works in place and gets the name with an underscore.
struct Row {
  template <class F>
  Row(const char* name, F f) : name(name), plain(make(f)) {}
  template <class F, class G>
  Row(const char* name, F f, G in_place) : name(name), plain(make(f)), in_place(make(in_place)) {}
  const char* name;
  Overload plain, in_place;

 private:
  template <class F>
  static Overload make(F f) {
    if constexpr (std::is_class_v<F>)
      return overload(+f);
    else
      return overload(f);
  }
};
using Rows = std::vector<Row>;

/// The tables of the families, each in a file of its own.
Rows pointwise_rows();
Rows binary_rows();
Rows reduction_rows();
Rows view_rows();
Rows indexing_rows();
Rows network_rows();
Rows transform_rows();
Rows breadth_rows();
Rows model_rows();
Rows form_rows();
Rows variant_rows();
Rows sample_rows();
Rows training_rows();
Rows write_rows();

/// Calls the function of that name whose parameters the arguments fit; throws std::logic_error where there is none.
List call_by_name(const std::string& name, const List& args);

}  // namespace differential
