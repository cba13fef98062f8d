#ifndef DUMP_TIME_PARTS_H
#define DUMP_TIME_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What a step spends its time on. Where several go on at once, the first in this order has the
 * instant: a device that computes is what the program is there for, whatever else happens
 * meanwhile.
 */
#define TIME_PARTS(X) \
	X(DEVICE_COMPUTE, "device_compute") \
	X(COLLECTIVES, "collectives")        /* between devices */ \
	X(DEVICE_COPY, "device_copy") \
	X(COMPILE, "compile") \
	X(INPUT, "input")                    /* the program waits for its input */ \
	X(OUTPUT, "output") \
	X(LAUNCH, "launch")                  /* calls that start work on a device */ \
	X(HOST_COMPUTE, "host_compute") \
	X(OTHER, "other")                    /* nothing is recorded */

enum time_part {
#define X(id, name) PART_##id,
	TIME_PARTS(X)
#undef X
	N_TIME_PARTS
};

/* Where the time of a step went; the parts add up to the total. */
struct breakdown {
	int64_t total_ns, part_ns[N_TIME_PARTS];
	unsigned recorded;               /* bits, by part: there is some, if not in this step */
};

/* Does a kernel or an XLA op of this name exchange data between devices? */
bool name_is_collective(const char *name);
/* PART_COMPILE, PART_INPUT or PART_OUTPUT by the name or type of an op; else PART_OTHER. */
enum time_part part_of_host_name(const char *name, size_t len);

#endif
