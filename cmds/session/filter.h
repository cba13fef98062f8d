#ifndef CMDS_FILTER_H
#define CMDS_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/model/run.h"

/*
 * A question about a dumped tensor, as an expression:
 *   expr = and { "||" and } ;  and = not { "&&" not } ;  not = "!" not | "(" expr ")" | test
 *   test = number-field [ compare number ] | text-field ( "==" | "!=" | "~" | "!~" ) string
 *          | "shape" ( "==" | "!=" ) dims
 *   compare = "==" | "!=" | "<" | "<=" | ">" | ">="
 *   number = [-] digits [.digits] [e…] [ k | M | G | us | ms | s ]
 *   string = "…" or '…', \ escapes the next character ;  dims = "[" { integer or _ , } "]"
 * The fields are those of this list; a field's level says what has to be read for it.
 *   X(id, name, kind, level)
 */
#define FILTER_FIELDS(X) \
	X(BYTES, "bytes", NUMBER, LISTED)        /* of the file; k is 1024 */ \
	X(TIME, "time", NUMBER, LISTED)          /* since the run's start; ms without a unit */ \
	X(SLOT, "slot", NUMBER, LISTED) \
	X(OP, "op", TEXT, LISTED) \
	X(NODE, "node", TEXT, LISTED) \
	X(DEVICE, "device", TEXT, LISTED) \
	X(DTYPE, "dtype", TEXT, HEAD) \
	X(SHAPE, "shape", SHAPE, HEAD) \
	X(RANK, "rank", NUMBER, HEAD) \
	X(COUNT, "count", NUMBER, HEAD)          /* elements */ \
	X(NAN, "nan", NUMBER, ELEMENTS)          /* how many */ \
	X(INF, "inf", NUMBER, ELEMENTS)          /* of both signs */ \
	X(ZEROS, "zeros", NUMBER, ELEMENTS) \
	X(MIN, "min", NUMBER, ELEMENTS)          /* these: of finite elements */ \
	X(MAX, "max", NUMBER, ELEMENTS) \
	X(MEAN, "mean", NUMBER, ELEMENTS) \
	X(STD, "std", NUMBER, ELEMENTS)

#define FILTER_MAX_BYTES 4096
#define FILTER_MAX_DEPTH 64

struct filter;

/*
 * NULL with ERR_SYNTAX, or ERR_REGEX for a bad pattern; err->off is the column from 0, also in msg.
 */
struct filter *filter_parse(const char *text, struct err *err);
void filter_free(struct filter *filter);

/*
 * Does the tensor pass? op: its op type, NULL if not known. Nothing is read without need: names,
 * sizes and times decide first, then type and shape. A test of what does not exist is false, even
 * "!=". *err with ERR_CANCELLED or ERR_LIMIT (of a pattern): no answer; with another error: the
 * file could not be read, and its tests count as false.
 */
bool filter_passes(const struct filter *filter, const struct run *run, const struct tensor *tensor,
                   const char *op, struct progress *progress, struct err *err);

#endif
