// Saving and loading: round trips, atomic writes, and files that are damaged in every way.
#include <strata/strata.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "test/catch.h"
#include "test/nn/loading.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A name in the system's folder for temporary files, removed at the end.
struct TemporaryFile {
  std::string path;
  TemporaryFile() {
    char name[] = "/tmp/strata_test_XXXXXX";
    const int fd = mkstemp(name);
    if (fd >= 0) close(fd);
    path = name;
  }
  ~TemporaryFile() { std::remove(path.c_str()); }
  std::string read() const {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& bytes) const { std::ofstream(path, std::ios::binary) << bytes; }
};

std::string with_header(const std::string& header, const std::string& data = "") {
  std::string out(8, '\0');
  for (int i = 0; i < 8; ++i) out[static_cast<size_t>(i)] = static_cast<char>(header.size() >> (8 * i));
  return out + header + data;
}

}  // namespace

TEST_CASE("tensors of every dtype and shape come back bit for bit") {
  for (const DType t : {kBool, kByte, kChar, kShort, kInt, kUInt32, kLong, kHalf, kBFloat16, kFloat, kDouble}) {
    INFO(name(t));
    const Tensor x = arange(-3, 9, kDouble).reshape({3, 4}).abs().to(t), strided = x.t(), scalar = x[0][2],
                 none = x.slice(0, 0, 0);
    std::stringstream stream;
    save(std::vector<Tensor>{x, strided, scalar, none}, stream);
    std::vector<Tensor> y;
    load(y, stream);
    REQUIRE(y.size() == 4);
    CHECK(y[0].dtype() == t);
    CHECK(y[0].equal(x));
    CHECK(y[1].equal(strided));
    CHECK(y[2].equal(scalar));
    CHECK(y[3].sizes().vec() == std::vector<int64_t>{0, 4});
  }
}

TEST_CASE("numbers and text come back exactly") {
  serialize::OutputArchive out, inner;
  inner.write("pi", 3.14159265358979);
  inner.write("text", "quote \" and \n line");
  out.write("big", int64_t{-9007199254740993});
  out.write("flag", true);
  out.write("inner", inner);
  out.write("nothing", serialize::OutputArchive());
  std::stringstream stream;
  out.save_to(stream);
  serialize::InputArchive in, nested, nothing;
  in.load_from(stream);
  int64_t big = 0;
  bool flag = false;
  double pi = 0;
  std::string text;
  in.read("big", big);
  in.read("flag", flag);
  in.read("inner", nested);
  nested.read("pi", pi);
  nested.read("text", text);
  CHECK(big == -9007199254740993);
  CHECK(flag);
  CHECK(pi == 3.14159265358979);
  CHECK(text == "quote \" and \n line");
  CHECK(in.try_read("nothing", nothing));
  CHECK_FALSE(in.try_read("missing", nothing));
  CHECK(nested.keys() == std::vector<std::string>{"pi", "text"});
  CHECK_THROWS_WITH(nested.read("e", pi), ContainsSubstring("no number 'inner.e'"));
}

TEST_CASE("a defined tensor keeps its identity when it is loaded") {
  TemporaryFile file;
  const Tensor source = randn({2, 3});
  save(source, file.path);
  Tensor leaf = zeros({2, 3}, kDouble).requires_grad_();
  const Tensor alias = leaf;
  load(leaf, file.path);
  CHECK(alias.requires_grad());
  CHECK(alias.detach().allclose(source.to(kDouble)));
  Tensor other = zeros({5});
  load(other, file.path);
  CHECK(other.equal(source));
}

