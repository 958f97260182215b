// Where Strata's sources lie, for tests that read files of theirs.
#pragma once
#include <string>

/// The root of the sources, without a slash at its end. It is compiled into one object, so that the others are the same
/// in every clone and come from a compiler cache.
std::string source_dir();
