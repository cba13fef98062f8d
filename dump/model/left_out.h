#ifndef DUMP_LEFT_OUT_H
#define DUMP_LEFT_OUT_H

#include "dump/model/run.h"

/*
 * What a recorder could not record. It says so in left_out.json in the root of its recording (a
 * rank above 0 in left_out_rankN.json), which is a list of
 *
 *     {"what": "embed.grad", "why": "a sparse tensor", "count": 12, "first_step": 3}
 *
 * `count` is 1 and `first_step` is not known where they are missing or null.
 * Hands out a problem of the kind PROBLEM_LEFT_OUT for each entry, whose text is one line:
 * "embed.grad: a sparse tensor (12 times, first in step 3)". A file that can't be read to its end
 * gives one more problem, behind its entries before that place. Texts are good during the call.
 */
void left_out_read(const char *dir, void *owner,
                   void (*take)(void *owner, const struct problem *problem));

#endif
