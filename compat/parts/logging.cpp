// Lines of c10's log.
#include "compat/parts/logging.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

namespace strata {
namespace {

constexpr std::string_view kSeverities[] = {"INFO", "WARNING", "ERROR", "FATAL"};

/// The lowest severity that is written.
std::atomic<int>& threshold() {
  static std::atomic<int> level = [] {
    const char* const given = std::getenv("TORCH_CPP_LOG_LEVEL");
    for (int i = 0; given && i < 4; ++i)
      if (kSeverities[i] == given || std::to_string(i) == given) return i;
    return int{GLOG_WARNING};
  }();
  return level;
}

/// "[W1128 21:23:05.793381232 main.cpp:11] ".
std::string head(int severity, std::string_view path, int line) {
  using namespace std::chrono;
  const auto now = system_clock::now();
  const std::time_t seconds = system_clock::to_time_t(now);
  const auto fraction = duration_cast<nanoseconds>(now.time_since_epoch()).count() % 1000000000;
  std::tm local{};
  localtime_r(&seconds, &local);
  const std::string_view file = path.substr(path.find_last_of('/') + 1);
  char time[64];
  std::snprintf(time, sizeof time, "%02d%02d %02d:%02d:%02d.%09lld", local.tm_mon + 1, local.tm_mday, local.tm_hour,
                local.tm_min, local.tm_sec, static_cast<long long>(fraction));
  return std::string("[") + kSeverities[std::clamp(severity, 0, 3)][0] + time + ' ' + std::string(file) + ':' +
         std::to_string(line) + "] ";
}

}  // namespace

void ShowLogInfoToStderr() { threshold() = std::min<int>(threshold(), GLOG_INFO); }

MessageLogger::~MessageLogger() {
  if (severity_ >= threshold()) {
    const std::string line = head(severity_, file_, line_) + text_.str() + '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);
  }
  if (ends_process_) std::abort();
}

}  // namespace strata
