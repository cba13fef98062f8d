#ifndef TESTS_READ_ARRAYS_H
#define TESTS_READ_ARRAYS_H

#include "dump/arrays/array.h"

/*
 * Lists the arrays of a file and reads the first and last element of each that says it can be read.
 * What must hold whatever is in the file: an error says why, nothing is larger than the file could
 * tell. Returns how many arrays there are.
 */
size_t read_arrays(const struct array_format *format, const char *path, struct err *err);

#endif
