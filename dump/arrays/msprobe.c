/*
 * The list is an object of calls, a call one of parts (input_args, output, ...), a part any nesting
 * of lists and objects. What has a dtype and a shape is a tensor; its name is that of its file, or
 * else the way to it.
 */
#include "dump/arrays/msprobe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "dump/arrays/msprobe_graph.h"
#include "dump/arrays/msprobe_stacks.h"
#include "dump/arrays/source.h"
#include "dump/base/path.h"
#include "dump/format/file.h"
#include "dump/format/json_pull.h"

#define LIST "dump.json"
#define VALUES "dump_tensor_data"
#define STACKS "stack.json"
#define SCOPES "construct.json"

enum { DEPTH_MOST = 32, NUMBER_MOST = 60, CALLS_BETWEEN = 16 };

static bool is_named(const char *name)
{
	return !strcmp(name, LIST);
}

static bool is_kind(enum file_kind kind)
{
	return kind == FILE_MSPROBE;
}

/* The files of values belong to the list beside their directory. */
static bool owns(const char *path, const char *other)
{
	size_t dir = (size_t)(path_name(path) - path);

	return !strncmp(path, other, dir)
	       && !strncmp(other + dir, VALUES "/", strlen(VALUES "/"));
}

struct listing_of_calls {
	struct pull pull;
	struct array_list *out;
	const char *dir;         /* of the list, with its slash */
	const char *call;
	const struct call_part *part;    /* of the call */
	struct str name;         /* the way to where we are */
	bool is_grad;            /* in the gradients of parameters */
	bool any;                /* there were calls */
};

/* What an object says of a tensor, as far as it is one. */
struct element {
	struct str dtype, data_name;
	struct shape shape;
	struct array_stats stats;
	bool has_shape, too_many_dims, has_stats;
};

static bool walk(struct listing_of_calls *l, const struct pull_value *value, int depth);

/* Values. */

static void decode(struct listing_of_calls *l, const struct pull_value *value, struct str *out)
{
	struct text bytes = pull_bytes(&l->pull, value);

	str_reset(out);
	pull_decode(bytes.at, bytes.len, value->coded, out);
}

/* A number, or a text that is one: "nan", "inf". False: neither. */
static bool read_number(struct listing_of_calls *l, const struct pull_value *value, double *out)
{
	struct text bytes = pull_bytes(&l->pull, value);
	char text[NUMBER_MOST + 1], *end;

	if ((value->kind != PULL_NUMBER && value->kind != PULL_TEXT) || !bytes.len
	    || bytes.len > NUMBER_MOST)
		return false;
	memcpy(text, bytes.at, bytes.len);
	text[bytes.len] = '\0';
	*out = strtod(text, &end);
	return !*end;
}

static bool read_shape(struct listing_of_calls *l, struct element *e)
{
	struct pull_value value;
	double number;

	e->has_shape = true;
	while (pull_more(&l->pull, ']')) {
		if (!pull_value(&l->pull, &value))
			return false;
		if (value.kind == PULL_OBJECT || value.kind == PULL_ARRAY) {
			e->has_shape = false;
			if (!pull_skip(&l->pull, &value))
				return false;
		} else if (!read_number(l, &value, &number) || !(number >= 0 && number < 1e15)) {
			e->has_shape = false;
		} else if (e->shape.rank == SHAPE_MAX_RANK) {
			e->too_many_dims = true;
		} else {
			e->shape.dim[e->shape.rank++] = (int64_t)number;
		}
	}
	return !l->pull.broken;
}

static void read_stat(struct listing_of_calls *l, const char *key, const struct pull_value *value,
                      struct element *e)
{
	static const char *const keys[N_STATS] = {
		[STATS_MAX] = "Max", [STATS_MIN] = "Min", [STATS_MEAN] = "Mean",
		[STATS_NORM] = "Norm",
	};

