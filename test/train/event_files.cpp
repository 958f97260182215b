// TensorBoard's files: their frames, what protobuf reads in them, and that nothing of them is lost.
#include <strata/data/image.h>
#include <strata/profiler/profiler.h>
#include <strata/strata.h>
#include <strata/train/summary_writer.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <tensorboard.pb.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "test/catch.h"
#include "test/files.h"
#include "train/event_file.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;
namespace proto = strata::train::board::proto;

namespace {

struct Folder {
  TemporaryFile name;
  const std::string& path = name.path;
  ~Folder() { fs::remove_all(path); }
};

std::vector<std::string> files_in(const std::string& folder, const std::string& part) {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().find(part) != std::string::npos) found.push_back(entry.path().string());
  std::sort(found.begin(), found.end());
  return found;
}

uint64_t number_at(const std::string& bytes, size_t place, size_t count) {
  uint64_t value = 0;
  for (size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes.at(place + i));
  return value;
}

/// The events of a file, each of which must be whole.
std::vector<proto::Event> events_of(const std::string& path) {
  const std::vector<char> file = bytes_of(path);
  const std::string bytes(file.begin(), file.end());
  std::vector<proto::Event> events;
  for (size_t at = 0; at < bytes.size();) {
    const auto length = static_cast<size_t>(number_at(bytes, at, 8));
    REQUIRE(number_at(bytes, at + 8, 4) == train::board::masked_crc(bytes.substr(at, 8)));
    const std::string record = bytes.substr(at + 12, length);
    REQUIRE(number_at(bytes, at + 12 + length, 4) == train::board::masked_crc(record));
    REQUIRE(events.emplace_back().ParseFromString(record));
    at += length + 16;
  }
  return events;
}

/// The events of the only file of a folder, after the one that every file begins with.
std::vector<proto::Event> written(const std::string& folder) {
  const auto files = files_in(folder, "events.out.tfevents.");
  REQUIRE(files.size() == 1);
  std::vector<proto::Event> events = events_of(files[0]);
  REQUIRE(!events.empty());
  CHECK(events[0].file_version() == "brain.Event:2");
  events.erase(events.begin());
  return events;
}

const proto::Summary::Value& value_of(const proto::Event& event) {
  REQUIRE(event.summary().value_size() == 1);
  return event.summary().value(0);
}

std::string text_of(const std::string& path) {
  const auto bytes = bytes_of(path);
  return {bytes.begin(), bytes.end()};
}

/// A module whose parts are called through holders, one of them twice.
struct BlocksImpl : nn::Module {
  BlocksImpl() {
    register_module("body", body);
    register_module("head", head);
  }
  Tensor forward(const Tensor& x) { return head(body(body(x)) + x).relu(); }
  nn::Sequential body{nn::Linear(3, 3), nn::Tanh()};
  nn::Linear head{3, 2};
};
STRATA_MODULE(Blocks);

}  // namespace

TEST_CASE("checksums are those of RFC 3720, and frames those of TensorBoard's own writer") {
  const auto unmasked = [](const std::string& bytes) {
    const uint32_t turned = train::board::masked_crc(bytes) - 0xa282ead8u;
    return turned << 15 | turned >> 17;
  };
  CHECK(unmasked(std::string(32, '\0')) == 0x8a9136aau);  // appendix B.4
  CHECK(unmasked(std::string(32, '\xff')) == 0x62a8ab43u);
  CHECK(unmasked("123456789") == 0xe3069283u);
  // What tensorboard.summary.writer.record_writer of tensorboard 2.21 makes of b"hello".
  const std::string head("\x05\0\0\0\0\0\0\0\xea\xb2\x04\x3e", 12), tail = "\xbb\x1f\x1c\x19";
  CHECK(train::board::framed("hello") == head + "hello" + tail);
}

