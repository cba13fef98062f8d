/*
 * Numbers that may be -1 are kept as they are plus 1, so that "unknown" takes no byte.
 */
#include "dump/summary/rows.h"

#include <inttypes.h>
#include <string.h>

/* ---- reading */

/* A message that is read: what lies in it, and what becomes of its texts. */
struct message {
	struct text rest;
	struct message_field field;
	struct arena *mem;
	bool damaged;
};

static struct message message_of(const struct summary_row *row, struct arena *mem)
{
	return (struct message){ .rest = row->value, .mem = mem };
}

static bool next(struct message *m)
{
	return message_next(&m->rest, &m->field, &m->damaged);
}

static const char *text_of(struct message *m)
{
	return field_text(&m->field, m->mem);
}

/* Of an enum that ends before n. */
static int choice_of(struct message *m, uint64_t n)
{
	if (m->field.value >= n)
		m->damaged = true;
	return m->damaged ? 0 : (int)m->field.value;
}

static int64_t or_unknown(const struct message *m)
{
	return (int64_t)(m->field.value - 1);
}

static bool finished(const struct message *m, const char *path, const struct summary_row *row,
                     struct err *err)
{
	struct str name = {0};

	if (!m->damaged)
		return true;
	summary_put_key_text(&name, &row->key);
	err_fill(err, ERR_FORMAT, path, row->off, "the row of %s is damaged", str_text(&name));
	str_release(&name);
	return false;
}

static void put_or_unknown(struct str *out, uint32_t field, int64_t number)
{
	field_put_number(out, field, (uint64_t)number + 1);
}

/* ---- sources, devices, problems */

void summary_put_source(struct str *out, const struct summary_source *source)
{
	field_put_text(out, 1, source->reader);
	field_put_number(out, 2, source->rows);
	field_put_number(out, 3, source->is_root);
}

bool summary_read_source(const char *path, const struct summary_row *row, struct arena *mem,
                         struct summary_source *out, struct err *err)
{
	struct message m = message_of(row, mem);

	*out = (struct summary_source){ .reader = "" };
	while (!m.damaged && next(&m))
		switch (m.field.number) {
		case 1: out->reader = text_of(&m); break;
		case 2: out->rows = m.field.value; break;
		case 3: out->is_root = m.field.value; break;
		}
	return finished(&m, path, row, err);
}

void summary_put_device(struct str *out, const struct summary_device *device)
{
	field_put_text(out, 1, device->graph);
	field_put_number(out, 2, device->position);
}

bool summary_read_device(const char *path, const struct summary_row *row, struct arena *mem,
                         struct summary_device *out, struct err *err)
{
	struct message m = message_of(row, mem);

	*out = (struct summary_device){0};
	while (!m.damaged && next(&m))
		switch (m.field.number) {
		case 1: out->graph = text_of(&m); break;
		case 2: out->position = (uint32_t)m.field.value; break;
		}
	return finished(&m, path, row, err);
}

void summary_put_problem(struct str *out, const struct summary_problem *problem)
{
	field_put_number(out, 1, problem->kind);
	field_put_number(out, 2, problem->unread);
	field_put_number(out, 3, problem->whole);
}

bool summary_read_problem(const char *path, const struct summary_row *row,
                          struct summary_problem *out, struct err *err)
{
	struct message m = message_of(row, NULL);

	*out = (struct summary_problem){0};
	while (!m.damaged && next(&m))
		switch (m.field.number) {
		case 1: out->kind = (enum problem_kind)choice_of(&m, PROBLEM_TOO_EARLY + 1); break;
		case 2: out->unread = m.field.value; break;
		case 3: out->whole = m.field.value; break;
		}
	return finished(&m, path, row, err);
}

/* ---- runs */

enum { FACT_IS_VALUE = 1, FACT_KEY, FACT_TEXT, FACT_IS_TEXT };

static void put_fact(struct str *out, uint32_t number, const struct run_fact *fact)
{
	struct str message = {0};

	field_put_number(&message, FACT_IS_VALUE, fact->kind);
	field_put_text(&message, FACT_KEY, fact->key);
	field_put_text(&message, FACT_TEXT, fact->text);
	field_put_number(&message, FACT_IS_TEXT, fact->is_text);
	field_put_element(out, number, message.text, message.len);
	str_release(&message);
}

static struct run_fact fact_of(struct message *of)
{
	struct message m = { .rest = of->field.bytes, .mem = of->mem };
	struct run_fact fact = { .key = "", .text = "" };

	while (!m.damaged && next(&m))
		switch (m.field.number) {
		case FACT_IS_VALUE:
			fact.kind = m.field.value ? FACT_VALUE : FACT_METADATA;
			break;
		case FACT_KEY: fact.key = text_of(&m); break;
		case FACT_TEXT: fact.text = text_of(&m); break;
		case FACT_IS_TEXT: fact.is_text = m.field.value; break;
		}
	of->damaged |= m.damaged;
	return fact;
}

void summary_put_run(struct str *out, const struct summary_run *run)
{
	field_put_number(out, 1, run->position);
	put_or_unknown(out, 2, run->time_us);
	field_put_text(out, 3, run->suffix);
	put_or_unknown(out, 4, run->counter);
	put_or_unknown(out, 5, run->step);
	field_put_text(out, 6, run->fetches);
	field_put_text(out, 7, run->feeds);
	for (size_t i = 0; i < run->metadata.len; i++)
		field_put_element(out, 8, run->metadata.at[i], strlen(run->metadata.at[i]));
	field_put_number(out, 9, run->n_graph_files);
	field_put_text(out, 10, run->op_type);
	field_put_number(out, 11, run->is_empty);
	field_put_text(out, 12, run->broken);
	for (size_t i = 0; i < run->facts.len; i++)
		put_fact(out, 13, &run->facts.at[i]);
}

bool summary_read_run(const char *path, const struct summary_row *row, struct arena *mem,
                      struct summary_run *out, struct err *err)
{
	struct message m = message_of(row, mem);

	*out = (struct summary_run){ .time_us = -1, .counter = -1, .step = -1 };
	while (!m.damaged && next(&m))
		switch (m.field.number) {
		case 1: out->position = m.field.value; break;
		case 2: out->time_us = or_unknown(&m); break;
		case 3: out->suffix = text_of(&m); break;
		case 4: out->counter = or_unknown(&m); break;
		case 5: out->step = or_unknown(&m); break;
		case 6: out->fetches = text_of(&m); break;
		case 7: out->feeds = text_of(&m); break;
		case 8: vec_push(&out->metadata, text_of(&m)); break;
		case 9: out->n_graph_files = (uint32_t)m.field.value; break;
		case 10: out->op_type = text_of(&m); break;
		case 11: out->is_empty = m.field.value; break;
		case 12: out->broken = text_of(&m); break;
		case 13: vec_push(&out->facts, fact_of(&m)); break;
		}
	return finished(&m, path, row, err);
}

void summary_run_release(struct summary_run *run)
{
	vec_release(&run->metadata);
	vec_release(&run->facts);
}

/* ---- values */

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
	if (m->damaged)
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
		out->problem_kind = (enum problem_kind)choice_of(m, PROBLEM_TOO_EARLY + 1);
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
	return finished(&m, path, row, err);
}

void summary_value_release(struct summary_value *value)
{
	vec_release(&value->below);
	vec_release(&value->above);
}
