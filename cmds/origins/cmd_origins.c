/* Where NaN and Inf begin, in all runs of a dump of format v1. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cmds/lang/words.h"
#include "cmds/origins/ignored.h"
#include "cmds/origins/origins_answer.h"
#include "cmds/origins/origins_store.h"
#include "cmds/origins/read_health.h"
#include "cmds/session/position.h"
#include "dump/model/origin_growth.h"

/* Tensors of a run whose sizes are asked for. */
struct sizes {
	struct run *run;
	struct run_facts *facts;         /* NULL: of a worker nothing has to be read */
	struct progress *progress;
};

static struct tensor_fact fact_at(const struct sizes *s, uint32_t at)
{
	struct tensor_fact fact = {0};
	struct err err = {0};

	if (s->facts)
		fact_read(s->facts, s->run, at, &fact, s->progress, &err);
	else
		fact_look(s->run, at, &fact, s->progress, &err);
	return fact;
}

/* Of what is no float, or no copy of the tensor, it does not count. */
static double size_of(void *context, uint32_t at)
{
	const struct sizes *s = context;
	struct tensor_fact fact;

	if (origin_debug_of(s->run, &s->run->tensors.at[at]) != DEBUG_IDENTITY)
		return NAN;
	fact = fact_at(s, at);
	if (!fact_is_told(&fact))
		return NAN;
	return fact.type->kind == KIND_FLOAT || fact.type->kind == KIND_SMALL_FLOAT
	               ? fact.magnitude : NAN;
}

/* False: nothing is left that grew, or *err. */
static bool add_growing(struct call *call, struct origin_growing *growing, size_t position,
                        const char *worker, struct err *err)
{
	struct runs *runs = call->shell->runs;
	struct run_entry *entry = runs_at(runs, position);
	struct sizes sizes = { .progress = call->progress };
	bool goes_on;

	sizes.run = open_run_for(runs, entry, worker, NULL, RUN_NAMES, call->progress, err);
	if (!sizes.run)
		return false;
	sizes.facts = worker ? NULL : facts_of_run(call->shell->visits, entry, sizes.run);
	goes_on = origin_growing_add(growing, sizes.run, size_of, &sizes);
	facts_close(sizes.facts);
	run_close(sizes.run);
	return goes_on;
}

/* Grew something, run by run, until the first origin? */
static bool find_growth(struct call *call, struct origins_report *report)
{
	struct runs *runs = call->shell->runs;
	const struct origin_row *row = report->rows.at;
	const char *worker = report->of_workers ? row->worker : NULL;
	struct origin_growing *growing;
	struct run *run;
	struct err err = {0};
	bool goes_on = true;

	run = open_run_for(runs, runs_at(runs, row->run), worker, NULL, RUN_WHOLE, call->progress,
	                   &err);
	if (!run)
		return err.code != ERR_CANCELLED;
	growing = origin_growing_new(run, row);
	run_close(run);
	for (uint32_t i = 1; goes_on && i <= row->run; i++)
		goes_on = (worker && !run_entry_is_of(runs_at(runs, i), worker)) ||
		          add_growing(call, growing, i, worker, &err);
	if (goes_on)
		origin_growing_put(growing, report);
	origin_growing_free(growing);
	return err.code != ERR_CANCELLED;
}

/* Notes TensorFlow's global_step of a run, if it is known. */
static void put_global_step(struct call *call, struct origins_report *report, uint32_t run)
{
	struct run_entry *entry = runs_at(call->shell->runs, run);
	struct err own = {0};
	int64_t step = -1;

	if (entry && runs_info(call->shell->runs, entry, RUN_HEAD, NULL, &own))
		step = step_of_run(entry);
	if (step < 0)
		return;
	while (report->steps.len < call->shell->runs->list.len)
		vec_push(&report->steps, (int64_t)-1);
	report->steps.at[run - 1] = step;
}

static void put_global_steps(struct call *call, struct origins_report *report)
{
	for (size_t i = 0; i < report->rows.len; i++) {
		const struct origin_row *row = &report->rows.at[i];

		put_global_step(call, report, row->run);
		put_global_step(call, report, row->first_nan.run);
		for (size_t k = 0; k < row->walk.len; k++)
			put_global_step(call, report, row->walk.at[k].tensor.run);
	}
}

