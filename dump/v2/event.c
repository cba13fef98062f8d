/*
 * One loop over the fields of each message. Single fields are read by `take`, which skips those of
 * another wire type; lists by `take_numbers` and `take_span`.
 */
#include "dump/v2/event.h"

#include <endian.h>
#include <string.h>

static void take_span(const struct field *field, struct span *out)
{
	if (field->type == WIRE_BYTES)
		*out = field->bytes;
}

static void take_int32(const struct field *field, int32_t *out)
{
	if (field->type == WIRE_VARINT)
		*out = (int32_t)(uint32_t)field->number_value;
}

static void take_mode(const struct field *field, int64_t *out)
{
	if (field->type == WIRE_VARINT)
		*out = (int32_t)(uint32_t)field->number_value;
}

static void add_span(const struct field *field, event_spans *out)
{
	if (field->type == WIRE_BYTES && out->len < EVENT_LIST_MAX)
		vec_push(out, field->bytes);
}

static bool add_numbers(struct file *file, const struct field *field, event_numbers *out,
                        struct err *err)
{
	uint64_t at = 0, value;

	if (field->type != WIRE_VARINT && field->type != WIRE_BYTES)
		return true;
	while (wire_value(file, field, WIRE_VARINT, &at, &value, err))
		if (out->len < EVENT_LIST_MAX)
			vec_push(out, (int64_t)value);
	return !err->code;
}

/* The double with these bits. */
static double double_of(uint64_t bits)
{
	double number;

	memcpy(&number, &bits, sizeof number);
	return number;
}

static double double_at(const unsigned char *at)
{
	uint64_t bits;

	memcpy(&bits, at, sizeof bits);
	return double_of(le64toh(bits));
}

static bool is_what(uint32_t number)
{
	return number >= EVENT_METADATA && number <= EVENT_DEVICE && number != 5 && number != 11;
}

static inline void take_event(const struct field *field, struct event *event)
{
	if (field->number == 1 && field->type == WIRE_FIXED64) {
		event->time = double_of(field->number_value);
	} else if (field->type == WIRE_BYTES && is_what(field->number)) {
		event->what = (enum event_what)field->number;
		event->body = field->bytes;
	}
}

bool event_read(struct file *file, struct span span, struct event *event, struct err *err)
{
	enum { TIME_KEY = 1 << 3 | WIRE_FIXED64, TIME_BYTES = 9 };
	const unsigned char *begin;
	struct field near, field;
	struct wire wire;

	*event = (struct event){0};
	wire_start(&wire, file, span);
	/* Nearly all events begin with their time. */
	begin = span.len >= TIME_BYTES ? file_bytes(file, span.off, TIME_BYTES, err) : NULL;
	if (begin && begin[0] == TIME_KEY) {
		event->time = double_at(begin + 1);
		wire.off += TIME_BYTES;
	}
	if (err->code)
		return false;
	while (wire_near(&wire, &near))
		take_event(&near, event);
	while (wire.off < wire.end && wire_next(&wire, &field, err))
		take_event(&field, event);
	return !err->code;
}

bool event_metadata(struct file *file, struct span span, struct event_metadata *out,
                    struct err *err)
{
	struct field field;
	struct wire wire;

	*out = (struct event_metadata){0};
	wire_start(&wire, file, span);
	while (wire_next(&wire, &field, err)) {
		switch (field.number) {
		case 1:
			take_span(&field, &out->tensorflow_version);
			break;
		case 2:
			take_span(&field, &out->file_version);
			break;
		case 3:
			take_span(&field, &out->run_id);
			break;
		}
	}
	return !err->code;
}

bool event_source(struct file *file, struct span span, struct event_source *out, struct err *err)
{
	struct field field;
	struct wire wire;

	*out = (struct event_source){0};
	wire_start(&wire, file, span);
	while (wire_next(&wire, &field, err)) {
		if (field.number == 1)
			take_span(&field, &out->path);
		else if (field.number == 2)
			take_span(&field, &out->host);
		else if (field.number == 3 && field.type == WIRE_BYTES && out->n_lines < UINT32_MAX)
			out->n_lines++;
	}
	return !err->code;
}

bool event_next_line(struct wire *wire, struct span *line, struct err *err)
{
	struct field field;

	while (wire_next(wire, &field, err)) {
		if (field.number == 3 && field.type == WIRE_BYTES) {
			*line = field.bytes;
			return true;
		}
	}
	return false;
}

