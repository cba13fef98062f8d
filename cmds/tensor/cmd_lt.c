#include <string.h>

#include "cmds/doc/again.h"
#include "cmds/doc/menu.h"
#include "cmds/lang/pattern.h"
#include "cmds/lang/words.h"
#include "cmds/profile/profile_time.h"
#include "cmds/session/position.h"
#include "cmds/session/suggest.h"
#include "cmds/session/workers.h"
#include "cmds/tensor/read_all.h"
#include "cmds/tensor/so_far.h"
#include "cmds/tensor/tensor_list.h"
#include "dump/base/mem.h"

enum { FILTER, EXCLUDE, NODE_NAME, OP_TYPE, SORT_BY, REVERSE, TIMES, HEALTH, UNIT, WORKER,
       LIMIT, SKIP, COLUMNS };

static const struct opt options[] = {
	[FILTER] = { OPT_WORD, "f", "tensor_filter",
	             "keep dumps that pass this filter: has_inf_or_nan, or one of \"filter\"" },
	[EXCLUDE] = { OPT_WORD, "fenn", "filter_exclude_node_names",
	              "with -f: skip nodes whose name matches" },
	[NODE_NAME] = { OPT_WORD, "n", "node_name_filter",
	                "keep nodes whose name matches from its start" },
	[OP_TYPE] = { OPT_WORD, "t", "op_type_filter",
	              "keep op types that match from their start" },
	[SORT_BY] = SORT_OPT("timestamp (default), dump_size, op_type or tensor_name; "
	                     "with --times host_time or kernel_time; "
	                     "with --health bad, dtype, shape, min or max; "
	                     "or the key of a column", false),
	[REVERSE] = REVERSE_OPT(false),
	[TIMES] = { OPT_FLAG, NULL, "times",
	            "how long each node took in the open profile: on the host, and its kernels" },
	[HEALTH] = { OPT_FLAG, NULL, "health",
	             "what each tensor holds: NaN and Inf, type, shape, least and largest element, "
	             "and how the others lie between them" },
	[UNIT] = { OPT_WORD, NULL, "time_unit", "us, ms or s for all times" },
	[WORKER] = { OPT_WORD, NULL, "worker", "in a summary, only what this worker recorded" },
	[LIMIT] = LIMIT_OPT(true),
	[SKIP] = SKIP_OPT(true),
	[COLUMNS] = COLUMNS_OPT,
};

extern const struct cmd cmd_lt;

/* The word of an option that narrows the list; NULL if not given or empty. */
static const char *narrowing(const struct call *call, int option)
{
	const char *text = call->args.opt[option].word;

	return text && *text ? text : NULL;
}

/* The filter of -f; NULL: not given, or no such filter. */
static struct named_filter *filter_of(const struct call *call)
{
	const char *name = narrowing(call, FILTER);

	return name ? filters_find(&call->shell->filters, name) : NULL;
}

/* VERDICT_ bits. A tensor that can't be read is marked from now on, wherever it is listed. */
static unsigned verdict_on(struct call *call, struct named_filter *filter, uint32_t at)
{
	struct shell *shell = call->shell;
	struct visit *visit = shell->visit;
	unsigned verdict = filter_verdict(filter, visit_verdicts(visit, filter), visit->run,
	                                  visit_ops(visit), at, call->progress, &call->err);

	if (!(verdict & VERDICT_UNREADABLE))
		return verdict;
	if (!visit->unreadable)
		visit->unreadable = mem_alloc(visit->run->tensors.len * sizeof *visit->unreadable);
	visit->unreadable[at] = true;
	return verdict;
}

static bool pattern_option(struct call *call, int option, struct pattern **pattern)
{
	const char *text = narrowing(call, option);

	*pattern = NULL;
	if (!text)
		return true;
	*pattern = pattern_new(text, PATTERN_MATCH, false, &call->err);
	return *pattern;
}

static bool fits(struct call *call, struct pattern *pattern, const char *text)
{
	return pattern_fits(pattern, text, strlen(text), &call->err);
}

/* The filter has tested every tensor: the list of runs may show the result. */
static void note_hits(struct call *call, const struct named_filter *filter)
{
	struct shell *shell = call->shell;
	struct hit hit = hit_of(position_at(shell), filter, shell->run,
	                        visit_verdicts(shell->visit, filter), call->mem);

	hits_put(shell->hits, &hit);
	hits_note_filter(shell->hits, filter->name, filter->id);
}

/* How far the filter got. */
struct asked {
	size_t unreadable;
	bool stopped;            /* by the user, after `tested` of `of` tensors */
	size_t tested, of;
};

