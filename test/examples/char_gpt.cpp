// The GPT over characters: it learns, and goes on from a checkpoint to the same bits.
#include <unistd.h>

#include <filesystem>

#include "test/catch.h"
#include "test/examples/process.h"

namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("strata_char_gpt_" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

const std::string kSmall = " --layers 1 --width 32 --block 16 --steps 300 --test 100 --sample 40";

std::string run_char_gpt(const std::string& options, const fs::path& folder, int expected = 0) {
  Process process(words(STRATA_CHAR_GPT + options), folder.string());
  const int status = process.wait();
  INFO(process.output());
  REQUIRE(status == expected);
  return process.output();
}

std::string after(const std::string& text, const std::string& mark) {
  const size_t place = text.find(mark);
  REQUIRE(place != text.npos);
  return text.substr(place);
}

}  // namespace

TEST_CASE("a GPT that was interrupted ends with the bits of one that was not") {
  const Folder folder;
  const std::string whole = run_char_gpt(kSmall, folder.path);
  Process process(words(STRATA_CHAR_GPT + kSmall + " --save checkpoint"), folder.path.string());
  REQUIRE(process.read_until("step   100"));
  process.interrupt();
  REQUIRE(process.wait() == 0);
  const std::string resumed = run_char_gpt(kSmall + " --resume checkpoint", folder.path);
  CHECK(fs::exists(folder.path / "char_gpt.svg"));
  CHECK(after(resumed, "step   300") == after(whole, "step   300"));
  CHECK(number_after(whole, "  loss ") < 2.5);
}

TEST_CASE("the GPT over characters explains its options and names what is missing") {
  const Folder folder;
  CHECK_THAT(run_char_gpt(" --help", folder.path), Catch::Matchers::ContainsSubstring("--resume"));
  CHECK_THAT(run_char_gpt(" --text nowhere.txt", folder.path, 1),
             Catch::Matchers::ContainsSubstring("there is no text nowhere.txt"));
  for (const char* option : {"--batch", "--block", "--heads", "--width", "--test"})
    CHECK_THAT(run_char_gpt(" " + std::string(option) + " 0", folder.path, 1),
               Catch::Matchers::ContainsSubstring(std::string(option) + " is 0, it has to be 1 or more"));
  CHECK_THAT(run_char_gpt(" --heads -1", folder.path, 1), Catch::Matchers::ContainsSubstring("--heads is -1"));
  CHECK_THAT(run_char_gpt(" --heads 3", folder.path, 1),
             Catch::Matchers::ContainsSubstring("--width 128 is no multiple of --heads 3"));
  CHECK_THAT(run_char_gpt(" --resume nowhere", folder.path, 1),
             Catch::Matchers::ContainsSubstring("cannot open 'nowhere'"));
}
