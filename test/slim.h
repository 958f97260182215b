// What a build with STRATA_SLIM lacks, in one place. Tests that need it are tagged [lapack], which CTest leaves out
// there.
#pragma once
#include <array>
#include <string_view>

/// Is this such a build? It is compiled into one object, as source_dir() is.
bool is_slim();

/// The ops without a kernel there; functions made of them (pinv, lstsq, the norm of 2 of a matrix) end in the same
/// error.
inline constexpr std::array<std::string_view, 10> kNotInSlim = {
    "qr", "geqrf", "svd", "svdvals", "eigh", "eigvalsh", "eig", "eigvals", "ldl_factor_ex", "ldl_solve"};
