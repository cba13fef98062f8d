#ifndef DUMP_JSON_H
#define DUMP_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/str.h"
#include "dump/format/file.h"

/*
 * JSON read value by value from a file, in the order it is written; nothing is held but the last
 * key and the last text. This reader is for small files of our own and lists that must be right to
 * the last byte, and says where they are not; json_pull.h reads traces, which are large and often
 * broken, as far as they go:
 *
 *     if (json_object(&json))
 *             while (json_more(&json))
 *                     ok = strcmp(json.key.text, "line")
 *                          ? json_skip(&json) : json_whole(&json, &line);
 *
 * Errors  ERR_FORMAT with the offset of what is wrong. The first stays: later calls are false.
 * Source  RFC 8259, strictly; but bytes in texts need not be UTF-8, and "\udc80".."\udcff" alone
 *         are the bytes 0x80..0xff (Python's surrogateescape, for file names).
 */
#define JSON_MAX_DEPTH 32
#define JSON_MAX_TEXT (64u << 20)        /* bytes */

struct json {
	struct file *file;               /* borrowed, like err; NULL: text in memory */
	struct err *err;
	const unsigned char *at, *end;   /* what is left of the window */
	uint64_t end_off;                /* of end, in the file */
	uint64_t value_off;              /* where the last value or key begins */
	struct str key, text;            /* json_more's and json_string's */
	struct { bool object, begun; } level[JSON_MAX_DEPTH];
	int depth;
	bool failed;
};

void json_start(struct json *json, struct file *file, struct err *err);  /* err may not be NULL */
/* text in memory */
void json_start_text(struct json *json, const char *text, size_t len, struct err *err);
void json_release(struct json *json);

/* Enter the next value. */
bool json_object(struct json *json);
bool json_array(struct json *json);
/* Is there one more? In an object json->key is its key. False: it is left, or failed is set. */
bool json_more(struct json *json);

bool json_string(struct json *json);     /* into json->text */
bool json_whole(struct json *json, int64_t *value); /* a number without a fraction and exponent */
bool json_null(struct json *json); /* takes a null; false if the next value is anything else */
bool json_true(struct json *json);       /* the same of a true */
bool json_false(struct json *json);      /* the same of a false */
bool json_skip(struct json *json);       /* any value */
bool json_end(struct json *json);        /* nothing follows */

/* For a value that was read but is not what it should be: fails where it begins. Always false. */
bool json_refuse(struct json *json, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
