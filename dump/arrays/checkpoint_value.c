/*
 * Parts are put together as bytes: the bytes of an element are one more axis, the last, of which
 * each part has the whole. What is asked for is read in runs that lie together in the tensor as
 * well as in a part.
 */
#include "dump/arrays/checkpoint_value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/format/input.h"

#define TEXT_MOST ((size_t)256 << 20)

enum { AXES_MOST = SHAPE_MAX_RANK + 1, SUM_BYTES = 4 };

void put_shard_path(struct str *out, const char *prefix, uint32_t shard, uint32_t n_shards)
{
	str_fmt(out, "%s.data-%05" PRIu32 "-of-%05" PRIu32, prefix, shard, n_shards);
}

/* Parts. */

struct parts {
	const char *prefix;
	uint32_t n_shards;
	const struct checkpoint_tensor *tensor;
	uint64_t dim[AXES_MOST];
	uint32_t n_axes;
	struct file file;        /* of the shard that was read last */
	struct str path;
	uint32_t open_shard;
	bool is_open;
	uint32_t last;           /* the part that was read last */
};

static bool open_shard(struct parts *p, uint32_t shard, struct err *err)
{
	if (p->is_open && p->open_shard == shard)
		return true;
	if (p->is_open)
		file_close(&p->file);
	str_reset(&p->path);
	put_shard_path(&p->path, p->prefix, shard, p->n_shards);
	p->is_open = file_open(&p->file, p->path.text, err);
	p->open_shard = shard;
	return p->is_open;
}

static uint64_t start_of(const struct parts *p, const struct checkpoint_part *part, uint32_t k)
{
	return k < p->tensor->rank ? (uint64_t)part->start[k] : 0;
}

static uint64_t length_of(const struct parts *p, const struct checkpoint_part *part, uint32_t k)
{
	return k < p->tensor->rank ? (uint64_t)part->length[k] : p->dim[k];
}

static bool covers(const struct parts *p, const struct checkpoint_part *part,
                   const uint64_t *index)
{
	for (uint32_t k = 0; k < p->tensor->rank; k++)
		if (index[k] < start_of(p, part, k)
		    || index[k] - start_of(p, part, k) >= length_of(p, part, k))
			return false;
	return true;
}

static const struct checkpoint_part *find_part(struct parts *p, const uint64_t *index)
{
	for (uint32_t i = 0; i < p->tensor->n_parts; i++) {
		uint32_t at = (p->last + i) % p->tensor->n_parts;

		if (covers(p, &p->tensor->part[at], index)) {
			p->last = at;
			return &p->tensor->part[at];
		}
	}
	return NULL;
}

/* Where in a part the byte of this index is, and how many follow it there as in the tensor. */
static void find_run(const struct parts *p, const struct checkpoint_part *part,
                     const uint64_t *index, uint64_t *at, uint64_t *run)
{
	bool whole = true;       /* of all axes behind this one the part has the whole */
	uint64_t step = 1;

	*at = 0;
	*run = 0;
	for (uint32_t k = p->n_axes; k-- > 0; step *= length_of(p, part, k)) {
		*at += (index[k] - start_of(p, part, k)) * step;
		if (whole)
			*run = length_of(p, part, k) * step - *at;
		whole = whole && length_of(p, part, k) == p->dim[k];
	}
}

static bool read_parts(void *owner, uint64_t off, size_t len, void *out, struct err *err)
{
	struct parts *p = owner;
	unsigned char *to = out;

	while (len) {
		const struct checkpoint_part *part;
		uint64_t index[AXES_MOST], rest = off, at, run;
		size_t n;

		for (uint32_t k = p->n_axes; k-- > 0; rest /= p->dim[k])
			index[k] = rest % p->dim[k];
		part = find_part(p, index);
		if (!part)
			return err_at(err, ERR_FORMAT, p->prefix, 0,
			              "no part of %.100s has all of its elements",
			              p->tensor->name);
		find_run(p, part, index, &at, &run);
		n = run < len ? (size_t)run : len;
		if (!open_shard(p, part->shard, err)
		    || !file_read(&p->file, part->off + at, n, to, err))
			return false;
		to += n;
		off += n;
		len -= n;
	}
	return true;
}

static void release_parts(void *owner)
{
	struct parts *p = owner;

	if (p->is_open)
		file_close(&p->file);
	str_release(&p->path);
	free(p);
}

