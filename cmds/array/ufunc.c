/*
 * First the common type of the operands is found. Then they are read through cursors, a block of
 * cells at a time, and results are stored one after the other: their memory order is the order of
 * the walk.
 */
#include "cmds/array/ufunc.h"

#include <string.h>

#include "cmds/array/promote.h"
#include "cmds/array/sequence.h"

#define MAX_OPERANDS 3

const char *ufunc_name(enum ufunc ufunc)
{
	static const char *const names[] = {
#define X(id, name) name,
		UNARY_UFUNCS(X) BINARY_UFUNCS(X)
#undef X
	};

	return names[ufunc];
}

enum ufunc ufunc_of(enum expr_op op)
{
	static const enum ufunc ufuncs[] = {
		[OP_NEG] = UFUNC_NEGATIVE, [OP_POS] = UFUNC_POSITIVE, [OP_INVERT] = UFUNC_INVERT,
		[OP_LT] = UFUNC_LESS, [OP_LE] = UFUNC_LESS_EQUAL, [OP_GT] = UFUNC_GREATER,
		[OP_GE] = UFUNC_GREATER_EQUAL, [OP_EQ] = UFUNC_EQUAL, [OP_NE] = UFUNC_NOT_EQUAL,
		[OP_OR] = UFUNC_OR, [OP_XOR] = UFUNC_XOR, [OP_AND] = UFUNC_AND,
		[OP_ADD] = UFUNC_ADD, [OP_SUB] = UFUNC_SUBTRACT, [OP_MUL] = UFUNC_MULTIPLY,
		[OP_DIV] = UFUNC_DIVIDE, [OP_FLOOR_DIV] = UFUNC_FLOOR_DIVIDE,
		[OP_MOD] = UFUNC_REMAINDER, [OP_LEFT_SHIFT] = UFUNC_LEFT_SHIFT,
		[OP_RIGHT_SHIFT] = UFUNC_RIGHT_SHIFT, [OP_POW] = UFUNC_POWER,
	};

	return ufuncs[op];
}

/* Lists and tuples become arrays; *as is the caller's to free. */
static bool take_operand(struct workspace *ws, const struct ndarray *a, struct ndarray **as)
{
	*as = sequence_to_array(ws, a);
	if (!*as)
		return false;
	return promote_knows((*as)->type) ||
	       ws_refuse(ws, "computing with elements of type %s", (*as)->type->name);
}

/* No such function of such numbers. */
static void *no_loop(struct workspace *ws, enum ufunc ufunc)
{
	return ws_fail(
		ws, ERR_TYPE,
		"ufunc '%s' not supported for the input types, and the inputs could not be safely "
		"coerced to any supported types according to the casting rule ''safe''",
		ufunc_name(ufunc));
}

/* The common type of the operands is `in`, that of the result `out`. */
struct plan {
	enum dtype in, out;
	enum cell cells[MAX_OPERANDS];   /* of `in`, except in comparisons across signs */
	enum cell result;        /* what the loop writes */
	unary_loop *unary;
	binary_loop *binary;     /* NULL, too: np.where, whose first operand is the condition */
};

static bool is_condition(const struct plan *plan, size_t operand)
{
	return !plan->unary && !plan->binary && operand == 0;
}

static void run_block(const struct plan *plan,
                      unsigned char cells[MAX_OPERANDS][CELLS * CELL_BYTES], size_t n, void *out)
{
	size_t bytes = cell_bytes(plan->result);

	if (plan->unary) {
		plan->unary(cells[0], n, out);
	} else if (plan->binary) {
		plan->binary(cells[0], cells[1], n, out);
	} else {
		for (size_t i = 0; i < n; i++)  /* where */
			memcpy((unsigned char *)out + i * bytes,
			       cells[cells[0][i] ? 1 : 2] + i * bytes, bytes);
	}
}

