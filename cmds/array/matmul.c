/*
 * Both operands are converted to one of three types (INT64, which wraps as any integer type does,
 * FLOAT64, COMPLEX128) and made contiguous; a vector becomes a matrix of one row or column. A row
 * of the result adds up multiples of the rows of the right matrix, so all memory is read forwards.
 */
#include "cmds/array/matmul.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/array/promote.h"
#include "cmds/array/sequence.h"
#include "cmds/array/ufunc.h"

#define SIGNATURE "(n?,k),(k,m?)->(n?,m?)"

struct matrices {
	const unsigned char *at;
	int64_t rows, cols;
};

#define ADD_ROW(name, type, operation) \
	static void name(const void *factor, const void *row, size_t n, void *sum) \
	{ \
		type x = *(const type *)factor; \
		\
		for (size_t i = 0; i < n; i++) { \
			type y = ((const type *)row)[i], *to = (type *)sum + i; \
			\
			operation; \
		} \
	}

ADD_ROW(add_wholes, uint64_t, *to += x * y)
ADD_ROW(add_doubles, double, *to += x * y)
ADD_ROW(add_complexes, struct complex64,
        (to->re += x.re * y.re - x.im * y.im, to->im += x.re * y.im + x.im * y.re))

typedef void add_row(const void *factor, const void *row, size_t n, void *sum);

/* The product of a (rows x inner) and b (inner x cols); out is zero. */
static bool multiply(struct workspace *ws, add_row *add, size_t bytes, const unsigned char *a,
                     const unsigned char *b, const int64_t dims[3], unsigned char *out)
{
	size_t rows = (size_t)dims[0], inner = (size_t)dims[1], cols = (size_t)dims[2];

	for (size_t i = 0; i < rows; i++) {
		for (size_t k = 0; k < inner; k++)
			add(a + (i * inner + k) * bytes, b + k * cols * bytes, cols,
			    out + i * cols * bytes);
		if (!ws_step(ws, i + 1, rows))
			return false;
	}
	return true;
}

static enum dtype computed_in(enum dtype dtype)
{
	const struct dtype_info *type = dtype_info(dtype);

	if (type->kind == KIND_COMPLEX)
		return DTYPE_COMPLEX128;
	return promote_is_whole(type) ? DTYPE_INT64 : DTYPE_FLOAT64;
}

/* A copy in the type of the computation, its elements in order. */
static struct ndarray *prepare(struct workspace *ws, const struct ndarray *a, enum dtype dtype)
{
	struct ndarray *typed = ndarray_astype(ws, a, dtype);
	struct ndarray *made = typed ? ndarray_contiguous(ws, typed) : NULL;

	ndarray_free(ws, typed);
	return made;
}

/* A vector as a matrix: of one row on the left side, of one column on the right. */
static void as_matrix(struct ndarray *a, bool left)
{
	if (a->shape.rank != 1)
		return;
	a->shape.rank = 2;
	a->shape.dim[1] = left ? a->shape.dim[0] : 1;
	a->shape.dim[0] = left ? 1 : a->shape.dim[0];
	a->stride[1] = left ? a->stride[0] : (int64_t)a->type->elem_bytes;
	a->stride[0] = left ? a->stride[0] * a->shape.dim[1] : a->stride[0];
}

/* The axes before the last two, and a position in them. */
struct stack {
	struct shape shape;
	int64_t index[SHAPE_MAX_RANK];
};

static struct shape outer_shape(const struct ndarray *a)
{
	struct shape shape = a->shape;

	shape.rank -= 2;
	return shape;
}

static const unsigned char *matrix_at(const struct ndarray *a, const struct stack *stack)
{
	uint32_t outer = a->shape.rank - 2, ahead = stack->shape.rank - outer;
	const unsigned char *at = a->first;

	for (uint32_t i = 0; i < outer; i++)
		if (a->shape.dim[i] != 1)
			at += stack->index[ahead + i] * a->stride[i];
	return at;
}

