// What workers print: read from pipes, kept in files, and passed on in whole lines that begin with the rank.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "launcher/loop.h"
#include "launcher/processes.h"

namespace strata::launcher {

/// Puts a prefix before each line. A line is passed on as a whole, once its end has come; one of more than 1 MiB in
/// pieces that are lines of their own.
class LineSplitter {
 public:
  explicit LineSplitter(std::string prefix) : prefix_(std::move(prefix)) {}
  void set_prefix(std::string prefix) { prefix_ = std::move(prefix); }
  /// Appends to `out` the lines that `text` completes.
  void feed(std::string_view text, std::string& out);
  /// Appends a last line that no newline has ended, with one.
  void finish(std::string& out);

 private:
  static constexpr size_t kLongest = 1 << 20;
  std::string prefix_, rest_;
};

/// The last lines of a stream.
class Tail {
 public:
  void feed(std::string_view text);
  /// At most 10 lines of at most 4 KiB together, each behind `indent`.
  std::string lines(std::string_view indent) const;

 private:
  static constexpr size_t kBytes = 4096, kLines = 10;
  std::string text_;
};

/// One of the launcher's own streams. Writing never blocks where that can be had without changing the stream for others
/// who share it; what is not taken yet is kept.
class Sink {
 public:
  /// `fd` stays open; `drained` is called when all has been written after a wait.
  Sink(Loop& loop, int fd, std::function<void()> drained);
  void write(std::string_view text);
  bool empty() const { return written_ == buffer_.size(); }
  /// Whether so much is kept that nothing more should be read for it.
  bool full() const { return buffer_.size() - written_ > kFull; }
  bool colored() const { return colored_; }

 private:
  static constexpr size_t kFull = 1 << 20;
  void flush();

  int fd_;
  Descriptor own_;  // the same terminal or pipe, opened again, so that it alone is non-blocking
  std::function<void()> drained_;
  std::unique_ptr<Poll> poll_;  // none: writes block
  std::string buffer_;
  size_t written_ = 0;
  bool waiting_ = false, broken_ = false, colored_ = false;
};

/// A file that one stream of a worker is appended to. Throws std::system_error where it cannot be opened.
class LogFile {
 public:
  explicit LogFile(const std::filesystem::path& path);
  /// Returns the errno of the first failure, once; after that nothing is written.
  int write(std::string_view text);

 private:
  Descriptor fd_;
};

/// One stream of one worker, from its pipe to where it goes.
class WorkerStream {
 public:
  struct Goals {
    Sink* sink = nullptr;             ///< null: not shown
    std::unique_ptr<LogFile> file;    ///< null: not kept
    std::function<void(int)> failed;  ///< the file's errno
  };
  WorkerStream(Loop& loop, Descriptor read_end, std::string prefix, Goals goals);

  /// Reads on after the sink was full.
  void resume();
  /// Takes what is in the pipe without waiting for more, and ends the last line.
  void finish();
  const Tail& tail() const { return tail_; }
  void set_prefix(std::string prefix) { lines_.set_prefix(std::move(prefix)); }

 private:
  bool read_some();
  void read_ready();

  Descriptor fd_;
  Goals goals_;
  LineSplitter lines_;
  Tail tail_;
  std::string out_;
  bool ended_ = false, paused_ = false;
  Poll poll_;
};

}  // namespace strata::launcher
