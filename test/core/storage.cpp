// Freeing the bytes behind tensors and taking them again, as sharded training does.
#include <strata/strata.h>

#include <functional>
#include <sstream>

#include "core/allocator.h"
#include "test/catch.h"

namespace strata {
namespace {

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

constexpr const char* kFreed = "the storage of a tensor of shape (4,) was freed";

}  // namespace

TEST_CASE("a storage is freed and filled again") {
  for (const int64_t n : {int64_t{4}, int64_t{1} << 20}) {  // behind its header, and a buffer
    Tensor x = ones({n});
    const Tensor view = x.slice(0, 1, 3);
    const auto bytes = static_cast<size_t>(n) * sizeof(float);
    const int64_t version = x._version(), before = memory_stats().in_use;
    CHECK(x.storage().nbytes() == bytes);
    x.storage().resize_(0);
    CHECK(x.storage().nbytes() == 0);
    CHECK(!x.storage().data());
    CHECK(x.numel() == n);
    // Sanitizers see every block themselves: there the library's own cache is off and counts nothing.
    if (n > 4 && before > 0) CHECK(memory_stats().in_use <= before - static_cast<int64_t>(bytes));
    x.storage().resize_(bytes);
    CHECK(x._version() == version);
    x.fill_(2);
    CHECK(view.sum().item<double>() == 4);
    CHECK(view.storage_offset() == 1);
  }
}

TEST_CASE("reading a freed tensor is a clear error") {
  Tensor x = ones({4});
  const Tensor view = x.view({2, 2}), other = ones({4});
  x.storage().resize_(0);
  CHECK(error_of([&] { x + 1; }).find(kFreed) == 0);
  CHECK(error_of([&] { other + x; }).find(kFreed) == 0);
  CHECK(error_of([&] { x.add_(1); }).find(std::string("add_: ") + kFreed) == 0);
  CHECK(error_of([&] { x.sum().item<float>(); }).find(kFreed) == 0);
  CHECK(error_of([&] { (void)x.data_ptr<float>(); }).find(kFreed) == 0);
  CHECK(error_of([&] { std::ostringstream() << x; }).find("was freed") != std::string::npos);
  CHECK(error_of([&] { matmul(view, view); }).find("was freed") != std::string::npos);
  CHECK(x.view({4, 1}).sizes() == IntArrayRef({4, 1}));  // a view needs no bytes
  x.storage().resize_(16);
  CHECK(x.zero_().sum().item<float>() == 0);
  CHECK(x.bytes() == view.bytes());
}

TEST_CASE("a large freed tensor is an error in parallel kernels too") {
  const Tensor x = ones({1 << 20});
  x.storage().resize_(0);
  CHECK(error_of([&] { x.exp().sum(); }).find("was freed") != std::string::npos);
  CHECK(error_of([&] { x.softmax(0); }).find("was freed") != std::string::npos);
}

TEST_CASE("saved tensors may be freed between forward and backward") {
  const Tensor x = ones({4}, kDouble).requires_grad_();
  const Tensor w = (x * 3).detach(), y = (x * w).sum();
  w.storage().resize_(0);
  CHECK(error_of([&] { y.backward({}, true); }).find("was freed") != std::string::npos);
  w.storage().resize_(32);
  Tensor(w).fill_(5);
  CHECK(error_of([&] { y.backward({}, true); }).find("modified in place") != std::string::npos);
  const Tensor u = full({4}, 3.0, kDouble), v = (x * u).sum();
  u.storage().resize_(0);
  u.storage().resize_(32);
  std::fill_n(u.data_ptr<double>(), 4, 3.0);  // a gather from other ranks writes so
  v.backward();
  CHECK(x.grad().sum().item<double>() == 12);
}

TEST_CASE("a storage grows with what it holds, and never below what tensors reach") {
  const Tensor x = arange(4, kDouble);
  x.storage().resize_(64);
  CHECK(x.storage().nbytes() == 64);
  CHECK(x.sum().item<double>() == 6);
  CHECK(x.as_strided({8}, {1}).sizes() == IntArrayRef({8}));
  CHECK(error_of([&] { x.storage().resize_(32); }).find("cannot be resized to 32 bytes") != std::string::npos);
  x.storage().resize_(0);
  CHECK(error_of([&] { x.storage().resize_(32); }).find("cannot be resized") != std::string::npos);
  x.storage().resize_(64);
}

TEST_CASE("foreign memory is not resized") {
  float numbers[4] = {1, 2, 3, 4};
  const Tensor x = from_blob(numbers, {4});
  CHECK(!x.storage().resizable());
  CHECK(error_of([&] { x.storage().resize_(0); }).find("came from outside") != std::string::npos);
  CHECK(x.sum().item<float>() == 10);
  CHECK(from_blob(nullptr, {0}).sum().item<float>() == 0);
}

TEST_CASE("empty storages") {
  Tensor x = empty({0});
  x.storage().resize_(0);
  CHECK(x.sum().item<float>() == 0);
  x.storage().resize_(16);
  CHECK(x.storage().nbytes() == 16);
}

}  // namespace strata
