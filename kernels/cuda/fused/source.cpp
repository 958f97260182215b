// Writing kernels.
#include "kernels/cuda/fused/source.h"

#include <algorithm>
#include <set>

#include "kernels/cuda/fused/formulas.h"

namespace strata::cuda::fused {
namespace {

using dispatch::Chain;

Formula formula_of_step(const Chain& chain, const Chain::Step& step) {
  std::vector<DType> inputs;
  for (int32_t v : step.in) inputs.push_back(chain.dtypes[static_cast<size_t>(v)]);
  std::optional<Formula> formula = formula_of(*step.op, inputs, step.params.data());
  STRATA_CHECK(formula, "chain: {} is no step of one", step.op->name());
  return std::move(*formula);
}

/// Says in profiles what the kernel does.
std::string name_of(const Chain& chain) {
  constexpr size_t kMostNamed = 4;
  std::string name = "chain";
  for (size_t i = 0; i < std::min(kMostNamed, chain.steps.size()); ++i)
    name.append("_").append(chain.steps[i].op->name());
  if (chain.steps.size() > kMostNamed) name += "_and_" + std::to_string(chain.steps.size() - kMostNamed);
  return name;
}

class Writer {
 public:
  Writer(const Chain& chain, const Layout& layout) : chain_(chain), layout_(layout) {}

  Source written() {
    const std::string loop = layout_.is_strided ? "for_each_strided" : "for_each_in_a_row";
    const std::string place = layout_.is_strided ? "const auto& at" : "int64_t i";
    const std::string name = name_of(chain_);
    line("namespace strata::cuda::fused {");
    line("using namespace arithmetic;");
    line("");
    line("extern \"C\" __global__ void __launch_bounds__(kThreads) " + name + "(const ChainData a) {");
    line("  " + loop + "<" + std::to_string(layout_.pack) + ">(a, [&]<int n>(" + place + ") {");
    write_loads();
    line("    STRATA_UNROLL");
    line("    for (int j = 0; j < n; ++j) {");
    write_steps();
    line("    }");
    write_stores();
    line("  });");
    line("}");
    line("");
    line("}  // namespace strata::cuda::fused");
    std::string includes = "#include \"kernels/cuda/fused/chain.cuh\"\n";
    for (const std::string& header : headers_) includes += "#include \"" + header + "\"\n";
    return {name, includes + "\n" + text_};
  }

 private:
  void line(const std::string& text) { text_ += text + "\n"; }
  std::string type(size_t value) const { return std::string(type_name(chain_.dtypes[value])); }
  std::string place(size_t operand) const {
    if (layout_.is_strided) return "at[" + std::to_string(operand) + "]";
    return is_one(operand) ? "0" : "i";
  }
  bool is_one(size_t operand) const { return layout_.ones >> operand & 1; }

  void write_loads() {
    for (size_t v = 0; v < chain_.inputs(); ++v) {
      const size_t operand = chain_.outputs.size() + v;
      line("    const Pack<" + type(v) + ", n> x" + std::to_string(v) + " = " + (is_one(operand) ? "spread" : "load") +
           "<" + type(v) + ", n>(a, " + std::to_string(operand) + ", " + place(operand) + ");");
    }
    for (int32_t v : chain_.outputs)
      line("    Pack<" + type(static_cast<size_t>(v)) + ", n> y" + std::to_string(v) + ";");
  }

  void write_steps() {
    const auto value = [&](size_t v) {
      const bool is_input = v < chain_.inputs();
      return std::string(is_input ? "x" : "v").append(std::to_string(v)).append(is_input ? "[j]" : "");
    };
    size_t number = 0;
    for (size_t i = 0; i < chain_.steps.size(); ++i) {
      const Chain::Step& step = chain_.steps[i];
      const Formula formula = formula_of_step(chain_, step);
      if (!formula.header.empty()) headers_.insert(formula.header);
      std::string arguments;
      for (int32_t v : step.in) arguments += (arguments.empty() ? "" : ", ") + value(static_cast<size_t>(v));
      const DType dtype = chain_.dtypes[static_cast<size_t>(step.in[0])];
      const std::string_view computed_in = dtype == kHalf || dtype == kBFloat16 ? "float" : type_name(dtype);
      for (size_t k = 0; k < formula.numbers.size(); ++k)
        arguments += ", number<" + std::string(computed_in) + ">(a, " + std::to_string(number++) + ")";
      const size_t v = chain_.inputs() + i;
      line("      const " + type(v) + " v" + std::to_string(v) + " = " + formula.function + "(" + arguments + ");");
    }
    for (int32_t v : chain_.outputs)
      line("      y" + std::to_string(v) + "[j] = " + value(static_cast<size_t>(v)) + ";");
  }

  void write_stores() {
    for (size_t k = 0; k < chain_.outputs.size(); ++k)
      line("    store(a, " + std::to_string(k) + ", " + place(k) + ", y" + std::to_string(chain_.outputs[k]) + ");");
  }

  const Chain& chain_;
  const Layout& layout_;
  std::set<std::string> headers_;
  std::string text_;
};

}  // namespace

Source source_of(const Chain& chain, const Layout& layout) { return Writer(chain, layout).written(); }

std::vector<double> numbers_of(const Chain& chain) {
  std::vector<double> numbers;
  for (const Chain::Step& step : chain.steps)
    for (double x : formula_of_step(chain, step).numbers) numbers.push_back(x);
  return numbers;
}

int widest_pack(const Chain& chain) {
  size_t item = 1;
  for (size_t v = 0; v < chain.inputs(); ++v) item = std::max(item, item_size(chain.dtypes[v]));
  for (int32_t v : chain.outputs) item = std::max(item, item_size(chain.dtypes[static_cast<size_t>(v)]));
  const bool is_long = std::any_of(chain.steps.begin(), chain.steps.end(),
                                   [&](const Chain::Step& step) { return formula_of_step(chain, step).is_long; });
  return is_long ? 1 : 16 / static_cast<int>(item);
}

}  // namespace strata::cuda::fused
