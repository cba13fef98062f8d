#ifndef CMDS_KERNEL_PARTS_H
#define CMDS_KERNEL_PARTS_H

#include "cmds/profile/kernel_table.h"
#include "dump/base/arena.h"
#include "dump/base/map.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"

/* Shared by kernel_table.c, kernel_names.c and kernel_facts.c, and private to them. */

struct table_step {
	const struct activities *acts;
	const char *label;
	uint32_t *names, *devices;       /* our numbers of its names; MAP_NONE: none yet */
	size_t base;                     /* number of its first activity among all */
	bool *launched;                  /* by node: -k matches a kernel of it; NULL: no -k */
	/* By frame of a trace: the numbers of texts about it; MAP_NONE: none yet. */
	uint32_t *line, *stack, *modules;
};

/* What is known of a name; YES or NO once a pattern was tried. */
enum { UNASKED, NO, YES };
struct name_info {
	uint8_t device, node, op, kernel, source, wanted;
	bool is_own;                     /* the scope is the innermost one */
	uint32_t scope;                  /* of a node: the deepest scope with a row */
	uint32_t parent;                 /* of a scope */
	uint32_t source_line;
	uint32_t row;                    /* number of its row + 1; 0: none */
	uint32_t facts;                  /* of a device: its place in table->devices + 1; 0: none */
};

struct kernel_work {
	struct kernel_query query;
	struct table_step *steps;
	size_t n_steps, n_activities;
	struct map names;
	VEC(struct name_info) info;
	uint32_t *key_of;                /* by activity: its row's name; MAP_NONE: filtered out */
	uint32_t *member;                /* activities, row by row */
	struct str scratch;
	struct arena mem;
	struct progress *progress;
	struct err *err;
	/* For kernel_members_of. */
	const char *wanted;
	struct kernel_members *members;
	/* For kernel_row_more, by name. */
	int64_t *node_total;
	uint32_t *node_seen, seen;
};

static inline bool by_kernel(enum kernel_group group)
{
	return group == GROUP_KERNEL || group == GROUP_SHAPE;
}

/* Names and filters (kernel_names.c). The filters fill *err if a pattern takes too long. */

uint32_t kernel_intern(struct kernel_work *w, const char *text, size_t len);
bool kernel_device_passes(struct kernel_work *w, const struct table_step *step,
                          const struct activity *a);
bool kernel_name_passes(struct kernel_work *w, const struct table_step *step,
                        const struct activity *a);
/* All filters but that of the device. */
bool kernel_all_pass(struct kernel_work *w, const struct table_step *step,
                     const struct activity *a);
/* The name of the row that an activity is in. */
uint32_t kernel_key(struct kernel_work *w, enum kernel_group group, const struct table_step *step,
                    const struct activity *a);

/*
 * Totals of a file without records (kernel_totals.c): rows of their own, grouped by kernel. False:
 * something else was asked for, or a regular expression took too long.
 */
bool kernel_has_totals(const struct kernel_table *table);
bool kernel_choose_totals(struct kernel_table *table, struct err *err);
void kernel_take_totals(struct kernel_table *table);
/* The raw names behind such a row. */
void kernel_totals_more(const struct kernel_table *table, const struct kernel_row *row,
                        struct kernel_row_more *more);
/* "file.py:12(f)" where an activity came from; MAP_NONE: not known. */
uint32_t kernel_source_line(struct kernel_work *w, const struct table_step *step,
                            const struct activity *a);
/* The name whose scopes an activity is in: that of its node, within modules if there are some. */
uint32_t kernel_scoped_node(struct kernel_work *w, const struct table_step *step,
                            const struct activity *a);

/* An activity by its number among those of all steps, and which step it is of. */
const struct activity *kernel_activity(const struct kernel_work *w, size_t at,
                                       const struct table_step **step);

/* Adds a step to table->devices (kernel_facts.c). */
void kernel_find_facts(struct kernel_table *table, const struct table_step *step);

#endif
