# Checks that the training program in README.md is examples/readme.cpp, which the build compiles and a test runs.
file(READ ${SOURCE_DIR}/README.md readme)
file(READ ${SOURCE_DIR}/examples/readme.cpp program)
string(FIND "${readme}" "```cpp\n${program}```" place)
if(place EQUAL -1)
  message(FATAL_ERROR "README.md does not show examples/readme.cpp as it is")
endif()
