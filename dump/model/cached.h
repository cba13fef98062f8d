#ifndef DUMP_CACHED_H
#define DUMP_CACHED_H

#include "dump/base/map.h"
#include "dump/files/cache.h"

/*
 * Texts, lists and maps in a file of the cache. What gets one takes no more memory than the rest of
 * the file has bytes, and is false if it can't be had; what was taken by then is released as ever.
 */
void cached_put_number(struct cache_writer *out, uint64_t number);
void cached_put_text(struct cache_writer *out, const char *text);        /* may be NULL */
void cached_put_map(struct cache_writer *out, const struct map *map);

bool cached_number(struct cache_reader *in, uint64_t *number);
bool cached_text(struct cache_reader *in, struct arena *mem, const char **text);
/* n elements of this size, for free(); NULL: it can't be had. */
void *cached_list(struct cache_reader *in, uint64_t n, size_t size);
/* Texts that lie one behind the other, each with its NUL; the last one too. */
const char *cached_texts(struct cache_reader *in, struct arena *mem, uint64_t len);
bool cached_map(struct cache_reader *in, struct arena *mem, struct map *map);

#endif
