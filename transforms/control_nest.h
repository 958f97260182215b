// Control flow over nests of tensors: functions of nests as functions of lists, and what is done with lists.
#pragma once
#include "../dispatcher/layer.h"
#include "../ops/shaping.h"
#include "control_stage.h"
#include "select.h"
#include "trace.h"

namespace strata::func {

struct ScanOptions {
  std::optional<int64_t> length = {};  ///< the number of steps; needed where there are no xs
  bool reverse = false;                ///< from the last element of xs to the first; ys lie as xs do
  /// Reverse mode keeps the carry of every k-th step alone, and runs k steps again when it needs what lies between. The
  /// carry then keeps its type in eager code too, and the body may not draw from the default generator.
  std::optional<int64_t> checkpoint_every = {};
};
struct MapOptions {
  std::optional<int64_t> batch_size = {};  ///< elements that are mapped at a time, by vmap
};

namespace detail {

using control::List;
using control::ListRef;

/// The value of a predicate: any scalar, zero is false.
bool is_true(const char* who, const Tensor& pred);
/// 1 where a predicate is true, else 0.
Tensor number_of_branch(const Tensor& pred);

/// What control flow does on lists of tensors, none of which is undefined.
List choose_lists(const char* who, const Tensor& index, ArrayRef<ListRef> branches, const List& operands);
List while_lists(ListRef condition, ListRef body, const List& init);
List scan_lists(ListRef body, const List& init, const List& xs, const ScanOptions& options);

[[noreturn]] void fail_structure(const char* who);

/// Nests with the same bytes differ in tensors alone.
template <class Nest>
std::string structure_of(const Nest& nest) {
  std::string bytes = plain_values(nest);
  for (const Tensor& t : tree::leaves(nest)) bytes += t.defined() ? '+' : '-';
  return bytes;
}
template <class Nest>
void check_structure(const char* who, const std::string& wanted, const Nest& nest) {
  if (structure_of(nest) != wanted) fail_structure(who);
}

/// A result as the type that it becomes: a number is a tensor.
template <class Out, class T>
Out returned(T&& value) {
  return Out(as_tensor(std::forward<T>(value)));
}

/// A function of nests as one of lists, which remembers the structure of what it returned.
template <class Out, class Args>
class Listed {
 public:
  Listed(const char* who, Args args) : who_(who), args_(std::move(args)) {
    List all = tree::leaves(args_);
    are_defined_ = control::drop_undefined(all);
    tree::for_each(args_, [](Tensor& t) { t = Tensor(); });
  }
  /// The result must have the structure of `out`.
  void expect(Out out) { keep(std::move(out)); }
  template <class F>
  auto call(const F& f, const List& tensors) const {
    return std::apply(f, tree::unflatten(args_, control::spread_over(tensors, are_defined_)));
  }
  template <class F>
  List run(const F& f, const List& tensors) {
    Out out = fresh(returned<Out>(call(f, tensors)));
    List leaves = this->tensors(out);
    keep(std::move(out));
    return leaves;
  }
  template <class Nest>
  static List tensors(const Nest& nest) {
    List all = tree::leaves(nest);
    control::drop_undefined(all);
    return all;
  }
  /// The tensors of a result as the function would have returned them.
  Out result(const List& tensors) const {
    if (differs_) fail_structure(who_);
    return tree::unflatten(Out(*pattern_), control::spread_over(tensors, results_));
  }

 private:
  void keep(Out out) {
    std::string structure = structure_of(out);
    if (pattern_) {
      differs_ = differs_ || structure != structure_;
      return;
    }
    structure_ = std::move(structure);
    List all = tree::leaves(out);
    results_ = control::drop_undefined(all);
    tree::for_each(out, [](Tensor& t) { t = Tensor(); });
    pattern_ = std::move(out);
  }

  const char* const who_;
  Args args_;  // its tensors are undefined, as those of the pattern
  control::Mask are_defined_, results_;
  std::optional<Out> pattern_;
  std::string structure_;
  bool differs_ = false;
};

/// What a function returns, with tensors for numbers.
template <class F, class... A>
using ReturnedBy = decltype(as_tensor(std::declval<const F&>()(std::declval<const A&>()...)));

template <class Out, class Args, class... F>
Out choose_nests(const char* who, const Tensor& index, Args args, const F&... branches) {
  Listed<Out, Args> listed(who, args);
  const auto all = std::tuple([&](const List& operands) { return listed.run(branches, operands); }...);
  return std::apply(
      [&](const auto&... branch) {
        const ListRef refs[] = {branch...};
        return listed.result(choose_lists(who, index, refs, listed.tensors(args)));
      },
      all);
}

/// How many of n elements make whole batches.
int64_t in_whole_batches(int64_t n, int64_t batch_size);
int64_t common_length(const List& xs, std::optional<int64_t> length, const char* who);

/// xs as batches, `(n / b, b, ...)`, and what is left.
template <class Xs>
std::pair<Xs, std::optional<Xs>> batches_of(const Xs& xs, int64_t batch_size) {
  const int64_t n = common_length(tree::leaves(xs), {}, "map"), whole = in_whole_batches(n, batch_size);
  const auto part = [](Xs nest, int64_t start, int64_t length) {
    tree::for_each(nest, [&](Tensor& t) { t = t.narrow(0, start, length); });
    return nest;
  };
  Xs batches = part(xs, 0, whole);
  tree::for_each(batches, [&](Tensor& t) { t = t.unflatten(0, {whole / batch_size, batch_size}); });
  return {std::move(batches), whole < n ? std::optional(part(xs, whole, n - whole)) : std::nullopt};
}
template <class Out>
Out join_batches(Out batches, const std::optional<Out>& rest) {
  const List last = rest ? tree::leaves(*rest) : List();
  size_t i = 0;
  tree::for_each(batches, [&](Tensor& t) {
    t = t.flatten(0, 1);
    if (rest) t = cat({t, last[i++]}, 0);
  });
  return batches;
}

}  // namespace detail
}  // namespace strata::func
