#include "dump/arrays/msprobe_graph.h"

#include <string.h>

#include "dump/format/file.h"
#include "dump/format/json_pull.h"
#include "dump/model/graph_build.h"

enum { CALLS_BETWEEN = 256 };

struct reading {
	struct graph_build *build;
	struct pull pull;
	struct str text, op;
	VEC(uint32_t) within;    /* by node: the call around it, plus 1; 0: none is known */
};

/* Is it a number, or which way a call went? */
static bool is_no_op(const char *part, size_t len)
{
	static const char *const ways[] = { "forward", "backward", "parameters_grad" };

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (len == strlen(ways[i]) && !memcmp(part, ways[i], len))
			return true;
	return strspn(part, "0123456789") >= len;
}

/* "conv2d" of Functional.conv2d.0.forward, "Linear" of Module.fc.Linear.forward.0 */
static const char *op_of(struct reading *r, const char *call)
{
	size_t end = strlen(call), from = end;

	for (;;) {
		for (from = end; from && call[from - 1] != '.'; from--)
			;
		if (!from || !is_no_op(call + from, end - from))
			break;
		end = from - 1;
	}
	str_reset(&r->op);
	str_put(&r->op, call + from, end - from);
	return str_text(&r->op);
}

static uint32_t add_call(struct reading *r, const char *call)
{
	uint32_t node = graph_build_node(r->build, call, op_of(r, call));

	if (node == r->within.len)
		vec_push(&r->within, 0);
	return node;
}

/* A text of the file as a call; an empty one is none. */
static bool take_call(struct reading *r, const struct pull_value *value, uint32_t *node)
{
	struct text bytes = pull_bytes(&r->pull, value);

	str_reset(&r->text);
	pull_decode(bytes.at, bytes.len, value->coded, &r->text);
	if (!r->text.len)
		return false;
	*node = add_call(r, r->text.text);
	return true;
}

static bool read_entry(struct reading *r)
{
	struct pull_value key, value;
	uint32_t call = 0, around;
	bool is_call;

	pull_keep(&r->pull);
	if (!pull_key(&r->pull, &key))
		return false;
	is_call = take_call(r, &key, &call);
	if (!pull_value(&r->pull, &value))
		return false;
	if (value.kind == PULL_OBJECT || value.kind == PULL_ARRAY)
		return pull_skip(&r->pull, &value);
	/* of a call that comes twice the first one counts */
	if (is_call && value.kind == PULL_TEXT && take_call(r, &value, &around) && around != call
	    && !r->within.at[call]) {
		r->within.at[call] = around + 1;
		graph_build_edge(r->build, EDGE_CONTROL, around, call);
	}
	return true;
}

static bool read_calls(struct reading *r, const char *path, struct progress *progress,
                       struct err *err)
{
	struct pull_value all;
	bool ok = pull_value(&r->pull, &all) && all.kind == PULL_OBJECT;

	for (size_t n = 1; ok && pull_more(&r->pull, '}'); n++) {
		if (n % CALLS_BETWEEN == 0
		    && !progress_step(progress, pull_file_off(&r->pull), r->pull.file->size))
			return err_at(err, ERR_CANCELLED, path, 0, "stopped");
		ok = read_entry(r);
	}
	if (ok && !r->pull.broken)
		return true;
	if (r->pull.broken)
		*err = r->pull.err;
	return err->code ? false : err_at(err, ERR_FORMAT, path, 0,
	                                  "an object of calls was expected");
}

static void add_arrays(struct reading *r, const struct array *const *arrays, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct call_part *part = arrays[i]->own;
		uint32_t call = add_call(r, part->call);
		uint32_t node = graph_build_node(r->build, arrays[i]->name,
		                                 arrays[i]->format->op);

		if (node == r->within.len)
			vec_push(&r->within, 0);
		if (node != call)
			graph_build_edge(r->build, EDGE_INPUT, part->is_output ? node : call,
			                 part->is_output ? call : node);
	}
}

struct graph *call_graph_read(const char *path, const struct array *const *arrays, size_t n,
                              struct progress *progress, struct err *err)
{
	struct reading r = {0};
	struct graph *graph = NULL;
	struct file file;

	if (!file_open(&file, path, err))
		return NULL;
	r.build = graph_build_new(&file);
	pull_start(&r.pull, &file);
	if (read_calls(&r, path, progress, err)) {
		add_arrays(&r, arrays, n);
		graph = graph_build_end(r.build);
	} else {
		graph_build_drop(r.build);
	}
	pull_release(&r.pull);
	str_release(&r.text);
	str_release(&r.op);
	vec_release(&r.within);
	file_close(&file);
	return graph;
}
