// What the worker of elastic jobs (workers/elastic.cpp) has printed: which processes, which steps, which losses.
#pragma once

#include <string>
#include <vector>

#include "test/launcher/job.h"

namespace test {

/// A node of a job with any number of them, which is a stratarun of its own.
struct Node {
  std::string endpoint;
  int rank = 0;
  std::string nodes = "1:2";
  int restarts = 2;
  std::string conf = "last_call_timeout=1,keep_alive_max_attempt=2";
};
Words node_options(const Node& node);

/// The node with a worker that trains, pausing 20 ms after each step.
Words training(const Node& node, long steps);

/// Kills both processes of a node's launcher, and with them its workers, so that nobody is left to tell the others.
/// `worker` is one of them.
void kill_node(Job& launcher, pid_t worker);

struct Step {
  long number = 0;
  std::string loss;
  long long at = 0;  ///< nanoseconds of the steady clock
};

/// The steps that a job has printed, in their order.
std::vector<Step> steps_of(const std::string& output);

/// Checks that all steps are there, in order but for those that were begun again, and have the losses of an unbroken
/// training. Returns how many were made twice. `may_lack`: how many lines in a row may have been lost in the pipe of a
/// launcher that was killed.
int check_steps(const std::string& output, long count, long may_lack = 0);

/// The outputs of several launchers whose workers were rank 0 one after the other, of each up to where the next begins.
std::string joined(const std::vector<std::string>& outputs);

/// The process of a rank in a generation, once its function has been called there.
pid_t process_of(Job& job, int generation, int rank, int world_size);

void wait_for_step(Job& job, long number);

/// Nanoseconds of the steady clock.
long long now();

/// Milliseconds from a moment to the first step that a generation has made.
double until_step(const std::string& output, int generation, long long from);

}  // namespace test
