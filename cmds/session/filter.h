#ifndef CMDS_FILTER_H
#define CMDS_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "cmds/array/survey.h"
#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/base/wide.h"
#include "dump/model/run.h"

/*
 * A question about a tensor that was recorded, as an expression:
 *   expr = and { "||" and }
 *   and = not { "&&" not }
 *   not = "!" not | "(" expr ")" | test
 *   test = number-field [ compare number ] | text-field ( "==" | "!=" | "~" | "!~" ) string
 *          | "shape" ( "==" | "!=" ) dims
 *   compare = "==" | "!=" | "<" | "<=" | ">" | ">="
 *   number = [-] digits [.digits] [e…] [ k | M | G | us | ms | s ]
 *   string = "…" or '…', \ escapes the next character
 *   dims = "[" { integer or _ , } "]"
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

enum filter_field {
#define X(id, name, kind, level) FIELD_##id,
	FILTER_FIELDS(X)
#undef X
	N_FILTER_FIELDS
};

/* What has to be read: nothing but the list of tensors, the head of the record, its elements. */
enum filter_level { LEVEL_LISTED, LEVEL_HEAD, LEVEL_ELEMENTS };

#define FILTER_MAX_BYTES 4096
#define FILTER_MAX_DEPTH 64

struct filter;

/*
 * NULL with ERR_SYNTAX, or ERR_REGEX for a bad pattern; err->off is the column from 0, also in msg.
 */
struct filter *filter_parse(const char *text, struct err *err);
void filter_free(struct filter *filter);

/* A record may leave a question open. */
enum answer3 { ANSWER_NO, ANSWER_YES, ANSWER_OPEN };

/* Integers are compared as integers: they may be longer than a double holds. */
struct filter_number {
	bool whole;
	wide_int integer;
	double real;
};

/*
 * The tensor that is asked about. A field is told, or it is not; or there is no such thing: then a
 * test of it is false, even "!=". A dimension of a shape that is not told is -1.
 */
enum filter_told { FIELD_TOLD, FIELD_ABSENT, FIELD_NOT_TOLD };
struct filter_subject {
	enum filter_told (*number)(struct filter_subject *subject, enum filter_field field,
	                           struct filter_number *out);
	enum filter_told (*text)(struct filter_subject *subject, enum filter_field field,
	                         const char **out);
	enum filter_told (*shape)(struct filter_subject *subject, struct shape *out);
	/* Reads what fields of the next level need; only then they are asked for. */
	void (*read)(struct filter_subject *subject, enum filter_level level);
	struct err *err;         /* ERR_LIMIT of a pattern, and what `read` finds */
	enum filter_level level; /* private */
};

/*
 * Three-valued: what is not told leaves a test open, "open && false" is false, "open || true" is
 * true, "!open" is open. Nothing is read without need: names, sizes and times decide first, then
 * type and shape.
 */
enum answer3 filter_ask(const struct filter *filter, struct filter_subject *subject);

/* Numbers of elements. False: there is none, as without order no minimum. */
bool filter_survey_number(const struct survey *survey, const struct dtype_info *type,
                          enum filter_field field, struct filter_number *out);
static inline struct filter_number filter_integer(wide_int integer)
{
	return (struct filter_number){ .whole = true, .integer = integer };
}

/*
 * Does the tensor of a run pass? Nothing of it is open. op: its op type, NULL if not known. *err
 * with ERR_CANCELLED or ERR_LIMIT (of a pattern): no answer; with another error: the file could not
 * be read, and its tests count as false.
 */
bool filter_passes(const struct filter *filter, const struct run *run, const struct tensor *tensor,
                   const char *op, struct progress *progress, struct err *err);

#endif
