#ifndef DUMP_RUN_METADATA_H
#define DUMP_RUN_METADATA_H

#include "dump/profile/step_source.h"

/*
 * TensorFlow's own trace of a step: a RunMetadata, or the StepStats in it as a file of its own.
 * Source: tensorflow/core/framework/step_stats.proto, tensorflow/core/protobuf/config.proto.
 */
extern const struct step_source run_metadata_source, step_stats_source;

/*
 * all_start - scheduled in ns. TensorFlow 1.15 stored scheduled_nanos times 1000, wrapped to 64
 * bits; that is undone if the two are more than an hour apart. False: no repair gives a plausible
 * time.
 */
bool queue_of(int64_t all_start_ns, int64_t scheduled_ns, int64_t *queue_ns);

/* Of run_metadata_detail.c. */
bool run_metadata_detail(struct detail_reader *reader, const struct record *record, unsigned want,
                         struct err *err);
void run_metadata_close(struct detail_reader *reader);

#endif
