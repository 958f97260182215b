// The programs of one task each at small settings: they learn, explain themselves and draw what they found.

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "test/catch.h"
#include "test/examples/process.h"

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;

namespace {

struct TaskFolder : WorkFolder {
  std::string run(const std::string& program, int expected = 0) const {
    return WorkFolder::run(STRATA_EXAMPLES "/" + program, expected);
  }
};

}  // namespace

TEST_CASE("a variational autoencoder codes digits in fewer nats") {
  const TaskFolder folder;
  const std::string board = STRATA_HAS_TENSORBOARD ? " --tensorboard runs" : "";
  const std::string output = folder.run("vae --epochs 3 --images 1500 --hidden 100 --plot p.svg" + board);
  CHECK(number_after(output, "epoch   3  loss ") < 0.75 * number_after(output, "epoch   1  loss "));
  CHECK(number_after(output, "code ") > 1);
  CHECK_THAT(folder.text("p.svg"), ContainsSubstring("Digits it made up") && ContainsSubstring("</svg>"));
  if (STRATA_HAS_TENSORBOARD) CHECK(fs::file_size(fs::directory_iterator(folder.path / "runs")->path()) > 10000);
}

TEST_CASE("a GAN's two networks stay level") {
  const TaskFolder folder;
  const std::string output = folder.run("dcgan --steps 30 --batch 16 --width 8 --plot p.svg");
  CHECK(number_after(output, "generator ") > 0.1);
  CHECK(number_after(output, "critic ") < 2);  // both wrong: 1.4
  CHECK_THAT(folder.text("p.svg"), ContainsSubstring("Digits it draws"));
}

TEST_CASE("a residual network learns, and goes on from its newest checkpoint to the same end") {
  const TaskFolder folder;
  const std::string small = "resnet_cifar --images 300 --batch 50 --width 4 --plot p.svg --epochs ";
  const std::string whole = folder.run(small + "4");
  CHECK(number_after(whole, "epoch   4  loss ") < number_after(whole, "epoch   1  loss "));
  CHECK_THAT(folder.text("p.svg"), ContainsSubstring("Which was taken for which"));
  Process begun(words(STRATA_EXAMPLES "/" + small + "4 --folder kept"), folder.path.string());
  REQUIRE(begun.read_until("epoch   2"));
  begun.interrupt();
  REQUIRE(begun.wait() == 0);
  const std::string resumed = folder.run(small + "4 --folder kept");
  CHECK_THAT(resumed, ContainsSubstring("Goes on after epoch"));
  const auto last = [](const std::string& text) { return text.substr(text.find("epoch   4")); };
  CHECK(last(resumed) == last(whole));
  CHECK_THAT(folder.run("resnet_cifar --data nowhere", 1), ContainsSubstring("test_batch.bin"));
}

TEST_CASE("a cart learns to balance its pole for longer") {
  const TaskFolder folder;
  const std::string output = folder.run("ppo_cartpole --updates 20 --plot p.svg");
  CHECK(number_after(output, "update   20  mean episode ") > 100);  // 22 without learning
  CHECK_THAT(folder.text("p.svg"), ContainsSubstring("Episodes"));
}

TEST_CASE("a regression of a table finds which columns matter") {
  const TaskFolder folder;
  const std::string output = folder.run("tabular --epochs 20 --plot p.svg");
  CHECK(number_after(output, "the best ") > 0.85);
  for (const char* column : {"x0  ", "x1  ", "x2  ", "x3  ", "x4  "}) CHECK(number_after(output, column) > 0.05);
  for (const char* column : {"x5  ", "x6  ", "x7  ", "x8  ", "x9  "}) CHECK(number_after(output, column) < 0.05);

  std::ofstream table(folder.path / "t.csv");
  table << "a,b,price\n";
  for (int i = 0; i < 200; ++i)
    table << i % 7 << ',' << (i % 5 == 0 ? "" : std::to_string(i % 3)) << ',' << i % 7 << '\n';
  table.close();
  CHECK(number_after(folder.run("tabular --csv t.csv --target price --epochs 60 --plot none"), "the best ") > 0.9);
  CHECK_THAT(folder.run("tabular --csv t.csv", 1), ContainsSubstring("a, b, price"));
  CHECK_THAT(folder.run("tabular --csv none.csv --target x", 1), ContainsSubstring("none.csv"));
}

TEST_CASE("chains of Hamiltonian Monte Carlo agree on a posterior that has the truth in it") {
  const TaskFolder folder;
  const std::string output = folder.run("functional/hmc --plot p.svg");
  CHECK(number_after(output, "worst R hat ") < 1.05);
  CHECK(number_after(output, "farthest from the truth ") < 3.5);
  CHECK_THAT(folder.text("p.svg"), ContainsSubstring("The first chain"));
}

TEST_CASE("programs of one task explain their options and refuse others") {
  const TaskFolder folder;
  for (const std::string name :
       {"vae", "dcgan", "resnet_cifar", "ppo_cartpole", "tabular", "char_gpt", "functional/hmc"}) {
    CHECK_THAT(folder.run(name + " --help"), ContainsSubstring("--plot") && ContainsSubstring("--seed"));
    CHECK_THAT(folder.run(name + " --unknown 1", 109), ContainsSubstring("--unknown"));
  }
}
