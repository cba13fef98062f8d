/*
 * Three checkers in a fixed order (tfprof leaves it open). Each prints its name, then what it
 * found, in the views that the commands show.
 */
#include "cmds/profile/tfprof/tfprof_advise.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/profile/tfprof/tfprof_text.h"
#include "cmds/profile/tfprof/tfprof_view.h"
#include "dump/base/mem.h"
#include "dump/model/device.h"

enum { TOP = 3, CODE_LEVELS = 3, CODE_LEAST_US = 1000 };

struct advising {
	struct tfprof *tfprof;
	struct progress *progress;
	struct str *out, *missing;
	struct err *err;
};

static void put_times(struct str *out, int64_t cpu, int64_t accelerator, int64_t total)
{
	str_puts(out, ", cpu: ");
	put_tfprof_time(out, cpu);
	str_puts(out, ", accelerator: ");
	put_tfprof_time(out, accelerator);
	str_puts(out, ", total: ");
	put_tfprof_time(out, total);
}

static struct tfprof_view *open_view(struct advising *a, enum tfprof_kind kind, int64_t min_micros,
                                     int64_t max_depth)
{
	struct tfprof_options options;
	struct arena mem = {0};
	struct tfprof_view *view;

	tfprof_options_default(&options, &mem);
	options.number[TFPROF_MAX_DEPTH] = max_depth;
	options.number[TFPROF_MIN_MICROS] = min_micros;
	options.order_by = "micros";
	view = tfprof_view_new(a->tfprof, kind, &options, a->progress, a->err);
	arena_release(&mem);
	return view;
}

static bool has_steps(struct advising *a, const char *checker)
{
	if (a->tfprof->steps.len)
		return true;
	str_fmt(a->missing, "Missing run_meta for %s\n", checker);
	return false;
}

/* Expensive operations. */

static bool put_top_ops(struct advising *a)
{
	struct tfprof_view *view = open_view(a, TFPROF_OP, 1, 3);

	if (!view)
		return false;
	for (size_t i = 0; i < view->shown.len && i < TOP; i++) {
		uint32_t row = view->shown.at[i].row;
		int64_t us = tfprof_view_own(view, row, TFPROF_MICROS);
		int64_t all = tfprof_view_total(view, 0, TFPROF_MICROS);

		str_fmt(a->out, "top %zu operation type: %s", i + 1, tfprof_view_name(view, row));
		put_times(a->out, tfprof_view_own(view, row, TFPROF_CPU),
		          tfprof_view_own(view, row, TFPROF_ACCELERATOR), us);
		str_fmt(a->out, " (%.2f%%)\n", all ? 100.0 * (double)us / (double)all : 0.0);
	}
	tfprof_view_free(view);
	return true;
}

static bool put_top_scopes(struct advising *a)
{
	struct tfprof_view *view = open_view(a, TFPROF_SCOPE, 100, 100);
	size_t n = 0;

	if (!view)
		return false;
	for (size_t i = 0; i < view->shown.len && n < TOP; i++) {
		uint32_t row = view->shown.at[i].row;

		if (view->shown.at[i].level != 1)
			continue;
		str_fmt(a->out, "top %zu graph node: %s", ++n, tfprof_view_name(view, row));
		put_times(a->out, tfprof_view_own(view, row, TFPROF_CPU),
		          tfprof_view_own(view, row, TFPROF_ACCELERATOR),
		          tfprof_view_own(view, row, TFPROF_MICROS));
		str_putc(a->out, '\n');
	}
	tfprof_view_free(view);
	return true;
}

/* Walks the children of the i-th shown row: the next one on its level, from `at` on. */
static size_t next_child(const struct tfprof_view *view, size_t i, size_t at)
{
	uint32_t level = view->shown.at[i].level + 1;

	while (at < view->shown.len && view->shown.at[at].level > level)
		at++;
	return at < view->shown.len && view->shown.at[at].level == level ? at : 0;
}

static size_t count_children(const struct tfprof_view *view, size_t i)
{
	size_t n = 0;

	for (size_t child = next_child(view, i, i + 1); child;
	     child = next_child(view, i, child + 1))
		n++;
	return n;
}

/* At most CODE_LEVELS deep. */
static void put_code(struct advising *a, const struct tfprof_view *view, size_t i, int level)
{
	uint32_t row = view->shown.at[i].row;
	size_t n = 0, child;

	if (level > CODE_LEVELS || tfprof_view_total(view, row, TFPROF_MICROS) < CODE_LEAST_US)
		return;
	str_fill(a->out, ' ', 2 * (size_t)level);
	str_puts(a->out, tfprof_view_name(view, row));
	put_times(a->out, tfprof_view_total(view, row, TFPROF_CPU),
	          tfprof_view_total(view, row, TFPROF_ACCELERATOR),
	          tfprof_view_total(view, row, TFPROF_MICROS));
	str_putc(a->out, '\n');
	if (count_children(view, i) < 2)
		return;
	for (child = next_child(view, i, i + 1); child && n++ < TOP;
	     child = next_child(view, i, child + 1))
		put_code(a, view, child, level + 1);
}

