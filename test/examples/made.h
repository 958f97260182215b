// Files that make_bpe.py and make_hf.py made.
#pragma once
#include <string>

#include "test/source_dir.h"

inline std::string made(const std::string& name) { return source_dir() + "/test/examples/hf/" + name; }
