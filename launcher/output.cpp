// Moves what workers print from their pipes to files and to the launcher's own streams.
#include "launcher/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace strata::launcher {
namespace {

ssize_t write_some(int fd, std::string_view text) {
  ssize_t count;
  do count = ::write(fd, text.data(), text.size());
  while (count < 0 && errno == EINTR);
  return count;
}

// O_NONBLOCK belongs to what was opened, which a shell shares with us. A pipe or terminal that is opened again is our
// own.
Descriptor reopen(int fd) {
  struct stat status;
  if (fstat(fd, &status) != 0 || !(S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode))) return Descriptor();
  const std::string path = "/proc/self/fd/" + std::to_string(fd);
  return Descriptor(open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
}

}  // namespace

void LineSplitter::feed(std::string_view text, std::string& out) {
  while (!text.empty()) {
    const size_t newline = text.find('\n');
    if (newline == text.npos) {
      rest_ += text;
      if (rest_.size() > kLongest) finish(out);
      return;
    }
    out += prefix_;
    out += rest_;
    out += text.substr(0, newline + 1);
    rest_.clear();
    text.remove_prefix(newline + 1);
  }
}

void LineSplitter::finish(std::string& out) {
  if (rest_.empty()) return;
  out += prefix_;
  out += rest_;
  out += '\n';
  rest_.clear();
}

void Tail::feed(std::string_view text) {
  text_ += text.substr(text.size() - std::min(text.size(), kBytes));
  if (text_.size() > kBytes) text_.erase(0, text_.size() - kBytes);
}

std::string Tail::lines(std::string_view indent) const {
  std::string_view text = text_;
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.empty()) return "";
  size_t begin = text.size();
  for (size_t line = 0; line < kLines && begin != text.npos && begin > 0; ++line) begin = text.rfind('\n', begin - 1);
  if (begin != text.npos && begin > 0) text.remove_prefix(begin + 1);
  std::string result;
  LineSplitter splitter{std::string(indent)};
  splitter.feed(text, result);
  splitter.finish(result);
  return result;
}

Sink::Sink(Loop& loop, int fd, std::function<void()> drained)
    : fd_(fd), own_(reopen(fd)), drained_(std::move(drained)) {
  const char* no_color = std::getenv("NO_COLOR");
  colored_ = isatty(fd) && !(no_color && *no_color);
  if (own_.get() < 0) return;
  try {
    poll_ = std::make_unique<Poll>(loop, own_.get(), [this] { flush(); });
    fd_ = own_.get();
  } catch (const std::system_error&) {  // a device that is always ready, such as /dev/null
    own_.reset();
  }
}

void Sink::write(std::string_view text) {
  if (broken_) return;
  buffer_ += text;
  if (!waiting_) flush();
}

void Sink::flush() {
  while (!empty()) {
    const ssize_t count = write_some(fd_, std::string_view(buffer_).substr(written_));
    if (count < 0 && errno == EAGAIN && poll_) {
      if (!waiting_) poll_->start(UV_WRITABLE);
      waiting_ = true;
      return;
    }
    // Nobody reads it any more (a closed pipe or terminal): that is no reason to stop a training.
    if (count < 0) broken_ = true;
    written_ = broken_ ? buffer_.size() : written_ + static_cast<size_t>(count);
  }
  buffer_.clear();
  written_ = 0;
  if (!waiting_) return;
  waiting_ = false;
  poll_->stop();
  drained_();
}

LogFile::LogFile(const std::filesystem::path& path)
    : fd_(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
  if (fd_.get() < 0) throw std::system_error(errno, std::generic_category(), path.string());
}

int LogFile::write(std::string_view text) {
  while (fd_.get() >= 0 && !text.empty()) {
    const ssize_t count = write_some(fd_.get(), text);
    if (count < 0) {
      const int error = errno;
      fd_.reset();
      return error;
    }
    text.remove_prefix(static_cast<size_t>(count));
  }
  return 0;
}

WorkerStream::WorkerStream(Loop& loop, Descriptor read_end, std::string prefix, Goals goals)
    : fd_(std::move(read_end)),
      goals_(std::move(goals)),
      lines_(std::move(prefix)),
      poll_(loop, fd_.get(), [this] { read_ready(); }) {
  poll_.start(UV_READABLE);
}

bool WorkerStream::read_some() {
  static std::array<char, 1 << 16> buffer;
  const ssize_t count = read(fd_.get(), buffer.data(), buffer.size());
  if (count < 0) {
    ended_ = errno != EAGAIN && errno != EINTR;
    return errno == EINTR;
  }
  ended_ = count == 0;
  const std::string_view text(buffer.data(), static_cast<size_t>(count));
  tail_.feed(text);
  if (goals_.file) {
    if (const int error = goals_.file->write(text)) goals_.failed(error);
  }
  if (goals_.sink) {
    out_.clear();
    lines_.feed(text, out_);
    if (ended_) lines_.finish(out_);
    goals_.sink->write(out_);
  }
  return !ended_;
}

void WorkerStream::read_ready() {
  read_some();
  paused_ = goals_.sink && goals_.sink->full();
  if (ended_ || paused_) poll_.stop();
}

void WorkerStream::resume() {
  if (!std::exchange(paused_, false) || ended_) return;
  poll_.start(UV_READABLE);
}

void WorkerStream::finish() {
  poll_.stop();
  while (!ended_ && read_some()) {
  }
  out_.clear();
  lines_.finish(out_);
  if (goals_.sink) goals_.sink->write(out_);
}

}  // namespace strata::launcher
