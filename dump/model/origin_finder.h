#ifndef DUMP_ORIGIN_FINDER_H
#define DUMP_ORIGIN_FINDER_H

#include "dump/base/progress.h"
#include "dump/model/origin_value.h"
#include "dump/model/origins.h"
#include "dump/model/run.h"

/*
 * Finds origins in runs that are given to it one after the other, in their order. A run may be
 * closed when it was added: of it only what is bad is kept, about 100 bytes a tensor.
 */
struct origin_finder;

/* single: only one run will come. */
struct origin_finder *origin_finder_new(bool single);
void origin_finder_free(struct origin_finder *finder);

/*
 * position: of the run, from 1; health: of each of its tensors. Several runs may have the same
 * graph (dump/model/graph_store.h): what is found out about it is found out once. False after a
 * cancel.
 */
bool origin_finder_add(struct origin_finder *finder, const struct run *run, uint32_t position,
                       const struct origin_health *health, struct progress *progress,
                       struct err *err);

/*
 * Puts the rows, ranked, and the totals into a new report; run names, growth and what is ignored
 * are the caller's. is_ignored may be NULL. NULL after a cancel.
 */
struct origins_report *origin_finder_finish(struct origin_finder *finder,
                                            origin_is_ignored *is_ignored, void *context,
                                            struct progress *progress, struct err *err);

#endif