static bool run_blocks(struct workspace *ws, const struct plan *plan,
                       const struct ndarray *const *operands, size_t n, const uint8_t *order,
                       struct ndarray *made)
{
	_Alignas(CELL_BYTES) unsigned char cells[MAX_OPERANDS][CELLS * CELL_BYTES];
	_Alignas(CELL_BYTES) unsigned char out[CELLS * CELL_BYTES];
	struct cursor cursors[MAX_OPERANDS];

	for (size_t i = 0; i < n; i++)
		cursor_start(&cursors[i], operands[i], &made->shape, order);
	for (uint64_t done = 0; done < made->count; done += CELLS) {
		size_t some = made->count - done < CELLS ? (size_t)(made->count - done) : CELLS;

		for (size_t i = 0; i < n; i++)
			if (is_condition(plan, i))
				cursor_copy(&cursors[i], some, cells[i]);
			else
				cursor_take(&cursors[i], some, plan->cells[i], cells[i]);
		run_block(plan, cells, some, out);
		cells_store(plan->result, out, some, made->type,
		            made->first + done * made->type->elem_bytes);
		if (!ws_step(ws, done + some, made->count))
			return false;
	}
	return true;
}

static bool find_shape(struct workspace *ws, const struct ndarray *const *operands, size_t n,
                       struct shape *shape)
{
	struct str text = {0};
	bool ok = true;

	*shape = operands[0]->shape;
	for (size_t i = 1; i < n; i++)
		ok = ok && shape_broadcast(shape, &operands[i]->shape, shape);
	for (size_t i = 0; i < n && !ok; i++) {
		put_dims(&text, operands[i]->shape.dim, operands[i]->shape.rank);
		str_puts(&text, " ");
	}
	if (!ok)
		ws_fail(ws, ERR_VALUE, "operands could not be broadcast together with shapes %s",
		        text.text);
	str_release(&text);
	return ok;
}

/*
 * Rounds operands to float16 or bfloat16 beforehand: there are no such cells, and a number may have
 * more digits.
 */
static bool meet(struct workspace *ws, const struct plan *plan,
                 const struct ndarray *const *operands, size_t n, struct ndarray **met)
{
	for (size_t i = 0; i < n; i++) {
		bool round = cell_rounds(dtype_info(plan->in)) &&
		             operands[i]->type->dtype != plan->in && !is_condition(plan, i);

		met[i] = round ? ndarray_astype(ws, operands[i], plan->in) :
		                 ndarray_view(operands[i]);
		if (!met[i])
			return false;
	}
	return true;
}

static struct ndarray *run(struct workspace *ws, const struct plan *plan,
                           const struct ndarray *const *operands, size_t n)
{
	struct ndarray *met[MAX_OPERANDS] = { NULL }, *made = NULL;
	uint8_t order[SHAPE_MAX_RANK];
	struct shape shape;
	bool ok = find_shape(ws, operands, n, &shape) && meet(ws, plan, operands, n, met);

	if (ok) {
		axes_in_memory_order(&shape, (const struct ndarray *const *)met, n, order);
		made = ndarray_new_ordered(ws, plan->out, &shape, order);
		ok = made &&
		     run_blocks(ws, plan, (const struct ndarray *const *)met, n, order, made);
	}
	for (size_t i = 0; i < n; i++)
		ndarray_free(ws, met[i]);
	if (!ok) {
		ndarray_free(ws, made);
		return NULL;
	}
	made->origin = shape.rank == 0 ? ORIGIN_SCALAR : ORIGIN_ARRAY;
	return made;
}

/* Functions of one operand. */

static enum dtype unary_type(enum ufunc ufunc, const struct dtype_info *type)
{
	switch (ufunc) {
	case UFUNC_NEGATIVE:
	case UFUNC_POSITIVE:
	case UFUNC_INVERT:
	case UFUNC_ABSOLUTE:
	case UFUNC_ISNAN:
	case UFUNC_ISINF:
	case UFUNC_ISFINITE:
	case UFUNC_ISPOSINF:
	case UFUNC_ISNEGINF:
	case UFUNC_SIGN:
		return type->dtype;
	case UFUNC_SQUARE:
	case UFUNC_RECIPROCAL:
	case UFUNC_CONJUGATE:
		return type->kind == KIND_BOOL ? DTYPE_INT8 : type->dtype;
	default:
		return promote_to_float(type->dtype);
	}
}

