// Making plans: which equations become tapes, which kernels, and where everything lies.
#pragma once
#include <map>
#include <optional>
#include <set>

#include "strip.h"
#include "tape_maker.h"

namespace strata::func::compiling {

/// Goes through the equations once, in order. Views cost nothing; element-wise ops over equal shapes gather in an open
/// tape, which ends before what needs its results; everything else is a kernel's call.
class Planner {
 public:
  Planner(const Program& program, TensorList inputs, const std::vector<bool>& donated);
  /// Null where the program cannot be planned: see Plan::make.
  std::unique_ptr<Plan> make();
  /// The same for Plan::make_body.
  std::unique_ptr<Plan> make_body(size_t first_row_major);

 private:
  using Equation = Program::Equation;
  /// A tensor's place in a tape of rows that are `width` long; 0 where any width does.
  struct RowLayout {
    Pattern pattern;
    int64_t width;
  };
  struct Group {
    std::vector<const Equation*> equations;
    std::vector<TapeLoop> loops;
    DimVector sizes;
    int64_t width = 0;
    const Equation* end = nullptr;  // reduces a value of the group
    Reduction reduction = {};
  };

  /// How a step that may be part of a strip goes through its elements.
  struct Walk {
    const std::vector<Memory>* memories;
    int64_t rows, width;
    int64_t together;   ///< elements that are not to be cut: a short row's
    int64_t line = 0;   ///< those of a line that is reduced or a kernel's; 0 if there are none
    int64_t chunk = 0;  ///< those that are reduced before others are looked at
    int64_t numel() const { return rows * width; }
    /// Are all elements reduced to one value, in several chunks?
    bool is_whole() const { return chunk != 0 && line > chunk && line == numel(); }
  };

  /// Steps that go through the same lines: Note [Strips]. Those in between that are none of them can come before.
  struct Run {
    std::vector<size_t> parts;
    int64_t lines = 0, line_bytes = 0;
    int64_t step = 1;  ///< how many lines at once end with a chunk of what is reduced over all
  };

  /// A result that an element-wise step may write where one of its inputs lies.
  struct Overwrite {
    Variable out, in;
  };

  void place_inputs(TensorList inputs, const std::vector<bool>& donated);
  void place_constants();
  void count_uses();
  bool add_steps();
  bool add(const Equation& e);
  bool add_nested(const Equation& e);
  bool add_view(const Equation& e);
  void add_kernel(const Equation& e);
  bool can_write_in_place(const Equation& e) const;
  bool are_apart(const std::vector<const Equation*>& steps) const;
  void add_in_place(const Equation& e);
  bool is_effect_alone(Variable value, Variable target) const;
  void infer(const Equation& e);
  std::optional<RowLayout> row_layout_of(Variable v) const;
  DType loop_dtype(const Equation& e) const;
  bool joins(const Equation& e);
  std::optional<Reduction> reduction_of(const Equation& e) const;
  bool reduces_group(const Equation& e);
  bool is_in_group(Variable v) const;
  bool depends_on_group(const Equation& e) const;
  void end_group();
  void add_tape(const Group& group, size_t first, size_t last);
  std::optional<Tape> make_tape(const Group& group, size_t first, size_t last);
  std::optional<Tape> make_tape(const Equation& e, const Reduction& reduction) const;
  std::optional<LineKernel> make_line_kernel(const Equation& e) const;
  std::optional<Walk> walk_of(size_t step) const;
  Strip::Part part_of(size_t step, int64_t lines) const;
  bool is_by_lines(const Walk& walk, int64_t lines, const std::set<Variable>& written) const;
  bool can_come_before(size_t step, const std::set<Variable>& written) const;
  int64_t lines_from(size_t first) const;
  Run run_from(size_t first) const;
  Strip make_strip(const Run& run, const std::vector<size_t>& last_use);
  void form_strips();
  Variable arena_root(Variable v) const;
  Variable dead_root(Variable v) const;
  bool can_lie_over(Variable out, Variable in) const;
  std::vector<Overwrite> overwrites(const KernelStep& k) const;
  std::vector<Overwrite> overwrites(const Tape& tape) const;
  std::vector<Overwrite> overwrites(const Strip& strip) const;
  std::vector<Overwrite> overwrites(const NestedStep&) const { return {}; }
  void overwrite(const Overwrite& o, std::vector<size_t>& last_use);
  std::map<Variable, Variable> overwrite_dead(size_t now, std::vector<size_t>& last_use);
  std::vector<size_t> find_last_uses() const;
  int64_t bytes_of(Variable root) const;
  bool is_large(Variable root) const;
  void take_block(Variable root);
  void place_arena(std::vector<size_t>& last_use);
  void place_results();
  void drop_inputs(const std::vector<size_t>& last_use);
  void find_varying();
  void define(Variable v, Source source, Geometry g);

  const Program& program_;
  std::unique_ptr<Plan> plan_;
  std::vector<Tensor> shapes_;    // by variable: geometry without memory
  std::vector<int32_t> uses_;     // by variable: equations, outputs and effects that read it
  std::vector<bool> is_result_;   // by variable: the caller gets its memory
  std::vector<bool> is_donated_;  // by variable: Note [Donated arguments]
  Group group_;
  std::map<size_t, Strip::Work> in_strips_;  // kernels' steps, by number, as what they would be in a strip
  std::map<Variable, int32_t> draws_;        // by the first result of what draws, in order
  std::vector<const Equation*> last_;        // steps that may be taken in place, when all else is done
};

}  // namespace strata::func::compiling
