#include "dump/v2/event_brief.h"

#include <math.h>
#include <string.h>

#include "dump/v2/parts.h"

/* TensorProto, TensorShapeProto and its Dim. */
enum { TENSOR_DTYPE = 1, TENSOR_SHAPE = 2, TENSOR_CONTENT = 4, SHAPE_DIM = 2, DIM_SIZE = 1 };
enum { DTYPE_DOUBLE = 2 };

/* Which fields of the message of a kind are left out, which hold tensors, and the mode. */
struct plan {
	unsigned dropped;                /* bits by field number */
	uint32_t tensors, mode;          /* 0: there is none */
};

static const struct plan plans[] = {
	[EVENT_METADATA] = {0},
	[EVENT_DEVICE] = {0},
	[EVENT_OP] = { .dropped = 1 << 8 },                      /* code_location */
	[EVENT_GRAPH] = { .dropped = 1 << 3 | 1 << 4 | 1 << 5 }, /* ops, graph definitions */
	[EVENT_EXECUTION] = { .dropped = 1 << 8, .tensors = 7, .mode = 6 },
	[EVENT_TRACE] = { .tensors = 5, .mode = 4 },
};

struct writing {
	struct file *file;
	const struct event_brief *brief;
	struct err *err;
};

static void put_varint(struct str *out, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		str_putc(out, (char)(number | 0x80));
	str_putc(out, (char)number);
}

static void put_key(struct str *out, uint32_t field, enum wire_type type)
{
	put_varint(out, (uint64_t)field << 3 | type);
}

static void put_low_first(struct str *out, uint64_t number, int bytes)
{
	for (int i = 0; i < bytes; i++)
		str_putc(out, (char)(number >> (8 * i)));
}

static void put_message(struct str *out, uint32_t field, const struct str *message)
{
	put_key(out, field, WIRE_BYTES);
	put_varint(out, message->len);
	str_put(out, str_text(message), message->len);
}

static bool copy_field(struct writing *w, const struct field *field, struct str *out)
{
	const void *bytes = "";

	if (field->type == WIRE_BYTES && field->bytes.len)
		bytes = file_bytes(w->file, field->bytes.off, (size_t)field->bytes.len, w->err);
	if (!bytes)
		return false;
	put_key(out, field->number, field->type);
	switch (field->type) {
	case WIRE_VARINT: put_varint(out, field->number_value); break;
	case WIRE_FIXED64: put_low_first(out, field->number_value, 8); break;
	case WIRE_FIXED32: put_low_first(out, field->number_value, 4); break;
	case WIRE_BYTES:
		put_varint(out, field->bytes.len);
		str_put(out, bytes, (size_t)field->bytes.len);
	}
	return true;
}

/* A list of doubles as a TensorProto. */
static void put_doubles(struct str *out, const double *numbers, size_t n)
{
	struct str dim = {0}, shape = {0}, content = {0};

	put_key(&dim, DIM_SIZE, WIRE_VARINT);
	put_varint(&dim, n);
	put_message(&shape, SHAPE_DIM, &dim);
	for (size_t i = 0; i < n; i++) {
		uint64_t bits;

		memcpy(&bits, &numbers[i], sizeof bits);
		put_low_first(&content, bits, sizeof bits);
	}
	put_key(out, TENSOR_DTYPE, WIRE_VARINT);
	put_varint(out, DTYPE_DOUBLE);
	put_message(out, TENSOR_SHAPE, &shape);
	put_message(out, TENSOR_CONTENT, &content);
	str_release(&dim);
	str_release(&shape);
	str_release(&content);
}

/* As FULL_HEALTH has it: id and device are not known. */
static bool put_health(struct writing *w, uint32_t row, struct span tensor, struct str *out)
{
	enum { NEEDED = HEALTH_DTYPE | HEALTH_RANK | HEALTH_SIZE | HEALTH_COUNTS | HEALTH_SIGNS };
	struct health health = {0};

	if (!tensor.len)
		return true;
	if (!w->brief->health(w->brief->context, row, tensor, &health, w->err))
		return false;
	if ((health.known & NEEDED) != NEEDED)
		return true;
	put_doubles(out, (const double[]){
		NAN, 0, health.dtype, (double)health.rank, (double)health.size,
		(double)health.neg_inf, (double)health.pos_inf, (double)health.nan,
		(double)health.negative, (double)health.zero, (double)health.positive,
	}, 11);
	return true;
}

/* The mode of a body. False: it can't be read. */
static bool find_mode(struct writing *w, struct span body, const struct plan *plan, int64_t *mode)
{
	struct field field;
	struct wire wire;

	*mode = 0;
	wire_start(&wire, w->file, body);
	while (wire_next(&wire, &field, w->err))
		if (field.number == plan->mode && field.type == WIRE_VARINT)
			*mode = (int64_t)field.number_value;
	return !w->err->code;
}

static bool put_body(struct writing *w, struct span body, const struct plan *plan, struct str *out)
{
	struct str tensor = {0};
	struct field field;
	struct wire wire;
	uint32_t row = 0;
	int64_t mode;
	bool whole, ok = find_mode(w, body, plan, &mode);

	whole = plan->mode && mode == V2_FULL_TENSOR;
	wire_start(&wire, w->file, body);
	while (ok && wire_next(&wire, &field, w->err)) {
		if (field.number < 32 && plan->dropped >> field.number & 1)
			continue;
		if (whole && field.number == plan->mode && field.type == WIRE_VARINT)
			field.number_value = V2_FULL_HEALTH;
		if (!whole || field.number != plan->tensors || field.type != WIRE_BYTES) {
			ok = copy_field(w, &field, out);
			continue;
		}
		str_reset(&tensor);
		ok = put_health(w, row++, field.bytes, &tensor);
		if (ok)
			put_message(out, field.number, &tensor);
	}
	str_release(&tensor);
	return ok && !w->err->code;
}

bool event_put_brief(struct file *file, struct span span, const struct event_brief *brief,
                     struct str *out, struct err *err)
{
	struct writing w = { file, brief, err };
	struct str body = {0};
	struct event event;
	uint64_t bits;
	bool ok = event_read(file, span, &event, err);

	if (!ok || event.what == EVENT_SOURCE || event.what == EVENT_FRAME)
		return ok;
	if (event.what != EVENT_NOTHING)
		ok = put_body(&w, event.body, &plans[event.what], &body);
	if (ok) {
		memcpy(&bits, &event.time, sizeof bits);
		put_key(out, 1, WIRE_FIXED64);
		put_low_first(out, bits, sizeof bits);
		if (event.what != EVENT_NOTHING)
			put_message(out, (uint32_t)event.what, &body);
	}
	str_release(&body);
	return ok;
}
