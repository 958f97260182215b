// compile: a function is traced once for each kind of arguments and runs as a planned program from then on.
#pragma once
#include <atomic>
#include <mutex>
#include <string>

#include "../core/autocast.h"
#include "../core/generator.h"
#include "../transforms/trace.h"
#include "compiled_call.h"
#include "donate.h"

namespace strata::func {

struct CompileOptions {
  /// The numbers of arguments whose memory the program may use for what it computes and for its results.
  std::vector<int64_t> donate = {};
};

/// What a compiled function has done so far.
struct CompileStats {
  int64_t programs = 0;  ///< how often it was traced: once for each kind of arguments
  int64_t calls = 0;
};

namespace detail {

/// The programs of one compiled function, by the kind of their arguments: structure, plain values, dtypes, shapes,
/// devices and whether gradients are recorded. Copies of the function share it; calls come from any thread.
class CompileCache {
 public:
  struct Entry {
    std::string kind;
    compiling::CompiledCall run;
    std::shared_ptr<const void> pattern;  ///< what the function returns, with undefined tensors
    const Entry* next = nullptr;
  };
  CompileCache() = default;
  ~CompileCache();
  CompileCache(const CompileCache&) = delete;
  CompileCache& operator=(const CompileCache&) = delete;

  /// The program for arguments of a kind; null where there is none yet.
  const Entry* find(std::string_view kind, TensorList inputs) const;
  /// The captured leaves that traces have met so far, whose gradients the function may change.
  std::vector<Tensor> leaves() const;
  void note_leaves(const TraceLayer& layer);
  /// Keeps a program, unless it holds tensors of a transform around it, which is over before the next call; prints it
  /// where the environment has STRATA_LOG=compile. The result lives as long as the second is held.
  std::pair<const Entry*, std::unique_ptr<const Entry>> add(std::unique_ptr<Entry> entry, TensorList inputs);
  CompileStats stats() const;
  /// Does a number that changes in every call make ever other programs? What has none yet runs as it is then.
  bool is_full() const { return traced_.load(std::memory_order_relaxed) >= kMostPrograms; }

 private:
  static constexpr int64_t kMostPrograms = 256;
  const Entry* known(std::string_view kind, TensorList inputs) const;

  mutable std::atomic<int64_t> calls_{0};
  std::atomic<int64_t> traced_{0};
  std::atomic<const Entry*> entries_{nullptr};
  mutable std::mutex adding_;
  std::vector<Tensor> leaves_;
};

/// What distinguishes the programs of a function: the beginning, and what a tensor appends. The string is the calling
/// thread's, until its next call.
std::string& kind_of_call(const void* type);
void describe_tensor(std::string& kind, const Tensor& t);

/// What a trace must leave as it was: the first run of a program draws the random numbers that the trace drew. Unless
/// it `casts`, it does not see autocast.
class TraceGuard {
 public:
  explicit TraceGuard(bool casts = false);
  ~TraceGuard();
  TraceGuard(const TraceGuard&) = delete;
  TraceGuard& operator=(const TraceGuard&) = delete;

 private:
  const Generator::Position draws_;
  std::optional<autocast::Restored> autocast_;
};

/// Notes the leaves that a trace has met, however it ends.
class LeafNote {
 public:
  LeafNote(CompileCache& cache, const TraceLayer& layer) : cache_(cache), layer_(layer) {}
  ~LeafNote() { cache_.note_leaves(layer_); }
  LeafNote(const LeafNote&) = delete;
  LeafNote& operator=(const LeafNote&) = delete;

 private:
  CompileCache& cache_;
  const TraceLayer& layer_;
};

/// What a function returns, as a nest: nothing is an empty one.
template <class T>
using ReturnedNest = std::conditional_t<std::is_void_v<T>, std::tuple<>, std::decay_t<T>>;

/// What a function does with its arguments and with what it captures.
struct Recorded : compiling::TracedCall {
  std::shared_ptr<const void> pattern;  ///< what it returns, with undefined tensors
};

template <class Out, class F, class Args>
Out call_for(const F& f, Args args) {
  if constexpr (std::is_void_v<decltype(std::apply(f, std::move(args)))>)
    return std::apply(f, std::move(args)), Out();
  else
    return fresh(std::apply(f, std::move(args)));
}

/// The end of a trace whose function has returned these.
compiling::TracedCall finish_trace(TraceLayer& layer, std::vector<Tensor> outputs);

/// Traces `f`, whose result is an `Out`, at a level that is active.
template <class Out, class F, class Args>
Recorded record_at(TraceLayer& layer, const F& f, Args args) {
  tree::for_each(args, [&](Tensor& t) { t = layer.input(t); });
  Out out = call_for<Out>(f, std::move(args));
  compiling::TracedCall traced = finish_trace(layer, tree::leaves(out));
  tree::for_each(out, [](Tensor& t) { t = Tensor(); });
  return {std::move(traced), std::make_shared<const Out>(std::move(out))};
}

struct Compile {
  CompileOptions options = {};
  std::shared_ptr<CompileCache> cache = std::make_shared<CompileCache>();

