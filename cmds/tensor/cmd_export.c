/*
 * All tensors of a run as files of another program. A name becomes a key, as it is, and of .npy
 * files a path below the directory: no part of it may lead out of that.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/array/npy.h"
#include "cmds/array/save.h"
#include "cmds/lang/format.h"
#include "cmds/lang/pattern.h"
#include "cmds/session/session.h"
#include "cmds/tensor/export.h"
#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/base/utf8.h"
#include "dump/base/writer.h"

enum { AS, NODE_NAME };
enum { UNREAD_NAMED = 100 };
enum {
	PART_MOST = 200,         /* bytes of a part of a path */
	KEY_MOST = 60000,        /* of a key; a zip archive knows no longer ones */
};

static const struct opt options[] = {
	[AS] = { OPT_WORD, NULL, "as", "npy (default): a file each; npz or safetensors: one file" },
	[NODE_NAME] = { OPT_WORD, "n", "node_name_filter",
	                "only nodes whose name matches from its start" },
};

static const struct pos positionals[] = {
	{ "directory", "where to write; it is created if it does not exist", false },
};

/* One file of all: what it is called, and who writes it. Without: a file each. */
static const struct form {
	const char *name, *file;
	bool (*write)(const struct exported *what, FILE *out, struct progress *progress,
	              struct err *err);
} forms[] = {
	{ "npy", NULL, NULL },
	{ "npz", "tensors.npz", export_npz },
	{ "safetensors", "tensors.safetensors", export_safetensors },
};
enum { N_FORMS = sizeof forms / sizeof *forms };

/* The answer. */
struct export {
	struct exported what;
	const struct form *form;
	const char *directory;
	size_t left_out;         /* of types that the form can't hold, or without a value */
	size_t unread;           /* of them, those that can't be read */
	uint64_t bytes;
	VEC(char *) made;        /* directories that did not exist */
	struct map names;
	struct arena mem;
};

/* Names. */

/* Each part of a path in turn; what leads elsewhere, or is no text, becomes '_'. */
static void put_safe(struct str *out, const char *name)
{
	size_t len = strlen(name), part = out->len;

	for (size_t at = 0; at < len; ) {
		uint32_t cp;
		size_t n = utf8_next(name + at, len - at, &cp);

		if (cp == '/' && out->len == part)
			str_putc(out, '_');
		if (cp != '/' && out->len - part >= PART_MOST)
			; /* as much as a file system takes */
		else if (cp == UTF8_BAD || utf8_is_hidden(cp) || cp == ':')
			str_putc(out, '_');
		else
			str_put(out, name + at, n);
		at += n;
		if (cp == '/')
			part = out->len;
		else if (out->text[part] == '.' && out->len == part + 1)
			out->text[part] = '_';   /* neither "..", nor hidden */
	}
	if (out->len == part)
		str_putc(out, '_');
}

/* In one file of all a name may hold anything but what is no text. */
static void put_key(struct str *out, const char *name)
{
	size_t len = strlen(name), n;

	for (size_t at = 0; at < len && out->len < KEY_MOST; at += n) {
		uint32_t cp;

		n = utf8_next(name + at, len - at, &cp);
		if (cp == UTF8_BAD)
			str_putc(out, '_');
		else
			str_put(out, name + at, n);
	}
}

/* Which dump it is, where a node has several: "a", "a_1", "a_DebugNumericSummary". */
static void put_name(const struct run *run, const struct tensor *t, bool as_key, struct str *out)
{
	struct str name = {0};

	if (run->devices.len > 1)
		str_fmt(&name, "%s/", run->devices.at[t->device].name + (
			*run->devices.at[t->device].name == '/'));
	run_put_name(run, t, &name);
	if (run->debug_ops.len > 1)
		str_fmt(&name, "_%s", run->debug_ops.key[t->debug_op]);
	if (t->number)
		str_fmt(&name, "_%" PRIu32, t->number);
	(as_key ? put_key : put_safe)(out, str_text(&name));
	str_release(&name);
}

/* By another tensor, or by what safetensors keeps for itself. */
static bool is_taken(const struct export *e, const char *name)
{
	return map_find(&e->names, name, strlen(name)) != MAP_NONE
	       || (e->form->write == export_safetensors && !strcmp(name, "__metadata__"));
}

/* A name that no other tensor has. */
static const char *own_name(struct export *e, const struct tensor *t)
{
	struct str name = {0};
	size_t len;

	put_name(e->what.run, t, e->form->write, &name);
	len = name.len;
	for (int n = 2; is_taken(e, str_text(&name)); n++) {
		str_cut(&name, len);
		str_fmt(&name, "_%d", n);
	}
	len = map_add(&e->names, &e->mem, str_text(&name), name.len);
	str_release(&name);
	return e->names.key[len];
}

