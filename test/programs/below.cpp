// Programs that use what lies below the tensors: checks, errors, warnings, containers, dispatch on dtypes, threads.
#include <torch/torch.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "test/programs/programs.h"

namespace programs::below {
namespace {

const Program checks("TORCH_CHECK", [](std::ostream& out) {
  const int n = 3;
  fails<c10::Error>(out, "check", "wanted 2 but got 3", [&] { TORCH_CHECK(n == 2, "wanted ", 2, " but got ", n); });
  fails<c10::Error>(out, "without text", "Expected n == 2 to be true", [&] { TORCH_CHECK(n == 2); });
  fails<c10::IndexError>(out, "index", "index 3", [&] { TORCH_CHECK_INDEX(n < 2, "index ", n); });
  fails<c10::Error>(out, "assert", "", [&] { TORCH_INTERNAL_ASSERT(n == 2, "inside"); });
  TORCH_CHECK(n == 3, "never");
  fails<c10::Error>(out, "AT_ERROR", "broken 7", [] { AT_ERROR("broken ", 7); });
});

#ifndef AWAITS_CHECKS
const Program more_checks("checks with types of their own", [](std::ostream& out) {
  const int n = 3;
  fails<c10::ValueError>(out, "value", "value 3", [&] { TORCH_CHECK_VALUE(n < 2, "value ", n); });
  fails<c10::TypeError>(out, "type", "type 3", [&] { TORCH_CHECK_TYPE(n < 2, "type ", n); });
  fails<c10::NotImplementedError>(out, "not implemented", "later",
                                  [&] { TORCH_CHECK_NOT_IMPLEMENTED(n < 2, "later"); });
  fails<c10::Error>(out, "an Error", "value 3", [&] { TORCH_CHECK_VALUE(n < 2, "value ", n); });
});
#endif

const Program errors("common mistakes", [](std::ostream& out) {
  const auto a = torch::ones({2, 3}), b = torch::ones({4, 5});
  fails<c10::Error>(out, "add", "must match the size of tensor b", [&] { a + b; });
  fails<c10::Error>(out, "mm", "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)", [&] { a.mm(b); });
  fails<c10::Error>(out, "view", "shape '[4]' is invalid for input of size 6", [&] { a.view({4}); });
  fails<c10::Error>(out, "cat", "Sizes of tensors must match except in dimension 0", [&] { torch::cat({a, b}); });
  fails<c10::Error>(out, "stack", "stack expects each tensor to be equal size", [&] { torch::stack({a, b}); });
  fails<c10::IndexError>(out, "dim", "Dimension out of range (expected to be in range of [-2, 1], but got 5)",
                         [&] { a.sum(5); });
  fails<c10::IndexError>(out, "index", "index 7 out of range for tensor of size [2, 3] at dimension 0", [&] { a[7]; });
  fails<c10::Error>(out, "squeeze", "", [&] { a.permute({0}); });
  fails<c10::Error>(out, "item", "cannot be converted to Scalar", [&] { a.item(); });
  fails<c10::Error>(out, "expand", "must match the existing size", [&] { a.expand({5, 3}); });
  fails<c10::Error>(out, "undefined", "", [&] { torch::Tensor().sum(); });
});

const Program more_errors("more common mistakes", [](std::ostream& out) {
  const auto x = torch::ones({2, 3}), i = torch::tensor({1, 2});
  fails<c10::Error>(out, "mean of integers", "mean(): could not infer output dtype", [&] { i.mean(); });
  fails<c10::Error>(out, "dtype of matmul", "same dtype", [&] { x.mm(torch::ones({3, 2}, torch::kFloat64)); });
  fails<c10::Error>(out, "gather", "Expected dtype int32/int64 for index", [&] { x.gather(0, x); });
  fails<c10::Error>(out, "reshape", "", [&] { x.reshape({-1, -1}); });
  fails<c10::Error>(out, "conv", "to have 4 channels, but got 2 channels instead", [&] {
    torch::conv1d(torch::ones({1, 2, 5}), torch::ones({1, 4, 3}));
  });
  fails<c10::Error>(out, "linear", "mat1 and mat2 shapes cannot be multiplied", [&] { torch::nn::Linear(4, 2)(x); });
  fails<c10::Error>(out, "nll", "out of bounds", [&] { torch::nll_loss(x, torch::tensor({0, 9})); });
  fails<c10::Error>(out, "embedding", "index out of range in self", [&] { torch::embedding(x, torch::tensor({5})); });
  fails<c10::Error>(out, "inverse", "singular", [&] { torch::inverse(torch::zeros({2, 2})); });
  fails<c10::Error>(out, "cholesky", "not positive-definite", [&] { torch::linalg_cholesky(-torch::eye(2)); });
  fails<c10::Error>(out, "copy", "", [&] { torch::ones(2).copy_(torch::ones(3)); });
  fails<c10::Error>(out, "arange", "", [&] { torch::arange(0, 5, -1); });
});

#ifndef AWAITS_ERROR_CONTEXT
const Program error_text("the text of an error", [](std::ostream& out) {
  try {
    TORCH_CHECK(false, "first");
  } catch (c10::Error& e) {
    out << e.msg() << '|' << e.what_without_backtrace() << '\n';
    e.add_context("second");
    out << (std::string(e.what()).find("second") != std::string::npos) << '\n';
  }
  try {
    TORCH_CHECK_INDEX(false, "of index");
  } catch (const std::exception& e) {
    out << (dynamic_cast<const c10::Error*>(&e) != nullptr) << (dynamic_cast<const c10::IndexError*>(&e) != nullptr)
        << '\n';
  }
});
#endif

struct Collected : c10::WarningHandler {
  void process(const c10::Warning& warning) override { texts.push_back(warning.msg()); }
  std::vector<std::string> texts;
};

const Program warnings("warnings", [](std::ostream& out) {
  Collected collected;
  {
    c10::WarningUtils::WarningHandlerGuard guard(&collected);
    TORCH_WARN("watch ", 1, " thing");
    for (int i = 0; i < 3; ++i) TORCH_WARN_ONCE("only once");
  }
  for (const auto& text : collected.texts) out << text << '\n';
});

#ifndef AWAITS_IRANGE
const Program ranges("irange, str, optional", [](std::ostream& out) {
  for (const auto i : c10::irange(3)) out << i << ' ';
  for (const auto i : c10::irange(2, 5)) out << i << ' ';
  out << c10::str("a", 1, 2.5, 'c') << '\n';
  c10::optional<int> none, one = 1;
  out << none.has_value() << one.value() << none.value_or(7) << (none == c10::nullopt) << '\n';
  const at::ArrayRef<int> list({1, 2, 3});
  out << list.size() << list.front() << list.back() << list[1] << list.slice(1).size() << list.vec().size()
      << list.equals({1, 2, 3}) << '\n';
  const std::vector<int64_t> shape = {2, 3};
  out << torch::zeros(shape).sizes() << (torch::zeros(shape).sizes() == shape)
      << torch::zeros(shape).sizes().vec().size() << '\n';
  const c10::string_view view = "text";
  out << view.size() << view << '\n';
});
#endif

#ifndef AWAITS_DISPATCH
const Program visits("AT_DISPATCH", [](std::ostream& out) {
  const auto sum = [](const torch::Tensor& x) {
    double total = 0;
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "sum", [&] {
      const auto* data = x.data_ptr<scalar_t>();
      for (int64_t i = 0; i < x.numel(); ++i) total += data[i];
    });
    return total;
  };
  out << sum(torch::arange(4.f)) << ' ' << sum(torch::arange(4, torch::kFloat64)) << '\n';
  fails<c10::Error>(out, "integers", "not implemented for 'Long'", [&] { sum(torch::arange(4)); });
  for (const auto& x : {torch::ones(2, torch::kInt32), torch::ones(2, torch::kUInt8), torch::ones(2, torch::kFloat64)})
    AT_DISPATCH_ALL_TYPES(x.scalar_type(), "size",
                          [&] { out << sizeof(scalar_t) << ' ' << double(x.accessor<scalar_t, 1>()[0]) << ' '; });
  out << '\n';
});
#endif

#ifndef AWAITS_DISPATCH
const Program more_visits("AT_DISPATCH with more types", [](std::ostream& out) {
  for (const auto dtype : {torch::kHalf, torch::kBFloat16, torch::kBool, torch::kFloat})
    AT_DISPATCH_ALL_TYPES_AND3(torch::kHalf, torch::kBFloat16, torch::kBool, dtype, "and3",
                               [&] { out << sizeof(scalar_t) << ' '; });
  AT_DISPATCH_FLOATING_TYPES_AND2(torch::kHalf, torch::kBFloat16, torch::kHalf, "and2",
                                  [&] { out << sizeof(scalar_t) << ' '; });
  AT_DISPATCH_ALL_TYPES_AND(torch::kBool, torch::kBool, "and", [&] { out << sizeof(scalar_t) << ' '; });
  AT_DISPATCH_SWITCH(torch::kLong, "switch", AT_DISPATCH_CASE(torch::kFloat, [&] {
                       out << "float";
                     }) AT_DISPATCH_CASE(torch::kLong, [&] { out << "long"; }));
  AT_DISPATCH_INDEX_TYPES(torch::kInt, "index", [&] { out << sizeof(index_t); });
  AT_DISPATCH_COMPLEX_TYPES(torch::kComplexFloat, "complex", [&] { out << sizeof(scalar_t); });
  out << '\n';
});
#endif

#ifndef AWAITS_IVALUE
const Program ivalues("IValue, Dict and List", [](std::ostream& out) {
  const c10::IValue i(5), d(2.5), s("text"), t(torch::ones(2)), b(true), none;
  out << i.isInt() << i.toInt() << d.isDouble() << d.toDouble() << s.isString() << s.toStringRef() << t.isTensor()
      << b.toBool() << none.isNone() << '\n';
  c10::Dict<std::string, int64_t> dict;
  dict.insert("a", 1);
  dict.insert_or_assign("b", 2);
  out << dict.size() << dict.contains("a") << dict.at("b") << '\n';
  for (const auto& entry : dict) out << entry.key() << entry.value() << ' ';
  dict.erase("a");
  out << dict.size() << dict.empty() << '\n';
  c10::List<int64_t> list({4, 5});
  list.push_back(6);
  out << list.size() << list.get(2) << list[0] << '\n';
  const c10::IValue wrapped(list);
  out << wrapped.isList() << wrapped.isIntList() << wrapped.toIntVector().size() << '\n';
});
#endif

#ifndef AWAITS_SMALL_VECTOR
const Program small("SmallVector and OptionalArrayRef", [](std::ostream& out) {
  c10::SmallVector<int64_t, 4> v = {1, 2};
  v.push_back(3);
  v.append({4, 5, 6});
  out << v.size() << v.back() << v[1] << at::IntArrayRef(v).size() << '\n';
  const auto count = [](at::OptionalIntArrayRef dims) {
    return dims.has_value() ? static_cast<int>(dims->size()) : -1;
  };
  out << count(c10::nullopt) << count(at::IntArrayRef{1, 2}) << '\n';
  at::DimVector dims(torch::ones({2, 3}).sizes());
  out << dims.size() << '\n';
});
#endif

const Program scalars("scalars", [](std::ostream& out) {
  const at::Scalar i = 3, d = 2.5, b = true, z = c10::complex<double>(1, 2);
  out << i.type() << d.type() << b.type() << z.type() << i.isIntegral(true) << d.isFloatingPoint() << z.isComplex()
      << '\n';
  out << i.toDouble() << d.toInt() << b.toLong() << z.toComplexDouble().imag() << d.to<float>() << '\n';
  out << (torch::ones(2) * d).sum().item<float>() << '\n';
});

const Program scalar_methods("signs and equality of scalars", [](std::ostream& out) {
  const at::Scalar i = 3, d = 2.5, z = c10::complex<double>(1, 2);
  out << (-i).toInt() << (-d).toDouble() << i.equal(3) << i.equal(3.5) << d.equal(2.5)
      << z.conj().toComplexDouble().imag() << '\n';
});

#ifndef AWAITS_SCALAR_TENSORS
const Program scalar_tensors("scalars as tensors", [](std::ostream& out) {
  show(out, "scalar_to_tensor", at::scalar_to_tensor(at::Scalar(3)));
  show(out, "of a double", at::scalar_to_tensor(2.5));
  out << at::isIntegralType(at::kInt, false) << c10::scalarTypeToTypeMeta(torch::kFloat).name() << '\n';
  out << c10::CppTypeToScalarType<double>::value << c10::typeMetaToScalarType(torch::ones(1).dtype()) << '\n';
  torch::set_default_dtype(c10::scalarTypeToTypeMeta(torch::kFloat64));
  out << torch::ones(1).dtype() << '\n';
  torch::set_default_dtype(c10::scalarTypeToTypeMeta(torch::kFloat32));
});
#endif

const Program parallel("parallel_for", [](std::ostream& out) {
  std::vector<int> seen(1000);
  at::parallel_for(0, 1000, 10, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) seen[i] += static_cast<int>(i);
  });
  int64_t sum = 0;
  for (const int i : seen) sum += i;
  const int64_t total = at::parallel_reduce(
      0, 100, 10, int64_t{0},
      [](int64_t begin, int64_t end, int64_t start) {
        for (int64_t i = begin; i < end; ++i) start += i;
        return start;
      },
      [](int64_t a, int64_t b) { return a + b; });
  out << sum << ' ' << total << ' ' << at::in_parallel_region() << (at::get_num_threads() > 0) << '\n';
});

