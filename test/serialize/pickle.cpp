// Values in PyTorch's files: those that torch.save wrote (data/make_files.py), those that are written here, damaged and
// hostile ones.
#include <strata/ops/file.h>
#include <strata/ops/file_layout.h>
#include <strata/ops/zip.h>
#include <strata/strata.h>

#include <thread>

#include "test/catch.h"
#include "test/files.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;

namespace {

/// What make_files.py calls everything().
void check_everything(const Value& value) {
  const Value::Dict& all = value.toGenericDict();
  for (const auto& [key, t] : all.at("dtypes").toGenericDict()) {
    INFO(key.toStringRef());
    CHECK(name(t.toTensor().dtype()) == key.toStringRef());
    CHECK(t.toTensor().equal(tensor({0, 1, 2, 3}).to(t.toTensor().dtype())));
  }
  CHECK(all.at("dtypes").toGenericDict().size() == 13);
  const Tensor tied = all.at("tied").toTensor(), transposed = all.at("transposed").toTensor();
  CHECK(tied.equal(arange(6, kFloat).reshape({2, 3})));
  CHECK(transposed.equal(tied.t()));
  CHECK(transposed.storage().is_alias_of(tied.storage()));
  CHECK(transposed.strides().vec() == std::vector<int64_t>{1, 3});
  CHECK(all.at("part").toTensor().equal(tensor({4.0f, 6.0f})));
  CHECK(all.at("scalar").toTensor().item<double>() == 2.5);
  CHECK(all.at("scalar").toTensor().dim() == 0);
  CHECK(all.at("empty").toTensor().sizes().vec() == std::vector<int64_t>{0, 3});
  CHECK(all.at("parameter").toTensor().requires_grad());
  CHECK(all.at("parameter").toTensor().is_leaf());
  CHECK(all.at("parameter").toTensor().detach().equal(tensor({1.0f, -1.0f})));
  CHECK_FALSE(tied.requires_grad());
  const Value::List plain{{},
                          true,
                          false,
                          7,
                          -300,
                          70000,
                          int64_t{1} << 40,
                          -(int64_t{1} << 40),
                          0.1,
                          "text \u00e9",
                          Value::Bytes{std::string("\x00\xff\x80", 3)},
                          Complex<double>(1, 2)};
  CHECK(all.at("plain") == Value(plain));
  CHECK(all.at("tuple") == Value::tuple({1, Value::tuple({2.0, "three"})}));
  CHECK(all.at("set") == Value::set({5}));
  CHECK(all.at("size") == Value::tuple({2, 3}));
  CHECK(all.at("dtype").toScalarType() == kHalf);
  CHECK(all.at("device").toDevice() == Device(kCPU));
  CHECK(all.at("ordered").toGenericDict().items[0].first == Value("b"));
  CHECK(all.items.back().first == Value(3));
}

/// A value by instructions of a pickle, as a file.
std::vector<char> file_of(const std::string& pickle, const std::string& storage = "") {
  struct Memory : serialize::Sink {
    void write(const char* data, uint64_t n) override { bytes.insert(bytes.end(), data, data + n); }
    std::vector<char> bytes;
  } memory;
  serialize::ZipWriter zip(memory);
  zip.add("a/data.pkl", "\x80\x02" + pickle + ".");
  if (!storage.empty()) zip.add("a/data/0", storage);
  zip.finish();
  return memory.bytes;
}

std::string error_of_pickle(const std::string& pickle, const std::string& storage = "") {
  return error_of([&] { pickle_load(file_of(pickle, storage)); });
}

/// A tensor of float32 over storage "0": its number of elements, offset, size and stride as instructions.
std::string tensor_of(const std::string& count, const std::string& offset, const std::string& size,
                      const std::string& stride, const std::string& type = "FloatStorage") {
  return "ctorch._utils\n_rebuild_tensor_v2\n((X" + std::string("\7\0\0\0", 4) + "storagectorch\n" + type + "\nX" +
         std::string("\1\0\0\0", 4) + "0X" + std::string("\3\0\0\0", 4) + "cpu" + count + "tQ" + offset + "(" + size +
         "t(" + stride +
         "t\x89"
         "ccollections\nOrderedDict\n)RtR";
}
std::string small(int n) { return std::string("K") + static_cast<char>(n); }

/// What a file gives, or what its error says; never a crash.
void try_file(const std::vector<char>& bytes) {
  error_of([&] { pickle_load(bytes); });
}

}  // namespace

