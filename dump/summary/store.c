#include "dump/summary/store.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"

enum { TAKEN_FROM = 64 * 1024 }; /* so many bytes of a value are not copied */

bool summary_store_takes(struct summary_store *store, const struct str *key)
{
	vec_push(&store->hashes, summary_hash(SUMMARY_HASH, key->text, key->len));
	return summary_is_in_shard(key, store->k, store->n);
}

/* What lies behind the key of a row. */
static size_t behind_key(size_t len)
{
	return len < TAKEN_FROM ? len : sizeof(char *);
}

void summary_store_put(struct summary_store *store, const struct str *key, struct str *value)
{
	size_t len = value->len, behind = behind_key(len);
	char *bytes = arena_alloc(&store->mem, key->len + behind);

	memcpy(bytes, key->text, key->len);
	if (len >= TAKEN_FROM) {
		char *taken = mem_realloc(value->text, len);

		*value = (struct str){0};
		vec_push(&store->taken, taken);
		memcpy(bytes + key->len, &taken, behind);
	} else if (len) {
		memcpy(bytes + key->len, value->text, behind);
	}
	vec_push(&store->rows, ((struct stored_row){ bytes, (uint32_t)key->len, (uint32_t)len }));
}

static struct text value_of(const struct stored_row *row)
{
	struct text value = { row->key + row->key_len, row->len };

	if (row->len >= TAKEN_FROM)
		memcpy(&value.at, row->key + row->key_len, sizeof value.at);
	return value;
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
	return a->len == b->len && !memcmp(value_of(a).at, value_of(b).at, a->len);
}

static bool clash(const struct stored_row *row, struct err *err)
{
	struct summary_key key;
	struct str name = {0};

	if (summary_read_key(row->key, row->key_len, &key))
		summary_put_key_text(&name, &key);
	err_fill(err, ERR_FORMAT, "command", 0, "two rows of %s differ", str_text(&name));
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
		            value_of(row));
	}
	summary_finish(&writer);
	summary_writer_release(&writer);
}

void summary_store_release(struct summary_store *store)
{
	vec_release(&store->rows);
	vec_release(&store->hashes);
	for (size_t i = 0; i < store->taken.len; i++)
		free(store->taken.at[i]);
	vec_release(&store->taken);
	arena_release(&store->mem);
}
