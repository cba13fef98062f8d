#ifndef CMDS_FUZZY_H
#define CMDS_FUZZY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * How well a few typed letters fit a name. They must all be in it, in their order; a small letter
 * stands for the capital too. Best are letters side by side, and those that begin a word: behind
 * one of / _ . : - or a blank, or a capital behind a small letter. Of the ways in which they fit
 * the best one counts.
 *
 * FUZZY_NONE: they do not fit. No letters fit everything, with 0. Only the first FUZZY_MOST bytes
 * of a name are looked at, and more letters than that fit nothing.
 * Costs   len * name_len steps, but only len + name_len where the letters do not fit.
 */
enum { FUZZY_NONE = -1, FUZZY_MOST = 512 };
int fuzzy_score(const char *letters, size_t len, const char *name, size_t name_len);

/*
 * Which bytes of the name the letters are, in the way that counts: marked[0..name_len), of at most
 * FUZZY_MOST bytes. None where they do not fit, or are more than FUZZY_MARKED.
 */
enum { FUZZY_MARKED = 64 };
void fuzzy_mark(const char *letters, size_t len, const char *name, size_t name_len, bool *marked);

#endif
