// fork, exec and a pipe.
#include "test/examples/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "test/catch.h"

Process::Process(const std::vector<std::string>& command, const std::string& folder) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_ = ::fork();
  REQUIRE(pid_ >= 0);
  if (pid_ == 0) {
    ::unsetenv("STRATA_DATA");
    const bool ready =
        ::chdir(folder.c_str()) == 0 && ::dup2(ends[1], STDOUT_FILENO) >= 0 && ::dup2(ends[1], STDERR_FILENO) >= 0;
    if (ready) ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  pipe_ = ends[0];
}

Process::~Process() {
  ::close(pipe_);
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

bool Process::read_some() {
  std::array<char, 4096> buffer;
  const ssize_t got = ::read(pipe_, buffer.data(), buffer.size());
  if (got <= 0) return false;
  output_.append(buffer.data(), static_cast<size_t>(got));
  return true;
}

bool Process::read_until(const std::string& text) {
  while (output_.find(text) == std::string::npos) {
    if (!read_some()) return false;
  }
  return true;
}

int Process::wait() {
  while (read_some()) {
  }
  int status = 0;
  REQUIRE(::waitpid(pid_, &status, 0) == pid_);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void Process::interrupt() const { ::kill(pid_, SIGINT); }

WorkFolder::WorkFolder()
    : path(std::filesystem::temp_directory_path() / ("strata_examples_" + std::to_string(::getpid()))) {
  std::filesystem::create_directories(path);
}

WorkFolder::~WorkFolder() { std::filesystem::remove_all(path); }

std::string WorkFolder::run(const std::string& command, int expected) const {
  Process process(words(command), path.string());
  const int status = process.wait();
  INFO(process.output());
  REQUIRE(status == expected);
  return process.output();
}

std::string WorkFolder::text(const std::string& name) const {
  std::ifstream file(path / name);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> words(const std::string& line) {
  std::istringstream text(line);
  std::vector<std::string> all;
  for (std::string word; text >> word;) all.push_back(word);
  return all;
}

double number_after(const std::string& output, const std::string& label) {
  const size_t at = output.rfind(label);
  INFO(output);
  REQUIRE(at != output.npos);
  return std::stod(output.substr(at + label.size()));
}
