#include "dump/hlo/hlo_shape.h"

#include <inttypes.h>

#include "dump/base/vec.h"

enum { DEPTH_MAX = 64, RANK_MAX = 4096, TEXT_MAX = 1024 * 1024 };

/* Fields of ShapeProto, LayoutProto, TileProto and SplitConfigProto. */
enum { SHAPE_TYPE = 2, SHAPE_DIMENSIONS = 3, SHAPE_PARTS = 4, SHAPE_LAYOUT = 5, SHAPE_DYNAMIC = 6 };
enum {
	LAYOUT_ORDER = 1, LAYOUT_TILES = 6, LAYOUT_BITS = 7, LAYOUT_MEMORY = 8, LAYOUT_LEVELS = 9,
	LAYOUT_PHYSICAL = 10, LAYOUT_INDEX_TYPE = 11, LAYOUT_POINTER_TYPE = 12, LAYOUT_UNIQUE = 13,
	LAYOUT_ORDERED = 14, LAYOUT_PREFIX = 15, LAYOUT_PADDING = 16, LAYOUT_SPLITS = 17,
};
enum { TILE_DIMENSIONS = 1, SPLIT_DIMENSION = 1, SPLIT_INDEXES = 2 };
enum { TYPE_TUPLE = 13 };

static const char *const types[] = {
	"invalid", "pred", "s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64", "f16", "f32",
	"f64", "tuple", "opaque", "c64", "bf16", "token", "c128", "f8e5m2", "f8e4m3fn", "s4", "u4",
	"f8e4m3b11fnuz", "f8e5m2fnuz", "f8e4m3fnuz", "s2", "u2", "f8e4m3", "f8e3m4", "s1", "u1",
	"f4e2m1fn", "f8e8m0fnu", "buffer",
};

/* Values of a repeated number; more than there can be are left out. */
typedef VEC(uint64_t) numbers;

static bool add_numbers(struct file *file, const struct field *field, numbers *out,
                        struct err *err)
{
	struct err own = {0};
	uint64_t value, at = 0;

	while (out->len < RANK_MAX && wire_value(file, field, WIRE_VARINT, &at, &value, &own))
		vec_push(out, value);
	if (own.code && err)
		*err = own;
	return !own.code;
}

static void put_numbers(struct str *out, const numbers *list)
{
	for (size_t i = 0; i < list->len; i++)
		str_fmt(out, "%s%" PRId64, i ? "," : "", (int64_t)list->at[i]);
}

static void put_type(struct str *out, uint64_t type)
{
	if (type < sizeof types / sizeof *types)
		str_puts(out, types[type]);
	else
		str_fmt(out, "type%" PRIu64, type);
}

/* Layouts. */

struct layout {
	numbers order, levels, unique, ordered;
	struct str tiles, splits;
	struct span physical;
	uint64_t bits, memory, index_type, pointer_type, prefix, padding;
};

static void layout_release(struct layout *l)
{
	vec_release(&l->order);
	vec_release(&l->levels);
	vec_release(&l->unique);
	vec_release(&l->ordered);
	str_release(&l->tiles);
	str_release(&l->splits);
}

/* A message of one list: "(8,128)"; of a split, with its dimension before it: "(0:3,5)". */
static bool put_group(struct file *file, struct span group, uint32_t list, struct str *out,
                      struct err *err)
{
	numbers values = {0};
	struct err own = {0};
	struct field field;
	struct wire wire;

	str_putc(out, '(');
	wire_start(&wire, file, group);
	while (!own.code && wire_next(&wire, &field, &own)) {
		if (field.number == list)
			add_numbers(file, &field, &values, &own);
		else if (field.number == SPLIT_DIMENSION)
			str_fmt(out, "%" PRIu64 ":", field.number_value);
	}
	put_numbers(out, &values);
	str_putc(out, ')');
	vec_release(&values);
	if (own.code && err)
		*err = own;
	return !own.code && (out->len < TEXT_MAX
	                     || err_at(err, ERR_LIMIT, file->path, group.off, "a longer layout "
	                               "than this program reads"));
}

static bool take_layout(struct file *file, const struct field *field, struct layout *l,
                        struct err *err)
{
	switch (field->number) {
	case LAYOUT_ORDER: return add_numbers(file, field, &l->order, err);
	case LAYOUT_LEVELS: return add_numbers(file, field, &l->levels, err);
	case LAYOUT_UNIQUE: return add_numbers(file, field, &l->unique, err);
	case LAYOUT_ORDERED: return add_numbers(file, field, &l->ordered, err);
	case LAYOUT_TILES:
		return put_group(file, field->bytes, TILE_DIMENSIONS, &l->tiles, err);
	case LAYOUT_SPLITS:
		return put_group(file, field->bytes, SPLIT_INDEXES, &l->splits, err);
	case LAYOUT_PHYSICAL: l->physical = field->bytes; break;
	case LAYOUT_BITS: l->bits = field->number_value; break;
	case LAYOUT_MEMORY: l->memory = field->number_value; break;
	case LAYOUT_INDEX_TYPE: l->index_type = field->number_value; break;
	case LAYOUT_POINTER_TYPE: l->pointer_type = field->number_value; break;
	case LAYOUT_PREFIX: l->prefix = field->number_value; break;
	case LAYOUT_PADDING: l->padding = field->number_value; break;
	}
	return true;
}

