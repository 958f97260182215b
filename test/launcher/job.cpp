// Starts stratarun for a test and watches it.
#include "test/launcher/job.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <utility>

namespace test {
namespace {

namespace fs = std::filesystem;
constexpr std::chrono::seconds kLimit{60};

std::string new_mark() {
  static int count = 0;
  return std::string(kMarkVariable) + "=" + std::to_string(getpid()) + "-" + std::to_string(++count) + "-";
}

bool enter_network(const std::string& name) {
  const int fd = open(("/run/netns/" + name).c_str(), O_RDONLY | O_CLOEXEC);
  return fd >= 0 && setns(fd, CLONE_NEWNET) == 0;
}

// In the child: comes back only where something failed.
void become_starter(const Words& arguments, const Start& start, const std::string& mark) {
  if (!start.folder.empty() && chdir(start.folder.c_str()) != 0) return;
  if (!start.network.empty() && !enter_network(start.network)) return;
  if (start.umask >= 0) umask(static_cast<mode_t>(start.umask));
  for (const auto& entry : start.environment) putenv(const_cast<char*>(entry.c_str()));
  putenv(const_cast<char*>(mark.c_str()));
  std::vector<char*> words = {const_cast<char*>(start.program.c_str())};
  for (const auto& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(words[0], words.data());
}

/// A socket of a port that was free, and its endpoint.
std::pair<int, std::string> bound_socket() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (bind(fd, generic, size) != 0 || getsockname(fd, generic, &size) != 0) throw std::runtime_error("no free port");
  return {fd, "127.0.0.1:" + std::to_string(ntohs(address.sin_port))};
}

}  // namespace

Job::Job(const Words& arguments, const Start& start) : mark_(new_mark()), deadline_(Clock::now() + kLimit) {
  std::array<int, 2> out, err, held, started;
  for (auto* ends : {&out, &err, &held, &started})
    if (pipe2(ends->data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  pid_ = fork();
  if (pid_ == 0) {
    dup2(out[1], 1);
    dup2(start.stdout_is_stderr ? out[1] : err[1], 2);
    if (start.inherits_descriptor) fcntl(held[1], F_SETFD, 0);
    become_starter(arguments, start, mark_);
    _exit(99);
  }
  for (const int fd : {out[1], err[1], held[1], started[1]}) close(fd);
  // Until the exec, which closes this pipe, the child is a copy of the test, and a signal to it one to Catch2.
  char none;
  if (read(started[0], &none, 1) != 0) throw std::runtime_error("no exec");
  close(started[0]);
  out_fd_ = out[0];
  err_fd_ = err[0];
  held_fd_ = held[0];
  for (const int fd : {out_fd_, err_fd_}) fcntl(fd, F_SETFL, O_NONBLOCK);
}

Job::~Job() {
  for (int round = 0; round < 100; ++round) {
    const auto left = processes();
    if (left.empty()) break;
    for (const pid_t pid : left) kill(pid, SIGKILL);
  }
  if (pid_ > 0) waitpid(pid_, nullptr, 0);
  for (const int fd : {out_fd_, err_fd_, held_fd_}) close(fd);
}

void Job::give_up(const std::string& what) {
  std::string left;
  for (const pid_t pid : processes()) left += " " + std::to_string(pid);
  throw std::runtime_error(what + "; processes:" + left + "; out: " + out_.substr(0, 2000) + "; err: " + err_);
}

// Reads once what is there; false at the end of both outputs.
bool Job::read_more(std::chrono::milliseconds wait) {
  if (!out_open_ && !err_open_) return false;
  std::array<pollfd, 2> ends = {pollfd{out_open_ ? out_fd_ : -1, POLLIN, 0},
                                pollfd{err_open_ ? err_fd_ : -1, POLLIN, 0}};
  if (poll(ends.data(), ends.size(), static_cast<int>(wait.count())) <= 0) return true;
  const auto read_from = [](int fd, std::string& text) {
    static std::array<char, 1 << 16> buffer;
    const ssize_t count = read(fd, buffer.data(), buffer.size());
    if (count > 0) text.append(buffer.data(), static_cast<size_t>(count));
    return count > 0 || (count < 0 && errno == EAGAIN);
  };
  if (ends[0].revents) out_open_ = read_from(out_fd_, out_);
  if (ends[1].revents) err_open_ = read_from(err_fd_, err_);
  return out_open_ || err_open_;
}

void Job::wait_for(const std::string& text) {
  while (out_.find(text) == out_.npos && err_.find(text) == err_.npos) {
    if (Clock::now() > deadline_ || !read_more(std::chrono::milliseconds(100))) give_up("no \"" + text + "\"");
  }
}

long Job::number_after(const std::string& label) { return number_after(label, ""); }

long Job::number_after(const std::string& first, const std::string& second) {
  for (;;) {
    wait_for(first);
    const std::string& text = out_.find(first) != out_.npos ? out_ : err_;
    const size_t begin = text.find(first) + first.size(), end = text.find('\n', begin);
    if (end != text.npos) {
      const std::string rest = text.substr(begin, end - begin);
      return std::stol(rest.substr(rest.find(second) + second.size()));
    }
    if (Clock::now() > deadline_) give_up("no end of the line with \"" + first + "\"");
    read_more(std::chrono::milliseconds(100));
  }
}

bool Job::has_ended() {
  read_more(std::chrono::milliseconds(0));
  siginfo_t end = {};
  return pid_ == 0 || (waitid(P_PID, static_cast<id_t>(pid_), &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid);
}

int Job::finish() {
  while (read_more(std::chrono::milliseconds(100))) {
    if (Clock::now() > deadline_) give_up("stratarun did not end");
  }
  int status = 0;
  while (waitpid(pid_, &status, WNOHANG) == 0) {
    if (Clock::now() > deadline_) give_up("stratarun closed its outputs and did not end");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  pid_ = 0;
  if (!processes().empty()) give_up("stratarun has ended and left processes");
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void Job::wait_until_gone() {
  while (!processes().empty()) {
    if (Clock::now() > deadline_) give_up("processes are left");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void Job::wait_until_full() {
  // The last page may stay partly empty, so full is what takes nothing more.
  for (int filled = 0, before = -1, same = 0; same < 100; before = filled) {
    if (Clock::now() > deadline_) give_up("stdout was not filled");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ioctl(out_fd_, FIONREAD, &filled);
    same = filled == before && filled > 4096 ? same + 1 : 0;
  }
}

std::vector<pid_t> Job::processes() const {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != name.npos) continue;
    // A zombie's environment reads as empty.
    if (content_of(entry.path().string() + "/environ").find(mark_) != std::string::npos)
      found.push_back(std::stoi(name));
  }
  return found;
}

Words shell(int count, const std::string& script, const Words& options) {
  Words words = {"--nproc-per-node", std::to_string(count)};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"sh", "-c", script});
  return words;
}

char state_of(pid_t pid) {
  const std::string text = content_of("/proc/" + std::to_string(pid) + "/stat");
  const size_t end = text.rfind(") ");
  return end == text.npos ? '\0' : text[end + 2];
}

bool wait_for_state(pid_t pid, char state) {
  const auto deadline = Clock::now() + std::chrono::seconds(10);
  while (state_of(pid) != state) {
    if (Clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

std::string free_endpoint() {
  const auto [fd, endpoint] = bound_socket();
  close(fd);
  return endpoint;
}

Stranger::Stranger() {
  std::tie(fd_, endpoint_) = bound_socket();
  if (listen(fd_, 8) != 0) throw std::runtime_error("cannot listen at " + endpoint_);
}
Stranger::~Stranger() { close(fd_); }

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

TemporaryFolder::TemporaryFolder() : path((fs::temp_directory_path() / "strata_test_XXXXXX").string()) {
  if (!mkdtemp(path.data())) throw std::runtime_error("no temporary folder");
}

TemporaryFolder::~TemporaryFolder() { fs::remove_all(path); }

// By the system call, because a process that ends between open() and read() makes the read fail, which
// std::ifstream's buffer tells by an exception: its file in /proc then counts as empty, as one that is gone does.
std::string content_of(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  std::string text;
  std::array<char, 4096> part;
  for (ssize_t count; (count = read(fd, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<size_t>(count));
  close(fd);
  return text;
}

}  // namespace test
