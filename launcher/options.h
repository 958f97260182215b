// The command line of stratarun: torchrun's options, their PET_ environment variables and the command to start.
#pragma once

#include <chrono>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "launcher/binding.h"

namespace strata::launcher {

/// Ends the launcher with `code`. `what()` is printed on stderr, or on stdout where the code is 0 (`--help`).
class Exit : public std::runtime_error {
 public:
  Exit(int code, const std::string& text) : std::runtime_error(text), code(code) {}
  int code;
};

inline constexpr int kJobFailed = 1, kBadArguments = 2, kNotExecutable = 126, kProgramMissing = 127;

/// Streams of a worker as torchrun numbers them; a set of them is their sum.
inline constexpr int kStdout = 1, kStderr = 2;

/// A set of streams for each worker of a node.
class Streams {
 public:
  Streams() = default;
  /// Reads "0" to "3" (all workers) or "0:1,1:3" (local rank to set). Throws Exit (2) on anything else.
  explicit Streams(const std::string& text);

  int of(int local_rank) const;
  bool given() const { return given_; }

 private:
  bool given_ = false;
  int all_ = 0;
  std::map<int, int> by_local_rank_;
};

/// What the command line asked for.
struct Options {
  int nproc_per_node = 1;
  int min_nodes = 1, max_nodes = 1;
  bool elastic = false;  ///< workers that can stay when others are replaced do so; with MIN:MAX in any case
  int node_rank = 0;
  std::string rdzv_backend, rdzv_endpoint, rdzv_id;
  bool standalone = false;
  int max_restarts = 0;
  double monitor_interval = 0.1;  ///< seconds
  std::string role = "default";
  Binding numa_binding = Binding::kNone;
  std::string log_dir;
  Streams redirects, tee;
  std::chrono::seconds shutdown_timeout{30};
  std::chrono::seconds join_timeout{600};               ///< for all nodes to come, of MIN:MAX the least
  std::chrono::seconds last_call_timeout{30};           ///< from MIN nodes to a start without the rest
  std::chrono::milliseconds keep_alive_interval{1000};  ///< between two signs of life of a node
  int keep_alive_max_attempt = 10;                      ///< so many intervals without one, and the node is lost
  std::string master_addr;                              ///< empty: node 0's, as the endpoint names it
  int master_port = 0;                                  ///< 0: a free one for each attempt

  std::vector<std::string> command;  ///< the program and its arguments, untouched

  bool any_number_of_nodes() const { return min_nodes < max_nodes; }
  bool is_elastic() const { return elastic || any_number_of_nodes(); }
};

/// Reads the command line, with `PET_<OPTION>` of the environment as defaults. Throws Exit: code 0 with the text of
/// `--help`, code 2 with what is wrong.
Options parse_options(int argc, const char* const* argv);

/// Where the program lies: `program` itself if it names a folder, else the first match in PATH. Throws Exit: 127 where
/// there is none, 126 where it may not be executed.
std::string find_program(const std::string& program);

}  // namespace strata::launcher