/* a and b are contiguous, of the same type, of rank 2 or more, and fit. */
static struct ndarray *multiply_stacks(struct workspace *ws, const struct ndarray *a,
                                       const struct ndarray *b, const struct shape *outer)
{
	uint32_t last = a->shape.rank - 1;
	int64_t cols = b->shape.dim[b->shape.rank - 1];
	int64_t dims[3] = { a->shape.dim[last - 1], a->shape.dim[last], cols };
	size_t bytes = a->type->elem_bytes;
	add_row *add = a->type->kind == KIND_COMPLEX ? add_complexes :
	               a->type->kind == KIND_FLOAT ? add_doubles : add_wholes;
	struct stack stack = { .shape = *outer };
	struct shape shape = *outer;
	struct ndarray *made;
	uint64_t size;

	if (shape.rank + 2 > SHAPE_MAX_RANK)
		return ws_fail(ws, ERR_VALUE, "maximum supported dimension for an ndarray is %d",
		               SHAPE_MAX_RANK);
	shape.dim[shape.rank++] = dims[0];
	shape.dim[shape.rank++] = dims[2];
	made = ndarray_new(ws, a->type->dtype, &shape, ORIGIN_ARRAY);
	if (!made || !made->count)
		return made;
	memset(made->first, 0, (size_t)made->count * bytes);
	size = (uint64_t)(dims[0] * dims[2]);
	for (uint64_t done = 0; done < made->count; done += size) {
		if (!multiply(ws, add, bytes, matrix_at(a, &stack), matrix_at(b, &stack), dims,
		              made->first + done * bytes)) {
			ndarray_free(ws, made);
			return NULL;
		}
		shape_next(&stack.shape, stack.index);
	}
	return made;
}

static bool check_fit(struct workspace *ws, const struct ndarray *a, const struct ndarray *b,
                      struct shape *outer)
{
	int64_t inner = a->shape.dim[a->shape.rank - 1], other = b->shape.dim[b->shape.rank - 2];
	struct shape left = outer_shape(a), right = outer_shape(b);
	struct str text = {0};

	if (inner != other)
		return ws_fail(
			ws, ERR_VALUE,
			"matmul: Input operand 1 has a mismatch in its core dimension 0, "
			"with gufunc signature " SIGNATURE " (size %" PRId64 " is different from "
			"%" PRId64 ")",
			other, inner);
	if (shape_broadcast(&left, &right, outer))
		return true;
	put_dims(&text, left.dim, left.rank);
	str_puts(&text, " ");
	put_dims(&text, right.dim, right.rank);
	ws_fail(ws, ERR_VALUE, "operands could not be broadcast together with remapped shapes %s",
	        text.text);
	str_release(&text);
	return false;
}

static bool check_operand(struct workspace *ws, const struct ndarray *a, int number)
{
	if (!promote_knows(a->type))
		return ws_refuse(ws, "a product with elements of type %s", a->type->name);
	return a->shape.rank || number < 0 ||
	       ws_fail(ws, ERR_VALUE,
	               "matmul: Input operand %d does not have enough dimensions (has 0, gufunc "
	               "core with signature " SIGNATURE " requires 1)",
	               number);
}

static struct ndarray *product_of(struct workspace *ws, const struct ndarray *a,
                                  const struct ndarray *b)
{
	struct ndarray *left, *right, *product = NULL, *made = NULL;
	bool added[SHAPE_MAX_RANK] = { false };
	struct shape outer;
	enum dtype dtype;

	if (!check_operand(ws, a, 0) || !check_operand(ws, b, 1))
		return NULL;
	dtype = promote_operands(a, b);
	left = prepare(ws, a, computed_in(dtype));
	right = left ? prepare(ws, b, computed_in(dtype)) : NULL;
	if (right) {
		as_matrix(left, true);
		as_matrix(right, false);
		if (check_fit(ws, left, right, &outer))
			product = multiply_stacks(ws, left, right, &outer);
	}
	ndarray_free(ws, left);
	ndarray_free(ws, right);
	made = product ? ndarray_astype(ws, product, dtype) : NULL;
	ndarray_free(ws, product);
	if (!made)
		return NULL;
	added[made->shape.rank - 2] = a->shape.rank == 1;
	added[made->shape.rank - 1] = b->shape.rank == 1;
	ndarray_drop_axes(made, added);
	made->origin = made->shape.rank ? ORIGIN_ARRAY : ORIGIN_SCALAR;
	return made;
}

struct ndarray *matmul(struct workspace *ws, const struct ndarray *a, const struct ndarray *b)
{
	struct ndarray *left = sequence_to_array(ws, a);
	struct ndarray *right = left ? sequence_to_array(ws, b) : NULL;
	struct ndarray *made = right ? product_of(ws, left, right) : NULL;

	ndarray_free(ws, left);
	ndarray_free(ws, right);
	return made;
}

