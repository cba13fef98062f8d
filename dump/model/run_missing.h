#ifndef DUMP_RUN_MISSING_H
#define DUMP_RUN_MISSING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/model/run.h"

/*
 * Was a run cut short? A dump doesn't say, but its graphs name every slot that was watched. What is
 * watched, not dumped and not dead (behind the side of a Switch that was not taken) is missing, and
 * so is what was fetched, dead or not. The side by which a loop ends is always taken once. A
 * missing slot that waits for nothing that is missing is a suspect: its op failed, or was running
 * when the run ended; where all wait for one another, all are. No suspects: nothing is missing.
 * Reads the watches again, and all edges where a slot is missing. The run must have been loaded as
 * a whole.
 */
struct suspect {
	const char *node;        /* of the graph */
	uint32_t slot;
	uint16_t device;
};

/* *suspects in mem, by device, slots as the graph has them. False: a graph can't be read again. */
bool run_suspects(const struct run *run, struct arena *mem, struct suspect **suspects, size_t *n,
                  struct err *err);

/*
 * Every slot that was watched and not dumped.
 * dead  it is behind the side of a Switch that was not taken, and was not fetched
 * ran   another slot of its node, or what takes one, was dumped: so it was computed, and its file
 *       is gone
 */
struct missing_slot {
	const char *node;        /* in mem */
	uint32_t slot;
	uint16_t device;
	bool dead, ran;
};
/* The same as above about memory, order and errors. */
bool run_missing(const struct run *run, struct arena *mem, struct missing_slot **slots, size_t *n,
                 struct err *err);

#endif
