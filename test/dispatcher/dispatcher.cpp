// The dispatcher on ops made for the purpose: inference and allocation, views, aliasing in-place calls, keys, params,
// containers.
#include <vector>

#include "core/grad_mode.h"
#include "dispatcher/call.h"
#include "dispatcher/kernel.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/reduce.h"
#include "ops/rules.h"
#include "ops/view.h"
#include "test/catch.h"

namespace strata {
namespace {

struct ScaleParams {
  double by;
  std::vector<int> ballast;  // a type that must be copied and destroyed properly
  auto fields() const { return std::tie(by); }
};

constinit Op scale_op = op<ScaleParams>("test_scale(Tensor x, float by) -> Tensor").flag(kPointwise).infer([](Args in) {
  return meta_like(in[0]);
});
void scale_cpu(Tensors& out, Args in, const ScaleParams& p) {
  const auto x = in[0].accessor<float, 1>();
  const auto y = out[0].accessor<float, 1>();
  for (int64_t i = 0; i < x.size(0); ++i) y[i] = x[i] * static_cast<float>(p.by);
}
STRATA_KERNEL(scale_op, CPU, scale_cpu);

/// Reads its neighbours, so writing over its input would change what it reads.
constinit Op reverse_op = op("test_reverse(Tensor x) -> Tensor").infer([](Args in) { return meta_like(in[0]); });
void reverse_cpu(Tensors& out, Args in, const NoParams&) {
  const auto x = in[0].accessor<float, 1>();
  const auto y = out[0].accessor<float, 1>();
  for (int64_t i = 0; i < x.size(0); ++i) y[i] = x[x.size(0) - 1 - i];
}
STRATA_KERNEL(reverse_op, CPU, reverse_cpu);

constinit Op second_half_op =
    op("test_second_half(Tensor x) -> Tensor").view([](const Tensor& x, const NoParams&, ViewGeometry& g) {
      g.sizes.push_back(x.sizes()[0] / 2);
      g.strides = x.strides();
      g.offset = g.sizes[0] * g.strides[0];
    });

constinit Op no_kernel_op = op("test_no_kernel(Tensor x) -> Tensor").infer([](Args in) { return meta_like(in[0]); });

Tensor counting(int64_t n) { return arange(n, kFloat); }
std::vector<float> list(const Tensor& t) {
  std::vector<float> v;
  for (int64_t i = 0; i < t.numel(); ++i) v.push_back(t.accessor<float, 1>()[i]);
  return v;
}
using Floats = std::vector<float>;

/// More outputs than lie inside of the small vectors, and a gradient that needs one of the last.
constexpr size_t kMany = 6;
STRATA_OP(many_op) = op("test_many(Tensor x) -> Tensor[]")
                         .infer([](Args in) {
                           std::vector<Meta> metas;
                           for (size_t i = 0; i < kMany; ++i) metas.push_back(meta_like(in[0]));
                           return Metas(std::move(metas));
                         })
                         .vjp([](const Vjp& c) {
                           Tensor sum = zeros_like(c.out(kMany - 1));
                           for (size_t i = 0; i < kMany; ++i)
                             if (c.grad(i).defined()) sum = sum + static_cast<double>(i) * c.grad(i);
                           return Tensors(sum + 0 * c.out(kMany - 1));
                         })
                         .saves(saves_out(kMany - 1));
void many_cpu(Tensors& out, Args in, const NoParams&) {
  for (size_t i = 0; i < out.size(); ++i) out[i].copy_(in[0] * static_cast<double>(i));
}
STRATA_KERNEL(many_op, CPU, many_cpu);

STRATA_OP(no_infer_op) = op("test_no_infer(Tensor x) -> Tensor");

/// Has no result but what it does.
int no_output_calls = 0;
STRATA_OP(no_output_op) = op("test_no_output(Tensor x) -> ()").flag(kNotDifferentiable).infer([](Args) {
  return Metas(std::vector<Meta>());
});
void no_output_cpu(Tensors&, Args, const NoParams&) { ++no_output_calls; }
STRATA_KERNEL(no_output_op, CPU, no_output_cpu);

}  // namespace

TEST_CASE("an op may have any number of outputs") {
  const Tensor x = counting(3).requires_grad_();
  const Tensors out = call(many_op, {&x});
  REQUIRE(out.size() == kMany);
  CHECK(list(out[5].detach()) == Floats{0, 5, 10});
  (out[5].sum() + out[2].sum()).backward();
  CHECK(list(x.grad()) == Floats{7, 7, 7});
}

TEST_CASE("an op may have no output") {
  const Tensor x = counting(3).requires_grad_();
  CHECK(call(no_output_op, {&x}).empty());
  CHECK(no_output_calls == 1);
}

TEST_CASE("an op without infer, and a dtype that an op does not take, are errors that say so") {
  const Tensor x = counting(2), z = x.to(kComplexFloat);
  CHECK_THROWS_WITH(call(no_infer_op, {&x}), Catch::Matchers::ContainsSubstring("test_no_infer: has no infer rule"));
  CHECK_THROWS_WITH(call(many_op, {&z}),
                    Catch::Matchers::ContainsSubstring("test_many: not implemented for complex64"));
}

TEST_CASE("a program's ops are on the list of all") {
  size_t found = 0;
  for (const Op& each : all_ops()) found += &each == &many_op || &each == &no_infer_op;
  CHECK(found == 2);
}

TEST_CASE("a call infers, allocates and runs the kernel") {
  const Tensor x = counting(4);
  const Tensor y = call1(scale_op, {&x}, ScaleParams{2, {}});
  CHECK(list(y) == Floats{0, 2, 4, 6});
  CHECK(y.is_contiguous());
  CHECK_FALSE(y.storage() == x.storage());
  CHECK(scale_op.name() == "test_scale");
}

TEST_CASE("a view op shares storage and starts where infer says") {
  const Tensor x = counting(6), y = call1(second_half_op, {&x});
  CHECK(y.storage() == x.storage());
  CHECK(y.storage_offset() == 3);
  CHECK(list(y) == Floats{3, 4, 5});
  const Tensor z = call1(second_half_op, {&y});
  CHECK(z.storage_offset() == 4);
}

TEST_CASE("an op without a kernel says so") {
  const Tensor x = counting(2);
  CHECK_THROWS_WITH(call1(no_kernel_op, {&x}), "test_no_kernel: no kernel for device cpu");
}

TEST_CASE("an in-place call writes straight where that is safe and through a copy where it is not") {
  Tensor x = counting(5);
  const char* data = x.bytes();
  call_inplace(scale_op, x, {&x}, ScaleParams{10, {}});
  CHECK(list(x) == Floats{0, 10, 20, 30, 40});
  call_inplace(reverse_op, x, {&x});
  CHECK(list(x) == Floats{40, 30, 20, 10, 0});
  CHECK(x.bytes() == data);
  CHECK(x._version() == 2);
}

TEST_CASE("overlapping but unequal operands of an in-place call are read before they are written") {
  Tensor x = counting(6);
  Tensor target = x.slice(0, 1, 6);
  const Tensor source = x.slice(0, 0, 5);
  call_inplace(scale_op, target, {&source}, ScaleParams{1, {}});
  CHECK(list(x) == Floats{0, 0, 1, 2, 3, 4});
  CHECK(target._version() == 1);
  CHECK(x._version() == 1);  // views share the counter
}

TEST_CASE("an in-place call into an expanded tensor is refused, one into a strided tensor works") {
  Tensor wide = expand(counting(1), {4});
  const Tensor x = counting(4);
  CHECK_THROWS_WITH(call_inplace(scale_op, wide, {&x}, ScaleParams{1, {}}),
                    Catch::Matchers::ContainsSubstring("expanded tensor of shape (4,)"));
  Tensor whole = zeros({8}), strided = whole.slice(0, 0, 8, 2);
  call_inplace(scale_op, strided, {&x}, ScaleParams{3, {}});
  CHECK(list(whole) == Floats{0, 0, 3, 0, 6, 0, 9, 0});
}

TEST_CASE("keys of a call are those of its tensors and the thread, minus the excluded ones") {
  const Tensor a = counting(2), b = counting(2).requires_grad_();
  CHECK(keys_of({&a}) == KeySet(Key::CPU));
  CHECK(keys_of({&a, &b}) == (KeySet(Key::CPU) | KeySet(Key::Autograd)));
  const NoGradGuard no_grad;
  CHECK(keys_of({&a, &b}) == KeySet(Key::CPU));
  CHECK_FALSE(keys_of({&b}).has_layer());
  const KeySet all = KeySet(Key::CPU) | KeySet(Key::Profiler) | KeySet(Key::Autograd);
  CHECK(all.highest() == Key::Profiler);
  CHECK((all - KeySet(Key::Profiler)).highest() == Key::Autograd);
  CHECK((all - all).empty());
}

TEST_CASE("the state of a thread is restored at the end of a guard") {
  const ThreadState before = thread_state;
  {
    const ThreadStateGuard guard;
    thread_state.included = KeySet(Key::Profiler);
    thread_state.inference_mode = true;
  }
  CHECK(thread_state.included == before.included);
  CHECK(thread_state.inference_mode == before.inference_mode);
}

TEST_CASE("params are copied and destroyed through their type") {
  const ScaleParams p{2, {1, 2, 3}};
  const Params erased = Params::of(p);
  alignas(ScaleParams) char room[sizeof(ScaleParams)];
  REQUIRE(erased.type().size == sizeof(ScaleParams));
  erased.type().copy(room, erased.data());
  const auto& copy = *reinterpret_cast<const ScaleParams*>(room);
  CHECK(copy.ballast == p.ballast);
  CHECK(copy.ballast.data() != p.ballast.data());
  erased.type().destroy(room);
  CHECK(&erased.as<ScaleParams>() == &p);
}

namespace {

/// Gives the same field again and again.
struct OneField final : FieldReader {
  int64_t integer() override { return number_; }
  double real() override { return static_cast<double>(number_); }
  bool boolean() override { return number_ != 0; }
  DimVector integers() override { return {number_, number_}; }
  std::string text() override { return text_; }
  Scalar number() override { return number_; }
  explicit OneField(int64_t number, std::string text = "") : number_(number), text_(std::move(text)) {}

