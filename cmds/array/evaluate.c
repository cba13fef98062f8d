/*
 * A walk over the tree. Each step owns the results of its operands and frees them when it has its
 * own result, so no array lives longer than it is needed.
 */
#include "cmds/array/evaluate.h"

#include <math.h>
#include <string.h>

#include "cmds/array/evaluate_parts.h"
#include "cmds/array/function.h"
#include "cmds/array/matmul.h"
#include "cmds/array/np.h"
#include "cmds/array/python_number.h"
#include "cmds/array/sequence.h"
#include "cmds/array/text.h"

/* of the tree: in a chain of operators each one adds a level */
#define MAX_HEIGHT 512

static bool is_name(const struct expr *x, const char *name)
{
	return x->kind == EXPR_NAME && !strcmp(x->name, name);
}

static bool is_np(const struct expr *x)
{
	return is_name(x, "np");
}

static bool is_linalg(const struct expr *x)
{
	return x->kind == EXPR_ATTRIBUTE && is_np(x->first) && !strcmp(x->name, "linalg");
}

/* Names. */

static struct ndarray *eval_name(struct evaluation *e, const char *name)
{
	static const char *const classes[] = { "bool", "complex", "float", "int" };
	enum dtype dtype;

	if (!strcmp(name, "True") || !strcmp(name, "False"))
		return ndarray_bool(e->ws, !strcmp(name, "True"));
	if (!strcmp(name, "None"))
		return ndarray_none(e->ws);
	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
		if (!strcmp(classes[i], name) && np_dtype_of_name(name, &dtype))
			return ndarray_of_type(e->ws, dtype, ORIGIN_CLASS);
	if (!strcmp(name, "np") || function_find(name, IN_PYTHON) ||
	    function_known_elsewhere(name, IN_PYTHON))
		return ws_refuse(e->ws, "%s", name);
	return ws_fail(e->ws, ERR_NAME, "name '%s' is not defined", name);
}

/* module: "np" or "np.linalg" */
static void *no_such(struct evaluation *e, enum function_place place, const char *name)
{
	const char *module = place == IN_LINALG ? "numpy.linalg" : "numpy";

	if (function_find(name, place) || function_known_elsewhere(name, place))
		return ws_refuse(e->ws, "%s%s", place == IN_LINALG ? "np.linalg." : "np.", name);
	return ws_fail(e->ws, ERR_ATTRIBUTE, "module '%s' has no attribute '%s'", module, name);
}

/* Is it numpy.float32 or the like? Some names of Python's types numpy no longer has. */
static bool is_class(const char *name, enum dtype *dtype)
{
	return strcmp(name, "int") != 0 && strcmp(name, "float") != 0 &&
	       strcmp(name, "bool") != 0 && strcmp(name, "complex") != 0 &&
	       strcmp(name, "bfloat16") != 0 && np_dtype_of_name(name, dtype);
}

static struct ndarray *eval_constant(struct evaluation *e, const char *name)
{
	static const struct { const char *name; double value; } constants[] = {
		{ "nan", NAN }, { "NaN", NAN }, { "NAN", NAN },
		{ "inf", INFINITY }, { "Inf", INFINITY }, { "Infinity", INFINITY },
		{ "infty", INFINITY }, { "PINF", INFINITY }, { "NINF", -INFINITY },
		{ "PZERO", 0.0 }, { "NZERO", -0.0 }, { "pi", 3.14159265358979323846 },
		{ "e", 2.71828182845904523536 }, { "euler_gamma", 0.57721566490153286061 },
	};
	enum dtype dtype;

	for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
		if (!strcmp(constants[i].name, name))
			return ndarray_float(e->ws, constants[i].value);
	if (!strcmp(name, "newaxis"))
		return ndarray_none(e->ws);
	if (is_class(name, &dtype))
		return ndarray_of_type(e->ws, dtype, ORIGIN_CLASS);
	return no_such(e, IN_NUMPY, name);
}

/* Attributes. */

