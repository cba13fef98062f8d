/*
 * A walk over the tree. Each step owns what its operands gave and frees it when it has its own
 * result, so no more arrays are alive than are needed.
 */
#include "cmds/evaluate.h"

#include <math.h>
#include <string.h>

#include "cmds/function.h"
#include "cmds/matmul.h"
#include "cmds/python_number.h"
#include "cmds/ufunc.h"

struct evaluation {
	struct workspace *ws;
	tensor_load *load;
	void *context;
	int depth;
};

/* Of the tree: chains of operators lean to one side, each a level. */
#define MAX_HEIGHT 256

static struct ndarray *eval(struct evaluation *e, const struct expr *x);

static void *unsupported(struct evaluation *e, const char *what, const char *name)
{
	return ws_fail(e->ws, ERR_UNSUPPORTED, "Unsupported expression: %s%s", what, name);
}

static bool is_np(const struct expr *x)
{
	return x->kind == EXPR_NAME && !strcmp(x->name, "np");
}

/* Names. */

static struct ndarray *eval_name(struct evaluation *e, const char *name)
{
	static const char *const builtins[] = {
		"abs", "all", "any", "bool", "complex", "dict", "divmod", "float", "int", "len",
		"list", "map", "max", "min", "np", "pow", "print", "range", "repr", "round",
		"self", "set", "slice", "sorted", "str", "sum", "tuple", "type", "zip",
	};

	if (!strcmp(name, "True") || !strcmp(name, "False"))
		return ndarray_bool(e->ws, !strcmp(name, "True"));
	if (!strcmp(name, "None"))
		return ndarray_none(e->ws);
	for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
		if (!strcmp(builtins[i], name))
			return unsupported(e, name, "");
	return ws_fail(e->ws, ERR_NAME, "name '%s' is not defined", name);
}

static void *no_np_name(struct evaluation *e, const char *name)
{
	if (function_find(name, false) || function_exists_in_numpy(name))
		return unsupported(e, "np.", name);
	return ws_fail(e->ws, ERR_ATTRIBUTE, "module 'numpy' has no attribute '%s'", name);
}

static struct ndarray *eval_constant(struct evaluation *e, const char *name)
{
	static const struct { const char *name; double value; } constants[] = {
		{ "nan", NAN }, { "inf", INFINITY }, { "pi", 3.14159265358979323846 },
	};

	for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
		if (!strcmp(constants[i].name, name))
			return ndarray_float(e->ws, constants[i].value);
	return no_np_name(e, name);
}

static void *no_attribute(struct evaluation *e, const struct ndarray *a, const char *name)
{
	bool of_numpy = a->origin == ORIGIN_ARRAY || a->origin == ORIGIN_SCALAR;
	struct str type = {0};

	if (of_numpy && (function_find(name, true) || attribute_exists_in_numpy(name)))
		return unsupported(e, ".", name);
	put_python_type(&type, a);
	ws_fail(e->ws, ERR_ATTRIBUTE, "'%s' object has no attribute '%s'", type.text, name);
	str_release(&type);
	return NULL;
}

static struct ndarray *attribute_of(struct evaluation *e, const struct ndarray *a,
                                    const char *name)
{
	if (a->origin != ORIGIN_ARRAY && a->origin != ORIGIN_SCALAR)
		return no_attribute(e, a, name);
	if (!strcmp(name, "T"))
		return ndarray_transpose(e->ws, a, NULL, 0);
	if (!strcmp(name, "shape"))
		return ndarray_tuple(e->ws, a->shape.dim, a->shape.rank);
	if (!strcmp(name, "size"))
		return ndarray_int(e->ws, (int64_t)a->count);
	if (!strcmp(name, "ndim"))
		return ndarray_int(e->ws, a->shape.rank);
	return no_attribute(e, a, name);
}

static struct ndarray *eval_attribute(struct evaluation *e, const struct expr *x)
{
	struct ndarray *a, *made;

	if (is_np(x->first))
		return eval_constant(e, x->name);
	a = eval(e, x->first);
	made = a ? attribute_of(e, a, x->name) : NULL;
	ndarray_free(e->ws, a);
	return made;
}

