/*
 * Elements in the order of their axes, wherever each lies. What is a run in the input is read in
 * one go. Of elements that lie apart a small array is read as a whole once, as a read each costs
 * more than the bytes between them; a large one is never held. If one is read from one end to the
 * other that is done in bands, of as many elements as may be held, which are filled in the order in
 * which their elements lie in the input, a few lines at a time.
 */
#include "dump/model/value_input.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/bytes.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"

#define HELD_MOST (UINT64_C(32) << 20)

/* So many elements in a row are read one by one before a band is worth it. */
enum { ALONE_MOST = 4096 };
enum { PIECE = 64 * 1024, GAP_MOST = 16 /* elements between two that are read with them */ };
enum { ELEM_MOST = 16 };         /* bytes of an element of a band */

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
	uint64_t next, in_a_row; /* where the last read ended, and elements read up to there */
	unsigned char *band;     /* elements [band_first, band_first + band_n), in their order */
	uint64_t band_first, band_n, band_room;
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

uint64_t value_input_distinct(const struct value_input *in)
{
	return in->span / in->elem_bytes;
}

void value_input_reshape(struct value_input *in, const struct shape *shape)
{
	in->shape = *shape;
	in->band_n = in->in_a_row = 0;
}

void value_input_free(struct value_input *in)
{
	if (!in)
		return;
	input_release(&in->input);
	str_release(&in->text);
	free(in->held);
	free(in->band);
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

/* Bands. */

/* An axis of a band: from one element to the next, in bytes, in the input and in the band. */
struct band_axis {
	uint64_t n;
	int64_t from, to;
};

static int by_way(const void *a, const void *b)
{
	int64_t x = llabs(((const struct band_axis *)a)->from);
	int64_t y = llabs(((const struct band_axis *)b)->from);

	return (x < y) - (x > y);
}

/* Of lines that lie side by side in the band: so many are read before they are put there. */
enum { LINES_MOST = 16, LINE_BYTES = PIECE / LINES_MOST };

/* n elements of some lines, which lie LINE_BYTES apart from one another. */
static inline void put_elems(size_t bytes, const unsigned char *from, int64_t step, uint64_t n,
                             uint64_t n_lines, unsigned char *to, int64_t to_step)
{
	for (uint64_t i = 0; i < n; i++, from += step, to += to_step)
		for (uint64_t k = 0; k < n_lines; k++)
			memcpy(to + k * bytes, from + k * LINE_BYTES, bytes);
}

/* The same, with sizes that the compiler knows. */
static void put_lines(size_t bytes, const unsigned char *from, int64_t step, uint64_t n,
                      uint64_t n_lines, unsigned char *to, int64_t to_step)
{
	switch (bytes) {
	case 1: put_elems(1, from, step, n, n_lines, to, to_step); break;
	case 2: put_elems(2, from, step, n, n_lines, to, to_step); break;
	case 4: put_elems(4, from, step, n, n_lines, to, to_step); break;
	case 8: put_elems(8, from, step, n, n_lines, to, to_step); break;
	default: put_elems(bytes, from, step, n, n_lines, to, to_step); break;
	}
}

/*
 * Some lines, which begin `across->from` bytes apart and become neighbours: of each a piece is
 * read, and then an element of each is put into the band, and so on.
 */
static bool read_tile(struct value_input *in, int64_t at, const struct band_axis *line,
                      const struct band_axis *across, uint64_t n_lines, unsigned char *piece,
                      unsigned char *out, struct err *err)
{
	uint64_t step = (uint64_t)llabs(line->from), size = in->elem_bytes;
	uint64_t most = step <= size * GAP_MOST ? (LINE_BYTES - size) / (step ? step : 1) + 1 : 1;

	if (!step)
		most = line->n;
	for (uint64_t i = 0; i < line->n; i += most) {
		uint64_t n = line->n - i < most ? line->n - i : most, reach = (n - 1) * step;
		int64_t first = at + (int64_t)i * line->from;
		int64_t low = line->from < 0 ? first - (int64_t)reach : first;

		for (uint64_t k = 0; k < n_lines; k++)
			if (!read_span(in, (uint64_t)(low + (int64_t)k * across->from),
			               (size_t)(reach + size), piece + k * LINE_BYTES, err))
				return false;
		put_lines(size, piece + (first - low), line->from, n, n_lines,
		          out + (int64_t)i * line->to, line->to);
	}
	return true;
}

/* The line from `at` on for every index along `across`. */
static bool read_plane(struct value_input *in, int64_t at, const struct band_axis *line,
                       const struct band_axis *across, unsigned char *piece, unsigned char *out,
                       struct err *err)
{
	for (uint64_t i = 0; i < across->n; i += LINES_MOST) {
		uint64_t n = across->n - i < LINES_MOST ? across->n - i : LINES_MOST;

		if (!read_tile(in, at + (int64_t)i * across->from, line, across, n, piece,
		               out + (int64_t)i * across->to, err))
			return false;
	}
	return true;
}

/* Takes the axis along which the band's elements are neighbours out of the list, but its last. */
static struct band_axis take_across(struct band_axis *axis, uint32_t *n, size_t elem_bytes)
{
	struct band_axis none = { 1, 0, 0 };

	for (uint32_t k = 0; k + 1 < *n; k++)
		if (axis[k].to == (int64_t)elem_bytes) {
			struct band_axis found = axis[k];

			memmove(&axis[k], &axis[k + 1], (--*n - k) * sizeof *axis);
			return found;
		}
	return none;
}

/* All elements of the band's axes, those furthest apart in the outer loops. */
static bool read_lines(struct value_input *in, int64_t at, struct band_axis *axis, uint32_t n,
                       unsigned char *piece, struct err *err)
{
	uint64_t index[SHAPE_MAX_RANK] = {0};
	unsigned char *out = in->band;
	struct band_axis across;

	qsort(axis, n, sizeof *axis, by_way);
	across = take_across(axis, &n, in->elem_bytes);
	for (;;) {
		uint32_t k = n - 1;

		if (!read_plane(in, at, &axis[n - 1], &across, piece, out, err))
			return false;
		while (k-- > 0) {
			at += axis[k].from;
			out += axis[k].to;
			if (++index[k] < axis[k].n)
				break;
			at -= (int64_t)axis[k].n * axis[k].from;
			out -= (int64_t)axis[k].n * axis[k].to;
			index[k] = 0;
		}
		if (k == UINT32_MAX)
			return true;
	}
}

/* For a band of n elements; the next one may use it again. */
static bool make_room(struct value_input *in, uint64_t n)
{
	if (in->band_room >= n)
		return true;
	free(in->band);
	in->band = mem_try((size_t)(n * in->elem_bytes));
	in->band_room = in->band ? n : 0;
	return in->band;
}

/*
 * The band from an element on: along the outermost axis of which more than one index fits, as many
 * as fit. False also if there is no memory; err is then untouched.
 */
static bool fill_band(struct value_input *in, uint64_t first, struct err *err)
{
	uint64_t room = HELD_MOST / in->elem_bytes, inner = 1;
	struct band_axis axis[SHAPE_MAX_RANK];
	int64_t index[SHAPE_MAX_RANK], at = (int64_t)in->first;
	uint32_t a = in->shape.rank, n = 0;
	unsigned char *piece = mem_try(PIECE);
	bool ok;

	find_index(&in->shape, first, index);
	while (a-- > 0) {
		uint64_t dim = (uint64_t)in->shape.dim[a];
		bool is_last = !a || dim > room / inner;
		uint64_t left = is_last ? dim - (uint64_t)index[a] : dim;

		if (left > room / inner)
			left = room / inner;
		axis[n++] = (struct band_axis){ left, in->stride[a],
		                                (int64_t)(inner * in->elem_bytes) };
		inner *= left;
		if (is_last)
			break;
		index[a] = 0;
	}
	in->band_first = 0;
	for (uint32_t k = 0; k < in->shape.rank; k++) {
		in->band_first = in->band_first * (uint64_t)in->shape.dim[k] + (uint64_t)index[k];
		at += index[k] * in->stride[k];
	}
	ok = piece && make_room(in, inner) && read_lines(in, at, axis, n, piece, err);
	in->band_n = ok ? inner : 0;
	free(piece);
	return ok;
}

static bool is_in_band(const struct value_input *in, uint64_t at)
{
	return at >= in->band_first && at - in->band_first < in->band_n;
}

/* Elements one by one. */
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

static bool read_bands(struct value_input *in, uint64_t first, size_t n, unsigned char *out,
                       struct err *err)
{
	while (n) {
		struct err own = {0};
		uint64_t left;
		size_t k;

		if (!is_in_band(in, first) && !fill_band(in, first, &own)) {
			if (!own.code)
				return gather(in, first, n, out, err);
			if (err)
				*err = own;
			return false;
		}
		left = in->band_first + in->band_n - first;
		k = n < left ? n : (size_t)left;
		memcpy(out, in->band + (first - in->band_first) * in->elem_bytes,
		       k * in->elem_bytes);
		out += k * in->elem_bytes;
		first += k;
		n -= k;
	}
	return true;
}

static bool read_strided(struct value_input *in, uint64_t first, size_t n, unsigned char *out,
                         struct err *err)
{
	in->in_a_row = first == in->next ? in->in_a_row + n : n;
	in->next = first + n;
	if (in->elem_bytes > ELEM_MOST
	    || (in->in_a_row < ALONE_MOST && !is_in_band(in, first)))
		return gather(in, first, n, out, err);
	return read_bands(in, first, n, out, err);
}

bool value_input_read(struct value_input *in, uint64_t first, size_t n, unsigned char *out,
                      struct err *err)
{
	if (in->is_strided)
		return read_strided(in, first, n, out, err);
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
