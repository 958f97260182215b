// The digit classifier on several ranks: it learns, and by itself it is a group of one.
#include <cmath>
#include <filesystem>

#include "test/catch.h"
#include "test/examples/process.h"

#ifdef STRATARUN
namespace {

/// What a command prints, which has to end well.
std::string output_of(const std::string& command) {
  Process process(words(command), std::filesystem::temp_directory_path().string());  // where there is no MNIST
  const int status = process.wait();
  INFO(process.output());
  CHECK(status == 0);
  return process.output();
}

}  // namespace

TEST_CASE("two ranks learn what one learns") {
  const std::string common = STRATA_DDP_MNIST " --epochs 4 --batch 32";
  const std::string one = output_of(common), two = output_of(STRATARUN " --nproc-per-node 2 " + common);
  const double alone = number_after(one, "accuracy "), together = number_after(two, "accuracy ");
  CHECK(alone > 0.5);
  CHECK(std::abs(alone - together) < 0.03);  // sums of parts are rounded in another order
  CHECK_THAT(two, Catch::Contains("2 ranks"));
}
#endif