/* Calls. */

static void arguments_free(struct evaluation *e, struct arguments *args)
{
	for (uint32_t i = 0; i < args->n; i++)
		ndarray_free(e->ws, args->at[i]);
	ndarray_free(e->ws, args->axis);
	ndarray_free(e->ws, args->keepdims);
	ndarray_free(e->ws, args->axes);
}

static bool add_keyword(struct evaluation *e, const struct expr *x, struct arguments *args)
{
	struct ndarray **to = NULL;

	if (!strcmp(x->name, "axis"))
		to = &args->axis;
	else if (!strcmp(x->name, "keepdims"))
		to = &args->keepdims;
	else if (!strcmp(x->name, "axes"))
		to = &args->axes;
	else
		return unsupported(e, "the keyword ", x->name);
	if (*to)
		return ws_fail(e->ws, ERR_SYNTAX, "keyword argument repeated (<string>, line 1)");
	*to = eval(e, x->first);
	return *to;
}

/* Arguments from x on, behind those there are. */
static bool add_arguments(struct evaluation *e, const struct expr *x, struct arguments *args)
{
	bool named = false;

	for (; x; x = x->next) {
		if (x->kind == EXPR_KEYWORD) {
			named = true;
			if (!add_keyword(e, x, args))
				return false;
			continue;
		}
		if (named)
			return ws_fail(
				e->ws, ERR_SYNTAX,
				"positional argument follows keyword argument (<string>, line 1)");
		if (args->n == FUNCTION_MAX_ARGS)
			return unsupported(e, "so many arguments", "");
		args->at[args->n] = eval(e, x);
		if (!args->at[args->n])
			return false;
		args->n++;
	}
	return true;
}

/* Takes self over; NULL: a function of np. */
static struct ndarray *call(struct evaluation *e, const struct function *function,
                            struct ndarray *self, const struct expr *first_arg)
{
	struct arguments args = { .n = self ? 1 : 0, .at = { self } };
	struct ndarray *made = add_arguments(e, first_arg, &args) ?
	                               function_call(e->ws, function, &args) :
	                               NULL;

	arguments_free(e, &args);
	return made;
}

/* The type that an expression names: np.float32, int. */
static bool read_dtype(struct evaluation *e, const struct expr *x, enum dtype *dtype)
{
	const char *name = !x || x->next ? NULL : x->kind == EXPR_NAME ? x->name :
	                   x->kind == EXPR_ATTRIBUTE && is_np(x->first) ? x->name : NULL;

	return (name && function_dtype(name, dtype)) ||
	       unsupported(e, "this argument of astype", "");
}

/* Takes self over. */
static struct ndarray *call_method(struct evaluation *e, const char *name, struct ndarray *self,
                                   const struct expr *first_arg)
{
	bool of_numpy = self->origin == ORIGIN_ARRAY || self->origin == ORIGIN_SCALAR;
	const struct function *function = of_numpy ? function_find(name, true) : NULL;
	struct ndarray *made = NULL;
	enum dtype dtype;

	if (function)
		return call(e, function, self, first_arg);
	if (!of_numpy || strcmp(name, "astype") != 0)
		no_attribute(e, self, name);
	else if (!cell_can_hold(self->type))
		unsupported(e, "elements of type ", self->type->name);
	else if (read_dtype(e, first_arg, &dtype))
		made = ndarray_astype(e->ws, self, dtype);
	ndarray_free(e->ws, self);
	return made;
}

static struct ndarray *eval_call(struct evaluation *e, const struct expr *x)
{
	const struct expr *callee = x->first;
	const struct function *function;
	struct ndarray *self;

	if (callee->kind != EXPR_ATTRIBUTE) {
		self = eval(e, callee);
		if (self)
			unsupported(e, "a call of what is no function", "");
		ndarray_free(e->ws, self);
		return NULL;
	}
	if (is_np(callee->first)) {
		function = function_find(callee->name, false);
		return function ? call(e, function, NULL, callee->next) :
		                  no_np_name(e, callee->name);
	}
	self = eval(e, callee->first);
	return self ? call_method(e, callee->name, self, callee->next) : NULL;
}

