// Runs a program and reads what it prints.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

/// A child process whose stdout and stderr come through one pipe.
class Process {
 public:
  /// Starts `command` (program and arguments) in `folder`, without the variable STRATA_DATA.
  Process(const std::vector<std::string>& command, const std::string& folder);
  /// Kills the process if it still runs.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Reads until a line contains `text`; false when the output ends before.
  bool read_until(const std::string& text);
  /// Reads to the end of the output and waits; returns the exit status, or 128 plus the signal.
  int wait();
  void interrupt() const;
  /// Everything read so far.
  const std::string& output() const { return output_; }

 private:
  bool read_some();

  pid_t pid_ = -1;
  int pipe_ = -1;
  std::string output_;
};

/// A folder of a test's own, which is gone with it.
struct WorkFolder {
  WorkFolder();
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  /// What a command prints, run here, where there is no MNIST, after it ended with `expected`.
  std::string run(const std::string& command, int expected = 0) const;
  std::string text(const std::string& name) const;
  std::filesystem::path path;
};

/// The words between the blanks of a command line.
std::vector<std::string> words(const std::string& line);
/// The number behind the last `label` in a program's output; the test fails where there is none.
double number_after(const std::string& output, const std::string& label);
