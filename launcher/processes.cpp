// Starts, watches and ends processes.
#include "launcher/processes.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <thread>
#include <utility>

namespace strata::launcher {
namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

// What take_over_signals() found.
sigset_t inherited_mask;
struct sigaction inherited_pipe, inherited_ttou;

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> result;
  result.reserve(words.size() + 1);
  for (const auto& word : words) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

void close_others_on_exec() {
  constexpr unsigned kCloseOnExec = 4;  // CLOSE_RANGE_CLOEXEC
  if (syscall(SYS_close_range, 3u, ~0u, kCloseOnExec) == 0) return;
  const long most = sysconf(_SC_OPEN_MAX);
  for (int fd = 3; fd < most; ++fd) fcntl(fd, F_SETFD, FD_CLOEXEC);
}

// Everything between fork and exec; only async-signal-safe calls. Comes back where something failed, with errno set.
void become(const Command& command, char* const* arguments, char* const* environment, pid_t parent, int null, int out,
            int err) {
  if (command.cpus && sched_setaffinity(0, sizeof *command.cpus, &*command.cpus) != 0) return;
  if (setpgid(0, 0) != 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return;
  if (getppid() != parent) _exit(1);  // it died before it could be our death, too
  if (dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) return;
  close_others_on_exec();
  if (command.channel >= 0) fcntl(command.channel, F_SETFD, 0);
  sigaction(SIGPIPE, &inherited_pipe, nullptr);
  sigaction(SIGTTOU, &inherited_ttou, nullptr);
  sigprocmask(SIG_SETMASK, &inherited_mask, nullptr);
  execve(command.program.c_str(), arguments, environment);
}

// The parent of a process by its stat file: "pid (name) state parent ...", where the name may hold anything.
pid_t parent_of(const std::filesystem::path& folder) {
  std::ifstream file(folder / "stat");
  std::string text;
  std::getline(file, text, '\0');
  const size_t name_end = text.rfind(") ");
  if (name_end == text.npos) return 0;
  pid_t parent = 0;
  if (text.size() > name_end + 4) std::from_chars(text.data() + name_end + 4, text.data() + text.size(), parent);
  return parent;
}

// Few kernels have lists of children, so all processes are looked at.
std::vector<pid_t> children() {
  std::vector<pid_t> found;
  const pid_t self = getpid();
  std::error_code error;  // a process that ends meanwhile is no reason to stop
  for (auto entry = std::filesystem::directory_iterator("/proc", error); entry != end(entry); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    pid_t pid = 0;
    const auto [rest, failure] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (failure == std::errc() && *rest == '\0' && parent_of(entry->path()) == self) found.push_back(pid);
  }
  return found;
}

// Deaths as the signal handler sees them. Both sides are the main thread, so order is all that atomics are wanted for.
struct Death {
  pid_t pid;
  Clock::time_point when;
};
std::array<Death, 1024> deaths;
std::atomic<size_t> deaths_seen = 0, deaths_told = 0;
std::atomic<Wakeup*> death_wakeup = nullptr;

// The kernel keeps the first of several pending SIGCHLD, which is the death that matters: the others follow from it.
void note_death(int, siginfo_t* info, void*) {
  const int error = errno;
  const size_t slot = deaths_seen;
  if (info->si_code > 0 && slot - deaths_told < deaths.size()) {  // the kernel sent it
    deaths[slot % deaths.size()] = {info->si_pid, Clock::now()};
    deaths_seen = slot + 1;
  }
  if (Wakeup* wakeup = death_wakeup) wakeup->send();
  errno = error;
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    reset();
    fd_ = other.release();
  }
  return *this;
}

int Descriptor::release() { return std::exchange(fd_, -1); }

void Descriptor::reset() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

Pipe::Pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe2");
  read = Descriptor(ends[0]);
  write = Descriptor(ends[1]);
}

void open_standard_streams() {
  int fd = 0;
  while (fd >= 0 && fd <= 2) fd = open("/dev/null", O_RDWR);
  if (fd > 2) close(fd);
}

sigset_t take_over_signals() {
  sigset_t taken;
  sigemptyset(&taken);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) {
    struct sigaction action;
    sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN) sigaddset(&taken, signal);
  }
  sigaddset(&taken, SIGCHLD);
  sigprocmask(SIG_BLOCK, &taken, &inherited_mask);
  struct sigaction usual = {}, ignored = {};
  usual.sa_handler = SIG_DFL;
  ignored.sa_handler = SIG_IGN;
  sigaction(SIGCHLD, &usual, nullptr);  // a child whose death is ignored leaves no exit status
  sigaction(SIGPIPE, &ignored, &inherited_pipe);
  sigaction(SIGTTOU, &ignored, &inherited_ttou);
  return taken;
}

int Process::started() {
  int error = 0;
  while (read(exec_error.get(), &error, sizeof error) < 0 && errno == EINTR) {
  }
  exec_error.reset();
  return error;
}

Process start(const Command& command, int out, int err) {
  Pipe failure;
  const Descriptor null(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const auto arguments = pointers(command.arguments), environment = pointers(command.environment);
  const pid_t parent = getpid(), pid = fork();
  if (pid < 0) fail("fork");
  if (pid == 0) {
    become(command, arguments.data(), environment.data(), parent, null.get(), out, err);
    const int error = errno;
    if (write(failure.write.get(), &error, sizeof error) < 0) _exit(1);
    _exit(1);
  }
  setpgid(pid, pid);  // whichever of the two comes first; after the exec this fails, and is not needed
  return {pid, std::move(failure.read)};
}

void adopt_orphans() {
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) fail("prctl");
}

int kill_children() {
  int count = 0;
  for (const pid_t pid : children()) {
    kill(pid, SIGKILL);
    ++count;
  }
  return count;
}

bool end_children(std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  for (;;) {
    pid_t reaped;
    while ((reaped = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (reaped < 0 && errno == ECHILD) return true;
    if (Clock::now() > deadline) return false;
    kill_children();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

ChildWatch::ChildWatch(Loop& loop, Ended ended, std::function<void()> settled)
    : ended_(std::move(ended)), settled_(std::move(settled)), wakeup_(loop, [this] { collect(); }) {
  death_wakeup = &wakeup_;
  struct sigaction action = {};
  action.sa_sigaction = note_death;
  action.sa_flags = SA_SIGINFO | SA_NOCLDSTOP | SA_RESTART;
  sigaction(SIGCHLD, &action, nullptr);
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_UNBLOCK, &child, nullptr);
}

ChildWatch::~ChildWatch() { death_wakeup = nullptr; }

void ChildWatch::collect() {
  struct End {
    pid_t pid;
    int status;
    Clock::time_point when;
  };
  std::vector<End> ends;
  int status = 0;
  for (; deaths_told != deaths_seen; ++deaths_told) {
    const Death death = deaths[deaths_told % deaths.size()];
    if (waitpid(death.pid, &status, WNOHANG) > 0) ends.push_back({death.pid, status, death.when});
  }
  const auto now = Clock::now();  // for those whose signal was merged with an earlier one
  while (const pid_t pid = waitpid(-1, &status, WNOHANG)) {
    if (pid < 0) break;
    ends.push_back({pid, status, now});
  }
  for (const End& end : ends) ended_(end.pid, end.status, end.when);
  settled_();
}

}  // namespace strata::launcher
