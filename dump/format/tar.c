#include "dump/format/tar.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"

enum { BLOCK = 512, NAME_LEN = 100, SIZE_AT = 124, NUMBER_LEN = 12, MTIME_AT = 136, SUM_AT = 148,
       SUM_LEN = 8, TYPE_AT = 156, PREFIX_AT = 345, PREFIX_LEN = 155 };
enum { EXTENDED_MOST = 1024 * 1024 };
#define SIZE_MOST (UINT64_C(1) << 60)

void tar_start(struct tar *tar, struct file *file, bool packed)
{
	*tar = (struct tar){ .file = file, .gunzip = packed ? gunzip_new(file) : NULL };
}

void tar_release(struct tar *tar)
{
	gunzip_free(tar->gunzip);
	str_release(&tar->name);
	str_release(&tar->next_name);
}

/* Up to len bytes; fewer at the end, or with *err. */
static size_t take(struct tar *tar, void *out, size_t len, struct err *err)
{
	size_t got = 0;

	while (got < len) {
		size_t n;

		if (tar->gunzip) {
			n = gunzip_read(tar->gunzip, (char *)out + got, len - got, err);
		} else {
			const void *bytes = file_some(tar->file, tar->at, &n, err);

			n = !bytes ? 0 : n < len - got ? n : len - got;
			memcpy((char *)out + got, bytes ? bytes : "", n);
		}
		if (!n)
			break;
		tar->at += n;
		got += n;
	}
	return got;
}

static bool ends_early(struct tar *tar, struct err *err)
{
	return err->code ? false
	                 : err_damaged(err, DAMAGE_CUT, tar->file->path, tar->at,
	                               "the archive ends within a member");
}

static bool skip(struct tar *tar, uint64_t n, struct err *err)
{
	char block[16 * 1024];

	while (n) {
		size_t len = n < sizeof block ? (size_t)n : sizeof block;

		if (take(tar, block, len, err) != len)
			return ends_early(tar, err);
		n -= len;
	}
	return true;
}

/* Octal digits, or, with the highest bit set, the number itself, the highest byte first. */
static bool number_at(const unsigned char *at, size_t len, uint64_t *out)
{
	uint64_t number = *at & 0x80 ? *at & 0x7f : 0;

	if (*at & 0x80) {
		for (size_t i = 1; i < len; i++) {
			if (number >> 52)
				return false;
			number = number << 8 | at[i];
		}
		*out = number;
		return true;
	}
	while (len && *at == ' ')
		at++, len--;
	for (; len && *at >= '0' && *at <= '7'; at++, len--)
		number = number * 8 + (uint64_t)(*at - '0');
	*out = number;
	return !len || !*at || *at == ' ';
}

static bool sum_is_right(const unsigned char *block)
{
	uint64_t sum = 0, told;

	for (size_t i = 0; i < BLOCK; i++)
		sum += i >= SUM_AT && i < SUM_AT + SUM_LEN ? ' ' : block[i];
	return number_at(block + SUM_AT, SUM_LEN, &told) && told == sum;
}

static bool is_zero(const unsigned char *block)
{
	for (size_t i = 0; i < BLOCK; i++)
		if (block[i])
			return false;
	return true;
}

static void put_field(struct str *out, const unsigned char *at, size_t most)
{
	str_put(out, (const char *)at, strnlen((const char *)at, most));
}

/* The bytes of an extended header. NULL: *err. */
static char *read_extended(struct tar *tar, uint64_t size, struct err *err)
{
	char *text;

	if (size > EXTENDED_MOST) {
		err_fill(err, ERR_LIMIT, tar->file->path, tar->at,
		         "an extended header of %" PRIu64 " bytes", size);
		return NULL;
	}
	text = mem_alloc((size_t)size + 1);
	if (take(tar, text, (size_t)size, err) == size
	    && skip(tar, (BLOCK - size % BLOCK) % BLOCK, err))
		return text;
	ends_early(tar, err);
	free(text);
	return NULL;
}