static void *no_attribute(struct evaluation *e, const struct ndarray *a, const char *name)
{
	bool of_numpy = ndarray_is_numpy(a);

	if (of_numpy ? function_find(name, IN_ARRAY) || function_find(name, IN_ATTRIBUTE) ||
	                       function_known_elsewhere(name, IN_ARRAY) :
	               function_known_elsewhere(name, IN_VALUE))
		return ws_refuse(e->ws, ".%s", name);
	return ws_fail(e->ws, ERR_ATTRIBUTE, "'%s' object has no attribute '%s'",
	               python_type_of(a).name, name);
}

static struct ndarray *attribute_of_dtype(struct evaluation *e, const struct ndarray *a,
                                          const char *name)
{
	static const char kinds[] = {
		[KIND_FLOAT] = 'f',  [KIND_SMALL_FLOAT] = 'V', [KIND_INT] = 'i',
		[KIND_UINT] = 'u',   [KIND_BOOL] = 'b',        [KIND_COMPLEX] = 'c',
		[KIND_STRING] = 'O', [KIND_QUANT] = 'V'
	};
	const char *text = ndarray_is_text(a) ? "object" : a->type->prints;

	if (!strcmp(name, "name"))
		return ndarray_text(e->ws, text, strlen(text), ORIGIN_TEXT);
	if (!strcmp(name, "kind"))
		return ndarray_text(e->ws, &kinds[a->type->kind], 1, ORIGIN_TEXT);
	if (!strcmp(name, "itemsize"))
		return ndarray_int(e->ws, ndarray_is_text(a) ? 8 : (int64_t)a->type->elem_bytes);
	return no_attribute(e, a, name);
}

/* Methods and attributes of single numbers return single numbers. */
static struct ndarray *as_single(struct ndarray *a)
{
	return a && a->origin == ORIGIN_ARRAY ? np_as_scalar(a) : a;
}

static struct ndarray *attribute_of(struct evaluation *e, const struct ndarray *a,
                                    const char *name)
{
	const struct function *function = function_find(name, IN_ATTRIBUTE);
	struct arguments args = { .n = 1, .at = { (struct ndarray *)a } };
	bool part = !strcmp(name, "real") || !strcmp(name, "imag");
	struct ndarray *made;

	if (a->origin == ORIGIN_DTYPE)
		return attribute_of_dtype(e, a, name);
	if (!function || !(ndarray_is_numpy(a) || (part && a->origin == ORIGIN_PYTHON)))
		return no_attribute(e, a, name);
	made = function_call(e->ws, function, &args);
	if (a->origin == ORIGIN_SCALAR)
		made = as_single(made);
	return made;
}

static struct ndarray *eval_attribute(struct evaluation *e, const struct expr *x)
{
	struct ndarray *a, *made;

	if (is_np(x->first))
		return eval_constant(e, x->name);
	if (is_linalg(x->first))
		return no_such(e, IN_LINALG, x->name);
	a = evaluate_node(e, x->first);
	made = a ? attribute_of(e, a, x->name) : NULL;
	ndarray_free(e->ws, a);
	return made;
}

/* Calls. */

static void arguments_free(struct evaluation *e, struct arguments *args)
{
	for (uint32_t i = 0; i < args->n; i++)
		ndarray_free(e->ws, args->at[i]);
	for (uint32_t i = 0; i < args->n_keywords; i++)
		ndarray_free(e->ws, args->keyword[i].value);
}

static bool add_keyword(struct evaluation *e, const struct expr *x, struct arguments *args)
{
	struct ndarray *value;

	for (uint32_t i = 0; i < args->n_keywords; i++)
		if (!strcmp(args->keyword[i].name, x->name))
			return ws_fail(e->ws, ERR_SYNTAX,
			               "keyword argument repeated (<string>, line 1)");
	if (args->n_keywords == FUNCTION_MAX_KEYWORDS)
		return ws_refuse(e->ws, "so many keywords");
	value = evaluate_node(e, x->first);
	if (!value)
		return false;
	args->keyword[args->n_keywords].name = x->name;
	args->keyword[args->n_keywords++].value = value;
	return true;
}

