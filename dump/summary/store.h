#ifndef DUMP_SUMMARY_STORE_H
#define DUMP_SUMMARY_STORE_H

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/vec.h"
#include "dump/summary/writer.h"

/*
 * The rows of a summary while they are gathered, in any order: about their bytes and 24 more each.
 * A long value is not copied but taken over.
 * Start with {0}, and which shard is wanted: k of n, from 1. Every key is told, so that the shards
 * of one dump agree in what they are shards of; rows are kept of those in the shard.
 */
struct stored_row {
	const char *key;         /* in mem; the value lies behind it, or a pointer to it */
	uint32_t key_len, len;
};
struct summary_store {
	uint32_t k, n;
	VEC(struct stored_row) rows;
	VEC(uint64_t) hashes;    /* of all keys */
	VEC(char *) taken;       /* values that lie by themselves */
	struct arena mem;
};

/* A key of the dump. False: it is another shard's. */
bool summary_store_takes(struct summary_store *store, const struct str *key);
/* value: empty afterwards if it was taken over. */
void summary_store_put(struct summary_store *store, const struct str *key, struct str *value);

/* Once all keys are told: how many there are, and what they hash to, in whichever order. */
uint64_t summary_store_count(struct summary_store *store, uint64_t *hash);

/* Sorts the rows. A row that came twice is kept once; false, ERR_FORMAT: with another value. */
bool summary_store_sort(struct summary_store *store, struct err *err);
void summary_store_write(const struct summary_store *store, FILE *out);
void summary_store_release(struct summary_store *store);

#endif
