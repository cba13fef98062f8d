/*
 * A directory of numpy arrays: each *.npy file in it or below it is a tensor of one run. Its name
 * is the file's without the ending, it has no time, and there is no graph.
 * A file begins with its version and the text of a Python dict, of which only literals are read;
 * nothing is evaluated. Then the elements come, up to the file's end.
 * Source: numpy/lib/format.py (NEP 1).
 */
#include "dump/arrays/npy.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump/base/bytes.h"
#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/files/walk.h"
#include "dump/format/file.h"

#define MAGIC "\x93NUMPY"
#define ENDING ".npy"

enum { HEADER_MAX = 64 * 1024, DESCR_MAX = 32 };

/* What the dict says. */
struct header {
	char descr[DESCR_MAX];
	bool by_column;          /* the first index is the fastest */
	struct shape shape;
};

/* The dict's text. */
struct text {
	const char *at, *end;
	const char *why;         /* it is none; NULL: no such thing yet */
};

static bool is_not(struct text *text, const char *why)
{
	if (!text->why)
		text->why = why;
	return false;
}

static char peek(struct text *text)
{
	while (text->at < text->end && memchr(" \t\n", *text->at, 3))
		text->at++;
	return text->at < text->end ? *text->at : '\0';
}

static bool take(struct text *text, char c)
{
	if (peek(text) != c)
		return false;
	text->at++;
	return true;
}

static bool take_word(struct text *text, const char *word)
{
	size_t len = strlen(word);

	peek(text);
	if ((size_t)(text->end - text->at) < len || memcmp(text->at, word, len) != 0)
		return false;
	text->at += len;
	return true;
}

/* 'TEXT' or "TEXT", shorter than DESCR_MAX. */
static bool read_string(struct text *text, char *out)
{
	char quote = peek(text);
	size_t len = 0;

	if (quote != '\'' && quote != '"')
		return is_not(text, "a text was expected");
	for (text->at++; text->at < text->end && *text->at != quote; text->at++) {
		text->at += *text->at == '\\';
		if (text->at >= text->end || len + 1 == DESCR_MAX)
			return is_not(text, "a text without an end");
		out[len++] = *text->at;
	}
	out[len] = '\0';
	return take(text, quote) || is_not(text, "a text without an end");
}

/* What is too large for 64 bits is as large as they can be: no shape has it. */
static bool read_number(struct text *text, int64_t *out)
{
	bool negative = take(text, '-');
	const char *first = text->at;

	*out = 0;
	for (; text->at < text->end && *text->at >= '0' && *text->at <= '9'; text->at++)
		if (__builtin_mul_overflow(*out, 10, out)
		    || __builtin_add_overflow(*out, *text->at - '0', out))
			*out = INT64_MAX / 10;
	if (text->at == first)
		return is_not(text, "a number was expected in the shape");
	*out = negative ? -*out : *out;
	take(text, 'L');
	return true;
}

static bool read_shape(struct text *text, struct shape *shape)
{
	bool comma = true;

	*shape = (struct shape){0};
	if (!take(text, '('))
		return is_not(text, "a shape was expected");
	while (peek(text) != ')') {
		if (!comma)
			return is_not(text, "a comma was expected in the shape");
		if (shape->rank == SHAPE_MAX_RANK)
			return is_not(text, "more than 32 dimensions");
		if (!read_number(text, &shape->dim[shape->rank++]))
			return false;
		comma = take(text, ',');
	}
	return take(text, ')') &&
	       (shape->rank != 1 || comma || is_not(text, "the shape is no tuple"));
}

static bool read_flag(struct text *text, bool *out)
{
	*out = take_word(text, "True");
	return *out || take_word(text, "False") || is_not(text, "True or False was expected");
}

/* An element type that is not one text is the list of those of a structure. */
static bool read_descr(struct text *text, char *descr)
{
	if (peek(text) == '[')
		return is_not(text, "");
	return read_string(text, descr);
}

/* False, with text->why: "" says that the elements are structures. */
static bool read_header(struct text *text, struct header *out)
{
	static const char *const keys[] = { "descr", "fortran_order", "shape" };
	unsigned seen = 0;

	if (!take(text, '{'))
		return is_not(text, "a dict was expected");
	while (!take(text, '}')) {
		char key[DESCR_MAX];
		unsigned i = 0;
		bool ok;

		if (!read_string(text, key))
			return false;
		while (i < 3 && strcmp(keys[i], key) != 0)
			i++;
		if (i == 3 || (seen & 1u << i) || !take(text, ':'))
			return is_not(text, "descr, fortran_order and shape were expected");
		seen |= 1u << i;
		ok = i == 0   ? read_descr(text, out->descr)
		     : i == 1 ? read_flag(text, &out->by_column)
		              : read_shape(text, &out->shape);
		if (!ok || (!take(text, ',') && peek(text) != '}'))
			return is_not(text, "a comma was expected");
	}
	return (seen == 7 || is_not(text, "descr, fortran_order and shape were expected"))
	       && ((!peek(text) && text->at == text->end) || is_not(text, "more than a dict"));
}

