#ifndef CMDS_OVERVIEW_ANSWER_H
#define CMDS_OVERVIEW_ANSWER_H

#include "cmds/overview/drift_rows.h"
#include "cmds/overview/overview.h"
#include "dump/model/origins.h"

/* The page of `overview`, as lines and as data. */

enum { OVERVIEW_NEXT = 5 };      /* at most so many lines to type next */

struct overview {
	struct overview_head head;
	struct overview_time time;
	overview_memories memory;
	const struct overview_dump *dump;        /* NULL: not known */
	struct findings findings;        /* of the first runs, until the dump is known */
	const struct origins_report *numbers;    /* NULL: not judged */
	const char *unjudged;            /* then why; NULL: not yet */
	struct series_list series;       /* of runs whose tensors are read anyway */
	struct drift_row drift;          /* what grows first; its `s` NULL: nothing */
	const char *made_at;             /* the line that made the first origin; NULL: not known */
	const char *next[OVERVIEW_NEXT];
	size_t n_next;
};

void overview_put(struct call *call, const struct overview *overview);

#endif
