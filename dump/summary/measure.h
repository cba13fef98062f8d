#ifndef DUMP_SUMMARY_MEASURE_H
#define DUMP_SUMMARY_MEASURE_H

#include "dump/summary/rows.h"

/*
 * What a summary keeps of a value: type to above of *out, which starts as {0}. A value of up to 16
 * MiB is read once; of a larger one each pass reads the file. Nothing depends on how many threads
 * there are. False, with *err, if it can't be read, or after a cancel; of progress only that
 * counts.
 */
bool summary_measure(struct value *value, struct summary_value *out, struct progress *progress,
                     struct err *err);

#endif