/* Records "LENGTH KEY=VALUE\n". */
static void take_records(struct tar *tar, const char *at, size_t left)
{
	while (left) {
		char *rest;
		unsigned long len = strtoul(at, &rest, 10);
		const char *end = at + len - 1, *equals;

		if (*rest != ' ' || !len || len > left || *end != '\n'
		    || (size_t)(++rest - at) >= len)
			return;
		equals = memchr(rest, '=', (size_t)(end - rest));
		if (equals && equals - rest == 4 && !memcmp(rest, "path", 4)) {
			str_reset(&tar->next_name);
			str_put(&tar->next_name, equals + 1, (size_t)(end - equals - 1));
		} else if (equals && equals - rest == 4 && !memcmp(rest, "size", 4)) {
			tar->next_size = strtoull(equals + 1, NULL, 10);
			tar->has_size = true;
		} else if (equals && equals - rest == 5 && !memcmp(rest, "mtime", 5)) {
			tar->next_mtime_ns = (int64_t)(strtod(equals + 1, NULL) * 1e9);
			tar->has_mtime = true;
		}
		at += len;
		left -= len;
	}
}

/* A header that is about the next member. */
static bool take_extended(struct tar *tar, char type, uint64_t size, struct err *err)
{
	char *text = read_extended(tar, size, err);

	if (text && type == 'x')
		take_records(tar, text, (size_t)size);
	if (text && type == 'L') {
		str_reset(&tar->next_name);
		str_puts(&tar->next_name, text);
	}
	free(text);
	return text;
}

static bool is_extended(char type)
{
	return type == 'x' || type == 'L' || type == 'K' || type == 'g';
}

static void take_head(struct tar *tar, const unsigned char *block, uint64_t size,
                      struct tar_member *member)
{
	char type = (char)block[TYPE_AT];
	uint64_t mtime;

	str_reset(&tar->name);
	if (tar->next_name.len) {
		str_put(&tar->name, tar->next_name.text, tar->next_name.len);
	} else {
		if (!memcmp(block + TAR_MAGIC_AT, TAR_MAGIC "\0", 6) && block[PREFIX_AT]) {
			put_field(&tar->name, block + PREFIX_AT, PREFIX_LEN);
			str_putc(&tar->name, '/');
		}
		put_field(&tar->name, block, NAME_LEN);
	}
	member->name = str_text(&tar->name);
	member->size = tar->has_size ? tar->next_size : size;
	member->is_file = type == '0' || !type || type == '7';
	member->mtime_ns = tar->next_mtime_ns;
	if (!tar->has_mtime)
		member->mtime_ns = number_at(block + MTIME_AT, NUMBER_LEN, &mtime)
		                   && mtime < (uint64_t)INT64_MAX / 1000000000
		                   ? (int64_t)mtime * 1000000000 : 0;
	str_reset(&tar->next_name);
	tar->has_size = tar->has_mtime = false;
}

bool tar_next(struct tar *tar, struct tar_member *member, struct err *err)
{
	unsigned char block[BLOCK];
	uint64_t size;

	if (!skip(tar, tar->left, err) || !skip(tar, tar->padding, err))
		return false;
	tar->left = tar->padding = 0;
	for (;;) {
		size_t got = take(tar, block, BLOCK, err);

		if (!got || (got == BLOCK && is_zero(block)))
			return false;
		if (got < BLOCK)
			return ends_early(tar, err);
		if (!sum_is_right(block) || !number_at(block + SIZE_AT, NUMBER_LEN, &size))
			return err_at(err, ERR_FORMAT, tar->file->path, tar->at - BLOCK,
			              "no head of a member");
		if (!is_extended((char)block[TYPE_AT]))
			break;
		if (!take_extended(tar, (char)block[TYPE_AT], size, err))
			return false;
	}
	take_head(tar, block, size, member);
	if (member->size > SIZE_MOST)
		return err_at(err, ERR_FORMAT, tar->file->path, tar->at - BLOCK,
		              "a member of %" PRIu64 " bytes", member->size);
	tar->left = member->is_file ? member->size : 0;
	tar->padding = (BLOCK - tar->left % BLOCK) % BLOCK;
	return true;
}

size_t tar_read(struct tar *tar, void *out, size_t cap, struct err *err)
{
	size_t len = tar->left < cap ? (size_t)tar->left : cap;
	size_t got = take(tar, out, len, err);

	tar->left -= got;
	if (got < len)
		ends_early(tar, err);
	return got < len ? 0 : got;
}
