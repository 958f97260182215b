// trace: runs a function once on tensors without values and writes down the program it is.
#pragma once
#include <optional>
#include <unordered_map>

#include "callable.h"
#include "histories.h"
#include "level.h"

namespace strata::func {

/// What a traced function does to the gradient of a leaf that it was given or captured.
struct GradientEffect {
  enum class After : uint8_t {
    kept,     ///< it is the tensor that it was; writes to that are effects of the program
    cleared,  ///< there is none
    computed  ///< it is a new one, an output of the program behind the function's own
  };
  Tensor leaf;               ///< undefined for an argument
  size_t argument = 0;       ///< the number of the argument among the inputs
  bool was_defined = false;  ///< was there a gradient before?
  bool matters = true;       ///< is the program another one where that differs?
  bool is_input = false;     ///< the gradient before is an input of the program, behind the function's own
  After after = After::kept;
  Tensor value;  ///< the new one

  /// The leaf in a call of the program.
  const Tensor& of(TensorList inputs) const { return leaf.defined() ? leaf : inputs[argument]; }
};

/// One level of tracing: a tensor of this level is a variable with a shape, a dtype and no value, and each op on such
/// tensors becomes an equation. Ops on constants alone run at once, but for what a compiled function does with tensors
/// from outside.
class TraceLayer final : public Layer {
 public:
  /// What is written down: all that a function does with its arguments, random ops included; or that and what it does
  /// with tensors from outside, writes to them and to its arguments included; or what it does to gradients of leaves as
  /// well (`compile`), also for a program that is differentiated later (`aot`); or all of the branch or the loop's body
  /// that it is, which may read tensors from outside and not write to them (`cond`, `scan`); or only what happens to
  /// tangents, for functions whose other values are known
  /// (`linearize`).
  enum class Records : uint8_t { function, effects, gradients, ahead, body, tangents };

  explicit TraceLayer(Records records = Records::function);
  ~TraceLayer() override;
  Tensors process(const Op& op, Args args, Params params) override;
  bool takes(const Op& op, Args args, Params params) const override;
  bool adopts(const Tensor& t) override;
  bool records() const override { return records_ != Records::tangents; }
  bool wants_gradient(const Tensor& t) const override;
  /// Notes a hook that a tensor of the layer has got.
  [[gnu::visibility("hidden")]] void note_hook(const Tensor& t, HookHandle id, autograd::Hook& hook);
  /// A variable like `t`, the program's next input; an undefined `t` stays undefined.
  Tensor input(const Tensor& t);
  /// A leaf that the function is known to use: what its gradient was before is known from here on.
  void watch(const Tensor& leaf);
  /// The leaves from outside that it has met or watches.
  std::vector<Tensor> captured_leaves() const;
  /// Before `finish`: what the function has done to gradients; those are again what they were.
  std::vector<GradientEffect> take_gradients();
  /// Which of the caller's tensors a result of the function is.
  struct Identity {
    std::optional<size_t> input = {};  ///< the number of the argument
    Tensor outside = {};               ///< a captured one
    explicit operator bool() const { return input || outside.defined(); }
  };
  /// Before `finish`: that of a tensor that the function wrote to, which the program does not give. In `ahead` also
  /// that of one that is given back as it came, which would be a result of the differentiated program.
  Identity identity_of(const Tensor& t) const;
  /// Another shape that the function gives in place to an argument.
  struct ShapeChange {
    size_t input;
    DimVector sizes, strides;
    int64_t offset;  ///< of the first element from that of before
  };
  /// Before `finish`. Throws where a tensor has such a change that the program cannot make.
  std::vector<ShapeChange> shape_changes() const;
  /// How many elements of memory lie between the first of the tensor that a variable is a view of and its own.
  int64_t offset_of(const Tensor& view) const;
  /// `value`, a variable of its own, becomes what `self` holds, whose history stays: Note [Histories of their own].
  void note_unrecorded_write(const Tensor& self, const Tensor& value);
  /// Before `finish`: do results of the function, or what it wrote to tensors from outside, pass gradients on to what
  /// it used? Its program then has histories as eager code makes them.
  bool passes_gradients(TensorList outputs);
  /// The program that computes these.
  Program finish(TensorList outputs);

