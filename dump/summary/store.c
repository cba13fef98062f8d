#include "dump/summary/store.h"

#include <stdlib.h>
#include <string.h>

bool summary_store_takes(struct summary_store *store, const struct str *key)
{
	vec_push(&store->hashes, summary_hash(SUMMARY_HASH, key->text, key->len));
	return summary_is_in_shard(key, store->k, store->n);
}

void summary_store_put(struct summary_store *store, const struct str *key, const struct str *value)
{
	char *bytes = arena_alloc(&store->mem, key->len + value->len);

	memcpy(bytes, key->text, key->len);
	if (value->len)
		memcpy(bytes + key->len, value->text, value->len);
	vec_push(&store->rows, ((struct stored_row){ bytes, (uint32_t)key->len,
	                                             (uint32_t)value->len }));
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

uint64_t summary_store_count(struct summary_store *store, uint64_t *hash)
{
	size_t n = 0;

	*hash = SUMMARY_HASH;
	if (store->hashes.len)
		qsort(store->hashes.at, store->hashes.len, sizeof *store->hashes.at, by_number);
	for (size_t i = 0; i < store->hashes.len; i++) {
		unsigned char bytes[8];

		if (i && store->hashes.at[i] == store->hashes.at[i - 1])
			continue;
		for (int k = 0; k < 8; k++)
			bytes[k] = (unsigned char)(store->hashes.at[i] >> (8 * k));
		*hash = summary_hash(*hash, bytes, sizeof bytes);
		n++;
	}
	return n;
}

static int by_key(const void *a, const void *b)
{
	const struct stored_row *x = a, *y = b;
	int order = memcmp(x->key, y->key, x->key_len < y->key_len ? x->key_len : y->key_len);

	return order ? order : (x->key_len > y->key_len) - (x->key_len < y->key_len);
}

static bool is_same(const struct stored_row *a, const struct stored_row *b)
{
	return a->len == b->len && !memcmp(a->key + a->key_len, b->key + b->key_len, a->len);
}

static bool clash(const struct stored_row *row, struct err *err)
{
	struct summary_key key;
	struct str name = {0};

	if (summary_read_key(row->key, row->key_len, &key))
		summary_put_key_text(&name, &key);
	err_fill(err, ERR_FORMAT, "command", 0, "two rows of %s are not the same", str_text(&name));
	str_release(&name);
	return false;
}

bool summary_store_sort(struct summary_store *store, struct err *err)
{
	struct stored_row *at = store->rows.at;
	size_t n = 0;

	if (store->rows.len)
		qsort(at, store->rows.len, sizeof *at, by_key);
	for (size_t i = 0; i < store->rows.len; i++) {
		if (!n || by_key(&at[n - 1], &at[i]))
			at[n++] = at[i];
		else if (!is_same(&at[n - 1], &at[i]))
			return clash(&at[i], err);
	}
	store->rows.len = n;
	return true;
}

void summary_store_write(const struct summary_store *store, FILE *out)
{
	struct summary_writer writer;

	summary_begin(&writer, out);
	for (size_t i = 0; i < store->rows.len; i++) {
		const struct stored_row *row = &store->rows.at[i];

		summary_add(&writer, (struct text){ row->key, row->key_len },
		            (struct text){ row->key + row->key_len, row->len });
	}
	summary_finish(&writer);
	summary_writer_release(&writer);
}

void summary_store_release(struct summary_store *store)
{
	vec_release(&store->rows);
	vec_release(&store->hashes);
	arena_release(&store->mem);
}
