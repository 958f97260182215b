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

Tensors joined(Tensors a, const Tensors& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

template <class F>
auto gradients(F f) {
  return strata::func::grad([f](Tensors x) { return f(x).sum(); });
}

/// The result and its derivative.
template <class F>
Tensors derivative(const F& f, const Tensors& inputs, const Tensors& tangents) {
  auto [y, dy] = strata::func::jvp(f, inputs, tangents);
  return {y, dy};
}

template <class F>
Tensors transformed(Text kind, const F& f, const Tensors& inputs, const Tensors& tangents) {
  using strata::func::vmap;
  if (kind == "vmap") return {vmap(f)(inputs)};
  if (kind == "grad") return gradients(f)(inputs);
  if (kind == "jvp") return derivative(f, inputs, tangents);
  if (kind == "vmap_grad") return vmap(gradients(f))(inputs);
  if (kind == "grad_grad") {
    return gradients([f](Tensors x) {
      Tensor sum = strata::zeros({}, strata::kDouble);
      for (const Tensor& g : gradients(f)(x)) sum = sum + g.sin().sum();
      return sum;
    })(inputs);
  }
  if (kind != "vmap_jvp") throw std::logic_error("no transform " + std::string(kind));
  const auto count = static_cast<std::ptrdiff_t>(inputs.size());
  return vmap([&](Tensors both) {
    return derivative(f, Tensors(both.begin(), both.begin() + count), Tensors(both.begin() + count, both.end()));
  })(joined(inputs, tangents));
}

}  // namespace

Rows transform_rows() {
  return {{"transform", [](Text kind, List steps, Tensors inputs, std::vector<I> wanted, Tensors tangents) {
             Tensors chosen;
             for (const I i : wanted) chosen.push_back(inputs.at(i));
             const auto of_wanted = [&](const Tensors& values) {
               Tensors all = inputs;
               for (size_t i = 0; i < wanted.size(); ++i) all[wanted[i]] = values.at(i);
               return run_steps(steps, all);
             };
             Tensors results = transformed(kind, of_wanted, chosen, tangents);
             for (Tensor& t : results) t = t.clone(strata::MemoryFormat::Contiguous);
             return results;
           }}};
}

}  // namespace differential