/* After a cancel the answer lists what has passed so far, and counts as failed. */
static void stop(struct call *call, struct asked *asked, size_t tested)
{
	asked->stopped = true;
	asked->tested = tested;
	call->err = (struct err){0};
	call->failed = true;
	doc_typed_failure(call->out);
	str_fmt(call->error, "stopped after %zu of %zu tensors", tested, asked->of);
}

#define STEP_EVERY 256

/* -f: keeps the rows that pass. */
static bool keep_passing(struct call *call, struct tensor_list *list, struct asked *asked)
{
	struct named_filter *filter = filter_of(call);
	struct pattern *exclude;
	size_t kept = 0;

	if (!pattern_option(call, EXCLUDE, &exclude))
		return false;
	asked->of = list->rows.len;
	visit_lend_health(call->shell->visit, filter);
	for (size_t i = 0; i < list->rows.len && !call->err.code && !asked->stopped; i++) {
		uint32_t at = list->rows.at[i];
		unsigned verdict;

		if (!(i % STEP_EVERY) && !progress_step(call->progress, i, list->rows.len)) {
			stop(call, asked, i);
			break;
		}
		if (exclude && fits(call, exclude, list->run->tensors.at[at].node))
			continue;
		verdict = verdict_on(call, filter, at);
		if (call->err.code == ERR_CANCELLED)
			stop(call, asked, i);
		asked->unreadable += (verdict & VERDICT_UNREADABLE) != 0;
		if (verdict & VERDICT_PASSES)
			list->rows.at[kept++] = at;
	}
	list->rows.len = kept;
	visit_learn_health(call->shell->visit, filter);
	if (!exclude && !narrowing(call, WORKER) && !call->shell->visit->hidden &&
	    !call->err.code && !asked->stopped)
		note_hits(call, filter);
	pattern_free(exclude);
	return !call->err.code;
}

/* --worker. */
static void keep_worker(struct call *call, struct tensor_list *list)
{
	const char *worker = narrowing(call, WORKER);
	size_t kept = 0;

	for (size_t i = 0; worker && i < list->rows.len; i++) {
		uint32_t at = list->rows.at[i];
		const char *of = list->run->devices.at[list->run->tensors.at[at].device].worker;

		if (of && !strcmp(of, worker))
			list->rows.at[kept++] = at;
	}
	list->rows.len = worker ? kept : list->rows.len;
}

/* Does one of its names match? */
static bool fits_name(struct call *call, struct pattern *pattern, const struct run *run,
                      uint32_t at)
{
	const struct tensor *t = &run->tensors.at[at];
	struct array_facts facts;

	return fits(call, pattern, t->node)
	       || (run->full_names.len && run_array_facts(run, t, &facts) && facts.full_name
	           && fits(call, pattern, facts.full_name));
}

/* -n and -t. */
static bool keep_matching(struct call *call, struct tensor_list *list)
{
	struct pattern *name, *op = NULL;
	size_t kept = 0;

	if (pattern_option(call, NODE_NAME, &name) && pattern_option(call, OP_TYPE, &op) &&
	    (name || op)) {
		for (size_t i = 0; i < list->rows.len && !call->err.code; i++) {
			uint32_t at = list->rows.at[i];

			if ((!name || fits_name(call, name, list->run, at)) &&
			    (!op || (list->ops[at] && fits(call, op, list->ops[at]))))
				list->rows.at[kept++] = at;
		}
		list->rows.len = kept;
	}
	pattern_free(name);
	pattern_free(op);
	return !call->err.code;
}

static void put_counts(struct call *call, size_t n, const struct asked *asked)
{
	doc_put(call->out, ROLE_PLAIN, "%zu dumped tensor(s)", n);
	if (narrowing(call, FILTER))
		doc_put(call->out, ROLE_PLAIN, " passing filter \"%s\"", narrowing(call, FILTER));
	doc_line_put(call->out, ROLE_PLAIN, ":");
	if (narrowing(call, OP_TYPE))
		doc_line_put(call->out, ROLE_PLAIN, "Op type regex filter: \"%s\"",
		             narrowing(call, OP_TYPE));
	if (narrowing(call, NODE_NAME))
		doc_line_put(call->out, ROLE_PLAIN, "Node name regex filter: \"%s\"",
		             narrowing(call, NODE_NAME));
	if (asked->stopped)
		doc_line_put(call->out, ROLE_ERROR, "stopped after %zu of %zu tensors",
		             asked->tested, asked->of);
	doc_newline(call->out);
}

