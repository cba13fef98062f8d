#ifndef CMDS_USAGE_ROWS_H
#define CMDS_USAGE_ROWS_H

#include "cmds/overview/usage.h"

/* What takes how many bytes, added up: the rows of `du`. */

/* A sum of bytes that is 2^63 or more: views of one element may claim as many. */
#define USAGE_TOO_LARGE UINT64_MAX

#define USAGE_GROUPS(X) X(SCOPE, "scope") X(OP, "op") X(DEVICE, "device") X(DTYPE, "dtype") \
	X(RUN, "run")
enum usage_group {
#define X(id, word) USAGE_BY_##id,
	USAGE_GROUPS(X)
#undef X
	N_USAGE_GROUPS
};

/*
 * What counts: tensors of this scope or node, op, device, dtype, all NULL: any. The last three are
 * words of rows: USAGE_NOT_KNOWN is one, too.
 * depth    of rows by scope, from 1 on
 */
#define USAGE_NOT_KNOWN "(unknown)"
#define MAX_USAGE_DEPTH 64
struct usage_query {
	enum usage_group group;
	uint32_t depth;
	const char *scope, *op, *device, *dtype;
};

/* A scope holds what is below it, and the node of its own name if there is one. */
struct usage_row {
	const char *name;
	uint64_t bytes, tensors;
	uint32_t children;       /* rows that are seen inside; 0: there is nothing to go into */
	uint32_t level;          /* from 1; of scopes */
	size_t run;              /* its number, from 1; 0: it is no run */
	bool is_node;            /* it is a node, not a scope, which may have the same name */
	/* Private: numbers of rows, and what the node of a scope's name has. */
	uint32_t parent, first, next;
	uint64_t own_bytes, own_tensors;
};

struct usage_rows {
	VEC(struct usage_row) all;       /* private */
	VEC(const struct usage_row *) shown;     /* each scope followed by what is inside */
	uint64_t bytes, tensors;         /* of what counts */
	uint64_t all_bytes;              /* of everything */
	size_t n_parts;
	struct map names;                /* private, like the next */
	struct arena mem;
};

/* The rows hold nothing of usage or parts. */
void usage_rows_init(struct usage_rows *rows, const struct usage *usage,
                     const struct usage_part *const *parts, size_t n,
                     const struct usage_query *query);
void usage_rows_release(struct usage_rows *rows);

/*
 * A regular expression whose matches (Python's re.match) are everything but what the row has, for
 * its names; and the parameter of tfdbg's recorders that it is for. False: there is none.
 */
bool usage_put_filter(const struct usage_row *row, const struct usage_query *query,
                      struct str *out);
/* of_program: for the recorder of TensorFlow 2. NULL: none. */
const char *usage_filter_for(enum usage_group group, bool of_program);

#endif
