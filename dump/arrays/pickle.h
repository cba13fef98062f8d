#ifndef DUMP_PICKLE_H
#define DUMP_PICKLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/progress.h"

/*
 * A Python pickle read as data: numbers, texts, lists, tuples and dicts. What the pickle would have
 * called stays a name with arguments (PICKLE_CALL), what it would have asked its program for stays
 * a question (PICKLE_ASK): nothing is looked up, imported or run.
 * Only collections.OrderedDict is known here; it is a dict, and what else is set on one is dropped.
 * Protocols  2 to 5, as far as they are data.
 * Limits     10^7 values, 10^6 at once on the stack, 4 GiB.
 * Source     Lib/pickletools.py of Python.
 */
enum pickle_kind {
	PICKLE_NOTHING /* no value at all */, PICKLE_NONE, PICKLE_BOOL, PICKLE_INT,
	PICKLE_UINT /* beyond INT64_MAX */, PICKLE_FLOAT, PICKLE_TEXT, PICKLE_TUPLE, PICKLE_LIST,
	PICKLE_DICT, PICKLE_NAME, PICKLE_CALL, PICKLE_ASK
};

struct pickle_value {
	uint8_t kind;            /* enum pickle_kind */
	uint32_t len;            /* of text and name, in bytes */
	union {
		bool truth;
		int64_t number;
		uint64_t large;
		double real;     /* also of an integer that has more than 64 bits */
		const char *text;        /* in the pickle; a name, "module.name", ends with NUL */
		struct pickle_items *items;
	};
};

/*
 * What a value holds, which several values may share, and which may hold itself. Of a dict each key
 * and then its value; of a call the name and the tuple of arguments; of a question its one value.
 */
struct pickle_items {
	struct pickle_value *at;
	size_t len, cap;
	bool open;               /* for who walks through them */
};

/*
 * Reads a pickle of len bytes, which have to stay. path and off, of its first byte, are for errors.
 * known says of each name whether a program may be asked for it.
 * Errors  ERR_UNSUPPORTED, with a sentence: it needs another name, or is more than data;
 *         ERR_FORMAT, ERR_LIMIT, ERR_CANCELLED.
 */
typedef bool pickle_known(const char *name);
bool pickle_read(const char *path, uint64_t off, const void *bytes, size_t len,
                 pickle_known *known, struct arena *mem, struct progress *progress,
                 struct pickle_value *out, struct err *err);

#endif
