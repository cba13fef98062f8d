#ifndef DUMP_WIRE_H
#define DUMP_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/str.h"
#include "dump/format/file.h"

/*
 * Protocol buffers, field by field, straight from a file: no copies, no tree, an offset for every
 * error.
 * A message is a range of the file; a length-delimited field is a range in it. Nothing is read but
 * keys, numbers and what the caller asks for, so a message may be larger than memory.
 * Source: protobuf.dev/programming-guides/encoding. Fields come in file order; the last of a
 * repeated singular scalar counts, sub-messages merge: that is the caller's.
 */
enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

/* A range of a file. */
struct span {
	uint64_t off, len;
};

struct wire {
	struct file *file;
	uint64_t off, end;       /* what is left of the message */
};

struct field {
	uint32_t number;
	enum wire_type type;
	uint64_t key_off;        /* where the field begins */
	uint64_t number_value;   /* WIRE_VARINT, WIRE_FIXED64, WIRE_FIXED32 */
	struct span bytes;       /* WIRE_BYTES */
};

/* The message at a range. A range that goes beyond the file is found out when it is read. */
void wire_start(struct wire *wire, struct file *file, struct span span);

/* The next field. False at the end, which leaves err alone, and after damage, which sets it. */
bool wire_next(struct wire *wire, struct field *field, struct err *err);

/* Each value of a repeated scalar in turn, packed or single. Start with *at = 0. */
bool wire_value(struct file *file, const struct field *field, enum wire_type type, uint64_t *at,
                uint64_t *value, struct err *err);

/* A length-delimited field in one piece (see file_bytes); ERR_LIMIT if longer than limit bytes. */
const char *wire_text(struct file *file, struct span span, size_t limit, struct err *err);

/*
 * The same made safe to take as a name: cut to WIRE_NAME_MAX bytes, '?' for NUL. Good until the
 * file or *scratch is used again; not NUL-terminated.
 */
#define WIRE_NAME_MAX 65536
struct name {
	const char *text;
	size_t len;
};
bool wire_name(struct file *file, struct span span, struct str *scratch, struct name *name,
               struct err *err);

#endif
