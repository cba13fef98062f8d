#ifndef CMDS_SOURCE_LIST_H
#define CMDS_SOURCE_LIST_H

#include "cmds/doc/table.h"
#include "cmds/graph/source.h"
#include "cmds/lang/pattern.h"

/*
 * The source files of a program in two tables, the framework's own apart, each with what its lines
 * made. Who recorded that says what there is to count and to show of a file, by the columns of a
 * table (cmds/doc/table.h) over `rows`; those with a heading show, in their order.
 */
enum { SOURCE_PATH, SOURCE_NODE, N_SOURCE_LIST_OPTS };
#define SOURCE_LIST_OPTS \
	[SOURCE_PATH] = { OPT_WORD, "p", "path_filter", \
	                  "keep files whose absolute path matches from its start" }, \
	[SOURCE_NODE] = { OPT_WORD, "n", "node_name_filter", \
	                  "count only nodes whose name matches from its start" }

#define SOURCE_COUNTS 4

struct source_row {
	const char *path;
	uint32_t file;           /* its number, from 0 */
	bool library;
	bool made;               /* something was counted */
	uint32_t line;           /* the lowest line that made something */
	uint64_t count[SOURCE_COUNTS];
	size_t last;             /* private: the way counted last, from 1 */
	bool shown;
};

struct source_list {
	VEC(struct source_row) rows;     /* by file; when put: of the table */
	const void *owner;
	/* Appends the command that shows a file. */
	void (*link)(const struct source_list *list, const struct source_row *row,
	             struct str *out);
	bool idle;                       /* files that made nothing show too */
	const char *library;             /* what the files apart are of; TensorFlow's at first */
	size_t n_ways;                   /* private */
};

/* The document has it. path lives as long as the document. */
struct source_list *source_list_new(struct doc *doc, const void *owner);
void source_list_add(struct source_list *list, const char *path, bool library);

/* What -p and -n ask for. False: call->err. *names is NULL without -n. */
bool source_list_filter(struct call *call, struct source_list *list, struct pattern **names);
/* False too with call->err, if the pattern takes too long. NULL fits all. */
bool source_fits(struct call *call, struct pattern *pattern, const char *text);

/*
 * Counts what was made in one way: calls are n positions in places. A file counts once, whatever
 * number of its lines are among them.
 */
void source_list_count(struct source_list *list, const struct source_place *places,
                       const uint32_t *calls, uint32_t n, const uint64_t *count);

/*
 * Puts the answer. The table's context is the list, its name the column of paths. False: the call
 * has an error about what is asked of the table.
 */
bool source_list_put(struct call *call, struct source_list *list, struct table *table,
                     const char *title);

#endif
