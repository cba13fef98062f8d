#ifndef TESTS_PROGRAM_INPUT_H
#define TESTS_PROGRAM_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A recorded program of one process or two from an input's bytes: pieces with PROGRAM_BETWEEN
 * between them, of which each is a record. Its first byte says which file it goes to. A file
 * without records is missing, but for metadata.
 */
#define PROGRAM_BETWEEN "\n|\n"

/* The files so far are forgotten, and made of these bytes. */
void program_input(const uint8_t *data, size_t size);
/* Into the input's directory, whole or each cut in the middle. */
void program_input_write(bool whole);

#endif