/* The type's letter and bytes behind its byte order. */
static enum dtype dtype_of(const char *descr)
{
	static const struct { const char *code; enum dtype dtype; } codes[] = {
		{ "b1", DTYPE_BOOL },
		{ "i1", DTYPE_INT8 }, { "i2", DTYPE_INT16 },
		{ "i4", DTYPE_INT32 }, { "i8", DTYPE_INT64 },
		{ "u1", DTYPE_UINT8 }, { "u2", DTYPE_UINT16 },
		{ "u4", DTYPE_UINT32 }, { "u8", DTYPE_UINT64 },
		{ "f2", DTYPE_FLOAT16 }, { "f4", DTYPE_FLOAT32 }, { "f8", DTYPE_FLOAT64 },
		{ "c8", DTYPE_COMPLEX64 }, { "c16", DTYPE_COMPLEX128 },
	};

	for (size_t i = 0; *descr && strchr("<>=|", *descr) && i < sizeof codes / sizeof *codes;
	     i++)
		if (!strcmp(codes[i].code, descr + 1))
			return codes[i].dtype;
	return DTYPE_INVALID;
}

static bool refuse_type(const char *path, const char *descr, struct err *err)
{
	if (strchr(descr, 'O'))
		return err_at(err, ERR_UNSUPPORTED, path, 0,
		              "holds Python objects (pickle); not read");
	return err_at(err, ERR_UNSUPPORTED, path, 0, "elements of the type \"%s\" are not read",
	              descr);
}

/* Does the order of the indices matter? */
static bool has_order(const struct shape *shape)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < shape->rank; i++) {
		if (shape->dim[i] == 0)
			return false;
		n += shape->dim[i] > 1;
	}
	return n > 1;
}

/* Where the dict is: behind the magic, the version and its own length of two bytes or four. */
static bool find_dict(struct file *file, struct text *text, uint64_t *data, struct err *err)
{
	const unsigned char *head = file_bytes(file, 0, 8, NULL);
	unsigned width;
	uint64_t len;

	if (!head || memcmp(head, MAGIC, 6) != 0)
		return err_at(err, ERR_FORMAT, file->path, 0, "not a .npy file (no sign of one)");
	if (head[6] < 1 || head[6] > 3)
		return err_at(err, ERR_UNSUPPORTED, file->path, 6,
		              "not a .npy file (version %d is not known)", head[6]);
	width = head[6] == 1 ? 2 : 4;
	head = file_bytes(file, 8, width, err);
	len = head ? little_endian(head, width) : 0;
	if (head && len > HEADER_MAX)
		return err_at(err, ERR_LIMIT, file->path, 8,
		              "not a .npy file (a header of %" PRIu64 " bytes)", len);
	text->at = head ? file_bytes(file, 8 + width, (size_t)len, err) : NULL;
	if (!text->at)
		return false;
	text->end = text->at + len;
	*data = 8 + width + len;
	return true;
}

static bool header_of(struct file *file, struct header *header, uint64_t *data, struct err *err)
{
	struct text text = {0};

	if (!find_dict(file, &text, data, err))
		return false;
	if (read_header(&text, header))
		return true;
	if (!*text.why)
		return err_at(err, ERR_UNSUPPORTED, file->path, 0,
		              "structured arrays are not supported");
	return err_at(err, ERR_FORMAT, file->path, *data - (uint64_t)(text.end - text.at),
	              "not a .npy file (%s)", text.why);
}

struct value *npy_open(const char *path, uint64_t *behind, struct err *err)
{
	struct header header = {0};
	struct value *value = NULL;
	struct file file;
	uint64_t data;
	bool ok;

	if (!file_open(&file, path, err))
		return NULL;
	ok = header_of(&file, &header, &data, err);
	if (ok && !dtype_of(header.descr))
		ok = refuse_type(path, header.descr, err);
	if (ok && header.by_column && has_order(&header.shape))
		ok = err_at(err, ERR_UNSUPPORTED, path, 0,
		            "in Fortran order, which is not read: "
		            "numpy.ascontiguousarray turns it");
	if (ok)
		value = value_open_raw(path, data, file.size - data, dtype_of(header.descr),
		                       *header.descr == '>', &header.shape, err);
	if (value)
		*behind = file.size - data - value->count * value->type->elem_bytes;
	file_close(&file);
	return value;
}

/* As a dump. */

static bool is_array(const char *name)
{
	return *name != '.' && text_ends(name, ENDING);
}

static size_t count(const struct listing *list, struct times *times)
{
	(void)times;
	for (size_t i = 0; i < list->entries.len; i++)
		if (list->entries.at[i].kind == ENTRY_FILE && is_array(list->entries.at[i].name))
			return 1;
	return 0;
}

