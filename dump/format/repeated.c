/*
 * An index that thins itself. A walk over the message notes each field of ours and puts a mark
 * every `step` values; when the table of marks is full every second one goes and the step doubles.
 * To read value i, start at the last mark at or before i (or where the last read ended, if that is
 * nearer) and step on: by keys over single values, by arithmetic in packed fixed ones, by counting
 * last bytes in packed varints.
 */
#include "dump/format/repeated.h"

#include <inttypes.h>
#include <string.h>

#ifndef REPEATED_MARKS
#define REPEATED_MARKS 8192
#endif
#ifndef REPEATED_STEP
#define REPEATED_STEP 64
#endif

#define NOWHERE UINT64_MAX

/* A packed block from this size on goes straight to its place, not through the file's window. */
#define DIRECT_BYTES (16 * 1024)

void repeated_start(struct repeated *r, struct file *file, const struct span *piece,
                    size_t n_pieces, uint32_t number, enum wire_type type)
{
	*r = (struct repeated){ .file = file, .piece = piece, .n_pieces = n_pieces,
	                        .number = number, .type = type, .step = REPEATED_STEP,
	                        .index = NOWHERE };
}

void repeated_release(struct repeated *r)
{
	vec_release(&r->marks);
}

static bool is_ours(const struct repeated *r, const struct field *field)
{
	return field->number == r->number && (field->type == r->type || field->type == WIRE_BYTES);
}

static bool is_packed(const struct repeated *r, const struct field *field)
{
	return field->type == WIRE_BYTES && r->type != WIRE_BYTES;
}

static size_t fixed_size(const struct repeated *r)
{
	return r->type == WIRE_FIXED64 ? 8 : 4;
}

static void put_mark(struct repeated *r, struct repeated_mark mark)
{
	if (r->marks.len == REPEATED_MARKS) {
		for (size_t i = 0; i < REPEATED_MARKS / 2; i++)
			r->marks.at[i] = r->marks.at[2 * i];
		r->marks.len = REPEATED_MARKS / 2;
		r->step *= 2;
	}
	if (!r->marks.len || mark.index - vec_last(&r->marks)->index >= r->step)
		vec_push(&r->marks, mark);
}

/* Steps over up to `most` packed varints from *at on; *seen says how many there were. */
static bool scan_varints(struct file *file, struct span bytes, uint64_t *at, uint64_t most,
                         uint64_t *seen, struct err *err)
{
	bool inside = false;

	*seen = 0;
	while (*at < bytes.len && *seen < most) {
		size_t n, i;
		const unsigned char *b = file_some(file, bytes.off + *at, &n, err);

		if (!b)
			return err_at(err, ERR_FORMAT, file->path, bytes.off + *at,
			              "the file ends within a field");
		if (n > bytes.len - *at)
			n = (size_t)(bytes.len - *at);
		for (i = 0; i < n && *seen < most; i++) {
			inside = b[i] >= 0x80;
			*seen += !inside;
		}
		*at += i;
	}
	return !inside || err_at(err, ERR_FORMAT, file->path, bytes.off + bytes.len - 1,
	                         "a number that is cut off");
}

static bool note_varints(struct repeated *r, size_t piece, const struct field *field,
                         struct err *err)
{
	uint64_t at = 0, seen;

	while (at < field->bytes.len) {
		put_mark(r, (struct repeated_mark){ r->count, field->key_off, at, piece });
		if (!scan_varints(r->file, field->bytes, &at, r->step, &seen, err))
			return false;
		r->count += seen;
	}
	return true;
}

bool repeated_note(struct repeated *r, size_t piece, const struct field *field, struct err *err)
{
	uint64_t n = 1;

	if (!is_ours(r, field))
		return true;
	if (is_packed(r, field)) {
		if (r->type == WIRE_VARINT)
			return note_varints(r, piece, field, err);
		if (field->bytes.len % fixed_size(r))
			return err_at(err, ERR_FORMAT, r->file->path, field->bytes.off,
			              "%" PRIu64 " bytes are no whole number of values of %zu",
			              field->bytes.len, fixed_size(r));
		n = field->bytes.len / fixed_size(r);
	}
	put_mark(r, (struct repeated_mark){ r->count, field->key_off, 0, piece });
	r->count += n;
	return true;
}

bool repeated_index(struct repeated *r, struct err *err)
{
	for (size_t i = 0; i < r->n_pieces; i++) {
		struct wire wire;
		struct field field;

		wire_start(&wire, r->file, r->piece[i]);
		while (wire_next(&wire, &field, err)) {
			if (!repeated_note(r, i, &field, err))
				return false;
		}
		if (err->code)
			return false;
	}
	return true;
}

