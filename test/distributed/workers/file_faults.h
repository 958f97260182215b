// The system's calls on files, of which one can be made to fail: a program that has file_faults.cpp gets it in place of
// the C library's, also in the libraries that it uses.
#pragma once
#include <cstdint>
#include <map>
#include <string>

namespace strata {

enum class Fault {
  kNone,
  kKill,   ///< SIGKILL; a write is done by half before
  kError,  ///< EIO, once
  kFull,   ///< ENOSPC, for this call and all later ones that need space
  kShort,  ///< a write is done by half, once
};

/// From now on the calls on files in `folder` are counted, from 1, and the fault happens at number `call`.
void arm(const std::string& folder, int64_t call, Fault fault);
/// The number of calls since then.
int64_t calls_made();
/// The last call that the fault has happened to, by name; an open that makes a file is called "create".
std::string failed_call();
/// How many of which.
std::map<std::string, int64_t> calls_by_name();

}  // namespace strata
