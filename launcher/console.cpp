// The launcher's stdout and stderr.
#include "launcher/console.h"

#include <sys/stat.h>
#include <unistd.h>

namespace strata::launcher {
namespace {

bool are_one_file(int first, int second) {
  struct stat one, other;
  return fstat(first, &one) == 0 && fstat(second, &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

}  // namespace

Console::Console(Loop& loop, const std::function<void()>& drained) : out_(loop, STDOUT_FILENO, drained) {
  if (!are_one_file(STDOUT_FILENO, STDERR_FILENO)) err_ = std::make_unique<Sink>(loop, STDERR_FILENO, drained);
}

std::string line_prefix(const Sink& sink, int rank) {
  const std::string text = "[" + std::to_string(rank) + "]: ";
  return sink.colored() ? "\033[" + std::to_string(31 + rank % 6) + "m" + text + "\033[0m" : text;
}

}  // namespace strata::launcher
