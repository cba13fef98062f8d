/*
 * Elements in the order of their axes, wherever each lies. What is a run in the input is read in
 * one go. Of elements that lie apart a small array is read as a whole once, as a read each costs
 * more than the bytes between them; a large one is never held.
 */
#include "dump/model/value_input.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/bytes.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"

#define HELD_MOST (UINT64_C(32) << 20)

struct value_input {
	struct input input;
	struct shape shape;
	size_t elem_bytes;
	uint64_t low;            /* where the bytes of the elements begin in the input */
	uint64_t span;           /* and how many there are, those between them too */
	bool is_strided;
	uint64_t first;          /* bytes from low on to the element with index 0, 0, ... */
	int64_t stride[SHAPE_MAX_RANK];          /* bytes */
	unsigned char *held;     /* the whole span; NULL: not, or not yet */
	enum value_coding coding;
	struct str text;
};

static bool is_empty(const struct shape *shape)
{
	for (uint32_t i = 0; i < shape->rank; i++)
		if (!shape->dim[i])
			return true;
	return false;
}

/* Bytes before and behind the first element. False: they are more than any file has. */
static bool find_reach(struct value_input *in, const int64_t *stride, int64_t *before,
                       int64_t *behind)
{
	*before = 0;
	*behind = (int64_t)in->elem_bytes;
	for (uint32_t i = 0; i < in->shape.rank; i++) {
		int64_t way;

		if (__builtin_mul_overflow(stride[i], (int64_t)in->elem_bytes, &in->stride[i])
		    || __builtin_mul_overflow(in->stride[i], in->shape.dim[i] - 1, &way)
		    || __builtin_add_overflow(way < 0 ? *before : *behind, way,
		                              way < 0 ? before : behind))
			return false;
	}
	return true;
}

static bool place(struct value_input *in, uint64_t off, const int64_t *stride, uint64_t count)
{
	int64_t before, behind;
	uint64_t bytes;

	in->low = off;
	if (is_empty(&in->shape))
		return true;
	if (!stride) {
		if (__builtin_mul_overflow(count, in->elem_bytes, &bytes))
			return false;
		in->span = bytes;
	} else {
		if (!find_reach(in, stride, &before, &behind) || off < (uint64_t)-before)
			return false;
		in->is_strided = true;
		in->low = off - (uint64_t)-before;
		in->first = (uint64_t)-before;
		in->span = in->first + (uint64_t)behind;
	}
	return in->low <= in->input.size && in->span <= in->input.size - in->low;
}

struct value_input *value_input_new(struct input *input, const struct shape *shape,
                                    uint64_t count, size_t elem_bytes,
                                    const struct value_layout *layout, struct err *err)
{
	struct value_input *in = mem_alloc(sizeof *in);

	in->input = *input;
	*input = (struct input){0};
	in->shape = *shape;
	in->elem_bytes = elem_bytes;
	in->coding = layout->text;
	if (place(in, layout->off, layout->stride, count))
		return in;
	err_fill(err, ERR_FORMAT, in->input.path, layout->off,
	         "the elements are not within the %" PRIu64 " bytes there are", in->input.size);
	value_input_free(in);
	return NULL;
}

void value_input_free(struct value_input *in)
{
	if (!in)
		return;
	input_release(&in->input);
	str_release(&in->text);
	free(in->held);
	free(in);
}

/* From the span. */
static bool read_span(struct value_input *in, uint64_t off, size_t len, unsigned char *out,
                      struct err *err)
{
	if (in->is_strided && !in->held && in->span <= HELD_MOST) {
		in->held = mem_alloc((size_t)in->span);
		if (!input_read(&in->input, in->low, (size_t)in->span, in->held, err)) {
			free(in->held);
			in->held = NULL;
			return false;
		}
	}
	if (in->held)
		memcpy(out, in->held + off, len);
	return in->held || input_read(&in->input, in->low + off, len, out, err);
}

static void find_index(const struct shape *shape, uint64_t at, int64_t *index)
{
	for (uint32_t k = shape->rank; k-- > 0; at /= (uint64_t)shape->dim[k])
		index[k] = (int64_t)(at % (uint64_t)shape->dim[k]);
}

static bool gather(struct value_input *in, uint64_t first, size_t n, unsigned char *out,
                   struct err *err)
{
	int64_t index[SHAPE_MAX_RANK];

	find_index(&in->shape, first, index);
	for (size_t i = 0; i < n; i++) {
		int64_t at = (int64_t)in->first;

		for (uint32_t k = 0; k < in->shape.rank; k++)
			at += index[k] * in->stride[k];
		if (!read_span(in, (uint64_t)at, in->elem_bytes, out + i * in->elem_bytes, err))
			return false;
		shape_next(&in->shape, index);
	}
	return true;
}

bool value_input_read(struct value_input *in, uint64_t first, size_t n, unsigned char *out,
                      struct err *err)
{
	if (in->is_strided)
		return gather(in, first, n, out, err);
	return !n || read_span(in, first * in->elem_bytes, n * in->elem_bytes, out, err);
}

static bool is_character(uint32_t point)
{
	return point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
}

/* UCS-4 as UTF-8; a text ends before the NULs that it ends with. */
static void put_ucs4(struct str *out, const unsigned char *at, size_t n, bool big_endian)
{
	size_t len = 0;

	for (size_t i = 0; i < n; i++) {
		const unsigned char *c = at + 4 * i;
		uint32_t point = big_endian ? (uint32_t)c[0] << 24 | (uint32_t)c[1] << 16
		                              | (uint32_t)c[2] << 8 | c[3]
		                            : (uint32_t)little_endian(c, 4);

		utf8_put(out, is_character(point) ? point : 0xfffd);
		len = point ? out->len : len;
	}
	str_cut(out, len);
}

bool value_input_text(struct value_input *in, uint64_t i, const char **text, size_t *len,
                      struct err *err)
{
	unsigned char *raw = mem_try(in->elem_bytes + 1);
	bool ok = raw || err_at(err, ERR_LIMIT, in->input.path, in->low,
	                        "no memory for a text of %zu bytes", in->elem_bytes);

	ok = ok && value_input_read(in, i, 1, raw, err);
	str_reset(&in->text);
	if (ok && in->coding == CODED_BYTES) {
		size_t n = in->elem_bytes;

		while (n && !raw[n - 1])
			n--;
		str_put(&in->text, (const char *)raw, n);
	} else if (ok) {
		put_ucs4(&in->text, raw, in->elem_bytes / 4,
		         in->coding == CODED_UCS4_BIG);
	}
	free(raw);
	*text = str_text(&in->text);
	*len = in->text.len;
	return ok;
}
