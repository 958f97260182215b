// The main function of all Catch2 test programs, where the sources lie, and what is built of them.
#include "test/slim.h"
#include "test/source_dir.h"

#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

std::string source_dir() { return STRATA_SOURCE_DIR; }
bool is_slim() { return STRATA_IS_SLIM; }

int main(int argc, char* argv[]) { return Catch::Session().run(argc, argv); }
