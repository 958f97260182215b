// Tests what becomes of the workers' output.
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "launcher/output.h"
#include "test/catch.h"
#include "test/launcher/job.h"

using Catch::Matchers::ContainsSubstring;
using strata::launcher::LineSplitter;
using strata::launcher::Tail;
using test::content_of;
using test::Job;
using test::shell;
using namespace std::string_literals;
namespace fs = std::filesystem;

TEST_CASE("lines are split where they end, however they arrive", "[launcher]") {
  const std::string text = "one\n\ntwo\0and\xff more\r\nlast"s;
  for (size_t step = 1; step <= text.size(); ++step) {
    LineSplitter lines("[7]: ");
    std::string out;
    for (size_t at = 0; at < text.size(); at += step) lines.feed(text.substr(at, step), out);
    CHECK(out == "[7]: one\n[7]: \n[7]: two\0and\xff more\r\n"s);
    lines.finish(out);
    CHECK(out.ends_with("\n[7]: last\n"));
  }
}

TEST_CASE("a line without end is passed on in pieces", "[launcher]") {
  LineSplitter lines("> ");
  std::string out;
  for (int i = 0; i < 40; ++i) lines.feed(std::string(1 << 16, 'x'), out);
  lines.finish(out);
  CHECK(test::count_of(out, "\n") == 3);
  CHECK(out.size() == (40 << 16) + 9);
}

TEST_CASE("a tail is the last ten lines, of 4 KiB at most", "[launcher]") {
  Tail tail;
  CHECK(tail.lines("| ").empty());
  tail.feed("1\n2");
  CHECK(tail.lines("| ") == "| 1\n| 2\n");
  for (int i = 3; i <= 20; ++i) tail.feed("\n" + std::to_string(i));
  tail.feed("\n");
  CHECK(tail.lines("").starts_with("11\n12\n"));
  CHECK(tail.lines("").ends_with("\n19\n20\n"));
  tail.feed(std::string(10000, 'y'));
  CHECK(tail.lines("") == std::string(4096, 'y') + "\n");
}

TEST_CASE("stdout and stderr keep apart, with the rank before each line", "[launcher]") {
  Job job(shell(2, "echo out $RANK; echo err $RANK >&2; printf end"));
  CHECK(job.finish() == 0);
  for (const char* line : {"[0]: out 0\n", "[1]: out 1\n", "[0]: end\n", "[1]: end\n"})
    CHECK(test::count_of(job.out(), line) == 1);
  CHECK(job.out().size() == 40);
  CHECK((job.err() == "[0]: err 0\n[1]: err 1\n" || job.err() == "[1]: err 1\n[0]: err 0\n"));
}

TEST_CASE("binary output passes unchanged", "[launcher]") {
  Job job(shell(1, "printf 'a\\000b\\377c\\n\\001'"));
  CHECK(job.finish() == 0);
  CHECK(job.out() == "[0]: a\0b\377c\n[0]: \1\n"s);
}

TEST_CASE("lines of several ranks and streams never mix", "[launcher]") {
  // Pieces of lines come from four ranks on both streams, which end in one pipe.
  Job job(shell(4,
                "i=0; while [ $i -lt 300 ]; do printf \"<$RANK \"; printf \"<$RANK \" >&2; printf \"$i\"; "
                "printf \"$i\" >&2; echo \" $RANK>\"; echo \" $RANK>\" >&2; i=$((i+1)); done"),
          {.stdout_is_stderr = true});
  CHECK(job.finish() == 0);
  std::istringstream lines(job.out());
  int count = 0, wrong = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const std::string rank = line.substr(1, 1);
    wrong += !line.starts_with("[" + rank + "]: <" + rank + " ") || !line.ends_with(" " + rank + ">") ||
             test::count_of(line, "<") != 1;
  }
  CHECK(count == 4 * 300 * 2);
  CHECK(wrong == 0);
}

TEST_CASE("lines that are longer than a pipe never mix", "[launcher]") {
  Job job(shell(2,
                "line=$(head -c 200000 /dev/zero | tr '\\0' $RANK)\n"
                "many() { for i in 1 2 3 4 5 6 7 8 9 10; do echo $line; done; }\n"
                "many & many >&2; wait"),
          {.stdout_is_stderr = true});
  CHECK(job.finish() == 0);
  std::istringstream lines(job.out());
  int right = 0;
  for (std::string line; std::getline(lines, line);)
    right += line == "[0]: " + std::string(200000, '0') || line == "[1]: " + std::string(200000, '1');
  CHECK(right == 40);
  CHECK(job.out().size() == 40 * 200006);
}

TEST_CASE("100 MB of output pass without deadlock", "[launcher]") {
  const std::string line = "some text that is as long as a usual line of a log\n";
  constexpr int kCount = 1000000;
  Job job(shell(2, "yes \"$LINE\" | head -n $COUNT; echo last >&2"),
          {.environment = {"LINE=" + line.substr(0, line.size() - 1), "COUNT=" + std::to_string(kCount)}});
  CHECK(job.finish() == 0);
  CHECK(test::count_of(job.out(), "[0]: " + line) == kCount);
  CHECK(test::count_of(job.out(), "[1]: " + line) == kCount);
  CHECK(job.out().size() == 2 * kCount * (line.size() + 5));
}