/* Appends the arguments from x on. */
static bool add_arguments(struct evaluation *e, const struct expr *x, struct arguments *args)
{
	for (; x; x = x->next) {
		if (x->kind == EXPR_KEYWORD) {
			if (!add_keyword(e, x, args))
				return false;
			continue;
		}
		if (args->n_keywords)
			return ws_fail(
				e->ws, ERR_SYNTAX,
				"positional argument follows keyword argument (<string>, line 1)");
		if (args->n == FUNCTION_MAX_ARGS)
			return ws_refuse(e->ws, "so many arguments");
		args->at[args->n] = evaluate_node(e, x);
		if (!args->at[args->n])
			return false;
		args->n++;
	}
	return true;
}

/* Takes self over; NULL: the function is not a method. */
static struct ndarray *call(struct evaluation *e, const struct function *function,
                            struct ndarray *self, const struct expr *first_arg)
{
	struct arguments *args = mem_alloc(sizeof *args);
	struct ndarray *made = NULL;

	*args = (struct arguments){ .n = self ? 1 : 0, .at = { self } };
	if (add_arguments(e, first_arg, args))
		made = function_call(e->ws, function, args);
	arguments_free(e, args);
	free(args);
	return made;
}

/* np.float32(x), which also makes arrays. */
static struct ndarray *convert(struct evaluation *e, enum dtype dtype, const struct expr *arg)
{
	struct ndarray *a, *array, *made = NULL;

	if (!arg || arg->next || arg->kind == EXPR_KEYWORD)
		return ws_refuse(e->ws, "such arguments of a class");
	a = evaluate_node(e, arg);
	array = a ? sequence_to_array(e->ws, a) : NULL;
	if (array && !cell_can_hold(array->type))
		ws_refuse(e->ws, "converting elements of type %s", array->type->name);
	else if (array)
		made = ndarray_astype(e->ws, array, dtype);
	if (made && !made->shape.rank)
		made->origin = ORIGIN_SCALAR;
	ndarray_free(e->ws, a);
	ndarray_free(e->ws, array);
	return made;
}

static struct ndarray *call_np(struct evaluation *e, const char *name,
                               const struct expr *first_arg)
{
	const struct function *function = function_find(name, IN_NUMPY);
	enum dtype dtype;

	if (function)
		return call(e, function, NULL, first_arg);
	return is_class(name, &dtype) ? convert(e, dtype, first_arg) : no_such(e, IN_NUMPY, name);
}

/* Takes self over. */
static struct ndarray *call_method(struct evaluation *e, const char *name, struct ndarray *self,
                                   const struct expr *first_arg)
{
	const struct function *function = ndarray_is_numpy(self) ? function_find(name, IN_ARRAY) :
	                                                           NULL;

	bool single = self->origin == ORIGIN_SCALAR;
	struct ndarray *made;

	if (function) {
		made = call(e, function, self, first_arg);
		return single ? as_single(made) : made;
	}
	no_attribute(e, self, name);
	ndarray_free(e->ws, self);
	return NULL;
}

static struct ndarray *eval_call(struct evaluation *e, const struct expr *x)
{
	const struct expr *callee = x->first;
	const struct function *function;
	struct ndarray *self;

	if (callee->kind == EXPR_ATTRIBUTE && is_np(callee->first))
		return call_np(e, callee->name, callee->next);
	if (callee->kind == EXPR_ATTRIBUTE && is_linalg(callee->first)) {
		function = function_find(callee->name, IN_LINALG);
		return function ? call(e, function, NULL, callee->next) :
		                  no_such(e, IN_LINALG, callee->name);
	}
	if (callee->kind == EXPR_ATTRIBUTE) {
		self = evaluate_node(e, callee->first);
		return self ? call_method(e, callee->name, self, callee->next) : NULL;
	}
	function = callee->kind == EXPR_NAME ? function_find(callee->name, IN_PYTHON) : NULL;
	if (function)
		return call(e, function, NULL, callee->next);
	self = evaluate_node(e, callee);
	if (self)
		ws_refuse(e->ws, "a call of what is no function");
	ndarray_free(e->ws, self);
	return NULL;
}

/* Lists and tuples. */
static struct ndarray *eval_items(struct evaluation *e, const struct expr *x)
{
	VEC(struct ndarray *) items = {0};
	struct ndarray *made = NULL, *item = NULL;
	const struct expr *at = x->first;

