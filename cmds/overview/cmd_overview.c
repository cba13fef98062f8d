/* One page about whatever is open. */
#include "cmds/overview/overview_answer.h"

#include <stdlib.h>

#include "cmds/graph/node_source.h"
#include "cmds/lang/format.h"
#include "cmds/origins/origins_answer.h"
#include "cmds/origins/origins_store.h"
#include "cmds/overview/usage.h"
#include "cmds/session/position.h"
#include "cmds/session/session.h"
#include "dump/base/mem.h"
#include "dump/profile/trace.h"

enum { EXIT_CODE, MAX_BYTES };
static const struct opt options[] = {
	[EXIT_CODE] = { OPT_FLAG, NULL, "exit-code",
	                "in batch mode exit with 1 if there is an origin that does harm, damage, "
	                "a run cut short; else with 3 if not all could be judged" },
	[MAX_BYTES] = { OPT_INT, NULL, "max-bytes",
	                "judge the numbers only if no more than this has to be read (all; on the "
	                "screen 1 GB)" },
};

static void overview_free(void *context)
{
	struct overview *o = context;

	vec_release(&o->memory);
	findings_release(&o->findings);
	series_release(&o->series);
	free(o);
}

static void add_next(struct overview *o, const char *line)
{
	if (o->n_next < OVERVIEW_NEXT)
		o->next[o->n_next++] = line;
}

static void choose_next(struct overview *o)
{
	if (o->numbers && o->numbers->n_origins)
		add_next(o, "origins");
	if (o->numbers && o->numbers->n_origins &&
	    (o->head.v1 || (o->head.arrays && o->head.runs > 1)))
		add_next(o, "run -f has_inf_or_nan");
	if (o->head.runs > 1 && !o->head.v2)
		add_next(o, "runs");
	if (o->dump && (o->dump->damaged || o->dump->missing || o->dump->partial ||
	                o->dump->left_out))
		add_next(o, "doctor");
	if (o->head.v1 || o->head.arrays)
		add_next(o, "lt");
	if (o->head.v2)
		add_next(o, "lx");
	if (o->time.step) {
		add_next(o, "kernels");
		add_next(o, "timeline");
	}
}

/*
 * As find_numbers, and after it: files that were read are known to be whole. False: call->err says
 * why.
 */
static bool take_dump(struct call *call, struct overview *o)
{
	bool has_dump = call->shell->runs || call->shell->programs;

	o->dump = has_dump ? overview_known_dump(call->shell) : NULL;
	if (o->dump)
		return true;
	if (call->on_screen && has_dump && !doc_wants(call->out))
		doc_set_wants(call->out, "doctor");
	if (call->on_screen && has_dump)
		return true;
	if (!findings_of_all(&o->findings, call->shell, call->progress, &call->err))
		return false;
	if (has_dump || o->findings.list.len) {
		overview_note_dump(call->shell, &o->findings);
		o->dump = overview_known_dump(call->shell);
	}
	return true;
}

static const char *keep(struct call *call, const struct str *text)
{
	return arena_copy(doc_mem(call->out), str_text(text), text->len);
}

/* What an answer already says it can't do is a fact for this page. */
static const char *take_failure(struct call *call)
{
	struct str text = {0};
	const char *kept = NULL;

	if (call->failed && !call->err.code) {
		call_put_reason(call, &text);
		kept = keep(call, &text);
		call->failed = false;
		str_reset(call->error);
	}
	str_release(&text);
	return kept;
}

static const char *too_much(struct call *call, uint64_t bytes)
{
	struct str text = {0};
	const char *kept;

	origins_put_too_much(&text, bytes);
	str_puts(&text, " (origins)");
	kept = keep(call, &text);
	str_release(&text);
	return kept;
}

/* The line of the program that made the first origin. */
static void take_line(struct call *call, struct overview *o)
{
	struct source_finder finder = { .shell = call->shell };
	struct node_source source;
	struct str text = {0};

	if (o->numbers->n_origins && node_source_find(&finder, o->numbers->rows.at[0].node,
	                                              &source)) {
		node_source_put(&source, &text);
		o->made_at = keep(call, &text);
	}
	source_finder_release(&finder);
	str_release(&text);
}

/* Growth takes three sizes: those of three runs, or of three dumps in one. */
static bool may_drift(const struct shell *shell)
{
	const struct run *run = shell->runs->list.len == 1 ? shell->run : NULL;

	if (!run)
		return shell->runs->list.len != 2;
	for (size_t i = 0; i < run->tensors.len; i++)
		if (run->tensors.at[i].number > 1)
			return true;
	return false;
}

/* What see_run needs: the session, and the page that it fills. */
struct viewing {
	struct shell *shell;
	struct overview *o;
};

/*
 * A run that can't be measured or counted here is read again, and said, when that part of the page
 * is made. Only a cancel stops the search for findings, and that ends the command.
 */
static void see_run(void *owner, struct run_entry *entry, const struct run *run,
                    struct progress *progress)
{
	const struct viewing *v = owner;
	struct err err = {0};
	bool unjudged = v->o->unjudged || (v->o->numbers && v->o->numbers->refused);
	bool whole = true;