/* Indices. */

static bool read_int(struct evaluation *e, const struct expr *x, int64_t *out)
{
	struct ndarray *a = eval(e, x);
	bool ok = a && ndarray_is_int(a);

	if (ok)
		*out = ndarray_item(a, 0);
	else if (a && a->origin == ORIGIN_PYTHON && a->type->kind == KIND_FLOAT)
		ws_fail(e->ws, ERR_INDEX,
		        "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and "
		        "integer or boolean arrays are valid indices");
	else if (a)
		unsupported(e, "an index that is no whole number, slice or ...", "");
	ndarray_free(e->ws, a);
	return ok;
}

static bool read_item(struct evaluation *e, const struct expr *x, struct index_item *item)
{
	int64_t *parts[] = { &item->begin, &item->end, &item->step };
	const struct expr *part = x->first;

	*item = (struct index_item){ INDEX_RANGE, INDEX_NONE, INDEX_NONE, INDEX_NONE };
	if (x->kind == EXPR_ELLIPSIS) {
		item->kind = INDEX_ELLIPSIS;
		return true;
	}
	if (x->kind != EXPR_SLICE) {
		item->kind = INDEX_INT;
		return read_int(e, x, &item->begin);
	}
	for (size_t i = 0; i < 3; i++, part = part->next)
		if (part->kind != EXPR_NONE && !read_int(e, part, parts[i]))
			return false;
	return true;
}

static struct ndarray *index_tuple(struct evaluation *e, const struct ndarray *tuple,
                                   const struct index_item *items, uint32_t n)
{
	int64_t at = items[0].begin, len = (int64_t)tuple->count;

	if (n != 1 || items[0].kind != INDEX_INT)
		return unsupported(e, "a part of a tuple", "");
	if (at < -len || at >= len)
		return ws_fail(e->ws, ERR_INDEX, "tuple index out of range");
	return ndarray_int(e->ws, ndarray_item(tuple, (uint32_t)(at < 0 ? at + len : at)));
}

static struct ndarray *index_of(struct evaluation *e, const struct ndarray *a,
                                const struct index_item *items, uint32_t n)
{
	struct str type = {0};

	switch (a->origin) {
	case ORIGIN_ARRAY:
		return ndarray_index(e->ws, a, items, n);
	case ORIGIN_TUPLE:
		return index_tuple(e, a, items, n);
	case ORIGIN_SCALAR:
		if (n == 1 && items[0].kind == INDEX_ELLIPSIS)
			return ndarray_index(e->ws, a, items, n);
		return ws_fail(e->ws, ERR_INDEX, "invalid index to scalar variable.");
	default:
		put_python_type(&type, a);
		ws_fail(e->ws, ERR_TYPE, "'%s' object is not subscriptable", type.text);
		str_release(&type);
		return NULL;
	}
}

static struct ndarray *eval_index(struct evaluation *e, const struct expr *x)
{
	struct index_item items[SHAPE_MAX_RANK + 1];
	struct ndarray *a = eval(e, x->first), *made = NULL;
	uint32_t n = 0;
	bool ok = a;

	for (const struct expr *item = x->first->next; ok && item; item = item->next) {
		if (n > SHAPE_MAX_RANK)
			ok = unsupported(e, "so many indices", "");
		else
			ok = read_item(e, item, &items[n++]);
	}
	if (ok)
		made = index_of(e, a, items, n);
	ndarray_free(e->ws, a);
	return made;
}

/* Tuples and lists: of whole numbers only. */
static struct ndarray *eval_tuple(struct evaluation *e, const struct expr *x)
{
	int64_t items[SHAPE_MAX_RANK];
	uint32_t n = 0;

	for (const struct expr *item = x->first; item; item = item->next) {
		struct ndarray *a;

		if (n == SHAPE_MAX_RANK)
			return unsupported(e, "so long a list", "");
		a = eval(e, item);
		if (a && !ndarray_is_int(a))
			unsupported(e, "a list of anything but whole numbers", "");
		if (a)
			items[n++] = ndarray_is_int(a) ? ndarray_item(a, 0) : 0;
		ndarray_free(e->ws, a);
		if (e->ws->err->code)
			return NULL;
	}
	return ndarray_tuple(e->ws, items, n);
}

