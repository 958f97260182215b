"""Says where Strata lies: `python -m strata_cpp --cmake` for CMake's Strata_DIR, --include and --lib for a compiler."""

import argparse

import strata_cpp

parser = argparse.ArgumentParser(prog="python -m strata_cpp", description=__doc__)
which = parser.add_mutually_exclusive_group(required=True)
which.add_argument("--cmake", dest="folder", action="store_const", const=strata_cpp.cmake_dir, help="Strata_DIR")
which.add_argument("--include", dest="folder", action="store_const", const=strata_cpp.include_dir, help="for -I")
which.add_argument("--lib", dest="folder", action="store_const", const=strata_cpp.library_dir, help="for -L")
which.add_argument("--prefix", dest="folder", action="store_const", const=strata_cpp.prefix, help="all of it")
print(parser.parse_args().folder)