/*
 * A product with a stack of matrices on the right: the axes of a come first, then those of the
 * stack.
 */
static struct ndarray *dot_stack(struct workspace *ws, const struct ndarray *a,
                                 const struct ndarray *b)
{
	int64_t flat[2] = { -1, a->shape.dim[a->shape.rank - 1] };
	int64_t axes[SHAPE_MAX_RANK], dims[2 * SHAPE_MAX_RANK];
	struct ndarray *rows, *product, *moved, *made;
	uint32_t n = 0, outer = b->shape.rank - 2;

	if (!a->count)
		return ws_refuse(ws, "np.dot of an empty array and a stack");
	rows = ndarray_reshape(ws, a, flat, 2);
	product = rows ? matmul(ws, rows, b) : NULL;
	axes[0] = outer;
	for (uint32_t i = 0; i < outer; i++)
		axes[i + 1] = i;
	axes[outer + 1] = outer + 1;
	moved = product ? ndarray_transpose(ws, product, axes, outer + 2) : NULL;
	for (uint32_t i = 0; i + 1 < a->shape.rank; i++)
		dims[n++] = a->shape.dim[i];
	for (uint32_t i = 0; i < b->shape.rank; i++)
		if (i != outer)
			dims[n++] = b->shape.dim[i];
	made = moved ? ndarray_reshape(ws, moved, dims, n) : NULL;
	ndarray_free(ws, rows);
	ndarray_free(ws, product);
	ndarray_free(ws, moved);
	return made;
}

static bool is_zero(const struct ndarray *number)
{
	struct complex64 value;

	cells_load(number->type, number->first, 0, 1, CELL_COMPLEX64, &value);
	return value.re == 0 && value.im == 0;
}

/* Sets a new array to zero. */
static void clear(struct ndarray *array)
{
	memset(array->first, 0, (size_t)array->count * array->type->elem_bytes);
}

/* A product with a single number, whose dtype counts as much as an array's. */
static struct ndarray *dot_number(struct workspace *ws, const struct ndarray *a,
                                  const struct ndarray *b)
{
	enum dtype dtype = promote_types(a->type->dtype, b->type->dtype);
	struct ndarray *left = ndarray_astype(ws, a, dtype);
	struct ndarray *right = left ? ndarray_astype(ws, b, dtype) : NULL;
	struct ndarray *product = right ? ufunc_binary(ws, UFUNC_MULTIPLY, left, right) : NULL;
	struct ndarray *made = NULL, *zero;

	/* Added to zeros, as a vector is, and not looked at if the number is zero. */
	if (product && (dtype == DTYPE_FLOAT32 || dtype == DTYPE_FLOAT64 ||
	                dtype_info(dtype)->kind == KIND_COMPLEX)) {
		if (is_zero(a->shape.rank ? b : a) && product->count > 1)
			clear(product);
		zero = ndarray_float(ws, 0);
		made = zero ? ufunc_binary(ws, UFUNC_ADD, product, zero) : NULL;
		ndarray_free(ws, zero);
	} else if (product) {
		made = ndarray_view(product);
	}
	ndarray_free(ws, product);
	ndarray_free(ws, left);
	ndarray_free(ws, right);
	return made;
}

struct ndarray *matmul_dot(struct workspace *ws, const struct ndarray *a, const struct ndarray *b)
{
	uint32_t axis_a = a->shape.rank - 1, axis_b = b->shape.rank > 1 ? b->shape.rank - 2 : 0;
	struct str text = {0};

	if (!check_operand(ws, a, -1) || !check_operand(ws, b, -1))
		return NULL;
	if (!a->shape.rank || !b->shape.rank)
		return dot_number(ws, a, b);
	if (a->shape.dim[axis_a] != b->shape.dim[axis_b]) {
		put_dims(&text, a->shape.dim, a->shape.rank);
		str_puts(&text, " and ");
		put_dims(&text, b->shape.dim, b->shape.rank);
		ws_fail(ws, ERR_VALUE,
		        "shapes %s not aligned: %" PRId64 " (dim %" PRIu32 ") != %" PRId64
		        " (dim %" PRIu32 ")",
		        text.text, a->shape.dim[axis_a], axis_a, b->shape.dim[axis_b], axis_b);
		str_release(&text);
		return NULL;
	}
	return b->shape.rank > 2 ? dot_stack(ws, a, b) : matmul(ws, a, b);
}