	if (!overview_known_dump(v->shell) && v->o->findings.runs + 1 == entry->position)
		findings_of_run(&v->o->findings, v->shell, entry, run, progress, &err);
	if (!run)
		return;
	if (!unjudged && may_drift(v->shell))
		series_read_run(v->shell, entry, run, progress, &err);
	for (size_t i = 0; i < run->problems.len; i++)
		whole &= !run->problems.at[i].unread;
	if (whole)
		usage_of_run(v->shell, entry, run, 0, progress, &err);
}

/*
 * In batch mode it is looked for; a screen shows what is known, and wants the line that finds out
 * more. False: call->err says why.
 */
static bool find_numbers(struct call *call, struct overview *o)
{
	struct viewing viewing = { call->shell, o };
	const struct run_viewer viewer = { see_run, &viewing };
	struct shell *shell = call->shell;
	struct origins_found found = origins_found_in(shell);
	struct origins_report *report = NULL;

	if (!shell->runs && !shell->program)
		return true;
	if (found.report) {
		report = origins_report_keep(found.report);
	} else if (call->on_screen && found.too_much_bytes) {
		o->unjudged = too_much(call, found.too_much_bytes);
	} else if (call->on_screen) {
		doc_set_wants(call->out, ORIGINS_LINE_SPARING);
	} else {
		const struct opt_value *most = &call->args.opt[MAX_BYTES];

		report = shell->program ? origins_of_program(call, most)
		                        : origins_of_runs(call, most, &viewer);
		found = origins_found_in(shell);
		o->unjudged = report ? NULL : take_failure(call);
		if (!report && found.too_much_bytes)
			o->unjudged = too_much(call, found.too_much_bytes);
	}
	if (!report)
		return !call->err.code;
	doc_keep(call->out, origins_report_free, report);
	o->numbers = report;
	return true;
}

/* Of several runs those that no search for origins had open. False: call->err says why. */
static bool see_others(struct call *call, struct overview *o)
{
	struct shell *shell = call->shell;
	size_t n = shell->runs ? shell->runs->list.len : 0;
	struct viewing viewing = { shell, o };

	for (size_t i = o->findings.runs; n > 1 && !overview_known_dump(shell) && i < n; i++) {
		struct run_entry *entry = runs_at(shell->runs, i + 1);
		struct visit *visit = visit_find(shell->visits, entry);
		struct err err = {0};
		struct run *run;

		if (!progress_step(call->progress, i, n)) {
			visit_release(visit);
			return err_at(&call->err, ERR_CANCELLED, "command", 0,
			              "stopped after %zu of %zu runs", i, n);
		}
		run = visit ? NULL : runs_open_run(shell->runs, entry, &err);
		if (run && !run_load(run, call->progress, &err)) {
			run_close(run);
			run = NULL;
		}
		see_run(&viewing, entry, run, call->progress);
		run_close(run);
		visit_release(visit);
	}
	return true;
}

static void tell_numbers(struct call *call, struct overview *o)
{
	if (!o->numbers)
		return;
	for (size_t i = 0; i < o->numbers->warnings.len; i++)
		call_fault(call, o->numbers->warnings.at[i]);
	call_note_unread(call);
	if (!o->numbers->refused)
		take_line(call, o);
}

/* Its tensors were read to judge them: what grew is told without reading more. */
static bool take_drift(struct call *call, struct overview *o)
{
	if (!call->shell->runs || !o->numbers || o->numbers->refused || !may_drift(call->shell))
		return true;
	if (!series_of_runs(&o->series, call->shell, call->progress, &call->err)) {
		bool goes_on = call->err.code != ERR_CANCELLED;

		if (goes_on)
			call->err = (struct err){0};
		return goes_on;
	}
	drift_first(&o->series, &o->drift);
	return true;
}

/* Is something damaged, be it no part of the dump? */
static bool is_damaged(const struct shell *shell, const struct overview *o)
{
	const struct profile *profile = shell->profile;

	return (o->dump && o->dump->damaged) || shell->stacks_problem.code ||
	       shell->profile_problem.code ||
	       (profile && (profile->problems.len ||
	                    (profile->trace && profile->trace->damage.len)));
}

/* For a script that asks whether all is well. */
static void tell_status(struct call *call, const struct overview *o)
{
	const struct origins_report *report = o->numbers;

	call_found(call,
	           (report && report->n_origins) || (o->dump && o->dump->partial) ||
	                   is_damaged(call->shell, o),
	           o->unjudged || (report && (report->refused || report->unjudged)));
}

static void overview_exec(struct call *call)
{
	struct overview *o = mem_alloc(sizeof *o);
	bool found;

	doc_keep(call->out, overview_free, o);
	overview_start_head(call->shell, &o->head);
	found = find_numbers(call, o) && (call->on_screen || see_others(call, o));
	if (!found || !overview_count_runs(call, &o->head) ||
	    !overview_read_time(call, &o->time) || !overview_read_memory(call, &o->memory))
		return;
	tell_numbers(call, o);
	if (!take_drift(call, o) || !take_dump(call, o))
		return;
	tell_status(call, o);
	choose_next(o);
	overview_put(call, o);
}

const struct cmd cmd_overview = {
	.name = "overview", .summary = "One page about what is open: numbers, time, damage",
	OPTS(options), .runless = true, .of_program = true, .exec = overview_exec,
};
