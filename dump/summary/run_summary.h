#ifndef DUMP_RUN_SUMMARY_H
#define DUMP_RUN_SUMMARY_H

#include "dump/model/reader.h"

/*
 * Summaries (dump/summary/summary.h) as dumps: what workers told of a run of one name is one run,
 * with the devices of all of them. Tensors have their numbers and no elements (dump/model/known.h).
 */
extern const struct reader reader_summary;

/* Those of the runs of a summary; *n of them, sorted. Of anything else there are none. */
const char *const *summary_workers(const struct counted *kept, size_t *n);
/* "shards 1, 3 of 8". False: nothing is missing, or it is no summary. */
bool summary_put_missing(const struct counted *kept, struct str *out);

#endif