// Pointers turn into bool unasked; a value takes none but text.
static_assert(std::is_constructible_v<Value, bool> && std::is_constructible_v<Value, const char*>);
static_assert(!std::is_constructible_v<Value, int*> && !std::is_constructible_v<Value, const Tensor*>);
static_assert(std::is_constructible_v<Value, std::vector<bool>>);

TEST_CASE("files of torch.save come back by value, layout and identity") {
  for (const char* file : {"all.pt", "all_protocol4.pt", "all_legacy.pt"}) {
    INFO(file);
    check_everything(load_pt(data_file(file)));
    check_everything(pickle_load(bytes_of(data_file(file))));
  }
}

TEST_CASE("what is written is read back, shared memory shared") {
  const Value all = load_pt(data_file("all.pt"));
  check_everything(pickle_load(pickle_save(all)));
  TemporaryFile file(".pt");
  save_pt(all, file.path);
  check_everything(load_pt(file.path));
  const Tensor x = randn({3, 4});
  const Value pair = pickle_load(pickle_save(std::vector<Tensor>{x, x.t()}));
  CHECK(pair.toTensorVector()[0].storage().is_alias_of(pair.toTensorVector()[1].storage()));
  CHECK(pickle_load(pickle_save(Value())).isNone());
  CHECK(pickle_load(pickle_save(std::tuple(1, "two"))) == Value::tuple({1, "two"}));
  CHECK(pickle_load(pickle_save(std::map<std::string, double>{{"lr", 0.5}})).toGenericDict().at("lr") == Value(0.5));
  CHECK_THROWS_WITH(pickle_save(Tensor()), ContainsSubstring("undefined"));
}

TEST_CASE("a value of another kind is an error that names both") {
  CHECK_THROWS_WITH(Value("x").toTensor(), ContainsSubstring("wanted a tensor, it is text"));
  CHECK_THROWS_WITH(Value(1).toListRef(), ContainsSubstring("wanted a list, it is an integer"));
  CHECK_THROWS_WITH(Value(Value::Dict()).toGenericDict().at("lr"), ContainsSubstring("no 'lr'"));
  CHECK(Value(ones({1}, kLong)).toInt() == 1);
  CHECK(Value(3).toDouble() == 3.0);
  CHECK(Value(std::vector<int64_t>{1, 2}).toIntVector() == std::vector<int64_t>{1, 2});
}

TEST_CASE("code in a pickle is refused by name") {
  CHECK_THROWS_WITH(load_pt(data_file("hostile.pt")),
                    ContainsSubstring("'posix.system'") && ContainsSubstring("refused"));
  CHECK_THROWS_WITH(load_pt(data_file("whole_module.pt")), ContainsSubstring("'__main__.Net'"));
  CHECK_THAT(error_of_pickle("cbuiltins\neval\n(X\1" + std::string("\0\0\0", 3) + "1tR"),
             ContainsSubstring("builtins.eval"));
  CHECK_THAT(error_of_pickle("ctorch.storage\n_load_from_bytes\n"), ContainsSubstring("_load_from_bytes"));
  CHECK_THAT(error_of_pickle("i"), ContainsSubstring("instruction 105"));
}