/* Can the form hold it? Its head is read; *err: it can't be. */
static bool holds(const struct export *e, const struct tensor *t, struct err *err)
{
	struct value *value = run_value(e->what.run, t, err);
	bool ok = value && value->state == VALUE_ARRAY
	          && (e->form->write == export_safetensors ? safetensors_type(value->type) != NULL
	                                                   : npy_holds(value->type));

	value_close(value);
	return ok;
}

static void note_unread(struct call *call, struct export *e, const struct tensor *t,
                        const struct err *why)
{
	struct str text = {0};

	if (e->unread++ < UNREAD_NAMED) {
		str_puts(&text, "left out: ");
		run_put_name(e->what.run, t, &text);
		str_puts(&text, ": ");
		err_put(&text, why->src, why);
		call_fault(call, text.text);
	}
	str_release(&text);
}

/* Those that are too many to be named are counted. */
static void end_unread(struct call *call, const struct export *e)
{
	char text[64];

	if (e->unread)
		call->status = 1;
	if (e->unread <= UNREAD_NAMED)
		return;
	snprintf(text, sizeof text, "left out: %zu more that could not be read",
	         e->unread - UNREAD_NAMED);
	call_fault(call, text);
}

static bool choose(struct call *call, struct export *e)
{
	const char *regex = call->args.opt[NODE_NAME].word;
	const struct run *run = e->what.run;
	struct pattern *pattern = NULL;

	if (regex && *regex) {
		pattern = pattern_new(regex, PATTERN_MATCH, false, &call->err);
		if (!pattern)
			return false;
	}
	for (uint32_t i = 0; i < run->tensors.len && !call->err.code; i++) {
		const struct tensor *t = &run->tensors.at[i];
		struct err why = {0};

		if (pattern && !pattern_fits(pattern, t->node, strlen(t->node), &call->err))
			continue;
		if (!holds(e, t, &why)) {
			e->left_out++;
			if (why.code && why.code != ERR_MISSING)
				note_unread(call, e, t, &why);
			continue;
		}
		vec_push(&e->what.at, i);
		vec_push(&e->what.names, own_name(e, t));
		if (!progress_step(call->progress, i, run->tensors.len))
			err_fill(&call->err, ERR_CANCELLED, "command", 0, "cancelled");
	}
	pattern_free(pattern);
	end_unread(call, e);
	return !call->err.code;
}

/* Writing. */

/* The directories of a path, up to its last slash. */
static bool make_directories(struct export *e, const char *path, struct err *err)
{
	char *made = mem_copy(path, strlen(path));
	bool ok = true;

	for (char *slash = strchr(made + 1, '/'); ok && slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (!mkdir(made, 0777))
			vec_push(&e->made, arena_copy(&e->mem, made, strlen(made)));
		else
			ok = errno == EEXIST || err_at(err, ERR_IO, "command", 0, "%s: %s", made,
			                               strerror(errno));
		*slash = '/';
	}
	free(made);
	return ok;
}

/* Puts files into their places once all are written; else removes them. */
static bool place(struct writer *const *files, size_t n, bool ok, struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		struct err why = {0};

		if (writer_place(files[i], ok, &why) || !ok)
			continue;
		err_fill(err, why.code, why.src, why.off, "%.200s; %zu of %zu files are replaced",
		         why.msg, i, n);
		ok = false;
	}
	return ok;
}

static bool write_each(struct export *e, struct progress *progress, struct err *err)
{
	VEC(struct writer *) files = {0};
	struct str path = {0};
	bool ok = true;

	for (size_t i = 0; ok && i < e->what.at.len; i++) {
		const struct tensor *t = &e->what.run->tensors.at[e->what.at.at[i]];
		struct progress part = progress_of_part(progress);
		struct value *value = run_value(e->what.run, t, err);
		struct writer *file;
		uint64_t bytes = 0;
		struct view view;

		str_reset(&path);
		str_fmt(&path, "%s/%s.npy", e->directory, e->what.names.at[i]);
		ok = value && make_directories(e, path.text, err);
		if (ok) {
			view_all(&view, value);
			ok = save_view_beside(path.text, &view, &file, &bytes, &part, err);
		}
		if (ok)
			vec_push(&files, file);
		value_close(value);
		e->bytes += bytes;
		if (ok && !progress_step(progress, i + 1, e->what.at.len))
			ok = err_at(err, ERR_CANCELLED, "command", 0, "cancelled");
	}
	ok = place(files.at, files.len, ok, err);
	vec_release(&files);
	str_release(&path);
	return ok;
}