static bool put_top_code(struct advising *a)
{
	struct tfprof_view *view;
	size_t at = 0, n = 0, begin = a->out->len;

	if (!a->tfprof->has_traces) {
		str_puts(a->missing,
		         "Missing op_log (code traces) for ExpensiveOperationChecker\n");
		return true;
	}
	view = open_view(a, TFPROF_CODE, 1, 100);
	if (!view)
		return false;
	while (count_children(view, at) == 1)
		at = next_child(view, at, at + 1);
	if (count_children(view, at) > 1)
		for (size_t child = next_child(view, at, at + 1); child && n++ < TOP;
		     child = next_child(view, at, child + 1))
			put_code(a, view, child, 0);
	if (a->out->len == begin)
		str_putc(a->out, '\n');
	tfprof_view_free(view);
	return true;
}

static bool check_expensive(struct advising *a)
{
	str_puts(a->out, "\nExpensiveOperationChecker:\n");
	return !has_steps(a, "ExpensiveOperationChecker") ||
	       (put_top_ops(a) && put_top_scopes(a) && put_top_code(a));
}

/* Operations with a faster variant. */

static bool check_operations(struct advising *a)
{
	const struct tfprof *t = a->tfprof;
	bool norm = false, fused = false, nhwc = false;

	str_puts(a->out, "\nOperationChecker:\n");
	for (uint32_t n = 0; n < t->nodes.len; n++) {
		const struct tfprof_node *node = &t->nodes.at[n];

		norm |= strstr(tfprof_name(t, n), "BatchNorm") != NULL;
		nhwc |= node->nhwc && device_is_gpu(tfprof_text(t, node->device));
		for (uint32_t i = 0; i < node->n_types && !fused; i++)
			fused = !strcmp(tfprof_text(t, t->types.at[node->first_type + i]),
			                "FusedBatchNorm");
	}
	if (norm && !fused)
		str_puts(a->out, "Maybe use faster FusedBatchNorm instead of BatchNorm\n");
	if (nhwc)
		str_puts(a->out,
		         "Found operation using NHWC data_format on GPU. Maybe NCHW is faster.\n");
	return true;
}

/* How busy accelerators are. */

struct use {
	uint32_t device;
	int64_t busy_us, start_us, end_us;
};

static int by_device(const void *a, const void *b, void *context)
{
	const struct tfprof *t = context;

	return strcmp(tfprof_text(t, ((const struct use *)a)->device),
	              tfprof_text(t, ((const struct use *)b)->device));
}

static struct use *use_of(uint32_t *place, struct use *uses, size_t *n, uint32_t device)
{
	if (!place[device]) {
		uses[*n] = (struct use){ .device = device };
		place[device] = (uint32_t)++*n;
	}
	return &uses[place[device] - 1];
}

/* The latest step of each node. */
static void add_use(struct use *use, const struct tfprof *t, uint32_t node)
{
	struct tfprof_exec last = { .next = t->nodes.at[node].exec }, exec = last;
	bool any = false;

	while (exec.next != TFPROF_NONE) {
		exec = tfprof_exec_at(t, exec.next);
		if (!any || exec.step > last.step)
			last = exec;
		any = true;
	}
	if (!any)
		return;
	use->busy_us = tfprof_add(use->busy_us, last.accelerator_us);
	if (!use->start_us || last.start_us < use->start_us)
		use->start_us = last.start_us;
	if (last.end_us > use->end_us)
		use->end_us = last.end_us;
}

static void put_use(struct str *out, const struct tfprof *t, const struct use *use)
{
	int64_t span = tfprof_sub(use->end_us, use->start_us);
	double share;

	if (span <= 0)
		return;
	share = (double)use->busy_us / (double)span;
	str_fmt(out, "device: %s %sutilization: %.2f\n", tfprof_text(t, use->device),
	        share >= 0.5 ? "" : "low ", share);
}

static bool check_accelerators(struct advising *a)
{
	const struct tfprof *t = a->tfprof;
	uint32_t *place = mem_alloc((t->texts.len + 1) * sizeof *place);
	struct use *uses = mem_alloc((t->texts.len + 1) * sizeof *uses);
	size_t n = 0;

	str_puts(a->out, "\nAcceleratorUtilizationChecker:\n");
	for (uint32_t node = 0;
	     has_steps(a, "AcceleratorUtilizationChecker") && node < t->nodes.len; node++) {
		uint32_t device = t->nodes.at[node].device;

		if (device != TFPROF_NONE && device_is_gpu(tfprof_text(t, device)))
			add_use(use_of(place, uses, &n, device), t, node);
	}
	qsort_r(uses, n, sizeof *uses, by_device, (void *)t);
	for (size_t i = 0; i < n; i++)
		put_use(a->out, t, &uses[i]);
	free(place);
	free(uses);
	return true;
}

static const struct { const char *name; bool (*check)(struct advising *a); } checkers[] = {
	{ "ExpensiveOperationChecker", check_expensive },
	{ "OperationChecker", check_operations },
	{ "AcceleratorUtilizationChecker", check_accelerators },
};

bool tfprof_advise(struct tfprof *tfprof, char **names, size_t n, struct progress *progress,
                   struct str *out, struct str *missing, struct err *err)
{
	struct advising a = { tfprof, progress, out, missing, err };

	if (!tfprof->profile)
		str_puts(out, "Parsing Inputs...\n");
	for (size_t c = 0; c < sizeof checkers / sizeof *checkers; c++) {
		bool wanted = !n;

		for (size_t i = 0; i < n; i++)
			wanted |= !strcmp(names[i], checkers[c].name);
		if (wanted && !checkers[c].check(&a))
			return false;
	}
	return true;
}