 private:
  struct Captured {
    Tensor original;  // held, so that its address stays its own
    uint32_t version = 0;
    bool shared = true;  // does a write to the original change the program?
    Program::Variable variable = Program::kNone;
  };

  /// A tensor from outside that the function writes to: it is a variable while the trace lasts.
  struct Adopted {
    Tensor outside, contents;  // the second is the body that the first gets back
    Program::Variable variable;
    bool is_leaf;  // does it keep its gradient, and that it requires one, meanwhile?
  };
  struct Input {
    Tensor tracer;
    Program::Variable variable;
  };
  /// A leaf from outside, or an argument that is one, by its tracer, whose gradient the function may see.
  struct Leaf {
    Tensor leaf, gradient;  // the second is what it was
    bool is_argument;
    size_t argument;
  };

  /// A hook on a variable of the program, and where it is registered, in case it is removed again.
  struct Hooked {
    Program::Variable variable;
    HookHandle id;
    IntrusivePtr<autograd::Hook> hook;
    IntrusivePtr<autograd::Node> node;  // null for a leaf
    Tensor leaf;
    bool is_registered() const;
  };

  bool has_histories() const { return records_ == Records::gradients || records_ == Records::ahead; }
  bool has_effects() const { return records_ == Records::effects || has_histories(); }
  Program::Variable define(DType dtype, Device device, IntArrayRef sizes);
  Program::Variable variable_of(const Tensor& t);
  Program::Variable capture(const Tensor& t);
  bool wants_gradient(const Op& op, Args args) const;
  bool is_from_outside(const Tensor& t) const;
  bool is_alive(const Tensor& t) const;
  Tensor kept(const Tensor& t, bool& shared) const;
  Meta as_it_lies(const Tensor& t) const;
  Meta in_order(Args args, const Op& op, const Meta& meta) const;
  Tensor tracer(Program::Variable v, const Meta& meta, const Tensor* viewed) const;
  Tensor as_strided(const Tensor& x, Params params);
  Tensors custom(Args args, Params params);
  Program::Equation equation(const Op& op, Args args, Params params);
  Tensor output(Program::Equation& e, const Meta& meta, const Tensor* viewed);
  Tensors record(const Op& op, Args args, Params params);
  Tensors write_down(const Op& op, Args args, Params params);
  Tensors record_gradients(const Op& op, Args args, Params params);
  Tensors record_rule(Args args, Params params);
  Program::Variable earlier_draw(const Op& op, Params params) const;
  Tensor kept_argument(const Tensor& t);
  GradientEffect gradient_effect(const Leaf& l);
  void make_input(Program::Variable v);
  void give_back_gradients();
  size_t number_of(const Input& input) const;
  void add_effect(Program::Variable target, const Tensor& t);
  void give_back();