static bool file_line_col(struct file *file, struct span span, struct event_frame *out,
                          struct err *err)
{
	struct field field;
	struct wire wire;

	out->file_index = out->line = 0;
	out->function = (struct span){0};
	wire_start(&wire, file, span);
	while (wire_next(&wire, &field, err)) {
		if (field.number == 1)
			take_int32(&field, &out->file_index);
		else if (field.number == 2)
			take_int32(&field, &out->line);
		else if (field.number == 4)
			take_span(&field, &out->function);
	}
	return !err->code;
}

bool event_frame(struct file *file, struct span span, struct event_frame *out, struct err *err)
{
	struct field field;
	struct wire wire;

	*out = (struct event_frame){0};
	wire_start(&wire, file, span);
	while (wire_next(&wire, &field, err)) {
		if (field.number == 1)
			take_span(&field, &out->id);
		else if (field.number == 2 && field.type == WIRE_BYTES &&
		         !file_line_col(file, field.bytes, out, err))
			return false;
	}
	return !err->code;
}

bool event_graph(struct file *file, struct span span, struct event_graph *out, struct err *err)
{
	struct field field;
	struct wire wire;

	*out = (struct event_graph){0};
	wire_start(&wire, file, span);
	while (wire_next(&wire, &field, err)) {
		if (field.number == 1)
			take_span(&field, &out->id);
		else if (field.number == 2)
			take_span(&field, &out->name);
		else if (field.number == 6)
			take_span(&field, &out->outer);
	}
	return !err->code;
}

bool event_device(struct file *file, struct span span, struct event_device *out, struct err *err)
{
	struct field field;
	struct wire wire;

	*out = (struct event_device){0};
	wire_start(&wire, file, span);
	while (wire_next(&wire, &field, err)) {
		if (field.number == 1)
			take_span(&field, &out->name);
		else if (field.number == 2)
			take_int32(&field, &out->id);
	}
	return !err->code;
}

bool event_op(struct file *file, struct span span, struct event_op *out, struct err *err)
{
	struct field field;
	struct wire wire;

	out->type = out->name = out->graph = out->location = (struct span){0};
	out->n_outputs = 0;
	out->inputs.len = out->ids.len = 0;
	wire_start(&wire, file, span);
	while (wire_next(&wire, &field, err)) {
		switch (field.number) {
		case 1:
			take_span(&field, &out->type);
			break;
		case 2:
			take_span(&field, &out->name);
			break;
		case 4:
			take_span(&field, &out->graph);
			break;
		case 6:
			add_span(&field, &out->inputs);
			break;
		case 7:
			take_int32(&field, &out->n_outputs);
			break;
		case 8:
			take_span(&field, &out->location);
			break;
		case 9:
			if (!add_numbers(file, &field, &out->ids, err))
				return false;
			break;
		}
	}
	return !err->code;
}

/* The fields of an execution that are lists of numbers. */
static event_numbers *list_of(struct event_execution *out, uint32_t number)
{
	switch (number) {
	case 4:
		return &out->inputs;
	case 5:
		return &out->outputs;
	case 9:
		return &out->devices;
	default:
		return NULL;
	}
}

bool event_execution(struct file *file, struct span span, struct event_execution *out,
                     struct err *err)
{
	struct field field;
	struct wire wire;

	out->op = out->graph = out->location = (struct span){0};
	out->n_outputs = 0;
	out->mode = 0;
	out->inputs.len = out->outputs.len = out->devices.len = out->tensors.len = 0;
	wire_start(&wire, file, span);
	while (wire_next(&wire, &field, err)) {
		event_numbers *list = list_of(out, field.number);

		if (list && !add_numbers(file, &field, list, err))
			return false;
		switch (field.number) {
		case 1:
			take_span(&field, &out->op);
			break;
		case 2:
			take_int32(&field, &out->n_outputs);
			break;
		case 3:
			take_span(&field, &out->graph);
			break;
		case 6:
			take_mode(&field, &out->mode);
			break;
		case 7:
			add_span(&field, &out->tensors);
			break;
		case 8:
			take_span(&field, &out->location);
			break;
		}
	}
	return !err->code;
}

static inline void take_trace(const struct field *field, struct event_trace *out)
{
	switch (field->number) {
	case 1:
		take_span(field, &out->graph);
		break;
	case 2:
		take_span(field, &out->op);
		break;
	case 3:
		take_int32(field, &out->slot);
		break;
	case 4:
		take_mode(field, &out->mode);
		break;
	case 5:
		take_span(field, &out->tensor);
		break;
	case 6:
		take_span(field, &out->device);
		break;
	}
}