/* The command that headings link to, with their column to sort by; unquoted, as in tfdbg. */
static void put_base(struct str *out, const struct call *call, const struct tensor_list *list)
{
	static const struct { int option; const char *flag; } kept[] = {
		{ FILTER, "-f" }, { OP_TYPE, "-t" }, { NODE_NAME, "-n" },
	};

	str_puts(out, "list_tensors");
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		if (narrowing(call, kept[i].option))
			str_fmt(out, " %s %s", kept[i].flag, narrowing(call, kept[i].option));
	if (list->times)
		str_puts(out, " --times");
	if (list->health == HEALTH_READ)
		str_puts(out, " --health");
	if (narrowing(call, WORKER))
		words_put_with(out, " --worker", narrowing(call, WORKER));
	if (narrowing(call, UNIT))
		str_fmt(out, " --time_unit %s", narrowing(call, UNIT));
	again_put_options(&cmd_lt, &call->args, LIMIT, SKIP, out);
}

static void put_complaint(struct call *call, const struct err *err)
{
	struct str text = {0};

	err_put(&text, err->src, err);
	doc_line_put(call->out, ROLE_ERROR, "ERROR: %s", text.text);
	doc_warn(call->out, "%s", text.text);
	str_release(&text);
}

/* After the rows: the dumps that a filter could not read. */
static void put_unreadable(struct call *call)
{
	const struct named_filter *filter = filter_of(call);
	const struct run *run = call->shell->run;
	const unsigned char *verdicts = visit_verdicts(call->shell->visit, filter);

	for (uint32_t i = 0; i < run->tensors.len; i++) {
		struct err err = {0};

		if (!(verdicts[i] & VERDICT_UNREADABLE))
			continue;
		filter_complaint(filter, run, shell_tensor_ops(call->shell), i, call->progress,
		                 &err);
		if (err.code == ERR_CANCELLED)
			continue;
		if (!err.code)           /* it can be read again */
			err_fill(&err, ERR_IO, run->tensors.at[i].node, 0,
			         "the tensor could not be read when it was asked; "
			         "the same command asks it again");
		put_complaint(call, &err);
	}
}

/* The same of those that are listed with their health. */
static void put_damaged(struct call *call, const struct tensor_list *list)
{
	struct healths *healths = list->visit->healths;
	const struct tensor *tensors = list->visit->run->tensors.at;

	for (size_t i = 0; i < list->rows.len; i++) {
		uint32_t at = tensor_list_at(list, i);
		const struct vitals *v = healths_of(healths, at);
		struct err err = {0};

		if (!v || v->state != VITALS_UNREADABLE)
			continue;
		healths_read(healths, at, call->progress, &err);
		if (err.code == ERR_CANCELLED)
			continue;
		if (!err.code)           /* it can be read again */
			err_fill(&err, ERR_IO, tensors[at].node, 0,
			         "the tensor could not be read; the same command reads it again");
		put_complaint(call, &err);
	}
}

/* --health: reads those that are listed. After a cancel the others are there as not known. */
static void read_health(struct call *call, struct tensor_list *list, struct asked *asked)
{
	size_t n;

	if (asked->stopped)
		return;
	asked->of = list->rows.len;
	n = read_all(list->visit, list->rows.at, list->rows.len, call->progress);
	if (n < list->rows.len)
		stop(call, asked, n);
}

static bool fill(struct call *call, struct tensor_list *list, struct asked *asked)
{
	bool filtered = narrowing(call, FILTER);

	tensor_list_take_all(list, filtered);
	keep_worker(call, list);
	if (filtered && !keep_passing(call, list, asked))
		return false;
	if (!list->health)
		tensor_list_measure(list);
	if (!keep_matching(call, list))
		return false;
	if (list->health == HEALTH_READ)
		read_health(call, list, asked);
	if (list->health)
		tensor_list_measure(list);
	return true;
}

/* Checks options that can be refused before anything is read. */
static bool options_fit(struct call *call)
{
	const char *filter = narrowing(call, FILTER);
	enum time_unit unit;

	if (narrowing(call, EXCLUDE) && !filter)
		return err_at(&call->err, ERR_VALUE, "command", 0,
		              "The flag --filter_exclude_node_names is valid "
		              "only when the flag -f or --tensor_filter is used.");
	if (narrowing(call, WORKER) && !call_knows_worker(call, narrowing(call, WORKER)))
		return false;
	if (narrowing(call, UNIT) && !time_unit_parse(narrowing(call, UNIT), &unit)) {
		call_error(call, "ERROR: \"%s\" is not one of us, ms or s.", narrowing(call, UNIT));
		return false;
	}
	if (filter && !filter_of(call)) {
		call_error(call, "ERROR: There is no tensor filter named \"%s\".", filter);
		suggest_filter(call, filter);
		menu_put(call->out, NULL, MENU_LIST_TENSORS);
		return false;
	}
	return true;
}

