/*
 * One walk over the keys. Event and Summary are opened only as far as the first Value: its tensor
 * is the dump, wherever in the file its pieces are.
 */
#include "dump/model/tensor_proto.h"

enum { EVENT_SUMMARY = 5, SUMMARY_VALUE = 1, VALUE_TENSOR = 8 };
enum {
	TENSOR_DTYPE = 1, TENSOR_SHAPE = 2, TENSOR_CONTENT = 4, TENSOR_STRINGS = 8,
	TENSOR_FLOAT8 = 18,
};
enum { SHAPE_DIM = 2, DIM_SIZE = 1 };

static bool is_message(const struct field *field, uint32_t number)
{
	return field->number == number && field->type == WIRE_BYTES;
}

static bool read_value(struct file *file, struct span span, struct tensor_proto *proto,
                       struct err *err)
{
	struct wire wire;
	struct field field;

	wire_start(&wire, file, span);
	while (wire_next(&wire, &field, err)) {
		if (!is_message(&field, VALUE_TENSOR))
			continue;
		if (proto->n_pieces == TENSOR_PIECES)
			return err_at(err, ERR_LIMIT, file->path, field.key_off,
			              "a tensor in more than %d pieces", TENSOR_PIECES);
		proto->piece[proto->n_pieces++] = field.bytes;
	}
	return !err->code;
}

static bool read_summary(struct file *file, struct span span, bool *found,
                         struct tensor_proto *proto, struct err *err)
{
	struct wire wire;
	struct field field;

	wire_start(&wire, file, span);
	while (wire_next(&wire, &field, err)) {
		if (*found || !is_message(&field, SUMMARY_VALUE))
			continue;
		*found = true;
		if (!read_value(file, field.bytes, proto, err))
			return false;
	}
	return !err->code;
}

bool tensor_proto_of_event(struct file *file, struct tensor_proto *proto, struct err *err)
{
	struct wire wire;
	struct field field;
	bool found = false;

	if (file->size == 0)
		return err_damaged(err, DAMAGE_EMPTY, file->path, 0, "an empty file");
	wire_start(&wire, file, (struct span){ 0, file->size });
	while (wire_next(&wire, &field, err)) {
		if (is_message(&field, EVENT_SUMMARY) &&
		    !read_summary(file, field.bytes, &found, proto, err))
			return false;
	}
	if (err->code)
		return false;
	return proto->n_pieces > 0 || err_at(err, ERR_FORMAT, file->path, file->size,
	                                     "no tensor in this file");
}

static bool read_dim(struct file *file, const struct field *dim, struct shape *shape,
                     struct err *err)
{
	struct wire wire;
	struct field field;

	if (shape->rank == SHAPE_MAX_RANK)
		return err_at(err, ERR_LIMIT, file->path, dim->key_off, "more than %d dimensions",
		              SHAPE_MAX_RANK);
	shape->dim[shape->rank] = 0;
	wire_start(&wire, file, dim->bytes);
	while (wire_next(&wire, &field, err)) {
		if (field.number == DIM_SIZE && field.type == WIRE_VARINT)
			shape->dim[shape->rank] = (int64_t)field.number_value;
	}
	shape->rank++;
	return !err->code;
}

static bool read_shape(struct file *file, struct span span, struct shape *shape, struct err *err)
{
	struct wire wire;
	struct field field;

	wire_start(&wire, file, span);
	while (wire_next(&wire, &field, err)) {
		if (is_message(&field, SHAPE_DIM) && !read_dim(file, &field, shape, err))
			return false;
	}
	return !err->code;
}

static bool read_field(struct file *file, struct tensor_proto *proto, size_t piece,
                       const struct field *field, struct err *err)
{
	if (field->number == TENSOR_DTYPE && field->type == WIRE_VARINT) {
		proto->dtype = field->number_value;
		proto->dtype_off = field->key_off;
	} else if (is_message(field, TENSOR_SHAPE)) {
		proto->shape_off = field->key_off;
		return read_shape(file, field->bytes, &proto->shape, err);
	} else if (is_message(field, TENSOR_CONTENT)) {
		proto->content = field->bytes;
	} else if (is_message(field, TENSOR_FLOAT8)) {
		proto->float8 = field->bytes;
	} else {
		return repeated_note(&proto->strings, piece, field, err);
	}
	return true;
}

bool tensor_proto_read(struct file *file, struct tensor_proto *proto, struct err *err)
{
	repeated_start(&proto->strings, file, proto->piece, proto->n_pieces, TENSOR_STRINGS,
	               WIRE_BYTES);
	proto->dtype_off = proto->shape_off = proto->piece[0].off;
	for (size_t i = 0; i < proto->n_pieces; i++) {
		struct wire wire;
		struct field field;

		wire_start(&wire, file, proto->piece[i]);
		while (wire_next(&wire, &field, err)) {
			if (!read_field(file, proto, i, &field, err))
				return false;
		}
		if (err->code)
			return false;
	}
	return true;
}

void tensor_proto_release(struct tensor_proto *proto)
{
	repeated_release(&proto->strings);
}
