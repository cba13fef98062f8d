/*
 * Of numbers the sum is that of their bytes, in each part. Of strings it goes over their lengths,
 * of 4 bytes each (8 if it has more than 4 GiB), a sum of those, which is stored too, and their
 * bytes.
 * Source  tensorflow/core/util/tensor_bundle/tensor_bundle.cc
 */
#include "dump/arrays/checkpoint_sum.h"

#include "dump/arrays/checkpoint_value.h"
#include "dump/format/crc32c.h"

enum { AT_ONCE = 64 * 1024, SUM_BYTES = 4 };

struct summing {
	struct file file;
	struct str path;
	bool is_open;
};

static bool open_shard(struct summing *s, const char *prefix, uint32_t n_shards, uint32_t shard)
{
	if (s->is_open)
		file_close(&s->file);
	str_reset(&s->path);
	put_shard_path(&s->path, prefix, shard, n_shards);
	s->is_open = file_open(&s->file, s->path.text, NULL);
	return s->is_open;
}

/* False: they are not all there. */
static bool add_bytes(struct summing *s, uint64_t off, uint64_t len, uint32_t *crc)
{
	if (off > s->file.size || len > s->file.size - off)
		return false;
	while (len) {
		size_t n = len < AT_ONCE ? (size_t)len : AT_ONCE;
		const void *bytes = file_bytes(&s->file, off, n, NULL);

		if (!bytes)
			return false;
		*crc = crc32c(*crc, bytes, n);
		off += n;
		len -= n;
	}
	return true;
}

/* The lengths of strings at *off, and past them. */
static bool add_lengths(struct summing *s, uint64_t *off, uint64_t len, uint64_t count,
                        uint32_t *crc)
{
	struct field lengths = { .type = WIRE_BYTES, .bytes = { *off, len } };
	uint64_t at = 0, length;

	for (uint64_t i = 0; i < count; i++) {
		unsigned char bytes[8];
		size_t n;

		if (!wire_value(&s->file, &lengths, WIRE_VARINT, &at, &length, NULL))
			return false;
		n = length > UINT32_MAX ? 8 : 4;
		for (size_t k = 0; k < n; k++)
			bytes[k] = (unsigned char)(length >> (8 * k));
		*crc = crc32c(*crc, bytes, n);
	}
	*off += at;
	return true;
}

static bool is_sum_at(struct summing *s, uint64_t off, uint32_t sum)
{
	const unsigned char *at = file_bytes(&s->file, off, SUM_BYTES, NULL);
	uint32_t stored = 0;

	for (int i = SUM_BYTES; at && i-- > 0; )
		stored = stored << 8 | at[i];
	return !at || stored == sum;
}

static bool texts_are_sound(struct summing *s, const struct checkpoint_tensor *t)
{
	struct shape shape = { .rank = t->rank };
	uint64_t off = t->off, end = t->off + t->size_bytes, count;
	uint32_t crc = 0;

	for (uint32_t k = 0; k < t->rank; k++)
		shape.dim[k] = t->dim[k];
	if (!shape_count(&shape, &count) || end < off || end > s->file.size
	    || !add_lengths(s, &off, t->size_bytes, count, &crc))
		return true;
	return is_sum_at(s, off, crc32c_masked(crc))
	       && (!add_bytes(s, off, end - off, &crc) || crc32c_masked(crc) == t->sum);
}

static bool is_sound(struct summing *s, uint64_t off, uint64_t len, uint32_t sum)
{
	uint32_t crc = 0;

	return !len || !add_bytes(s, off, len, &crc) || crc32c_masked(crc) == sum;
}

bool checkpoint_is_sound(const char *prefix, uint32_t n_shards, const struct checkpoint_tensor *t)
{
	struct summing s = {0};
	bool sound = true;

	for (uint32_t i = 0; sound && i < t->n_parts; i++)
		if (open_shard(&s, prefix, n_shards, t->part[i].shard))
			sound = is_sound(&s, t->part[i].off, t->part[i].size_bytes,
			                 t->part[i].sum);
	if (!t->part && t->type && open_shard(&s, prefix, n_shards, t->shard))
		sound = t->type->kind == KIND_STRING
		        ? texts_are_sound(&s, t) : is_sound(&s, t->off, t->size_bytes, t->sum);
	if (s.is_open)
		file_close(&s.file);
	str_release(&s.path);
	return sound;
}
