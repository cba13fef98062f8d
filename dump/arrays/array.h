#ifndef DUMP_ARRAY_H
#define DUMP_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/base/vec.h"
#include "dump/files/recognise.h"
#include "dump/model/run.h"
#include "dump/model/value.h"

/*
 * Arrays of other programs, seen as a dump. A format lists the arrays of one source: a file, or
 * several that belong together (an index and its shards, a folder with a list of its files). It
 * reads heads, never elements. What all formats have in common is done once:
 *   source.c   which sources a PATH holds; steps and devices, from the parts of their paths
 *   arrays.c   the reader of dumps (dump/model/reader.h): steps are runs, arrays are tensors
 *   array.c    the value of an array whose place is known
 * To read one more format: a struct array_format in files of its own, and a row in formats.c.
 * What may be wrong with a source is said in two ways. It can't be read at all: list is false with
 * *err, whose text is the whole answer of the program, a sentence with its full stop ("21 of 24
 * bytes of data are there."; array_refuse). One array of it can't: the array has `why`, a sentence
 * too.
 */
struct array_format;
struct stacks;

#define ARRAY_SIZE_UNKNOWN UINT64_MAX

/* One array: what it is, and where its elements lie. All it points to is in the list's arena. */
struct array {
	const char *name;        /* as it is shown; NULL: it is called as its source is */
	const char *full_name;   /* another one, that finds it too; NULL: it has none */
	const struct array_format *format;       /* set by the caller of list */
	enum dtype dtype;        /* DTYPE_INVALID: no type of ours, or unknown */
	const char *type_name;   /* then: what the file calls it; NULL: unknown, like the shape */
	uint32_t rank;
	const int64_t *dim;
	uint64_t size_bytes;     /* of the elements as they are stored, before compression */
	const char *device;      /* NULL: that of the source's path, or "CPU:0" */
	const char *why;         /* why its value can't be read; NULL: it can */
	const char *doubt;       /* what is wrong with its value, which is shown; NULL: nothing */
	const char *not_stored;  /* why there is no value in the dump at all; NULL: there is */
	const struct array_stats *stats;         /* NULL: none were recorded */

	/*
	 * Where: the bytes [off, off + len) of a file. Elements begin at `skip` of them, or of what
	 * they are unpacked to.
	 */
	const char *file;        /* a path that can be opened; NULL: the source's own */
	uint64_t off, len;
	uint64_t unpacked;       /* they are packed (raw deflate), this long without; 0: not */
	uint64_t skip;
	bool big_endian;
	const int64_t *stride;   /* as in struct value_layout; NULL: row-major */
	enum value_coding text;    /* of strings of one length: their coding and length */
	uint32_t text_bytes;
	bool has_crc;            /* the CRC-32 of the (unpacked) bytes is known: */
	uint32_t crc;
	const void *own;         /* the format's, for its value */
};

/* What a format makes of a source. */
struct array_list {
	struct arena *mem;
	struct progress *progress;       /* array_list_goes_on asks it */
	VEC(struct array *) at;          /* in the order of the container; they are in mem */
	VEC(struct problem) problems;    /* warnings; file: NULL for the source's own */
	VEC(struct run_fact) facts;
};

struct array_format {
	const char *op;          /* "npy": the op type of its arrays */
	const char *looks_for;   /* "*.npy" */

	/* Is a file in a directory a source of this format, by its name alone? */
	bool (*is_named)(const char *name);
	/* And a file that PATH names, by what is in it? */
	bool (*is_kind)(enum file_kind kind);

	/*
	 * Its arrays: heads only. False with *err, also after a cancel. *out has mem and progress.
	 */
	bool (*list)(const char *path, struct array_list *out, struct err *err);

	/*
	 * Does its checksum agree with its bytes, all of which are read? NULL: it has none but the
	 * array's CRC-32.
	 */
	bool (*is_sound)(const struct array *array);

	/*
	 * Adds where the program made the arrays of a source, as nodes of their names. NULL: it
	 * does not say.
	 */
	bool (*stacks)(const char *path, struct stacks *out, struct progress *progress,
	               struct err *err);

	/*
	 * What made what, of the arrays of a source, which have their last names now. NULL: it does
	 * not say, or *err: that can't be read. The member may be NULL.
	 */
	struct graph *(*graph)(const char *path, const struct array *const *arrays, size_t n,
	                       struct progress *progress, struct err *err);

	/* NULL: the elements lie where the array says (array_value). */
	struct value *(*value)(const struct array *array, struct err *err);

	/*
	 * Does another file, in the same directory or below it, belong to the source at `path`, so
	 * that it is none of its own? NULL: none does.
	 */
	bool (*owns)(const char *path, const char *other);

	/* The name of its array, if it is called as its file is. NULL: without the last ending. */
	const char *(*stem)(const char *name, struct arena *mem);

	/* The sign before a number at a stem's end that is a step: '_' in x_10.npy; 0: none. */
	char bare_step;

	bool by_device;          /* several of its files in a run: each is a device, by its name */
	bool by_time;            /* files of a directory come in the order of their times */
};

extern const struct array_format *const array_formats[];         /* NULL ends it: formats.c */

/* A new scalar at the end of the list. Its name, which may be NULL, lasts as list->mem does. */
struct array *array_add(struct array_list *list, const char *name);
/* The shape is copied. */
void array_set_shape(struct array_list *list, struct array *array, const struct shape *shape);
/*
 * A warning about the source, or about a file of it. Each kind but PROBLEM_STRANGER means that
 * something is missing from the run.
 */
void array_warn(struct array_list *list, enum problem_kind kind, const char *file, uint64_t off,
                const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/*
 * Why the value of an array can't be read. part: what of it, "Its storage: ", or "". A failed read
 * of the system is a warning too, as the size may not be known then.
 */
void array_unread(struct array_list *list, struct array *array, const char *part,
                  const struct err *why);
/* False with *err after a cancel. Call it every few arrays. */
bool array_goes_on(struct array_list *list, const char *path, uint64_t done, uint64_t total,
                   struct err *err);
/* Of the source: metadata (FACT_METADATA) or a value that is no array. Both texts are copied. */
void array_add_fact(struct array_list *list, const struct run_fact *fact);
void array_list_release(struct array_list *list);        /* but not what is in mem */

/* Where its elements are, unpacked if they are packed. */
bool array_input(const struct array *array, struct input *input, struct err *err);
struct value *array_value(const struct array *array, struct err *err);
struct shape array_shape(const struct array *array);
/* The bytes that the elements of this shape need. False: more than any file has. */
bool array_bytes(const struct shape *shape, uint64_t elem_bytes, uint64_t *bytes);

/* --as: what raw elements of its size are taken for; DTYPE_INVALID: it was not given. */
extern enum dtype array_raw_type;

/* A refusal: the whole answer is this sentence, without a place in the file. Always false. */
#define array_refuse(err, path, off, ...) \
	(err_fill((err), ERR_FORMAT, (path), (off), __VA_ARGS__), \
	 err_set_damage((err), DAMAGE_WHOLE))

#endif
