#include "dump/summary/rows.h"

#include <string.h>

#include "dump/summary/messages.h"

static void put_bins(struct str *out, uint32_t number, const struct summary_bin *bins, size_t n)
{
	struct str packed = {0};

	for (size_t i = 0; i < n; i++) {
		varint_put(&packed, zigzag(bins[i].exponent));
		varint_put(&packed, bins[i].n);
	}
	field_put_bytes(out, number, packed.text, packed.len);
	str_release(&packed);
}

/* Exponents come in order, each once. */
static bool take_bin(struct text *rest, struct summary_bin *bin)
{
	uint64_t exponent;
	int64_t number;

	if (!varint_take(rest, &exponent) || !varint_take(rest, &bin->n))
		return false;
	number = unzigzag(exponent);
	bin->exponent = (int32_t)number;
	return number >= -2000 && number <= 2000 && bin->n;
}

#define TAKE_BINS(m, bins) \
	do { \
		struct text rest = (m)->field.bytes; \
		struct summary_bin bin; \
		\
		while (rest.len && !(m)->damaged) { \
			(m)->damaged = !take_bin(&rest, &bin) || \
			               ((bins)->len && vec_last(bins)->exponent >= bin.exponent); \
			if (!(m)->damaged) \
				vec_push(bins, bin); \
		} \
	} while (0)

static void put_shape(struct str *out, uint32_t number, const struct shape *shape)
{
	struct str packed = {0};

	for (uint32_t i = 0; i < shape->rank; i++)
		varint_put(&packed, zigzag(shape->dim[i]));
	field_put_bytes(out, number, packed.text, packed.len);
	str_release(&packed);
}

static void take_shape(struct message *m, struct shape *shape)
{
	struct text rest = m->field.bytes;
	uint64_t dim;

	while (rest.len && !m->damaged) {
		m->damaged = shape->rank == SHAPE_MAX_RANK || !varint_take(&rest, &dim);
		if (!m->damaged)
			shape->dim[shape->rank++] = unzigzag(dim);
	}
}

/* Elements are written lowest byte first; a complex one has no extremes. */
static void swap_if_big(unsigned char *elem, size_t len)
{
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
		return;
	for (size_t i = 0; i < len / 2; i++) {
		unsigned char kept = elem[i];

		elem[i] = elem[len - 1 - i];
		elem[len - 1 - i] = kept;
	}
}

static void put_end(struct str *out, uint32_t number, const struct dtype_info *type,
                    const unsigned char *elem)
{
	unsigned char bytes[16];

	memcpy(bytes, elem, sizeof bytes);
	swap_if_big(bytes, type->elem_bytes);
	field_put_element(out, number, bytes, type->elem_bytes);
}

static void take_end(struct message *m, struct summary_value *out, unsigned char *elem)
{
	size_t len = m->field.bytes.len;

	out->has_ends = true;
	m->damaged |= !out->type || len != out->type->elem_bytes || len > sizeof out->min;
	if (m->damaged || !len)                  /* of strings there is nothing to take */
		return;
	memcpy(elem, m->field.bytes.at, len);
	swap_if_big(elem, len);
}

enum { TOLD_KNOWN = 1, TOLD_NAN, TOLD_NEG_INF, TOLD_POS_INF, TOLD_SIZE, TOLD_ZERO, TOLD_NEGATIVE };

static void put_told(struct str *out, uint32_t number, const struct origin_health *told)
{
	struct str message = {0};

	if (told->known == KNOWN_NOTHING)
		return;
	field_put_number(&message, TOLD_KNOWN, told->known);
	field_put_number(&message, TOLD_NAN, told->counts.nan);
	field_put_number(&message, TOLD_NEG_INF, told->counts.neg_inf);
	field_put_number(&message, TOLD_POS_INF, told->counts.pos_inf);
	put_or_unknown(&message, TOLD_SIZE, told->counts.size);
	field_put_number(&message, TOLD_ZERO, told->has_zero);
	field_put_number(&message, TOLD_NEGATIVE, told->has_negative);
	field_put_bytes(out, number, message.text, message.len);
	str_release(&message);
}

static void take_told(struct message *of, struct origin_health *told)
{
	struct message m = { .rest = of->field.bytes };

	told->counts.size = -1;
	while (!m.damaged && next(&m))
		switch (m.field.number) {
		case TOLD_KNOWN:
			told->known = (enum origin_known)choice_of(&m, KNOWN_ELEMENTS + 1);
			break;
		case TOLD_NAN: told->counts.nan = m.field.value; break;
		case TOLD_NEG_INF: told->counts.neg_inf = m.field.value; break;
		case TOLD_POS_INF: told->counts.pos_inf = m.field.value; break;
		case TOLD_SIZE: told->counts.size = or_unknown(&m); break;
		case TOLD_ZERO: told->has_zero = m.field.value; break;
		case TOLD_NEGATIVE: told->has_negative = m.field.value; break;
		}
	of->damaged |= m.damaged;
}

