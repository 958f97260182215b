// What can be said on the command line.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace mnist {

/// The options as typed; what was not given is empty or has its default.
struct Options {
  std::string data;
  std::optional<std::string> model;
  std::optional<std::string> recipe;
  std::optional<int64_t> epochs;
  std::optional<int64_t> batch_size;
  std::optional<double> lr;
  std::optional<double> momentum;
  std::optional<int64_t> seed;
  std::optional<int64_t> threads;
  std::string device = "cpu";
  std::string save;
  std::string resume;
  std::string plot = "mnist.svg";
};

/// Parses the command line; prints and exits for `--help` and for options it does not understand.
Options parse_options(int argc, char** argv);

}  // namespace mnist
