#ifndef DUMP_RUN_SUMMARY_H
#define DUMP_RUN_SUMMARY_H

#include "dump/model/reader.h"

/*
 * Summaries (dump/summary/summary.h) as dumps: what workers told of a run of one name is one run,
 * with the devices of all of them. Tensors have their numbers and no elements (dump/model/known.h).
 * What was read of one by then (dump/summary/whole.h) may be in the place that look fills in.
 */
extern const struct reader reader_summary;

#endif
