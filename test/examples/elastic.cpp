// The example of an elastic job, shortened, of which a rank is killed.
#ifdef STRATARUN
#include <signal.h>

#include <cmath>

#include "test/catch.h"
#include "test/examples/process.h"

TEST_CASE("the elastic example trains on when a rank is killed, and learns what one rank learns") {
  const WorkFolder folder;
  const std::string common = STRATA_ELASTIC " --steps 100 --batch 32";
  const double expected = number_after(folder.run(common + " --pause 0 --plot none"), "loss ");

  Process job(words(STRATARUN " --elastic --max-restarts 1 --nproc-per-node 2 " + common + " --pause 5"),
              folder.path.string());
  REQUIRE(job.read_until("rank 1 of 2 from step 0"));
  const std::string until_rank = job.output().substr(0, job.output().find("rank 1 of 2"));
  const auto first = static_cast<pid_t>(number_after(until_rank, "process "));
  REQUIRE(job.read_until("step   50"));
  CHECK(kill(first, SIGKILL) == 0);
  const int status = job.wait();
  INFO(job.output());
  CHECK(status == 0);
  CHECK_THAT(job.output(), Catch::Matchers::ContainsSubstring("restart 1 of 1"));
  CHECK_THAT(folder.text("elastic.svg"), Catch::Matchers::EndsWith("</svg>\n"));
  CHECK(std::abs(number_after(job.output(), "loss ") - expected) <
        0.001);  // sums of parts are rounded in another order
}

TEST_CASE("the elastic example says what its options are") {
  const std::string help = WorkFolder().run(STRATA_ELASTIC " --help");
  for (const char* const option :
       {"--steps", "--batch", "--pause", "--plot", "N=300", "N=64", "N=20", "stratarun --elastic"})
    CHECK_THAT(help, Catch::Matchers::ContainsSubstring(option));
}
#endif
