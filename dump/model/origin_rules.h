#ifndef DUMP_ORIGIN_RULES_H
#define DUMP_ORIGIN_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What operations do with NaN and Inf, for finding out where these begin (dump/model/origins.h). It
 * holds for dumps of any format.
 */
enum op_trait {
	OP_CARRIES = 1 << 0,     /* moves, selects or clamps: makes nothing bad of clean inputs */
	/* Its dump may be later than that of its consumer. Use its inputs instead. */
	OP_LOOKED = 1 << 1,
	OP_NO_FLOAT = 1 << 2,    /* what it puts out can't be NaN or Inf */
	OP_PASSES = 1 << 3,      /* one bad element that goes in always makes one come out */
	OP_VARIABLE = 1 << 4,    /* a reference variable */
	OP_HANDLE = 1 << 5,      /* the handle of a resource variable */
	OP_READS = 1 << 6,       /* reads a resource variable */
	OP_ASSIGNS = 1 << 7,     /* writes one, whole */
	OP_FED = 1 << 8,
	OP_ARRAY_READ = 1 << 9,  /* of a TensorArray; so the next */
	OP_ARRAY_WRITE = 1 << 10,
	OP_ARRAY_GRAD = 1 << 11, /* makes the array of gradients of another */
	OP_PUSH = 1 << 12,
	OP_POP = 1 << 13,
	OP_SENDS = 1 << 14,      /* to another device */
	OP_RECEIVES = 1 << 15,
	OP_RETURNS = 1 << 16,    /* what goes in is fetched */
	OP_SELECTS = 1 << 17,    /* takes elements of input 1 or of input 2 */
	OP_MASKS = 1 << 18,      /* -Inf before it is how one leaves elements out */
	OP_CALLS = 1 << 19,      /* runs another graph */
	OP_CONST = 1 << 20,
	OP_MERGE = 1 << 21,      /* only its output 0 is the value */
	OP_SHOWS = 1 << 22,      /* it may be proved by its input that it made something bad */
	OP_COPIES = 1 << 23,     /* output 0 is an input, unchanged */
	OP_LEADS = 1 << 24,      /* a variable goes through it */
	/* Flow of a TensorArray is no data: which output it is, and which input. */
	OP_FLOW_OUT_0 = 1 << 25,
	OP_FLOW_OUT_1 = 1 << 26,
	OP_FLOW_IN_1 = 1 << 27,
	OP_FLOW_IN_2 = 1 << 28,
	OP_FLOW_IN_3 = 1 << 29,
};
uint32_t op_traits(const char *op);      /* 0 of most */
/* The input that is flow; -1: none is. */
int op_flow_input(uint32_t traits);
/* Writes to a variable, if one of its inputs leads to one: ApplyAdam, ScatterAdd, AssignSub ... */
bool op_is_writer(const char *op);
/* May a tensor of this type, as on the wire, hold NaN or Inf? So may one of no known type. */
bool dtype_may_be_bad(uint64_t wire);

/* Does the name lie in a scope of gradients: "gradients_1/", "gradient_tape/"? */
bool name_is_of_gradient(const char *name);
/*
 * The node whose gradient a name belongs to: "a/mul" of "gradients/a/mul_grad/Reshape". NULL: none;
 * else where it begins in `name`, and its length.
 */
const char *name_of_forward(const char *name, size_t *len);

/*
 * Why an operation put out NaN or Inf although what went in was clean.
 *   X(id, name)
 */
#define ORIGIN_REASONS(X) \
	X(UNKNOWN, "unknown") \
	X(FED, "fed") \
	X(DATA, "data")              /* an iterator, a queue, a file */ \
	X(RANDOM, "random") \
	X(VARIABLE, "variable") \
	X(CONSTANT, "constant") \
	X(OPTIMIZER, "optimizer") \
	X(LOG_OF_ZERO, "log_of_zero") \
	X(NEGATIVE_LOG, "negative_log") \
	X(ZERO_BY_ZERO, "zero_by_zero") \
	X(DIVIDE_BY_ZERO, "divide_by_zero") \
	X(NEGATIVE_SQRT, "negative_sqrt") \
	X(NEGATIVE_POWER, "negative_power") \
	X(SQRT_GRADIENT, "sqrt_gradient") \
	X(POW_GRADIENT, "pow_gradient") \
	X(WHERE_GRADIENT, "where_gradient")  /* of a value that a Select left out */ \
	X(DOMAIN, "domain") \
	X(OVERFLOW, "overflow")

enum origin_reason {
#define X(id, name) REASON_##id,
	ORIGIN_REASONS(X)
#undef X
	N_ORIGIN_REASONS
};
extern const char *const origin_reason_names[N_ORIGIN_REASONS];

/* Elements of a tensor; size -1: not known. */
struct bad_counts {
	uint64_t nan, pos_inf, neg_inf;
	int64_t size;
};

static inline bool counts_are_bad(const struct bad_counts *c)
{
	return c->nan || c->pos_inf || c->neg_inf;
}

/* What the rules look at in an input. */
struct origin_input {
	bool known;              /* its elements are; else it is taken to fit */
	bool has_zero, has_negative;
};

/*
 * The reason by the operation, its name, its inputs (those beyond n are not known) and what it put
 * out. REASON_WHERE_GRADIENT needs the graph: it is never the answer.
 */
enum origin_reason origin_reason(const char *op, const char *node, const struct origin_input *in,
                                 size_t n, const struct bad_counts *out);
/*
 * The same for an operation that was not dumped, if its input proves that it made something bad.
 * False: it proves nothing.
 */
bool origin_suspect(const char *op, const char *node, const struct origin_input *in, size_t n,
                    enum origin_reason *reason);

#endif