  template <class F, class Args>
  auto operator()(const F& f, Args args) const {
    using Returned = decltype(std::apply(f, std::move(args)));
    using Out = ReturnedNest<Returned>;
    static constexpr char type = 0;  // an address for each instantiation
    std::string& kind = kind_of_call(&type);
    std::vector<Tensor> inputs;
    std::apply([&](const auto&... arg) { (describe_plain(kind, arg), ...); }, args);
    tree::for_each(args, [&](Tensor& t) {
      refresh(t);
      describe_tensor(kind, t);
      inputs.push_back(t);
    });
    if (const CompileCache::Entry* const known = cache->find(kind, inputs))
      return static_cast<Returned>(run<Out>(*known, std::move(inputs)));
    if (cache->is_full()) return static_cast<Returned>(call_for<Out>(f, std::move(args)));
    std::unique_ptr<CompileCache::Entry> traced;
    try {
      traced = trace<Out>(kind, f, args);
    } catch (const strata::detail::RunOnceFirst&) {
      return static_cast<Returned>(call_for<Out>(f, std::move(args)));
    }
    const auto [entry, owner] = cache->add(std::move(traced), inputs);
    return static_cast<Returned>(run<Out>(*entry, std::move(inputs)));
  }

 private:
  template <class Out>
  static Out run(const CompileCache::Entry& entry, std::vector<Tensor> inputs) {
    return tree::unflatten(*static_cast<const Out*>(entry.pattern.get()), entry.run(std::move(inputs)));
  }

  template <class Args>
  std::vector<bool> donated_leaves(const Args& args) const {
    return std::apply(
        [&](const auto&... arg) { return compiling::donated_leaves(options.donate, {tree::leaves(arg).size()...}); },
        args);
  }

  /// The kind is this trace's own: what `f` calls has kinds too.
  template <class Out, class F, class Args>
  std::unique_ptr<CompileCache::Entry> trace(std::string kind, const F& f, Args args) const {
    const TraceGuard guard(true);
    TraceLayer layer(TraceLayer::Records::gradients);
    const LayerScope scope(layer);
    compiling::Refreshes refreshes;
    const strata::detail::ReplayScope written_down(&refreshes, layer.level());
    for (const Tensor& leaf : cache->leaves()) layer.watch(leaf);
    const LeafNote note(*cache, layer);
    std::vector<bool> donated = donated_leaves(args);
    return entry_of(std::move(kind), record_at<Out>(layer, f, std::move(args)), refreshes, std::move(donated));
  }
  static std::unique_ptr<CompileCache::Entry> entry_of(std::string kind, Recorded recorded,
                                                       const compiling::Refreshes& refreshes,
                                                       std::vector<bool> donated);
};

}  // namespace detail

/// `compile(f)` is called like `f` and gives what `f` gives, bit for bit. The first call with arguments of a kind
/// (structure, dtypes, shapes, devices, plain values, whether gradients are recorded) traces `f`; later ones run the
/// program, whose kernels are found, whose memory is laid out and whose element-wise chains run tile by tile in the
/// cache. It needs no compiler: a program is ready as soon as it is traced. Works under and around every transform.
///
/// Writes of `f` to its arguments and to tensors that it captures are part of the program, and what it computes of
/// captured tensors is computed in each call; which tensors those are is decided by the first call. Tensors that are
/// written to may share memory with no other argument or captured tensor. Random ops draw as `f` would.
/// Results are new tensors, except for arguments and captured tensors that `f` returns. Intermediate values keep
/// their memory between calls. Errors: reading values (`item`, `if (x > 0)`), results whose shape depends on values.
/// After jax.jit.
///
///     auto classify = compile([&](Tensor x) { return net->forward(x).softmax(-1); });
///     const NoGradGuard no_grad;
///     Tensor y = classify(x);
///     const int64_t programs = compile_stats(classify).programs;  // 1
///
/// `options.donate` names arguments that the caller gives away: their memory is free for other values once nothing
/// reads it, and a result may keep it. After the call their tensors have no memory, and reading one is an error.
/// Nothing is taken where the program runs through the dispatcher (docs/compile.md says where). Throws for arguments
/// that require a gradient, are views, lie in memory from outside, share memory with other tensors, or are written to.
/// After jax.jit's donate_argnums.
///
///     const auto decay = compile([](Tensor state) { return state * 0.9; }, {.donate = {0}});
///     Tensor state = ones({1024, 1024});
///     state = decay(state);  // where the old one was
template <class F>
requires(!std::is_convertible_v<F, Tensor>) auto compile(F f, CompileOptions options = {}) {
  return detail::transformed(detail::Compile{std::move(options)}, std::move(f));
}

/// How often a compiled function was traced and called. A function that is traced again and again gets arguments of
/// ever other kinds: sizes that change, or numbers that would better be tensors.
template <class F>
CompileStats compile_stats(const detail::Transformed<detail::Compile, F>& compiled) {
  return compiled.body().cache->stats();
}

}  // namespace strata::func

namespace strata {
using func::compile;
using func::compile_stats;
using func::CompileOptions;
using func::CompileStats;
}  // namespace strata
