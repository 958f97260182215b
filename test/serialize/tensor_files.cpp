// Maps of tensors in files of safetensors: metadata, several files under one index, and dtypes that are not known.
#include <strata/strata.h>

#include "test/catch.h"
#include "test/files.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;

namespace {

void write_text(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

TensorMap map_of(std::initializer_list<std::pair<const char*, Tensor>> items) {
  TensorMap map;
  for (const auto& [name, t] : items) map.insert(name, t);
  return map;
}

/// Two tensors, one of a dtype that is not known here.
void write_unknown(const std::string& path) {
  const std::string header =
      R"({"known":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"odd":{"dtype":"F4","shape":[4],"data_offsets":[2,4]}})";
  std::string length(8, '\0');
  for (size_t i = 0; i < 8; ++i) length[i] = static_cast<char>(header.size() >> (8 * i));
  write_text(path, length + header + std::string("\1\2\3\4", 4));
}

struct Listener : WarningHandler {
  void process(const Warning& warning) override { heard += warning.msg(); }
  std::string heard;
};

}  // namespace

TEST_CASE("maps of tensors and text go through a file") {
  TemporaryFile file(".safetensors");
  const TensorMap map = map_of({{"b", randn({2, 3})}, {"a", arange(4)}, {"view", randn({3, 4}).t()}});
  save_file(map, file.path, {{"author", "somebody"}});
  const TensorMap back = load_file(file.path);
  CHECK(back.size() == 3);
  for (const auto& item : map) CHECK(back[item.key()].equal(item.value()));
  CHECK(load_metadata(file.path) == std::map<std::string, std::string>{{"author", "somebody"}, {"format", "pt"}});
  CHECK_THROWS_WITH(save_file(map_of({{"x", Tensor()}}), file.path), ContainsSubstring("'x' is undefined"));
  CHECK_THROWS_WITH(save_file(map_of({{"__metadata__", ones({1})}}), file.path),
                    ContainsSubstring("'__metadata__'") && ContainsSubstring("rename the tensor"));
  CHECK_THROWS_WITH(save_file(map_of({{"z", ones({1}, kComplexDouble)}}), file.path), ContainsSubstring("'z'"));
  CHECK(load_file(file.path).size() == 3);
  serialize::OutputArchive archive;
  archive.write("__metadata__", ones({1}));
  CHECK_THROWS_WITH(archive.save_to(file.path), ContainsSubstring("rename the tensor"));
  CHECK(load_file(file.path).size() == 3);
}

TEST_CASE("what is missing names the file that lacks it") {
  TemporaryFile file(".safetensors");
  save_file(map_of({{"b", ones({2})}}), file.path);
  serialize::InputArchive archive, nested;
  archive.load_from(file.path);
  Tensor t;
  std::string text;
  Value value;
  std::vector<Tensor> list;
  double number = 0;
  const auto names_file = ContainsSubstring("'" + file.path + "'");
  CHECK_THROWS_WITH(archive.read("a", t), names_file && ContainsSubstring("No such serialized tensor 'a'"));
  CHECK_THROWS_WITH(archive.read("a", text), names_file && ContainsSubstring("no text 'a'"));
  CHECK_THROWS_WITH(archive.read("a", value), names_file && ContainsSubstring("no value 'a'"));
  CHECK_THROWS_WITH(archive.read("a", nested), names_file && ContainsSubstring("No such serialized submodule: 'a'"));
  CHECK_THROWS_WITH(archive.read("a", number), names_file && ContainsSubstring("no number 'a'"));
  CHECK_THROWS_WITH(archive >> list, names_file && ContainsSubstring("no list of tensors"));
}

TEST_CASE("a saved module says whose layout it has, which is no part of it") {
  TemporaryFile file(".safetensors");
  nn::Linear net(2, 2);
  save(net, file.path);
  CHECK(load_metadata(file.path).at("format") == "pt");
  load(net, file.path);
  serialize::InputArchive archive;
  archive.load_from(file.path);
  CHECK(archive.keys() == std::vector<std::string>{"weight", "bias"});
}

TEST_CASE("an unknown dtype refuses its tensor alone") {
  TemporaryFile file(".safetensors");
  write_unknown(file.path);
  Listener listener;
  const WarningUtils::WarningHandlerGuard guard(&listener);
  const TensorMap map = load_file(file.path);
  CHECK(map.keys() == std::vector<std::string>{"known"});
  CHECK(map["known"].equal(tensor({1, 2}, kByte)));
  CHECK_THAT(listener.heard, ContainsSubstring("tensor 'odd' has the unknown dtype 'F4'"));
  serialize::InputArchive archive;
  archive.load_from(file.path);
  Tensor known, odd;
  archive.read("known", known);
  CHECK_THROWS_WITH(archive.read("odd", odd), ContainsSubstring("'odd' has the unknown dtype 'F4'"));
}

TEST_CASE("a model in several files is loaded by its index") {
  TemporaryFile first(".safetensors"), second(".safetensors"), index(".safetensors.index.json");
  const auto name = [](const TemporaryFile& f) { return f.path.substr(f.path.rfind('/') + 1); };
  nn::Sequential net(nn::Linear(2, 3), nn::Linear(3, 1)), copy(nn::Linear(2, 3), nn::Linear(3, 1));
  const auto state = nn::state_dict(*net);
  save_file(map_of({{"0.weight", state["0.weight"]}, {"0.bias", state["0.bias"]}}), first.path);
  save_file(map_of({{"1.weight", state["1.weight"]}, {"1.bias", state["1.bias"]}}), second.path);
  const auto write_index = [&](const std::string& bias_in) {
    write_text(index.path, R"({"metadata":{},"weight_map":{"0.weight":")" + name(first) + R"(","0.bias":")" +
                               name(first) + R"(","1.weight":")" + name(second) + R"(","1.bias":")" + bias_in + "\"}}");
  };
  write_index(name(second));
  load(copy, index.path);
  for (const auto& item : state) CHECK(nn::state_dict(*copy)[item.key()].equal(item.value()));
  CHECK(load_file(index.path).size() == 4);
  write_index("../" + name(second));
  CHECK_THROWS_WITH(load_file(index.path), ContainsSubstring("no file beside it"));
  write_text(index.path, R"({"weight_map":{"more":")" + name(first) + "\"}}");
  CHECK_THROWS_WITH(load_file(index.path), ContainsSubstring("no 'more'"));
  write_text(index.path, "[]");
  CHECK_THROWS_WITH(load_file(index.path), ContainsSubstring("no \"weight_map\""));
}

TEST_CASE("a state dict of torch.save is a map too") {
  const TensorMap map = load_file(data_file("adam_later.pt"));
  CHECK(map["first.weight"].sizes().vec() == std::vector<int64_t>{2, 3});
}