TEST_CASE("pickles that lie are errors") {
  const std::string data(8, '\1');
  CHECK(error_of_pickle(tensor_of(small(2), small(0), small(2), small(1)), data) == "no error");
  const std::string kOutside = "beyond its storage", most = "\x8a\x08" + std::string(7, '\xff') + "\x7f";
  const auto error = [&](const std::string& tensor) { return error_of_pickle(tensor, data); };
  CHECK_THAT(error(tensor_of(small(2), small(1), small(2), small(1))), ContainsSubstring(kOutside));
  CHECK_THAT(error(tensor_of(small(2), small(0), small(3), small(1))), ContainsSubstring(kOutside));
  CHECK_THAT(error(tensor_of(small(2), small(0), small(2), most)), ContainsSubstring(kOutside));
  CHECK_THAT(error(tensor_of(small(2), small(0), most + most, most + most)), ContainsSubstring(kOutside));
  CHECK_THAT(error(tensor_of(small(2), small(0), most, small(0))), ContainsSubstring(kOutside));
  CHECK_THAT(error(tensor_of(small(2), most, small(1), small(1))), ContainsSubstring(kOutside));
  CHECK_THAT(error(tensor_of(small(2), small(3), small(0), small(1))), ContainsSubstring(kOutside));
  CHECK_THAT(error(tensor_of(small(2), small(0), small(1), most)), ContainsSubstring(kOutside));
  CHECK_THAT(error(tensor_of(small(2), small(0), small(0), most)), ContainsSubstring(kOutside));
  CHECK_THAT(error(tensor_of(small(2), small(0), small(0) + most, small(1) + small(1))), ContainsSubstring(kOutside));
  CHECK(error(tensor_of(small(2), small(1), small(1), small(100))) == "no error");
  CHECK(error(tensor_of(small(2), small(2), small(0), small(100))) == "no error");
  CHECK_THAT(error(tensor_of(small(2), small(0), "J\xff\xff\xff\xff", small(1))), ContainsSubstring(kOutside));
  CHECK_THAT(error(tensor_of(small(2), small(0), small(2), "")), ContainsSubstring("do not go together"));
  CHECK_THAT(error(tensor_of(most, small(0), small(2), small(1))), ContainsSubstring("too large"));
  CHECK_THAT(error(tensor_of(small(100), small(0), small(2), small(1))), ContainsSubstring("in place of 400"));
  CHECK_THAT(error(tensor_of(small(2), small(0), small(2), small(1), "QInt8Storage")),
             ContainsSubstring("torch.QInt8Storage"));
  CHECK_THAT(error_of_pickle(tensor_of(small(2), small(0), small(2), small(1))), ContainsSubstring("no storage '0'"));
  CHECK_THAT(error_of_pickle(""), ContainsSubstring("not there"));
  CHECK_THAT(error_of_pickle("h\1"), ContainsSubstring("never kept"));
  CHECK_THAT(error_of_pickle("t"), ContainsSubstring("no mark"));
  CHECK_THAT(error_of_pickle("(t(0"), ContainsSubstring("not there"));
  CHECK_THAT(error_of_pickle("}(K\1u"), ContainsSubstring("without a value"));
  CHECK_THAT(error_of_pickle("\x8a\x09" + std::string(9, '\x7f')), ContainsSubstring("more than 64 bits"));
  CHECK_THAT(error_of_pickle("\x8b\xff\xff\xff\xff"), ContainsSubstring("truncated"));
  CHECK_THAT(error_of_pickle("ctorch\nFloatStorage\n"), ContainsSubstring("where a value was expected"));
}

TEST_CASE("deep, endless and exploding pickles are errors") {
  CHECK_THAT(error_of_pickle("]" + std::string("q\0", 2) + std::string("h\0", 2) + "a"),
             ContainsSubstring("contains itself"));
  std::string deep(100000, ']');
  CHECK_THAT(error_of_pickle(deep + std::string(99999, 'a')), ContainsSubstring("nested more than"));
  std::string laughs = "]q" + std::string(1, '\0');
  for (char level = 0; level < 40; ++level)
    laughs +=
        std::string("](h") + level + "h" + level + "h" + level + "h" + level + "eq" + static_cast<char>(level + 1);
  CHECK_THAT(error_of_pickle(laughs), ContainsSubstring("parts"));
}

TEST_CASE("pickles of a few bytes that ask for more than memory holds are errors") {
  const auto kept = [](char place) { return std::string{'h', place}; };
  const auto keep = [](char place) { return std::string{'q', place}; };
  const auto repeated = [](int times, const std::string& part) {
    std::string out;
    for (int i = 0; i < times; ++i) out += part;
    return out;
  };
  const auto text = [](uint32_t n) {
    std::string length;
    serialize::put_number(length, n, 4);
    return "X" + length + std::string(n, 'x');
  };
  const std::string kParts = "more than 16777216 parts";
  // A dict that is set as its own state doubles with each instruction.
  CHECK_THAT(error_of_pickle("}" + keep(0) + "(" + small(1) + small(2) + small(3) + small(4) + "u" +
                             repeated(60, kept(0) + "b")),
             ContainsSubstring(kParts));
  // Each call copies a list that was written once.
  const std::string list = "](" + repeated(5000, "N") + "e\x85" + keep(0) + "0";
  CHECK_THAT(error_of_pickle(list + "ctorch\nSize\n" + keep(1) + repeated(5000, kept(1) + kept(0) + "R0")),
             ContainsSubstring(kParts));
  const std::string arguments = "(" + repeated(5000, "N") + "t" + keep(0) + "0";
  CHECK_THAT(error_of_pickle(arguments + "c__torch__\nNet\n" + keep(1) + repeated(5000, kept(1) + kept(0) + "R0")),
             ContainsSubstring(kParts));
  // So do texts: made bytes, in the value, and as names of classes.
  const std::string megabyte = text(1 << 20) + keep(0) + "0";
  const std::string encode = "c_codecs\nencode\n" + keep(1) + "0" + kept(0) + "U\6latin1\x86" + keep(2) + "0";
  CHECK_THAT(error_of_pickle(megabyte + encode + repeated(2000, kept(1) + kept(2) + "R0")), ContainsSubstring(kParts));
  const std::string module = "U\x09__torch__" + keep(1) + "0";
  CHECK_THAT(error_of_pickle(megabyte + module + repeated(2000, kept(1) + kept(0) + "\x93" + "0")),
             ContainsSubstring(kParts));
  CHECK_THAT(error_of_pickle(megabyte + "](" + repeated(2000, kept(0)) + "e"), ContainsSubstring(kParts));
  CHECK(error_of_pickle(megabyte + "](" + repeated(20, kept(0)) + "e") == "no error");
}

