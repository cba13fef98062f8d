#ifndef CMDS_EXPR_H
#define CMDS_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"

/*
 * A Python expression as a tree: only syntax, nothing is looked up or computed. A name in backticks
 * stands for a tensor.
 * Errors: ERR_SYNTAX if Python refuses it too, ERR_UNSUPPORTED if only we do (in, is, lambda, sets,
 * comprehensions, ...); err.off is the column.
 */
#define EXPR_MAX_LEN 4096
#define EXPR_MAX_DEPTH 64

/* X(id, text, level): binary operators; a higher level binds tighter. */
#define EXPR_BINARIES(X) \
	X(LT, "<", 1) X(LE, "<=", 1) X(GT, ">", 1) X(GE, ">=", 1) X(EQ, "==", 1) X(NE, "!=", 1) \
	X(OR, "|", 2) X(XOR, "^", 3) X(AND, "&", 4) X(LEFT_SHIFT, "<<", 5) \
	X(RIGHT_SHIFT, ">>", 5) X(ADD, "+", 6) X(SUB, "-", 6) X(MUL, "*", 7) X(DIV, "/", 7) \
	X(FLOOR_DIV, "//", 7) X(MOD, "%", 7) X(MATMUL, "@", 7) X(POW, "**", 9)
#define EXPR_UNARIES(X) X(NEG, "-") X(POS, "+") X(INVERT, "~")

enum expr_op {
#define X(id, text, level) OP_##id,
	EXPR_BINARIES(X)
#undef X
#define X(id, text) OP_##id,
	EXPR_UNARIES(X)
#undef X
	N_EXPR_OPS
};

enum expr_kind {
	EXPR_INT,                /* whole */
	EXPR_FLOAT,              /* real */
	EXPR_IMAGINARY,          /* real, the imaginary part */
	EXPR_TEXT,               /* name, name_len; is_bytes */
	EXPR_NAME,               /* name */
	EXPR_TENSOR,             /* tensor */
	EXPR_UNARY,              /* op; 1 operand */
	EXPR_BINARY,             /* op; 2 operands */
	EXPR_NOT,                /* 1 operand */
	EXPR_AND,                /* 2 operands */
	EXPR_OR,
	EXPR_IF,                 /* condition, value if true, value if false */
	EXPR_CHAIN,              /* a < b < c: the first operand, then EXPR_LINKs */
	EXPR_LINK,               /* op; 1 operand */
	EXPR_TUPLE,              /* the items */
	EXPR_LIST,
	EXPR_ATTRIBUTE,          /* operand.name */
	EXPR_CALL,               /* the function, then its arguments */
	EXPR_KEYWORD,            /* an argument: name=operand */
	EXPR_INDEX,              /* the value, then an item for each axis */
	EXPR_SLICE,              /* begin, end, step: EXPR_NONE where left out */
	EXPR_ELLIPSIS,
	EXPR_NONE,
};

struct expr {
	enum expr_kind kind;
	enum expr_op op;
	const char *name;        /* NUL-terminated */
	size_t name_len;         /* of an EXPR_TEXT, which may hold NUL */
	bool is_bytes;
	int64_t whole;
	double real;
	size_t tensor;           /* its number, from 0, in the order of the text */
	uint64_t off;            /* its column */
	struct expr *first;      /* operands, arguments, items */
	struct expr *next;
};

/* All in mem. */
struct expr *expr_parse(const char *text, struct arena *mem, struct err *err);

/*
 * The i-th tensor of an expression: what is between the i-th pair of backticks, trimmed. False:
 * there is no such pair.
 */
bool expr_tensor_name(const char *text, size_t i, const char **name, size_t *len);

/* "+" */
const char *expr_op_text(enum expr_op op);

#endif