/* Reading must have found what was noted; if not, the file is another one by now. */
static bool changed(struct repeated *r, struct err *err)
{
	r->index = NOWHERE;
	return err->code ? false : err_at(err, ERR_FORMAT, r->file->path, r->wire.off,
	                                  "the file has changed");
}

static bool field_done(const struct repeated *r)
{
	return is_packed(r, &r->field) ? r->at >= r->field.bytes.len : r->at > 0;
}

/* Goes to the next field of ours if the one at hand has no value left. */
static bool find_value(struct repeated *r, struct err *err)
{
	while (field_done(r)) {
		struct field field;

		if (wire_next(&r->wire, &field, err)) {
			if (is_ours(r, &field)) {
				r->field = field;
				r->at = 0;
			}
		} else if (err->code || r->in_piece + 1 >= r->n_pieces) {
			return changed(r, err);
		} else {
			wire_start(&r->wire, r->file, r->piece[++r->in_piece]);
		}
	}
	return true;
}

static bool go_to_mark(struct repeated *r, const struct repeated_mark *mark, struct err *err)
{
	struct span piece = r->piece[mark->piece];

	piece.len -= mark->key_off - piece.off;
	piece.off = mark->key_off;
	wire_start(&r->wire, r->file, piece);
	if (!wire_next(&r->wire, &r->field, err) || !is_ours(r, &r->field))
		return changed(r, err);
	r->in_piece = mark->piece;
	r->at = mark->at;
	r->index = mark->index;
	return true;
}

static const struct repeated_mark *mark_before(const struct repeated *r, uint64_t i)
{
	size_t low = 0, high = r->marks.len;

	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (r->marks.at[mid].index <= i)
			low = mid;
		else
			high = mid;
	}
	return &r->marks.at[low];
}

/* Steps over up to n values of the field at hand. */
static bool skip_in_field(struct repeated *r, uint64_t n, uint64_t *skipped, struct err *err)
{
	if (!is_packed(r, &r->field)) {
		r->at = *skipped = 1;
	} else if (r->type == WIRE_VARINT) {
		return scan_varints(r->file, r->field.bytes, &r->at, n, skipped, err);
	} else {
		uint64_t left = (r->field.bytes.len - r->at) / fixed_size(r);

		*skipped = n < left ? n : left;
		r->at += *skipped * fixed_size(r);
	}
	return *skipped > 0;
}

bool repeated_seek(struct repeated *r, uint64_t i, struct err *err)
{
	const struct repeated_mark *mark = mark_before(r, i);

	if (r->index == NOWHERE || i < r->index || mark->index > r->index) {
		if (!go_to_mark(r, mark, err))
			return false;
	}
	while (r->index < i) {
		uint64_t skipped;

		if (!find_value(r, err))
			return false;
		if (!skip_in_field(r, i - r->index, &skipped, err))
			return changed(r, err);
		r->index += skipped;
	}
	return true;
}

bool repeated_number(struct repeated *r, uint64_t *value, struct err *err)
{
	if (!find_value(r, err))
		return false;
	if (!wire_value(r->file, &r->field, r->type, &r->at, value, err))
		return changed(r, err);
	r->index++;
	return true;
}

bool repeated_span(struct repeated *r, struct span *span, struct err *err)
{
	if (!find_value(r, err))
		return false;
	*span = r->field.bytes;
	r->at = 1;
	r->index++;
	return true;
}

/* Up to n values of the packed field at hand; 0 after an error. */
static size_t copy_packed(struct repeated *r, size_t n, void *out, struct err *err)
{
	size_t size = fixed_size(r);
	uint64_t left = (r->field.bytes.len - r->at) / size;
	const void *near;

	if (n > left)
		n = (size_t)left;
	if (n * size >= DIRECT_BYTES) {
		if (!file_read(r->file, r->field.bytes.off + r->at, n * size, out, err))
			return 0;
	} else {
		near = file_bytes(r->file, r->field.bytes.off + r->at, n * size, err);
		if (!near)
			return 0;
		memcpy(out, near, n * size);
	}
	r->at += n * size;
	r->index += n;
	return n;
}

bool repeated_fixed(struct repeated *r, size_t n, void *out, struct err *err)
{
	unsigned char *to = out;

	while (n > 0) {
		size_t got = 1;
		uint64_t value;

		if (!find_value(r, err))
			return false;
		if (is_packed(r, &r->field)) {
			got = copy_packed(r, n, to, err);
			if (!got)
				return changed(r, err);
		} else {
			if (!repeated_number(r, &value, err))
				return false;
			for (size_t i = 0; i < fixed_size(r); i++)
				to[i] = (unsigned char)(value >> (8 * i));
		}
		to += got * fixed_size(r);
		n -= got;
	}
	return true;
}