bool ufunc_is_comparison(enum ufunc ufunc)
{
	return ufunc >= UFUNC_LESS && ufunc <= UFUNC_NOT_EQUAL;
}

static bool is_test(enum ufunc ufunc)
{
	switch (ufunc) {
	case UFUNC_ISNAN:
	case UFUNC_ISINF:
	case UFUNC_ISFINITE:
	case UFUNC_ISPOSINF:
	case UFUNC_ISNEGINF:
	case UFUNC_SIGNBIT:
		return true;
	default:
		return ufunc_is_comparison(ufunc);
	}
}

static bool check_bool_unary(struct workspace *ws, enum ufunc ufunc)
{
	switch (ufunc) {
	case UFUNC_NEGATIVE:
		return ws_fail(ws, ERR_TYPE,
		               "The numpy boolean negative, the `-` operator, is not supported, "
		               "use the `~` "
		               "operator or the logical_not function instead.");
	case UFUNC_POSITIVE:
	case UFUNC_SIGN:
		return ws_fail(ws, ERR_TYPE,
		               "ufunc '%s' did not contain a loop with signature matching types "
		               "dtype('bool') -> dtype('bool')",
		               ufunc_name(ufunc));
	default:
		return true;
	}
}

static void invert_bool(const void *a, size_t n, void *out)
{
	for (size_t i = 0; i < n; i++)
		((int64_t *)out)[i] = !((const int64_t *)a)[i];
}

static struct ndarray *apply_unary(struct workspace *ws, enum ufunc ufunc, const struct ndarray *a)
{
	struct plan plan = {0};

	if (a->type->kind == KIND_BOOL && !check_bool_unary(ws, ufunc))
		return NULL;
	plan.in = unary_type(ufunc, a->type);
	plan.out = is_test(ufunc) ? DTYPE_BOOL : plan.in;
	plan.cells[0] = plan.result = cell_of(dtype_info(plan.in));
	plan.unary = ufunc_unary_loop(ufunc, plan.result);
	if (ufunc == UFUNC_INVERT && a->type->kind == KIND_BOOL)
		plan.unary = invert_bool;
	if (is_test(ufunc))
		plan.result = CELL_INT;
	if (ufunc == UFUNC_ABSOLUTE && a->type->kind == KIND_COMPLEX) {
		plan.out = plan.in == DTYPE_COMPLEX64 ? DTYPE_FLOAT32 : DTYPE_FLOAT64;
		plan.result = cell_of(dtype_info(plan.out));
	}
	if (!plan.unary)
		return no_loop(ws, ufunc);
	return run(ws, &plan, &a, 1);
}

struct ndarray *ufunc_unary(struct workspace *ws, enum ufunc ufunc, const struct ndarray *a)
{
	struct ndarray *as = NULL, *made = NULL;

	if (take_operand(ws, a, &as))
		made = apply_unary(ws, ufunc, as);
	ndarray_free(ws, as);
	return made;
}

/* Functions of two. */

static enum dtype binary_type(enum ufunc ufunc, const struct ndarray *a, const struct ndarray *b)
{
	bool bools = a->type->kind == KIND_BOOL && b->type->kind == KIND_BOOL;

	switch (ufunc) {
	case UFUNC_DIVIDE:
		if (promote_is_whole(a->type) && promote_is_whole(b->type))
			return DTYPE_FLOAT64;
		break;
	case UFUNC_FLOOR_DIVIDE:
	case UFUNC_REMAINDER:
	case UFUNC_POWER:
	case UFUNC_FMOD:
	case UFUNC_LEFT_SHIFT:
	case UFUNC_RIGHT_SHIFT:
		return bools ? DTYPE_INT8 : promote_by_loops(a, b);
	case UFUNC_AND:
	case UFUNC_OR:
	case UFUNC_XOR:
		return promote_by_loops(a, b);
	case UFUNC_ARCTAN2:
	case UFUNC_HYPOT:
	case UFUNC_COPYSIGN:
	case UFUNC_LOGADDEXP:
		return promote_floats(a, b);
	default:
		break;
	}
	return promote_operands(a, b);
}

