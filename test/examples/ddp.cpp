// The programs for several ranks: they learn what one rank learns, and by itself each is a group of one.
#include <cmath>

#include "test/catch.h"
#include "test/examples/process.h"

#ifdef STRATARUN
TEST_CASE("two ranks learn what one learns") {
  const WorkFolder folder;
  const std::string common = STRATA_DDP_MNIST " --epochs 4 --batch 32 --plot ";
  const std::string one = folder.run(common + "none"),
                    two = folder.run(STRATARUN " --nproc-per-node 2 " + common + "p.svg");
  CHECK_THAT(folder.text("p.svg"), Catch::Matchers::ContainsSubstring("Digits read by 2 ranks"));
  const double alone = number_after(one, "accuracy "), together = number_after(two, "accuracy ");
  CHECK(alone > 0.5);
  CHECK(std::abs(alone - together) < 0.03);  // sums of parts are rounded in another order
  CHECK_THAT(two, Catch::Matchers::ContainsSubstring("2 ranks"));
}

TEST_CASE("a mesh of ranks learns what one rank learns from the same text") {
  const WorkFolder folder;
  const std::string common =
      STRATA_SHARDED_GPT " --steps 40 --batch 8 --block 16 --layers 2 --heads 2 --width 32 --lr 0.01 --sample 20";
  const std::string one = folder.run(common);
  CHECK_THAT(folder.text("sharded_gpt.svg"), Catch::Matchers::ContainsSubstring("a mesh of 1 x 1 ranks"));
  const double alone = number_after(one, "test loss ");
  CHECK(alone < 2.9);  // it begins at 3.6
  CHECK_THAT(one, Catch::Matchers::ContainsSubstring("a mesh of 1 x 1 ranks"));
  for (const auto& [ranks, axes] : {std::pair("2 ", "1 x 2"), std::pair("2 ", "2 x 1"), std::pair("4 ", "2 x 2")}) {
    const std::string divided = axes[4] == '2' ? " --tensor 2" : "";
    const std::string many = folder.run(STRATARUN " --nproc-per-node " + std::string(ranks) + common + divided);
    CHECK_THAT(many, Catch::Matchers::ContainsSubstring("a mesh of " + std::string(axes) + " ranks"));
    CHECK(std::abs(number_after(many, "test loss ") - alone) < 0.02);  // rounded in another order
  }
}
#endif
