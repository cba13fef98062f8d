/*
 * A sample's stack is the calls between shown lines: the place of the call and the function called.
 * The first line has no caller, so a stack is one shorter than the path from the root.
 */
#include "cmds/profile/tfprof/tfprof_pprof.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/path.h"
#include "dump/profile/pprof.h"

static const struct {
	const char *item, *unit, *comment;
	enum tfprof_figure figure;
} kinds[] = {
	{ "bytes", "bytes", "Sum of operation total memory requests, excluding deallocations.",
	  TFPROF_BYTES },
	{ "micros", "microseconds", "Sum of accelerator execution time and cpu execution time.",
	  TFPROF_MICROS },
	{ "params", "count", "Model parameters.", TFPROF_PARAMS },
	{ "float_ops", "count", "Model float operations (Only available if defined).",
	  TFPROF_FLOAT_OPS },
	{ "accelerator_micros", "microseconds", "Accelerator execution time.", TFPROF_ACCELERATOR },
	{ "cpu_micros", "microseconds", "CPU execution time.", TFPROF_CPU },
	{ "peak_bytes", "bytes", "Sum of operation peak memory usage.", TFPROF_PEAK },
	{ "residual_bytes", "bytes", "Sum of operation allocated memory after finish.",
	  TFPROF_RESIDUAL },
	{ "output_bytes", "bytes", "Sum of operation output size.", TFPROF_OUTPUT },
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* N_KINDS: none of them. */
static size_t kind_of(const struct tfprof_options *options)
{
	size_t k = 0;

	while (k < N_KINDS && strcmp(kinds[k].item, options->select.at[0]))
		k++;
	return k;
}

bool tfprof_pprof_allowed(const struct tfprof_options *options, struct str *complaint)
{
	if (options->select.n != 1) {
		str_puts(complaint, "Can only select 1 attribute for pprof output.\n");
		return false;
	}
	if (kind_of(options) == N_KINDS) {
		str_fmt(complaint, "pprof doesn't support -select=%s\n", options->select.at[0]);
		return false;
	}
	return true;
}

/* A node of a shown leaf, and the leaf's stack: locations.at[first .. first + n). */
struct sample {
	uint32_t node;
	size_t first, n;
};

struct stacks_making {
	const struct tfprof_view *view;
	struct pprof *pprof;
	VEC(uint64_t) at_level;          /* the call into the row at a level */
	VEC(uint64_t) locations;
	VEC(struct sample) samples;
	struct str name, key;
};

static const struct tfprof_frame *frame_of(const struct tfprof_view *view, uint32_t row)
{
	return &view->tfprof->frames.at[tfprof_row_line(view->tree, row)->frame];
}

/* "train:build" of ".../train.py" and "build" */
static void put_function_name(struct stacks_making *s, uint32_t row)
{
	const struct tfprof *t = s->view->tfprof;
	const struct tfprof_frame *frame = frame_of(s->view, row);
	const char *file = path_name(tfprof_text(t, frame->file)), *dot = strrchr(file, '.');

	str_reset(&s->name);
	str_put(&s->name, file, dot ? (size_t)(dot - file) : strlen(file));
	str_fmt(&s->name, ":%s%s", tfprof_text(t, frame->function),
	        tfprof_row_line(s->view->tree, row)->gradient ? " (gradient)" : "");
}

static uint64_t location_of(struct stacks_making *s, uint32_t caller, uint32_t callee)
{
	const struct tfprof *t = s->view->tfprof;
	const struct tfprof_frame *from = frame_of(s->view, caller);
	const struct tfprof_frame *to = frame_of(s->view, callee);
	uint64_t function;

	put_function_name(s, callee);
	function = pprof_function(s->pprof, s->name.text, tfprof_text(t, to->file),
	                          to->function_line);
	str_reset(&s->key);
	str_fmt(&s->key, "%d %u %u%s", (int)from->line, from->file, to->function,
	        tfprof_row_line(s->view->tree, callee)->gradient ? " (gradient)" : "");
	return pprof_location(s->pprof, s->key.text, function, from->line);
}

/*
 * What is left out below a shown leaf counts for it. Everything below a row follows it in the tree.
 */
static void add_leaf(struct stacks_making *s, uint32_t leaf, size_t level)
{
	const struct tfprof_view *view = s->view;
	const uint32_t *parent = view->tree->parent;
	struct sample sample = { .first = s->locations.len, .n = level >= 2 ? level - 1 : 0 };

	for (size_t l = level; l >= 2; l--)
		vec_push(&s->locations, s->at_level.at[l]);
	for (uint32_t row = leaf; row < view->n && (row == leaf || parent[row] >= leaf); row++) {
		size_t n;
		const uint32_t *nodes = tfprof_view_nodes(view, row, &n);

		for (size_t i = 0; i < n; i++) {
			sample.node = nodes[i];
			if (view->picks[nodes[i]])
				vec_push(&s->samples, sample);
		}
	}
}

static void walk_rows(struct stacks_making *s)
{
	const struct tfprof_view *view = s->view;
	VEC(uint32_t) rows = {0};        /* by level */

	for (size_t i = 0; i < view->shown.len; i++) {
		const struct tfprof_shown *shown = &view->shown.at[i];
		size_t level = shown->level;

		rows.len = level;
		s->at_level.len = level;
		vec_push(&rows, shown->row);
		vec_push(&s->at_level,
		         level >= 2 ? location_of(s, rows.at[level - 1], shown->row) : 0);
		if (level && (i + 1 == view->shown.len || view->shown.at[i + 1].level <= level))
			add_leaf(s, shown->row, level);
	}
	vec_release(&rows);
}

static int by_name(const void *a, const void *b, void *context)
{
	const struct tfprof *t = context;
	const struct sample *x = a, *y = b;
	int order = strcmp(tfprof_name(t, x->node), tfprof_name(t, y->node));

	return order ? order : (x->first > y->first) - (x->first < y->first);
}

static void put_samples(struct stacks_making *s)
{
	const struct tfprof *t = s->view->tfprof;
	enum tfprof_figure figure = kinds[kind_of(&s->view->options)].figure;

	if (s->samples.len)
		qsort_r(s->samples.at, s->samples.len, sizeof *s->samples.at, by_name, (void *)t);
	for (size_t i = 0; i < s->samples.len; i++) {
		const struct sample *sample = &s->samples.at[i];
		int64_t values[2] = { 1, tfprof_own(t, sample->node,
		                                    s->view->options.number[TFPROF_STEP], figure) };

		pprof_sample(s->pprof, s->locations.at + sample->first, sample->n, values,
		             "graph node:", tfprof_name(t, sample->node));
	}
}

bool tfprof_pprof(const struct tfprof_view *view, const char *path, struct err *err)
{
	struct stacks_making s = { .view = view, .pprof = pprof_new() };
	size_t kind = kind_of(&view->options);
	bool ok;

	pprof_value_type(s.pprof, "count", "count");
	pprof_value_type(s.pprof, kinds[kind].item, kinds[kind].unit);
	pprof_comment(s.pprof, kinds[kind].comment);
	walk_rows(&s);
	put_samples(&s);
	ok = pprof_write(s.pprof, path, err);
	pprof_free(s.pprof);
	vec_release(&s.at_level);
	vec_release(&s.locations);
	vec_release(&s.samples);
	str_release(&s.name);
	str_release(&s.key);
	return ok;
}
