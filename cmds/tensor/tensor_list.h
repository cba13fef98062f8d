#ifndef CMDS_TENSOR_LIST_H
#define CMDS_TENSOR_LIST_H

#include "cmds/doc/table.h"
#include "cmds/profile/joined.h"
#include "cmds/session/session.h"

/*
 * The table of `lt`: some dumped tensors in some order, as a body whose rows are made when shown.
 * Call in this order: take the rows; measure the columns, over the rows at that time; leave rows
 * out; arrange the table; put the list into a document.
 */
enum list_health {
	HEALTH_HIDDEN,
	HEALTH_READ,             /* columns of what is known; the caller has read the tensors */
	/* The same, of widths that don't depend on it: it comes as rows show (sign of the body). */
	HEALTH_COMES,
};
struct tensor_list {
	const struct run *run;
	const char *const *ops;          /* by tensor; NULL where no graph has the node */
	const bool *hidden;              /* the visit's: tensors to leave out; may be NULL */
	const bool *unreadable;          /* the visit's: rows to mark; may be NULL */
	VEC(uint32_t) rows;              /* positions in run->tensors; at NULL: all of them */
	/* Both are set before tensor_list_measure. */
	const char *unit;                /* "us", "ms", "s" for all times; NULL: each in its own */
	struct node_times *times;        /* owned by the list; NULL: no columns of times */
	enum list_health health;
	bool fine;                       /* signs beyond ASCII */
	size_t cols;                     /* HEALTH_COMES: columns that don't fit are left out */
	struct visit *visit;
	struct doc *doc;
	struct table *table;             /* made by tensor_list_measure */
	char **device_names;             /* short ones; NULL: no device column */
	bool of_workers;                 /* of several: rows say of which */
	struct arena mem;
};

struct tensor_list *tensor_list_new(struct call *call);  /* owned by the answer's document */

/* All tensors: in time order, or device by device, as tfdbg's filters find them. */
void tensor_list_take_all(struct tensor_list *list, bool by_device);
/* Finds column widths for the present rows, and whether they need a device column. */
void tensor_list_measure(struct tensor_list *list);
/* Arranges the table as the options of the call say. False: the call has the error. */
bool tensor_list_arrange(struct call *call, struct tensor_list *list);
/* The tensor of a row in the order of the list, before --skip and --limit leave rows out. */
uint32_t tensor_list_at(const struct tensor_list *list, uint64_t row);
/*
 * Puts a heading line and the rows. Each heading links to base, sorted by its column. The
 * typed columns are tensor, debug_op, dump, time_us, size_bytes, op, device, host_us and kernel_us;
 * with health also those that rows of a recorded program have, and min and max.
 */
void tensor_list_put(struct call *call, struct tensor_list *list, const char *base,
                     const char *sorted, bool reverse);

/* Do --sort_by or --columns of the call name columns that a profile, or reading tensors, tells? */
bool tensor_list_wants_times(const struct call *call);
bool tensor_list_wants_health(const struct call *call, const char *sort_by);

#endif
