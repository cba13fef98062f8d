#ifndef CMDS_TENSOR_LIST_H
#define CMDS_TENSOR_LIST_H

#include "cmds/profile/joined.h"
#include "cmds/session/session.h"

/*
 * The table of `lt`: some dumped tensors in some order, a body whose rows are made when they are shown.
 * First take the rows, then measure the columns (over what is there and in the order it is in then), then leave rows out,
 * sort, and give it to a document.
 */
struct tensor_list {
	struct body body;
	const struct run *run;
	const char *const *ops;          /* NULL where no graph has the node */
	uint32_t **ranks;                /* private: the visit's, by enum sort_key */
	const bool *hidden;              /* the visit's: tensors that no list of the run shows; may be NULL */
	const bool *unreadable;          /* the visit's: rows to mark; may be NULL */
	VEC(uint32_t) rows;              /* positions in run->tensors */
	const char *unit;                /* "us", "ms", "s" for all times; NULL: each column's own. Set before tensor_list_measure */
	struct node_times *times;        /* the list's own, set before tensor_list_measure; NULL: no columns of times */
	uint32_t *time_ranks[2];         /* private: by host and kernel time */
	size_t width[N_LIST_KEYS];       /* of the columns; the tensor name's counts only before another column */
	size_t device_width;
	char **device_names;             /* short ones; NULL: no device column */
	struct column columns[7];        /* private: of the table, and what is in them */
	int ids[7];
	size_t n_columns;
	struct arena mem;
};

struct tensor_list *tensor_list_new(struct shell *shell);
void tensor_list_free(struct tensor_list *list);

/* All tensors: in time order, or as tfdbg's filters find them, device by device. */
void tensor_list_take_all(struct tensor_list *list, bool by_device);
/* Widths over the rows as they are, and whether they need a device column. */
void tensor_list_measure(struct tensor_list *list);
/* Stable in both directions. */
void tensor_list_sort(struct tensor_list *list, enum sort_key key, bool reverse);
/* The heading line; each heading links to base and the sorting by its column. */
void tensor_list_headings(const struct tensor_list *list, struct doc *doc, const char *base, enum sort_key key,
                          bool reverse);

/*
 * The rows as typed objects: tensor, debug_op, dump, time_us, size_bytes, op, device, host_us, kernel_us. A doc_put_data;
 * context is the list.
 */
bool tensor_list_put_data(void *list, struct data *data, struct progress *progress, struct err *err);
/* ERR_VALUE with tfdbg's text for a word that is no key. */
bool sort_key_parse(const char *word, enum sort_key *key, struct err *err);

#endif