	for (; at && (item = evaluate_node(e, at)); at = at->next)
		vec_push(&items, item);
	if (at) {
		for (size_t i = 0; i < items.len; i++)
			ndarray_free(e->ws, items.at[i]);
	} else {
		made = ndarray_of_items(e->ws, items.at, items.len,
		                        x->kind == EXPR_LIST ? ORIGIN_LIST : ORIGIN_TUPLE);
	}
	vec_release(&items);
	return made;
}

/* Operators. */

static struct ndarray *unary(struct evaluation *e, enum expr_op op, const struct ndarray *a)
{
	if (a->origin == ORIGIN_PYTHON)
		return python_unary(e->ws, op, a);
	if (!ndarray_is_numpy(a))
		return python_refuse(e->ws, op, a, NULL);
	return ufunc_unary(e->ws, ufunc_of(op), a);
}

static bool is_equality(enum expr_op op)
{
	return op == OP_EQ || op == OP_NE;
}

/* Two values, neither of them numpy's, and not both numbers. */
static struct ndarray *binary_values(struct evaluation *e, enum expr_op op,
                                     const struct ndarray *a, const struct ndarray *b)
{
	bool types = a->origin == ORIGIN_DTYPE || b->origin == ORIGIN_DTYPE, equal;
	enum dtype left, right;

	if (types && is_equality(op)) {
		if (!np_read_dtype(a, &left) || !np_read_dtype(b, &right))
			return ws_refuse(e->ws, "comparing a dtype with this");
		return ndarray_bool(e->ws, (left == right) == (op == OP_EQ));
	}
	if (sequence_is(a) && sequence_is(b)) {
		if (op == OP_ADD && a->origin == b->origin)
			return sequence_join(e->ws, a, b);
		if (!is_equality(op))
			return ws_refuse(e->ws, "an operator of lists");
		return np_equal_lists(e->ws, a, b, &equal) ?
		               ndarray_bool(e->ws, equal == (op == OP_EQ)) :
		               NULL;
	}
	if (ndarray_is_text(a) && a->origin == b->origin && op <= OP_NE)
		return text_compare(e->ws, ufunc_of(op), a, b);
	if (is_equality(op) && (a->origin == ORIGIN_NONE || b->origin == ORIGIN_NONE))
		return ndarray_bool(e->ws, (a->origin == b->origin) == (op == OP_EQ));
	return ws_refuse(e->ws, "this with the operator %s", expr_op_text(op));
}

static struct ndarray *binary(struct evaluation *e, enum expr_op op, const struct ndarray *a,
                              const struct ndarray *b)
{
	if (a->origin == ORIGIN_PYTHON && b->origin == ORIGIN_PYTHON)
		return python_binary(e->ws, op, a, b);
	if (!ndarray_is_numpy(a) && !ndarray_is_numpy(b))
		return binary_values(e, op, a, b);
	if (op == OP_MUL && ((sequence_is(a) && b->origin == ORIGIN_SCALAR) ||
	                     (sequence_is(b) && a->origin == ORIGIN_SCALAR)))
		return ws_refuse(e->ws, "a list times a number");
	if (op == OP_MATMUL && a->origin != ORIGIN_ARRAY && b->origin != ORIGIN_ARRAY)
		return python_refuse(e->ws, op, a, b);
	if (op == OP_MATMUL)
		return matmul(e->ws, a, b);
	if (op == OP_POW)
		return ufunc_power_of(e->ws, a, b);
	return text_or_ufunc(e->ws, ufunc_of(op), a, b);
}

static struct ndarray *eval_unary(struct evaluation *e, const struct expr *x)
{
	struct ndarray *a = evaluate_node(e, x->first), *made = a ? unary(e, x->op, a) : NULL;

	ndarray_free(e->ws, a);
	return made;
}

static struct ndarray *eval_binary(struct evaluation *e, const struct expr *x)
{
	struct ndarray *a = evaluate_node(e, x->first);
	struct ndarray *b = a ? evaluate_node(e, x->first->next) : NULL;
	struct ndarray *made = b ? binary(e, x->op, a, b) : NULL;

