#ifndef DUMP_ORIGIN_GROWTH_H
#define DUMP_ORIGIN_GROWTH_H

#include "dump/model/origins.h"
#include "dump/model/run.h"

/*
 * What grew before it went bad: inputs of an origin and variables whose largest finite magnitude
 * became more than ten times as large with each run. Give it the runs from the first to the
 * origin's, in order; if no tensor is left that grew all the time, it needs no more.
 */
struct origin_growing;

/* run: the origin's, with its graphs. */
struct origin_growing *origin_growing_new(const struct run *run, const struct origin_row *row);
void origin_growing_free(struct origin_growing *growing);
/*
 * Names are enough of these runs; the largest finite |x| of a tensor is the caller's to know.
 * False: nothing is left.
 */
typedef double origin_magnitude(void *context, uint32_t at);     /* NAN: there is none */
bool origin_growing_add(struct origin_growing *growing, const struct run *run,
                        origin_magnitude *magnitude, void *context);
/* Puts what is left into the report; nothing if there were fewer than three runs. */
void origin_growing_put(struct origin_growing *growing, struct origins_report *report);

#endif