  const Records records_;
  const bool recording_outside_;
  Program::Body body_;
  std::vector<bool> wants_gradient_;  // by variable, where gradients are made of the program
  std::unordered_map<TensorImpl*, Captured> captured_;
  std::vector<Adopted> adopted_;
  std::vector<Input> inputs_;  // those that are defined
  std::vector<Leaf> leaves_;
  std::vector<detail::History> histories_;
  std::vector<Hooked> hooks_;
  bool ran_backward_ = false, passes_gradients_ = false;
};

namespace detail {

void describe_options(std::string& bytes, const TensorOptions& options);

/// Appends the structure and the plain values of a nest, as bytes: nests with the same bytes differ in tensors alone.
template <class T>
void describe_plain(std::string& bytes, const T& nest) {
  if constexpr (std::is_same_v<T, Tensor>) {
    bytes += 't';
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    bytes.append(reinterpret_cast<const char*>(&nest), sizeof(T));
  } else if constexpr (std::is_same_v<T, Scalar>) {
    describe_plain(bytes, nest.type());
    if (nest.is_complex())
      return describe_plain(bytes, nest.toComplexDouble().imag()), describe_plain(bytes, nest.toComplexDouble().real());
    nest.is_floating_point() ? describe_plain(bytes, nest.toDouble()) : describe_plain(bytes, nest.toLong());
  } else if constexpr (std::is_same_v<T, Device>) {
    describe_plain(bytes, nest.type()), describe_plain(bytes, nest.index());
  } else if constexpr (std::is_same_v<T, TensorOptions>) {
    describe_options(bytes, nest);
  } else if constexpr (tree::is_static<T> && tree::detail::Range<const T>) {
    describe_plain(bytes, static_cast<int64_t>(std::distance(nest.begin(), nest.end())));
    for (const auto& element : nest) describe_plain(bytes, element);
  } else if constexpr (!tree::is_static<T>) {
    bytes += '(';
    if constexpr (tree::detail::Range<const T>) {
      for (const auto& entry : nest)
        if constexpr (requires { entry.first; }) describe_plain(bytes, entry.first);
    }
    tree::for_each_child(const_cast<T&>(nest), [&](auto& child) { describe_plain(bytes, child); });
    bytes += ')';
  }
}

template <class T>
std::string plain_values(const T& nest) {
  std::string bytes;
  describe_plain(bytes, nest);
  return bytes;
}

[[noreturn]] void fail_plain_values();

}  // namespace detail

/// A program together with the nests that the traced function takes and returns, so that it is called as the function
/// was; numbers and other plain values in the arguments are part of the program and must be what they were.
template <class Out, class... A>
class Traced {
 public:
  Traced(Program program, std::string plain_values, Out out)
      : program_(std::move(program)), plain_values_(std::move(plain_values)), out_(std::move(out)) {}
  Out operator()(const A&... args) const {
    const std::tuple<const A&...> all(args...);
    std::vector<Tensor> inputs;
    std::string plain;
    std::apply(
        [&](const auto&... arg) {
          (detail::describe_plain(plain, arg), ...);
          (tree::for_each(const_cast<A&>(arg), [&](Tensor& t) { inputs.push_back(t); }), ...);
        },
        all);
    if (plain != plain_values_) detail::fail_plain_values();
    return tree::unflatten(out_, program_(std::move(inputs)));
  }
  const Program& program() const { return program_; }
  friend std::ostream& operator<<(std::ostream& out, const Traced& t) { return out << t.program_; }
  friend bool operator==(const Traced& a, const Traced& b) { return a.program_ == b.program_; }

 private:
  Program program_;
  std::string plain_values_;
  Out out_;  // its tensors are undefined
};

namespace detail {

template <class F, class... A>
auto trace_run(const F& f, std::tuple<A...> args) {
  std::string plain;
  std::apply([&](const A&... arg) { (describe_plain(plain, arg), ...); }, args);
  TraceLayer layer;
  const LayerScope scope(layer);
  tree::for_each(args, [&](Tensor& t) { t = layer.input(t); });
  auto out = fresh(std::apply(f, std::move(args)));
  Program program = layer.finish(tree::leaves(out));
  tree::for_each(out, [](Tensor& t) { t = Tensor(); });  // the structure alone is kept
  return Traced<decltype(out), A...>(std::move(program), std::move(plain), std::move(out));
}

struct Trace {
  template <class F, class Args>
  auto operator()(const F& f, Args args) const {
    return trace_run(f, std::move(args));
  }
};

}  // namespace detail

/// `trace(f)(args...)` runs `f` once on tensors that have the arguments' shapes and dtypes but no values, and returns
/// the program that it is: print it, look at its equations, or call it like `f`. The program runs under every
/// transform, and everything that `f` may do can be traced: other transforms, in-place writes, views, modules, keys.
/// Arguments and results are tensors, numbers and nests of them (core/tree.h).
///
/// What does not depend on the arguments is computed while tracing and is a constant; branches, loops and numbers are
/// what they were in this one run; in-place writes to tensors from outside happen once, while tracing.
/// Tensors from outside are held, not copied, so an optimizer's step on a captured parameter shows in the next run.
/// Errors: reading values (`item`, `if (x > 0)`), results whose shape depends on values, writing a traced value to a
/// tensor from outside. After JAX's make_jaxpr.
///
///     auto program = trace([](Tensor x) { return (2 * x).sum(); })(ones({3}));
///     Tensor six = program(ones({3}));
///     std::string listing = program.program().str();  // { lambda ; a:f32[3]. let b:f32[3] = mul a 2.0:f32[3] ...
template <class F>
requires(!std::is_convertible_v<F, Tensor>) auto trace(F f) {
  return detail::transformed(detail::Trace(), std::move(f));
}

}  // namespace strata::func
