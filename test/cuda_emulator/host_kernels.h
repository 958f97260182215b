// Generated kernels, compiled by the host's compiler for the emulator.
#pragma once
#include <string>

namespace strata::emulator {

struct HostKernel;

/// A kernel of a source; compiled when it is first asked for, with all others that are not yet.
HostKernel* add_kernel(const std::string& name, const std::string& text);
/// What the source's kernel is in the host's code.
void* function_of(HostKernel* kernel);

/// While kernels are collected none is started: a test runs once to say what it needs, so that the compiler is called
/// once for all.
void set_collecting(bool on);
bool is_collecting();

}  // namespace strata::emulator
