// The workloads of script/bench --cuda in Strata; peer.py has the same ones in PyTorch.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <regex>

#include "harness.h"

namespace {

constexpr const char* kHelp =
    R"(usage: cuda_workloads [--device cuda|cpu] [--tiny] [--rows REGEX] [--samples N] [--seconds S]

Measures each workload whose name matches REGEX and prints a line of JSON for it: nanoseconds of each sample (between
CUDA events, or of the host's clock), bytes moved, operations, peak device memory in bytes. Progress goes to stderr.

  --device   what to run on (default cuda)
  --tiny     sizes of nothing: whether everything runs, not how fast
  --samples  per row, at most (default 20)
  --seconds  of measuring per row, about (default 3)

Exits with 0 when all rows ran, 1 when one failed, 2 for wrong arguments. Without a CUDA device it prints one line that
says so, {"skipped": ...}, and exits with 0.
)";

/// The value behind an argument; exits with 2 if there is none.
const char* value(int argc, char** argv, int& i) {
  if (++i < argc) return argv[i];
  std::fprintf(stderr, "cuda_workloads: %s needs a value\n", argv[i - 1]);
  std::exit(2);
}

strata::bench::Settings parse(int argc, char** argv) {
  strata::bench::Settings s;
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    if (arg == "--help" || arg == "-h") {
      std::fputs(kHelp, stdout);
      std::exit(0);
    } else if (arg == "--tiny") {
      s.tiny = true;
    } else if (arg == "--device") {
      s.device = strata::Device(value(argc, argv, i));
    } else if (arg == "--rows") {
      s.rows = value(argc, argv, i);
      (void)std::regex(s.rows);
    } else if (arg == "--samples") {
      s.samples = std::max(1, std::atoi(value(argc, argv, i)));
    } else if (arg == "--seconds") {
      s.seconds = std::max(0.01, std::atof(value(argc, argv, i)));
    } else {
      std::fprintf(stderr, "cuda_workloads: unknown argument '%s'\n%s", argv[i], kHelp);
      std::exit(2);
    }
  }
  return s;
}

int measure(const strata::bench::Settings& settings) {
  if (settings.device.is_cuda() && !strata::cuda::is_available()) {
    std::puts(R"({"skipped": "no CUDA device can be used"})");
    return 0;
  }
  strata::manual_seed(0);
  strata::bench::Suite suite(settings);
  strata::bench::all_rows(suite);
  return suite.failures() ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return measure(parse(argc, argv));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "cuda_workloads: %s\n", e.what());
    return 2;
  }
}