TEST_CASE("modules come back bit for bit") {
  TemporaryFile file;
  nn::Sequential net(nn::Conv2d(1, 2, 3), nn::BatchNorm2d(2), nn::ReLU(), nn::Sequential(nn::Linear(4, 2)));
  net->forward(randn({2, 1, 6, 6}));
  save(net, file.path);
  nn::Sequential copy(nn::Conv2d(1, 2, 3), nn::BatchNorm2d(2), nn::ReLU(), nn::Sequential(nn::Linear(4, 2)));
  load(copy, file.path);
  for (const auto& item : net->named_parameters()) CHECK(copy->named_parameters()[item.key()].equal(item.value()));
  for (const auto& item : net->named_buffers()) CHECK(copy->named_buffers()[item.key()].equal(item.value()));
  CHECK(copy->named_buffers()["1.num_batches_tracked"].item<int64_t>() == 1);
  CHECK(copy->parameters()[0].requires_grad());
}

TEST_CASE("a file that does not fit changes nothing") {
  TemporaryFile file;
  save(nn::Sequential(nn::Linear(3, 4), nn::Linear(4, 2)), file.path);
  nn::Sequential wider(nn::Linear(3, 4), nn::Linear(4, 3));
  const std::vector<Tensor> before = {wider->parameters()[0].detach().clone()};
  CHECK_THROWS_WITH(load(wider, file.path),
                    ContainsSubstring("'1.weight' has shape (2, 4) in the file and (3, 4) in the module"));
  CHECK(wider->parameters()[0].equal(before[0]));
  nn::Sequential longer(nn::Linear(3, 4), nn::Linear(4, 2), nn::Linear(2, 1));
  CHECK_THROWS_WITH(load(longer, file.path), ContainsSubstring("the file has no '2.weight'"));
}

TEST_CASE("a failed save leaves the old file") {
  TemporaryFile file;
  save(ones({2}), file.path);
  const std::string before = file.read();
  CHECK_THROWS_AS(save(Tensor(), file.path), Error);
  CHECK(file.read() == before);
  CHECK_THROWS_WITH(save(ones({2}), std::string("/nonexistent/folder/x")), ContainsSubstring("cannot create"));
  CHECK_THROWS_WITH(save(ones({2}), std::string("/dev/null")), ContainsSubstring("not a regular file"));
  Tensor t;
  CHECK_THROWS_WITH(load(t, std::string("/nonexistent")), ContainsSubstring("cannot open '/nonexistent'"));
  CHECK_THROWS_WITH(load(t, std::string("/tmp")), ContainsSubstring("not a regular file"));
}

TEST_CASE("a file cut at any byte is an error") {
  std::ostringstream stream;
  save(std::vector<Tensor>{randn({3}), ones({2, 2}, kLong)}, stream);
  const std::string whole = stream.str();
  CHECK(test::loading_error(whole).empty());
  for (size_t n = 0; n < whole.size(); ++n) CHECK_FALSE(test::loading_error(whole.substr(0, n)).empty());
  CHECK_THAT(test::loading_error(whole + "x"), ContainsSubstring("belong to no tensor"));
}

TEST_CASE("a changed byte never crashes") {
  std::ostringstream stream;
  save(std::vector<Tensor>{randn({3}), ones({2, 2}, kLong)}, stream);
  const std::string whole = stream.str();
  for (size_t i = 0; i < whole.size(); ++i) {
    for (const int bit : {0, 3, 6, 7}) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      test::loading_error(changed);
    }
  }
}

