// Signal handlers that only do what a signal handler may.
#include "train/interrupt.h"

#include <signal.h>

#include <array>

namespace strata::train {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM};

volatile sig_atomic_t interrupt_count = 0;
std::array<struct sigaction, kSignals.size()> previous;

void restore() {
  for (size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &previous[i], nullptr);
}

void on_signal(int signal) {
  interrupt_count = interrupt_count + 1;
  if (interrupt_count < 2) return;
  restore();
  ::raise(signal);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupt_count = 0;
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &action, &previous[i]);
}

InterruptGuard::~InterruptGuard() { restore(); }

bool InterruptGuard::interrupted() { return interrupt_count > 0; }

}  // namespace strata::train
