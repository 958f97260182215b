// Functions of two tensors, or a tensor and a number, with broadcasting and promotion.
#include "test/differential/names.h"

namespace differential {
namespace {

using Mode = std::optional<std::string_view>;

Rows arithmetic_rows() {
  return {
      {"add", [](T a, T b, S alpha) { return a.add(b, alpha); },
       [](Tensor& a, T b, S alpha) { return a.add_(b, alpha); }},
      {"add", [](T a, S b, S alpha) { return a.add(b, alpha); },
       [](Tensor& a, S b, S alpha) { return a.add_(b, alpha); }},
      {"sub", [](T a, T b, S alpha) { return a.sub(b, alpha); },
       [](Tensor& a, T b, S alpha) { return a.sub_(b, alpha); }},
      {"sub", [](T a, S b, S alpha) { return a.sub(b, alpha); },
       [](Tensor& a, S b, S alpha) { return a.sub_(b, alpha); }},
      {"rsub", [](T a, T b, S alpha) { return strata::rsub(a, b, alpha); }},
      {"rsub", [](T a, S b, S alpha) { return strata::rsub(a, b, alpha); }},
      {"mul", [](T a, T b) { return a.mul(b); }, [](Tensor& a, T b) { return a.mul_(b); }},
      {"mul", [](T a, S b) { return a.mul(b); }, [](Tensor& a, S b) { return a.mul_(b); }},
      {"div", [](T a, T b) { return a.div(b); }, [](Tensor& a, T b) { return a.div_(b); }},
      {"div", [](T a, S b) { return a.div(b); }, [](Tensor& a, S b) { return a.div_(b); }},
      {"div", [](T a, T b, Mode mode) { return a.div(b, mode); },
       [](Tensor& a, T b, Mode mode) { return a.div_(b, mode); }},
      {"div", [](T a, S b, Mode mode) { return a.div(b, mode); },
       [](Tensor& a, S b, Mode mode) { return a.div_(b, mode); }},
      {"pow", [](T a, T b) { return a.pow(b); }, [](Tensor& a, T b) { return a.pow_(b); }},
      {"pow", [](T a, S b) { return a.pow(b); }, [](Tensor& a, S b) { return a.pow_(b); }},
      {"pow", [](S a, T b) { return strata::pow(a, b); }},
      {"fmod", [](T a, T b) { return a.fmod(b); }, [](Tensor& a, T b) { return a.fmod_(b); }},
      {"fmod", [](T a, S b) { return a.fmod(b); }, [](Tensor& a, S b) { return a.fmod_(b); }},
      {"remainder", [](T a, T b) { return a.remainder(b); }, [](Tensor& a, T b) { return a.remainder_(b); }},
      {"remainder", [](T a, S b) { return a.remainder(b); }, [](Tensor& a, S b) { return a.remainder_(b); }},
      {"remainder", [](S a, T b) { return strata::remainder(a, b); }},
      {"floor_divide", [](T a, T b) { return a.floor_divide(b); }, [](Tensor& a, T b) { return a.floor_divide_(b); }},
      {"floor_divide", [](T a, S b) { return a.floor_divide(b); }, [](Tensor& a, S b) { return a.floor_divide_(b); }},
      {"maximum", [](T a, T b) { return a.maximum(b); }},
      {"minimum", [](T a, T b) { return a.minimum(b); }},
      {"max", [](T a, T b) { return a.max(b); }},
      {"min", [](T a, T b) { return a.min(b); }},
      {"fmax", [](T a, T b) { return a.fmax(b); }},
      {"fmin", [](T a, T b) { return a.fmin(b); }},
      {"atan2", &Tensor::atan2, &Tensor::atan2_},
      {"hypot", &Tensor::hypot, &Tensor::hypot_},
      {"xlogy", [](T a, T b) { return a.xlogy(b); }, [](Tensor& a, T b) { return a.xlogy_(b); }},
      {"xlogy", [](T a, S b) { return a.xlogy(b); }, [](Tensor& a, S b) { return a.xlogy_(b); }},
      {"xlogy", [](S a, T b) { return strata::xlogy(a, b); }},
      {"logaddexp", &Tensor::logaddexp},
  };
}

Rows comparison_rows() {
  return {
      {"eq", [](T a, T b) { return a.eq(b); }, [](Tensor& a, T b) { return a.eq_(b); }},
      {"eq", [](T a, S b) { return a.eq(b); }, [](Tensor& a, S b) { return a.eq_(b); }},
      {"ne", [](T a, T b) { return a.ne(b); }, [](Tensor& a, T b) { return a.ne_(b); }},
      {"ne", [](T a, S b) { return a.ne(b); }, [](Tensor& a, S b) { return a.ne_(b); }},
      {"lt", [](T a, T b) { return a.lt(b); }, [](Tensor& a, T b) { return a.lt_(b); }},
      {"lt", [](T a, S b) { return a.lt(b); }, [](Tensor& a, S b) { return a.lt_(b); }},
      {"le", [](T a, T b) { return a.le(b); }, [](Tensor& a, T b) { return a.le_(b); }},
      {"le", [](T a, S b) { return a.le(b); }, [](Tensor& a, S b) { return a.le_(b); }},
      {"gt", [](T a, T b) { return a.gt(b); }, [](Tensor& a, T b) { return a.gt_(b); }},
      {"gt", [](T a, S b) { return a.gt(b); }, [](Tensor& a, S b) { return a.gt_(b); }},
      {"ge", [](T a, T b) { return a.ge(b); }, [](Tensor& a, T b) { return a.ge_(b); }},
      {"ge", [](T a, S b) { return a.ge(b); }, [](Tensor& a, S b) { return a.ge_(b); }},
      {"isclose", [](T a, T b, double rtol, double atol, bool nan) { return strata::isclose(a, b, rtol, atol, nan); }},
  };
}

Rows bit_rows() {
  return {
      {"logical_and", &Tensor::logical_and, &Tensor::logical_and_},
      {"logical_or", &Tensor::logical_or, &Tensor::logical_or_},
      {"logical_xor", &Tensor::logical_xor, &Tensor::logical_xor_},
      {"bitwise_and", [](T a, T b) { return a.bitwise_and(b); }, [](Tensor& a, T b) { return a.bitwise_and_(b); }},
      {"bitwise_and", [](T a, S b) { return a.bitwise_and(b); }, [](Tensor& a, S b) { return a.bitwise_and_(b); }},
      {"bitwise_or", [](T a, T b) { return a.bitwise_or(b); }, [](Tensor& a, T b) { return a.bitwise_or_(b); }},
      {"bitwise_or", [](T a, S b) { return a.bitwise_or(b); }, [](Tensor& a, S b) { return a.bitwise_or_(b); }},
      {"bitwise_xor", [](T a, T b) { return a.bitwise_xor(b); }, [](Tensor& a, T b) { return a.bitwise_xor_(b); }},
      {"bitwise_xor", [](T a, S b) { return a.bitwise_xor(b); }, [](Tensor& a, S b) { return a.bitwise_xor_(b); }},
      {"bitwise_left_shift", [](T a, T b) { return a.bitwise_left_shift(b); },
       [](Tensor& a, T b) { return a.bitwise_left_shift_(b); }},
      {"bitwise_right_shift", [](T a, T b) { return a.bitwise_right_shift(b); },
       [](Tensor& a, T b) { return a.bitwise_right_shift_(b); }},
  };
}

}  // namespace

Rows binary_rows() {
  Rows rows;
  for (auto family : {arithmetic_rows, comparison_rows, bit_rows})
    for (auto& row : family()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace differential
