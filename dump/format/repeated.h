#ifndef DUMP_REPEATED_H
#define DUMP_REPEATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/vec.h"
#include "dump/format/file.h"
#include "dump/format/wire.h"

/*
 * The values of one repeated field of a message, reached by number: packed, single or both mixed.
 * None is held: marks say where some of them are, what lies between is walked. The marks take 256
 * KiB at most, however many values there are.
 * The message may come in pieces, which merge.
 */
struct repeated_mark {
	uint64_t index;          /* of the value that begins here */
	uint64_t key_off;        /* the field it is in */
	uint64_t at;             /* bytes into a packed field */
	size_t piece;
};

struct repeated {
	struct file *file;
	const struct span *piece;        /* borrowed */
	size_t n_pieces;
	uint32_t number;
	enum wire_type type;             /* of one value; WIRE_BYTES: strings or messages */
	uint64_t count;                  /* values noted so far */
	VEC(struct repeated_mark) marks;
	uint64_t step;                   /* values from mark to mark, at least */
	/* Where reading stands. */
	uint64_t index;                  /* of the value that comes next; UINT64_MAX: nowhere */
	struct wire wire;                /* behind the field */
	struct field field;
	uint64_t at;
	size_t in_piece;
};

void repeated_start(struct repeated *r, struct file *file, const struct span *piece,
                    size_t n_pieces, uint32_t number, enum wire_type type);
void repeated_release(struct repeated *r);

/* Notes a field that a walk over the message meets, if it is ours. ERR_FORMAT: badly packed. */
bool repeated_note(struct repeated *r, size_t piece, const struct field *field, struct err *err);
/* Notes all fields of the message. */
bool repeated_index(struct repeated *r, struct err *err);

/* Reading begins at value i < count. err may not be NULL in these. */
bool repeated_seek(struct repeated *r, uint64_t i, struct err *err);
bool repeated_number(struct repeated *r, uint64_t *value, struct err *err);
bool repeated_span(struct repeated *r, struct span *span, struct err *err);
/* n values of a fixed type as they lie in the file: 4 or 8 bytes each, the lowest first. */
bool repeated_fixed(struct repeated *r, size_t n, void *out, struct err *err);

#endif