static bool look(const char *path, struct arena *mem, struct place *out, struct err *err)
{
	struct listing list = {0};
	bool ok = listing_of(&list, path, err);

	(void)mem;
	out->path = path;
	out->is_run = ok && count(&list, NULL);
	listing_release(&list);
	return ok;
}

static const char *around(const char *file, enum file_kind kind, struct arena *mem,
                          const char **below, struct err *err)
{
	struct value *value;
	uint64_t behind;

	if (kind != FILE_NPY || !is_array(path_name(file)))
		return NULL;
	value = npy_open(file, &behind, err);
	if (!value)
		return NULL;
	value_close(value);
	*below = path_name(file);
	return path_directory(mem, file);
}

struct loading {
	struct run *run;
	VEC(char *) names;       /* of arrays, below the run's path, without their ending */
};

static bool take_file(void *owner, const struct walk_file *file)
{
	struct loading *l = owner;
	struct str name = {0};

	if (!is_array(file->name))
		return true;
	str_fmt(&name, "%s%s", file->dir, file->name);
	str_cut(&name, name.len - strlen(ENDING));
	vec_push(&l->names, name.text);
	return true;
}

static void skipped(void *owner, const char *path, const char *why)
{
	struct loading *l = owner;

	if (!*path || path[strlen(path) - 1] == '/' || text_ends(path, ENDING))
		run_problem(l->run, PROBLEM_STRANGER, path, 0, "%s", why);
}

static int by_name(const void *a, const void *b)
{
	return natural_order(*(char *const *)a, *(char *const *)b);
}

static struct value *value(const struct run *run, const struct tensor *tensor, struct err *err)
{
	struct str path = {0};
	struct value *opened;
	uint64_t behind;

	str_fmt(&path, "%s/%s" ENDING, run->path, tensor->node);
	opened = npy_open(path.text, &behind, err);
	str_release(&path);
	return opened;
}

/* Its header is read, so that a file that is no array has no row. */
static void add_array(struct run *run, const char *name)
{
	struct tensor tensor = { .where = ENDING, .time_us = -1 };
	struct str path = {0}, file = {0};
	struct err err = {0};
	struct value *opened;
	uint64_t behind;

	str_fmt(&file, "%s" ENDING, name);
	str_fmt(&path, "%s/%s", run->path, file.text);
	opened = npy_open(path.text, &behind, &err);
	if (!opened) {
		run_unread(run, problem_of_err(&err), file.text, err.off, "%s", err.msg);
	} else {
		if (behind)
			run_problem(run, PROBLEM_STRANGER, file.text, 0,
			            "%" PRIu64 " byte%s behind the elements are left alone", behind,
			            plural(behind));
		tensor.size_bytes = (int64_t)(opened->count * opened->type->elem_bytes);
		tensor.node_id = map_add(&run->nodes, &run->mem, name, strlen(name));
		tensor.node = run->nodes.key[tensor.node_id];
		vec_push(&run->tensors, tensor);
		value_close(opened);
	}
	str_release(&file);
	str_release(&path);
}

static bool add_arrays(struct loading *l, struct progress *progress, struct err *err)
{
	struct run *run = l->run;
	bool on = true;

	*vec_add(&run->devices) = (struct device){ .name = "CPU:0", .dir = "" };
	map_add(&run->debug_ops, &run->mem, "DebugIdentity", strlen("DebugIdentity"));
	for (size_t i = 0; i < l->names.len && on; i++) {
		add_array(run, l->names.at[i]);
		on = progress_step(progress, i + 1, l->names.len);
	}
	return on || err_at(err, ERR_CANCELLED, run->path, 0, "stopped");
}

static bool load(struct run *run, struct progress *progress, struct err *err)
{
	struct loading l = { .run = run };
	struct walk_sink sink = { &l, take_file, skipped };
	int fd = dir_open(run->path);
	bool ok;

	if (fd < 0)
		return err_at(err, ERR_IO, run->path, 0, "the directory can't be opened");
	run->op_type = "npy";
	if (run->depth != RUN_HEAD)
		walk_tree(fd, &sink);
	close(fd);
	if (l.names.len)
		qsort(l.names.at, l.names.len, sizeof *l.names.at, by_name);
	ok = add_arrays(&l, progress, err);
	for (size_t i = 0; i < l.names.len; i++)
		free(l.names.at[i]);
	vec_release(&l.names);
	return ok;
}

static void tensor_file(const struct run *run, const struct tensor *tensor, struct str *out)
{
	(void)run;
	str_fmt(out, "%s%s", tensor->node, tensor->where);
}

const struct reader reader_npy = {
	.name = "numpy arrays",
	.looks_for = "*.npy",
	.count = count,
	.look = look,
	.around = around,
	.load = load,
	.value = value,
	.tensor_file = tensor_file,
};
