// A job under test: stratarun as a user starts it, with a wall limit, and a look at what processes it has left.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace test {

using Clock = std::chrono::steady_clock;
using Words = std::vector<std::string>;

/// The variable that is set for a job and its workers, by which the job's processes are found.
inline constexpr const char* kMarkVariable = "STRATA_TEST_JOB";

/// What is not usual about how a job is started.
struct Start {
  Words environment = {};            ///< NAME=value, besides the test's own environment
  std::string folder = {};           ///< where it runs; empty: where the test does
  int umask = -1;                    ///< -1: the test's
  bool inherits_descriptor = false;  ///< leaves a pipe open that stratarun inherits
  bool stdout_is_stderr = false;     ///< both are one pipe, which is read as `out`
  std::string network = {};          ///< the name of the network namespace that it runs in; empty: the test's
  std::string program = STRATARUN;   ///< a path, of another starter
};

/// A stratarun, or another starter, that runs. Every wait throws after 60 s from the start.
class Job {
 public:
  /// `arguments` are those behind the program's name.
  explicit Job(const Words& arguments, const Start& start = {});
  /// Kills all that is left.
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  pid_t pid() const { return pid_; }
  /// Waits until the outputs have `text`.
  void wait_for(const std::string& text);
  /// The number that stands behind `label` in the outputs, once it is there with the end of its line.
  long number_after(const std::string& label);
  /// The number behind `second` in the line that has `first`.
  long number_after(const std::string& first, const std::string& second);
  /// Reads what the outputs have by now. Whether stratarun has ended.
  bool has_ended();
  /// Waits for stratarun's end and the outputs' and returns the exit code, or minus the signal that killed it. Throws
  /// where a process of the job is still there then.
  int finish();
  /// Waits until no process of the job is left.
  void wait_until_gone();
  /// Reads nothing until the pipe of stdout is full.
  void wait_until_full();

  const std::string& out() const { return out_; }
  const std::string& err() const { return err_; }
  /// The processes of the job that exist now, stratarun's own among them; zombies are not counted.
  std::vector<pid_t> processes() const;

 private:
  bool read_more(std::chrono::milliseconds wait);
  [[noreturn]] void give_up(const std::string& what);

  std::string mark_;
  pid_t pid_ = 0;
  int out_fd_ = -1, err_fd_ = -1, held_fd_ = -1;
  std::string out_, err_;
  bool out_open_ = true, err_open_ = true;
  Clock::time_point deadline_;
};

/// Arguments for a job of `count` workers that run `script` by sh, after `options`.
Words shell(int count, const std::string& script, const Words& options = {});

/// The state letter of a process in /proc ('R', 'S', 'T', 'Z', ...); 0 where it does not exist.
char state_of(pid_t pid);

/// Waits until a process is in a state; false after 10 s.
bool wait_for_state(pid_t pid, char state);

/// "127.0.0.1:PORT" with a port that nobody listens at.
std::string free_endpoint();

/// What holds a port and takes connections, but never answers.
class Stranger {
 public:
  Stranger();
  ~Stranger();
  Stranger(const Stranger&) = delete;
  Stranger& operator=(const Stranger&) = delete;
  /// "127.0.0.1:PORT"
  const std::string& endpoint() const { return endpoint_; }

 private:
  int fd_ = -1;
  std::string endpoint_;
};

/// How often `part` occurs in `text`.
int count_of(const std::string& text, const std::string& part);

/// A new folder that is removed with all it holds.
struct TemporaryFolder {
  TemporaryFolder();
  ~TemporaryFolder();
  std::string path;
};

/// The content of a file.
std::string content_of(const std::string& path);

}  // namespace test