TEST_CASE("a summary writer writes scalars, text and pictures") {
  const Folder folder;
  train::SummaryWriter writer(folder.path);
  writer.add_scalar("loss", 0.25, 7, 12.5);
  writer.add_scalar("loss", full({1}, 3), 8);
  writer.add_text("note", "*hi*", 3);
  writer.add_image("gray", tensor({{0.0, 0.5}, {1.0, 2.0}}), 1, {}, "HW");
  writer.add_images("ten", full({10, 3, 2, 4}, 255, kUInt8), 2);
  const auto events = written(folder.path);
  REQUIRE(events.size() == 5);
  CHECK(events[0].wall_time() == 12.5);
  CHECK(events[0].step() == 7);
  CHECK(value_of(events[0]).tag() == "loss");
  CHECK(value_of(events[0]).simple_value() == 0.25f);
  CHECK(events[1].wall_time() > 1.7e9);
  CHECK(value_of(events[1]).simple_value() == 3);
  CHECK(value_of(events[2]).tag() == "note/text_summary");
  CHECK(value_of(events[2]).metadata().plugin_data().plugin_name() == "text");
  CHECK(value_of(events[2]).tensor().string_value(0) == "*hi*");
  const auto& gray = value_of(events[3]).image();
  CHECK(gray.channels() == 1);
  const auto& ten = value_of(events[4]).image();  // eight in a row
  CHECK(ten.height() == 4);
  CHECK(ten.width() == 32);
  if (!data::has_images()) return;
  CHECK(data::decode_image(gray.png(), data::ImageMode::kUnchanged)
            .equal(tensor({0, 128, 255, 255}, kUInt8).reshape({1, 2, 2})));
  const Tensor decoded = data::decode_image(ten.png());
  CHECK(decoded.narrow(1, 0, 2).eq(255).all().item<bool>());
  CHECK(decoded.narrow(1, 2, 2).narrow(2, 0, 8).eq(255).all().item<bool>());
  CHECK(decoded.narrow(1, 2, 2).narrow(2, 8, 24).eq(0).all().item<bool>());  // cells that are left over
}

TEST_CASE("a histogram's buckets are PyTorch's") {
  const Folder folder;
  train::SummaryWriter writer(folder.path);
  writer.add_histogram("h", tensor({-0.5, 0.0, 0.25, 0.26, 1.0, 3.0}), 1);
  writer.add_histogram("one", full({1}, 2, kLong), 1);
  writer.add_histogram("far", tensor({-1e30, 1e30}, kDouble), 1);
  const auto events = written(folder.path);
  // torch.utils.tensorboard.summary.make_histogram of torch 2.15
  const auto& h = value_of(events[0]).histogram();
  REQUIRE(h.bucket_size() == 588);
  REQUIRE(h.bucket_limit_size() == 588);
  const std::map<int, double> counts = {{1, 1}, {285, 1}, {561, 2}, {575, 1}, {587, 1}};
  for (int i = 0; i < 588; ++i) CHECK(h.bucket(i) == (counts.contains(i) ? counts.at(i) : 0));
  CHECK(h.bucket_limit(0) == -0.5177616740489182);
  CHECK(h.bucket_limit(285) == 1e-12);
  CHECK(h.bucket_limit(561) == 0.2656936063469233);
  CHECK(h.bucket_limit(587) == 3.1665833053880363);
  CHECK(h.min() == -0.5);
  CHECK(h.max() == 3);
  CHECK(h.num() == 6);
  CHECK(h.sum() == Approx(4.01));
  CHECK(h.sum_squares() == Approx(10.3801));
  const auto& one = value_of(events[1]).histogram();
  REQUIRE(one.bucket_size() == 2);
  CHECK(one.bucket(1) == 1);
  CHECK(one.bucket_limit(0) == 1.9661990955585713);
  CHECK(one.bucket_limit(1) == 2.1628190051144287);
  const auto& far = value_of(events[2]).histogram();
  CHECK(far.bucket(1) == 1);
  CHECK(far.bucket(far.bucket_size() - 1) == 1);
}

TEST_CASE("a video is an animated picture of all its videos") {
  const Folder folder;
  train::SummaryWriter writer(folder.path);
  writer.add_video("v", full({9, 2, 1, 2, 3}, 0.5), 4, 2.5);
  const auto events = written(folder.path);
  const auto& video = value_of(events.at(0)).image();
  CHECK(video.height() == 4);  // eight in a row
  CHECK(video.width() == 24);
  CHECK(video.channels() == 1);
  const std::string& file = video.png();
  const auto chunk_at = [&](const char* kind) {
    const size_t place = file.find(kind);
    REQUIRE(place != file.npos);
    return file.substr(place + 4, 26);
  };
  CHECK(chunk_at("acTL").substr(0, 8) == std::string("\0\0\0\2\0\0\0\0", 8));   // two pictures, again and again
  CHECK(chunk_at("fcTL").substr(20, 4) == std::string("\x01\x90\x03\xe8", 4));  // 400 of 1000 parts of a second
  CHECK(chunk_at("fdAT").substr(0, 4) == std::string("\0\0\0\2", 4));           // the third chunk that is numbered
  if (!data::has_images()) return;
  CHECK(data::decode_image(file).narrow(1, 0, 2).eq(128).all().item<bool>());  // its first one
}

