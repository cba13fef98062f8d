#ifndef TESTS_SPOILED_H
#define TESTS_SPOILED_H

#include <stddef.h>

#include "dump/base/str.h"

/*
 * Recordings in which words of names (linear, loss, gradients, MatMul, ...) are replaced by as many
 * bytes that would do harm on a terminal, so that every length in the files stays right.
 */

/*
 * Copies a file, or a directory with all that is in it: names and contents. GraphDefs as text are
 * left out.
 */
void spoiled_copy(const char *from, const char *to);

/* The same for a text: a command line that names the same things. */
void put_spoiled(struct str *out, const char *text);

/*
 * The first harmful bytes that came through unchanged, or NULL. Colours and cursor movements are
 * fine.
 */
const char *spoiled_find(const char *bytes, size_t len);

#endif
