#ifndef DUMP_V2_PARTS_H
#define DUMP_V2_PARTS_H

#include <sys/types.h>

#include "dump/format/tfrecord.h"
#include "dump/model/program.h"
#include "dump/v2/event.h"

/* Shared by the parts of the reader, and private to them. */

enum v2_mode {
	V2_NO_TENSOR = 1, V2_CURT = 2, V2_CONCISE = 3, V2_FULL_HEALTH = 4, V2_SHAPE = 5,
	V2_FULL_TENSOR = 7,
};

/* A file of a set, and how far it was read. */
struct v2_file {
	struct tfrecord_walk walk;
	bool there;              /* it was opened at least once, as this one: */
	dev_t dev;
	ino_t ino;
	uint64_t size;           /* it was read up to here */
	int64_t changed_ns;
};

struct v2_reading {
	VEC(struct v2_file) files;       /* PROGRAM_FILE_KINDS of each set */
	bool any_time, any_start;
	double first_time, first_start;  /* the earliest of all records, of metadata records */
	size_t scanned_traces, scanned_steps;    /* program_scan is done with those before */
};

/* The path of a file of a set; the caller frees it. */
char *v2_path(const struct program *program, uint16_t set, int kind);

/* Fills in what a summary of n numbers says, and sets health->known. */
#define V2_SUMMARY_MAX 11
void v2_summary_health(int64_t mode, const double *number, size_t n, struct health *health);
/* Only whether it says that there are NaN or Inf, and of which kinds. */
enum program_bad v2_summary_bad(int64_t mode, const double *number, size_t n, uint8_t *kinds);
uint8_t v2_kinds(const struct health *health);

bool v2_health(struct program_reads *reads, const struct program_tensor *tensor,
               struct health *health, struct progress *progress, struct err *err);
struct value *v2_value(struct program_reads *reads, const struct program_tensor *tensor,
                       struct err *err);
bool v2_source_lines(struct program_reads *reads, uint32_t source, uint32_t first,
                     program_line_sink *sink, void *owner, struct err *err);
bool v2_scan(struct program *program, uint64_t max_bytes, struct progress *progress,
             struct err *err);

#endif
