"""The C++ library Strata as a Python package: where its library, headers and CMake package lie."""

from pathlib import Path

prefix = Path(__file__).resolve().parent
include_dir = prefix / "include"
library_dir = prefix / "lib"
cmake_dir = library_dir / "cmake" / "strata"
