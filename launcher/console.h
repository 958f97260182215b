// The launcher's stdout and stderr.
#pragma once

#include <memory>
#include <string>

#include "launcher/output.h"

namespace strata::launcher {

/// Both streams of the launcher; where they are the same terminal, pipe or file, one queue, so that no line of one gets
/// into a line of the other.
class Console {
 public:
  /// `drained` is called when a stream has caught up.
  Console(Loop& loop, const std::function<void()>& drained);
  Sink& out() { return out_; }
  Sink& err() { return err_ ? *err_ : out_; }
  bool empty() const { return out_.empty() && (!err_ || err_->empty()); }
  /// Writes "stratarun: `text`" to stderr.
  void say(const std::string& text) { err().write("stratarun: " + text + "\n"); }

 private:
  Sink out_;
  std::unique_ptr<Sink> err_;
};

/// "[3]: ", in one of six colours where the sink is a terminal.
std::string line_prefix(const Sink& sink, int rank);

}  // namespace strata::launcher
