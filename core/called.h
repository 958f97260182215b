// The function of the public API that a thread is in, for what its errors are called.
#pragma once
#include <string_view>

namespace strata {

/// While it lives, errors that are thrown on this thread are those of the function that made it, whatever that calls in
/// turn: `const Called called;` in `linear` makes "addmm: …" of it "linear: …". Of several, the outermost counts.
/// Errors look at it only when they are thrown; else it costs a load and a store. Where the user's own functions are
/// called it must not live, since their errors are theirs. A name may end in ATen's name of an overload, as
/// "squeeze_.dim", for names of nodes; errors leave that out.
class Called {
 public:
  explicit Called(const char* name = __builtin_FUNCTION()) noexcept : outer_(current_) {
    if (!outer_) current_ = name;
  }
  ~Called() { current_ = outer_; }
  Called(const Called&) = delete;
  Called& operator=(const Called&) = delete;
  /// The outermost one's; null outside of all.
  static const char* name() noexcept { return current_; }
  /// The same without an overload's name, empty outside of all.
  static std::string_view function() noexcept;
  /// "squeeze_" of "squeeze_.dim".
  static constexpr std::string_view without_overload(std::string_view name) { return name.substr(0, name.find('.')); }

 private:
  static constinit thread_local const char* current_;
  const char* outer_;
};

}  // namespace strata