	for (int i = 0; i < N_STATS; i++)
		if (!strcmp(key, keys[i])) {
			e->has_stats = true;
			e->stats.has[i] = read_number(l, value, &e->stats.at[i]);
		}
}

/* Tensors. */

/* "torch.float32", "Float32" */
static enum dtype dtype_of(const char *name)
{
	const char *dot = strrchr(name, '.');
	struct str lower = {0};
	enum dtype dtype;

	for (const char *c = dot ? dot + 1 : name; *c; c++)
		str_putc(&lower, *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c);
	dtype = dtype_named(str_text(&lower));
	str_release(&lower);
	return dtype;
}

static const char *copy(struct listing_of_calls *l, const char *text)
{
	return arena_copy(l->out->mem, text, strlen(text));
}

/* Names of files are names, no paths. */
static bool is_plain(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/');
}

static void place(struct listing_of_calls *l, const struct element *e, struct array *array)
{
	struct str path = {0};

	if (!e->data_name.len) {
		array->not_stored = "Only statistics were recorded.";
		return;
	}
	if (!is_plain(e->data_name.text)) {
		array->why = "Its file would lie elsewhere.";
		return;
	}
	str_fmt(&path, "%s" VALUES "/%s", l->dir, e->data_name.text);
	array->file = copy(l, path.text);
	str_release(&path);
}

static void add_tensor(struct listing_of_calls *l, const struct element *e)
{
	struct array *array;
	struct str name = {0};
	uint64_t bytes;

	if (e->data_name.len) {
		const char *dot = strrchr(e->data_name.text, '.');

		str_put(&name, e->data_name.text,
		        dot ? (size_t)(dot - e->data_name.text) : e->data_name.len);
	} else {
		str_puts(&name, str_text(&l->name));
	}
	array = array_add(l->out, copy(l, str_text(&name)));
	array_set_shape(l->out, array, &e->shape);
	str_release(&name);
	array->dtype = dtype_of(str_text(&e->dtype));
	array->type_name = copy(l, str_text(&e->dtype));
	array->own = l->part;
	array->size_bytes = ARRAY_SIZE_UNKNOWN;
	place(l, e, array);
	if (e->too_many_dims)
		array->why = "More than 32 dimensions.";
	else if (!array->dtype)
		array->why = "Elements of this type are not read.";
	else if (array_bytes(&e->shape, dtype_info(array->dtype)->elem_bytes, &bytes))
		array->size_bytes = bytes;
	if (e->has_stats) {
		struct array_stats *stats = arena_alloc(l->out->mem, sizeof *stats);

		*stats = e->stats;
		array->stats = stats;
	}
}

/* The tree. */

/* What comes in or goes out in any way is input or output. */
static const char *part_name(const char *key, int depth)
{
	return depth == 1 && (!strcmp(key, "input_args") || !strcmp(key, "input_kwargs"))
	       ? "input" : key;
}

/* What a call gave; gradients of parameters have the names of those. */
static bool is_output(const struct listing_of_calls *l, const char *key)
{
	return l->is_grad || !strcmp(key, "output");
}

static const struct call_part *part_of(struct listing_of_calls *l, const char *key)
{
	struct call_part *part = arena_alloc(l->out->mem, sizeof *part);

	*part = (struct call_part){ l->call, is_output(l, key) };
	return part;
}

static bool walk_into(struct listing_of_calls *l, const char *key, const struct pull_value *value,
                      int depth)
{
	size_t len = l->name.len;
	bool ok;

	if (len)
		str_putc(&l->name, '.');
	str_puts(&l->name, key);
	ok = walk(l, value, depth);
	str_cut(&l->name, len);
	return ok;
}

static bool walk_list(struct listing_of_calls *l, int depth)
{
	struct pull_value value;
	bool ok = true;

	for (size_t i = 0; ok && pull_more(&l->pull, ']'); i++) {
		char number[24];

		pull_keep(&l->pull);
		if (!pull_value(&l->pull, &value))
			return false;
		snprintf(number, sizeof number, "%zu", i);
		/* a parameter has one gradient, whose place says nothing */
		ok = l->is_grad && depth == 2 && !i ? walk(l, &value, depth + 1)
		                                    : walk_into(l, number, &value, depth + 1);
	}
	return ok && !l->pull.broken;
}