/* What is wrong with arrays that are listed all the same. */
static void warn_of_arrays(struct call *call)
{
	const struct run *run = call->shell->run;

	for (size_t i = 0; run->op_type && i < run->problems.len; i++) {
		const struct problem *p = &run->problems.at[i];

		if (!p->unread)
			doc_warn(call->out, "%s%s%s", p->file, *p->file ? ": " : "", p->text);
	}
}

/* What has passed until a cancel is sorted all the same. */
static bool arrange(struct call *call, struct tensor_list *list, const struct asked *asked)
{
	struct progress *progress = call->progress;
	bool ok;

	call->progress = asked->stopped ? NULL : progress;
	ok = tensor_list_arrange(call, list);
	call->progress = progress;
	return ok;
}

static void put_list(struct call *call, struct tensor_list *list, const struct asked *asked)
{
	struct str base = {0};

	put_counts(call, list->rows.len, asked);
	put_base(&base, call, list);
	tensor_list_put(call, list, base.text, call->args.opt[SORT_BY].word,
	                call->args.opt[REVERSE].given);
	warn_of_arrays(call);
	str_release(&base);
}

/* For --times, or columns of it. */
static bool find_times(struct call *call, struct tensor_list *list)
{
	if (!call->args.opt[TIMES].given && !tensor_list_wants_times(call))
		return true;
	list->times = node_times_new(call);
	return list->times;
}

/* May health come by itself, where there is room? */
static bool may_come(const struct call *call)
{
	return call->canvas.health_cols && call->on_screen;
}

/* The same of --health. */
static enum list_health health_of(const struct call *call)
{
	if (call->args.opt[HEALTH].given ||
	    tensor_list_wants_health(call, call->args.opt[SORT_BY].word))
		return HEALTH_READ;
	return may_come(call) && call->cols >= call->canvas.health_cols ? HEALTH_COMES
	                                                                : HEALTH_HIDDEN;
}

/* Key u: the next unit. Column t is in ms anyway, so ms is a unit only for the other times. */
static const struct doc_key own_keys[] = {
	{ 'u', .way = KEY_REWRITES },
	{ '#', .way = KEY_REWRITES, .refusal = "Names of tensors have one form" },
};
static const struct doc_keys keys = { NULL, DOC_KEYS(own_keys) };

static bool put_unit(void *context, const struct doc_at *at, struct str *out)
{
	static const char *const units[] = { "us", "s" }, *const all_units[] = { "us", "ms", "s" };
	struct args args = *(const struct args *)context;

	(void)at;
	if (args.opt[TIMES].given)
		again_next_word(&args.opt[UNIT], all_units, 3);
	else
		again_next_word(&args.opt[UNIT], units, 2);
	again_put(&cmd_lt, &args, out);
	return true;
}

static void bring_keys(struct call *call, const struct tensor_list *list)
{
	struct args *args = arena_alloc(doc_mem(call->out), sizeof *args);

	*args = again_keep(call, doc_mem(call->out));
	args->opt[TIMES].given |= list->times != NULL;
	args->opt[HEALTH].given |= list->health == HEALTH_READ;
	doc_bring_keys(call->out, &keys, put_unit, args);
}

static void lt_exec(struct call *call)
{
	struct tensor_list *list;
	struct asked asked = {0};

	if (!options_fit(call))
		return;
	list = tensor_list_new(call);
	list->health = health_of(call);
	if (narrowing(call, UNIT))
		list->unit = arena_copy(doc_mem(call->out), narrowing(call, UNIT),
		                        strlen(narrowing(call, UNIT)));
	if (!find_times(call, list) || !fill(call, list, &asked) || !arrange(call, list, &asked))
		return;
	list->unreadable = call->shell->visit->unreadable;
	bring_keys(call, list);
	if (may_come(call) && list->health != HEALTH_READ)
		doc_set_more(call->out, list->health ? "--health" : "");
	put_list(call, list, &asked);
	if (asked.unreadable)
		put_unreadable(call);
	if (list->health == HEALTH_READ && !asked.stopped)
		put_damaged(call, list);
	menu_put(call->out, NULL, MENU_LIST_TENSORS);
	call_note_unread(call);
}

static struct doc *lt_so_far(const struct shell *shell)
{
	return shell->opening ? so_far_doc(shell->opening) : NULL;
}

const struct cmd cmd_lt = {
	.name = "list_tensors", .alias = "lt", .summary = "Tensors dumped in this run",
	OPTS(options), .added = 1u << TIMES | 1u << HEALTH | 1u << UNIT | 1u << WORKER,
	.exec = lt_exec, .so_far = lt_so_far,
};
