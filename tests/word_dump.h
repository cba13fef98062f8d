#ifndef TESTS_WORD_DUMP_H
#define TESTS_WORD_DUMP_H

/*
 * Writes a dump that is told in a few words.
 *   graph  "[1/]NAME[@CHANNEL] OP INPUT...; ..."     1/: on the second device; CHANNEL: of a _Send
 *   dumps  "[1/]NODE:SLOT[*OP]@TIME=VALUE ..."       VALUE: 1.5   1,2 (a vector)
 *          1,2:3,4 (a matrix)   1,2:3,4;5,6:7,8 (two)   i7 (int32)   "a,b (strings)   ! (damaged)
 */
void word_dump_make(const char *dir, const char *graph, const char *dumps);

#endif