/* One key of an object, which may say something of a tensor or lead further. */
static bool take_key(struct listing_of_calls *l, const char *key, const struct pull_value *value,
                     struct element *e, int depth)
{
	if (value->kind == PULL_ARRAY && !strcmp(key, "shape"))
		return read_shape(l, e);
	if (value->kind == PULL_OBJECT || value->kind == PULL_ARRAY) {
		if (depth == 1)
			l->part = part_of(l, key);
		return walk_into(l, part_name(key, depth), value, depth + 1);
	}
	if (value->kind == PULL_TEXT && !strcmp(key, "dtype"))
		decode(l, value, &e->dtype);
	else if (value->kind == PULL_TEXT && !strcmp(key, "data_name"))
		decode(l, value, &e->data_name);
	else
		read_stat(l, key, value, e);
	return true;
}

static bool walk_object(struct listing_of_calls *l, int depth)
{
	struct pull_value key, value;
	struct element e = {0};
	struct str name = {0};
	bool ok = true;

	while (ok && pull_more(&l->pull, '}')) {
		pull_keep(&l->pull);
		ok = pull_key(&l->pull, &key);
		if (!ok)
			break;
		decode(l, &key, &name);
		ok = pull_value(&l->pull, &value)
		     && take_key(l, str_text(&name), &value, &e, depth);
	}
	if (ok && e.dtype.len && e.has_shape)
		add_tensor(l, &e);
	str_release(&name);
	str_release(&e.dtype);
	str_release(&e.data_name);
	return ok && !l->pull.broken;
}

/* depth 0: the calls; 1: a call's parts. */
static bool walk(struct listing_of_calls *l, const struct pull_value *value, int depth)
{
	struct pull_value skipped = *value;

	if (value->kind != PULL_OBJECT && value->kind != PULL_ARRAY)
		return true;
	if (depth == DEPTH_MOST)
		return pull_skip(&l->pull, &skipped);
	return value->kind == PULL_OBJECT ? walk_object(l, depth) : walk_list(l, depth);
}

static bool walk_calls(struct listing_of_calls *l, const char *path, struct err *err)
{
	struct pull_value key, value;
	struct str name = {0};
	bool ok = true;

	l->any = true;
	for (size_t n = 0; ok && pull_more(&l->pull, '}'); n++) {
		pull_keep(&l->pull);
		ok = pull_key(&l->pull, &key);
		if (!ok)
			break;
		decode(l, &key, &name);
		l->call = copy(l, str_text(&name));
		l->is_grad = strstr(str_text(&name), ".parameters_grad.");
		ok = pull_value(&l->pull, &value)
		     && walk_into(l, str_text(&name), &value, 1);
		if (ok && n % CALLS_BETWEEN == 0)
			ok = array_goes_on(l->out, path, pull_file_off(&l->pull),
			                   l->pull.file->size, err);
	}
	str_release(&name);
	return ok && !l->pull.broken;
}

static bool read_list(struct listing_of_calls *l, const char *path, struct err *err)
{
	struct pull_value key, value;
	bool ok = pull_value(&l->pull, &value) && value.kind == PULL_OBJECT;

	while (ok && pull_more(&l->pull, '}')) {
		pull_keep(&l->pull);
		ok = pull_key(&l->pull, &key);
		if (!ok)
			break;
		decode(l, &key, &l->name);
		ok = pull_value(&l->pull, &value);
		if (ok && !strcmp(str_text(&l->name), "data") && value.kind == PULL_OBJECT) {
			str_reset(&l->name);
			ok = walk_calls(l, path, err);
		} else if (ok && (value.kind == PULL_OBJECT || value.kind == PULL_ARRAY)) {
			pull_drop(&l->pull);
			ok = pull_skip(&l->pull, &value);
		}
	}
	return ok && !l->pull.broken;
}

