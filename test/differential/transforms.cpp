// Closed programs under transforms: closed.py says how they are written.
#include "test/differential/names.h"

namespace differential {
namespace {

using Locals = std::map<std::string, Value>;

/// An argument with the tensors that its names stand for.
Value resolved(const Value& v, const Locals& locals) {
  if (v.as<List>()) {
    List items;
    for (const Value& item : *v.as<List>()) items.push_back(resolved(item, locals));
    return items;
  }
  if (!v.as<std::string>()) return v;
  const auto found = locals.find(*v.as<std::string>());
  return found == locals.end() ? v : found->second;
}

/// A step's arguments, those named in Python after the others.
List arguments_of(const List& step, const Locals& locals) {
  List arguments = *resolved(step.at(2), locals).as<List>();
  const List named = *resolved(step.at(3), locals).as<List>();
  for (size_t i = 1; i < named.size(); i += 2) arguments.push_back(named[i]);
  return arguments;
}

Tensor run_steps(const List& steps, const Tensors& inputs) {
  Locals locals;
  for (size_t i = 0; i < inputs.size(); ++i) locals["a" + std::to_string(i)] = inputs[i];
  Value last;
  for (const Value& each : steps) {
    const List &step = *each.as<List>(), &names = *step.at(0).as<List>();
    const List results = call_by_name(*step.at(1).as<std::string>(), arguments_of(step, locals));
    for (size_t i = 0; i < names.size(); ++i) locals[*names[i].as<std::string>()] = results.at(i);
    last = results.at(0);
  }
  return *last.as<Tensor>();
}

using Function = std::function<Tensors(const Tensors&)>;

Tensors flat(const Tensors& results) { return results; }
template <class Nest>
Tensors flat(const std::vector<Nest>& results) {
  Tensors all;
  for (const Nest& each : results)
    for (const Tensor& t : flat(each)) all.push_back(t);
  return all;
}

Tensors cosines(const Tensors& inputs) {
  Tensors all;
  for (const Tensor& x : inputs) all.push_back(x.cos());
  return all;
}

/// The result and its derivative.
Tensors derivative(const Function& f, const Tensors& inputs, const Tensors& tangents) {
  auto [y, dy] = strata::func::jvp(f, inputs, tangents);
  y.insert(y.end(), dy.begin(), dy.end());
  return y;
}

auto first_of(const Function& f) {
  return [f](Tensors x) { return f(x).at(0); };
}

Function innermost_gradients(const Function& f) {
  return strata::func::grad([f](Tensors x) { return f(x).at(0).sum(); });
}

/// The derivative along the second half of its arguments.
Function along_tangents(const Function& f) {
  return [f](const Tensors& both) {
    const auto middle = both.begin() + static_cast<std::ptrdiff_t>(both.size() / 2);
    return derivative(f, Tensors(both.begin(), middle), Tensors(middle, both.end()));
  };
}

Function gradients(const Function& f) {
  return strata::func::grad([f](Tensors x) {
    Tensor sum = strata::zeros({}, strata::kDouble);
    for (const Tensor& y : f(x)) sum = sum + y.sin().sum();
    return sum;
  });
}

Function pulled_back(const Function& f) {
  return [f](const Tensors& inputs) {
    auto [y, pull] = strata::func::vjp(first_of(f), inputs);
    Tensors results = pull(y.cos());
    results.insert(results.begin(), y);
    return results;
  };
}

using Layers = std::map<std::string, Function (*)(const Function&)>;

const Layers& transform_layers() {
  namespace func = strata::func;
  static const Layers kLayers = {
      {"grad", gradients},
      {"jvp",
       [](const Function& f) -> Function { return [f](const Tensors& x) { return derivative(f, x, cosines(x)); }; }},
      {"vjp", pulled_back},
      {"jacrev", [](const Function& f) -> Function { return func::jacrev(first_of(f)); }},
      {"jacfwd", [](const Function& f) -> Function { return func::jacfwd(first_of(f)); }},
      {"hessian",
       [](const Function& f) -> Function {
         return [h = func::hessian(first_of(f))](const Tensors& x) { return flat(h(x)); };
       }},
  };
  return kLayers;
}

/// Along which dims of inputs and of results the examples of vmap lie.
struct Along {
  I in = 0, out = 0;
};

Function layer(const std::string& name, const Function& f, Along along) {
  if (name == "vmap") return strata::func::vmap(f, {.in_dims = along.in, .out_dims = along.out});
  return transform_layers().at(name)(f);
}

Function innermost(const std::string& name, const Function& f, Along along) {
  if (name == "grad") return innermost_gradients(f);
  return name == "jvp" ? along_tangents(f) : layer(name, f, along);
}

/// The nest of transforms that a kind names, outermost first: "vmap_grad".
Function transformed(const std::string& kind, const Function& f, Along along) {
  const size_t end = kind.find('_');
  if (end == std::string::npos) return innermost(kind, f, along);
  return layer(kind.substr(0, end), transformed(kind.substr(end + 1), f, along), along);
}

Tensors transform(Text kind, const List& steps, const Tensors& inputs, const std::vector<I>& wanted,
                  const Tensors& tangents, Along along) {
  Tensors chosen;
  for (const I i : wanted) chosen.push_back(inputs.at(i));
  const Function of_wanted = [&](const Tensors& values) {
    Tensors all = inputs;
    for (size_t i = 0; i < wanted.size(); ++i) all[wanted[i]] = values.at(i);
    return Tensors{run_steps(steps, all)};
  };
  chosen.insert(chosen.end(), tangents.begin(), tangents.end());
  Tensors results = transformed(std::string(kind), of_wanted, along)(chosen);
  for (Tensor& t : results) t = t.clone(strata::MemoryFormat::Contiguous);
  return results;
}

}  // namespace

Rows transform_rows() {
  return {{"transform", [](Text kind, List steps, Tensors inputs, std::vector<I> wanted,
                           Tensors tangents) { return transform(kind, steps, inputs, wanted, tangents, {}); }},
          {"transform",
           [](Text kind, List steps, Tensors inputs, std::vector<I> wanted, Tensors tangents, std::vector<I> along) {
             return transform(kind, steps, inputs, wanted, tangents, {along.at(0), along.at(1)});
           }}};
}

}  // namespace differential
