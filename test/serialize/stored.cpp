// The dtypes for storage in files that PyTorch, safetensors and numpy wrote (data/make_files.py), and back.
#include <strata/strata.h>

#include "test/catch.h"
#include "test/files.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr DType kStored[] = {kUInt16, kUInt64, kFloat8_e5m2, kFloat8_e4m3fn, kFloat8_e5m2fnuz, kFloat8_e4m3fnuz};

Tensor expected(DType t) { return tensor({{0, 1, 2}, {3, 64, 96}}).to(t); }

void check(const TensorMap& tensors, size_t count) {
  CHECK(tensors.size() == count);
  for (const auto& item : tensors) {
    INFO(item.key());
    CHECK(item.key() == name(item.value().dtype()));
    CHECK(item.value().equal(expected(item.value().dtype())));
  }
}

}  // namespace

TEST_CASE("tensors of dtypes for storage come from other libraries' files") {
  check(load_file(data_file("stored.safetensors")), 4);
  check(load_npz(data_file("stored.npz")), 2);
  TensorMap map;
  const Value saved = load_pt(data_file("stored.pt"));
  for (const auto& [key, value] : saved.toGenericDict()) map.insert(key.toStringRef(), value.toTensor());
  check(map, 6);
}

TEST_CASE("tensors of dtypes for storage are written and read back") {
  TemporaryFile pt(".pt"), safe(".safetensors"), npy(".npy");
  for (const DType t : kStored) {
    INFO(name(t));
    save_pt(Value(expected(t)), pt.path);
    CHECK(load_pt(pt.path).toTensor().equal(expected(t)));
    TensorMap map;
    map.insert("x", expected(t));
    if (t == kFloat8_e5m2fnuz || t == kFloat8_e4m3fnuz) {
      CHECK_THROWS_WITH(save_file(map, safe.path), ContainsSubstring("cannot save float8_e"));
    } else {
      save_file(map, safe.path);
      CHECK(load_file(safe.path)["x"].equal(expected(t)));
    }
    if (is_float8(t)) continue;
    save_npy(expected(t), npy.path);
    CHECK(load_npy(npy.path).equal(expected(t)));
  }
}