const Program threads("threads that differentiate", [](std::ostream& out) {
  const auto w = torch::full({3}, 2., torch::requires_grad());
  std::vector<std::thread> threads;
  std::atomic<int> without{0};
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      (w * w).sum().backward();
      torch::NoGradGuard guard;
      without += !(w * 2).requires_grad();
    });
  for (auto& thread : threads) thread.join();
  show(out, "grad", w.grad());
  out << without << (w * 2).requires_grad() << '\n';
});

const Program seeds("seeds and generators", [](std::ostream& out) {
  torch::manual_seed(42);
  const auto a = torch::rand({3}), n = torch::randn({2});
  torch::manual_seed(42);
  out << torch::equal(a, torch::rand({3})) << torch::equal(n, torch::randn({2})) << '\n';
  const auto big = torch::randn({10000});
  out << (std::abs(big.mean().item<double>()) < 0.05) << (std::abs(big.std().item<double>() - 1) < 0.05) << '\n';
  const auto u = torch::rand({1000});
  out << (u >= 0).all().item<bool>() << (u < 1).all().item<bool>() << '\n';
  const auto i = torch::randint(3, 7, {1000});
  out << i.min().item<int64_t>() << i.max().item<int64_t>() << ' ' << i.dtype() << torch::randint(5, {2}).dtype()
      << '\n';
  show(out, "permutation", std::get<0>(torch::randperm(6).sort()));
});

