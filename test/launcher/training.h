// What the worker of elastic jobs (workers/elastic.cpp) has printed: which processes, which steps, which losses.
#pragma once

#include <string>
#include <vector>

#include "test/launcher/job.h"

namespace test {

struct Step {
  long number = 0;
  std::string loss;
  long long at = 0;  ///< nanoseconds of the steady clock
};

/// The steps that a job has printed, in their order.
std::vector<Step> steps_of(const std::string& output);

/// Checks that all steps are there, in order but for those that were begun again, and have the losses of an unbroken
/// training. Returns how many were made twice.
int check_steps(const std::string& output, long count);

/// The process of a rank in a generation, once its function has been called there.
pid_t process_of(Job& job, int generation, int rank, int world_size);

void wait_for_step(Job& job, long number);

/// Nanoseconds of the steady clock.
long long now();

/// Milliseconds from a moment to the first step that a generation has made.
double until_step(const std::string& output, int generation, long long from);

}  // namespace test