static bool list(const char *path, struct array_list *out, struct err *err)
{
	struct listing_of_calls l = { .out = out };
	struct file file;
	bool ok;

	if (!file_open(&file, path, err))
		return false;
	l.dir = arena_copy(out->mem, path, (size_t)(path_name(path) - path));
	pull_start(&l.pull, &file);
	ok = read_list(&l, path, err);
	if (!ok && !err->code && l.pull.broken)
		*err = l.pull.err;
	else if (!err->code && (!ok || !l.any))
		ok = array_refuse(err, path, 0, "not a dump of msprobe (no calls in it).");
	pull_release(&l.pull);
	str_release(&l.name);
	file_close(&file);
	return ok;
}

/* The one array of a file beside the list. */
static struct value *value(const struct array *array, struct err *err)
{
	const struct array_format *format = array_format_named(path_name(array->file));
	struct arena mem = {0};
	struct array_list held = { .mem = &mem };
	struct value *value = NULL;

	if (!format || format == &array_msprobe) {
		err_fill(err, ERR_UNSUPPORTED, array->file, 0,
		         "Its file is of no kind that is read.");
	} else if (format->list(array->file, &held, err)) {
		struct array *one = held.at.len == 1 ? held.at.at[0] : NULL;

		if (!one || one->why)
			err_fill(err, ERR_UNSUPPORTED, array->file, 0, "%s",
			         one ? one->why : "Its file holds more than one array, or none.");
		else {
			one->file = one->file ? one->file : array->file;
			value = format->value ? format->value(one, err) : array_value(one, err);
		}
	}
	array_list_release(&held);
	arena_release(&mem);
	return value;
}

static void add_stacks(const struct array_list *held, const struct call_stacks *calls,
                       struct stacks *out)
{
	for (size_t i = 0; i < held->at.len; i++) {
		const struct array *array = held->at.at[i];
		const struct call_part *part = array->own;
		uint32_t id = map_find(&calls->calls, part->call, strlen(part->call));
		struct stack_node node;

		if (id == MAP_NONE)
			continue;
		node = calls->of.at[id];
		node.name = arena_copy(&out->mem, array->name, strlen(array->name));
		node.op = array_msprobe.op;
		node.outputs = 1;
		vec_push(&out->nodes, node);
	}
}

/* A file of the dump beside its list. False: there is none. */
static bool beside(const char *path, const char *name, struct str *out)
{
	str_put(out, path, (size_t)(path_name(path) - path));
	str_puts(out, name);
	return file_is_there(out->text) || !lstat(out->text, &(struct stat){0});
}

static struct graph *graph(const char *path, const struct array *const *arrays, size_t n,
                           struct progress *progress, struct err *err)
{
	struct graph *made = NULL;
	struct str scopes = {0};

	if (beside(path, SCOPES, &scopes))
		made = call_graph_read(scopes.text, arrays, n, progress, err);
	str_release(&scopes);
	return made;
}

static bool stacks(const char *path, struct stacks *out, struct progress *progress,
                   struct err *err)
{
	struct arena mem = {0};
	struct array_list held = { .mem = &mem, .progress = progress };
	struct call_stacks calls = {0};
	struct str file = {0};
	bool ok = true;

	if (beside(path, STACKS, &file)) {
		ok = list(path, &held, err)
		     && call_stacks_read(&calls, file.text, out, progress, err);
		if (ok)
			add_stacks(&held, &calls, out);
	}
	call_stacks_release(&calls);
	array_list_release(&held);
	arena_release(&mem);
	str_release(&file);
	return ok;
}

const struct array_format array_msprobe = {
	.op = "msprobe",
	.looks_for = LIST,
	.is_named = is_named,
	.is_kind = is_kind,
	.list = list,
	.value = value,
	.stacks = stacks,
	.graph = graph,
	.owns = owns,
};
