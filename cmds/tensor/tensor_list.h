#ifndef CMDS_TENSOR_LIST_H
#define CMDS_TENSOR_LIST_H

#include "cmds/doc/table.h"
#include "cmds/profile/joined.h"
#include "cmds/session/session.h"

/*
 * The table of `lt`: some dumped tensors in some order, a body whose rows are made when they are shown.
 * First take the rows, then measure the columns (over what is there and in the order it is in then), then leave rows out,
 * sort, and give it to a document.
 */
struct tensor_list {
	const struct run *run;
	const char *const *ops;          /* NULL where no graph has the node */
	uint32_t **ranks;                /* private: the visit's, by enum sort_key */
	const bool *hidden;              /* the visit's: tensors that no list of the run shows; may be NULL */
	const bool *unreadable;          /* the visit's: rows to mark; may be NULL */
	VEC(uint32_t) rows;              /* positions in run->tensors */
	const char *unit;                /* "us", "ms", "s" for all times; NULL: each column's own. Set before tensor_list_measure */
	struct node_times *times;        /* the list's own, set before tensor_list_measure; NULL: no columns of times */
	uint32_t *time_ranks[2];         /* private: by host and kernel time */
	struct doc *doc;
	struct table *table;             /* made by tensor_list_measure */
	char **device_names;             /* short ones; NULL: no device column */
	struct arena mem;
};

struct tensor_list *tensor_list_new(struct call *call);  /* the answer's document has it */

/* All tensors: in time order, or as tfdbg's filters find them, device by device. */
void tensor_list_take_all(struct tensor_list *list, bool by_device);
/* Widths over the rows as they are, and whether they need a device column. */
void tensor_list_measure(struct tensor_list *list);
/* Stable in both directions. */
void tensor_list_sort(struct tensor_list *list, enum sort_key key, bool reverse);
/*
 * Puts the list: a heading line, whose headings link to base and the sorting by their column, and
 * the rows. Typed they are tensor, debug_op, dump, time_us, size_bytes, op, device, host_us and
 * kernel_us.
 */
void tensor_list_put(struct call *call, struct tensor_list *list, const char *base,
                     enum sort_key key, bool reverse);

/* ERR_VALUE with tfdbg's text for a word that is no key. */
bool sort_key_parse(const char *word, enum sort_key *key, struct err *err);

#endif
