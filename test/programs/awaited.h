// What the programs use and Strata does not have yet, one macro each: the programs that need it stand behind `#ifndef`.
// Whoever adds the thing deletes its line; `script/programs --try` tells which lines can go. Nothing waits now.
#pragma once
