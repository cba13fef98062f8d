#ifndef CMDS_FILTER_PARTS_H
#define CMDS_FILTER_PARTS_H

#include "cmds/lang/pattern.h"
#include "cmds/session/filter.h"
#include "dump/base/vec.h"

/* What an expression is once it is read: by filter.c, for filter_ask.c. */

enum field_kind { KIND_IS_NUMBER, KIND_IS_TEXT, KIND_IS_SHAPE };
struct filter_field_row {
	const char *name;
	enum field_kind kind;
	enum filter_level level;
};
extern const struct filter_field_row filter_fields[N_FILTER_FIELDS];

/* Longer ones first. */
#define COMPARES(X) \
	X(EQUAL, "==") X(NOT_EQUAL, "!=") X(LESS_EQUAL, "<=") X(GREATER_EQUAL, ">=") \
	X(NOT_MATCH, "!~") X(LESS, "<") X(GREATER, ">") X(MATCH, "~")

enum compare {
#define X(id, text) COMPARE_##id,
	COMPARES(X)
#undef X
	N_COMPARES
};

struct test {
	enum filter_field field;
	enum compare compare;
	struct filter_number number;
	char *text;
	struct pattern *pattern;         /* COMPARE_MATCH, COMPARE_NOT_MATCH */
	struct shape shape;              /* dim -1: any */
};

enum operation { PUT_TEST, DO_NOT, DO_AND, DO_OR };
struct step {
	enum operation operation;
	struct test test;
};

struct filter {
	VEC(struct step) steps;
};

/* Each level of brackets keeps at most two answers waiting. */
#define STACK (3 * FILTER_MAX_DEPTH)

#endif
