#ifndef TESTS_WORD_DUMP_H
#define TESTS_WORD_DUMP_H

/*
 * Writes a dump that a few words describe.
 *   graph  "[1/]NAME[@CHANNEL] OP INPUT...; ..."; 1/ puts it on the second device, CHANNEL is that
 *          of a _Send
 *   dumps  "[1/]NODE:SLOT[*OP]@TIME=VALUE ..."
 * VALUE is one of
 *   1.5              a scalar
 *   1,2              a vector
 *   1,2:3,4          a matrix
 *   1,2:3,4;5,6:7,8  two matrices
 *   i7               an int32
 *   "a,b             strings
 *   !                a damaged file
 */
void word_dump_make(const char *dir, const char *graph, const char *dumps);

#endif