/* Integers may not be raised to negative powers. */
static bool check_exponents(struct workspace *ws, const struct ndarray *b)
{
	struct ndarray *zero, *below;
	bool found = false;

	if (b->type->kind != KIND_INT)
		return true;
	zero = ndarray_int(ws, 0);
	below = zero ? ufunc_binary(ws, UFUNC_LESS, b, zero) : NULL;
	for (uint64_t i = 0; below && i < below->count; i++)
		found |= below->first[i];
	ndarray_free(ws, zero);
	ndarray_free(ws, below);
	if (found)
		return ws_fail(ws, ERR_VALUE,
		               "Integers to negative integer powers are not allowed.");
	return below;
}

/* A comparison of uint64 with a signed type: no type can hold both. */
static bool across_signs(const struct plan *plan, const struct ndarray *a, const struct ndarray *b)
{
	return plan->in == DTYPE_FLOAT64 && promote_is_whole(a->type) &&
	       promote_is_whole(b->type);
}

static struct ndarray *apply_binary(struct workspace *ws, enum ufunc ufunc,
                                    const struct ndarray *a, const struct ndarray *b)
{
	struct plan plan = {0};
	const struct dtype_info *in;

	plan.in = binary_type(ufunc, a, b);
	in = dtype_info(plan.in);
	if (ufunc == UFUNC_SUBTRACT && in->kind == KIND_BOOL)
		return ws_fail(ws, ERR_TYPE,
		               "numpy boolean subtract, the `-` operator, is not supported, use "
		               "the bitwise_xor, "
		               "the `^` operator, or the logical_xor function instead.");
	plan.out = is_test(ufunc) ? DTYPE_BOOL : plan.in;
	plan.cells[0] = plan.cells[1] = cell_of(in);
	plan.result = is_test(ufunc) ? CELL_INT : plan.cells[0];
	plan.binary = ufunc_binary_loop(ufunc, plan.cells[0]);
	if (is_test(ufunc) && across_signs(&plan, a, b)) {
		plan.cells[0] = a->type->dtype == DTYPE_UINT64 ? CELL_UINT : CELL_INT;
		plan.cells[1] = plan.cells[0] == CELL_UINT ? CELL_INT : CELL_UINT;
		plan.binary = ufunc_mixed_loop(ufunc, plan.cells[0] == CELL_UINT);
	}
	if (!plan.binary)
		return no_loop(ws, ufunc);
	if (ufunc == UFUNC_POWER && promote_is_whole(in) && !check_exponents(ws, b))
		return NULL;
	return run(ws, &plan, (const struct ndarray *const[]){ a, b }, 2);
}

static struct ndarray *apply_logical(struct workspace *ws, enum ufunc ufunc,
                                     const struct ndarray *a, const struct ndarray *b)
{
	enum ufunc bits = ufunc == UFUNC_LOGICAL_AND ? UFUNC_AND :
	                  ufunc == UFUNC_LOGICAL_OR ? UFUNC_OR : UFUNC_XOR;
	struct ndarray *left = ndarray_astype(ws, a, DTYPE_BOOL);
	struct ndarray *right = left ? ndarray_astype(ws, b, DTYPE_BOOL) : NULL;
	struct ndarray *made = right ? apply_binary(ws, bits, left, right) : NULL;

	ndarray_free(ws, left);
	ndarray_free(ws, right);
	return made;
}

struct ndarray *ufunc_binary(struct workspace *ws, enum ufunc ufunc, const struct ndarray *a,
                             const struct ndarray *b)
{
	bool logical = ufunc == UFUNC_LOGICAL_AND || ufunc == UFUNC_LOGICAL_OR ||
	               ufunc == UFUNC_LOGICAL_XOR;
	struct ndarray *left = NULL, *right = NULL, *made = NULL;

	if (take_operand(ws, a, &left) && take_operand(ws, b, &right))
		made = (logical ? apply_logical : apply_binary)(ws, ufunc, left, right);
	ndarray_free(ws, left);
	ndarray_free(ws, right);
	return made;
}

