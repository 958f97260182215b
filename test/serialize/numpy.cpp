// Arrays of numpy (data/make_files.py) in, tensors as arrays out, and damaged files.
#include <strata/strata.h>

#include "test/catch.h"
#include "test/files.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;

namespace {

void write_file(const std::string& path, const std::vector<char>& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::vector<char> npy(const std::string& header, size_t data) {
  std::string out("\x93NUMPY\1\0", 8);
  out += static_cast<char>(header.size());
  out += '\0' + header + std::string(data, '\1');
  return {out.begin(), out.end()};
}

}  // namespace

TEST_CASE("arrays of every dtype come from numpy") {
  const TensorMap arrays = load_npz(data_file("numpy_dtypes.npz"));
  CHECK(arrays.size() == 15);
  for (const auto& item : arrays) {
    INFO(item.key());
    const Tensor expected = arange(6, kLong).reshape({2, 3});
    CHECK(item.value().equal(expected.to(item.value().dtype())));
    if (item.key()[0] != '>') CHECK(item.key() == name(item.value().dtype()));
  }
  CHECK(arrays[">f8"].dtype() == kDouble);
}

TEST_CASE("arrays of every shape and order come from numpy") {
  const TensorMap arrays = load_npz(data_file("numpy_shapes.npz"));
  CHECK(arrays["scalar"].dim() == 0);
  CHECK(arrays["scalar"].item<float>() == 2.5f);
  CHECK(arrays["empty"].sizes().vec() == std::vector<int64_t>{0, 3});
  CHECK(arrays["vector"].equal(arange(4)));
  CHECK(arrays["fortran"].equal(arange(24, kDouble).reshape({2, 3, 4})));
  for (const char* file : {"numpy_version1.npy", "numpy_version2.npy", "numpy_version3.npy"})
    CHECK(load_npy(data_file(file)).equal(arange(3, kDouble)));
}

TEST_CASE("tensors come back from files of numpy's formats") {
  TemporaryFile one(".npy"), many(".npz");
  TensorMap map;
  for (const DType t :
       {kBool, kByte, kChar, kShort, kInt, kUInt32, kLong, kHalf, kFloat, kDouble, kComplexFloat, kComplexDouble}) {
    const Tensor x = arange(6, kLong).reshape({2, 3}).to(t).t();
    save_npy(x, one.path);
    const Tensor y = load_npy(one.path);
    CHECK(y.dtype() == t);
    CHECK(y.equal(x));
    map.insert(name(t), x);
  }
  map.insert("scalar", scalar_tensor(3));
  map.insert("empty", zeros({2, 0}));
  save_npz(map, many.path);
  const TensorMap back = load_npz(many.path);
  CHECK(back.keys() == map.keys());
  for (const auto& item : map) CHECK(back[item.key()].equal(item.value()));
  CHECK_THROWS_WITH(save_npy(zeros({2}, kBFloat16), one.path),
                    ContainsSubstring("no dtype for bfloat16") && ContainsSubstring(one.path));
  TensorMap long_name;
  long_name.insert(std::string(65532, 'n'), zeros({2}));
  CHECK_THROWS_WITH(save_npz(long_name, many.path), ContainsSubstring("at most 65535 bytes, one has 65536"));
  CHECK(load_npz(many.path).size() == map.size());
}

TEST_CASE("arrays of other things are refused") {
  CHECK_THROWS_WITH(load_npy(data_file("numpy_records.npy")), ContainsSubstring("records"));
  CHECK_THROWS_WITH(load_npy(data_file("numpy_objects.npy")), ContainsSubstring("'|O'"));
  CHECK_THROWS_WITH(load_npy(data_file("numpy_text.npy")), ContainsSubstring("'<U2'"));
  CHECK_THROWS_WITH(load_npy(data_file("all.pt")), ContainsSubstring("no .npy file"));
}

TEST_CASE("files of numpy's formats that are damaged are errors") {
  TemporaryFile file(".npy");
  const auto error = [&](const std::vector<char>& bytes, auto load) {
    write_file(file.path, bytes);
    return error_of([&] { load(file.path); });
  };
  const auto one = [&](const std::vector<char>& bytes) { return error(bytes, load_npy); };
  const std::string start = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
  CHECK(one(npy(start + "2,), }", 8)) == "no error");
  CHECK_THAT(one(npy(start + "3,), }", 8)), ContainsSubstring("needs 12 bytes, 8 are there"));
  CHECK_THAT(one(npy(start + "-2,), }", 8)), ContainsSubstring("no dict of numpy's"));
  CHECK_THAT(one(npy(start + "4611686018427387904,4,), }", 8)), ContainsSubstring("too large"));
  CHECK_THAT(one(npy(start + "2,)", 8)), ContainsSubstring("no dict of numpy's"));
  CHECK_THAT(one(npy("{}", 8)), ContainsSubstring("no dict of numpy's"));
  const std::vector<char> whole = bytes_of(data_file("numpy_version1.npy")),
                          zip = bytes_of(data_file("numpy_shapes.npz"));
  for (size_t n = 0; n < whole.size(); ++n)
    CHECK(one({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n)}) != "no error");
  for (size_t n = 0; n < zip.size(); n += 13)
    CHECK(error({zip.begin(), zip.begin() + static_cast<std::ptrdiff_t>(n)}, load_npz) != "no error");
  for (size_t i = 0; i < zip.size(); i += 3) {
    std::vector<char> changed = zip;
    changed[i] = static_cast<char>(changed[i] ^ 0x41);
    error(changed, load_npz);
  }
}