/* Operators. */

static struct ndarray *unary(struct evaluation *e, enum expr_op op, const struct ndarray *a)
{
	static const enum ufunc ufuncs[] = {
		[OP_NEG] = UFUNC_NEGATIVE, [OP_POS] = UFUNC_POSITIVE, [OP_INVERT] = UFUNC_INVERT,
	};

	if (a->origin == ORIGIN_PYTHON)
		return python_unary(e->ws, op, a);
	return ufunc_unary(e->ws, ufuncs[op], a);
}

static struct ndarray *binary(struct evaluation *e, enum expr_op op, const struct ndarray *a,
                              const struct ndarray *b)
{
	static const enum ufunc ufuncs[] = {
		[OP_LT] = UFUNC_LESS, [OP_LE] = UFUNC_LESS_EQUAL, [OP_GT] = UFUNC_GREATER,
		[OP_GE] = UFUNC_GREATER_EQUAL, [OP_EQ] = UFUNC_EQUAL, [OP_NE] = UFUNC_NOT_EQUAL,
		[OP_OR] = UFUNC_OR, [OP_XOR] = UFUNC_XOR, [OP_AND] = UFUNC_AND,
		[OP_ADD] = UFUNC_ADD, [OP_SUB] = UFUNC_SUBTRACT, [OP_MUL] = UFUNC_MULTIPLY,
		[OP_DIV] = UFUNC_DIVIDE, [OP_FLOOR_DIV] = UFUNC_FLOOR_DIVIDE,
		[OP_MOD] = UFUNC_REMAINDER,
	};

	if (a->origin == ORIGIN_PYTHON && b->origin == ORIGIN_PYTHON)
		return python_binary(e->ws, op, a, b);
	if (op == OP_MATMUL)
		return matmul(e->ws, a, b);
	if (op == OP_POW)
		return ufunc_power_of(e->ws, a, b);
	return ufunc_binary(e->ws, ufuncs[op], a, b);
}

static struct ndarray *eval_unary(struct evaluation *e, const struct expr *x)
{
	struct ndarray *a = eval(e, x->first), *made = a ? unary(e, x->op, a) : NULL;

	ndarray_free(e->ws, a);
	return made;
}

static struct ndarray *eval_binary(struct evaluation *e, const struct expr *x)
{
	struct ndarray *a = eval(e, x->first), *b = a ? eval(e, x->first->next) : NULL;
	struct ndarray *made = b ? binary(e, x->op, a, b) : NULL;

	ndarray_free(e->ws, a);
	ndarray_free(e->ws, b);
	return made;
}

static struct ndarray *eval_kind(struct evaluation *e, const struct expr *x)
{
	switch (x->kind) {
	case EXPR_INT:
		return ndarray_int(e->ws, x->whole);
	case EXPR_FLOAT:
		return ndarray_float(e->ws, x->real);
	case EXPR_NAME:
		return eval_name(e, x->name);
	case EXPR_TENSOR:
		return e->load(e->context, e->ws, x->tensor);
	case EXPR_UNARY:
		return eval_unary(e, x);
	case EXPR_BINARY:
		return eval_binary(e, x);
	case EXPR_TUPLE:
		return eval_tuple(e, x);
	case EXPR_ATTRIBUTE:
		return eval_attribute(e, x);
	case EXPR_CALL:
		return eval_call(e, x);
	case EXPR_INDEX:
		return eval_index(e, x);
	default:        /* stand in calls and indices only, which read them themselves */
		return unsupported(e, "this", "");
	}
}

static struct ndarray *eval(struct evaluation *e, const struct expr *x)
{
	struct ndarray *made;

	if (++e->depth > MAX_HEIGHT)
		return unsupported(e, "it has too many parts", "");
	made = eval_kind(e, x);
	e->depth--;
	return made;
}

struct ndarray *evaluate(const struct expr *expr, struct workspace *ws, tensor_load *load,
                         void *context)
{
	struct evaluation e = { .ws = ws, .load = load, .context = context };

	return eval(&e, expr);
}