 private:
  int64_t number_;
  std::string text_;
};

struct SmallParams {
  int small;
};
struct PairParams {
  int64_t a = 0, b = 0;
  auto fields() const { return std::tuple(dispatch::group(a, b)); }
};
struct TripleParams {
  std::array<int64_t, 3> list;
};
struct TypeParams {
  DType dtype;
};
struct FunctionParams {
  void (*f)() = nullptr;
  static constexpr bool kHoldsCode = true;
  auto fields() const { return std::tuple<>(); }
};

template <class P>
P read_back(OneField field) {
  const OwnedParams read = OwnedParams::read(params_type<P>, field);
  return Params(read).as<P>();
}

}  // namespace

TEST_CASE("params are read back from their fields, and what does not fit is an error") {
  CHECK(read_back<ScaleParams>(OneField(3)).by == 3);
  CHECK(read_back<SmallParams>(OneField(-7)).small == -7);
  CHECK_THROWS_WITH(read_back<SmallParams>(OneField(int64_t{1} << 31)),
                    "params: 2147483648 is out of the range of an int");
  CHECK(read_back<PairParams>(OneField(5)).b == 5);
  CHECK_THROWS_WITH(read_back<TripleParams>(OneField(5)), "params: a field has 2 integers where 3 are wanted");
  CHECK(read_back<TypeParams>(OneField(0, "bfloat16")).dtype == kBFloat16);
  CHECK(read_back<TypeParams>(OneField(0, "undefined")).dtype == DType::Undefined);
  CHECK_THROWS_WITH(read_back<TypeParams>(OneField(0, "float")), "params: there is no dtype 'float'");
  CHECK_THROWS_WITH(read_back<FunctionParams>(OneField(0)), "params: these hold code, which cannot be read back");
  CHECK(scale_op.params->size == sizeof(ScaleParams));
}

TEST_CASE("Tensors grows from inside the object to the heap and back by moves") {
  Tensors t;
  for (int64_t i = 0; i < 10; ++i) {
    t.push_back(counting(i));
    REQUIRE(t.size() == static_cast<size_t>(i + 1));
    for (int64_t k = 0; k <= i; ++k) REQUIRE(t[static_cast<size_t>(k)].numel() == k);
  }
  const Tensors copy = t;
  Tensors moved = std::move(t);
  CHECK(moved.size() == 10);
  CHECK(copy[9].is_same(moved[9]));
  CHECK_FALSE(Tensors::undefined(5)[4].defined());
  CHECK(Tensors().empty());
  const ArgList args(copy);
  CHECK(Args(args).size() == 10);
  CHECK(Args(args)[3].numel() == 3);
}

TEST_CASE("saves combine and stand for all later inputs from the eighth on") {
  const Saves s = saves_in(0, 2) | saves_shape(1) | saves_out(0);
  CHECK(s.inputs == 5);
  CHECK(s.input_metas == 2);
  CHECK(s.outputs == 1);
  CHECK(Saves::bit(7) == Saves::bit(20));
  constexpr Op o = op("f(Tensor a, Tensor b, Tensor c) -> Tensor").saves_for(0, saves_in(1)).saves_for(2, saves_in(0));
  CHECK(o.saves_for(0).inputs == 2);
  CHECK(o.saves_for(1).inputs == 0);
  CHECK(o.saves_for(5).inputs == 1);
}

}  // namespace strata
