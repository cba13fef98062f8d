/* Where NaN and Inf begin, in all runs of a dump of format v1. */
#include <inttypes.h>
#include <string.h>

#include "cmds/origins/ignored.h"
#include "cmds/origins/origins_answer.h"
#include "cmds/origins/read_health.h"
#include "cmds/session/position.h"
#include "dump/model/graph_store.h"
#include "dump/model/origin_growth.h"

/* Grew something, run by run, until the first origin? */
static bool find_growth(struct call *call, struct origins_report *report,
                        struct graph_store *graphs)
{
	struct runs *runs = call->shell->runs;
	const struct origin_row *row = report->rows.at;
	struct origin_growing *growing;
	struct run *run;
	struct err err = {0};
	bool goes_on = true;

	run = open_run_for(runs, runs_at(runs, row->run), graphs, RUN_WHOLE, call->progress, &err);
	if (!run)
		return err.code != ERR_CANCELLED;
	growing = origin_growing_new(run, row);
	run_close(run);
	for (uint32_t i = 1; goes_on && i <= row->run; i++) {
		run = open_run_for(runs, runs_at(runs, i), NULL, RUN_NAMES, call->progress, &err);
		goes_on = run && origin_growing_add(growing, run);
		run_close(run);
	}
	if (goes_on)
		origin_growing_put(growing, report);
	origin_growing_free(growing);
	return err.code != ERR_CANCELLED;
}

static void put_names(const struct runs *runs, struct origins_report *report)
{
	const char *last = strrchr(runs->path, '/');
	const char *name = last && last[1] ? last + 1 : runs->path;

	report->dump = arena_copy(&report->mem, name, strlen(name));
	for (size_t i = 0; i < runs->list.len; i++) {
		name = runs->is_root ? runs->list.at[i]->name : ".";
		vec_push(&report->runs, arena_copy(&report->mem, name, strlen(name)));
	}
}

/* What the answer does not cover. */
static void tell_unread(struct call *call, const struct health_reading *reading)
{
	struct str text = {0};

	for (size_t i = 0; i < reading->broken.len; i++)
		call_warn(call, reading->broken.at[i]);
	if (reading->unreadable) {
		str_fmt(&text, "%" PRIu64 " tensor%s could not be read", reading->unreadable,
		        plural(reading->unreadable));
		call_warn(call, text.text);
	}
	if (reading->unjudged) {
		str_reset(&text);
		str_fmt(&text, "%" PRIu64 " tensor%s of other debug ops say nothing of NaN and Inf",
		        reading->unjudged, plural(reading->unjudged));
		call_warn(call, text.text);
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

/* NULL: call->err says why. */
static struct origins_report *find(struct call *call, struct graph_store *graphs,
                                   struct ignored *ignored, struct health_reading *reading)
{
	struct shell *shell = call->shell;
	struct origin_finder *finder = origin_finder_new(shell->runs->list.len == 1);
	struct origins_report *report = NULL;

	if (read_health(shell, finder, graphs, call->progress, reading, &call->err))
		report = origin_finder_finish(finder, ignored_has, ignored, call->progress,
		                              &call->err);
	origin_finder_free(finder);
	if (!report)
		return NULL;
	put_names(shell->runs, report);
	report->ignored_by = arena_copy(&report->mem, str_text(&ignored->by), ignored->by.len);
	if (!report->n_origins || report->rows.at[0].run < 3 || find_growth(call, report, graphs))
		return report;
	origins_report_free(report);
	err_fill(&call->err, ERR_CANCELLED, "command", 0, "stopped");
	return NULL;
}

static void origins_exec(struct call *call)
{
	struct shell *shell = call->shell;
	struct health_reading reading = {0};
	struct origins_report *report;
	struct graph_store *graphs;
	struct ignored ignored;

	if (!shell->runs || !shell->runs->list.len) {
		call_error(call, "ERROR: No dump is open.");
		return;
	}
	if (!shell->visit && position_at(shell) &&
	    !position_load(shell, call->progress, &call->err)) {
		call_not_entered(call, position_at(shell), &call->err);
		return;
	}
	graphs = graph_store_new();
	read_ignored(call, &ignored);
	report = find(call, graphs, &ignored, &reading);
	ignored_release(&ignored);
	graph_store_free(graphs);
	if (report) {
		tell_unread(call, &reading);
		origins_answer(call, report);
	}
	health_reading_release(&reading);
}

const struct cmd cmd_origins = {
	.name = "origins", .summary = "Where NaN and Inf begin, in all runs",
	OPTS(origins_options), .runless = true, .exec = origins_exec,
};