/* How each dimension is kept: "D(D,C+~)". */
static void put_levels(struct str *out, const struct layout *l)
{
	static const char letters[] = "DCSH";

	for (size_t i = 0; i < l->levels.len; i++) {
		uint64_t level = l->levels.at[i];

		str_puts(out, i ? "," : "D(");
		str_putc(out, level < sizeof letters - 1 ? letters[level] : '?');
		if (i < l->unique.len && !l->unique.at[i])
			str_putc(out, '+');
		if (i < l->ordered.len && !l->ordered.at[i])
			str_putc(out, '~');
	}
	str_puts(out, l->levels.len ? ")" : "");
}

static void put_number(struct str *out, const char *what, uint64_t number)
{
	str_fmt(out, "%s(%" PRId64 ")", what, (int64_t)number);
}

static void put_type_of(struct str *out, const char *what, uint64_t type)
{
	if (!type)
		return;
	str_fmt(out, "%s(", what);
	put_type(out, type);
	str_putc(out, ')');
}

static bool put_shape(struct file *file, struct span shape, int depth, struct str *out,
                      struct err *err);

/* What stands behind the order of the dimensions. */
static bool put_rest(struct file *file, const struct layout *l, int depth, struct str *out,
                     struct err *err)
{
	put_levels(out, l);
	if (l->tiles.len)
		str_fmt(out, "T%s", l->tiles.text);
	if (l->padding > 1)
		put_number(out, "L", l->padding);
	put_type_of(out, "#", l->index_type);
	put_type_of(out, "*", l->pointer_type);
	if (l->bits)
		put_number(out, "E", l->bits);
	if (l->memory)
		put_number(out, "S", l->memory);
	if (l->splits.len)
		str_fmt(out, "SC%s", l->splits.text);
	if (l->physical.len) {
		str_puts(out, "P(");
		if (!put_shape(file, l->physical, depth + 1, out, err))
			return false;
		str_putc(out, ')');
	}
	if (l->prefix)
		put_number(out, "M", l->prefix);
	return true;
}

/* Without anything in it nothing is put. */
static bool put_layout(struct file *file, struct span span, int depth, struct str *out,
                       struct err *err)
{
	struct layout l = {0};
	struct err own = {0};
	struct str rest = {0};
	struct field field;
	struct wire wire;

	wire_start(&wire, file, span);
	while (!own.code && wire_next(&wire, &field, &own))
		take_layout(file, &field, &l, &own);
	if (!own.code && put_rest(file, &l, depth, &rest, &own) && (l.order.len || rest.len)) {
		str_putc(out, '{');
		put_numbers(out, &l.order);
		str_fmt(out, "%s%s}", rest.len ? ":" : "", str_text(&rest));
	}
	str_release(&rest);
	layout_release(&l);
	if (own.code && err)
		*err = own;
	return !own.code;
}

/* Shapes. */

struct shape {
	uint64_t type;
	numbers dimensions, dynamic;
	VEC(struct span) parts;
	struct span layout;
};

static bool take_shape(struct file *file, const struct field *field, struct shape *s,
                       struct err *err)
{
	switch (field->number) {
	case SHAPE_TYPE: s->type = field->number_value; break;
	case SHAPE_DIMENSIONS: return add_numbers(file, field, &s->dimensions, err);
	case SHAPE_DYNAMIC: return add_numbers(file, field, &s->dynamic, err);
	case SHAPE_LAYOUT: s->layout = field->bytes; break;
	case SHAPE_PARTS:
		if (field->type == WIRE_BYTES)
			vec_push(&s->parts, field->bytes);
		break;
	}
	return true;
}

static void put_dimensions(struct str *out, const struct shape *s)
{
	str_putc(out, '[');
	for (size_t i = 0; i < s->dimensions.len; i++) {
		bool dynamic = i < s->dynamic.len && s->dynamic.at[i];
		int64_t n = (int64_t)s->dimensions.at[i];

		str_puts(out, i ? "," : "");
		if (dynamic && n == INT64_MIN)
			str_putc(out, '?');
		else
			str_fmt(out, "%s%" PRId64, dynamic ? "<=" : "", n);
	}
	str_putc(out, ']');
}

static bool put_parts(struct file *file, const struct shape *s, int depth, struct str *out,
                      struct err *err)
{
	str_putc(out, '(');
	for (size_t i = 0; i < s->parts.len; i++) {
		str_puts(out, i ? ", " : "");
		if (!put_shape(file, s->parts.at[i], depth + 1, out, err))
			return false;
	}
	str_putc(out, ')');
	return true;
}

static bool put_shape(struct file *file, struct span span, int depth, struct str *out,
                      struct err *err)
{
	struct shape s = {0};
	struct err own = {0};
	struct field field;
	struct wire wire;

	if (depth > DEPTH_MAX || out->len > TEXT_MAX)
		return err_at(err, ERR_LIMIT, file->path, span.off,
		              "a larger shape than this program reads");
	wire_start(&wire, file, span);
	while (!own.code && wire_next(&wire, &field, &own))
		take_shape(file, &field, &s, &own);
	if (!own.code && s.type == TYPE_TUPLE) {
		put_parts(file, &s, depth, out, &own);
	} else if (!own.code) {
		put_type(out, s.type);
		put_dimensions(out, &s);
		put_layout(file, s.layout, depth, out, &own);
	}
	vec_release(&s.dimensions);
	vec_release(&s.dynamic);
	vec_release(&s.parts);
	if (own.code && err)
		*err = own;
	return !own.code;
}

bool hlo_put_shape(struct file *file, struct span shape, struct str *out, struct err *err)
{
	return put_shape(file, shape, 0, out, err);
}
