// Signal handlers that only do what a signal handler may.
#include "common/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <string_view>

namespace strata::examples {
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
  constexpr std::string_view kShowCursor = "\r\x1b[K\x1b[?25h";
  if (::isatty(STDERR_FILENO)) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kShowCursor.data(), kShowCursor.size());
  }
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

}  // namespace strata::examples