TEST_CASE("what describes tensors has its limits") {
  CHECK_THAT(error_of_pickle(std::string((64 << 20) + 1, 'N')), ContainsSubstring("data.pkl has 67108868 bytes"));
  const std::string key(1001, 'k');
  std::string length;
  serialize::put_number(length, key.size(), 4);
  CHECK_THAT(error_of_pickle("(X" + std::string("\7\0\0\0", 4) + "storagectorch\nFloatStorage\nX" + length + key + "X" +
                             std::string("\3\0\0\0", 4) + "cpu" + small(2) + "tQ"),
             ContainsSubstring("a name of 1001 bytes"));
}

TEST_CASE("a header that is cut off names its file") {
  std::vector<char> file = pickle_save(1);
  const std::string text(file.begin(), file.end());
  const size_t central = text.find("PK\1\2");
  REQUIRE(central != text.npos);
  file[central + 28] = file[central + 29] = '\xff';  // the length of the name
  CHECK_THAT(error_of([&] { pickle_load(file); }), ContainsSubstring("the buffer") && ContainsSubstring("cut off"));
}

TEST_CASE("a tensor without memory is not saved") {
  CHECK_THROWS_WITH(vmap([](const Tensor& x) {
                      pickle_save(x);
                      return x;
                    })(ones({2, 3})),
                    ContainsSubstring("no storage"));
}

TEST_CASE("writers of the same file do not meet") {
  CHECK(serialize::temporary_beside("x") != serialize::temporary_beside("x"));
  TemporaryFile file(".pt");
  const auto save_often = [&](double number) {
    for (int i = 0; i < 40; ++i) save_pt(full({100}, number), file.path);
  };
  std::string error;
  std::thread other([&] { error = error_of([&] { save_often(1.0); }); });
  CHECK(error_of([&] { save_often(2.0); }) == "no error");
  other.join();
  CHECK(error == "no error");
  const Tensor read = load_pt(file.path).toTensor();
  CHECK((read.equal(full({100}, 1.0)) || read.equal(full({100}, 2.0))));
}

TEST_CASE("a .pt file cut at any byte or with a changed byte is an error or another value") {
  for (const char* file : {"all.pt", "all_legacy.pt", "libtorch_values.pt"}) {
    const std::vector<char> whole = bytes_of(data_file(file));
    for (size_t n = 0; n < whole.size(); n += 1 + n / 97)
      CHECK_FALSE(error_of([&] {
                    pickle_load({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n)});
                  }).empty());
    for (size_t i = 0; i < whole.size(); ++i) {
      std::vector<char> changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ (1 << (i % 8)));
      try_file(changed);
      changed[i] = '\xff';
      try_file(changed);
    }
  }
}

TEST_CASE("a changed byte of a storage is noticed by its sum") {
  std::vector<char> file = pickle_save(full({100}, 7.0f));
  const std::string text(file.begin(), file.end());
  const size_t place = text.find(std::string("\0\0\xe0\x40\0\0\xe0\x40", 8));
  REQUIRE(place != text.npos);
  file[place + 40] = static_cast<char>(file[place + 40] ^ 1);
  CHECK_THAT(error_of([&] { pickle_load(file); }), ContainsSubstring("sum"));
}
