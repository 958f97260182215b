// Writes the files that event_files.py reads: `event_files FOLDER`.
#include <strata/profiler/profiler.h>
#include <strata/strata.h>
#include <strata/train/summary_writer.h>

using namespace strata;

int main(int, char** argv) {
  train::SummaryWriter writer(argv[1]);
  for (int64_t step = 0; step < 3; ++step) {
    writer.add_scalar("loss/train", 1.0 / static_cast<double>(step + 1), step, 1000.0 + static_cast<double>(step));
    writer.add_histogram("weights", arange(100, kFloat) * (step + 1), step);
  }
  writer.add_scalars("both", {{"train", 1}, {"test", 2}}, 4);
  writer.add_custom_scalars(
      {{"Losses", {{"all", {"Multiline", {"loss/.*", "both"}}}, {"between", {"Margin", {"m", "low", "high"}}}}},
       {"Empty", {}}});
  writer.add_image("picture", arange(24, kUInt8).reshape({3, 2, 4}), 1);
  writer.add_images("pictures", zeros({3, 1, 5, 5}), 1);
  // Two videos of three pictures, which get lighter, beside one another.
  writer.add_video("video", arange(6, kUInt8).reshape({2, 3, 1, 1, 1}).mul(40).expand({2, 3, 3, 4, 4}), 1, 10);
  writer.add_audio("sound", tensor({0.0, 0.5, -1.0, 1.0}), 1, 8000);
  const Tensor corners = tensor({0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.5}).reshape({1, 3, 3});
  writer.add_mesh("triangle", corners,
                  train::MeshOptions()
                      .colors(tensor({255, 0, 0, 0, 255, 0, 0, 0, 255}).reshape({1, 3, 3}))
                      .faces(tensor({0, 1, 2}).reshape({1, 1, 3}))
                      .config(R"({"camera": {"cls": "PerspectiveCamera", "fov": 75}})"),
                  1);
  const Tensor predictions = arange(50, kFloat) / 49;
  writer.add_pr_curve("curve", arange(50) % 3 == 0, predictions, 1, 200, arange(50) % 2 + 1);
  writer.add_text("notes", "some **text**", 2);
  nn::Sequential net(nn::Linear(4, 3), nn::ReLU());
  writer.add_graph(net, ones({2, 4}));
  writer.add_hparams({{"lr", 0.1}, {"layers", 3}, {"bias", true}, {"optimizer", "Adam"}}, {{"hparam/accuracy", 0.5}},
                     "first");
  writer.add_embedding(arange(12, kFloat).reshape({4, 3}),
                       train::EmbeddingOptions().metadata({"a", "b", "c", "d"}).label_img(ones({4, 3, 2, 2})), 7);
  profiler::Profiler profiler;
  profiler.start();
  ones({3}).exp();
  profiler.stop();
  writer.add_profile("profile", profiler);
}