struct value *checkpoint_parts(const char *prefix, uint32_t n_shards, bool big_endian,
                               const struct checkpoint_tensor *tensor, struct err *err)
{
	struct parts *p = mem_alloc(sizeof *p);
	struct input input = { prefix, tensor->size_bytes, p, read_parts, release_parts };
	struct value_layout layout = { .dtype = tensor->type->dtype, .big_endian = big_endian };
	struct shape shape = { .rank = tensor->rank };

	p->prefix = prefix;
	p->n_shards = n_shards;
	p->tensor = tensor;
	for (uint32_t k = 0; k < tensor->rank; k++) {
		shape.dim[k] = tensor->dim[k];
		p->dim[k] = (uint64_t)tensor->dim[k];
	}
	p->dim[tensor->rank] = tensor->type->elem_bytes;
	p->n_axes = tensor->rank + 1;
	return value_open_input(&input, &shape, &layout, err);
}

/* Strings. */

struct texts {
	struct file file;
	uint64_t *off;           /* where each begins, and the end */
	char path[];
};

static bool read_text(void *owner, uint64_t i, const char **text, size_t *len, struct err *err)
{
	struct texts *t = owner;
	struct span span = { t->off[i], t->off[i + 1] - t->off[i] };

	*text = wire_text(&t->file, span, TEXT_MOST, err);
	*len = *text ? (size_t)span.len : 0;
	return *text;
}

static void release_texts(void *owner)
{
	struct texts *t = owner;

	file_close(&t->file);
	free(t->off);
	free(t);
}

/* Their lengths, which become places. */
static bool place_texts(struct texts *t, struct span span, uint64_t count, struct err *err)
{
	struct field lengths = { .type = WIRE_BYTES, .bytes = span };
	uint64_t at = 0, place;

	for (uint64_t i = 0; i < count; i++)
		if (!wire_value(&t->file, &lengths, WIRE_VARINT, &at, &t->off[i], err))
			return err->code ? false : err_at(err, ERR_FORMAT, t->path, span.off,
			                                  "fewer lengths than strings");
	if (span.len - at < SUM_BYTES)
		return err_at(err, ERR_FORMAT, t->path, span.off + at,
		              "no checksum behind the lengths of strings");
	place = span.off + at + SUM_BYTES;
	for (uint64_t i = 0; i < count; i++) {
		uint64_t len = t->off[i], left = span.off + span.len - place;

		if (len > left)
			return err_at(err, ERR_FORMAT, t->path, place,
			              "a string of %" PRIu64 " byte%s, %" PRIu64 " are left", len,
			              plural(len), left);
		t->off[i] = place;
		place += len;
	}
	t->off[count] = place;
	return place == span.off + span.len
	       || err_at(err, ERR_FORMAT, t->path, place, "bytes behind the last string");
}

static bool open_texts(struct texts *t, struct span span, const struct shape *shape,
                       struct err *err)
{
	uint64_t count;

	if (!file_open(&t->file, t->path, err))
		return false;
	if (span.off > t->file.size || span.len > t->file.size - span.off)
		return err_damaged(err, DAMAGE_CUT, t->path, span.off,
		                   "%" PRIu64 " bytes of strings expected here", span.len);
	if (!shape_count(shape, &count) || count > span.len)
		return err_at(err, ERR_FORMAT, t->path, span.off,
		              "%" PRIu64 " bytes are less than its strings need", span.len);
	t->off = mem_try((size_t)(count + 1) * sizeof *t->off);
	if (!t->off)
		return err_at(err, ERR_LIMIT, t->path, span.off,
		              "no memory for the places of %" PRIu64 " strings", count);
	return place_texts(t, span, count, err);
}

struct value *checkpoint_texts(const char *path, uint64_t off, uint64_t len,
                               const struct shape *shape, struct err *err)
{
	size_t path_len = strlen(path);
	struct texts *t = mem_alloc(sizeof *t + path_len + 1);
	struct value_texts texts = { t, read_text, release_texts };
	struct err own = {0};

	memcpy(t->path, path, path_len + 1);
	t->file.fd = -1;
	if (open_texts(t, (struct span){ off, len }, shape, err ? err : &own))
		return value_open_texts(path, shape, &texts, err);
	release_texts(t);
	return NULL;
}