static bool write_one(struct export *e, struct progress *progress, struct err *err)
{
	struct writer *writer = NULL;
	struct str path = {0};
	bool ok;

	str_fmt(&path, "%s/%s", e->directory, e->form->file);
	ok = make_directories(e, path.text, err);
	if (ok)
		writer = writer_open(path.text, WRITER_REPLACE, err);
	if (writer) {
		ok = e->form->write(&e->what, writer_stream(writer), progress, err);
		ok = writer_close(writer, ok, &e->bytes, err);
	}
	str_release(&path);
	return ok && writer;
}

/* Nothing is written into what is open. */
static bool is_inside(const char *directory, const char *path)
{
	struct str at = {0};
	char *outer = realpath(path, NULL), *inner;
	size_t len = outer ? strlen(outer) : 0;
	bool inside = false;

	str_puts(&at, directory);
	while (outer && !(inner = realpath(str_text(&at), NULL)) && strchr(str_text(&at), '/'))
		str_cut(&at, (size_t)(strrchr(at.text, '/') - at.text));
	if (outer && inner)
		inside = !strncmp(inner, outer, len) && (!inner[len] || inner[len] == '/');
	if (outer)
		free(inner);
	free(outer);
	str_release(&at);
	return inside;
}

static bool put_data(void *context, struct data *data, struct progress *progress, struct err *err)
{
	const struct export *e = context;

	(void)progress, (void)err;
	data_object(data);
	data_key(data, "directory");
	data_str(data, e->directory);
	data_key(data, "as");
	data_str(data, e->form->name);
	data_key(data, "tensors");
	data_uint(data, e->what.at.len);
	data_key(data, "left_out");
	data_uint(data, e->left_out);
	data_key(data, "bytes");
	data_uint(data, e->bytes);
	data_end(data);
	return true;
}

static void free_export(void *context)
{
	struct export *e = context;

	vec_release(&e->what.at);
	vec_release(&e->what.names);
	vec_release(&e->made);
	map_release(&e->names);
	arena_release(&e->mem);
	free(e);
}

static void tell(struct call *call, struct export *e)
{
	struct str size = {0};

	put_size(&size, (int64_t)e->bytes);
	doc_line_put(call->out, ROLE_PLAIN, "Wrote %zu tensor%s to %s%s%s (%sB)", e->what.at.len,
	             plural(e->what.at.len), e->directory, e->form->file ? "/" : "",
	             e->form->file ? e->form->file : "", size.text);
	if (e->unread)
		doc_line_put(call->out, ROLE_PLAIN, "Left out: %zu that could not be read",
		             e->unread);
	if (e->left_out > e->unread)
		doc_line_put(call->out, ROLE_PLAIN, "Left out: %zu without a value, or of a type "
		             "that %s can't hold", e->left_out - e->unread, e->form->name);
	str_release(&size);
	doc_typed(call->out, DATA_VALUE, put_data, e);
}

/* NULL: the answer says that there is none of this name. */
static const struct form *form_of(struct call *call)
{
	const char *word = call->args.opt[AS].given ? call->args.opt[AS].word : "npy";

	for (size_t i = 0; i < N_FORMS; i++)
		if (!strcmp(forms[i].name, word))
			return &forms[i];
	call_error(call, "ERROR: --as is npy, npz or safetensors, not \"%s\".", word);
	return NULL;
}

static void export_exec(struct call *call)
{
	const struct form *form = form_of(call);
	const char *directory = call->args.pos[0];
	struct export *e;

	if (!form)
		return;
	if (is_inside(directory, call->shell->run->path)) {
		call_error(call, "ERROR: %s is in what is open: nothing is written there.",
		           directory);
		return;
	}
	e = mem_alloc(sizeof *e);
	doc_keep(call->out, free_export, e);
	e->what.run = call->shell->run;
	e->form = form;
	e->directory = arena_copy(&e->mem, directory, strlen(directory));
	if (!choose(call, e))
		return;
	if ((form->write ? write_one : write_each)(e, call->progress, &call->err)) {
		tell(call, e);
		return;
	}
	while (e->made.len)
		rmdir(e->made.at[--e->made.len]);
	if (call->err.code && call->err.code != ERR_CANCELLED
	         && !strcmp(call->err.src, "command")) {
		call_error(call, "ERROR: %s", call->err.msg);
		call->err = (struct err){0};
	}
}

const struct cmd cmd_export = {
	.name = "export", .summary = "All tensors of the run as .npy files, .npz or safetensors",
	OPTS(options), POSITIONALS(positionals), .exec = export_exec,
};
