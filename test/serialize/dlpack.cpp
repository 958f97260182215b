// Tensors that go out and come in through DLPack: the same memory, kept alive for as long as either side wants it.
#include <strata/strata.h>

#include "test/catch.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Somebody else's tensor of six floats, which counts how often it is given back.
struct Foreign {
  float data[6] = {0, 1, 2, 3, 4, 5};
  int64_t shape[2] = {2, 3};
  int64_t strides[2] = {1, 2};
  int given_back = 0;
  dlpack::DLManagedTensor managed{};
  Foreign() {
    managed.dl_tensor = {data, {1, 0}, 2, {2, 32, 1}, shape, nullptr, 0};
    managed.manager_ctx = this;
    managed.deleter = [](dlpack::DLManagedTensor* self) { ++static_cast<Foreign*>(self->manager_ctx)->given_back; };
  }
};

}  // namespace

TEST_CASE("tensors of every dtype and layout go through DLPack and back") {
  for (const DType t :
       {kBool, kByte, kChar, kShort, kInt, kUInt32, kLong, kHalf, kBFloat16, kFloat, kDouble, kComplexFloat,
        kComplexDouble, kUInt16, kUInt64, kFloat8_e5m2, kFloat8_e4m3fn, kFloat8_e5m2fnuz, kFloat8_e4m3fnuz}) {
    INFO(name(t));
    const Tensor x = arange(24, kLong).reshape({4, 6}).to(t);
    for (const Tensor& part : {x, x.t(), x.slice(1, 1, 6, 2), x[1][2], x.slice(0, 0, 0)}) {
      const Tensor y = fromDLPack(toDLPack(part));
      CHECK(y.dtype() == t);
      CHECK(y.sizes() == part.sizes());
      CHECK(y.strides() == part.strides());
      CHECK(y.equal(part));
      if (part.numel() > 0) CHECK(y.data_ptr() == part.data_ptr());
      CHECK(fromDLPackVersioned(toDLPackVersioned(part)).equal(part));
    }
  }
}

TEST_CASE("memory lives as long as the other side holds it") {
  Tensor x = ones({3});
  const Tensor storage = x.view({3});
  dlpack::DLManagedTensor* const out = toDLPack(x);
  x = Tensor();
  CHECK(static_cast<float*>(out->dl_tensor.data)[2] == 1.0f);
  static_cast<float*>(out->dl_tensor.data)[2] = 5.0f;
  out->deleter(out);
  CHECK(storage[2].item<float>() == 5.0f);
}

TEST_CASE("another library's memory is given back once, after the last tensor over it") {
  Foreign foreign;
  {
    Tensor row;
    {
      const Tensor x = fromDLPack(&foreign.managed);
      CHECK(x.equal(arange(6, kFloat).reshape({2, 3})));
      row = x[1];
    }
    CHECK(foreign.given_back == 0);
    row.mul_(2);
    CHECK(foreign.data[5] == 10.0f);
  }
  CHECK(foreign.given_back == 1);
}

TEST_CASE("strides, offsets and refused tensors of DLPack") {
  Foreign foreign;
  foreign.managed.dl_tensor.strides = foreign.strides;
  CHECK(fromDLPack(&foreign.managed).equal(arange(6, kFloat).reshape({3, 2}).t()));
  foreign.managed.dl_tensor.ndim = 0;
  foreign.managed.dl_tensor.byte_offset = 4;
  CHECK(fromDLPack(&foreign.managed).item<float>() == 1.0f);
  CHECK(foreign.given_back == 2);
  foreign.managed.dl_tensor.dtype = {2, 32, 4};
  CHECK_THROWS_WITH(fromDLPack(&foreign.managed), ContainsSubstring("4 lanes"));
  foreign.managed.dl_tensor.dtype = {2, 32, 1};
  foreign.managed.dl_tensor.device.device_type = 7;
  CHECK_THROWS_WITH(fromDLPack(&foreign.managed), ContainsSubstring("device type 7"));
  foreign.managed.dl_tensor.ndim = 1000;
  CHECK_THROWS_WITH(fromDLPack(&foreign.managed), ContainsSubstring("1000 dims"));
  CHECK(foreign.given_back == 2);
  foreign.managed.dl_tensor = {nullptr, {1, 0}, 2, {2, 32, 1}, foreign.shape, nullptr, 0};
  CHECK_THROWS_WITH(fromDLPack(&foreign.managed), ContainsSubstring("(2, 3) has no memory"));
  CHECK(foreign.given_back == 2);
  foreign.shape[0] = 0;
  CHECK(fromDLPack(&foreign.managed).sizes() == std::vector<int64_t>{0, 3});
  CHECK(foreign.given_back == 3);
  CHECK_THROWS_WITH(fromDLPack(nullptr), ContainsSubstring("null"));
  CHECK_THROWS_WITH(toDLPack(ones({2}).requires_grad_()), ContainsSubstring("detach()"));
  CHECK_THROWS_WITH(toDLPack(Tensor()), ContainsSubstring("no memory"));
}