#ifndef AWAITS_MAKE_GENERATOR
const Program generators("a generator of one's own", [](std::ostream& out) {
  auto generator = torch::make_generator<at::CPUGeneratorImpl>(7);
  const auto a = torch::rand({3}, generator);
  generator.set_current_seed(7);
  out << torch::equal(a, torch::rand({3}, generator)) << generator.current_seed() << '\n';
  auto copy = generator.clone();
  out << torch::equal(torch::randn({2}, generator), torch::randn({2}, copy)) << '\n';
  torch::Tensor x = torch::empty({1000});
  x.uniform_(2, 4, generator);
  out << (x.min().item<float>() >= 2) << (x.max().item<float>() <= 4) << (x.normal_(1, 0.1).mean().item<float>() > 0.9)
      << '\n';
  out << x.bernoulli_(0.5).max().item<float>() << x.random_(0, 3).max().item<float>()
      << (x.exponential_().min().item<float>() >= 0) << '\n';
  out << torch::multinomial(torch::tensor({0.f, 1.f, 0.f}), 2, true).sum().item<int64_t>() << '\n';
});
#endif

#ifndef AWAITS_VERSION
const Program version("versions", [](std::ostream& out) {
  out << (TORCH_VERSION_MAJOR >= 2) << (std::string(TORCH_VERSION).empty()) << '\n';
});
#endif

}  // namespace
}  // namespace programs::below
