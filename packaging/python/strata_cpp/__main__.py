"""Says where Strata lies: `python -m strata_cpp --prefix` for CMAKE_PREFIX_PATH, --include and --lib for a compiler."""

import argparse

import strata_cpp

parser = argparse.ArgumentParser(prog="python -m strata_cpp", description=__doc__)
which = parser.add_mutually_exclusive_group(required=True)
which.add_argument("--cmake", dest="folder", action="store_const", const=strata_cpp.cmake_dir,
                   help="strata_DIR, or Strata_DIR where it is looked for by that name")
which.add_argument("--include", dest="folder", action="store_const", const=strata_cpp.include_dir, help="for -I")
which.add_argument("--lib", dest="folder", action="store_const", const=strata_cpp.library_dir, help="for -L")
which.add_argument("--prefix", dest="folder", action="store_const", const=strata_cpp.prefix, help="CMAKE_PREFIX_PATH")
print(parser.parse_args().folder)
