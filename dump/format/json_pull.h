#ifndef DUMP_JSON_PULL_H
#define DUMP_JSON_PULL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/str.h"
#include "dump/base/text.h"
#include "dump/format/file.h"

/*
 * JSON of any size, as traces have it: a value at a time, nothing copied and nothing kept, packed
 * with gzip or not. dump/format/json.h is for small files that have to be right; this is for large
 * ones that have to be read whatever is wrong with them: it takes a mark of byte order, a comma
 * before a closing bracket, control bytes and bad UTF-8 in texts, and NaN and Infinity as numbers.
 *
 *	if (pull_value(&pull, &list) && list.kind == PULL_ARRAY)
 *		while (pull_more(&pull, ']')) {
 *			pull_keep(&pull);
 *			ok = pull_value(&pull, &value) && pull_skip(&pull, &value);
 *		}
 *
 * A value's text is where it was read; it stays until the next pull_keep. What is kept has to fit
 * into PULL_KEPT_MOST bytes; nesting costs nothing.
 * Errors  pull.broken, with the reason and its offset in pull.err: from then on there is nothing
 *         more. Offsets count unpacked bytes. The end of the file is such an error everywhere but
 *         behind a value (pull_at_end).
 */
#define PULL_KEPT_MOST (64u << 20)

enum pull_kind {
	PULL_NONE, PULL_NULL, PULL_BOOL, PULL_NUMBER /* or NaN, or a word like it */, PULL_TEXT,
	PULL_OBJECT, PULL_ARRAY
};

struct pull_value {
	uint32_t at, len;        /* private: its bytes, without quotes, after pull_keep */
	uint8_t kind;            /* enum pull_kind */
	bool coded;              /* of a text: it has escapes, or NUL bytes */
};

struct pull {
	struct err err;
	bool broken;
	/* Private. */
	struct file *file;       /* NULL: bytes in memory */
	struct gunzip *gunzip;   /* NULL: it is not packed */
	struct err packed;       /* damage of a packed file */
	unsigned char *buffer;   /* ends with a NUL byte that is not of the file */
	size_t cap, at, end, kept;
	uint64_t end_off;        /* of end */
	bool keeps, behind;      /* behind: a value */
};

/* Borrows the file. */
void pull_start(struct pull *pull, struct file *file);
/* Bytes in memory, which are copied. */
void pull_start_bytes(struct pull *pull, const void *bytes, size_t len);
void pull_release(struct pull *pull);

/* From here on values stay. */
void pull_keep(struct pull *pull);
/* Nothing stays: for values of any size that are only skipped. */
void pull_drop(struct pull *pull);

/*
 * The next value, or the head of an object or list: its insides follow. False: there is none.
 */
bool pull_value(struct pull *pull, struct pull_value *value);
/* Is there another value before this bracket? If not the bracket is taken, or pull->broken. */
bool pull_more(struct pull *pull, char bracket);
/* The key and the colon before a value of an object. */
bool pull_key(struct pull *pull, struct pull_value *key);
/* Past the insides of an object or list; value->len is then that of all of it, if it is kept. */
bool pull_skip(struct pull *pull, struct pull_value *value);
/* Only blanks are left, as far as the file could be read. */
bool pull_at_end(struct pull *pull);
/* The next byte that is no blank, which is not taken; -1 at the end. */
int pull_peek(struct pull *pull);

/* How much is kept by now. */
static inline size_t pull_kept_len(const struct pull *pull)
{
	return pull->at - pull->kept;
}

uint64_t pull_off(const struct pull *pull);      /* of what comes next */
uint64_t pull_file_off(const struct pull *pull); /* how far the file is read, for progress */

/* A value's bytes, as they are in the file. */
static inline struct text pull_bytes(const struct pull *pull, const struct pull_value *value)
{
	return (struct text){ (const char *)pull->buffer + pull->kept + value->at, value->len };
}

/*
 * Appends a text with its escapes resolved, as sound UTF-8: what is none, and half of a surrogate
 * pair, becomes U+FFFD; NUL becomes the two bytes C0 80, as names end with NUL here.
 */
void pull_decode(const char *bytes, size_t len, bool has_escapes, struct str *out);

#endif
