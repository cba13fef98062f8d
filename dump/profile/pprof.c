/* Each list of the message grows in wire format; writing concatenates them. */
#include "dump/profile/pprof.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/map.h"
#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "dump/format/gzip.h"
#include "dump/format/wire.h"

enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE = 2, PROFILE_LOCATION = 4, PROFILE_FUNCTION = 5,
       PROFILE_STRING = 6, PROFILE_TIME = 9, PROFILE_DURATION = 10, PROFILE_COMMENT = 13,
       PROFILE_DEFAULT_TYPE = 14 };

struct pprof {
	struct arena mem;
	struct map strings, functions, locations;
	struct str types, samples, location_list, function_list, comments;
	struct str part, inner, key;     /* being put together */
	size_t n_types;
	int64_t start_ns, duration_ns;
	uint32_t default_type;
};

static void put_varint(struct str *out, uint64_t n)
{
	for (; n >= 0x80; n >>= 7)
		str_putc(out, (char)(n | 0x80));
	str_putc(out, (char)n);
}

/* Zero is left out, as proto3 does. */
static void put_number(struct str *out, uint32_t field, uint64_t n)
{
	if (!n)
		return;
	put_varint(out, field << 3 | WIRE_VARINT);
	put_varint(out, n);
}

static void put_bytes(struct str *out, uint32_t field, const char *bytes, size_t len)
{
	put_varint(out, field << 3 | WIRE_BYTES);
	put_varint(out, len);
	str_put(out, bytes, len);
}

static uint32_t string_of(struct pprof *p, const char *text)
{
	return map_add(&p->strings, &p->mem, text, strlen(text));
}

struct pprof *pprof_new(void)
{
	struct pprof *p = mem_alloc(sizeof *p);

	string_of(p, "");
	return p;
}

void pprof_free(struct pprof *p)
{
	struct str *parts[] = { &p->types, &p->samples, &p->location_list, &p->function_list,
	                        &p->comments, &p->part, &p->inner, &p->key };

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		str_release(parts[i]);
	map_release(&p->strings);
	map_release(&p->functions);
	map_release(&p->locations);
	arena_release(&p->mem);
	free(p);
}

void pprof_value_type(struct pprof *p, const char *type, const char *unit)
{
	str_reset(&p->part);
	put_number(&p->part, 1, string_of(p, type));
	put_number(&p->part, 2, string_of(p, unit));
	put_bytes(&p->types, PROFILE_SAMPLE_TYPE, str_text(&p->part), p->part.len);
	p->n_types++;
}

void pprof_default_type(struct pprof *p, const char *type)
{
	p->default_type = string_of(p, type);
}

void pprof_comment(struct pprof *p, const char *text)
{
	put_varint(&p->comments, string_of(p, text));
}

void pprof_times(struct pprof *p, int64_t start_ns, int64_t duration_ns)
{
	p->start_ns = start_ns;
	p->duration_ns = duration_ns;
}

uint64_t pprof_function(struct pprof *p, const char *name, const char *file, int64_t start_line)
{
	uint32_t name_id = string_of(p, name), file_id = string_of(p, file), id;
	size_t known = p->functions.len;

	str_reset(&p->key);
	str_fmt(&p->key, "%u %u %lld", name_id, file_id, (long long)start_line);
	id = map_add(&p->functions, &p->mem, p->key.text, p->key.len);
	if (id == known) {
		str_reset(&p->part);
		put_number(&p->part, 1, (uint64_t)id + 1);
		put_number(&p->part, 2, name_id);
		put_number(&p->part, 4, file_id);
		put_number(&p->part, 5, (uint64_t)start_line);
		put_bytes(&p->function_list, PROFILE_FUNCTION, p->part.text, p->part.len);
	}
	return (uint64_t)id + 1;
}

uint64_t pprof_location(struct pprof *p, const char *key, uint64_t function, int64_t line)
{
	size_t known = p->locations.len;
	uint32_t id = map_add(&p->locations, &p->mem, key, strlen(key));

	if (id == known) {
		str_reset(&p->inner);
		put_number(&p->inner, 1, function);
		put_number(&p->inner, 2, (uint64_t)line);
		str_reset(&p->part);
		put_number(&p->part, 1, (uint64_t)id + 1);
		put_bytes(&p->part, 4, str_text(&p->inner), p->inner.len);
		put_bytes(&p->location_list, PROFILE_LOCATION, p->part.text, p->part.len);
	}
	return (uint64_t)id + 1;
}

void pprof_sample(struct pprof *p, const uint64_t *locations, size_t n, const int64_t *values,
                  const char *label_key, const char *label)
{
	str_reset(&p->part);
	str_reset(&p->inner);
	for (size_t i = 0; i < n; i++)
		put_varint(&p->inner, locations[i]);
	if (n)
		put_bytes(&p->part, 1, p->inner.text, p->inner.len);
	str_reset(&p->inner);
	for (size_t i = 0; i < p->n_types; i++)
		put_varint(&p->inner, (uint64_t)values[i]);
	put_bytes(&p->part, 2, str_text(&p->inner), p->inner.len);
	if (label_key) {
		str_reset(&p->inner);
		put_number(&p->inner, 1, string_of(p, label_key));
		put_number(&p->inner, 2, string_of(p, label));
		put_bytes(&p->part, 3, str_text(&p->inner), p->inner.len);
	}
	put_bytes(&p->samples, PROFILE_SAMPLE, p->part.text, p->part.len);
}

bool pprof_write(const struct pprof *p, const char *path, struct err *err)
{
	const struct str *lists[] = {
		&p->types, &p->samples, &p->location_list, &p->function_list,
	};
	struct str all = {0};
	bool ok;

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		str_put(&all, str_text(lists[i]), lists[i]->len);
	for (size_t i = 0; i < p->strings.len; i++)
		put_bytes(&all, PROFILE_STRING, p->strings.key[i], strlen(p->strings.key[i]));
	put_number(&all, PROFILE_TIME, (uint64_t)p->start_ns);
	put_number(&all, PROFILE_DURATION, (uint64_t)p->duration_ns);
	if (p->comments.len)
		put_bytes(&all, PROFILE_COMMENT, p->comments.text, p->comments.len);
	put_number(&all, PROFILE_DEFAULT_TYPE, p->default_type);
	ok = gzip_write(path, all.text, all.len, err);
	str_release(&all);
	return ok;
}
