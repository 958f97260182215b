// c10's log: LOG(WARNING) << "…" writes a line to stderr, CHECK(condition) << "…" ends the process where it is false.
// Programs that have these macros of another library, such as glog or a test framework, keep those.
#pragma once
#include <sstream>

namespace strata {

constexpr int GLOG_INFO = 0;
constexpr int GLOG_WARNING = 1;
constexpr int GLOG_ERROR = 2;
constexpr int GLOG_FATAL = 3;

/// A line of the log, which is written when the statement ends. Those below a severity are not: warnings, or what the
/// environment's TORCH_CPP_LOG_LEVEL names.
class MessageLogger {
 public:
  MessageLogger(const char* file, int line, int severity, bool exit_on_fatal = true)
      : file_(file), line_(line), severity_(severity), ends_process_(severity == GLOG_FATAL && exit_on_fatal) {}
  MessageLogger(const MessageLogger&) = delete;
  MessageLogger& operator=(const MessageLogger&) = delete;
  ~MessageLogger();
  std::stringstream& stream() { return text_; }

 private:
  const char* file_;
  int line_;
  int severity_;
  bool ends_process_;
  std::stringstream text_;
};

/// Has lines of severity INFO written from here on.
void ShowLogInfoToStderr();

/// Makes a statement of a line that is one branch of `?:`.
struct LoggerVoidify {
  void operator&(const std::ostream& /*line*/) {}
};

}  // namespace strata

#define STRATA_COMPAT_LINE(severity) ::strata::MessageLogger(__FILE__, __LINE__, severity).stream()
#define STRATA_COMPAT_LINE_IF(condition, severity) \
  !(condition) ? (void)0 : ::strata::LoggerVoidify() & STRATA_COMPAT_LINE(severity)

#ifndef LOG
#define LOG(n) STRATA_COMPAT_LINE(::strata::GLOG_##n)
#define LOG_IF(n, condition) STRATA_COMPAT_LINE_IF(condition, ::strata::GLOG_##n)
#define VLOG(n) STRATA_COMPAT_LINE(-(n))
#define VLOG_IF(n, condition) STRATA_COMPAT_LINE_IF(condition, -(n))
#ifdef NDEBUG
#define DLOG(n) STRATA_COMPAT_LINE_IF(false, ::strata::GLOG_##n)
#else
#define DLOG(n) LOG(n)
#endif
#endif

#ifndef CHECK
#define FATAL_IF(condition) STRATA_COMPAT_LINE_IF(!(condition), ::strata::GLOG_FATAL)
#define CHECK(condition) FATAL_IF(condition) << "Check failed: " #condition " "
#ifndef DCHECK
#ifdef NDEBUG
#define DCHECK(condition) \
  while (false) CHECK(condition)
#else
#define DCHECK(condition) CHECK(condition)
#endif
#endif
#endif
