// Control flow in StableHLO: branches and loops, whose programs are regions.
#include "exchange/stablehlo_writer.h"

namespace strata::stablehlo {
namespace {

Operands behind(const Operands& all, size_t begin, size_t count) {
  const auto at = all.begin() + static_cast<std::ptrdiff_t>(begin);
  return {at, at + static_cast<std::ptrdiff_t>(count)};
}

Operands joined(Operands a, const Operands& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Operands results_of(const Call& c) {
  Operands like;
  for (const Program::Type& t : c.out) like.push_back({"", t.dtype, t.sizes});
  return like;
}

/// One row of x, at a number that is computed.
Operand row_of(const Call& c, const Operand& x, const Operand& at) {
  Operands in{x, at};
  for (int64_t d = 1; d < x.dim(); ++d) in.push_back(c.w.number(0, kLong));
  DimVector sizes = x.sizes;
  sizes[0] = 1;
  const Operand row = c.w.op("stablehlo.dynamic_slice", in, x.dtype, sizes, array("slice_sizes", sizes));
  return c.w.reshaped(row, IntArrayRef(sizes).slice(1));
}

Operand with_row(const Call& c, const Operand& all, const Operand& row, const Operand& at) {
  DimVector sizes = all.sizes;
  sizes[0] = 1;
  Operands in{all, c.w.reshaped(row, sizes), at};
  for (int64_t d = 1; d < all.dim(); ++d) in.push_back(c.w.number(0, kLong));
  return c.w.op("stablehlo.dynamic_update_slice", in, all.dtype, all.sizes, " ");
}

}  // namespace

Operands cond(const Call& c) {
  const Operands operands = behind(c.in, 1, c.in.size() - 1);
  std::vector<std::string> branches;
  for (const Program& p : func::programs_in(c.e.params))
    branches.push_back(c.w.region({}, [&] { return c.w.program(p, operands); }));
  return c.w.op("stablehlo.case", {c.w.converted(c.in[0], kInt)}, branches, results_of(c), "");
}

Operands while_loop(const Call& c) {
  const std::vector<Program> programs = func::programs_in(c.e.params);
  const auto of_condition = static_cast<size_t>(c.integer("cond_consts")),
             of_body = static_cast<size_t>(c.integer("body_consts"));
  const Operands for_condition = behind(c.in, 0, of_condition), for_body = behind(c.in, of_condition, of_body),
                 carry = behind(c.in, of_condition + of_body, c.in.size() - of_condition - of_body);
  const auto looped = [&](const Program& p, const Operands& consts) {
    Operands arguments;
    for (const Operand& x : carry) arguments.push_back(c.w.argument(x.dtype, x.sizes));
    return c.w.region(arguments, [&] { return c.w.program(p, joined(consts, arguments)); });
  };
  const std::string condition = looped(programs[0], for_condition), body = looped(programs[1], for_body);
  return c.w.op("stablehlo.while", carry, {condition, body}, results_of(c), "");
}

/// A loop that counts, over its carry and the rows that it fills one by one.
Operands scan(const Call& c) {
  const Program body = func::programs_in(c.e.params)[0];
  const auto consts = static_cast<size_t>(c.integer("consts")), carry = static_cast<size_t>(c.integer("carry"));
  const int64_t length = c.integer("length");
  const Operands xs = behind(c.in, consts + carry, c.in.size() - consts - carry);
  Operands state = joined({c.w.number(0, kLong)}, behind(c.in, consts, carry)), like = results_of(c);
  for (size_t i = carry; i < like.size(); ++i) state.push_back(c.w.number(0, like[i].dtype, like[i].sizes));
  like.insert(like.begin(), {"", kLong, {}});
  const auto arguments = [&] {
    Operands all;
    for (const Operand& x : state) all.push_back(c.w.argument(x.dtype, x.sizes));
    return all;
  };
  const Operands seen = arguments(), in = arguments();
  const std::string condition =
      c.w.region(seen, [&] { return Operands{c.w.compared("LT", seen[0], c.w.number(length, kLong))}; });
  const std::string step = c.w.region(in, [&] {
    const auto next = [&](const char* name, const Operand& a, const Operand& b) {
      return c.w.op(name, {a, b}, kLong, {});
    };
    const Operand last = c.w.number(length - 1, kLong);
    const Operand at = c.flag("reverse") ? next("stablehlo.subtract", last, in[0]) : in[0];
    Operands operands = joined(behind(c.in, 0, consts), behind(in, 1, carry));
    for (const Operand& x : xs) operands.push_back(row_of(c, x, at));
    const Operands out = c.w.program(body, operands);
    Operands after = joined({next("stablehlo.add", in[0], c.w.number(1, kLong))}, behind(out, 0, carry));
    for (size_t i = carry; i < out.size(); ++i) after.push_back(with_row(c, in[1 + i], out[i], at));
    return after;
  });
  return behind(c.w.op("stablehlo.while", state, {condition, step}, like, ""), 1, like.size() - 1);
}

}  // namespace strata::stablehlo
