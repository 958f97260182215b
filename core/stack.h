// The calling thread's stack as a user reads it: functions by name and, where debug information tells, lines of source.
#pragma once
#include <string>
#include <vector>

namespace strata {

/// `train(Net&) at train.cpp:42`, innermost first, without the frames of this library and of the standard ones. Lines
/// need elfutils' libdw at run time and a program compiled with -g; else a frame is its function, or its file.
std::vector<std::string> user_frames();

/// The function of the public API that the program called and that led here: `embedding`, whatever that calls in turn,
/// or empty where the dynamic linker does not know (in a static library). For errors alone: it walks the stack.
std::string called_function();

/// Whether errors say where they were thrown from, in the lines of `user_frames`. Off unless the environment has
/// STRATA_BACKTRACE=1: finding the lines takes a good part of a second the first time.
bool error_backtraces() noexcept;
void set_error_backtraces(bool on) noexcept;

}  // namespace strata
