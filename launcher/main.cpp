// stratarun: starts a program once for each rank of a job and ends all of them together.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "launcher/agent.h"
#include "launcher/devices.h"
#include "launcher/environment.h"
#include "launcher/keeper.h"
#include "launcher/options.h"

namespace strata::launcher {
namespace {

// The folder of this run's files, made now, so that one that cannot be written is an error before anything has started.
std::filesystem::path make_log_dir(const Options& options) {
  std::string base = options.log_dir;
  if (base.empty() && !options.redirects.given() && !options.tee.given()) return {};
  if (base.empty()) {
    base = (std::filesystem::temp_directory_path() / "stratarun_XXXXXX").string();
    if (!mkdtemp(base.data())) throw std::system_error(errno, std::generic_category(), base);
    fmt::print(stderr, "stratarun: logs are in {}\n", base);
  }
  auto folder = std::filesystem::absolute(base) / options.rdzv_id;
  std::filesystem::create_directories(folder);
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    throw std::system_error(errno, std::generic_category(), folder.string());
  return folder;
}

Job prepare(int argc, char** argv) {
  Job job{parse_options(argc, argv), "", {}, environ, {}};
  Options& options = job.options;
  job.program = find_program(options.command[0]);
  if ((options.rdzv_id.empty() && options.max_nodes == 1) || options.standalone) options.rdzv_id = random_hex(8);
  const std::vector<std::string> gpus = visible_gpus();
  if (!gpus.empty() && options.nproc_per_node > static_cast<int>(gpus.size()))
    fmt::print(stderr, "stratarun: {} workers share {} GPUs\n", options.nproc_per_node, gpus.size());
  job.cpus = cpus_of_workers(options.numa_binding, options.nproc_per_node, allowed_cpus(), gpus);
  return job;
}

int run(int argc, char** argv) {
  open_standard_streams();
  Job job = prepare(argc, argv);
  auto rendezvous = make_rendezvous(job.options);
  try {
    job.log_dir = make_log_dir(job.options);
  } catch (const std::system_error& error) {
    throw Exit(kJobFailed, fmt::format("stratarun: --log-dir cannot be written: {}", error.what()));
  }
  return keep([&](int control) { return Agent(job, std::move(rendezvous), control).run(); });
}

}  // namespace
}  // namespace strata::launcher

int main(int argc, char** argv) {
  using strata::launcher::Exit;
  try {
    return strata::launcher::run(argc, argv);
  } catch (const Exit& exit) {
    fmt::print(exit.code == 0 ? stdout : stderr, "{}\n", exit.what());
    return exit.code;
  } catch (const std::exception& error) {
    fmt::print(stderr, "stratarun: {}\n", error.what());
    return strata::launcher::kJobFailed;
  }
}