TEST_CASE("sound is a WAV file") {
  const Folder folder;
  train::SummaryWriter writer(folder.path);
  writer.add_audio("both", tensor({0.0, 0.25, -0.5, 0.75}).reshape({2, 2}), 1, 22050);
  const auto events = written(folder.path);
  const auto& sound = value_of(events.at(0)).audio();
  CHECK(sound.sample_rate() == 22050);
  CHECK(sound.channels() == 2);
  CHECK(sound.frames() == 2);
  CHECK(sound.content_type() == "audio/wav");
  const std::string& file = sound.wav();
  REQUIRE(file.size() == 52);
  CHECK(file.substr(0, 4) == "RIFF");
  CHECK(number_at(file, 4, 4) == 44);
  CHECK(number_at(file, 22, 2) == 2);
  CHECK(number_at(file, 28, 4) == 88200);                        // bytes a second
  const std::vector<int16_t> wanted = {0, -16383, 8191, 24575};  // the channels' samples in turn
  for (size_t i = 0; i < 4; ++i) CHECK(static_cast<int16_t>(number_at(file, 44 + 2 * i, 2)) == wanted[i]);
}

TEST_CASE("a mesh without faces and colors is a cloud of points") {
  const Folder folder;
  train::SummaryWriter writer(folder.path);
  writer.add_mesh("points", arange(12, kFloat).reshape({1, 4, 3}), {}, 3);
  const auto events = written(folder.path);
  const auto& value = value_of(events.at(0));
  CHECK(value.tag() == "points_VERTEX");
  proto::MeshData data;
  REQUIRE(data.ParseFromString(value.metadata().plugin_data().content()));
  CHECK(data.parts() == 2);
  CHECK(data.config() == "{}");
  CHECK(value.tensor().float_value(11) == 11);
}

TEST_CASE("a curve of precision and recall has PyTorch's rows") {
  const Folder folder;
  train::SummaryWriter writer(folder.path);
  const Tensor labels = tensor({0, 1, 0, 1, 1}), predictions = tensor({0.1, 0.4, 0.6, 0.9, 1.0});
  writer.add_pr_curve("c", labels, predictions, 0, 3);
  const auto events = written(folder.path);
  const auto& tensor = value_of(events.at(0)).tensor();
  // By columns: what scores at least 0, 0.5 and 1.
  const std::vector<float> wanted = {3, 2, 1, 2, 1, 0, 0, 1, 2, 0, 1, 2, 0.6f, 2 / 3.f, 1, 1, 2 / 3.f, 1 / 3.f};
  REQUIRE(tensor.float_value_size() == 18);
  for (int i = 0; i < 18; ++i) CHECK(tensor.float_value(i) == wanted[static_cast<size_t>(i)]);
}

TEST_CASE("values that are not finite are left out of a histogram, with a warning") {
  struct : WarningHandler {
    void process(const Warning& warning) override { said += warning.msg(); }
    std::string said;
  } handler;
  const WarningUtils::WarningHandlerGuard guard(&handler);
  const Folder folder;
  train::SummaryWriter writer(folder.path);
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  writer.add_histogram("some", tensor({nan, 1.0, infinity}));
  writer.add_histogram("none", tensor({nan}));
  const auto events = written(folder.path);
  REQUIRE(events.size() == 1);
  CHECK(value_of(events[0]).histogram().num() == 1);
  CHECK_THAT(handler.said, ContainsSubstring("2 of 3 values are not finite"));
}