/* 1 / a */
static struct ndarray *reciprocal(struct workspace *ws, const struct ndarray *a)
{
	struct ndarray *one = ndarray_int(ws, 1);
	struct ndarray *typed = one ? ndarray_astype(ws, one, a->type->dtype) : NULL;
	struct ndarray *made = typed ? ufunc_binary(ws, UFUNC_DIVIDE, typed, a) : NULL;

	ndarray_free(ws, one);
	ndarray_free(ws, typed);
	return made;
}

/* Ones of the same type. */
static struct ndarray *zeroth_power(struct workspace *ws, const struct ndarray *a,
                                    const struct ndarray *zero)
{
	struct ndarray *ones = ufunc_binary(ws, UFUNC_POWER, a, zero);
	struct ndarray *made = ones ? ndarray_astype(ws, ones, a->type->dtype) : NULL;

	ndarray_free(ws, ones);
	return made;
}

struct ndarray *ufunc_power_of(struct workspace *ws, const struct ndarray *a,
                               const struct ndarray *b)
{
	bool plain = promote_is_whole(b->type) || b->type->kind == KIND_FLOAT;
	struct ndarray *wide, *made;
	double exponent;

	if (a->origin != ORIGIN_ARRAY || b->shape.rank || !plain || !promote_knows(a->type) ||
	    b->origin == ORIGIN_NONE || (b->type->kind == KIND_BOOL && b->origin != ORIGIN_PYTHON))
		return ufunc_binary(ws, UFUNC_POWER, a, b);
	cells_load(b->type, b->first, 0, 1, CELL_DOUBLE, &exponent);
	if (promote_is_whole(a->type)) {
		if (exponent != 2)
			return ufunc_binary(ws, UFUNC_POWER, a, b);
		if (a->type->kind == KIND_BOOL || b->type->kind != KIND_FLOAT)
			return ufunc_unary(ws, UFUNC_SQUARE, a);
		wide = ndarray_astype(ws, a, DTYPE_FLOAT64);
		made = wide ? ufunc_unary(ws, UFUNC_SQUARE, wide) : NULL;
		ndarray_free(ws, wide);
		return made;
	}
	if (exponent == 2)
		return ufunc_unary(ws, UFUNC_SQUARE, a);
	if (exponent == 1)
		return ufunc_unary(ws, UFUNC_POSITIVE, a);
	if (exponent == 0.5)
		return ufunc_unary(ws, UFUNC_SQRT, a);
	if (exponent == -1)
		return reciprocal(ws, a);
	return exponent == 0 ? zeroth_power(ws, a, b) : ufunc_binary(ws, UFUNC_POWER, a, b);
}

static struct ndarray *choose(struct workspace *ws, const struct ndarray *condition,
                              const struct ndarray *a, const struct ndarray *b)
{
	struct ndarray *truth = ndarray_astype(ws, condition, DTYPE_BOOL), *made;
	struct plan plan = {0};

	if (!truth)
		return NULL;
	plan.in = plan.out = promote_operands(a, b);
	plan.cells[1] = plan.cells[2] = plan.result = cell_of(dtype_info(plan.in));
	made = run(ws, &plan, (const struct ndarray *const[]){ truth, a, b }, 3);
	ndarray_free(ws, truth);
	if (made)
		made->origin = ORIGIN_ARRAY;
	return made;
}

struct ndarray *ufunc_where(struct workspace *ws, const struct ndarray *condition,
                            const struct ndarray *a, const struct ndarray *b)
{
	struct ndarray *which = NULL, *left = NULL, *right = NULL, *made = NULL;

	if (take_operand(ws, condition, &which) && take_operand(ws, a, &left) &&
	    take_operand(ws, b, &right))
		made = choose(ws, which, left, right);
	ndarray_free(ws, which);
	ndarray_free(ws, left);
	ndarray_free(ws, right);
	return made;
}