static void put_names(const struct runs *runs, struct origins_report *report)
{
	const char *last = strrchr(runs->path, '/');
	const char *name = last && last[1] ? last + 1 : runs->path;

	report->dump = arena_copy(&report->mem, name, strlen(name));
	for (size_t i = 0; i < runs->list.len; i++) {
		name = runs->is_root ? runs->list.at[i]->name : ".";
		vec_push(&report->runs, arena_copy(&report->mem, name, strlen(name)));
		if (runs->of_arrays)
			vec_push(&report->steps, runs->list.at[i]->step);
	}
}

/*
 * The command that shows a tensor: of several runs in its own. device: of one of several workers;
 * or NULL. NULL: pt NODE:SLOT.
 */
static const char *link_to(struct origins_report *report, const char *device, const char *node,
                           uint32_t slot, uint32_t run, uint32_t exec)
{
	bool several = report->runs.len > 1;
	struct str name = {0}, line = {0}, begin = {0};
	const char *kept = NULL;

	if (!node || (!several && !exec && !device))
		return NULL;
	origin_put_name(&name, node, slot);
	if (several)
		str_fmt(&begin, "run --to %" PRIu32 " --show", run);
	words_put_with(&line, several ? begin.text : "pt", name.text);
	if (!several && device)
		words_put_with(&line, " -D", device);
	if (!several && exec)
		str_fmt(&line, " -n %" PRIu32, exec);
	kept = arena_copy(&report->mem, line.text, line.len);
	str_release(&name);
	str_release(&begin);
	str_release(&line);
	return kept;
}

static void link_tensor(struct origins_report *report, const char *device,
                        struct origin_tensor *t)
{
	t->link = link_to(report, device, t->node, t->slot, t->run, t->exec);
}

static void put_links(struct origins_report *report)
{
	for (size_t i = 0; i < report->rows.len; i++) {
		struct origin_row *row = &report->rows.at[i];
		const char *device = report->of_workers ? row->device : NULL;

		row->link = link_to(report, device, row->node, row->slot, row->run, row->exec);
		link_tensor(report, device, &row->first_nan);
		for (size_t k = 0; k < row->also.len; k++)
			link_tensor(report, device, &row->also.at[k]);
		for (size_t k = 0; k < row->walk.len; k++)
			link_tensor(report, device, &row->walk.at[k].tensor);
	}
}

static void warn(struct origins_report *report, const char *worker, const struct str *text)
{
	vec_push(&report->warnings,
	         arena_fmt(&report->mem, "%s%s%s", worker ? worker : "", worker ? ": " : "",
	                   text->text));
}

/* What the answer does not cover. */
static void tell_unread(struct origins_report *report, const struct health_search *search)
{
	struct str text = {0};

	report->unjudged = search->broken.len || search->unreadable || search->unjudged
	                   || search->lacks_tensors;
	for (size_t i = 0; i < search->unjudged_runs.len; i++)
		vec_push(&report->unjudged_runs, search->unjudged_runs.at[i]);
	for (size_t i = 0; i < search->broken.len; i++) {
		str_reset(&text);
		str_puts(&text, search->broken.at[i]);
		warn(report, search->worker, &text);
	}
	for (size_t i = 0; i < search->faults.len; i++) {
		str_reset(&text);
		str_puts(&text, search->faults.at[i]);
		warn(report, search->worker, &text);
	}
	if (search->unreadable) {
		str_reset(&text);
		str_fmt(&text, "%" PRIu64 " tensor%s could not be read", search->unreadable,
		        plural(search->unreadable));
		warn(report, search->worker, &text);
	}
	if (search->unjudged) {
		str_reset(&text);
		str_fmt(&text, "%" PRIu64 " tensor%s of other debug ops say nothing of NaN and Inf",
		        search->unjudged, plural(search->unjudged));
		warn(report, search->worker, &text);
	}
	str_release(&text);
}

/* What the user does not want to be told. */
static void read_ignored(struct call *call, struct ignored *out)
{
	const struct runs *runs = call->shell->runs;
	struct str root = {0};
	const char *slash = strrchr(runs->path, '/');

	if (slash && slash > runs->path && !runs->is_root && runs_is_in_root(runs, runs->path))
		str_put(&root, runs->path, (size_t)(slash - runs->path));
	ignored_read(call, runs->path, root.text, out);
	str_release(&root);
}