	ndarray_free(e->ws, a);
	ndarray_free(e->ws, b);
	return made;
}

/* Truths. */

static bool truth_of(struct evaluation *e, const struct expr *x, bool *truth)
{
	struct ndarray *a = evaluate_node(e, x);
	bool ok = a && np_truth(e->ws, a, truth);

	ndarray_free(e->ws, a);
	return ok;
}

static struct ndarray *eval_not(struct evaluation *e, const struct expr *x)
{
	bool truth;

	return truth_of(e, x->first, &truth) ? ndarray_bool(e->ws, !truth) : NULL;
}

/* The right side is evaluated only if the left one does not decide. */
static struct ndarray *eval_words(struct evaluation *e, const struct expr *x)
{
	struct ndarray *left = evaluate_node(e, x->first);
	bool truth, ok = left && np_truth(e->ws, left, &truth);

	if (ok && truth == (x->kind == EXPR_OR))
		return left;
	ndarray_free(e->ws, left);
	return ok ? evaluate_node(e, x->first->next) : NULL;
}

static struct ndarray *eval_if(struct evaluation *e, const struct expr *x)
{
	const struct expr *value = x->first->next;
	bool truth;

	if (!truth_of(e, x->first, &truth))
		return NULL;
	return evaluate_node(e, truth ? value : value->next);
}

/* a < b < c is a < b and b < c. */
static struct ndarray *eval_chain(struct evaluation *e, const struct expr *x)
{
	struct ndarray *left = evaluate_node(e, x->first), *right, *made = NULL;
	bool truth = true;

	for (const struct expr *link = x->first->next; left && link && truth; link = link->next) {
		ndarray_free(e->ws, made);
		right = evaluate_node(e, link->first);
		made = right ? binary(e, link->op, left, right) : NULL;
		ndarray_free(e->ws, left);
		left = right;
		if (!made || (link->next && !np_truth(e->ws, made, &truth))) {
			ndarray_free(e->ws, made);
			made = NULL;
			break;
		}
	}
	ndarray_free(e->ws, left);
	return made;
}

static struct ndarray *eval_kind(struct evaluation *e, const struct expr *x)
{
	switch (x->kind) {
	case EXPR_INT:
		return ndarray_int(e->ws, x->whole);
	case EXPR_FLOAT:
		return ndarray_float(e->ws, x->real);
	case EXPR_IMAGINARY:
		return ndarray_complex(e->ws, 0, x->real);
	case EXPR_TEXT:
		return ndarray_text(e->ws, x->name, x->name_len,
		                    x->is_bytes ? ORIGIN_BYTES : ORIGIN_TEXT);
	case EXPR_NAME:
		return eval_name(e, x->name);
	case EXPR_TENSOR:
		return e->load(e->context, e->ws, x->tensor);
	case EXPR_UNARY:
		return eval_unary(e, x);
	case EXPR_BINARY:
		return eval_binary(e, x);
	case EXPR_NOT:
		return eval_not(e, x);
	case EXPR_AND:
	case EXPR_OR:
		return eval_words(e, x);
	case EXPR_IF:
		return eval_if(e, x);
	case EXPR_CHAIN:
		return eval_chain(e, x);
	case EXPR_TUPLE:
	case EXPR_LIST:
		return eval_items(e, x);
	case EXPR_ATTRIBUTE:
		return eval_attribute(e, x);
	case EXPR_CALL:
		return eval_call(e, x);
	case EXPR_INDEX:
		return evaluate_index(e, x);
	default:        /* only in calls and indices, which read them themselves */
		return ws_refuse(e->ws, "this");
	}
}

struct ndarray *evaluate_node(struct evaluation *e, const struct expr *x)
{
	struct ndarray *made;

	if (++e->depth > MAX_HEIGHT)
		return ws_refuse(e->ws, "it has too many parts");
	made = eval_kind(e, x);
	e->depth--;
	return made;
}

struct ndarray *evaluate(const struct expr *expr, struct workspace *ws, tensor_load *load,
                         void *context)
{
	struct evaluation e = { .ws = ws, .load = load, .context = context };
	struct ndarray *made = evaluate_node(&e, expr);

	ws_release(ws, 0);
	return made;
}
