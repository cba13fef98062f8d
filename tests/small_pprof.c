#include "tests/small_pprof.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "dump/base/vec.h"

struct bytes {
	const unsigned char *at, *end;
};

struct part {
	unsigned number;
	uint64_t value;
	struct bytes bytes;
};

typedef VEC(struct bytes) bytes_list;

struct reading {
	bytes_list strings;
	struct bytes function[100000], location[100000];
};

static uint64_t varint(struct bytes *b)
{
	uint64_t value = 0;

	for (int shift = 0; b->at < b->end; shift += 7) {
		value |= (uint64_t)(*b->at & 127) << shift;
		if (*b->at++ < 128)
			return value;
	}
	abort();
}

static int next(struct bytes *b, struct part *part)
{
	uint64_t key, n;

	if (b->at == b->end)
		return 0;
	key = varint(b);
	part->number = (unsigned)(key >> 3);
	part->bytes = (struct bytes){0};
	part->value = 0;
	if ((key & 7) == 0) {
		part->value = varint(b);
		return 1;
	}
	if ((key & 7) != 2)
		abort();
	n = varint(b);
	if (n > (uint64_t)(b->end - b->at))
		abort();
	part->bytes = (struct bytes){ b->at, b->at + n };
	b->at += n;
	return 1;
}

static uint64_t number_of(struct bytes message, unsigned number)
{
	struct part part;
	uint64_t value = 0;

	while (next(&message, &part))
		if (part.number == number)
			value = part.value;
	return value;
}

static struct bytes message_of(struct bytes message, unsigned number)
{
	struct part part;
	struct bytes found = {0};

	while (next(&message, &part))
		if (part.number == number)
			found = part.bytes;
	return found;
}

static void put_string(const struct reading *r, struct str *out, uint64_t id)
{
	if (id >= r->strings.len)
		abort();
	str_put(out, (const char *)r->strings.at[id].at,
	        (size_t)(r->strings.at[id].end - r->strings.at[id].at));
}

static void put_frame(const struct reading *r, struct str *out, uint64_t id)
{
	struct bytes line = message_of(r->location[id], 4),
	             function = r->function[number_of(line, 1)];

	str_puts(out, " <");
	put_string(r, out, number_of(function, 2));
	str_putc(out, ' ');
	put_string(r, out, number_of(function, 4));
	str_fmt(out, " %llu:%llu>", (unsigned long long)number_of(function, 5),
	        (unsigned long long)number_of(line, 2));
}

static char *sample_line(const struct reading *r, struct bytes sample)
{
	struct bytes values = message_of(sample, 2), locations = message_of(sample, 1),
	             label = message_of(sample, 3);
	struct str out = {0};

	while (values.at < values.end)
		str_fmt(&out, "%lld ", (long long)varint(&values));
	if (label.at) {
		put_string(r, &out, number_of(label, 1));
		put_string(r, &out, number_of(label, 2));
	}
	while (locations.at < locations.end)
		put_frame(r, &out, varint(&locations));
	str_putc(&out, '\n');
	return out.text;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void put_profile(struct reading *r, struct bytes all, struct str *out)
{
	VEC(char *) lines = {0};
	struct bytes at = all;
	struct part part;

	while (next(&at, &part))
		if (part.number == 6)
			vec_push(&r->strings, part.bytes);
		else if (part.number == 4)
			r->location[number_of(part.bytes, 1)] = part.bytes;
		else if (part.number == 5)
			r->function[number_of(part.bytes, 1)] = part.bytes;
	for (at = all; next(&at, &part); ) {
		if (part.number == 1) {
			put_string(r, out, number_of(part.bytes, 1));
			str_putc(out, '/');
			put_string(r, out, number_of(part.bytes, 2));
			str_putc(out, '\n');
		} else if (part.number == 13) {
			put_string(r, out, varint(&part.bytes));
			str_putc(out, '\n');
		} else if (part.number == 2) {
			vec_push(&lines, sample_line(r, part.bytes));
		}
	}
	if (lines.len)
		qsort(lines.at, lines.len, sizeof *lines.at, by_text);
	for (size_t i = 0; i < lines.len; i++) {
		str_puts(out, lines.at[i]);
		free(lines.at[i]);
	}
	vec_release(&lines);
}

static void unzip(const struct str *file, struct str *out)
{
	z_stream z = { .next_in = (unsigned char *)file->text, .avail_in = (unsigned)file->len };
	unsigned char chunk[4096];
	int state = inflateInit2(&z, 15 + 16);

	while (state == Z_OK) {
		z.next_out = chunk;
		z.avail_out = sizeof chunk;
		state = inflate(&z, Z_NO_FLUSH);
		str_put(out, (char *)chunk, sizeof chunk - z.avail_out);
	}
	inflateEnd(&z);
	if (state != Z_STREAM_END)
		abort();
}

void pprof_as_text(struct str *file)
{
	struct reading *r = calloc(1, sizeof *r);
	struct str plain = {0}, text = {0};

	unzip(file, &plain);
	put_profile(r, (struct bytes){ (unsigned char *)plain.text,
	                               (unsigned char *)plain.text + plain.len }, &text);
	str_release(file);
	str_release(&plain);
	*file = text;
	vec_release(&r->strings);
	free(r);
}
