// A worker that prints what it was started with: when, its arguments, descriptors, folder, signals, processors and
// environment.
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>

namespace {

void print_descriptors() {
  DIR* folder = opendir("/proc/self/fd");
  std::printf("descriptors:");
  while (const dirent* entry = readdir(folder)) {
    const std::string name = entry->d_name;
    if (name[0] != '.' && std::stoi(name) != dirfd(folder)) std::printf(" %s", name.c_str());
  }
  std::printf("\n");
  closedir(folder);
}

void print_status() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("SigBlk") || line.starts_with("SigIgn") || line.starts_with("Cpus_allowed_list"))
      std::printf("%s\n", line.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::printf("main at: %lld\n", static_cast<long long>(std::chrono::steady_clock::now().time_since_epoch().count()));
  for (int i = 1; i < argc; ++i) std::printf("argument: <%s>\n", argv[i]);
  print_descriptors();
  std::array<char, PATH_MAX> text = {};
  if (readlink("/proc/self/fd/0", text.data(), text.size() - 1) > 0) std::printf("stdin: %s\n", text.data());
  if (getcwd(text.data(), text.size())) std::printf("folder: %s\n", text.data());
  const mode_t mask = umask(0);
  std::printf("umask: %03o\n", mask);
  std::printf("leads its group: %d\n", getpgrp() == getpid());
  print_status();
  for (char** entry = environ; *entry; ++entry) std::printf("environment: %s\n", *entry);
  return 0;
}
