// Saves in which each call of the system fails in its turn, or is the last one before the process is killed.
#include <cstdlib>

#include "test/catch.h"
#include "test/distributed/checkpoint_files.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

/// What the worker prints that saves with a fault in each call, which has to end well: how often which call was made.
std::string saved_with(const std::string& fault, const std::string& step) {
  const fs::path memory = "/dev/shm";  // where a sync takes no time
  const Folder folder(fs::exists(memory) ? memory : fs::temp_directory_path());
  const std::string command = std::string(STRATA_CHECKPOINT_FAULTS) + " " + folder.str() + " " + fault + " " + step;
  const int status = std::system((command + " > " + (folder / "log") + " 2>&1").c_str());
  const std::string said = bytes_of(folder / "log");
  INFO(said);
  CHECK(status == 0);
  for (const char* const call : {"close ", "create ", "fsync ", "mkdir ", "rename ", "unlinkat ", "write "})
    CHECK_THAT(said, Catch::Matchers::ContainsSubstring(call));
  return said;
}

/// The number behind a word.
int number_behind(const std::string& text, const std::string& label) {
  const size_t at = text.find(label);
  return at == text.npos ? -1 : std::atoi(text.c_str() + at + label.size());
}

}  // namespace

TEST_CASE("a save that is killed at any of its calls leaves whole checkpoints, and nothing that stays") {
  CHECK(number_behind(saved_with("kill", "new"), "killed ") >= 30);
  const std::string again = saved_with("kill", "again");  // in place of the checkpoint of that step
  CHECK(number_behind(again, "killed ") >= 30);
}

TEST_CASE("a disk that fails at any call of a save is an error of all ranks, and leaves what was there") {
  const std::string once = saved_with("error", "new"), again = saved_with("error", "again");
  CHECK(number_behind(once, "refused ") >= 20);
  CHECK(number_behind(again, "refused ") >= 20);
  CHECK(number_behind(saved_with("full", "new"), "refused ") >= 15);
}

TEST_CASE("writes that are done in parts are gone on with") {
  const std::string parts = saved_with("short", "new");
  CHECK(number_behind(parts, "refused ") == 0);
  CHECK(number_behind(parts, "write ") >= 3);
}

}  // namespace strata