/* NULL: call->err says why, and what was found by then is kept. */
static struct origins_report *find_of(struct call *call, const char *worker,
                                      struct ignored *ignored,
                                      const struct run_viewer *viewer)
{
	struct shell *shell = call->shell;
	struct health_search *search = origins_take_search(shell);
	struct origins_report *report = NULL;
	bool whole;

	if (search && search->worker != worker) {
		health_search_free(search);
		search = NULL;
	}
	if (!search)
		search = health_search_new(shell->runs->list.len == 1, worker);
	search->viewer = viewer;
	whole = read_health(shell, search, call->progress, &call->err);
	search->viewer = NULL;
	if (!whole && !search->spoiled) {
		origins_keep_search(shell, search);
		return NULL;
	}
	if (!call->err.code)
		report = origin_finder_finish(search->finder, ignored_has, ignored, call->progress,
		                              &call->err);
	if (report)
		tell_unread(report, search);
	health_search_free(search);
	return report;
}

/* Nothing gets from one worker to another but by what both dumped: each is searched by itself. */
static struct origins_report *find(struct call *call, struct ignored *ignored,
                                   const struct run_viewer *viewer)
{
	const struct runs *runs = call->shell->runs;
	struct origins_report *report = NULL, *part;

	if (runs->worker || runs->workers.len < 2) {
		report = find_of(call, NULL, ignored, viewer);
		if (report && runs->workers.len)
			origins_name_worker(report, runs->worker ? runs->worker
			                                         : runs->workers.at[0]);
		return report;
	}
	for (size_t i = 0; i < runs->workers.len; i++) {
		part = find_of(call, runs->workers.at[i], ignored, NULL);
		if (!part)
			break;
		origins_name_worker(part, runs->workers.at[i]);
		if (report)
			origins_join(report, part);
		else
			report = part;
	}
	if (report && part) {
		report->of_workers = true;
		return report;
	}
	origins_report_free(report);
	return NULL;
}

/* The same with what is no matter of the tensors. */
static struct origins_report *search(struct call *call, const struct run_viewer *viewer)
{
	struct runs *runs = call->shell->runs;
	struct origins_report *report;
	struct ignored ignored;

	if (runs->lacks)
		return origins_refused(runs->lacks);
	read_ignored(call, &ignored);
	report = find(call, &ignored, viewer);
	if (report) {
		put_names(runs, report);
		if (!runs->of_arrays)
			put_global_steps(call, report);
		put_links(report);
		report->ignored_by = arena_copy(&report->mem, str_text(&ignored.by),
		                                ignored.by.len);
	}
	ignored_release(&ignored);
	if (!report || !report->n_origins || report->rows.at[0].run < 3 ||
	    find_growth(call, report))
		return report;
	origins_report_free(report);
	err_fill(&call->err, ERR_CANCELLED, "command", 0, "stopped");
	return NULL;
}

/* Of the tensor files of all runs; what is not known of a run yet is read by name. */
static uint64_t bytes_of(struct call *call)
{
	struct runs *runs = call->shell->runs;
	uint64_t bytes = 0;

	for (size_t i = 0; i < runs->list.len && !progress_cancelled(call->progress); i++) {
		struct err err = {0};
		const struct run_info *info = runs_info(runs, runs_at(runs, i + 1), RUN_NAMES,
		                                        call->progress, &err);

		bytes += info ? info->bytes : 0;
	}
	return bytes;
}

static bool has_runs(struct call *call)
{
	struct shell *shell = call->shell;

	if (!shell->runs || !shell->runs->list.len) {
		call_error(call, "ERROR: No dump is open.");
		return false;
	}
	if (shell->visit || !position_at(shell) ||
	    position_load(shell, call->progress, &call->err))
		return true;
	call_not_entered(call, position_at(shell), &call->err);
	return false;
}

struct origins_report *origins_of_runs(struct call *call, const struct opt_value *most,
                                       const struct run_viewer *viewer)
{
	struct origins_report *report;

	if (!has_runs(call))
		return NULL;
	report = origins_found_in(call->shell).report;
	if (report)
		return origins_report_keep(report);
	if (most->given && !origins_may_read(call, most, bytes_of(call)))
		return NULL;
	report = search(call, viewer);
	if (report)
		origins_note(call->shell, report);
	return report;
}

static void origins_exec(struct call *call)
{
	struct origins_report *report =
		origins_of_runs(call, &call->args.opt[ORIGINS_MAX_BYTES], NULL);

	if (report)
		origins_answer(call, report);
}

const struct cmd cmd_origins = {
	.name = "origins", .summary = "Where NaN and Inf begin, in all runs",
	OPTS(origins_options), POSITIONALS(origins_positionals),
	.runless = true, .exec = origins_exec,
};
