#ifndef DUMP_WIRE_H
#define DUMP_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/str.h"
#include "dump/format/file.h"

/*
 * Reads protocol buffers field by field, straight from a file: no copies, no tree, an offset for
 * every error.
 *
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
	uint64_t key_off;        /* where the field begins */
	/* Not beside the number: two tests made one would wait until both are stored. */
	enum wire_type type;
	uint64_t number_value;   /* WIRE_VARINT, WIRE_FIXED64, WIRE_FIXED32 */
	struct span bytes;       /* WIRE_BYTES */
};

/* The message at a range. A range that goes beyond the file is found out when it is read. */
void wire_start(struct wire *wire, struct file *file, struct span span);

/* The next field. False at the end, which leaves err alone, and after damage, which sets it. */
bool wire_next(struct wire *wire, struct field *field, struct err *err);

/*
 * The common field: in the window, its key one byte, its length or number at most two. False, and
 * nothing is changed, at the end and for any other, which wire_next then reads or refuses. Inline,
 * for loops over very many small messages: what they take of a field is never put into memory.
 */
static inline bool wire_near(struct wire *wire, struct field *field)
{
	const struct file *file = wire->file;
	const unsigned char *p;
	uint64_t value;
	unsigned n = 2;

	if (wire->off < file->off || file->len < 3 || wire->off - file->off > file->len - 3
	    || wire->end < wire->off || wire->end - wire->off < 3)
		return false;
	p = file->window + (wire->off - file->off);
	if (p[0] >= 0x80 || p[0] < 8 || (p[1] >= 0x80 && p[2] >= 0x80))
		return false;
	value = p[1];
	if (value >= 0x80) {
		value = (value & 0x7f) | (uint64_t)p[2] << 7;
		n = 3;
	}
	*field = (struct field){ .number = p[0] >> 3, .key_off = wire->off };
	field->type = (enum wire_type)(p[0] & 7);
	if (field->type == WIRE_VARINT) {
		field->number_value = value;
		wire->off += n;
		return true;
	}
	if (field->type != WIRE_BYTES || value > wire->end - wire->off - n)
		return false;
	field->bytes = (struct span){ wire->off + n, value };
	wire->off += n + value;
	return true;
}

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