TEST_CASE("scalars of one chart are runs of their own, and so are hyperparameters") {
  const Folder folder;
  train::SummaryWriter writer(folder.path);
  writer.add_scalars("a/loss", {{"train", 1}, {"test", 2}}, 5);
  writer.add_hparams({{"lr", 0.1}, {"layers", 3}, {"bias", true}, {"optimizer", "Adam"}}, {{"accuracy", 0.5}}, "first");
  CHECK(value_of(written(folder.path + "/a_loss_test").at(0)).simple_value() == 2);
  CHECK(value_of(written(folder.path + "/a_loss_train").at(0)).tag() == "a/loss");
  const auto events = written(folder.path + "/first");
  REQUIRE(events.size() == 2);
  REQUIRE(events[0].summary().value_size() == 3);
  proto::HParamsData data;
  REQUIRE(data.ParseFromString(events[0].summary().value(0).metadata().plugin_data().content()));
  CHECK(data.experiment().hparam_size() == 4);
  CHECK(data.experiment().metric(0).name().tag() == "accuracy");
  REQUIRE(data.ParseFromString(events[0].summary().value(1).metadata().plugin_data().content()));
  const auto& hparams = data.session_start().hparam();
  CHECK(hparams.at("lr").number() == 0.1);
  CHECK(hparams.at("layers").number() == 3);
  CHECK(hparams.at("bias").boolean());
  CHECK(hparams.at("optimizer").text() == "Adam");
  CHECK(value_of(events[1]).simple_value() == 0.5f);
  CHECK_THAT(error_of([&] {
               writer.add_hparams({{"sizes", std::vector<int64_t>{1}}}, {});
             }),
             ContainsSubstring("add_hparams: 'sizes' is a list"));
}

TEST_CASE("a layout of charts is written as TensorBoard's message, and refused where a chart cannot be drawn") {
  const Folder folder;
  train::SummaryWriter writer(folder.path);
  writer.add_custom_scalars({{"Losses", {{"both", {"Multiline", {"loss/train", "loss/test"}}}}}});
  const auto events = written(folder.path);
  const auto& value = value_of(events.at(0));
  CHECK(value.metadata().plugin_data().plugin_name() == "custom_scalars");
  proto::Layout layout;
  REQUIRE(layout.ParseFromString(value.tensor().string_value(0)));
  CHECK(layout.category(0).title() == "Losses");
  CHECK(layout.category(0).chart(0).lines().tag(1) == "loss/test");
  CHECK_THAT(error_of([&] {
               writer.add_custom_scalars({{"a", {{"b", {"Margin", {"value", "low"}}}}}});
             }),
             ContainsSubstring("'b' has 2 tags"));
  CHECK_THAT(error_of([&] {
               writer.add_custom_scalars({{"a", {{"b", {"Lines", {"x"}}}}}});
             }),
             ContainsSubstring("'b' is 'Lines', not Multiline or Margin"));
}

TEST_CASE("the graph of a module has a scope for each module") {
  const Folder folder;
  train::SummaryWriter writer(folder.path);
  Blocks blocks;
  writer.add_graph(blocks, ones({4, 3}));
  const auto events = written(folder.path);
  proto::GraphDef graph;
  REQUIRE(graph.ParseFromString(events.at(0).graph_def()));
  std::map<std::string, proto::NodeDef> nodes;
  for (const auto& node : graph.node()) REQUIRE(nodes.emplace(node.name(), node).second);
  for (const auto& [name, node] : nodes) {
    UNSCOPED_INFO(name << " = " << node.op());
    for (const std::string& input : node.input()) CHECK(nodes.contains(input.substr(0, input.find(':'))));
  }
  CHECK(nodes.contains("input_0"));
  CHECK(nodes.contains("Blocks/body/0/weight"));
  CHECK(nodes.contains("Blocks/body/1/tanh"));
  CHECK(nodes.contains("Blocks/body/1/tanh_1"));
  CHECK(nodes.contains("Blocks/relu"));
  CHECK(nodes.contains("Blocks/add"));
  CHECK(nodes.contains("Blocks/head/bias"));
  CHECK(std::none_of(nodes.begin(), nodes.end(), [](const auto& n) { return n.second.op() == "clone"; }));
  const auto& out = nodes.at("output_0");
  REQUIRE(out.input_size() == 1);
  CHECK(out.input(0) == "Blocks/relu");
  const auto& shape = out.attr().at("_output_shapes").list().shape(0);
  CHECK(shape.dim(0).size() == 4);
  CHECK(shape.dim(1).size() == 2);
  CHECK(out.attr().at("dtype").type() == proto::DT_FLOAT);
  CHECK(blocks->forward(ones({4, 3})).requires_grad());  // as before
}

TEST_CASE("the graph of a program has its params") {
  const Folder folder;
  train::SummaryWriter writer(folder.path);
  writer.add_graph(func::trace([](Tensor x) { return x.sum(IntArrayRef{1}).sin(); })(ones({2, 3})));
  proto::GraphDef graph;
  REQUIRE(graph.ParseFromString(written(folder.path).at(0).graph_def()));
  REQUIRE(graph.node_size() == 4);
  CHECK(graph.node(1).op() == "sum");
  CHECK(graph.node(1).attr().at("keepdim").text() == "False");
  CHECK(graph.node(2).input(0) == "sum");
}

