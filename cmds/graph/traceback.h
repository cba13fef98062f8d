#ifndef CMDS_TRACEBACK_H
#define CMDS_TRACEBACK_H

#include "cmds/doc/call.h"
#include "dump/model/stacks.h"

/* The section of `ni -t`: the frames that made the node, outermost first, or why unknown. */
void traceback_put(struct call *call, const char *node);

/* The same as typed data: a list of file, line, function, text, or null. stacks may be NULL. */
void traceback_put_data(const struct stacks *stacks, const char *node, struct data *data);

/* ---- the same of other stacks */

#define TRACEBACK_HEADING "Traceback of node construction:"

struct traced {
	const char *file, *function;
	int64_t line;
	const char *text;        /* the source line; NULL or "": not known */
	const char *host;        /* says which, if several hosts have the file; or NULL */
};
void traced_put(struct doc *doc, uint32_t depth, const struct traced *frame);
/* Four keys, into an open object. frame NULL: nothing is known of it. */
void traced_put_keys(const struct traced *frame, struct data *data);

#endif
