#ifndef TESTS_SMALL_PPROF_H
#define TESTS_SMALL_PPROF_H

#include "dump/base/str.h"

/*
 * A pprof file (gzip) turned into lines: its value types, its comment, then the samples, sorted,
 * each with its values, its label and its frames, leaf first. Written here anew, so that writer and
 * reader do not share a mistake. Aborts on damage.
 */
void pprof_as_text(struct str *file);

#endif