TEST_CASE("an embedding is tables, a sheet of pictures and a line in the projector's list") {
  const Folder folder;
  train::SummaryWriter writer(folder.path);
  const Tensor points = tensor({1.5, 2.0, -3.0, 0.25}).reshape({2, 2});
  const auto options = train::EmbeddingOptions().metadata({"one\t1", "two\t2"}).metadata_header({"name", "count"});
  writer.add_embedding(points, train::EmbeddingOptions(options).label_img(ones({2, 1, 4, 3})), 5, "a/b");
  writer.add_embedding(points);
  const std::string part = folder.path + "/00005/a%2fb";
  CHECK(text_of(part + "/tensors.tsv") == "1.5\t2\n-3\t0.25\n");
  CHECK(text_of(part + "/metadata.tsv") == "name\tcount\none\t1\ntwo\t2\n");
  CHECK(text_of(folder.path + "/projector_config.pbtxt") ==
        R"(embeddings {
  tensor_name: "a/b:00005"
  tensor_path: "00005/a%2fb/tensors.tsv"
  metadata_path: "00005/a%2fb/metadata.tsv"
  sprite {
    image_path: "00005/a%2fb/sprite.png"
    single_image_dim: 3
    single_image_dim: 4
  }
}
embeddings {
  tensor_name: "default:00000"
  tensor_path: "00000/default/tensors.tsv"
}
)");
  CHECK_THAT(error_of([&] {
               writer.add_embedding(ones({3, 2}), options);
             }),
             ContainsSubstring("add_embedding: 2 lines of metadata for 3 points"));
  CHECK_THAT(error_of([&] {
               writer.add_embedding(ones({1, 2}), train::EmbeddingOptions().metadata({"a\nb"}));
             }),
             ContainsSubstring("is not one line"));
}

TEST_CASE("a profile is a table as text and a trace beside it") {
  const Folder folder;
  train::SummaryWriter writer(folder.path);
  profiler::Profiler profiler;
  profiler.start();
  ones({3}).exp();
  profiler.stop();
  writer.add_profile("first steps", profiler, 2);
  const auto events = written(folder.path);
  CHECK_THAT(value_of(events.at(0)).tensor().string_value(0), ContainsSubstring("exp"));
  const auto traces = files_in(folder.path, ".pt.trace.json");
  REQUIRE(traces.size() == 1);
  CHECK_THAT(text_of(traces[0]), ContainsSubstring("\"exp\""));
}

TEST_CASE("writers of one folder have files of their own, and one that goes on voids later steps") {
  const Folder folder;
  train::SummaryWriter first(folder.path);
  train::SummaryWriter second(folder.path, train::SummaryWriterOptions().purge_step(10).filename_suffix(".again"));
  const auto files = files_in(folder.path, "events.out.tfevents.");
  REQUIRE(files.size() == 2);
  const auto events = events_of(files_in(folder.path, ".again").at(0));
  REQUIRE(events.size() == 2);
  CHECK(events[1].step() == 10);
  CHECK(events[1].session_log().status() == proto::SessionLog::START);
  first.close();
  CHECK_THAT(error_of([&] { first.add_scalar("x", 1); }), ContainsSubstring("is closed"));
}

