// What tests ask of the library that stands in NCCL's place, beside NCCL's own functions.
#pragma once
#include <string>

namespace strata::test {

/// Keeps what a program did that NCCL forbids, and what it did not give back. Tests find it by dlsym.
struct FakeNccl {
  /// One line for each broken rule since the last call; empty if there is none.
  std::string (*broken_rules)();
  /// Communicators that were neither destroyed nor aborted.
  int (*live_communicators)();
  /// Pieces of memory that are registered now.
  int (*registrations)();
  /// Lets all communicators of this rank find an error in the network from now on, until it is cleared by -1.
  void (*fail_rank)(int rank);
  /// Keeps all collectives from their end while it is on.
  void (*hold)(bool on);
  /// How many ids were asked for, each for a communicator that is not made from another one.
  int (*ids)();
};

}  // namespace strata::test