/* Of each that was recorded its number, as those of STATS_MAX and so on from 1. */
static void put_stats(struct str *out, uint32_t number, const struct array_stats *stats)
{
	struct str message = {0};

	for (uint32_t i = 0; i < N_STATS; i++) {
		field_put_number(&message, 2 * i + 1, stats->has[i]);
		if (stats->has[i])
			field_put_double(&message, 2 * i + 2, stats->at[i]);
	}
	field_put_element(out, number, message.text, message.len);
	str_release(&message);
}

static void take_stats(struct message *of, struct array_stats *stats)
{
	struct message m = { .rest = of->field.bytes };

	while (!m.damaged && next(&m)) {
		uint32_t i = (m.field.number - 1) / 2;

		if (i >= N_STATS)
			continue;
		if (m.field.number % 2)
			stats->has[i] = m.field.value;
		else
			stats->at[i] = field_double(&m.field);
	}
	of->damaged |= m.damaged;
}

void summary_put_value(struct str *out, const struct summary_value *v)
{
	field_put_number(out, 1, v->position);
	put_or_unknown(out, 2, v->time_us);
	put_or_unknown(out, 3, v->size_bytes);
	field_put_number(out, 4, v->state);
	if (v->type) {
		field_put_number(out, 5, v->type->dtype);
		put_shape(out, 6, &v->shape);
	}
	field_put_number(out, 7, v->nan);
	field_put_number(out, 8, v->neg_inf);
	field_put_number(out, 9, v->pos_inf);
	field_put_number(out, 10, v->negative);
	field_put_number(out, 11, v->zero);
	field_put_number(out, 12, v->positive);
	if (v->has_ends) {
		put_end(out, 13, v->type, v->min);
		put_end(out, 14, v->type, v->max);
	}
	field_put_number(out, 15, v->has_moments);
	if (v->has_moments) {
		field_put_double(out, 16, v->mean);
		field_put_double(out, 17, v->std);
	}
	if (v->modulus >= 0)
		field_put_any_double(out, 18, v->modulus);
	put_bins(out, 19, v->below.at, v->below.len);
	put_bins(out, 20, v->above.at, v->above.len);
	put_told(out, 21, &v->told);
	field_put_text(out, 22, v->problem);
	field_put_number(out, 23, v->problem_off);
	field_put_number(out, 24, v->problem_kind);
	field_put_text(out, 25, v->file);
	field_put_text(out, 26, v->op);
	field_put_text(out, 27, v->doubt);
	if (v->has_stats)
		put_stats(out, 28, &v->stats);
}

/* The fields from 13 on. */
static void take_more(struct message *m, struct summary_value *out)
{
	switch (m->field.number) {
	case 13: take_end(m, out, out->min); break;
	case 14: take_end(m, out, out->max); break;
	case 15: out->has_moments = m->field.value; break;
	case 16: out->mean = field_double(&m->field); break;
	case 17: out->std = field_double(&m->field); break;
	case 18: out->modulus = field_double(&m->field); break;
	case 19: TAKE_BINS(m, &out->below); break;
	case 20: TAKE_BINS(m, &out->above); break;
	case 21: take_told(m, &out->told); break;
	case 22: out->problem = text_of(m); break;
	case 23: out->problem_off = m->field.value; break;
	case 24:
		out->problem_kind = (enum problem_kind)choice_of(m, PROBLEM_LEFT_OUT + 1);
		break;
	case 25: out->file = text_of(m); break;
	case 26: out->op = text_of(m); break;
	case 27: out->doubt = text_of(m); break;
	case 28:
		out->has_stats = true;
		take_stats(m, &out->stats);
		break;
	}
}

bool summary_read_value(const char *path, const struct summary_row *row, struct arena *mem,
                        struct summary_value *out, struct err *err)
{
	struct message m = message_of(row, mem);

	*out = (struct summary_value){ .time_us = -1, .size_bytes = -1, .modulus = -1 };
	while (!m.damaged && next(&m))
		switch (m.field.number) {
		case 1: out->position = (uint32_t)m.field.value; break;
		case 2: out->time_us = or_unknown(&m); break;
		case 3: out->size_bytes = or_unknown(&m); break;
		case 4:
			out->state = (enum summary_state)choice_of(&m, SUMMARY_MISSING + 1);
			break;
		case 5:
			out->type = dtype_info(m.field.value);
			m.damaged |= !out->type;
			break;
		case 6: take_shape(&m, &out->shape); break;
		case 7: out->nan = m.field.value; break;
		case 8: out->neg_inf = m.field.value; break;
		case 9: out->pos_inf = m.field.value; break;
		case 10: out->negative = m.field.value; break;
		case 11: out->zero = m.field.value; break;
		case 12: out->positive = m.field.value; break;
		default: take_more(&m, out);
		}
	return message_finished(&m, path, row, err);
}

void summary_value_release(struct summary_value *value)
{
	vec_release(&value->below);
	vec_release(&value->above);
}
