#ifndef DUMP_PAIRING_H
#define DUMP_PAIRING_H

#include "dump/base/arena.h"
#include "dump/model/run.h"

/*
 * Which array of one source is which of another, that may have other names for them. One of the two
 * may be a dump: its tensors are called "node", but for slots other than 0 "node:1". In this order,
 * each array once:
 *   1. as the user says (--map)
 *   2. equal names, of equal devices first
 *   3. a full name (run_node_id) that is a name or full name of the other
 *   4. equal names but for what wrappers put before them ("module.", "model."), or for the
 *      beginning that all names of a source have; '/' is '.'
 *   5. by order, if that is asked for: the first that is left is the first that is left
 */
struct pairing {
	VEC(struct mapped_name) map;
	bool by_order;
	bool transpose;          /* shapes that are turned are compared, turned back */
	struct arena mem;
};

/* PAIRING_NOTHING in place of one: the other has no partner, and nothing is to be said of it. */
struct mapped_name {
	const char *now, *before;
	uint64_t line;           /* of the file */
};
#define PAIRING_NOTHING "-"

/*
 * Reads lines of two names, the new and the old one, with a tab or blanks between them; # begins a
 * comment. ERR_IO, or ERR_SYNTAX with the line.
 */
bool pairing_read_map(struct pairing *pairing, const char *path, struct err *err);
void pairing_release(struct pairing *pairing);

/*
 * partner: for each tensor of `now` the position of its own, PAIRING_NONE, or PAIRING_LEFT_OUT.
 * taken: for each tensor of `before`, is it such a partner, or left out? Begins with false.
 */
#define PAIRING_NONE UINT32_MAX
#define PAIRING_LEFT_OUT (UINT32_MAX - 1)
void pairing_find(const struct pairing *pairing, const struct run *now, const struct run *before,
                  uint32_t *partner, bool *taken);

/* Which of the two names is that of no array, so that the line says nothing. */
struct missing_names {
	bool now, before;
};
struct missing_names pairing_missing(const struct mapped_name *name, const struct run *now,
                                     const struct run *before);

/*
 * All of an array, turned so that it has this shape: its axes in another order (NHWC for NCHW, the
 * weights of one framework for those of another). False: no order of them fits.
 */
bool view_turned(struct view *view, struct value *value, const struct shape *as);

#endif