bool event_trace(struct file *file, struct span span, struct event_trace *out, struct err *err)
{
	struct field near, field;
	struct wire wire;

	*out = (struct event_trace){0};
	wire_start(&wire, file, span);
	while (wire_near(&wire, &near))
		take_trace(&near, out);
	while (wire.off < wire.end && wire_next(&wire, &field, err))
		take_trace(&field, out);
	return !err->code;
}

bool event_location(struct file *file, struct span span, struct event_location *out,
                    struct err *err)
{
	struct field field;
	struct wire wire;

	out->host = (struct span){0};
	out->frames.len = 0;
	wire_start(&wire, file, span);
	while (wire_next(&wire, &field, err)) {
		if (field.number == 1)
			take_span(&field, &out->host);
		else if (field.number == 2)
			add_span(&field, &out->frames);
	}
	return !err->code;
}

/* The fields of a TensorProto that a summary may use. */
struct summary {
	uint64_t dtype;
	struct span content, shape;
	double *out;             /* typed values */
	size_t max, n;
	bool too_many;
};

enum { DOUBLE = 2 };

static bool add_doubles(struct file *file, const struct field *field, struct summary *s,
                        struct err *err)
{
	uint64_t at = 0, value;

	if (field->type != WIRE_FIXED64 && field->type != WIRE_BYTES)
		return true;
	while (wire_value(file, field, WIRE_FIXED64, &at, &value, err)) {
		if (s->n == s->max) {
			s->too_many = true;
			return true;
		}
		s->out[s->n++] = double_of(value);
	}
	return !err->code;
}

/* False: it has typed values, which take more. */
static inline bool take_summary(const struct field *field, struct summary *s)
{
	if (field->number == 1 && field->type == WIRE_VARINT)
		s->dtype = field->number_value;
	else if (field->number == 2)
		take_span(field, &s->shape);
	else if (field->number == 4)
		take_span(field, &s->content);
	return field->number != 6;
}

static bool read_summary(struct file *file, struct span span, struct summary *s, struct err *err)
{
	struct field near, field;
	struct wire wire, at;

	wire_start(&wire, file, span);
	for (at = wire; wire_near(&at, &near) && take_summary(&near, s);)
		wire.off = at.off;
	while (wire.off < wire.end && wire_next(&wire, &field, err))
		if (!take_summary(&field, s) && !add_doubles(file, &field, s, err))
			return false;
	return !err->code;
}

/* The one dimension of a list; 0 for any other shape. */
static bool list_length(struct file *file, struct span shape, uint64_t *len, struct err *err)
{
	struct field field, size;
	struct wire wire, dim;
	unsigned rank = 0;

	*len = 0;
	wire_start(&wire, file, shape);
	while (wire_next(&wire, &field, err)) {
		if (field.number != 2 || field.type != WIRE_BYTES)
			continue;
		rank++;
		wire_start(&dim, file, field.bytes);
		while (wire_next(&dim, &size, err))
			if (size.number == 1 && size.type == WIRE_VARINT)
				*len = size.number_value;
	}
	if (rank != 1)
		*len = 0;
	return !err->code;
}

/* There may be fewer typed values than the shape has: the last one is then repeated. */
static bool fill_up(struct file *file, struct summary *s, struct err *err)
{
	uint64_t len;

	if (s->too_many || s->dtype != DOUBLE || !s->n) {
		s->n = 0;
		return true;
	}
	if (!list_length(file, s->shape, &len, err))
		return false;
	if (len > s->max) {
		s->n = 0;
		return true;
	}
	for (; s->n < len; s->n++)
		s->out[s->n] = s->out[s->n - 1];
	return true;
}

bool event_summary(struct file *file, struct span span, double *out, size_t max, size_t *n,
                   struct err *err)
{
	struct summary s = { .out = out, .max = max };
	const unsigned char *bytes;

	*n = 0;
	if (!read_summary(file, span, &s, err))
		return false;
	if (!s.content.len) {
		if (!fill_up(file, &s, err))
			return false;
		*n = s.n;
		return true;
	}
	if (!s.dtype || s.content.len % 8 || s.content.len / 8 > max)
		return true;
	bytes = file_bytes(file, s.content.off, (size_t)s.content.len, err);
	if (!bytes)
		return false;
	*n = (size_t)s.content.len / 8;
	for (size_t i = 0; i < *n; i++)
		out[i] = double_at(bytes + i * 8);
	return true;
}
