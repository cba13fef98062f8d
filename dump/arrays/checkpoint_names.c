#include "dump/arrays/checkpoint_names.h"

#include <string.h>

#include "dump/arrays/checkpoint_value.h"
#include "dump/base/map.h"

enum { SUM_BYTES = 4, LENGTH_MOST = 10, NODES_BETWEEN = 256 };

struct naming {
	struct checkpoint *checkpoint;
	struct file file;        /* the shard */
	struct map tensors;      /* by their names; their numbers are those of the tensors */
	struct str key, full;    /* texts of one attribute */
	struct err *err;
};

/* The one text of the tensor: behind its length and the checksum of that. */
static bool find_text(struct naming *n, struct span *out)
{
	const struct checkpoint_tensor *t = &n->checkpoint->objects;
	const unsigned char *at;
	uint64_t size = n->file.size, len = 0;
	unsigned i = 0;

	if (t->off > size || t->size_bytes > size - t->off || t->size_bytes < 1 + SUM_BYTES)
		return err_at(n->err, ERR_FORMAT, n->file.path, t->off,
		              "its graph of objects is not all there");
	at = file_bytes(&n->file, t->off, t->size_bytes < LENGTH_MOST ? (size_t)t->size_bytes
	                                                              : LENGTH_MOST, n->err);
	if (!at)
		return false;
	do
		len |= (uint64_t)(at[i] & 0x7f) << 7 * i;
	while (at[i++] & 0x80 && i < LENGTH_MOST - 1 && i < t->size_bytes);
	if (t->size_bytes - i < SUM_BYTES || len != t->size_bytes - i - SUM_BYTES)
		return err_at(n->err, ERR_FORMAT, n->file.path, t->off,
		              "the length of its graph of objects can't be");
	*out = (struct span){ t->off + i + SUM_BYTES, len };
	return true;
}

static bool read_text(struct naming *n, struct span span, struct str *out)
{
	const char *text = wire_text(&n->file, span, WIRE_NAME_MAX, n->err);

	str_reset(out);
	if (text)
		str_put(out, text, (size_t)span.len);
	return text;
}

/* SerializedTensor: full_name 2, checkpoint_key 3. */
static bool read_attribute(struct naming *n, struct span span)
{
	struct checkpoint_tensor *t;
	struct field field;
	struct wire wire;
	uint32_t id;

	str_reset(&n->key);
	str_reset(&n->full);
	wire_start(&wire, &n->file, span);
	while (wire_next(&wire, &field, n->err)) {
		struct str *to = field.number == 2 ? &n->full : field.number == 3 ? &n->key : NULL;

		if (to && field.type == WIRE_BYTES && !read_text(n, field.bytes, to))
			return false;
	}
	if (n->err->code)
		return false;
	if (!n->full.len || !n->key.len || memchr(n->full.text, '\0', n->full.len))
		return true;
	id = map_find(&n->tensors, n->key.text, checkpoint_name_len(n->key.text, n->key.len));
	if (id == MAP_NONE)
		return true;
	t = &n->checkpoint->tensors.at[id];
	if (strcmp(t->name, n->full.text) != 0)
		t->full_name = arena_copy(&n->checkpoint->mem, n->full.text, n->full.len);
	return true;
}

/* TrackableObject: attributes 2. */
static bool read_object(struct naming *n, struct span span)
{
	struct field field;
	struct wire wire;

	wire_start(&wire, &n->file, span);
	while (wire_next(&wire, &field, n->err))
		if (field.number == 2 && field.type == WIRE_BYTES
		    && !read_attribute(n, field.bytes))
			return false;
	return !n->err->code;
}

/* TrackableObjectGraph: nodes 1. */
static bool read_objects(struct naming *n, struct progress *progress)
{
	struct field field;
	struct wire wire;
	struct span span;

	if (!find_text(n, &span))
		return false;
	wire_start(&wire, &n->file, span);
	for (uint64_t done = 0; wire_next(&wire, &field, n->err); done++) {
		if (done % NODES_BETWEEN == 0
		    && !progress_step(progress, field.key_off - span.off, span.len))
			return err_at(n->err, ERR_CANCELLED, n->file.path, 0, "stopped");
		if (field.number == 1 && field.type == WIRE_BYTES && !read_object(n, field.bytes))
			return false;
	}
	return !n->err->code;
}

static void list_tensors(struct naming *n)
{
	const struct checkpoint *c = n->checkpoint;

	/* Keys are unequal, but not all names have to be. */
	for (size_t i = 0; i < c->tensors.len; i++)
		if (map_add_lasting(&n->tensors, c->tensors.at[i].name,
		                    strlen(c->tensors.at[i].name)) != i)
			return;
}

bool checkpoint_read_names(const char *prefix, struct checkpoint *checkpoint,
                           struct progress *progress, struct err *err)
{
	struct err own = {0}, unread;
	struct naming n = { .checkpoint = checkpoint, .err = err ? err : &own };
	struct str path = {0};
	bool ok = true;

	if (!checkpoint->has_objects)
		return true;
	put_shard_path(&path, prefix, checkpoint->objects.shard, checkpoint->n_shards);
	if (file_open(&n.file, path.text, &unread)) {
		list_tensors(&n);
		ok = read_objects(&n, progress);
		file_close(&n.file);
	}
	map_release(&n.tensors);
	str_release(&n.key);
	str_release(&n.full);
	str_release(&path);
	return ok;
}