TEST_CASE("output is complete when a worker dies right after it", "[launcher]") {
  Job job(shell(2, "yes x | head -c 60000; [ $RANK = 1 ] && { echo the end >&2; kill -9 $$; }; sleep 1000"));
  CHECK(job.finish() == 1);
  CHECK(test::count_of(job.out(), "[1]: x\n") == 30000);
  CHECK_THAT(job.err(), ContainsSubstring("    | the end\n"));
}

TEST_CASE("a reader that goes away does not stop the workers", "[launcher]") {
  const test::TemporaryFolder folder;
  Job job({"sh", "-c",
           "$STRATARUN --nproc-per-node 2 sh -c 'yes x | head -c 3000000; touch $D/$RANK' | head -n 1; echo read"},
          {.environment = {std::string("STRATARUN=") + STRATARUN, "D=" + folder.path}});
  CHECK(job.finish() == 0);
  CHECK_THAT(job.out(), ContainsSubstring("x\n[0]: read\n"));
  CHECK(fs::exists(folder.path + "/0"));
  CHECK(fs::exists(folder.path + "/1"));
}

TEST_CASE("--log-dir keeps what each rank printed in each attempt", "[launcher]") {
  const test::TemporaryFolder folder;
  const std::string base = folder.path + "/new/logs";
  Job job(shell(2, "printf \"out $RANK\"; echo err $RANK >&2; [ $RANK = 0 ] || exit 1; sleep 1000",
                {"--log-dir=" + base, "--rdzv-id=run", "--max-restarts=1"}));
  CHECK(job.finish() == 1);
  for (const char* attempt : {"/run/attempt_0", "/run/attempt_1"}) {
    CHECK(content_of(base + attempt + "/1/stdout.log") == "out 1");
    CHECK(content_of(base + attempt + "/1/stderr.log") == "err 1\n");
    CHECK(fs::exists(base + attempt + "/0/stdout.log"));
  }
  CHECK_THAT(job.out(), ContainsSubstring("[1]: out 1\n"));
  CHECK_THAT(job.err(), ContainsSubstring("logs: " + base + "/run"));
}

TEST_CASE("--redirects and --tee choose streams by local rank", "[launcher]") {
  const test::TemporaryFolder folder;
  Job job(shell(3, "echo out $RANK; echo err $RANK >&2",
                {"--log-dir", folder.path, "--rdzv-id=run", "--redirects=0:3,1:1", "--tee=1:2"}));
  CHECK(job.finish() == 0);
  CHECK(job.out() == "[2]: out 2\n");
  CHECK((job.err() == "[1]: err 1\n[2]: err 2\n" || job.err() == "[2]: err 2\n[1]: err 1\n"));
  const std::string files = folder.path + "/run/attempt_0";
  CHECK(content_of(files + "/0/stdout.log") == "out 0\n");
  CHECK(content_of(files + "/0/stderr.log") == "err 0\n");
  CHECK(content_of(files + "/1/stdout.log") == "out 1\n");
  CHECK(content_of(files + "/1/stderr.log") == "err 1\n");
  CHECK_FALSE(fs::exists(files + "/2"));
}

TEST_CASE("a log folder that cannot be written is an error before any start", "[launcher]") {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path + "/file") << "";
  for (const std::string& path : {folder.path + "/file", folder.path + "/file/below", std::string("/proc/none")}) {
    Job job(shell(2, "touch $D/started", {"--log-dir=" + path}), {.environment = {"D=" + folder.path}});
    CHECK(job.finish() == 1);
    CHECK_THAT(job.err(), ContainsSubstring("--log-dir cannot be written"));
  }
  CHECK_FALSE(fs::exists(folder.path + "/started"));
}

TEST_CASE("a log file that is full is said once and does not stop the job", "[launcher]") {
  const test::TemporaryFolder folder;
  fs::create_directories(folder.path + "/run/attempt_0/0");
  fs::create_symlink("/dev/full", folder.path + "/run/attempt_0/0/stdout.log");
  Job job(shell(1, "echo one; echo two; sleep 0.1; echo three", {"--log-dir=" + folder.path, "--rdzv-id=run"}));
  CHECK(job.finish() == 0);
  CHECK(job.out() == "[0]: one\n[0]: two\n[0]: three\n");
  CHECK(test::count_of(job.err(), "No space left on device") == 1);
}

TEST_CASE("a terminal sees the rank in colour, others do not", "[launcher]") {
  for (const auto& [no_color, expected] :
       {std::pair{"NO_COLOR=", "\033[31m[0]: \033[0mtext"}, {"NO_COLOR=1", "[0]: [0]: text"}}) {
    Job job({"script", "-qec", STRATARUN " sh -c 'echo text'", "/dev/null"}, {.environment = {no_color}});
    CHECK(job.finish() == 0);
    CHECK_THAT(job.out(), ContainsSubstring(expected));
  }
}
