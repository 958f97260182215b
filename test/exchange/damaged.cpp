// Files of exported programs that are damaged, hostile, or of another version: each is one Error of one line.
#include <strata/strata.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "ops/file.h"
#include "ops/zip.h"
#include "test/catch.h"
#include "test/source_dir.h"

namespace strata {
namespace {

using Json = nlohmann::json;
using Records = std::map<std::string, std::string>;
using Catch::Matchers::ContainsSubstring;

const std::string kGraph = "m/models/model.json", kWeights = "m/data/weights/model_weights_config.json";

std::string exported_file(const std::string& name) { return source_dir() + "/test/exchange/data/" + name; }

std::string contents_of(const std::string& path) {
  serialize::FileSource source(path);
  std::string bytes(source.size(), '\0');
  source.read(0, bytes.data(), bytes.size());
  return bytes;
}

struct StringSink final : serialize::Sink {
  std::string bytes;
  void write(const char* data, uint64_t size) override { bytes.append(data, size); }
};

/// A path that is removed at the end.
struct TemporaryProgram {
  std::string path =
      (std::filesystem::temp_directory_path() / ("strata_pt2_" + std::to_string(::getpid()) + ".pt2")).string();
  TemporaryProgram() = default;
  TemporaryProgram(const TemporaryProgram&) = delete;
  TemporaryProgram& operator=(const TemporaryProgram&) = delete;
  ~TemporaryProgram() { std::filesystem::remove(path); }
  void write(const std::string& bytes) const { std::ofstream(path, std::ios::binary) << bytes; }
  void write(const Records& records) const {
    StringSink sink;
    serialize::ZipWriter zip(sink);
    for (const auto& [name, data] : records) zip.add(name, data);
    zip.finish();
    write(sink.bytes);
  }
};

Records records_of(const std::string& path) {
  serialize::FileSource source(path);
  serialize::ZipReader zip(source);
  Records records;
  for (const auto& r : zip.records()) records[r.name] = zip.read(r);
  return records;
}

/// What loading says of the records; the program runs if it loads.
std::string error_of(const TemporaryProgram& file, const std::vector<Tensor>& inputs) {
  try {
    ExportedProgram model = load_pt2(file.path);
    model->forward(inputs);
    model->program();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

std::vector<Tensor> inputs_of_mlp() { return {load_file(exported_file("mlp.safetensors"))["in.0"]}; }

/// The error after a change of one JSON of mlp.pt2.
template <class Change>
std::string error_after(const std::string& record, Change change) {
  const TemporaryProgram file;
  Records records = records_of(exported_file("mlp.pt2"));
  Json json = Json::parse(records.at(record));
  change(json);
  records[record] = json.dump();
  file.write(records);
  return error_of(file, inputs_of_mlp());
}

Json& graph(Json& json) { return json["graph_module"]["graph"]; }
Json& first_node(Json& json) { return graph(json)["nodes"][0]; }

/// All values of a JSON, as places to change.
void collect(Json& json, std::vector<Json*>& out) {
  out.push_back(&json);
  if (json.is_structured())
    for (Json& child : json) collect(child, out);
}

}  // namespace

TEST_CASE("an exported program that is not as it should be says what is wrong") {
  const auto in_graph = [](auto change) { return error_after(kGraph, change); };
  CHECK(in_graph([](Json&) {}) == "");
  CHECK_THAT(
      in_graph([](Json& j) {
        graph(j)["nodes"][0]["target"] = "torch.ops.aten.frobnicate.default";
        graph(j)["nodes"][1]["target"] = "torch.ops.mine.op.default";
      }),
      ContainsSubstring("ops that are not known here: torch.ops.aten.frobnicate.default, torch.ops.mine.op.default"));
  CHECK_THAT(in_graph([](Json& j) { graph(j)["nodes"][1]["target"] = "torch.ops.aten.tanh.out"; }),
             ContainsSubstring("torch.ops.aten.tanh.out"));
  CHECK_THAT(in_graph([](Json& j) { j["schema_version"]["major"] = 9; }),
             ContainsSubstring("the file has schema 9, only 8 is read"));
  CHECK_THAT(in_graph([](Json& j) { j["schema_version"]["major"] = "8"; }),
             ContainsSubstring("string in place of an integer"));
  CHECK_THAT(in_graph([](Json& j) { j.erase("graph_module"); }), ContainsSubstring("key 'graph_module' not found"));
  CHECK_THAT(in_graph([](Json& j) {
               first_node(j)["inputs"][0]["arg"] = {{"as_tensor", {{"name", "nobody"}}}};
             }),
             ContainsSubstring("'nobody' is used before it is made"));
  CHECK_THAT(in_graph([](Json& j) {
               first_node(j)["inputs"][0]["arg"] = {{"as_custom_obj", 1}};
             }),
             ContainsSubstring("'as_custom_obj' cannot be read"));
  CHECK_THAT(in_graph([](Json& j) { first_node(j)["outputs"][0]["as_tensor"]["name"] = "x"; }),
             ContainsSubstring("'x' is made twice"));
  CHECK_THAT(in_graph([](Json& j) { first_node(j)["inputs"].erase(1); }),
             ContainsSubstring("the argument 'weight' is missing (node 'linear'"));
  CHECK_THAT(in_graph([](Json& j) {
               first_node(j)["inputs"].push_back({{"name", "twist"}, {"arg", {{"as_int", 3}}}, {"kind", 2}});
             }),
             ContainsSubstring("the argument 'twist' is not known"));
  CHECK_THAT(in_graph([](Json& j) { j["graph_module"]["signature"]["input_specs"].erase(0); }),
             ContainsSubstring("the signature has 6 inputs"));
  CHECK_THAT(in_graph([](Json& j) {
               j["graph_module"]["signature"]["input_specs"][0]["parameter"]["parameter_name"] = "gone";
             }),
             ContainsSubstring("the file has no values for 'gone'"));

  const auto in_weights = [](auto change) {
    return error_after(kWeights, [&](Json& j) { change(j["config"]["net.0.weight"]); });
  };
  CHECK_THAT(in_weights([](Json& j) { j["use_pickle"] = true; }), ContainsSubstring("stored as a pickle"));
  CHECK_THAT(in_weights([](Json& j) { j["tensor_meta"]["dtype"] = 99; }), ContainsSubstring("the dtype 99"));
  CHECK_THAT(in_weights([](Json& j) { j["path_name"] = "../../etc/passwd"; }), ContainsSubstring("the file has no"));
  CHECK_THAT(in_weights([](Json& j) { j["tensor_meta"]["sizes"][0]["as_int"] = 17; }),
             ContainsSubstring("has 256 bytes, a tensor of shape (17, 4) and float32 needs 68 elements"));
  CHECK_THAT(in_weights([](Json& j) { j["tensor_meta"]["strides"][0]["as_int"] = INT64_MAX; }),
             ContainsSubstring("is too large"));
  CHECK_THAT(in_weights([](Json& j) { j["tensor_meta"]["sizes"][0]["as_int"] = int64_t{1} << 40; }),
             ContainsSubstring("has 256 bytes"));
  CHECK_THAT(in_weights([](Json& j) { j["tensor_meta"]["storage_offset"]["as_int"] = -1; }),
             ContainsSubstring("is -1"));
  CHECK_THAT(in_weights([](Json& j) {
               j["tensor_meta"]["sizes"][0]["as_int"] = int64_t{1} << 30;
               j["tensor_meta"]["strides"][0]["as_int"] = 0;
             }),
             ContainsSubstring("has 256 bytes"));
}

TEST_CASE("inputs that are not as exported say what is wrong") {
  ExportedProgram model = load_pt2(exported_file("gpt.pt2"));
  CHECK_THROWS_WITH(model(ones({2, 3})), ContainsSubstring("'tokens' must be int64[s"));
  CHECK_THROWS_WITH(model(zeros({2, 3, 4}, kLong)), ContainsSubstring("'tokens' must be int64[s"));
  CHECK_THROWS_WITH(model(zeros({2, 13}, kLong)), ContainsSubstring("is 13, it was exported for 2 to 12"));
  CHECK_THROWS_WITH(model(Tensor()), ContainsSubstring("the input 'tokens' is undefined"));
  CHECK_THROWS_WITH(model(zeros({2, 3}, kLong), ones({1})), ContainsSubstring("takes 1 inputs (tokens), 2 were given"));
  ExportedProgram several = load_pt2(exported_file("everything.pt2"));
  const TensorMap expected = load_file(exported_file("everything.safetensors"));
  CHECK_THROWS_WITH(several(expected["in.0"], expected["in.1"], expected["in.2"]),
                    ContainsSubstring("the program has 7 results"));
  CHECK_THROWS_WITH(several(zeros({4, 3}), expected["in.1"], expected["in.2"]),
                    ContainsSubstring("export with dynamic_shapes"));
  CHECK_THROWS_WITH(load_pt2("/nowhere/model.pt2"), ContainsSubstring("/nowhere/model.pt2"));
  CHECK_THROWS_WITH(load_pt2(exported_file("gpt.safetensors")), ContainsSubstring("zip archive"));
}

TEST_CASE("no damage of an exported program's bytes does harm") {
  const TemporaryProgram file;
  std::mt19937 random(1);
  const std::string bytes = contents_of(exported_file("cond.pt2"));
  const std::vector<Tensor> inputs = {load_file(exported_file("cond.safetensors"))["in.0"]};
  int refused = 0;
  for (int i = 0; i < 600; ++i) {
    std::string damaged = bytes;
    if (i % 4 == 0) damaged.resize(random() % bytes.size());
    for (size_t n = random() % 8; n > 0 && !damaged.empty(); --n)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    file.write(damaged);
    const std::string error = error_of(file, inputs);
    CHECK(error.find('\n') == error.npos);
    refused += !error.empty();
  }
  CHECK(refused > 400);
}

TEST_CASE("no change of an exported program's JSON does harm") {
  const TemporaryProgram file;
  std::mt19937 random(2);
  const std::vector<Json> strange = {nullptr,       true,          -1, 0, 3, 7, 1.5, "", "x", "Infinity",
                                     Json::array(), Json::object()};
  int refused = 0;
  for (const std::string name : {"cond", "everything", "cnn", "lstm"}) {
    const Records records = records_of(exported_file(name + ".pt2"));
    const TensorMap expected = load_file(exported_file(name + ".safetensors"));
    std::vector<Tensor> inputs;
    while (const Tensor* t = expected.find("in." + std::to_string(inputs.size()))) inputs.push_back(t->clone());
    for (int i = 0; i < 500; ++i) {
      Records changed = records;
      const std::string& record = i % 4 ? kGraph : kWeights;
      Json json = Json::parse(records.at(record));
      std::vector<Json*> places;
      collect(json, places);
      const Json other = *places[random() % places.size()];
      Json& place = *places[random() % places.size()];
      if (random() % 3 == 0)
        place = other;
      else if (place.is_array() && !place.empty() && random() % 2)
        place.erase(random() % place.size());
      else
        place = strange[random() % strange.size()];
      changed[record] = json.dump();
      file.write(changed);
      const std::string error = error_of(file, inputs);
      INFO(error);
      CHECK(error.find('\n') == error.npos);
      refused += !error.empty();
    }
  }
  CHECK(refused > 800);
}

}  // namespace strata