TEST_CASE("headers that lie are refused before anything is allocated") {
  const auto one = [](const std::string& entry, const std::string& data = "") {
    return test::loading_error(with_header("{\"a\":" + entry + "}", data));
  };
  CHECK_THAT(test::loading_error(std::string(8, '\xff')), ContainsSubstring("not a Strata or safetensors file"));
  CHECK_THAT(test::loading_error(with_header("[1]")), ContainsSubstring("not a JSON object"));
  CHECK_THAT(test::loading_error(with_header("{\"a\":")), ContainsSubstring("not a JSON object"));
  CHECK_THAT(test::loading_error(with_header(std::string(100000, '['))), ContainsSubstring("not a JSON object"));
  CHECK_THAT(one("3"), ContainsSubstring("lacks dtype"));
  CHECK_THAT(one(R"({"dtype":"F99","shape":[],"data_offsets":[0,4]})", "1234"),
             ContainsSubstring("unknown dtype 'F99'"));
  CHECK_THAT(one(R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})"), ContainsSubstring("bad shape"));
  CHECK_THAT(one(R"({"dtype":"F32","shape":[1.5],"data_offsets":[0,4]})"), ContainsSubstring("bad shape"));
  CHECK_THAT(one(R"({"dtype":"F32","shape":[2],"data_offsets":[8,0]})", "12345678"),
             ContainsSubstring("needs 8 bytes"));
  CHECK_THAT(one(R"({"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0]})"),
             ContainsSubstring("too large"));
  CHECK_THAT(one(R"({"dtype":"F32","shape":[0,4611686018427387904,4],"data_offsets":[0,0]})"),
             ContainsSubstring("too large"));
  CHECK_THAT(one(R"({"dtype":"F32","shape":[1000000000],"data_offsets":[0,4000000000]})", "1234"),
             ContainsSubstring("truncated"));
  CHECK_THAT(one(R"({"dtype":"F32","shape":[1],"data_offsets":[4,8]})", "12345678"), ContainsSubstring("expected 0"));
  CHECK_THAT(
      test::loading_error(with_header(
          R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
          "abc")),
      ContainsSubstring("expected 2"));
  CHECK_THAT(test::loading_error(with_header(R"({"__metadata__":{"x":1}})")), ContainsSubstring("is not text"));
}

TEST_CASE("bytes of a bool are 0 or 1 after loading") {
  serialize::InputArchive archive;
  const std::string bytes =
      with_header(R"({"a":{"dtype":"BOOL","shape":[3],"data_offsets":[0,3]}})", std::string("\0\x7f\x01", 3));
  archive.load_from(bytes.data(), bytes.size());
  CHECK(archive.find("a").equal(tensor({false, true, true})));
}

TEST_CASE("the random generator resumes") {
  manual_seed(3);
  randn({5});
  std::stringstream stream;
  save(default_generator(), stream);
  const Tensor expected = randn({4});
  load(default_generator(), stream);
  CHECK(randn({4}).equal(expected));
}

TEST_CASE("named tensors are no list") {
  nn::Linear net(2, 3);
  std::stringstream stream;
  save(net, stream);
  std::vector<Tensor> tensors = {ones({1})};
  CHECK_THROWS_WITH(load(tensors, stream), ContainsSubstring("is no list of tensors") && ContainsSubstring("'weight'"));
  CHECK(tensors.size() == 1);
  serialize::OutputArchive archive;
  archive.write("0", ones({2}));
  archive.write("2", ones({2}));
  std::stringstream gap;
  archive.save_to(gap);
  CHECK_THROWS_WITH(load(tensors, gap), ContainsSubstring("'2'"));
  std::stringstream nested;
  save(nn::Sequential(nn::Linear(1, 1)), nested);
  CHECK_THROWS_WITH(load(tensors, nested), ContainsSubstring("is no list of tensors"));
  std::stringstream none;
  save(std::vector<Tensor>(), none);
  load(tensors, none);
  CHECK(tensors.size() == 1);
}

TEST_CASE("a checkpoint of several parts holds each of them once") {
  nn::Linear net(64, 64);
  optim::SGD optimizer(net->parameters(), optim::SGDOptions(0.1).momentum(0.9));
  net(ones({1, 64})).sum().backward();
  optimizer.step();
  serialize::OutputArchive archive;
  const auto add = [&archive](const char* name, const auto& what) {
    serialize::OutputArchive part;
    what.save(part);
    archive.write(name, part);
  };
  archive.write("epoch", 3);
  add("net", *net);
  add("optimizer", optimizer);
  std::stringstream stream;
  archive.save_to(stream);
  CHECK(stream.str().size() < 2 * 64 * 65 * sizeof(float) + 4096);
}