TEST_CASE("what a writer can not write it says") {
  const Folder folder;
  train::SummaryWriter writer(folder.path);
  CHECK_THAT(error_of([&] {
               writer.add_image("x", ones({3, 2, 2}), 0, {}, "ABC");
             }),
             ContainsSubstring("add_image: 'ABC' does not name the dims"));
  CHECK_THAT(error_of([&] { writer.add_image("x", ones({5, 2, 2})); }), ContainsSubstring("one to four channels"));
  CHECK_THAT(error_of([&] { writer.add_image("x", ones({2, 2})); }), ContainsSubstring("is not CHW"));
  CHECK_THAT(error_of([&] { writer.add_histogram("x", zeros({0})); }), ContainsSubstring("there are no values"));
  CHECK_THAT(error_of([&] { writer.add_video("x", ones({2, 3, 4, 4})); }), ContainsSubstring("is not (N, T, C, H, W)"));
  CHECK_THAT(error_of([&] {
               writer.add_video("x", ones({1, 2, 3, 4, 4}), 0, 0);
             }),
             ContainsSubstring("0 pictures a second"));
  CHECK_THAT(error_of([&] { writer.add_audio("x", ones({3, 2})); }), ContainsSubstring("is not (L) or (C, L)"));
  CHECK_THAT(error_of([&] { writer.add_audio("x", ones({2}, kInt)); }), ContainsSubstring("samples of int32"));
  const Tensor triangle = zeros({1, 3, 3});
  CHECK_THAT(error_of([&] {
               writer.add_mesh("x", ones({3, 3}));
             }),
             ContainsSubstring("vertices are a tensor of (3, 3)"));
  CHECK_THAT(error_of([&] {
               writer.add_mesh("x", triangle, train::MeshOptions().faces(full({1, 1, 3}, 3, kLong)));
             }),
             ContainsSubstring("faces name vertices from 0 to 2"));
  CHECK_THAT(error_of([&] {
               writer.add_mesh("x", triangle, train::MeshOptions().colors(ones({1, 2, 3})));
             }),
             ContainsSubstring("colors (1, 2, 3) for vertices (1, 3, 3)"));
  CHECK_THAT(error_of([&] {
               writer.add_pr_curve("x", ones({2}), tensor({0.5, 1.5}));
             }),
             ContainsSubstring("predictions have to be from 0 to 1"));
  CHECK_THAT(error_of([&] { writer.add_pr_curve("x", ones({2}), ones({3})); }),
             ContainsSubstring("labels (2,) for predictions (3,)"));
  CHECK_THAT(error_of([&] { writer.add_graph(nn::Linear(2, 3), Tensor()); }),
             ContainsSubstring("add_graph: the first input is undefined"));
  CHECK_THAT(error_of([&] { train::SummaryWriter nowhere("/proc/none"); }),
             ContainsSubstring("cannot make the folder"));
  CHECK(written(folder.path).empty());
}

TEST_CASE("a writer that is killed has lost nothing; it forks") {
  const Folder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    train::SummaryWriter writer(folder.path);
    for (int64_t step = 0; step < 100; ++step) writer.add_scalar("x", static_cast<double>(step), step);
    ::raise(SIGKILL);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  const auto events = written(folder.path);
  REQUIRE(events.size() == 100);
  CHECK(events.back().step() == 99);
}

TEST_CASE("a disk that is full ends a file at a whole record") {
  const Folder folder;
  train::SummaryWriter writer(folder.path);
  writer.add_scalar("x", 1);
  struct rlimit before = {};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  struct rlimit full = before;
  full.rlim_cur = fs::file_size(files_in(folder.path, "events").at(0)) + 20;
  ::setrlimit(RLIMIT_FSIZE, &full);
  const std::string error = error_of([&] { writer.add_scalar("y", 2); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  CHECK_THAT(error, ContainsSubstring("File too large"));
  writer.add_scalar("z", 3);
  const auto events = written(folder.path);
  REQUIRE(events.size() == 2);
  CHECK(value_of(events[1]).tag() == "z");
}

TEST_CASE("docs/train.md and the writer's docstring write what TensorBoard shows") {
  const auto before = fs::current_path();
  const Folder folder;
  fs::create_directories(folder.path);
  fs::current_path(folder.path);
  {
    train::SummaryWriter writer("runs/first");
    for (int64_t step = 0; step < 100; ++step) writer.add_scalar("loss/train", 1.0 / (step + 1), step);
  }
  CHECK(written("runs/first").size() == 100);
  fs::remove_all("runs");
  const auto all = data::datasets::embedded_digits();
  const data::datasets::TensorPairDataset digits(all.data.slice(0, 0, 100), all.targets.slice(0, 0, 100));
  nn::Sequential net(nn::Flatten(), nn::Linear(64, 10));
  optim::Adam optimizer(net->parameters(), optim::AdamOptions(0.01));
  train::SummaryWriter board("runs/first");
  board.add_graph(net, digits.data.slice(0, 0, 1));  // a box for each module
  for (int64_t step = 0; step < 30; ++step) {
    const Tensor loss = nn::functional::cross_entropy(net->forward(digits.data), digits.targets);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    board.add_scalar("loss/train", loss, step);
    if (step % 10 == 0) board.add_histogram("weight", net->parameters()[0], step);
  }
  board.add_images("digits", digits.data.slice(0, 0, 16));
  board.add_hparams({{"lr", 0.01}, {"optimizer", "Adam"}}, {{"hparam/steps", 30}});
  CHECK(written("runs/first").size() == 1 + 30 + 3 + 1);
  fs::current_path(before);
}
